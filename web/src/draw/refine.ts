// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Meshes drawn with more triangles than they have, so that outlines are round. Every edge gets a
// vertex in its middle, once or twice over, on a curve that is square to the normals at both ends
// (PN triangles, Vlachos and others 2001; at the middle of an edge they come to one line):
//
//     (a + b)/2 - (s n_a + t n_b)/8        s = (b - a).n_a, t = (a - b).n_b
//
// Rims, of cloth and where bodies have creases, are curves of their own through four vertices in a
// row, (9 (a + b) - before - after)/16, and stay as they are at corners. Vertices that there are keep
// their numbers; new ones stand behind all of them, and each triangle's four parts where it stood.
//
// Cloth lies as close to the triangles of a body as it is thick, and what bulges beyond them would come
// through it. So bodies are drawn within: every vertex goes inwards by as much as the curves at it
// bulge, and new ones by the mean of what their ends do. The outline stays as round, and where curves
// bulge inwards, nothing is to be done.
//
//     b_____            b = bulge of the curve over the edge
//    /  |  \            o goes inwards by b, too; then the curve touches the edge
//   o---+---o
//
// What has no inside, as a funnel, may be touched from both sides, and stays as it is.

import * as THREE from "three";

/** Of the length of an edge: how steeply it leaves its ends at most, and how far a rim is bent. */
const STEEP = 0.35;
const BENT = 0.2;
/** Cosine between the normal of a triangle and the mean at its corner: where they differ by more, the
 *  curve may stand out. */
const SHARPEST = 0.3;

export interface Coarse {
    triangles: Uint32Array;
    count: number;
    /** Per vertex, the first one of those at the same place. */
    same: Uint32Array;
    /** Whether edges are creases where the vertices on both sides are not the same. */
    creased: boolean;
    /** Not 0 where a rim has a corner; by vertices that are the first ones of their places. */
    corners: Uint8Array;
    /** Of bodies: not 0 for vertices of those that have an inside. Only these are round. */
    solid?: Uint8Array;
}

const CORNER = THREE.MathUtils.degToRad(50); // so much a rim turns at one, or more

/** Corners of cloth, as it lies flat: two numbers per vertex. Without a flat shape there are none. */
export function flatCorners({ triangles, same }: Coarse, uv: Float32Array) {
    const angles = new Float64Array(same.length);
    const at = (vertex: number) => new THREE.Vector2().fromArray(uv, 2 * vertex);
    for (let i = 0; i < triangles.length; i++) {
        const own = triangles[i]!,
            next = triangles[nextInTriangle(i)]!,
            before = triangles[nextInTriangle(nextInTriangle(i))]!;
        const a = at(next).sub(at(own)),
            b = at(before).sub(at(own));
        angles[same[own]!]! += Math.abs(Math.atan2(a.cross(b), a.dot(b)));
    }
    return Uint8Array.from(angles, (sum) => (Math.abs(sum - Math.PI) > CORNER ? 1 : 0));
}

/** Corners of bodies: rims turn sharply there, three numbers per vertex. */
export function solidCorners(mesh: Coarse, places: Float32Array) {
    const at = (vertex: number) => new THREE.Vector3().fromArray(places, 3 * vertex);
    const corners = new Uint8Array(mesh.count);
    for (const [vertex, others] of rimsAround(new Splitter(mesh).sharp())) {
        if (others.length !== 2) continue;
        const into = at(vertex).sub(at(others[0]!)),
            onwards = at(others[1]!).sub(at(vertex));
        if (into.angleTo(onwards) > CORNER) corners[vertex] = 1;
    }
    return corners;
}

interface Level {
    /** Of the first new vertex. */
    first: number;
    /** Two per new vertex. */
    ends: Uint32Array;
    /** Five per new vertex on a rim: itself, the ends, those before and after, -1 for none. */
    rims: Int32Array;
    /** Of the mesh that there was: its triangles, the new vertex on each of their sides, and per vertex
     *  the first one of those at the same place. */
    triangles: Uint32Array;
    middles: Uint32Array;
    same: Uint32Array;
    solid?: Uint8Array;
}

