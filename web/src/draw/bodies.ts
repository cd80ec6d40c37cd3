// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the cloth touches: calm, slightly rough things that throw shadows. A level plane is no thing
// but the floor of the stage, and only its height counts.

import * as THREE from "three";
import {
    FACING_GLSL,
    GRAZED_SHADOW_GLSL,
    SHADOW_VERTEX_GLSL,
    SOFT_SHADOW_GLSL,
} from "./light/light";
import { takeOcclusion } from "./light/occlusion";
import { pickTriangle } from "./pick";
import { power } from "./light/power";
import { Refinement, solidCorners, timesFor } from "./refine";
import { isNear, pointsOf, type Surroundings } from "./camera/room";
import type { BodyShape } from "../shape";

const COLOUR = "#e6e1db"; // porcelain that was not glazed
const CREASE = Math.cos(THREE.MathUtils.degToRad(75)); // faces that meet flatter look round, as the rim of a sole does
const FEW = 2000; // triangles: of a body that has fewer, edges are halved twice
const LEVEL = 0.9999; // of a plane's normal, or a foot's: how much of it points up, or down
const FLAT = 1e-3; // of a body's height: what is higher is no part of its foot

function makeMaterial(): THREE.MeshStandardMaterial {
    const material = new THREE.MeshStandardMaterial({
        color: COLOUR,
        roughness: 0.55,
        side: THREE.DoubleSide, // a funnel has an inside
        shadowSide: THREE.DoubleSide,
        dithering: true,
        // farther back than cloth that lies on it
        polygonOffset: true,
        polygonOffsetFactor: 2,
        polygonOffsetUnits: 8,
    });
    material.defines = {
        ...material.defines,
        SHADOW_TAPS: String(Math.max(1, power().clothTaps)),
        SHADOW_SPREAD: "1.0",
    };
    material.onBeforeCompile = (shader) => {
        takeOcclusion(shader);
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", `#include <common>${FACING_GLSL}`)
            .replace("#include <shadowmap_vertex>", SHADOW_VERTEX_GLSL);
        const shadow = `#include <shadowmap_pars_fragment>${FACING_GLSL}${SOFT_SHADOW_GLSL}`;
        shader.fragmentShader = shader.fragmentShader.replace(
            "#include <shadowmap_pars_fragment>",
            `${shadow}${GRAZED_SHADOW_GLSL}`,
        );
    };
    return material;
}

/** Whether every edge has two triangles: then there is no inside to be seen. */
function isClosed(triangles: Uint32Array): boolean {
    const count = triangles.reduce((most, vertex) => Math.max(most, vertex), 0) + 1;
    const open = new Set<number>();
    for (let i = 0; i < triangles.length; i++) {
        const a = triangles[i]!,
            b = triangles[i % 3 === 2 ? i - 2 : i + 1]!;
        if (!open.delete(b * count + a)) open.add(a * count + b);
    }
    return open.size === 0;
}

// Normals of faces, as long as twice their area: three numbers each.
function faceNormals(x: Float32Array, triangles: Uint32Array, normals: Float32Array): void {
    for (let i = 0; i < triangles.length; i += 3) {
        const a = 3 * triangles[i]!,
            b = 3 * triangles[i + 1]!,
            c = 3 * triangles[i + 2]!;
        const ux = x[b]! - x[a]!,
            uy = x[b + 1]! - x[a + 1]!,
            uz = x[b + 2]! - x[a + 2]!;
        const vx = x[c]! - x[a]!,
            vy = x[c + 1]! - x[a + 1]!,
            vz = x[c + 2]! - x[a + 2]!;
        normals[i] = uy * vz - uz * vy;
        normals[i + 1] = uz * vx - ux * vz;
        normals[i + 2] = ux * vy - uy * vx;
    }
}

/** The vertices that are drawn: one for each side of a crease. Of each, the faces whose normals it
 *  takes the mean of. Found once; a body that changes its shape keeps them. */
