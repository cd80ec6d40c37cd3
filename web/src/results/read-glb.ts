// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// glTF 2.0, binary, as `weft run` writes it: a mesh, morph targets that hold differences to it, and
// an animation of their weights. Files from elsewhere are read as far as they are of this kind: of
// the node whose weights are animated, else of the first one with a mesh, and of those that are
// named as bodies. In files of weft all other nodes are cloth too. Bones and animations
// of nodes are left out. Weights go straight from key to key, whatever the file says.
//
// A vertex on a seam is there once for each of its texture coordinates, and is drawn so. For point
// caches, which have it once, the attribute _VERTEX says which are the same: the numbers 0, 1, ...
// and behind them those of the copies.
//
//     12: header
//      8: header, JSON
//      8: header, data
//
// Nothing in a damaged file is what it should be, so every value is looked at before it is used.
// Frames are made from the targets when they are asked for: all at once they would take as much
// memory again as the file, and far more in files with few targets and many keys.

import { Matrix3, Matrix4, Quaternion, Vector3 } from "three";

import { isBody, separateBodies } from "./bodies";
import { DEFAULT_LOOK, type Look } from "../look";
import { Clip, findWild, LARGEST, type FrameSource } from "./clip";
import { readLook, warpRunsAlongV } from "./read-looks";
import type { Shape } from "../shape";

const HEADER_SIZE = 12;
const CHUNK_SIZE = 8; // of the header of a chunk
const MAGIC = 0x46546c67,
    CHUNK_JSON = 0x4e4f534a,
    CHUNK_DATA = 0x004e4942;
const TYPE_FLOAT = 5126;
const INDEX_SIZES: Record<number, number> = { 5121: 1, 5123: 2, 5125: 4 };
const MODE_LINES = 1,
    MODE_TRIANGLES = 4;
const SHORTEST_FRAME = 1e-6; // seconds
const NO_MATERIAL = 255; // and those beyond it

/** A JSON object of which nothing is known. */
type Json = Record<string, unknown>;

/** Vertices of one primitive, or of several that share them. */
interface Part {
    first: number;
    count: number;
    positions: Float32Array;
    normals: Float32Array | null;
    texture: Float32Array | null;
    /** Which of the part's vertices each one is; null where none is there twice. */
    sources: Float32Array | null;
    targets: { positions: Float32Array | null; normals: Float32Array | null }[];
}

/** Primitives of one node. Vertices are numbered through all that is read of a file. */
interface Mesh {
    first: number;
    vertexCount: number;
    triangles: Uint32Array;
    lines: Uint32Array;
    /** Of each triangle, its material; NO_MATERIAL for none. */
    materials: Uint8Array;
    parts: Part[];
}

/** A mesh, how it moves, and where it is: null for as it says itself, as in our files. */
interface Piece extends Mesh {
    weights: Weights;
    world: Matrix4 | null;
}

/** How much of each target is in each frame. */
interface Weights {
    times: Float32Array;
    /** The weight of target j in frame i is values[first + i * stride + j]. */
    values: Float32Array;
    first: number;
    stride: number;
}

// ---------------------------------------------------------------------------------------------
// Bytes and JSON

/** Whether weft wrote it. */
function isOurs(file: GlbFile): boolean {
    const { asset } = file.json;
    return isObject(asset) && String(asset.generator).startsWith("weft ");
}

