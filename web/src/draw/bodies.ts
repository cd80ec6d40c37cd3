// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the cloth touches: calm, slightly rough things that throw shadows. A level plane is no thing
// but the floor of the stage, and only its height counts.

import * as THREE from "three";
import { FACING_GLSL, GRAZED_SHADOW_GLSL, SHADOW_VERTEX_GLSL, SOFT_SHADOW_GLSL } from "./light";
import { pickTriangle } from "./pick";
import { power } from "./power";
import type { Surroundings } from "./room";
import type { BodyShape } from "../shape";

const COLOUR = "#d6d0c9"; // porcelain that was not glazed
const CREASE = Math.cos(THREE.MathUtils.degToRad(75)); // faces that meet flatter look round, as the rim of a sole does
const LEVEL = 0.9999; // of a plane's normal: how much of it points up

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

/** For every corner of a triangle, the faces whose normals it takes the mean of: those around its
 *  vertex that are not beyond a crease. Found once; a body that changes its shape keeps them. */
class Creases {
    private readonly starts: Uint32Array;
    private readonly faces: Uint32Array;

    constructor(triangles: Uint32Array, normals: Float32Array) {
        const around = new Map<number, number[]>();
        triangles.forEach((vertex, corner) => {
            const faces = around.get(vertex) ?? [];
            if (faces.length === 0) around.set(vertex, faces);
            faces.push(Math.floor(corner / 3));
        });
        const a = new THREE.Vector3(),
            b = new THREE.Vector3(),
            list: number[] = [];
        this.starts = new Uint32Array(triangles.length + 1);
        triangles.forEach((vertex, corner) => {
            const own = Math.floor(corner / 3);
            a.fromArray(normals, 3 * own).normalize();
            for (const face of around.get(vertex)!) {
                const flat = a.dot(b.fromArray(normals, 3 * face).normalize()) > CREASE;
                if (flat || face === own) list.push(face);
            }
            this.starts[corner + 1] = list.length;
        });
        this.faces = Uint32Array.from(list);
    }

    /** The sum for every corner; three numbers each, of any length. */
    smooth(normals: Float32Array, corners: Float32Array): void {
        corners.fill(0);
        for (let corner = 0; corner + 1 < this.starts.length; corner++)
            for (let i = this.starts[corner]!; i < this.starts[corner + 1]!; i++)
                for (let k = 0; k < 3; k++)
                    corners[3 * corner + k]! += normals[3 * this.faces[i]! + k]!;
    }
}

/** Where a triangle faces upwards, its height; else null. */
function levelHeight(x: Float32Array, triangle: Uint32Array): number | null {
    const [a, b, c] = [...triangle].map((vertex) => new THREE.Vector3().fromArray(x, 3 * vertex));
    const normal = new THREE.Triangle(a, b, c).getNormal(new THREE.Vector3());
    return normal.y > LEVEL ? a!.y : null;
}

function bodyBoxes({ starts, planes }: BodyShape, positions: Float32Array): THREE.Box3[] {
    return [...planes.keys()]
        .filter((body) => !planes[body])
        .map((body) => {
            const part = positions.subarray(3 * starts[body]!, 3 * starts[body + 1]!);
            return new THREE.Box3().setFromArray(part);
        });
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

/** What is there before anything is drawn. */
export function surroundingsOf(shape: BodyShape, positions: Float32Array): Surroundings {
    const heights = trianglesOf(shape)
        .filter((triangles, body) => shape.planes[body] && triangles.length > 0)
        .map((triangles) => levelHeight(positions, triangles.subarray(0, 3)))
        .filter((height) => height !== null);
    const floor = heights.length > 0 ? Math.max(...heights) : null;
    return { boxes: bodyBoxes(shape, positions), floor };
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
    /** A triangle of each level plane. */
    private readonly floors: Uint32Array[] = [];
    private creases: Creases | null = null;
    private normals = new Float32Array();

    constructor(private readonly shape: BodyShape) {
        this.object = new THREE.Mesh(this.geometry, this.material);
        this.object.frustumCulled = false;
        this.object.castShadow = true;
        this.object.receiveShadow = power().clothTaps > 0;
    }

    update(positions: Float32Array): void {
        if (!this.creases) this.begin(positions);
        else if (this.positions.every((value, i) => value === positions[i])) return;
        this.positions.set(positions);
        this.findFloor();
        this.fill();
    }

    /** Where the first body on a ray is, along it; null for none. */
    pick(ray: THREE.Ray): number | null {
        return pickTriangle(ray, this.positions, this.triangles)?.distance ?? null;
    }

    surroundings(): Surroundings {
        return { boxes: bodyBoxes(this.shape, this.positions), floor: this.floor };
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
        for (const name of ["position", "normal"]) {
            const numbers = new Float32Array(3 * this.triangles.length);
            const attribute = new THREE.BufferAttribute(numbers, 3);
            this.geometry.setAttribute(name, attribute.setUsage(THREE.DynamicDrawUsage));
        }
        this.object.visible = this.triangles.length > 0;
    }

    private takeTriangles(): void {
        const kept: number[] = [];
        trianglesOf(this.shape).forEach((triangles, body) => {
            const first = triangles.subarray(0, 3);
            const plane = this.shape.planes[body] !== 0;
            const floor = plane && levelHeight(this.positions, first) !== null;
            if (floor) this.floors.push(first);
            else for (const vertex of triangles) kept.push(vertex);
        });
        this.triangles = Uint32Array.from(kept);
    }

    private findFloor(): void {
        const heights = this.floors
            .map((triangle) => levelHeight(this.positions, triangle))
            .filter((height) => height !== null);
        this.floor = heights.length > 0 ? Math.max(...heights) : null;
    }

    private fill(): void {
        const position = this.geometry.getAttribute("position") as THREE.BufferAttribute;
        const normal = this.geometry.getAttribute("normal") as THREE.BufferAttribute;
        const places = position.array as Float32Array;
        this.triangles.forEach((vertex, corner) => {
            for (let k = 0; k < 3; k++) places[3 * corner + k] = this.positions[3 * vertex + k]!;
        });
        faceNormals(this.positions, this.triangles, this.normals);
        this.creases!.smooth(this.normals, normal.array as Float32Array);
        position.needsUpdate = true;
        normal.needsUpdate = true;
    }
}