class Creases {
    /** In numbers of drawn vertices. */
    readonly triangles: Uint32Array;
    /** Of each drawn vertex, that of the body. */
    readonly vertices: Uint32Array;
    private readonly starts: Uint32Array;
    private readonly faces: Uint32Array;

    constructor(triangles: Uint32Array, normals: Float32Array) {
        const around = new Map<number, number[]>();
        triangles.forEach((vertex, corner) => {
            const faces = around.get(vertex) ?? [];
            if (faces.push(Math.floor(corner / 3)) === 1) around.set(vertex, faces);
        });
        const known = new Map<string, number>();
        const vertices: number[] = [],
            list: number[] = [],
            starts = [0];
        this.triangles = triangles.map((vertex, corner) => {
            const faces = flatAround(Math.floor(corner / 3), around.get(vertex)!, normals);
            const key = `${vertex} ${faces.join()}`;
            const drawn = known.get(key) ?? vertices.length;
            if (drawn < vertices.length) return drawn;
            known.set(key, drawn);
            vertices.push(vertex);
            for (const face of faces) list.push(face);
            starts.push(list.length);
            return drawn;
        });
        this.vertices = Uint32Array.from(vertices);
        this.starts = Uint32Array.from(starts);
        this.faces = Uint32Array.from(list);
    }

    /** The normal of every drawn vertex, of length 1, from those of faces. */
    smooth(normals: Float32Array, drawn: Float32Array): void {
        for (let v = 0; v < this.vertices.length; v++) {
            let x = 0,
                y = 0,
                z = 0;
            for (let i = this.starts[v]!; i < this.starts[v + 1]!; i++) {
                const face = 3 * this.faces[i]!;
                x += normals[face]!;
                y += normals[face + 1]!;
                z += normals[face + 2]!;
            }
            const scale = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
            drawn[3 * v] = scale * x;
            drawn[3 * v + 1] = scale * y;
            drawn[3 * v + 2] = scale * z;
        }
    }

    /** `solid`: not 0 for vertices of bodies that have an inside. */
    refine(positions: Float32Array, solid: Uint8Array, times: number): Refinement {
        const first = new Map<number, number>();
        const same = this.vertices.map((vertex, drawn) => {
            if (!first.has(vertex)) first.set(vertex, drawn);
            return first.get(vertex)!;
        });
        const count = this.vertices.length;
        const mesh = {
            triangles: this.triangles,
            count,
            same,
            creased: true,
            corners: new Uint8Array(),
            solid: Uint8Array.from(this.vertices, (vertex) => solid[vertex]!),
        };
        const places = new Float32Array(3 * count);
        this.take(positions, places);
        mesh.corners = solidCorners(mesh, places);
        return new Refinement(mesh, times);
    }

    /** Places of drawn vertices, from those of the body. */
    take(positions: Float32Array, drawn: Float32Array): void {
        for (let v = 0; v < this.vertices.length; v++) {
            const from = 3 * this.vertices[v]!;
            drawn[3 * v] = positions[from]!;
            drawn[3 * v + 1] = positions[from + 1]!;
            drawn[3 * v + 2] = positions[from + 2]!;
        }
    }
}

/** Those of the faces that are not beyond a crease from one of them. */
function flatAround(own: number, faces: number[], normals: Float32Array): number[] {
    const a = new THREE.Vector3().fromArray(normals, 3 * own).normalize(),
        b = new THREE.Vector3();
    return faces.filter(
        (face) => face === own || a.dot(b.fromArray(normals, 3 * face).normalize()) > CREASE,
    );
}

/** Where a triangle faces upwards, its height; else null. */
function levelHeight(x: Float32Array, triangle: Uint32Array): number | null {
    const [a, b, c] = [...triangle].map((vertex) => new THREE.Vector3().fromArray(x, 3 * vertex));
    const normal = new THREE.Triangle(a, b, c).getNormal(new THREE.Vector3());
    return normal.y > LEVEL ? a!.y : null;
}