function isObject(value: unknown): value is Json {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The file: its JSON, with what is needed to look into it safely, and its data. */
class GlbFile {
    readonly json: Json;
    private readonly data: DataView;
    private readonly floats = new Map<number, Float32Array>();
    /** Bytes that accessors may still ask for. */
    private budget: number;

    constructor(
        bytes: ArrayBuffer,
        private readonly name: string,
    ) {
        const view = new DataView(bytes);
        if (bytes.byteLength < 4 || view.getUint32(0, true) !== MAGIC) this.fail("is not a GLB");
        const [text, data] = this.findChunks(view);
        this.json = this.parse(text);
        this.data = data;
        this.budget = 16 * bytes.byteLength;
    }

    fail(what: string): never {
        throw new Error(`${this.name} ${what}`);
    }

    damaged(what: string): never {
        this.fail(`is damaged: ${what}`);
    }

    private findChunks(view: DataView): [DataView, DataView] {
        const size = view.byteLength;
        if (size < HEADER_SIZE + CHUNK_SIZE) this.fail("is cut off within its header");
        const version = view.getUint32(4, true);
        const claimed = view.getUint32(8, true);
        if (version !== 2) this.fail(`is glTF of version ${version}; only 2 is read`);
        if (size < claimed) this.fail(`is cut off: it has ${size} bytes of ${claimed}`);
        const text = this.findChunk(view, HEADER_SIZE, CHUNK_JSON);
        if (!text) this.damaged("it does not begin with JSON");
        const end = text.byteOffset + text.byteLength;
        return [text, this.findChunk(view, end, CHUNK_DATA) ?? new DataView(view.buffer, 0, 0)];
    }

    /** Null where there is no such chunk at `start`. */
    private findChunk(view: DataView, start: number, kind: number): DataView | null {
        if (start + CHUNK_SIZE > view.byteLength) return null;
        const size = view.getUint32(start, true);
        if (view.getUint32(start + 4, true) !== kind) return null;
        if (start + CHUNK_SIZE + size > view.byteLength) this.damaged("a chunk goes beyond it");
        return new DataView(view.buffer, start + CHUNK_SIZE, size);
    }

    private parse(text: DataView): Json {
        let json: unknown;
        try {
            json = JSON.parse(new TextDecoder().decode(text));
        } catch {
            this.damaged("its JSON cannot be read");
        }
        if (!isObject(json)) this.damaged("its JSON is not an object");
        return json;
    }

    /** A list of objects; empty where there is none. */
    list(parent: Json, key: string): Json[] {
        const value = parent[key] ?? [];
        if (!Array.isArray(value) || !value.every(isObject)) this.damaged(`"${key}" is no list`);
        return value;
    }

    object(parent: Json, key: string): Json {
        const value = parent[key];
        if (!isObject(value)) this.damaged(`"${key}" is missing`);
        return value;
    }

    /** A whole number from 0; `missing` where it is left out. */
    count(parent: Json, key: string, missing?: number): number {
        const value = parent[key] ?? missing;
        if (!Number.isSafeInteger(value) || (value as number) < 0)
            this.damaged(`"${key}" is not a whole number`);
        return value as number;
    }

    /** So many numbers; null where they are left out. */
    numbers(parent: Json, key: string, count: number): number[] | null {
        const value = parent[key];
        if (value === undefined) return null;
        const good = (x: unknown) => typeof x === "number" && Math.abs(x) <= LARGEST;
        if (!Array.isArray(value) || value.length !== count || !value.every(good))
            this.damaged(`"${key}" is not ${count} numbers`);
        return value as number[];
    }

    /** The object of the list `key` of the whole file that has this number. */
    entry(key: string, index: number): Json {
        const all = this.json[key];
        const value: unknown = Array.isArray(all) ? all[index] : undefined;
        if (!isObject(value)) this.damaged(`there is no ${index} in "${key}"`);
        return value;
    }

    /** The bytes of a buffer view, and how far apart its elements are: 0 if side by side. */
    private viewOf(accessor: Json): [DataView, number] {
        if (accessor.sparse !== undefined) this.fail("has sparse accessors, which are not read");
        const view = this.entry("bufferViews", this.count(accessor, "bufferView"));
        const buffer = this.count(view, "buffer");
        if (buffer !== 0 || this.entry("buffers", 0).uri !== undefined)
            this.fail("keeps data in other files, which are not read");
        const start = this.count(view, "byteOffset", 0);
        const length = this.count(view, "byteLength");
        if (start + length > this.data.byteLength) this.damaged("its data are too short");
        const bytes = new DataView(this.data.buffer, this.data.byteOffset + start, length);
        return [bytes, this.count(view, "byteStride", 0)];
    }

    /** Where the elements of an accessor lie, each of `size` bytes. */
    private elements(accessor: Json, size: number): { view: DataView; stride: number } {
        const [view, given] = this.viewOf(accessor);
        const start = this.count(accessor, "byteOffset", 0);
        const count = this.count(accessor, "count");
        const stride = given || size;
        const length = (count - 1) * stride + size;
        if (count === 0 || stride < size || start + length > view.byteLength)
            this.damaged("an accessor does not fit its data");
        this.budget -= count * size;
        if (this.budget < 0) this.damaged("too many accessors share their data");
        return { view: new DataView(view.buffer, view.byteOffset + start, length), stride };
    }

    /** The bytes of a picture; null where they are not in the file. */
    readPicture(index: number): Uint8Array<ArrayBuffer> | null {
        const texture = this.entry("textures", index);
        if (texture.source === undefined) return null;
        const image = this.entry("images", this.count(texture, "source"));
        if (image.bufferView === undefined) return null;
        const [view] = this.viewOf(image);
        const { buffer, byteOffset, byteLength } = view;
        return new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    }

    /** All numbers of an accessor. They stay in the file's bytes where they can. */
    readFloats(index: number, type: string): Float32Array {
        const known = this.floats.get(index);
        const accessor = this.entry("accessors", index);
        if (accessor.type !== type) this.damaged(`accessor ${index} is not of type ${type}`);
        if (known) return known;
        if (accessor.componentType !== TYPE_FLOAT)
            this.fail("has positions, normals or weights that are not floats, which are not read");
        const parts = type === "SCALAR" ? 1 : Number(type[3]);
        const { view, stride } = this.elements(accessor, 4 * parts);
        const total = this.count(accessor, "count") * parts;
        let values: Float32Array;
        if (stride === 4 * parts && view.byteOffset % 4 === 0) {
            values = new Float32Array(view.buffer, view.byteOffset, total);
        } else {
            const at = (i: number) => Math.floor(i / parts) * stride + 4 * (i % parts);
            values = Float32Array.from({ length: total }, (_, i) => view.getFloat32(at(i), true));
        }
        if (findWild(values) >= 0) this.damaged(`accessor ${index} holds impossible numbers`);
        this.floats.set(index, values);
        return values;
    }

    readIndices(index: number): Uint32Array {
        const accessor = this.entry("accessors", index);
        const size = INDEX_SIZES[accessor.componentType as number];
        if (accessor.type !== "SCALAR" || !size) this.damaged(`accessor ${index} has no indices`);
        const { view, stride } = this.elements(accessor, size);
        const indices = new Uint32Array(this.count(accessor, "count"));
        for (let i = 0, at = 0; i < indices.length; i++, at += stride) {
            if (size === 1) indices[i] = view.getUint8(at);
            else if (size === 2) indices[i] = view.getUint16(at, true);
            else indices[i] = view.getUint32(at, true);
        }
        return indices;
    }
}

// ---------------------------------------------------------------------------------------------
// The mesh

function readAttribute(
    file: GlbFile,
    attributes: Json,
    key: string,
    type: string,
    count: number,
): Float32Array | null {
    if (attributes[key] === undefined) return null;
    const values = file.readFloats(file.count(attributes, key), type);
    const expected = count * (type === "SCALAR" ? 1 : Number(type[3]));
    if (values.length !== expected) file.damaged(`"${key}" is not there for every vertex`);
    return values;
}

function readSources(file: GlbFile, attributes: Json, count: number): Float32Array | null {
    if (!isOurs(file)) return null;
    const sources = readAttribute(file, attributes, "_VERTEX", "SCALAR", count);
    const own = sources?.findIndex((source, i) => source !== i) ?? -1;
    const wrong = (source: number, i: number) =>
        i >= own && !(Number.isInteger(source) && source >= 0 && source < own);
    if (own >= 0 && sources?.some(wrong)) file.damaged('"_VERTEX" is not the number of a vertex');
    return sources;
}

function readPart(file: GlbFile, primitive: Json, first: number): Part {
    const attributes = file.object(primitive, "attributes");
    const positions = file.readFloats(file.count(attributes, "POSITION"), "VEC3");
    const count = positions.length / 3;
    const targets = file.list(primitive, "targets").map((target) => ({
        positions: readAttribute(file, target, "POSITION", "VEC3", count),
        normals: readAttribute(file, target, "NORMAL", "VEC3", count),
    }));
    const normals = readAttribute(file, attributes, "NORMAL", "VEC3", count);
    const texture = readAttribute(file, attributes, "TEXCOORD_0", "VEC2", count);
    const sources = readSources(file, attributes, count);
    return { first, count, positions, normals, texture, sources, targets };
}

/** The vertices of a primitive that its triangles or lines join, numbered within the part. */
function readCorners(file: GlbFile, primitive: Json, part: Part): Uint32Array {
    const listed = primitive.indices !== undefined;
    if (!listed) return Uint32Array.from({ length: part.count }, (_, i) => i);
    const corners = file.readIndices(file.count(primitive, "indices"));
    const wrong = corners.find((index) => index >= part.count);
    if (wrong !== undefined) file.damaged(`there is no vertex ${wrong}`);
    return corners;
}

function join(pieces: Uint32Array[]): Uint32Array {
    const all = new Uint32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
        all.set(piece, at);
        at += piece.length;
    }
    return all;
}

