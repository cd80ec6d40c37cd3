// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Motion that was simulated elsewhere: positions at certain moments, straight in between.

import { bodyVertexCount, findEdges, type Frame, type Shape } from "../shape";

/** Where frames come from. They stay in the file's bytes until they are asked for. */
export interface FrameSource {
    /** Seconds from the first frame, one number per frame, increasing. */
    times: Float32Array;
    /** Whether `read` gives normals. */
    hasNormals: boolean;
    /** Positions of the cloth, then of the bodies, and, where there are any, normals of the cloth.
     *  Normals may have any length. */
    read(frame: number, positions: Float32Array, normals: Float32Array): void;
}

/** Edges and how long they are at rest; 0 where that is unknown. */
interface Edges {
    ends: Uint32Array;
    rest: Float32Array;
}

interface Slot {
    frame: number;
    /** Of all, and the two parts of it. */
    all: Float32Array;
    positions: Float32Array;
    bodies: Float32Array;
    normals: Float32Array;
}

export class Clip {
    readonly shape: Shape;
    /** Of the file. */
    readonly name: string;
    readonly frameCount: number;
    readonly times: Float32Array;
    /** Seconds. */
    readonly duration: number;

    private readonly source: FrameSource;
    // Frame i is kept in slot i % 2, so that the frames around a moment are never in one slot.
    private readonly slots: [Slot, Slot];
    private edges: Edges | null = null;
    private mixed: Float32Array | null = null;

    constructor(name: string, shape: Shape, source: FrameSource) {
        this.name = name;
        this.shape = shape;
        this.source = source;
        this.times = source.times;
        this.frameCount = source.times.length;
        this.duration = source.times[this.frameCount - 1];
        this.slots = [makeSlot(shape, source), makeSlot(shape, source)];
    }

    /** The last frame at or before `time`; the first one where there is none. */
    frameAt(time: number): number {
        let low = 0;
        let high = this.frameCount;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (this.times[middle] <= time) low = middle;
            else high = middle;
        }
        return low;
    }

    /** What there is to see at `time`; before the first frame and after the last one, these. */
    sample(time: number, frame: Frame): void {
        const before = this.segmentAt(time);
        const part = this.partOf(before, time);
        const a = this.load(before);
        const b = this.load(this.after(before));
        frame.time = Math.min(Math.max(time, 0), this.duration);
        mix(a.positions, b.positions, part, frame.positions);
        if (frame.bodies) mix(a.bodies, b.bodies, part, frame.bodies);
        if (this.source.hasNormals) {
            mix(a.normals, b.normals, part, frame.normals);
            makeUnit(frame.normals);
        } else {
            computeNormals(this.shape.triangles, frame.positions, frame.normals);
        }
    }

    /** Metres per second of every vertex. */
    speed(time: number, out: Float32Array): void {
        const before = this.segmentAt(time);
        const after = this.after(before);
        const seconds = this.times[after] - this.times[before];
        const p = this.load(before).positions;
        const q = this.load(after).positions;
        for (let i = 0; i < this.shape.vertexCount; i++)
            out[i] = seconds > 0 ? distance(p, 3 * i, q, 3 * i, 3) / seconds : 0;
    }

    /**
     * Of every vertex the strain, length / rest - 1, of that of its edges which is strained most.
     * Edges are at rest as they lie in the flat shape; where it is missing, as in the first frame.
     */
    stretch(time: number, out: Float32Array): void {
        this.edges ??= restEdges(this.shape, this.load(0).positions);
        this.mixed ??= new Float32Array(3 * this.shape.vertexCount);
        const { edges, mixed } = this;
        const before = this.segmentAt(time);
        const a = this.load(before).positions;
        const b = this.load(this.after(before)).positions;
        mix(a, b, this.partOf(before, time), mixed);
        out.fill(0);
        for (let e = 0; e < edges.rest.length; e++) {
            if (edges.rest[e] === 0) continue;
            const p = edges.ends[2 * e];
            const q = edges.ends[2 * e + 1];
            const strain = distance(mixed, 3 * p, mixed, 3 * q, 3) / edges.rest[e] - 1;
            if (Math.abs(strain) > Math.abs(out[p])) out[p] = strain;
            if (Math.abs(strain) > Math.abs(out[q])) out[q] = strain;
        }
    }

    /** Like frameAt, but never the last frame unless it is the only one. */
    private segmentAt(time: number): number {
        return Math.max(0, Math.min(this.frameAt(time), this.frameCount - 2));
    }

    private after(frame: number): number {
        return Math.min(frame + 1, this.frameCount - 1);
    }

    /** How far `time` is on the way from `before` to the next frame, 0 to 1. */
    private partOf(before: number, time: number): number {
        const length = this.times[this.after(before)] - this.times[before];
        if (!(length > 0)) return 0;
        return Math.min(Math.max((time - this.times[before]) / length, 0), 1);
    }

    private load(frame: number): Slot {
        const slot = this.slots[frame % 2];
        if (slot.frame !== frame) {
            this.source.read(frame, slot.all, slot.normals);
            slot.frame = frame;
        }
        return slot;
    }
}

