// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A plain weave as a texture: warp threads run along u, weft threads along v, and each goes over
// and under the others in turn. Every texel holds what the shader needs in one read: the two slopes
// of the surface (red, green), its brightness (blue) and which thread lies on top (alpha; 1 for
// warp). All of them may be averaged, so that mipmaps turn a distant weave into plain cloth.

import * as THREE from "three";

/** Threads across the texture, even, so that the weave closes. */
export const WEAVE_THREADS = 64;

const TEXELS = 14; // per thread
const SIZE = WEAVE_THREADS * TEXELS;
const HALF_WIDTH = 0.47; // of a thread, where the distance of threads is 1
const WAVE = 0.11; // how far threads go up and down
const ROUND = 0.16; // how far the middle of a thread rises over its edges
const GAP = -0.12; // height between threads
const STEEPEST = 2; // slope that the texture can hold

interface Sample {
    height: number;
    warp: number;
    light: number;
}

// The same number for the same threads in every visit, 0 to 1.
function chance(i: number, j: number): number {
    const x = Math.sin(i * 127.1 + j * 311.7) * 43758.5453;
    return x - Math.floor(x);
}

// Yarn is spun unevenly: each thread has a tone of its own, and it changes slowly along the thread.
function yarnLight(thread: number, along: number, seed: number): number {
    const step = along / 8;
    const steps = WEAVE_THREADS / 8;
    const i = Math.floor(step);
    const t = step - i;
    const smooth = t * t * (3 - 2 * t);
    const here = chance(thread + seed, i % steps) * (1 - smooth);
    const next = chance(thread + seed, (i + 1) % steps) * smooth;
    return 1 + 0.16 * (chance(thread, seed) - 0.5) + 0.16 * (here + next - 0.5);
}

// Height of a thread at `across` and `along` its crossing, each -0.5 to 0.5; `side` is 1 where it
// lies on top and -1 where it lies below.
function threadHeight(across: number, along: number, side: number): number {
    const part = across / HALF_WIDTH;
    if (Math.abs(part) >= 1) return GAP;
    return side * WAVE * Math.cos(Math.PI * along) + ROUND * Math.sqrt(1 - part * part);
}

// u and v in threads.
function sampleWeave(u: number, v: number): Sample {
    const weft = Math.floor(u),
        warp = Math.floor(v);
    const a = u - weft - 0.5,
        b = v - warp - 0.5;
    const side = (weft + warp) % 2 === 0 ? 1 : -1;
    const warpHeight = threadHeight(b, a, side);
    const weftHeight = threadHeight(a, b, -side);
    const height = Math.max(warpHeight, weftHeight);
    const isWarp = warpHeight > weftHeight;
    const yarn = isWarp ? yarnLight(warp, u, 101) : yarnLight(weft, v, 517);
    // fibres lie aslant around the yarn
    const fibres = Math.sin(2 * Math.PI * (isWarp ? a + 4 * b : b + 4 * a));
    // deep places see less light
    const open = Math.min(Math.max((height - GAP) / (WAVE + ROUND - GAP), 0), 1);
    return { height, warp: isWarp ? 1 : 0, light: yarn * (0.45 + 0.55 * open) + 0.035 * fibres };
}

function sampleAll(): { heights: Float32Array; warps: Uint8Array; lights: Float32Array } {
    const heights = new Float32Array(SIZE * SIZE);
    const warps = new Uint8Array(SIZE * SIZE);
    const lights = new Float32Array(SIZE * SIZE);
    let sum = 0;
    for (let y = 0, i = 0; y < SIZE; y++)
        for (let x = 0; x < SIZE; x++, i++) {
            const s = sampleWeave((x + 0.5) / TEXELS, (y + 0.5) / TEXELS);
            heights[i] = s.height;
            warps[i] = 255 * s.warp;
            lights[i] = s.light;
            sum += s.light;
        }
    // on average 1: woven and smooth cloth of one colour look the same from far away
    const factor = (SIZE * SIZE) / sum;
    for (let i = 0; i < lights.length; i++) lights[i]! *= factor;
    return { heights, warps, lights };
}

function byte(x: number): number {
    return Math.round(255 * Math.min(Math.max(x, 0), 1));
}

function makeTexels(): Uint8Array<ArrayBuffer> {
    const { heights, warps, lights } = sampleAll();
    const texels = new Uint8Array(4 * SIZE * SIZE);
    const slope = (from: number, to: number) =>
        byte(0.5 + ((heights[to]! - heights[from]!) * TEXELS) / 4 / STEEPEST);
    for (let y = 0, i = 0; y < SIZE; y++)
        for (let x = 0; x < SIZE; x++, i++) {
            const row = y * SIZE;
            const below = ((y + SIZE - 1) % SIZE) * SIZE,
                above = ((y + 1) % SIZE) * SIZE;
            texels[4 * i] = slope(row + ((x + SIZE - 1) % SIZE), row + ((x + 1) % SIZE));
            texels[4 * i + 1] = slope(below + x, above + x);
            texels[4 * i + 2] = byte(lights[i]! / 2);
            texels[4 * i + 3] = warps[i]!;
        }
    return texels;
}

let shared: THREE.DataTexture | null = null;

/** The one texture that all woven cloths share; made when first asked for. */
export function weaveTexture(): THREE.DataTexture {
    if (shared) return shared;
    shared = new THREE.DataTexture(makeTexels(), SIZE, SIZE, THREE.RGBAFormat);
    shared.wrapS = shared.wrapT = THREE.RepeatWrapping;
    shared.magFilter = THREE.LinearFilter;
    shared.minFilter = THREE.LinearMipmapLinearFilter;
    shared.generateMipmaps = true;
    shared.anisotropy = 8;
    shared.needsUpdate = true;
    return shared;
}

/** How far apart threads lie in a cloth of this size, a round number of metres: about 160 of them
 * are seen and stay apart on a screen. Real threads would be finer than pixels. */
export function threadDistance(size: number): number {
    if (!(size > 0)) return 0.01;
    const wanted = size / 165;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const steps = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
    return power * steps.find((step) => step * power >= 0.999 * wanted)!;
}

// What a fragment of the shader needs. `vWeave` is the place in the texture.
export const WEAVE_GLSL = /* glsl */ `
    uniform sampler2D weave;
    const float STEEPEST = ${STEEPEST.toFixed(1)};
    const vec3 WARP_TONE = vec3(1.13, 1.08, 1.0);
    const vec3 WEFT_TONE = vec3(0.85, 0.91, 0.98);

    // Slopes of the surface and its tint. Where threads are finer than two pixels they go, lest
    // they beat with the pixels.
    void weaveAt(vec2 place, out vec2 slope, out vec3 tint) {
        vec2 pixel = fwidth(place) * ${WEAVE_THREADS.toFixed(1)};
        float seen = 1.0 - smoothstep(0.35, 0.9, min(pixel.x, pixel.y));
        vec4 texel = texture2D(weave, place);
        slope = seen * STEEPEST * (2.0 * texel.rg - 1.0);
        tint = mix(WEFT_TONE, WARP_TONE, mix(0.5, texel.a, seen)) * 2.0 * texel.b;
    }
`;
