// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How long a worker may be silent. Slow machines and large scenes are known by the steps that they
// took and by how long the scene took to open; what is silent much longer than that hangs.

import type { Request } from "./protocol";

/** Seconds. */
export const patience = {
    /** No step is given up before. */
    step: 10,
    /** None is waited for longer. */
    most: 60,
    /** To make a scene ready, the matrices of a large one too. */
    opening: 60,
};

const TICK = 500; // milliseconds
const REMEMBERED = 15; // steps
const SLACK = 20; // times the usual step, and
const SLACK_MORE = 5; // seconds
const OPENINGS = 4; // times as long as the scene took to open: a first step may factor it again

function median(numbers: number[]): number {
    return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Seconds that a step may take, after steps and an opening of so many milliseconds. */
export function stepLimit(steps: number[], opening: number): number {
    const usual = steps.length > 0 ? SLACK * (median(steps) / 1000) + SLACK_MORE : 0;
    const first = OPENINGS * (opening / 1000);
    return Math.min(Math.max(patience.step, usual, first), Math.max(patience.most, patience.step));
}

export class Watch {
    /** Until the module is there, the network has all the time it wants. */
    loaded = false;
    private steps: number[] = [];
    private opening = 0;
    private kind: Request["kind"] = "open";
    /** Seconds without a sign, of those in which the page itself was awake. */
    private silent = 0;
    private lastTick = 0;
    private timer: ReturnType<typeof setInterval> | null = null;

    constructor(private readonly tooLong: (seconds: number) => void) {}

    begin(kind: Request["kind"]): void {
        this.kind = kind;
        this.silent = 0;
        this.lastTick = performance.now();
        this.timer ??= setInterval(() => this.tick(), TICK);
    }

    rest(): void {
        if (this.timer !== null) clearInterval(this.timer);
        this.timer = null;
    }

    sign(): void {
        this.silent = 0;
    }

    /** Milliseconds. */
    learnStep(time: number): void {
        this.steps.push(time);
        if (this.steps.length > REMEMBERED) this.steps.shift();
    }

    /** Another scene, or other settings: what its steps take is not known yet. */
    learnOpening(time: number): void {
        this.opening = time;
        this.steps = [];
    }

    private get limit(): number {
        const step = ["advance", "rewind", "hash"].includes(this.kind);
        return step ? stepLimit(this.steps, this.opening) : patience.opening;
    }

    // A page that slept, or had no time itself, counts no more than a few of its own ticks.
    private tick(): void {
        const now = performance.now();
        if (this.loaded) this.silent += Math.min(now - this.lastTick, 2 * TICK) / 1000;
        this.lastTick = now;
        if (this.silent > this.limit) this.tooLong(this.silent);
    }
}