/** Positions of each body that has bounds. */
function boundedParts({ starts, planes }: BodyShape, positions: Float32Array): Float32Array[] {
    return [...planes.keys()]
        .filter((body) => !planes[body])
        .map((body) => positions.subarray(3 * starts[body]!, 3 * starts[body + 1]!));
}

function bodyBoxes(shape: BodyShape, positions: Float32Array): THREE.Box3[] {
    return boundedParts(shape, positions).map((part) => new THREE.Box3().setFromArray(part));
}

/** Triangles of a body each; bodies follow each other in the list. */
function trianglesOf({ triangles, starts, planes }: BodyShape): Uint32Array[] {
    let corner = 0;
    return [...planes.keys()].map((body) => {
        const first = corner;
        while (corner < triangles.length && triangles[corner]! < starts[body + 1]!) corner++;
        return triangles.subarray(first, corner);
    });
}

/** The height of a flat foot that a closed body stands on: triangles that look straight down, where it is
 *  lowest. null: it has none. */
function footOf(triangles: Uint32Array, x: Float32Array): number | null {
    const height = (corner: number) => x[3 * triangles[corner]! + 1]!;
    let low = Infinity,
        high = -Infinity;
    for (let i = 0; i < triangles.length; i++) {
        low = Math.min(low, height(i));
        high = Math.max(high, height(i));
    }
    const most = low + FLAT * (high - low);
    const normals = new Float32Array(triangles.length);
    faceNormals(x, triangles, normals);
    for (let i = 0; i < triangles.length; i += 3) {
        if (Math.max(height(i), height(i + 1), height(i + 2)) > most) continue;
        const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!);
        if (length > 0 && normals[i + 1]! < -LEVEL * length)
            return isClosed(triangles) ? low : null;
    }
    return null;
}

/** What is there before anything is drawn. */
export function surroundingsOf(shape: BodyShape, positions: Float32Array): Surroundings {
    const heights = trianglesOf(shape)
        .filter((triangles, body) => shape.planes[body] && triangles.length > 0)
        .map((triangles) => levelHeight(positions, triangles.subarray(0, 3)))
        .filter((height) => height !== null);
    const floor = heights.length > 0 ? Math.max(...heights) : null;
    const feet = trianglesOf(shape)
        .filter((_, body) => !shape.planes[body])
        .map((triangles) => footOf(triangles, positions))
        .filter((foot) => foot !== null);
    return { boxes: bodyBoxes(shape, positions), feet, floor };
}

export class BodyView {
    readonly object: THREE.Mesh;
    /** The height of the highest level plane, or null. */
    floor: number | null = null;
    private readonly geometry = new THREE.BufferGeometry();
    private readonly material = makeMaterial();
    private positions = new Float32Array();
    /** All but those of the floor; known with the first frame. */
    private triangles = new Uint32Array();
    /** Not 0 for vertices of bodies that have an inside. */
    private solid = new Uint8Array();
    /** A triangle of each level plane. */
    private readonly floors: Uint32Array[] = [];
    private creases: Creases | null = null;
    private refined: Refinement | null = null;
    private rounded = false;
    private normals = new Float32Array();
    /** Around each that has bounds, where it is now: several ask for them in each frame. */
    private boxes: THREE.Box3[];

    constructor(private readonly shape: BodyShape) {
        this.boxes = bodyBoxes(shape, this.positions);
        this.object = new THREE.Mesh(this.geometry, this.material);
        this.object.frustumCulled = false;
        this.object.castShadow = true;
        this.object.receiveShadow = power().shadows;
    }

    update(positions: Float32Array): void {
        if (!this.creases) this.begin(positions);
        else if (this.isShown(positions)) return;
        this.positions.set(positions);
        this.boxes = bodyBoxes(this.shape, this.positions);
        this.findFloor();
        this.fill();
    }

    /** After the ladder gave something up, or took it back. */
    takePower(): void {
        this.object.receiveShadow = power().shadows;
        if (this.creases && this.rounded !== power().round) this.fill();
    }

