// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Opens what `weft run` wrote, or others did. The endings of the files say what they are:
//
//     .glb          mesh and motion
//     .pc2          motion only; the mesh is in an OBJ or GLB opened along, or on the page already
//     .obj          a mesh that stands still
//     several .obj  one frame each, in the order of the numbers in their names
//
// What cannot be opened is an Error, whose message is a sentence to show.

import { Clip, evenTimes, framesOf } from "./clip";
import { readGlb, readGlbShape } from "./read-glb";
import { readObj } from "./read-obj";
import { countPc2Points, readPc2, shapeOfPoints } from "./read-pc2";
import { bodyVertexCount, type Shape } from "../shape";

export interface ResultFile {
    name: string;
    bytes: ArrayBuffer;
}

const ENDINGS = [".glb", ".pc2", ".obj"];

/** ".glb" of "Cloth.GLB". */
function endingOf(name: string): string {
    return /\.[^.]*$/.exec(name)?.[0].toLowerCase() ?? "";
}

/** Whether a file is a result, by its name alone. */
export function isResult(name: string): boolean {
    return ENDINGS.includes(endingOf(name));
}

/** Whether a file holds a motion, and not a mesh alone: a point cache, or a GLB with frames. */
export function isMotion({ name, bytes }: ResultFile): boolean {
    if (endingOf(name) === ".pc2") return true;
    if (endingOf(name) !== ".glb") return false;
    try {
        return readGlb(bytes, name).frameCount > 1;
    } catch {
        return false;
    }
}

/**
 * `current` is the mesh on the page, for point caches without one. OBJ and PC2 do not know how fast
 * they play: `frameRate` says it, frames per second.
 */
export function openResult(files: ResultFile[], current: Shape | null, frameRate = 60): Clip {
    const unknown = files.find((file) => !isResult(file.name));
    if (unknown) throw new Error(`${unknown.name} is no result: GLB, PC2 and OBJ files are`);
    const [glbs, caches, objs] = ENDINGS.map((ending) =>
        files.filter((file) => endingOf(file.name) === ending),
    );
    if (caches.length > 0) return openCache(caches, [...objs, ...glbs], current, frameRate);
    if (glbs.length === 1 && objs.length === 0) return readGlb(glbs[0].bytes, glbs[0].name);
    if (glbs.length > 0) throw new Error(`Open one result at a time, not ${namesOf(files)}`);
    if (objs.length === 0) throw new Error("No file was given");
    return openMeshes(objs, frameRate);
}

function namesOf(files: ResultFile[]): string {
    const names = files.slice(0, 3).map((file) => file.name);
    return names.join(", ") + (files.length > 3 ? ", ..." : "");
}

function openCache(
    caches: ResultFile[],
    meshes: ResultFile[],
    current: Shape | null,
    frameRate: number,
): Clip {
    const [{ name, bytes }] = caches;
    if (caches.length > 1) throw new Error(`Open one PC2 at a time, not ${namesOf(caches)}`);
    if (meshes.length > 1) throw new Error(`${name} needs one mesh, not ${namesOf(meshes)}`);
    const points = countPc2Points(bytes, name);
    if (meshes.length === 1) {
        const shape = readShape(meshes[0]);
        if (shapeOfPoints(shape, points)) return readPc2(bytes, name, shape, frameRate);
        const found = `${meshes[0].name} has ${countPoints(shape)} vertices`;
        throw new Error(`${name} holds ${points} points, but ${found}`);
    }
    if (current && shapeOfPoints(current, points)) return readPc2(bytes, name, current, frameRate);
    const advice = "open it together with the OBJ or GLB of its mesh";
    if (!current) throw new Error(`${name} holds points only: ${advice}`);
    const found = `the scene that is open has ${countPoints(current)} vertices`;
    throw new Error(`${name} holds ${points} points, but ${found}: ${advice}`);
}

function countPoints(shape: Shape): number {
    return shape.vertexCount + bodyVertexCount(shape);
}

function readShape({ name, bytes }: ResultFile): Shape {
    return endingOf(name) === ".obj" ? readObj(bytes, name).shape : readGlbShape(bytes, name);
}

/** Shape of the first, positions of all. */
function openMeshes(files: ResultFile[], frameRate: number): Clip {
    const order = new Intl.Collator("en", { numeric: true });
    const sorted = [...files].sort((a, b) => order.compare(a.name, b.name));
    const meshes = sorted.map(({ name, bytes }) => readObj(bytes, name));
    const count = countPoints(meshes[0].shape);
    const wrong = meshes.findIndex((mesh) => countPoints(mesh.shape) !== count);
    if (wrong >= 0) {
        const found = `${sorted[wrong].name} has ${countPoints(meshes[wrong].shape)} vertices`;
        throw new Error(`${found}, but ${sorted[0].name} has ${count}`);
    }
    const positions = meshes.map((mesh) => mesh.positions);
    const times = evenTimes(meshes.length, 1 / frameRate);
    return new Clip(sorted[0].name, meshes[0].shape, framesOf(positions, times));
}
