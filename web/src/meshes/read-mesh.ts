// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Mesh files of others, by the loaders of three.js, which are fetched when first needed, and OBJ by our own
// reader:
//
//     .obj .ply .stl     triangles
//     .glb .gltf .fbx    scenes: all meshes in them, as they stand at first
//
// What comes out is one mesh, welded, with nothing but triangles that have an area; and the same as
// the text of an OBJ, which scenes name. What cannot be read is an Error, whose message is a
// sentence to show.

import type { BufferGeometry, Object3D } from "three";
import { LoadingManager, Vector3 } from "three";
import { readObj } from "../results/read-obj";

export interface MeshFile {
    name: string;
    bytes: ArrayBuffer;
}

export interface ReadMesh {
    name: string;
    positions: Float64Array;
    triangles: Uint32Array;
    min: [number, number, number];
    max: [number, number, number];
}

const KINDS: Record<string, string> = {
    ".obj": "an OBJ",
    ".ply": "a PLY",
    ".stl": "an STL",
    ".glb": "a GLB of glTF 2.0",
    ".gltf": "a glTF 2.0",
    ".fbx": "an FBX",
};

function endingOf(name: string): string {
    return /\.[^.]*$/.exec(name)?.[0].toLowerCase() ?? "";
}

export function isMesh(name: string): boolean {
    return endingOf(name) in KINDS;
}

/** Why a file cannot be read, in words; loaders have words for programmers. */
class Reason extends Error {}

/** `beside`: files that came along, such as the buffers of a .gltf. */
export async function readMesh(file: MeshFile, beside: MeshFile[] = []): Promise<ReadMesh> {
    const { name, bytes } = file;
    if (bytes.byteLength === 0) throw new Error(`${name} is empty`);
    if (endingOf(name) === ".obj") return weld(name, cornersOfObj(file));
    const corners: number[] = [];
    try {
        const read = await load(file, beside);
        if ("isBufferGeometry" in read) takeGeometry(read, corners);
        else takeObject(read as Object3D, corners);
    } catch (error) {
        if (error instanceof Reason) throw new Error(`${name} could not be read: ${error.message}`);
        throw new Error(`${name} is not ${KINDS[endingOf(name)]} file, or is damaged`);
    }
    return weld(name, corners);
}

function cornersOfObj({ name, bytes }: MeshFile): number[] {
    const { shape, positions } = readObj(bytes, name);
    const corners = [...shape.triangles];
    for (const vertex of shape.bodies?.triangles ?? []) corners.push(shape.vertexCount + vertex);
    return corners.flatMap((vertex) => [...positions.subarray(3 * vertex, 3 * vertex + 3)]);
}

/** A loader that is fetched. */
async function fetched<T>(loader: Promise<T>): Promise<T> {
    return loader.catch(() => {
        throw new Reason(
            "what reads such files could not be loaded. Once there is a connection, bring it again",
        );
    });
}

async function load(
    { name, bytes }: MeshFile,
    beside: MeshFile[],
): Promise<Object3D | BufferGeometry> {
    const manager = managerFor(beside);
    switch (endingOf(name)) {
        case ".ply": {
            const { PLYLoader } = await fetched(import("three/examples/jsm/loaders/PLYLoader.js"));
            return new PLYLoader(manager).parse(bytes);
        }
        case ".stl": {
            const { STLLoader } = await fetched(import("three/examples/jsm/loaders/STLLoader.js"));
            return new STLLoader(manager).parse(bytes);
        }
        case ".fbx": {
            const { FBXLoader } = await fetched(import("three/examples/jsm/loaders/FBXLoader.js"));
            return new FBXLoader(manager).parse(bytes, "");
        }
        default: {
            const { GLTFLoader } = await fetched(
                import("three/examples/jsm/loaders/GLTFLoader.js"),
            );
            const loader = new GLTFLoader(manager);
            loader.register((parser) => {
                bareJson(parser.json as GltfJson);
                return { name: "weft" };
            });
            const { scene, scenes } = await loader.parseAsync(bytes, "");
            const first = scene ?? scenes[0];
            if (!first) throw new Reason("it has no scene");
            return first;
        }
    }
}

interface GltfJson {
    images?: unknown;
    textures?: unknown;
    materials?: unknown;
    meshes?: { primitives?: { material?: unknown }[] }[];
}

/** Pictures are not needed, and may be missing. */
function bareJson(json: GltfJson): void {
    delete json.images;
    delete json.textures;
    delete json.materials;
    for (const mesh of json.meshes ?? [])
        for (const primitive of mesh.primitives ?? []) delete primitive.material;
}

const EMPTY_PICTURE =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9" +
    "awAAAABJRU5ErkJggg==";

/** Nothing is fetched: files are those that came along, and pictures are empty. */
function managerFor(beside: MeshFile[]): LoadingManager {
    const manager = new LoadingManager();
    manager.setURLModifier((url) => {
        if (/^(data|blob):/.test(url)) return url;
        const name = decodeURIComponent(url.split("/").at(-1)!).toLowerCase();
        const file = beside.find((other) => other.name.toLowerCase() === name);
        if (file) return URL.createObjectURL(new Blob([file.bytes]));
        if (/\.(png|jpe?g|webp|tga|tiff?|bmp|dds)$/.test(name)) return EMPTY_PICTURE;
        throw new Reason(`it needs ${name}: open both together`);
    });
    return manager;
}

// ---------------------------------------------------------------------------------------------
// Triangles

interface Positions {
    count: number;
    getX(i: number): number;
    getY(i: number): number;
    getZ(i: number): number;
}

