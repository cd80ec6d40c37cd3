// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The surface of each weave at the scale of threads: how high it is, how much light it gets, and
// which thread lies on top. The unit is the distance of threads; warp threads run along u, weft
// threads along v, and a tile has THREADS of each, after which all of it repeats.

import type { Weave } from "../../look";

/** Threads of warp and of weft in a tile: weaves close after 2, 4, 8 and 16. */
export const THREADS = 32;

/** A square of samples; x runs along u, y along v. */
export interface Relief {
    size: number;
    /** In distances of threads. */
    heights: Float32Array;
    /** On average 1. */
    lights: Float32Array;
    /** 1 where a thread of the warp lies on top. */
    warps: Float32Array;
}

// The same number for the same place in every visit, 0 to 1.
export function chance(i: number, j: number): number {
    const x = Math.sin(i * 127.1 + j * 311.7) * 43758.5453;
    return x - Math.floor(x);
}

/** Smooth chance along a line that repeats after `period` whole numbers. */
export function smoothChance(at: number, period: number, seed: number): number {
    const i = Math.floor(at);
    const t = at - i;
    const smooth = t * t * (3 - 2 * t);
    const wrapped = ((i % period) + period) % period;
    return chance(wrapped, seed) * (1 - smooth) + chance((wrapped + 1) % period, seed) * smooth;
}

// -------------------------------------------------------------------------------------------------
// Woven

interface Woven {
    /** Threads after which it begins anew. */
    repeat: number;
    /** Whether the warp lies on top where thread i of the weft crosses thread j of the warp. */
    above: (i: number, j: number) => boolean;
    /** How far threads go up and down. */
    wave: number;
    /** How far the middle of a thread rises over its edges. */
    round: number;
    /** Half the width of threads of warp and weft. */
    warp: number;
    weft: number;
    /** Thicker threads, one or two in so many; 0 for none. */
    grid: number;
}

const GAP = -0.16; // height between threads
const SATIN = 8; // threads after which a satin repeats
const RIP = 16; // threads from one thick pair of ripstop to the next

const mod = (i: number, n: number): number => ((i % n) + n) % n;

const WOVEN: Record<"plain" | "twill" | "satin" | "ripstop", Woven> = {
    plain: {
        repeat: 2,
        above: (i, j) => mod(i + j, 2) === 0,
        wave: 0.13,
        round: 0.17,
        warp: 0.46,
        weft: 0.46,
        grid: 0,
    },
    // three over, one under, one further in each row: the diagonal of denim
    twill: {
        repeat: 4,
        above: (i, j) => mod(i - j, 4) !== 0,
        wave: 0.15,
        round: 0.24,
        warp: 0.49,
        weft: 0.47,
        grid: 0,
    },
    satin: {
        repeat: SATIN,
        above: (i, j) => mod(3 * j - i, SATIN) !== 0,
        wave: 0.07,
        round: 0.1,
        warp: 0.5,
        weft: 0.46,
        grid: 0,
    },
    ripstop: {
        repeat: RIP,
        above: (i, j) => mod(i + j, 2) === 0,
        wave: 0.1,
        round: 0.13,
        warp: 0.49,
        weft: 0.49,
        grid: RIP,
    },
};

// Height of a thread's middle between two crossings: it goes from side to side like a wave, and
// stays where it is along a float.
function threadLevel(from: boolean, to: boolean, t: number): number {
    const a = from ? 1 : -1,
        b = to ? 1 : -1;
    return a + (b - a) * (0.5 - 0.5 * Math.cos(Math.PI * t));
}

function crossSection(across: number, half: number): number {
    const part = across / half;
    return Math.abs(part) >= 1 ? -Infinity : Math.sqrt(1 - part * part);
}

interface Sample {
    height: number;
    /** Before yarn is uneven. */
    light: number;
    /** The thread on top runs along u. */
    warp: boolean;
}

// `along` the thread and across it, both in distances of threads.
function sampleThread(
    { wave, round, grid }: Woven,
    thread: number,
    along: number,
    across: number,
    half: number,
    onTop: (crossing: number) => boolean,
): number {
    const crossing = Math.floor(along - 0.5);
    const level = threadLevel(onTop(crossing), onTop(crossing + 1), along - 0.5 - crossing);
    const thick = grid > 0 && mod(thread, grid) < 2 ? 0.34 : 0;
    return wave * level + (round + 0.5 * thick) * crossSection(across, half) + thick;
}

function sampleWoven(woven: Woven, u: number, v: number): Sample {
    const i = Math.floor(u),
        j = Math.floor(v);
    const a = u - i - 0.5,
        b = v - j - 0.5;
    const warp = sampleThread(woven, j, u, b, woven.warp, (k) => woven.above(k, j));
    const weft = sampleThread(woven, i, v, a, woven.weft, (k) => !woven.above(i, k));
    const height = Math.max(warp, weft, GAP);
    const isWarp = warp > weft;
    // fibres lie aslant around the yarn
    const fibres = Math.sin(2 * Math.PI * (isWarp ? u + 3 * b : v + 3 * a));
    // deep places see less light
    const top = woven.wave + woven.round;
    const open = Math.min(Math.max((height - GAP) / (top - GAP), 0), 1);
    return { height, warp: isWarp, light: 0.4 + 0.6 * open + 0.04 * fibres };
}

// -------------------------------------------------------------------------------------------------
// Knitted: the right side of jersey, columns of loops of which one sees the legs, like a V

const COURSE = 0.8; // from one row of loops to the next: five of them are as long as four are wide
const LEAN = 0.36; // of a leg, from upright
const LEG = { side: 0.245, long: 0.74, wide: 0.235 };

