// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where meshes from files go in a scene.

import * as THREE from "three";
import { surroundingsOf } from "../../draw/bodies";
import { floorBelow } from "../../draw/camera/room";
import { objOf, type ReadMesh } from "../../meshes/read-mesh";
import type { MeshBody, SceneDocument } from "../../scene/document";
import type { GivenFile, Start } from "../../sim/protocol";

const GAP = 0.02; // metres

/** Bounds of meshes; in the units of the file. */
const bounds = new WeakMap<GivenFile, THREE.Box3>();

/** Of a mesh that was written here, now or on an earlier visit. */
function boundsOf(file: GivenFile): THREE.Box3 {
    const known = bounds.get(file);
    if (known) return known;
    const box = new THREE.Box3();
    for (const [, ...place] of new TextDecoder().decode(file.bytes).matchAll(VERTEX))
        box.expandByPoint(new THREE.Vector3(...place.map(Number)));
    bounds.set(file, box);
    return box;
}

const VERTEX = /^v (\S+) (\S+) (\S+)/gm;

/** The mesh as a file that a scene can name, and its box in metres. */
export function giveMesh(
    mesh: ReadMesh,
    scale: number,
    others: GivenFile[],
): { given: GivenFile; box: THREE.Box3 } {
    const stem = mesh.name.replace(/\.[^.]*$/, "");
    let name = `${stem}.obj`;
    for (let i = 2; others.some((other) => other.name === name); i++) name = `${stem}-${i}.obj`;
    const given = { name, bytes: new TextEncoder().encode(objOf(mesh)) };
    const box = new THREE.Box3(new THREE.Vector3(...mesh.min), new THREE.Vector3(...mesh.max));
    bounds.set(given, box.clone());
    box.min.multiplyScalar(scale);
    box.max.multiplyScalar(scale);
    return { given, box };
}

/** How to move a cloth of this box: above the bodies of a scene, or as it is where there are none. */
export function placeCloth(box: THREE.Box3, among: SceneDocument | null): THREE.Vector3 {
    const around = new THREE.Box3();
    const { start } = among ?? {};
    if (start)
        for (const body of surroundingsOf(start.bodyShape, start.bodies).boxes) around.union(body);
    if (among) for (const body of addedBoxes(among)) around.union(body);
    const move = new THREE.Vector3();
    if (around.isEmpty() || !around.intersectsBox(box)) return move;
    // a garment that is made for a body is where it belongs
    if (around.containsPoint(box.getCenter(new THREE.Vector3()))) return move;
    return move.setY(around.max.y + GAP - box.min.y);
}

/** Around a body as it stands in the scene. */
function boxOf(file: GivenFile, { place }: MeshBody): THREE.Box3 {
    const box = boundsOf(file).clone();
    const scaled = (corner: THREE.Vector3) => corner.multiplyScalar(place.scale);
    scaled(box.min);
    scaled(box.max);
    return box.translate(new THREE.Vector3(...place.move));
}

/** How to move a body of this box, already in metres, at the start of a scene: below the cloth, which
 *  then falls on it, or on a floor that the scene has itself, behind the cloth. */
export function placeBody(
    box: THREE.Box3,
    start: Start,
    others: THREE.Box3[],
): [number, number, number] {
    const cloth = new THREE.Box3().setFromArray(start.positions);
    const around = surroundingsOf(start.bodyShape, start.bodies);
    const middle = cloth.getCenter(new THREE.Vector3());
    const own = box.getCenter(new THREE.Vector3());
    const move = new THREE.Vector3(middle.x - own.x, 0, middle.z - own.z);
    if (around.floor === null) {
        move.y = lowest(start, cloth) - GAP - box.max.y;
    } else {
        move.y = around.floor - box.min.y;
        if (box.max.y + move.y > cloth.min.y) move.z = cloth.min.z - GAP - box.max.z;
    }
    return beside(box.clone().translate(move), [...around.boxes, ...others])
        .sub(box.min)
        .toArray();
}

/** Where cloth gets to that hangs. */
function lowest({ positions, pinned }: Start, cloth: THREE.Box3): number {
    const held = pinned.some((pin) => pin !== 0);
    const floor = held ? floorBelow(positions, pinned, { boxes: [], floor: null }) : null;
    return Math.min(cloth.min.y, floor ?? cloth.min.y);
}

/** The lower corner of a box that is shifted to the right until nothing else is there. */
function beside(box: THREE.Box3, others: THREE.Box3[]): THREE.Vector3 {
    for (const other of [...others].sort((a, b) => a.max.x - b.max.x))
        if (box.intersectsBox(other))
            box.translate(new THREE.Vector3(other.max.x + GAP - box.min.x, 0, 0));
    return box.min;
}

/** Around the bodies that were put in a scene. */
export function addedBoxes({ edits, files }: SceneDocument): THREE.Box3[] {
    return (edits.bodies ?? []).flatMap((body) => {
        const file = files.find(({ name }) => name === body.file);
        return file ? [boxOf(file, body)] : [];
    });
}