/** Texture coordinates of glTF count v downwards from 1. */
function flatShape(parts: Part[], vertexCount: number): Float32Array {
    const uv = new Float32Array(2 * vertexCount);
    for (const { first, count, texture } of parts)
        for (let i = 0; texture && i < count; i++) {
            uv[2 * (first + i)] = texture[2 * i];
            uv[2 * (first + i) + 1] = 1 - texture[2 * i + 1];
        }
    return uv;
}

/** Primitives with the same positions share one part: our triangles and lines do. The vertices are
 *  numbered from `first` on. */
function readMesh(file: GlbFile, mesh: Json, first: number): Mesh {
    const parts = new Map<unknown, Part>();
    const pieces: Record<number, Uint32Array[]> = { [MODE_LINES]: [], [MODE_TRIANGLES]: [] };
    const materials: number[] = [];
    let vertexCount = first;
    for (const primitive of file.list(mesh, "primitives")) {
        const mode = file.count(primitive, "mode", MODE_TRIANGLES);
        if (!pieces[mode]) file.fail(`has primitives that are neither triangles nor lines`);
        const key = file.object(primitive, "attributes").POSITION;
        const part = parts.get(key) ?? readPart(file, primitive, vertexCount);
        if (!parts.has(key)) vertexCount += part.count;
        parts.set(key, part);
        const corners = readCorners(file, primitive, part);
        if (corners.length % (mode === MODE_LINES ? 2 : 3)) file.damaged("a corner is left over");
        pieces[mode].push(corners.map((index) => index + part.first));
        const material = Math.min(file.count(primitive, "material", NO_MATERIAL), NO_MATERIAL);
        const count = mode === MODE_TRIANGLES ? corners.length / 3 : 0;
        for (let t = 0; t < count; t++) materials.push(material);
    }
    if (vertexCount === first) file.fail("holds a mesh without vertices");
    return {
        first,
        vertexCount: vertexCount - first,
        triangles: join(pieces[MODE_TRIANGLES]),
        lines: join(pieces[MODE_LINES]),
        materials: Uint8Array.from(materials),
        parts: [...parts.values()],
    };
}