/** A source of frames that are all in memory, without normals. */
export function framesOf(positions: Float32Array[], times: Float32Array): FrameSource {
    const read = (frame: number, out: Float32Array) => out.set(positions[frame]);
    return { times, hasNormals: false, read };
}

/** Moments of evenly spaced frames. */
export function evenTimes(count: number, seconds: number): Float32Array {
    return Float32Array.from({ length: count }, (_, i) => i * seconds);
}

/** Beyond this many metres or seconds numbers are taken for damage. */
export const LARGEST = 1e6;

/** The first number that is not finite or too large, or -1. */
export function findWild(values: Float32Array): number {
    for (let i = 0; i < values.length; i++) if (!(Math.abs(values[i]) <= LARGEST)) return i;
    return -1;
}

/** Every normal is the mean of those of the triangles around, weighted by their areas. */
export function computeNormals(
    triangles: Uint32Array,
    positions: Float32Array,
    normals: Float32Array,
): void {
    normals.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
        const a = 3 * triangles[t];
        const b = 3 * triangles[t + 1];
        const c = 3 * triangles[t + 2];
        const ux = positions[b] - positions[a];
        const uy = positions[b + 1] - positions[a + 1];
        const uz = positions[b + 2] - positions[a + 2];
        const vx = positions[c] - positions[a];
        const vy = positions[c + 1] - positions[a + 1];
        const vz = positions[c + 2] - positions[a + 2];
        const x = uy * vz - uz * vy;
        const y = uz * vx - ux * vz;
        const z = ux * vy - uy * vx;
        addTo(normals, a, x, y, z);
        addTo(normals, b, x, y, z);
        addTo(normals, c, x, y, z);
    }
    makeUnit(normals);
}

function addTo(values: Float32Array, at: number, x: number, y: number, z: number): void {
    values[at] += x;
    values[at + 1] += y;
    values[at + 2] += z;
}

/** Vertices of ropes have no normal; they get one that points up, as the files of weft do. */
function makeUnit(normals: Float32Array): void {
    for (let i = 0; i < normals.length; i += 3) {
        const x = normals[i];
        const y = normals[i + 1];
        const z = normals[i + 2];
        const length = Math.sqrt(x * x + y * y + z * z);
        const good = length > 1e-12;
        normals[i] = good ? x / length : 0;
        normals[i + 1] = good ? y / length : 1;
        normals[i + 2] = good ? z / length : 0;
    }
}

function makeSlot(shape: Shape, source: FrameSource): Slot {
    const size = 3 * shape.vertexCount;
    const all = new Float32Array(size + 3 * bodyVertexCount(shape));
    const normals = new Float32Array(source.hasNormals ? size : 0);
    return {
        frame: -1,
        all,
        positions: all.subarray(0, size),
        bodies: all.subarray(size),
        normals,
    };
}

function mix(a: Float32Array, b: Float32Array, part: number, out: Float32Array): void {
    for (let i = 0; i < a.length; i++) out[i] = a[i] + part * (b[i] - a[i]);
}

function distance(
    p: Float32Array,
    pAt: number,
    q: Float32Array,
    qAt: number,
    size: number,
): number {
    let sum = 0;
    for (let k = 0; k < size; k++) {
        const difference = p[pAt + k] - q[qAt + k];
        sum += difference * difference;
    }
    return Math.sqrt(sum);
}

/** The flat length of each edge, by a number of its ends, from the triangles it belongs to. */
function cornerLengths({ triangles, cornerUv, vertexCount }: Shape): Map<number, number> | null {
    if (!cornerUv) return null;
    const lengths = new Map<number, number>();
    for (let i = 0; i < triangles.length; i++) {
        const next = i % 3 === 2 ? i - 2 : i + 1;
        const key = edgeKey(triangles[i], triangles[next], vertexCount);
        lengths.set(key, distance(cornerUv, 2 * i, cornerUv, 2 * next, 2));
    }
    return lengths;
}

function edgeKey(a: number, b: number, vertexCount: number): number {
    return Math.min(a, b) * vertexCount + Math.max(a, b);
}

function restEdges(shape: Shape, first: Float32Array): Edges {
    const { triangles, lines, uv, vertexCount } = shape;
    const sides = findEdges(triangles, vertexCount);
    const lengths = cornerLengths(shape);
    const ends = new Uint32Array(sides.length + lines.length);
    ends.set(sides);
    ends.set(lines, sides.length);
    const rest = Float32Array.from({ length: ends.length / 2 }, (_, e) => {
        const [a, b] = [ends[2 * e], ends[2 * e + 1]];
        // Cloths without a flat shape and ropes have all their points at (0, 0).
        const flat = lengths
            ? (lengths.get(edgeKey(a, b, vertexCount)) ?? 0)
            : distance(uv, 2 * a, uv, 2 * b, 2);
        return flat > 0 ? flat : distance(first, 3 * a, first, 3 * b, 3);
    });
    return { ends, rest };
}