/** An edge by places: both sides of a seam or a crease are one. */
interface Side {
    a: number;
    b: number;
    faces: number;
    /** The new vertices on it. */
    middles: number[];
}

function nextInTriangle(corner: number): number {
    return corner % 3 === 2 ? corner - 2 : corner + 1;
}

/** Of each vertex on them, where they lead. */
function rimsAround(sides: Side[]): Map<number, number[]> {
    const around = new Map<number, number[]>();
    const add = (from: number, to: number) => {
        const others = around.get(from) ?? [];
        if (others.push(to) === 1) around.set(from, others);
    };
    for (const { a, b } of sides) {
        add(a, b);
        add(b, a);
    }
    return around;
}

class Splitter {
    readonly ends: number[] = [];
    /** Of each side of each triangle, from its corner to the next one. */
    readonly middles: Uint32Array;
    readonly sides = new Map<number, Side>();

    constructor(private readonly mesh: Coarse) {
        const { triangles, count } = mesh;
        const known = new Map<number, number>();
        this.middles = new Uint32Array(triangles.length);
        for (let i = 0; i < triangles.length; i++) {
            const a = triangles[i]!,
                b = triangles[nextInTriangle(i)]!;
            const key = Math.min(a, b) * count + Math.max(a, b);
            let middle = known.get(key);
            if (middle === undefined) {
                middle = count + this.ends.length / 2;
                this.ends.push(a, b);
                known.set(key, middle);
            }
            this.middles[i] = middle;
            this.join(a, b, middle);
        }
    }

    private join(from: number, to: number, middle: number): void {
        const { same, count } = this.mesh;
        const a = Math.min(same[from]!, same[to]!),
            b = Math.max(same[from]!, same[to]!);
        const key = a * count + b;
        const side = this.sides.get(key) ?? { a, b, faces: 0, middles: [] };
        this.sides.set(key, side);
        side.faces++;
        if (!side.middles.includes(middle)) side.middles.push(middle);
    }

    /** Edges of rims and creases. */
    sharp(): Side[] {
        return [...this.sides.values()].filter(
            ({ faces, middles }) => faces === 1 || (this.mesh.creased && middles.length > 1),
        );
    }

    rims(): Int32Array {
        const sharp = this.sharp();
        const around = rimsAround(sharp);
        const beyond = (at: number, from: number) => {
            const others = around.get(at)!;
            if (others.length !== 2 || this.mesh.corners[at]) return -1;
            return others[0] === from ? others[1]! : others[0]!;
        };
        return Int32Array.from(
            sharp.flatMap(({ a, b, middles }) =>
                middles.flatMap((middle) => [middle, a, b, beyond(a, b), beyond(b, a)]),
            ),
        );
    }

    private solidAfter(solid: Uint8Array): Uint8Array {
        const between = this.ends.filter((_, i) => i % 2 === 0).map((end) => solid[end]!);
        return Uint8Array.from([...solid, ...between]);
    }

    /** The mesh with all edges in two. */
    result(): Coarse {
        const { triangles, count, same, creased, corners, solid } = this.mesh;
        const parts = new Uint32Array(4 * triangles.length);
        for (let i = 0; i < triangles.length; i += 3) {
            const [a, b, c] = triangles.subarray(i, i + 3);
            const [ab, bc, ca] = this.middles.subarray(i, i + 3);
            parts.set([a!, ab!, ca!, ab!, b!, bc!, ca!, bc!, c!, ab!, bc!, ca!], 4 * i);
        }
        const all = count + this.ends.length / 2;
        const places = new Uint32Array(all),
            kept = new Uint8Array(all);
        places.set(same);
        kept.set(corners);
        for (const { middles } of this.sides.values())
            for (const middle of middles) places[middle] = middles[0]!;
        const result = { triangles: parts, count: all, same: places, creased, corners: kept };
        return solid ? { ...result, solid: this.solidAfter(solid) } : result;
    }
}

export class Refinement {
    readonly triangles: Uint32Array;
    /** Of all vertices, old and new. */
    readonly count: number;
    private readonly levels: Level[] = [];

