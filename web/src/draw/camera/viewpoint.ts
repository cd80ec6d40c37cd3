// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where the camera stands, against where it was put when a scene was shown: the same in a window of
// any size, and wherever what it follows has gone to.

import * as THREE from "three";

export interface Viewpoint {
    /** Degrees to the right and up. */
    turn: [number, number];
    /** How far away, 1 as it was put. */
    zoom: number;
    /** Metres that what it looks at was shifted by. */
    shift: [number, number, number];
}

/** Where it was put: from where it looked, and what it would look at from where it is now, how far away. */
export interface Home {
    from: THREE.Vector3;
    target: THREE.Vector3;
    distance: number;
}

function round(value: number, digits: number): number {
    return Number(value.toFixed(digits)) + 0; // no -0
}

/** `carried`: how far the camera was taken along. */
export function viewpointOf(
    camera: THREE.Vector3,
    target: THREE.Vector3,
    carried: THREE.Vector3,
    { from, target: middle, distance }: Home,
): Viewpoint {
    const now = new THREE.Spherical().setFromVector3(camera.clone().sub(target));
    const put = new THREE.Spherical().setFromVector3(from);
    const degrees = (angle: number) => round(THREE.MathUtils.radToDeg(angle), 1);
    const right = THREE.MathUtils.euclideanModulo(now.theta - put.theta + Math.PI, 2 * Math.PI);
    const [x, y, z] = target.clone().sub(middle).sub(carried).toArray();
    return {
        turn: [degrees(right - Math.PI), degrees(put.phi - now.phi)],
        zoom: round(now.radius / distance, 3),
        shift: [round(x, 3), round(y, 3), round(z, 3)],
    };
}