// ---------------------------------------------------------------------------------------------
// Nodes and their animation

interface Animation {
    node: number;
    sampler: Json;
}

/** The first animation of weights, of any node or of one. */
function findAnimation(file: GlbFile, node?: number): Animation | null {
    for (const animation of file.list(file.json, "animations"))
        for (const channel of file.list(animation, "channels")) {
            const target = file.object(channel, "target");
            if (target.path !== "weights" || target.node === undefined) continue;
            if (node !== undefined && target.node !== node) continue;
            const sampler = file.list(animation, "samplers")[file.count(channel, "sampler")];
            if (!sampler) file.damaged("a sampler is missing");
            return { node: file.count(target, "node"), sampler };
        }
    return null;
}

/** Weights that do not change. */
function stillWeights(file: GlbFile, node: Json, mesh: Json, targets: number): Weights {
    const given = file.numbers(node, "weights", targets) ?? file.numbers(mesh, "weights", targets);
    const values = Float32Array.from(given ?? new Array<number>(targets).fill(0));
    return { times: new Float32Array(1), values, first: 0, stride: targets };
}

function readWeights(file: GlbFile, sampler: Json, targets: number): Weights {
    const times = file.readFloats(file.count(sampler, "input"), "SCALAR").slice();
    const values = file.readFloats(file.count(sampler, "output"), "SCALAR");
    // Splines have every value between two tangents.
    const spline = sampler.interpolation === "CUBICSPLINE";
    const stride = spline ? 3 * targets : targets;
    if (values.length !== times.length * stride)
        file.damaged(`${values.length} weights do not fit ${times.length} keys`);
    const start = times[0];
    for (let i = 0; i < times.length; i++) {
        times[i] -= start;
        if (i > 0 && !(times[i] - times[i - 1] >= SHORTEST_FRAME))
            file.damaged("times of its animation do not increase");
    }
    return { times, values, first: spline ? targets : 0, stride };
}

