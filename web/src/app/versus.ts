// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Weft and its rival head to head: what is measured of both, and what follows from it, in words.

import type { LaneFrame } from "../sim/player";

/** Of one pane and one drawn frame. */
export interface Measured {
    /** Of the last step, as its method measured it. */
    ms: number;
    /** 99 of 100 edges are longer by less than this part of their length. */
    stretch: number;
    /** The edge that is worst. */
    most: number;
    substeps: number;
    /** Metres from the converged motion, root mean square; null: it is not computed. */
    apart: number | null;
}

/** Frames that count: two seconds where it runs in real time. */
const WINDOW = 120;
/** Before so many there is no verdict. */
const ENOUGH = 20;
/** Nearer to each other than this, two numbers are alike. */
const ALIKE = 1.15;
/** Stretch that nobody sees. */
const UNSEEN = 0.003;
/** Times its budget: what takes longer does not keep it. */
const LATE = 1.2;

/** Of times: a machine that is shared loses some now and then. */
function median(values: number[]): number {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function mean(values: number[]): number {
    return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Two significant digits. */
function short(value: number): string {
    return value >= 10 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toFixed(2);
}

function percent(part: number): string {
    return `${short(100 * part)} %`;
}

/** Over a window of frames: means, the median of times, the worst edge of all. */
export function summary(frames: Measured[]): Measured {
    const known = frames.map(({ apart }) => apart).filter((apart) => apart !== null);
    return {
        ms: median(frames.map(({ ms }) => ms)),
        stretch: mean(frames.map(({ stretch }) => stretch)),
        most: Math.max(0, ...frames.map(({ most }) => most)),
        substeps: Math.round(mean(frames.map(({ substeps }) => substeps))),
        apart: known.length === frames.length && known.length > 0 ? mean(known) : null,
    };
}

interface Named {
    name: string;
    value: number;
}

/** Which of two is less, or that they are alike. */
function compare(
    a: Named,
    b: Named,
    alike: string,
    words: (less: Named, more: Named, times: string) => string,
): string {
    const [less, more] = a.value <= b.value ? [a, b] : [b, a];
    if (more.value < ALIKE * less.value) return alike;
    return words(less, more, less.value > 0 ? short(more.value / less.value) : "many");
}

function stretchWords(weft: Measured, rival: Measured): string {
    if (weft.stretch < UNSEEN && rival.stretch < UNSEEN) return "Neither stretches visibly.";
    const alike = `Both stretch alike, by ${percent(weft.stretch)}.`;
    return compare(
        { name: "weft", value: Math.max(weft.stretch, 1e-4) },
        { name: "XPBD", value: Math.max(rival.stretch, 1e-4) },
        alike,
        (less, more, times) =>
            `The cloth of ${more.name} stretches ${times} times as much: ` +
            `${percent(more.value)} where that of ${less.name} has ${percent(less.value)}.`,
    );
}

function distanceWords(weft: Measured, rival: Measured): string {
    if (weft.apart === null || rival.apart === null) return "";
    const [a, b] = [1000 * weft.apart, 1000 * rival.apart];
    return compare(
        { name: "weft", value: a },
        { name: "XPBD", value: b },
        ` Both are ${short(a)} mm from the converged motion.`,
        (less, more) =>
            ` ${less.name} is ${short(less.value)} mm from the converged motion, ` +
            `${more.name} ${short(more.value)} mm.`,
    );
}

function lateWords(name: string, { ms }: Measured, budget: number): string {
    if (ms < LATE * budget) return "";
    return ` ${name} took ${short(ms)} ms for a step, more than it had.`;
}

/** What follows from the numbers of both, within a budget of milliseconds. */
export function verdict(weft: Measured, rival: Measured, budget: number): string {
    return (
        stretchWords(weft, rival) +
        distanceWords(weft, rival) +
        lateWords("weft", weft, budget) +
        lateWords("XPBD", rival, budget)
    );
}

export class Versus {
    private panes: Measured[][] = [];
    private time = -1;

    clear(): void {
        this.panes = [];
        this.time = -1;
    }

    /** Frames of the same moment count once. */
    push(frames: LaneFrame[], apart: (number | null)[]): void {
        const time = frames[0]?.numbers.time ?? 0;
        if (time === this.time || time === 0) return;
        this.time = time;
        apart.forEach((metres, i) => {
            const { numbers } = frames[i]!;
            const window = (this.panes[i] ??= []);
            window.push({
                ms: 1000 * numbers.total!,
                stretch: Math.max(0, numbers.p99_stretch! - 1),
                most: Math.max(0, numbers.max_stretch! - 1),
                substeps: numbers.substeps!,
                apart: metres,
            });
            if (window.length > WINDOW) window.shift();
        });
    }

    /** For the caption of a pane; null: nothing is known yet. */
    words(pane: number): string | null {
        const window = this.panes[pane];
        if (!window || window.length === 0) return null;
        const { ms, stretch, most, substeps, apart } = summary(window);
        const distance = apart === null ? "" : `, ${short(1000 * apart)} mm off`;
        const steps = substeps === 1 ? "1 substep" : `${substeps} substeps`;
        return (
            `${short(ms)} ms, ${steps}, stretch ${percent(stretch)}, ` +
            `at most ${percent(most)}${distance}`
        );
    }

    verdict(budget: number): string {
        const [weft, rival] = this.panes;
        if (!weft || !rival || weft.length < ENOUGH) return "Measuring …";
        return verdict(summary(weft), summary(rival), budget);
    }
}
