// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The ball that has light and shadow: as large as the room, and where things are.

import * as THREE from "three";

const MARGIN = 1.2; // times what is there, so that the ball is not moved in every frame
const MOST = 6; // times the room: beyond it, shadows would turn into blocks

/** Moves the ball to a box that left it, and makes it larger where that does not fit. Returns whether
 *  anything changed. `room`: a radius. */
export function keepLit(ball: THREE.Sphere, box: THREE.Box3, room: number): boolean {
    const middle = box.getCenter(new THREE.Vector3());
    const size = box.min.distanceTo(box.max) / 2;
    if (middle.distanceTo(ball.center) + size <= ball.radius) return false;
    const radius = Math.min(Math.max(ball.radius, MARGIN * size), MOST * room);
    if (middle.equals(ball.center) && radius === ball.radius) return false;
    ball.set(middle, radius);
    return true;
}
