// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What gives way where frames take too long, one effect after the other, and comes back in the
// opposite order where there is time again. What costs much and is missed little goes first.

import type { Power } from "./power";

/** What one rung further down is drawn by. */
export type Rung = Partial<
    Pick<
        Power,
        | "sharpness"
        | "occlusion"
        | "round"
        | "thickness"
        | "sheen"
        | "anisotropy"
        | "shadows"
        | "environment"
    >
>;

export const STRONG_RUNGS: Rung[] = [
    { occlusion: 0.5 },
    { sharpness: 0.85 },
    { occlusion: 0 },
    { sharpness: 0.7 },
    { thickness: false },
    { round: false },
    { sharpness: 0.6 },
    // from here on, shaders are compiled anew
    { anisotropy: false, sheen: false },
    { shadows: false },
    { environment: false },
    { sharpness: 0.5 },
];

export const WEAK_RUNGS: Rung[] = [
    { sharpness: 0.85 },
    { sharpness: 0.7 },
    { sharpness: 0.6 },
    { round: false },
    { sharpness: 0.5 },
];

/** Rungs that weak machines are down at the start. */
export const WEAK_START = 2;

export class Ladder {
    /** What is drawn by now. */
    power: Power;
    /** The highest rung that is not known to be too much. */
    private best = 0;

    /** `at`: how many of the rungs it is down at first. */
    constructor(
        private readonly base: Power,
        private readonly rungs: Rung[],
        private at: number,
    ) {
        this.power = this.make();
    }

    /** Gives up one effect; false where none is left. What was too much is not tried again. */
    down(): boolean {
        if (this.at >= this.rungs.length) return false;
        this.best = Math.max(this.best, this.at + 1);
        return this.move(1);
    }

    /** Takes one back; false where that was too much before, or all are there. */
    up(): boolean {
        return this.at > this.best && this.move(-1);
    }

    private move(by: number): boolean {
        this.at += by;
        this.power = this.make();
        return true;
    }

    private make(): Power {
        return Object.assign({ ...this.base }, ...this.rungs.slice(0, this.at)) as Power;
    }
}

const SLOW = 45; // ms between drawn frames
const FAST = 22;
const PATIENCE = 8; // frames in a row; ten times as many where there is time

/** Watches how long frames take, and goes down and up. */
export class Pace {
    private slow = 0;
    private fast = 0;
    private last = 0;

    constructor(
        private readonly ladder: Ladder,
        private readonly fixed: boolean,
    ) {}

    /** Call it with every frame that is drawn; `busy`: one was drawn the time before, too. Whether
     *  something else is drawn from now on. */
    frame(now: number, busy: boolean): boolean {
        const took = now - this.last;
        this.last = now;
        if (!busy || this.fixed) return false;
        this.slow = took > SLOW ? this.slow + 1 : 0;
        this.fast = took < FAST ? this.fast + 1 : 0;
        if (this.slow < PATIENCE && this.fast < 10 * PATIENCE) return false;
        const changed = this.slow > 0 ? this.ladder.down() : this.ladder.up();
        this.slow = this.fast = 0;
        return changed;
    }
}