    private isShown(positions: Float32Array): boolean {
        return this.positions.every((value, i) => value === positions[i]);
    }

    /** Which body is the first on a ray, and where, along it; null for none. */
    pick(ray: THREE.Ray): { body: number; distance: number } | null {
        const hit = pickTriangle(ray, this.positions, this.triangles);
        if (!hit) return null;
        const body = this.shape.starts.findLastIndex((first) => first <= hit.vertex);
        return { body, distance: hit.distance };
    }

    surroundings(): Surroundings {
        return { boxes: this.boxes, floor: this.floor };
    }

    /** Places on the bodies that are near to a cloth within this box; `reach`: times its size. */
    placesNear(cloth: THREE.Box3, reach?: number): THREE.Vector3[] {
        return boundedParts(this.shape, this.positions)
            .filter((_, i) => isNear(cloth, this.boxes[i]!, reach))
            .flatMap((part) => pointsOf(part));
    }

    dispose(): void {
        this.geometry.dispose();
        this.material.dispose();
    }

    private begin(positions: Float32Array): void {
        this.positions = positions.slice();
        this.takeTriangles();
        // at the rim of a round body, its back would come through what slopes move farther back
        if (isClosed(this.triangles)) this.material.side = THREE.FrontSide;
        else this.material.polygonOffsetFactor = 0;
        this.normals = new Float32Array(this.triangles.length);
        faceNormals(this.positions, this.triangles, this.normals);
        this.creases = new Creases(this.triangles, this.normals);
        const count = this.triangles.length / 3;
        const times = timesFor(count, power().bodyTriangles, count < FEW ? 2 : 1);
        this.refined = this.creases.refine(this.positions, this.solid, times);
        for (const name of ["position", "normal"]) {
            const attribute = new THREE.BufferAttribute(
                new Float32Array(3 * this.refined.count),
                3,
            );
            this.geometry.setAttribute(name, attribute.setUsage(THREE.DynamicDrawUsage));
        }
        this.layTriangles();
        this.object.visible = this.triangles.length > 0;
    }

    private takeTriangles(): void {
        const kept: number[] = [];
        this.solid = new Uint8Array(this.positions.length / 3);
        trianglesOf(this.shape).forEach((triangles, body) => {
            const first = triangles.subarray(0, 3);
            const plane = this.shape.planes[body] !== 0;
            const floor = plane && levelHeight(this.positions, first) !== null;
            if (floor) {
                this.floors.push(first);
                return;
            }
            for (const vertex of triangles) kept.push(vertex);
            const { starts } = this.shape;
            if (isClosed(triangles)) this.solid.fill(1, starts[body], starts[body + 1]);
        });
        this.triangles = Uint32Array.from(kept);
    }

    private findFloor(): void {
        const heights = this.floors
            .map((triangle) => levelHeight(this.positions, triangle))
            .filter((height) => height !== null);
        this.floor = heights.length > 0 ? Math.max(...heights) : null;
    }

    private layTriangles(): void {
        this.rounded = power().round;
        const { triangles } = this.rounded ? this.refined! : this.creases!;
        this.geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
    }

    private fill(): void {
        if (this.rounded !== power().round) this.layTriangles();
        const position = this.geometry.getAttribute("position") as THREE.BufferAttribute;
        const normal = this.geometry.getAttribute("normal") as THREE.BufferAttribute;
        const places = position.array as Float32Array,
            directions = normal.array as Float32Array;
        this.creases!.take(this.positions, places);
        faceNormals(this.positions, this.triangles, this.normals);
        this.creases!.smooth(this.normals, directions);
        if (this.rounded) this.refined!.round(places, directions);
        for (const attribute of [position, normal]) {
            attribute.clearUpdateRanges();
            if (!this.rounded) attribute.addUpdateRange(0, 3 * this.creases!.vertices.length);
            attribute.needsUpdate = true;
        }
    }
}