// Height of the leg of the loop in this row, on this side of the column, or -Infinity.
function sampleLeg(along: number, across: number, side: number): number {
    const x = side * (across - side * LEG.side),
        y = along;
    const lengthwise = (y * Math.cos(LEAN) + x * Math.sin(LEAN)) / LEG.long;
    const sideways = (x * Math.cos(LEAN) - y * Math.sin(LEAN)) / LEG.wide;
    const r = lengthwise * lengthwise + sideways * sideways;
    if (r >= 1) return -Infinity;
    // a loop comes out of the one below and goes behind the one above
    return 0.34 * Math.sqrt(1 - r) - 0.13 * lengthwise;
}

function sampleKnit(u: number, v: number): Sample {
    const across = v - Math.floor(v) - 0.5;
    const row = Math.floor(u / COURSE);
    let height = -0.2,
        light = 0.42;
    for (let r = row - 1; r <= row + 1; r++)
        for (const side of [-1, 1]) {
            const along = u - (r + 0.5) * COURSE;
            const h = sampleLeg(along, across, side);
            if (h <= height) continue;
            height = h;
            const twist = Math.sin(2 * Math.PI * (2.2 * along - side * 3.4 * across));
            light = 0.42 + 0.58 * Math.min(1, (h + 0.2) / 0.5) + 0.06 * twist;
        }
    return { height, light, warp: true };
}

// -------------------------------------------------------------------------------------------------
// Pile: fibres that lie over each other in all directions

const STROKES = 7500;
const STEPS = 40;
const TUFTS = 10;

/** A square of fibres in tufts, heights 0 to 1. `size` is a power of two; `strokes` of them, `long`
 *  samples each. */
export function layFibres(size: number, strokes: number, long: number): Float32Array {
    const heights = new Float32Array(size * size);
    for (let s = 0; s < strokes; s++) {
        let x = size * chance(s, 1),
            y = size * chance(s, 2),
            turn = 2 * Math.PI * chance(s, 3);
        const bend = 0.12 * (chance(s, 4) - 0.5);
        const row = Math.floor((TUFTS * y) / size);
        const tuft = smoothChance((TUFTS * x) / size, TUFTS, 7 + row) - 0.5;
        const level = 0.2 + (0.5 * s) / strokes + 0.18 * tuft;
        for (let k = 0; k < long; k++) {
            stampDot(heights, size, x, y, level + 0.3 * Math.sin((Math.PI * (k + 0.5)) / long));
            turn += bend;
            x += Math.cos(turn);
            y += Math.sin(turn);
        }
    }
    return heights;
}

// A round dot, two samples wide.
function stampDot(heights: Float32Array, size: number, x: number, y: number, top: number): void {
    const i = Math.floor(x),
        j = Math.floor(y);
    for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
            const across = i + dx + 0.5 - x,
                along = j + dy + 0.5 - y;
            const at = ((j + dy) & (size - 1)) * size + ((i + dx) & (size - 1));
            const height = top - 0.1 * (across * across + along * along);
            if (height > heights[at]!) heights[at] = height;
        }
}

function makePile(size: number): Relief {
    const fibres = layFibres(size, STROKES, STEPS);
    const heights = fibres.map((h) => 0.7 * Math.max(h, 0.3));
    const lights = heights.map((h) => 0.6 + 0.9 * h);
    return { size, heights, lights, warps: new Float32Array(size * size).fill(1) };
}

// -------------------------------------------------------------------------------------------------

// Yarn is spun unevenly: each thread has a tone of its own, and it changes slowly along the thread.
// One row for each thread.
function makeYarn(size: number, seed: number): Float32Array {
    const yarn = new Float32Array(THREADS * size);
    for (let thread = 0; thread < THREADS; thread++) {
        const own = 1 + 0.2 * (chance(thread, seed) - 0.5);
        for (let x = 0; x < size; x++) {
            const slow = smoothChance((4 * x) / size, 4, 31 * thread + seed);
            yarn[thread * size + x] = own + 0.14 * (slow - 0.5);
        }
    }
    return yarn;
}

// `repeat`: threads after which the sample repeats.
function sampleAll(size: number, repeat: number, sample: (u: number, v: number) => Sample): Relief {
    const per = size / THREADS;
    const cell: Sample[] = [];
    for (let y = 0; y < repeat * per; y++)
        for (let x = 0; x < repeat * per; x++) cell.push(sample((x + 0.5) / per, (y + 0.5) / per));
    const [heights, lights, warps] = [0, 1, 2].map(() => new Float32Array(size * size));
    const yarns = [makeYarn(size, 517), makeYarn(size, 101)];
    for (let y = 0, i = 0; y < size; y++)
        for (let x = 0; x < size; x++, i++) {
            const { height, light, warp } =
                cell[(y % (repeat * per)) * repeat * per + (x % (repeat * per))]!;
            const [thread, along] = warp ? [y, x] : [x, y];
            heights![i] = height;
            lights![i] = light * yarns[warp ? 1 : 0]![Math.floor(thread / per) * size + along]!;
            warps![i] = warp ? 1 : 0;
        }
    return { size, heights: heights!, lights: lights!, warps: warps! };
}

function makeAny(weave: Weave, size: number): Relief {
    if (weave === "pile") return makePile(size);
    if (weave === "knit") return sampleAll(size, 4, sampleKnit);
    const woven = WOVEN[weave];
    return sampleAll(size, woven.repeat, (u, v) => sampleWoven(woven, u, v));
}

/** `size`: samples along a side of a tile. */
export function makeRelief(weave: Weave, size: number): Relief {
    const relief = makeAny(weave, size);
    // near and far, cloth has the same colour
    const mean = relief.lights.reduce((sum, light) => sum + light, 0) / relief.lights.length;
    for (let i = 0; i < relief.lights.length; i++) relief.lights[i]! /= mean;
    return relief;
}
