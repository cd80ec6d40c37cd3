// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The camera stays above the floor: nobody looks at cloth from below the ground that it stands on.

import type * as THREE from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

/** `gap`: metres that it keeps from the floor. */
export function keepAbove(
    camera: THREE.PerspectiveCamera,
    controls: OrbitControls,
    floor: number,
    gap: number,
): void {
    const { target } = controls;
    target.y = Math.max(target.y, floor);
    const lowest = floor + gap;
    const distance = camera.position.distanceTo(target);
    const slope = Math.min(Math.max((lowest - target.y) / distance, -1), 1);
    controls.maxPolarAngle = Math.acos(slope);
    camera.position.y = Math.max(camera.position.y, lowest);
}
