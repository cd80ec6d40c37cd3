// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Numbers on the cloth: what they are called, and from where to where their colours go.

import type { ColourScale } from "../draw/colour";
import type { FieldName } from "../shape";

interface Kind {
    title: string;
    unit: string;
    /** From SI to the unit. */
    factor: number;
    map: ColourScale["map"];
    /** The scale never ends below it. */
    least: number;
}

const kinds: Record<Exclude<FieldName, "none">, Kind> = {
    stretch: { title: "Stretch", unit: "%", factor: 100, map: "diverging", least: 0.01 },
    curvature: { title: "Curvature", unit: "1/m", factor: 1, map: "sequential", least: 5 },
    speed: { title: "Speed", unit: "m/s", factor: 1, map: "sequential", least: 0.2 },
    distance: {
        title: "Distance to implicit",
        unit: "mm",
        factor: 1000,
        map: "sequential",
        least: 0.002,
    },
};

const SAMPLES = 512;
const LOW = 0.45; // of the scale: what stays below it for
const PATIENCE = 40; // frames gets a smaller one

/** The value that nearly all are below, by its size; of a cloth that flew apart, the known ones. */
function largestOf(values: Float32Array): number {
    const stride = Math.max(1, Math.floor(values.length / SAMPLES));
    const sizes: number[] = [];
    for (let i = 0; i < values.length; i += stride)
        if (Number.isFinite(values[i])) sizes.push(Math.abs(values[i]!));
    sizes.sort((a, b) => a - b);
    return sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0;
}

/** The next of 1, 2, 5, 10, ... */
function roundUp(value: number): number {
    const power = 10 ** Math.floor(Math.log10(value));
    const step = [1, 2, 5, 10].find((step) => step * power >= 0.999 * value) ?? 10;
    return step * power;
}

/** A scale that follows what is shown, in round numbers and without flicker. */
export class FieldScale {
    private high = 0;
    /** Frames in a row that needed much less, and the most that they needed. */
    private less = { frames: 0, most: 0 };

    constructor(readonly field: Exclude<FieldName, "none">) {}

    /** Take in what all panes show. */
    follow(all: Float32Array[]): void {
        const { least } = kinds[this.field];
        const largest = Math.max(least, ...all.map(largestOf));
        if (largest > this.high || largest < this.high / 5) return this.set(largest);
        if (largest >= LOW * this.high) this.less = { frames: 0, most: 0 };
        else this.less = { frames: this.less.frames + 1, most: Math.max(this.less.most, largest) };
        if (this.less.frames > PATIENCE) this.set(this.less.most);
    }

    private set(largest: number): void {
        this.high = roundUp(largest);
        this.less = { frames: 0, most: 0 };
    }

    get colours(): ColourScale {
        const { map } = kinds[this.field];
        return { low: map === "diverging" ? -this.high : 0, high: this.high, map };
    }

    /** Title, unit, and the scale in that unit. */
    get legend(): [string, string, ColourScale] {
        const { title, unit, factor } = kinds[this.field];
        const { low, high, map } = this.colours;
        return [title, unit, { low: low * factor, high: high * factor, map }];
    }
}

/** Distances between vertices of the same number; returns their root mean square. */
export function distances(a: Float32Array, b: Float32Array, out: Float32Array): number {
    let sum = 0;
    for (let i = 0; i < out.length; i++) {
        const x = a[3 * i]! - b[3 * i]!;
        const y = a[3 * i + 1]! - b[3 * i + 1]!;
        const z = a[3 * i + 2]! - b[3 * i + 2]!;
        const square = x * x + y * y + z * z;
        out[i] = Math.sqrt(square);
        sum += square;
    }
    return out.length > 0 ? Math.sqrt(sum / out.length) : 0;
}
