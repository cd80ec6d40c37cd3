// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// PC2, a point cache: a header of 32 bytes, then the positions of every vertex, frame after frame.
//
//      0  "POINTCACHE2\0"
//     12  version, 1
//     16  points per sample
//     20  first frame, float
//     24  frames per sample, float
//     28  samples
//
// The file counts frames and does not say how long they last, so whoever opens it has to. Files of
// `weft run` have 1 / dt frames per second, 60 unless a scene or option says otherwise. The first
// frame is a place on the time line of an animation program and does not count here.

import { Clip, evenTimes, findWild, LARGEST, type FrameSource } from "./clip";
import { bodyVertexCount, type Shape } from "../shape";

const MAGIC = "POINTCACHE2\0";
const HEADER_SIZE = 32;

interface Header {
    points: number;
    framesPerSample: number;
    samples: number;
}

/** How many points a PC2 has per frame. */
export function countPc2Points(bytes: ArrayBuffer, name: string): number {
    return readHeader(bytes, name).points;
}

/** The shape of so many points, which is that of a mesh with its bodies or without; else null. */
export function shapeOfPoints(mesh: Shape, points: number): Shape | null {
    if (points === mesh.vertexCount + bodyVertexCount(mesh)) return mesh;
    return points === mesh.vertexCount ? { ...mesh, bodies: undefined } : null;
}

/** Positions from the cache, triangles and lines from `mesh`. The clip keeps `bytes`. */
export function readPc2(bytes: ArrayBuffer, name: string, mesh: Shape, frameRate = 60): Clip {
    const { points, framesPerSample, samples } = readHeader(bytes, name);
    const shape = shapeOfPoints(mesh, points);
    if (!shape)
        throw new Error(`${name} holds ${points} points, but its mesh has ${mesh.vertexCount}`);
    const seconds = framesPerSample / frameRate;
    if (!(seconds >= 1e-6 && seconds * samples <= LARGEST))
        throw new Error(`${name}: ${framesPerSample} frames per sample make no sense`);
    const values = new Float32Array(bytes, HEADER_SIZE, 3 * points * samples);
    const wild = findWild(values);
    if (wild >= 0) {
        const [frame, point] = [Math.floor(wild / (3 * points)), Math.floor(wild / 3) % points];
        throw new Error(`${name} is damaged: point ${point} of frame ${frame} is ${values[wild]}`);
    }
    return new Clip(name, shape, framesIn(values, 3 * points, evenTimes(samples, seconds)));
}

function framesIn(values: Float32Array, size: number, times: Float32Array): FrameSource {
    const read = (frame: number, positions: Float32Array) =>
        positions.set(values.subarray(frame * size, (frame + 1) * size));
    return { times, hasNormals: false, read };
}

function readHeader(bytes: ArrayBuffer, name: string): Header {
    const start = new Uint8Array(bytes, 0, Math.min(bytes.byteLength, MAGIC.length));
    if (String.fromCharCode(...start) !== MAGIC) throw new Error(`${name} is not a PC2 file`);
    if (bytes.byteLength < HEADER_SIZE) throw new Error(`${name} is cut off within its header`);
    const view = new DataView(bytes);
    const version = view.getInt32(12, true);
    if (version !== 1) throw new Error(`${name} is a PC2 of version ${version}; only 1 is read`);
    const points = view.getInt32(16, true);
    const samples = view.getInt32(28, true);
    if (points < 1) throw new Error(`${name} holds no points`);
    if (samples < 1) throw new Error(`${name} holds no frames`);
    const size = HEADER_SIZE + 12 * points * samples;
    if (bytes.byteLength < size) {
        const found = bytes.byteLength;
        throw new Error(`${name} is cut off: it has ${found} bytes of ${size}`);
    }
    return { points, framesPerSample: view.getFloat32(24, true), samples };
}