    /** `times`: how often edges are halved; 0 leaves the mesh as it is. */
    constructor(mesh: Coarse, times: number) {
        for (let i = 0; i < times; i++) {
            const splitter = new Splitter(mesh);
            const ends = Uint32Array.from(splitter.ends);
            const { count: first, triangles, same, solid } = mesh;
            const { middles } = splitter;
            const rims = splitter.rims();
            this.levels.push({ first, ends, rims, triangles, middles, same, solid });
            mesh = splitter.result();
        }
        this.triangles = mesh.triangles;
        this.count = mesh.count;
    }

    /** Of edges of the mesh as it was, the vertices along them, from end to end. */
    chains(edges: number[][]): number[][] {
        const key = (a: number, b: number) => Math.min(a, b) * this.count + Math.max(a, b);
        for (const { first, ends } of this.levels) {
            const middles = new Map<number, number>();
            for (let i = 0; i < ends.length; i += 2)
                middles.set(key(ends[i]!, ends[i + 1]!), first + i / 2);
            edges = edges.map((chain) =>
                chain.flatMap((v, i) => (i === 0 ? [v] : [middles.get(key(chain[i - 1]!, v))!, v])),
            );
        }
        return edges;
    }

    /** New vertices of numbers that are mixed evenly, `width` per vertex. */
    mix(numbers: Float32Array, width: number): void {
        for (const { first, ends } of this.levels)
            for (let i = 0, to = width * first; i < ends.length; i += 2) {
                const a = width * ends[i]!,
                    b = width * ends[i + 1]!;
                for (let k = 0; k < width; k++)
                    numbers[to++] = (numbers[a + k]! + numbers[b + k]!) / 2;
            }
    }

    /** New vertices on the curved surface, with normals between those at hand, which have length 1; of
     *  bodies, no farther out than the triangles that there were. */
    round(x: Float32Array, n: Float32Array): void {
        for (const level of this.levels) {
            roundEdges(level, x, n);
            roundRims(level.rims, x);
            if (!level.solid) continue;
            straighten(level, level.solid, x);
            sink(level, x, n);
        }
    }
}

function roundEdges({ first, ends }: Level, x: Float32Array, n: Float32Array): void {
    for (let i = 0, to = 3 * first; i < ends.length; i += 2, to += 3) {
        const a = 3 * ends[i]!,
            b = 3 * ends[i + 1]!;
        const ex = x[b]! - x[a]!,
            ey = x[b + 1]! - x[a + 1]!,
            ez = x[b + 2]! - x[a + 2]!;
        const square = ex * ex + ey * ey + ez * ez,
            most = STEEP * Math.sqrt(square);
        const s = ex * n[a]! + ey * n[a + 1]! + ez * n[a + 2]!,
            t = -(ex * n[b]! + ey * n[b + 1]! + ez * n[b + 2]!);
        const atA = (s > most ? most : s < -most ? -most : s) / 8,
            atB = (t > most ? most : t < -most ? -most : t) / 8;
        // mixed evenly: what light shows of folds does not change, where the outline does
        const nx = n[a]! + n[b]!,
            ny = n[a + 1]! + n[b + 1]!,
            nz = n[a + 2]! + n[b + 2]!;
        const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
        const scale = length > 0 ? 1 / length : 0;
        x[to] = (x[a]! + x[b]!) / 2 - atA * n[a]! - atB * n[b]!;
        x[to + 1] = (x[a + 1]! + x[b + 1]!) / 2 - atA * n[a + 1]! - atB * n[b + 1]!;
        x[to + 2] = (x[a + 2]! + x[b + 2]!) / 2 - atA * n[a + 2]! - atB * n[b + 2]!;
        n[to] = scale * nx;
        n[to + 1] = scale * ny;
        n[to + 2] = scale * nz;
    }
}