function localMatrix(file: GlbFile, node: Json): Matrix4 {
    const matrix = file.numbers(node, "matrix", 16);
    if (matrix) return new Matrix4().fromArray(matrix);
    const move = new Vector3(...(file.numbers(node, "translation", 3) ?? [0, 0, 0]));
    const turn = new Quaternion(...(file.numbers(node, "rotation", 4) ?? [0, 0, 0, 1]));
    const scale = new Vector3(...(file.numbers(node, "scale", 3) ?? [1, 1, 1]));
    return new Matrix4().compose(move, turn, scale);
}

/** Where a node is in the world; null if it is where its mesh says, as in our files. */
function worldMatrix(file: GlbFile, index: number): Matrix4 | null {
    const nodes = file.list(file.json, "nodes");
    const parents = new Map<unknown, number>();
    nodes.forEach((node, i) => {
        if (Array.isArray(node.children)) for (const child of node.children) parents.set(child, i);
    });
    const world = new Matrix4();
    let at: number | undefined = index;
    for (let steps = 0; at !== undefined; steps++) {
        if (steps > nodes.length) file.damaged("a node is its own parent");
        world.premultiply(localMatrix(file, nodes[at]));
        at = parents.get(at);
    }
    if (findWild(new Float32Array(world.elements)) >= 0) file.damaged("a node is out of reach");
    return world.equals(new Matrix4()) ? null : world;
}

// ---------------------------------------------------------------------------------------------
// Frames

function addScaled(
    out: Float32Array,
    first: number,
    values: Float32Array | null,
    weight: number,
): void {
    for (let i = 0; values && i < values.length; i++) out[first + i] += weight * values[i];
}

/** One frame: the mesh, and of every target as much as its weight says. */
function addUp(
    { parts, weights }: Piece,
    frame: number,
    positions: Float32Array,
    normals: Float32Array,
): void {
    const row = weights.first + Math.min(frame, weights.times.length - 1) * weights.stride;
    for (const part of parts) {
        positions.set(part.positions, 3 * part.first);
        if (normals.length > 0 && part.normals) normals.set(part.normals, 3 * part.first);
        for (let j = 0; j < part.targets.length; j++) {
            const weight = weights.values[row + j];
            if (weight === 0) continue;
            addScaled(positions, 3 * part.first, part.targets[j].positions, weight);
            if (normals.length > 0)
                addScaled(normals, 3 * part.first, part.targets[j].normals, weight);
        }
    }
}

function transform(values: Float32Array, matrix: Matrix4 | Matrix3): void {
    const vector = new Vector3();
    for (let i = 0; i < values.length; i += 3) {
        vector.fromArray(values, i);
        if (matrix instanceof Matrix4) vector.applyMatrix4(matrix);
        else vector.applyMatrix3(matrix);
        vector.toArray(values, i);
    }
}

