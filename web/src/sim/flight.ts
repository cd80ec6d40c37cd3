// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Whether the cloth flies apart. An unstable method stretches most of the cloth to many times its
// size; what gravity and wind do to soft cloth is known beforehand, and hands may do more.
//
// Measured over the scenes of the project by every method of the page: where it is stable, 99 of
// 100 edges stay below 3.1 times their length (relaxation in few sweeps), else they pass 6 and go
// on growing, or, where bodies hold the cloth together, boil there.

import type { Description, Numbers } from "./core";
import type { Shape } from "../shape";

const LEAST = 5; // times their length: 99 of 100 edges stay below
const MARGIN = 4; // times what the weight alone makes of them: cloth falls, swings and is turned
const TORN = 1000; // times its length, of any edge
const BY_HAND = 20; // times as much, while hands pull
const FRAMES = 3; // in a row: one alone may be a jerk
const AIR = 0.6; // half the density of air, kg/m3
const GUST = 1.5; // times the mean wind

function lengthOf(uv: Float32Array): number {
    let [least, most] = [Infinity, -Infinity];
    for (const value of uv) {
        least = Math.min(least, value);
        most = Math.max(most, value);
    }
    return Number.isFinite(most - least) ? most - least : 0;
}

/** Times their length at rest, that 99 of 100 edges do not pass. */
export function stretchLimit(description: Description, { uv }: Pick<Shape, "uv">): number {
    const gravity = Math.hypot(...description.gravity);
    const wind = (GUST * Math.hypot(...description.wind)) ** 2 * AIR;
    const length = lengthOf(uv);
    const strains = description.cloths.map(({ fabric, triangles }) => {
        const rope = triangles === 0;
        const stiffness = rope ? fabric.rope_stretch! : Math.min(...fabric.stretch);
        const load = rope ? fabric.rope_density! * gravity : fabric.density! * gravity + wind;
        return stiffness > 0 ? (load * length) / stiffness : 0;
    });
    return Math.max(LEAST, MARGIN * (1 + Math.max(0, ...strains)));
}

/** One for each lane. */
export class Flight {
    private frames = 0;

    constructor(private readonly limit: number) {}

    /** What comes next is judged anew. */
    forget(): void {
        this.frames = 0;
    }

    /** Whether the last frame was no cloth any more, though that may be a jerk. */
    get suspicious(): boolean {
        return this.frames > 0;
    }

    /** How long an edge is, in times its length at rest, where the cloth flew apart; else null. */
    judge(numbers: Numbers, byHand: boolean): number | null {
        const most = numbers.max_stretch!,
            nearlyAll = numbers.p99_stretch!;
        const factor = byHand ? BY_HAND : 1;
        this.frames = nearlyAll < factor * this.limit ? 0 : this.frames + 1;
        return most < factor * TORN && this.frames < FRAMES ? null : most;
    }
}
