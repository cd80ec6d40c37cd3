// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The rim of cloth: along borders, where it is folded over, half a tube as thick as the hem, so that
// cloth does not look like paper. Its points lie behind the drawn vertices, in the same arrays.

import type { Look, Weave } from "../../look";
import type { Side } from "./hem-map";

const ROUND = 5; // points from the face around the border to the back
const THICKEST = 0.004;

/** How thick cloth is, in distances of threads. */
const BULK: Record<Weave, number> = {
    plain: 1.5,
    twill: 1.9,
    satin: 1.3,
    knit: 1.4,
    pile: 2.2,
    ripstop: 1.5,
};

/** Of a hem, which is folded over: metres. */
export function hemThickness({ weave, thread }: Look): number {
    return Math.min(2 * BULK[weave] * thread, THICKEST);
}

// Points around the border of a section: how far outwards and upwards, in halves of the thickness,
// and what the normal has of each.
const SECTION = Array.from({ length: ROUND }, (_, k) => {
    const angle = Math.PI * (k / (ROUND - 1) - 0.5);
    const [out, up] = [Math.cos(angle), -Math.sin(angle)];
    // its ends lie in the cloth
    const end = k === 0 || k === ROUND - 1;
    return end
        ? { out: -1.2, up: 0.25 * up, normal: [0.3, up] }
        : { out: 0.6 * out, up, normal: [out, up] };
});

export class Rim {
    /** How many points it has. */
    readonly count: number;
    /** The drawn vertices that sections of ROUND points each follow, and half their thickness. */
    private readonly follows: Uint32Array;
    private readonly halves: Float32Array;
    private readonly section = new Map<number, number>();
    private readonly outwards: Float32Array;

    /** `first`: of its points, in the arrays. */
    constructor(
        private readonly sides: Side[],
        private readonly first: number,
    ) {
        for (const { drawnFrom, drawnTo } of sides)
            for (const vertex of [drawnFrom, drawnTo])
                if (!this.section.has(vertex)) this.section.set(vertex, this.section.size);
        this.follows = Uint32Array.from(this.section.keys());
        this.halves = new Float32Array(this.follows.length);
        this.outwards = new Float32Array(3 * this.follows.length);
        this.count = ROUND * this.follows.length;
    }

    /** Fills the positions and normals of its points; both have three numbers each. */
    update(positions: Float32Array, normals: Float32Array): void {
        this.findOutwards(positions, normals);
        for (let i = 0; i < this.follows.length; i++) {
            const v = 3 * this.follows[i]!;
            const half = this.halves[i]!;
            for (let k = 0; k < ROUND; k++) {
                const { out, up, normal } = SECTION[k]!;
                const at = 3 * (this.first + ROUND * i + k);
                for (let c = 0; c < 3; c++) {
                    const o = this.outwards[3 * i + c]!,
                        u = normals[v + c]!;
                    positions[at + c] = positions[v + c]! + half * (out * o + up * u);
                    normals[at + c] = normal[0]! * o + normal[1]! * u;
                }
            }
        }
    }

    /** Of each side, metres; 0 as it is made. */
    setThickness(thickness: (side: Side) => number): void {
        for (const side of this.sides)
            for (const vertex of [side.drawnFrom, side.drawnTo])
                this.halves[this.section.get(vertex)!] = thickness(side) / 2;
    }

    /** Where its points lie in the flat shape: half a millimetre after the other. Two numbers each. */
    place(uv: Float32Array): void {
        const outwards = new Float32Array(2 * this.follows.length);
        for (const { drawnFrom: a, drawnTo: b } of this.sides)
            for (const vertex of [a, b]) {
                const i = 2 * this.section.get(vertex)!;
                outwards[i]! += uv[2 * b + 1]! - uv[2 * a + 1]!;
                outwards[i + 1]! -= uv[2 * b]! - uv[2 * a]!;
            }
        for (let i = 0; i < this.follows.length; i++) {
            const length = Math.hypot(outwards[2 * i]!, outwards[2 * i + 1]!) || 1;
            for (let k = 0; k < ROUND; k++)
                for (let c = 0; c < 2; c++)
                    uv[2 * (this.first + ROUND * i + k) + c] =
                        uv[2 * this.follows[i]! + c]! +
                        (0.0005 * (k - 1) * outwards[2 * i + c]!) / length;
        }
    }

    /** Points take what their vertices have, `size` numbers each. */
    copy(numbers: Float32Array, size: number): void {
        for (let i = 0; i < this.follows.length; i++)
            for (let k = 0; k < ROUND; k++)
                for (let c = 0; c < size; c++)
                    numbers[size * (this.first + ROUND * i + k) + c] =
                        numbers[size * this.follows[i]! + c]!;
    }

    /** Its triangles, side by side, each with the triangle of the cloth that it lies on. */
    eachPart(use: (triangle: number, corners: number[]) => void): void {
        for (const { drawnFrom, drawnTo, triangle } of this.sides) {
            const a = this.first + ROUND * this.section.get(drawnFrom)!,
                b = this.first + ROUND * this.section.get(drawnTo)!;
            for (let k = 0; k + 1 < ROUND; k++)
                use(triangle, [a + k, a + k + 1, b + k, b + k, a + k + 1, b + k + 1]);
        }
    }

    // Triangles lie to the left of their sides: outwards is to the right.
    private findOutwards(positions: Float32Array, normals: Float32Array): void {
        const { outwards } = this;
        outwards.fill(0);
        for (const { drawnFrom: a, drawnTo: b } of this.sides) {
            const ex = positions[3 * b]! - positions[3 * a]!,
                ey = positions[3 * b + 1]! - positions[3 * a + 1]!,
                ez = positions[3 * b + 2]! - positions[3 * a + 2]!;
            for (const vertex of [a, b]) {
                const i = 3 * this.section.get(vertex)!;
                const nx = normals[3 * vertex]!,
                    ny = normals[3 * vertex + 1]!,
                    nz = normals[3 * vertex + 2]!;
                outwards[i]! += ey * nz - ez * ny;
                outwards[i + 1]! += ez * nx - ex * nz;
                outwards[i + 2]! += ex * ny - ey * nx;
            }
        }
        for (let i = 0; i < outwards.length; i += 3) {
            const length = Math.hypot(outwards[i]!, outwards[i + 1]!, outwards[i + 2]!) || 1;
            for (let c = 0; c < 3; c++) outwards[i + c]! /= length;
        }
    }
}