/** Mirrored triangles turn round. */
function turnRound(triangles: Uint32Array): void {
    for (let t = 0; t < triangles.length; t += 3)
        [triangles[t], triangles[t + 1]] = [triangles[t + 1], triangles[t]];
}

function makeSource(cloths: Piece[], bodies: Piece[]): FrameSource {
    // Normals of the mesh that no target changes would be those of another shape.
    const hasNormals = cloths.every(({ parts }) =>
        parts.every((part) => part.normals && part.targets.every((target) => target.normals)),
    );
    const none = new Float32Array();
    const read = (frame: number, positions: Float32Array, normals: Float32Array) => {
        for (const piece of bodies) readPiece(piece, frame, positions, none);
        for (const piece of cloths) readPiece(piece, frame, positions, normals);
    };
    return { times: cloths[0].weights.times, hasNormals, read };
}

function readPiece(
    piece: Piece,
    frame: number,
    positions: Float32Array,
    normals: Float32Array,
): void {
    const { first, vertexCount, world } = piece;
    const own = (values: Float32Array) => values.subarray(3 * first, 3 * (first + vertexCount));
    addUp(piece, frame, positions, normals);
    if (!world) return;
    transform(own(positions), world);
    transform(own(normals), new Matrix3().getNormalMatrix(world));
}

// ---------------------------------------------------------------------------------------------
// The file

function readNode(file: GlbFile, index: number, animation: Animation | null, first: number): Piece {
    const node = file.entry("nodes", index);
    const json = file.entry("meshes", file.count(node, "mesh"));
    const mesh = readMesh(file, json, first);
    const targets = mesh.parts[0].targets.length;
    if (mesh.parts.some((part) => part.targets.length !== targets))
        file.damaged("parts of its mesh do not have the same morph targets");
    const weights = animation
        ? readWeights(file, animation.sampler, targets)
        : stillWeights(file, node, json, targets);
    const world = worldMatrix(file, index);
    if (world && world.determinant() < 0) turnRound(mesh.triangles);
    return { ...mesh, weights, world };
}

/** The other nodes whose name `wanted` takes. They move in time with the first, or not at all. */
function readOthers(
    file: GlbFile,
    own: number,
    animation: Animation | null,
    first: number,
    wanted: (name: unknown) => boolean,
): Piece[] {
    const pieces: Piece[] = [];
    file.list(file.json, "nodes").forEach((node, index) => {
        if (index === own || node.mesh === undefined || !wanted(node.name)) return;
        const found = animation && findAnimation(file, index);
        const moves = found?.sampler === animation?.sampler ? found : null;
        const piece = readNode(file, index, moves, first);
        if (piece.triangles.length === 0) return;
        first += piece.vertexCount;
        pieces.push(piece);
    });
    return pieces;
}

function shapeOf(file: GlbFile, cloths: Piece[], bodies: Piece[]): Shape {
    const pieces = [...cloths, ...bodies];
    const { first, vertexCount } = pieces.at(-1)!;
    const all = {
        vertexCount: first + vertexCount,
        triangles: join(pieces.map(({ triangles }) => triangles)),
        lines: join(cloths.map(({ lines }) => lines)),
        uv: flatShape(
            cloths.flatMap(({ parts }) => parts),
            first + vertexCount,
        ),
    };
    return separateBodies(
        withLooks(file, all, pieces),
        bodies.map((body) => body.first),
    );
}

/** Texture coordinates of every corner, turned so that the warp runs along v. */
function placeCorners({ triangles, uv }: Shape, alongV: (triangle: number) => boolean) {
    const places = new Float32Array(2 * triangles.length);
    triangles.forEach((vertex, i) => {
        const [u, v] = [uv[2 * vertex], uv[2 * vertex + 1]];
        places.set(alongV(Math.floor(i / 3)) ? [u, v] : [-v, u], 2 * i);
    });
    return places;
}