function roundRims(rims: Int32Array, x: Float32Array): void {
    const bend = [0, 0, 0];
    for (let i = 0; i < rims.length; i += 5) {
        const to = 3 * rims[i]!,
            a = 3 * rims[i + 1]!,
            b = 3 * rims[i + 2]!;
        const before = 3 * rims[i + 3]!,
            after = 3 * rims[i + 4]!;
        let length = 0,
            bent = 0;
        for (let k = 0; k < 3; k++) {
            const p = x[a + k]!,
                q = x[b + k]!;
            // straight on beyond a corner
            const o = before < 0 ? 2 * p - q : x[before + k]!,
                r = after < 0 ? 2 * q - p : x[after + k]!;
            bend[k] = (p + q - o - r) / 16;
            length += (q - p) ** 2;
            bent += bend[k]! ** 2;
        }
        const most = BENT * BENT * length;
        const part = bent > most ? Math.sqrt(most / bent) : 1;
        for (let k = 0; k < 3; k++) x[to + k] = (x[a + k]! + x[b + k]!) / 2 + part * bend[k]!;
    }
}

function straighten({ first, ends }: Level, solid: Uint8Array, x: Float32Array): void {
    for (let i = 0, to = 3 * first; i < ends.length; i += 2, to += 3) {
        if (solid[ends[i]!]) continue;
        const a = 3 * ends[i]!,
            b = 3 * ends[i + 1]!;
        for (let k = 0; k < 3; k++) x[to + k] = (x[a + k]! + x[b + k]!) / 2;
    }
}

/** Of each place, the mean of the normals of the vertices there, of length 1. */
function meanNormals(same: Uint32Array, n: Float32Array): Float32Array {
    const mean = new Float32Array(3 * same.length);
    for (let v = 0; v < same.length; v++)
        for (let k = 0; k < 3; k++) mean[3 * same[v]! + k]! += n[3 * v + k]!;
    for (let v = 0; v < same.length; v++) {
        if (same[v] !== v) continue;
        const i = 3 * v;
        const length = Math.hypot(mean[i]!, mean[i + 1]!, mean[i + 2]!);
        const scale = length > 0 ? 1 / length : 0;
        for (let k = 0; k < 3; k++) mean[i + k]! *= scale;
    }
    return mean;
}

/** How far each place goes against its mean normal, so that no curve that ends there stands out of the
 *  triangles that it bounds. */
function depths({ triangles, middles, same }: Level, x: Float32Array, mean: Float32Array) {
    const depth = new Float32Array(same.length);
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
        // the normal, of any length: it drops out below
        const nx = uy * vz - uz * vy,
            ny = uz * vx - ux * vz,
            nz = ux * vy - uy * vx;
        const least = SHARPEST * Math.sqrt(nx * nx + ny * ny + nz * nz);
        for (let side = i; side < i + 3; side++) {
            const m = 3 * middles[side]!;
            const bulge =
                (x[m]! - x[a]!) * nx + (x[m + 1]! - x[a + 1]!) * ny + (x[m + 2]! - x[a + 2]!) * nz;
            if (!(bulge > 0)) continue;
            for (const end of [side, nextInTriangle(side)]) {
                const place = same[triangles[end]!]!,
                    to = 3 * place;
                const towards = mean[to]! * nx + mean[to + 1]! * ny + mean[to + 2]! * nz;
                depth[place] = Math.max(depth[place]!, bulge / Math.max(towards, least));
            }
        }
    }
    return depth;
}

function sink(level: Level, x: Float32Array, n: Float32Array): void {
    const { first, ends, same } = level;
    const inwards = meanNormals(same, n);
    const depth = depths(level, x, inwards);
    for (let v = 0; v < same.length; v++)
        for (let k = 0; k < 3; k++) inwards[3 * v + k]! *= -depth[v]!;
    for (let i = 0, to = 3 * first; i < ends.length; i += 2, to += 3) {
        const a = 3 * same[ends[i]!]!,
            b = 3 * same[ends[i + 1]!]!;
        for (let k = 0; k < 3; k++) x[to + k]! += (inwards[a + k]! + inwards[b + k]!) / 2;
    }
    for (let v = 0; v < same.length; v++)
        for (let k = 0; k < 3; k++) x[3 * v + k]! += inwards[3 * same[v]! + k]!;
}

/** How often edges may be halved, up to `most`, for so many triangles at most. */
export function timesFor(triangleCount: number, triangles: number, most: number): number {
    let times = 0;
    while (times < most && triangleCount * 4 ** (times + 1) <= triangles) times++;
    return times;
}
