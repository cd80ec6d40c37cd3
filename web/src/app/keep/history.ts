// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the user did, to go back and forth in. It keeps whole moments: all that was chosen then.

/** What of two moments is different: names, in the user's words; none: they are the same. */
export type Difference<T> = (a: T, b: T) => string[];

const REMEMBERED = 100;
/** Milliseconds: what changes the same thing again that soon, as a slider does, is one change. */
const ONE_CHANGE = 1000;

export class History<T> {
    private past: T[] = [];
    private future: T[] = [];
    private now: T | null = null;
    /** What changed last, and when. */
    private last = { names: "", at: -Infinity };

    constructor(private readonly difference: Difference<T>) {}

    /** How it is now; whether that is new. `at`: milliseconds of any clock; `single`: a change of its
     *  own, however soon it comes. */
    note(moment: T, at: number, single = false): boolean {
        const { now } = this;
        const names = now ? this.difference(now, moment).join() : "";
        if (now && names === "") return false;
        this.now = moment;
        if (!now) return true;
        const goesOn = !single && names === this.last.names && at - this.last.at < ONE_CHANGE;
        if (!goesOn || this.future.length > 0) this.past = [...this.past, now].slice(-REMEMBERED);
        const before = this.past.at(-1)!;
        if (!single && this.difference(before, moment).length === 0) this.past.pop(); // there and back
        this.last = { names, at };
        this.future = [];
        return true;
    }

    /** To a moment that it went through; false: it is none of them. */
    goTo(moment: T): boolean {
        const isIt = (other: T) => this.difference(other, moment).length === 0;
        if (this.now && isIt(this.now)) return true;
        const back = this.past.findLastIndex(isIt);
        const forth = this.future.findLastIndex(isIt);
        if (back < 0 && forth < 0) return false;
        while (!isIt(this.now!)) if (!(forth >= 0 ? this.redo() : this.undo())) return false;
        return true;
    }

    /** What was asked for did not come about: it is as `moment` says. */
    takeBack(moment: T): void {
        const before = this.past.at(-1);
        if (before && this.difference(before, moment).length === 0) this.past.pop();
        this.now = moment;
        this.last = { names: "", at: -Infinity };
    }

    /** The moment to go back to, or null; it is what is now from here on. */
    undo(): T | null {
        return this.go(this.past, this.future);
    }

    redo(): T | null {
        return this.go(this.future, this.past);
    }

    private go(from: T[], to: T[]): T | null {
        const moment = from.pop();
        if (!moment || !this.now) return null;
        to.push(this.now);
        this.now = moment;
        this.last = { names: "", at: -Infinity };
        return moment;
    }

    /** What undo() would change, in words; null: nothing. */
    get undoWords(): string | null {
        const before = this.past.at(-1);
        return before && this.now ? this.difference(before, this.now).join(", ") : null;
    }

    get redoWords(): string | null {
        const after = this.future.at(-1);
        return after && this.now ? this.difference(this.now, after).join(", ") : null;
    }
}