/** The pictures that looks of a file print. */
function readPictures(file: GlbFile, materials: Json[], looks: Look[]) {
    return looks.flatMap(({ print }, i) => {
        const surface = materials[i].pbrMetallicRoughness as Json | undefined;
        const texture = surface?.baseColorTexture as Json | undefined;
        if (print.kind !== "picture" || !texture) return [];
        const bytes = file.readPicture(file.count(texture, "index"));
        return bytes ? [{ file: print.file, bytes }] : [];
    });
}

/** What the cloth is made of, where the file has materials. */
function withLooks(file: GlbFile, shape: Shape, pieces: Piece[]): Shape {
    const materials = file.list(file.json, "materials").slice(0, NO_MATERIAL);
    const numbers = pieces.flatMap((piece) => [...piece.materials]);
    if (!numbers.some((number) => number < materials.length)) return shape;
    // those without a material come last
    const triangleLooks = Uint8Array.from(numbers, (n) => Math.min(n, materials.length));
    const looks = materials.map(readLook);
    const alongV = materials.map(warpRunsAlongV);
    return {
        ...shape,
        cornerUv: placeCorners(shape, (t) => alongV[triangleLooks[t]] ?? false),
        triangleLooks,
        looks: [...looks, { ...DEFAULT_LOOK }],
        pictures: readPictures(file, materials, looks),
    };
}

/** Without the copies of vertices that have several texture coordinates. */
function joinCopies(shape: Shape, pieces: Piece[]): Shape {
    const numbers = Uint32Array.from({ length: shape.vertexCount }, (_, i) => i);
    let count = 0;
    const kept: number[] = [];
    for (const { first, count: length, sources } of pieces.flatMap(({ parts }) => parts))
        for (let i = first; i < first + length; i++) {
            const source = sources ? first + sources[i - first] : i;
            if (source === i) kept.push(i);
            numbers[i] = source === i ? count++ : numbers[source];
        }
    if (count === shape.vertexCount) return shape;
    const { uv } = shape;
    return {
        ...shape,
        vertexCount: count,
        triangles: shape.triangles.map((vertex) => numbers[vertex]),
        lines: shape.lines.map((vertex) => numbers[vertex]),
        uv: Float32Array.from({ length: 2 * count }, (_, i) => uv[2 * kept[i >> 1] + (i & 1)]),
        cornerUv:
            shape.cornerUv ??
            Float32Array.from(
                { length: 2 * shape.triangles.length },
                (_, i) => uv[2 * shape.triangles[i >> 1] + (i & 1)],
            ),
    };
}

function readPieces(file: GlbFile): [Piece[], Piece[]] {
    const needed = file.json.extensionsRequired;
    if (Array.isArray(needed) && needed.length > 0)
        file.fail(`needs the extension ${String(needed[0]).slice(0, 40)}, which is not read`);
    const nodes = file.list(file.json, "nodes");
    const animation = findAnimation(file);
    const index = animation?.node ?? nodes.findIndex((node) => node.mesh !== undefined);
    if (index < 0) file.fail("holds no mesh");
    const own = readNode(file, index, animation, 0);
    const isCloth = (node: unknown) => isOurs(file) && !isBody(node);
    const cloths = [own, ...readOthers(file, index, animation, own.vertexCount, isCloth)];
    const { first, vertexCount } = cloths.at(-1)!;
    return [cloths, readOthers(file, index, animation, first + vertexCount, isBody)];
}

/** The clip keeps `bytes`. */
export function readGlb(bytes: ArrayBuffer, name: string): Clip {
    const file = new GlbFile(bytes, name);
    const [cloths, bodies] = readPieces(file);
    return new Clip(name, shapeOf(file, cloths, bodies), makeSource(cloths, bodies));
}

/** The mesh with the vertices that were simulated, for a point cache. */
export function readGlbShape(bytes: ArrayBuffer, name: string): Shape {
    const file = new GlbFile(bytes, name);
    const [cloths, bodies] = readPieces(file);
    const shape = shapeOf(file, cloths, bodies);
    return joinCopies(shape, shape.bodies ? cloths : [...cloths, ...bodies]);
}
