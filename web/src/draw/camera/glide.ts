// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The camera goes to where it is to look from, smoothly and in a short time. What it looks at may
// move on meanwhile, and it may be turned.

import type * as THREE from "three";
import { Vector3 } from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const TIME = 0.55; // seconds

/** From 0 to 1, slow at both ends. */
function ease(at: number): number {
    const t = Math.min(Math.max(at, 0), 1);
    return t * t * t * (t * (6 * t - 15) + 10);
}

export class Glide {
    /** From 0 to 1. */
    private at = 1;
    private readonly move = new Vector3();
    private from = 1;
    private factor = 1;
    private time = TIME;

    constructor(
        private readonly camera: THREE.PerspectiveCamera,
        private readonly controls: OrbitControls,
    ) {}

    get active(): boolean {
        return this.at < 1;
    }

    /** To look at this place from this far, along the same direction; `time`: seconds. */
    begin(target: Vector3, distance: number, time = TIME): void {
        this.time = time;
        this.move.copy(target).sub(this.controls.target);
        this.from = this.camera.position.distanceTo(this.controls.target);
        this.factor = distance / this.from;
        this.at = 0;
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.along(time);
    }

    /** Stays where it is now. */
    stop(): void {
        this.at = 1;
    }

    along(seconds: number): void {
        if (!this.active) return;
        const { target } = this.controls;
        const offset = this.camera.position.clone().sub(target);
        const before = ease(this.at);
        this.at = Math.min(1, this.at + seconds / this.time);
        const now = ease(this.at);
        target.addScaledVector(this.move, now - before);
        offset.setLength(this.from * this.factor ** now);
        this.camera.position.copy(target).add(offset);
    }
}
