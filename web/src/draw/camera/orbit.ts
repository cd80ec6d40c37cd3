// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A slow way around what is there, until somebody does something.

import { Vector3 } from "three";
import type * as THREE from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const PACE = (7 * Math.PI) / 180; // radians per second
const START = 2; // seconds until it has its pace
const UP = new Vector3(0, 1, 0);

export class SlowOrbit {
    private on = false;
    private pace = 0;

    constructor(
        private readonly camera: THREE.PerspectiveCamera,
        private readonly controls: OrbitControls,
    ) {}

    set(on: boolean): void {
        this.on = on;
        this.pace = 0;
    }

    along(seconds: number): void {
        if (!this.on) return;
        this.pace = Math.min(PACE, this.pace + (PACE * seconds) / START);
        const { target } = this.controls;
        this.camera.position
            .sub(target)
            .applyAxisAngle(UP, -this.pace * seconds)
            .add(target);
    }
}
