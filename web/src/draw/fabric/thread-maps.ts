// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Textures of weaves, made when first asked for and shared by all cloths. A texel holds what the
// shader needs in one read: the slopes of the surface along u and v (red, green), its light (blue)
// and whether the warp lies on top (alpha). All of them may be averaged, so that mipmaps turn a
// distant weave into plain cloth. Slopes that are averaged away are part of its roughness then; those
// that are seen are not.

import * as THREE from "three";
import type { Weave } from "../../look";
import { power } from "../light/power";
import { chance, layFibres, makeRelief, smoothChance, THREADS, type Relief } from "./weaves";

/** Slope that a texture can hold. */
export const STEEPEST = 2;
/** Mip levels whose slopes are known. */
export const LEVELS = 10;

const UNEVEN = 256; // texels along a side of the map of what is uneven, as it is tuned

export interface ThreadMap {
    texture: THREE.DataTexture;
    size: number;
    /** Mean square of the slopes that each mip level has, along u and v together. */
    kept: Float32Array;
}

function byte(x: number): number {
    return Math.round(255 * Math.min(Math.max(x, 0), 1));
}

/** The slopes of a relief that repeats, two numbers per sample. */
export function findSlopes({ size, heights }: Relief): Float32Array {
    const slopes = new Float32Array(2 * size * size);
    const factor = size / THREADS / 2;
    const limit = (slope: number) => Math.min(Math.max(slope, -STEEPEST), STEEPEST);
    for (let y = 0, i = 0; y < size; y++)
        for (let x = 0; x < size; x++, i++) {
            const row = y * size;
            const below = ((y + size - 1) % size) * size,
                above = ((y + 1) % size) * size;
            const left = heights[row + ((x + size - 1) % size)]!,
                right = heights[row + ((x + 1) % size)]!;
            slopes[2 * i] = limit(factor * (right - left));
            slopes[2 * i + 1] = limit(factor * (heights[above + x]! - heights[below + x]!));
        }
    return slopes;
}

// Means of 2 x 2 samples of two numbers.
function halve(slopes: Float32Array, size: number): Float32Array {
    const half = size / 2;
    const means = new Float32Array(2 * half * half);
    for (let y = 0; y < half; y++)
        for (let x = 0; x < half; x++)
            for (let k = 0; k < 2; k++) {
                const at = (dx: number, dy: number) =>
                    slopes[2 * ((2 * y + dy) * size + 2 * x + dx) + k]!;
                means[2 * (y * half + x) + k] = (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4;
            }
    return means;
}

function meanSquare(slopes: Float32Array): number {
    return (2 * slopes.reduce((sum, slope) => sum + slope * slope, 0)) / slopes.length;
}

/** Mean square of slopes along u and v, after each halving. */
export function findKept(slopes: Float32Array, size: number): Float32Array {
    const kept = new Float32Array(LEVELS);
    for (let level = 0; level < LEVELS; level++) {
        kept[level] = meanSquare(slopes);
        if (size > 1) slopes = halve(slopes, size);
        size = Math.max(1, size / 2);
    }
    return kept;
}

/** Four bytes per texel. */
export function makeTexels(relief: Relief, slopes: Float32Array): Uint8Array<ArrayBuffer> {
    const { size, lights, warps } = relief;
    const texels = new Uint8Array(4 * size * size);
    for (let i = 0; i < size * size; i++) {
        texels[4 * i] = byte(0.5 + slopes[2 * i]! / (2 * STEEPEST));
        texels[4 * i + 1] = byte(0.5 + slopes[2 * i + 1]! / (2 * STEEPEST));
        texels[4 * i + 2] = byte(lights[i]! / 2);
        texels[4 * i + 3] = byte(warps[i]!);
    }
    return texels;
}

function makeTexture(texels: Uint8Array<ArrayBuffer>, size: number): THREE.DataTexture {
    const texture = new THREE.DataTexture(texels, size, size, THREE.RGBAFormat);
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    texture.magFilter = THREE.LinearFilter;
    texture.minFilter = THREE.LinearMipmapLinearFilter;
    texture.generateMipmaps = true;
    texture.needsUpdate = true;
    return texture;
}

const maps = new Map<Weave, ThreadMap>();

export function threadMap(weave: Weave): ThreadMap {
    const known = maps.get(weave);
    if (known) return known;
    const size = power().threadTexels;
    const relief = makeRelief(weave, size);
    const slopes = findSlopes(relief);
    const texture = makeTexture(makeTexels(relief, slopes), size);
    texture.anisotropy = power().slantTaps;
    const map = { texture, size, kept: findKept(slopes, size) };
    maps.set(weave, map);
    return map;
}

// Streaks along x, a row for each thread: thick and thin places of yarn. On average 0.5.
function streak(x: number, y: number, size: number): number {
    const long = smoothChance((6 * x) / size, 6, 3 * y + 1);
    const short = smoothChance((24 * x) / size, 24, 3 * y + 2);
    const wide = smoothChance((20 * y) / size, 20, 77);
    return 0.45 * long + 0.3 * short + 0.25 * wide;
}

function cloud(x: number, y: number, size: number): number {
    let sum = 0;
    for (const [cells, weight] of [
        [4, 0.4],
        [9, 0.3],
        [21, 0.2],
        [50, 0.1],
    ] as const) {
        const at = (cells * y) / size;
        const row = Math.floor(at);
        const t = at - row;
        const smooth = t * t * (3 - 2 * t);
        const here = smoothChance((cells * x) / size, cells, 900 + cells + (row % cells));
        const next = smoothChance((cells * x) / size, cells, 900 + cells + ((row + 1) % cells));
        sum += weight * (here * (1 - smooth) + next * smooth);
    }
    return sum;
}

/** Streaks along u and along v, clouds, and loose fibres: red, green, blue and alpha. */
export function makeUneven(size = UNEVEN): Uint8Array<ArrayBuffer> {
    const fine = size / UNEVEN;
    const fibres = layFibres(size, 900 * fine, 26 * fine);
    const texels = new Uint8Array(4 * size * size);
    for (let y = 0, i = 0; y < size; y++)
        for (let x = 0; x < size; x++, i++) {
            const loose = fibres[i]! > 0 ? 0.35 + 0.65 * fibres[i]! : 0.2 * chance(x, y);
            texels[4 * i] = byte(streak(x, y, size));
            texels[4 * i + 1] = byte(streak(y, x, size));
            texels[4 * i + 2] = byte(cloud(x, y, size));
            texels[4 * i + 3] = byte(loose);
        }
    return texels;
}

let uneven: THREE.DataTexture | null = null;

/** The one map of what is uneven that all weaves share. */
export function unevenMap(): THREE.DataTexture {
    if (uneven) return uneven;
    const size = power().threadTexels / 2;
    uneven = makeTexture(makeUneven(size), size);
    return uneven;
}
