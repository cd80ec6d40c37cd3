// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where the warp runs on cloth that moves: at every drawn vertex the direction in which u grows,
// the mean of the triangles around it, so that gleams run smoothly over them.

import * as THREE from "three";
import type { Drawn } from "./seams";

export class Warps {
    /** Three numbers of the direction, and 1 or -1 by which the cross product of normal and warp
     *  runs along the weft. */
    readonly attribute: THREE.BufferAttribute;
    /** Per triangle, how much of its two first edges makes a step along u. */
    private readonly shares: Float32Array;

    /** `count`: of vertices that the attribute has room for. */
    constructor(
        private readonly drawn: Drawn,
        count: number,
    ) {
        const { triangles } = drawn;
        this.attribute = new THREE.BufferAttribute(new Float32Array(4 * count), 4);
        this.attribute.setUsage(THREE.DynamicDrawUsage);
        this.shares = new Float32Array((2 * triangles.length) / 3);
        for (let t = 0; t < triangles.length / 3; t++) this.prepare(t);
    }

    // With edges e, f of flat size (eu, ev), (fu, fv), and D = eu fv - ev fu twice the area, the
    // cloth runs by (fv e - ev f) / D along u. Not divided, large triangles weigh more.
    private prepare(t: number): void {
        const { triangles, uv } = this.drawn;
        const [a, b, c] = [0, 1, 2].map((k) => 2 * triangles[3 * t + k]!);
        const eu = uv[b!]! - uv[a!]!,
            ev = uv[b! + 1]! - uv[a! + 1]!,
            fu = uv[c!]! - uv[a!]!,
            fv = uv[c! + 1]! - uv[a! + 1]!;
        const turn = eu * fv - ev * fu < 0 ? -1 : 1;
        this.shares[2 * t] = turn * fv;
        this.shares[2 * t + 1] = -turn * ev;
        for (const i of [a!, b!, c!]) (this.attribute.array as Float32Array)[2 * i + 3] = turn;
    }

    /** Three numbers per drawn vertex. */
    update(positions: Float32Array): void {
        const { triangles } = this.drawn;
        const warps = this.attribute.array as Float32Array;
        const end = 2 * this.drawn.uv.length;
        for (let i = 0; i < end; i += 4) warps[i] = warps[i + 1] = warps[i + 2] = 0;
        for (let t = 0; t < triangles.length / 3; t++) {
            const v = triangles[3 * t]!,
                w = triangles[3 * t + 1]!,
                x = triangles[3 * t + 2]!;
            const e = this.shares[2 * t]!,
                f = this.shares[2 * t + 1]!;
            for (let k = 0; k < 3; k++) {
                const from = positions[3 * v + k]!;
                const step =
                    e * (positions[3 * w + k]! - from) + f * (positions[3 * x + k]! - from);
                warps[4 * v + k]! += step;
                warps[4 * w + k]! += step;
                warps[4 * x + k]! += step;
            }
        }
        for (let i = 0; i < end; i += 4) {
            const length = Math.hypot(warps[i]!, warps[i + 1]!, warps[i + 2]!) || 1;
            for (let k = 0; k < 3; k++) warps[i + k]! /= length;
        }
        this.attribute.needsUpdate = true;
    }
}
