// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The range of a chart's upright axis. It grows at once and shrinks late: an axis that follows
// every frame cannot be read.

const patience = 12;

/** The smallest of 1, 2, 4, 6, 8, 10, 20, ... that is not below `size`: halves are round too. */
function roundUp(size: number): number {
    const power = 10 ** Math.floor(Math.log10(size));
    return ([1, 2, 4, 6, 8].find((digit) => digit * power >= size * 0.999) ?? 10) * power;
}

class End {
    private size = 0;
    private waited = 0;

    constructor(private readonly least: number) {}

    reset(): void {
        this.size = this.waited = 0;
    }

    /** The size that shows `needed`. */
    follow(needed: number): number {
        const wanted = needed > 0 ? Math.max(this.least, roundUp(needed)) : this.least;
        this.waited = wanted < this.size ? this.waited + 1 : 0;
        if (wanted > this.size || this.waited > patience) {
            this.size = wanted;
            this.waited = 0;
        }
        return this.size;
    }
}

export class AxisRange {
    private readonly upper: End;
    private readonly lower = new End(0);
    min = 0;
    max: number;

    constructor(least: number) {
        this.upper = new End(least);
        this.max = least;
    }

    /** Other values are to come: what was needed before is not. */
    reset(): void {
        this.upper.reset();
        this.lower.reset();
    }

    /** Makes room for values between these, and for zero. */
    follow(low: number, high: number): void {
        this.max = this.upper.follow(high);
        this.min = -this.lower.follow(-low);
    }

    /** Where to draw lines and write numbers; an end too near to zero has no room for its own. */
    get ticks(): number[] {
        if (this.min === 0) return [0, this.max / 2, this.max];
        const room = (this.max - this.min) / 4;
        return [this.min, 0, this.max].filter((tick) => tick === 0 || Math.abs(tick) > room);
    }
}