function takeGeometry(geometry: BufferGeometry, corners: number[]): void {
    const at = geometry.getAttribute("position") as Positions | undefined;
    if (at)
        takeCorners(geometry, at.count, corners, (i, to) =>
            to.set(at.getX(i), at.getY(i), at.getZ(i)),
        );
}

function takeCorners(
    geometry: BufferGeometry,
    count: number,
    corners: number[],
    place: (vertex: number, to: Vector3) => void,
): void {
    const index = geometry.getIndex();
    const places = new Float64Array(3 * count);
    const at = new Vector3();
    for (let i = 0; i < count; i++) {
        place(i, at);
        at.toArray(places, 3 * i);
    }
    const end = index ? index.count : count;
    for (let i = 0; i + 2 < end; i += 3)
        for (let k = 0; k < 3; k++) {
            const vertex = index ? index.getX(i + k) : i + k;
            if (vertex >= count)
                throw new Reason(
                    `triangle ${i / 3} names vertex ${vertex}, and there are ${count}, from 0 on`,
                );
            corners.push(places[3 * vertex]!, places[3 * vertex + 1]!, places[3 * vertex + 2]!);
        }
}

interface MeshLike extends Object3D {
    isMesh?: boolean;
    geometry: BufferGeometry;
    getVertexPosition(vertex: number, to: Vector3): Vector3;
}

/** Every mesh of a scene, posed as it stands at first. */
function takeObject(root: Object3D, corners: number[]): void {
    root.updateMatrixWorld(true);
    root.traverse((object) => {
        const mesh = object as MeshLike;
        if (!mesh.isMesh) return;
        const { geometry, matrixWorld } = mesh;
        const count = (geometry.getAttribute("position") as Positions | undefined)?.count ?? 0;
        takeCorners(geometry, count, corners, (i, to) => {
            mesh.getVertexPosition(i, to).applyMatrix4(matrixWorld);
        });
    });
}

/** Corners at one place become one vertex; triangles without an area go. */
function weld(name: string, corners: number[]): ReadMesh {
    if (corners.length === 0) throw new Error(`${name} holds no triangles`);
    if (!corners.every(Number.isFinite)) throw new Error(`${name}: some places are no numbers`);
    const [min, max] = boundsOf(corners);
    const size = Math.max(...max.map((high, k) => high - min[k]!));
    if (!(size > 0)) throw new Error(`${name}: all of it is at one place`);
    const grain = 1e-6 * size;
    const known = new Map<string, number>();
    const positions: number[] = [];
    const vertices: number[] = [];
    for (let i = 0; i < corners.length; i += 3) {
        const place = corners.slice(i, i + 3);
        const key = place.map((x) => Math.round(x / grain)).join();
        let vertex = known.get(key);
        if (vertex === undefined) {
            vertex = positions.length / 3;
            known.set(key, vertex);
            positions.push(...place);
        }
        vertices.push(vertex);
    }
    const triangles = withArea(positions, vertices, 1e-14 * size * size);
    if (triangles.length === 0) throw new Error(`${name} holds no triangles`);
    return {
        name,
        positions: Float64Array.from(positions),
        triangles: Uint32Array.from(triangles),
        min,
        max,
    };
}

function boundsOf(places: number[]): [ReadMesh["min"], ReadMesh["max"]] {
    const min: ReadMesh["min"] = [Infinity, Infinity, Infinity];
    const max: ReadMesh["max"] = [-Infinity, -Infinity, -Infinity];
    places.forEach((x, i) => {
        min[i % 3] = Math.min(min[i % 3]!, x);
        max[i % 3] = Math.max(max[i % 3]!, x);
    });
    return [min, max];
}

function withArea(positions: number[], vertices: number[], least: number): number[] {
    const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
    const kept: number[] = [];
    const seen = new Set<string>();
    for (let i = 0; i < vertices.length; i += 3) {
        const triangle = vertices.slice(i, i + 3);
        const key = [...triangle].sort((x, y) => x - y).join();
        const [u, v, w] = triangle as [number, number, number];
        a.fromArray(positions, 3 * u);
        b.fromArray(positions, 3 * v).sub(a);
        c.fromArray(positions, 3 * w).sub(a);
        if (seen.has(key) || !(b.cross(c).lengthSq() > least * least)) continue;
        seen.add(key);
        kept.push(u, v, w);
    }
    return kept;
}

// ---------------------------------------------------------------------------------------------
// What becomes of it

/** The same as an OBJ. */
export function objOf({ positions, triangles }: ReadMesh): string {
    const lines: string[] = [];
    for (let i = 0; i < positions.length; i += 3)
        lines.push(`v ${positions[i]} ${positions[i + 1]} ${positions[i + 2]}`);
    for (let i = 0; i < triangles.length; i += 3)
        lines.push(`f ${triangles[i]! + 1} ${triangles[i + 1]! + 1} ${triangles[i + 2]! + 1}`);
    return `${lines.join("\n")}\n`;
}

/** In one line. */
export function describeMesh({ triangles, min, max }: ReadMesh): string {
    const sizes = max.map((high, k) => Number((high - min[k]!).toPrecision(3)));
    const count = triangles.length / 3;
    const words = count === 1 ? "1 triangle" : `${count.toLocaleString("en")} triangles`;
    return `${words}, ${sizes.join(" × ")} (width, height, depth)`;
}

export type Unit = "m" | "cm" | "mm";
export const metres: Record<Unit, number> = { m: 1, cm: 0.01, mm: 0.001 };

/** By the size alone: nothing that cloth touches is larger than ten metres, and what is 172 high is
 *  a person in centimetres. */
export function guessUnit({ min, max }: Pick<ReadMesh, "min" | "max">): Unit {
    const size = Math.max(...max.map((high, k) => high - min[k]!));
    return size <= 10 ? "m" : size <= 1000 ? "cm" : "mm";
}
