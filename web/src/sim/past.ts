// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The last seconds of what is played: how it was every few steps, and all touches since. From there
// every step can be come back to, to the last bit: what was between is played again.

import type { Touch } from "./protocol";

/** A scene that is played; see Play. */
export interface Replayable {
    step(): void;
    /** Empty: it cannot be come back to. */
    save(): Uint8Array<ArrayBuffer>;
    load(bytes: Uint8Array): void;
}

/** Steps since the start: the first that is kept, where it stands, and the last that was taken. */
export interface PastRange {
    first: number;
    now: number;
    last: number;
}

const MOST_BYTES = 64 * 1024 * 1024;
/** Seconds that are to be kept, where there is room; and steps between what is kept. */
const SECONDS = 20;
const CLOSEST = 4;
const FARTHEST = 24;

interface Kept {
    step: number;
    bytes: Uint8Array<ArrayBuffer>;
    /** How many touches are in it. */
    done: number;
}

export class Past {
    private kept: Kept[] = [];
    /** Those that are still needed, and how many came before them. */
    private touches: { step: number; touch: Touch }[] = [];
    private dropped = 0;
    /** How many of all are in what is shown. */
    private done = 0;
    private now = 0;
    private last = 0;
    private dt = 1 / 60;

    constructor(
        private readonly touch: (touch: Touch) => number | void,
        private readonly mostBytes = MOST_BYTES,
    ) {}

    get range(): PastRange {
        return { first: this.kept[0]?.step ?? this.now, now: this.now, last: this.last };
    }

    /** Nothing is kept yet; steps count on, or from 0. `dt`: seconds of a step. */
    begin(dt: number, fresh: boolean): void {
        this.forgetFuture();
        if (fresh) this.now = this.last = 0;
        this.kept = [];
        this.touches = [];
        this.done = this.dropped = 0;
        this.dt = dt;
    }

    /** One step more, from here: what came later is forgotten. */
    step(play: Replayable): void {
        if (this.now < this.last) this.goOn();
        this.keepIfDue(play);
        play.step();
        this.last = ++this.now;
    }

    /** Hands do something before the next step; what comes of it. */
    note(touch: Touch): number | void {
        if (this.now < this.last) this.goOn();
        const told = this.touch(touch);
        this.touches.push({ step: this.now, touch });
        this.done++;
        return told;
    }

    // Whatever the hand held then, it holds no longer.
    private goOn(): void {
        this.forgetFuture();
        this.note({ kind: "drop" });
        this.note({ kind: "lift" });
        this.note({ kind: "calm" });
    }

    private forgetFuture(): void {
        this.kept = this.kept.filter(({ step }) => step <= this.now);
        this.touches.length = this.done - this.dropped;
        this.last = this.now;
    }

    /** To a step that was taken; not `exact`: to one close by that is there at once. */
    go(play: Replayable, step: number, exact: boolean, told: () => void = () => {}): void {
        const { first, last } = this.range;
        const goal = Math.min(Math.max(Math.round(step), first), last);
        const from = this.kept.findLast((kept) => kept.step <= goal);
        const near = from && (goal < this.now || from.step > this.now);
        if (near) this.load(play, from);
        const end = exact || !from ? goal : Math.max(this.now, from.step);
        while (this.now < Math.min(end, goal)) {
            this.catchUp();
            play.step();
            this.now++;
            told();
        }
        if (this.now === last) this.catchUp();
    }

    private load(play: Replayable, { step, bytes, done }: Kept): void {
        play.load(bytes);
        this.now = step;
        this.done = done;
    }

    private catchUp(): void {
        for (;;) {
            const next = this.touches[this.done - this.dropped];
            if (!next || next.step > this.now) return;
            this.touch(next.touch);
            this.done++;
        }
    }

    private keepIfDue(play: Replayable): void {
        const before = this.kept.at(-1);
        if (before && this.now - before.step < this.intervalFor(before.bytes.length)) return;
        const bytes = play.save();
        if (bytes.length === 0) return;
        this.kept.push({ step: this.now, bytes, done: this.done });
        this.makeRoom();
    }

    private intervalFor(bytes: number): number {
        const needed = ((SECONDS / this.dt) * bytes) / this.mostBytes;
        return Math.min(Math.max(Math.ceil(needed), CLOSEST), FARTHEST);
    }

    private makeRoom(): void {
        let bytes = this.kept.reduce((sum, kept) => sum + kept.bytes.length, 0);
        const old = this.now - SECONDS / this.dt;
        while (this.kept.length > 1 && (bytes > this.mostBytes || this.kept[1]!.step < old))
            bytes -= this.kept.shift()!.bytes.length;
        const unneeded = this.kept[0]!.done - this.dropped;
        this.touches.splice(0, unneeded);
        this.dropped += unneeded;
    }
}
