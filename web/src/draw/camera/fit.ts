// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where a camera has to be, so that all of what it shall show is in the middle of the picture, and as
// large as it can be.

import { Box3, MathUtils, Matrix4, Object3D, Vector3 } from "three";
import type { Rect } from "../../layout";

export const FIELD_OF_VIEW = 32; // degrees, vertical
const FILLED = 0.88; // of the picture; the rest is its margin
const ROUNDS = 4;
const LEAST = 0.1; // of a slope, in a round: what has no width has none

export interface Fit {
    /** What the camera looks at: as far away as the middle of what is shown. */
    target: Vector3;
    distance: number;
}

// A place is in the picture where the camera is above two slopes through it, to the left and to the right,
// or below and above. Where the outermost ones meet is as near as it may come, and straight before it is the
// middle.
function meet(seen: Vector3[], axis: "x" | "y", slope: number): { eye: number; middle: number } {
    let less = -Infinity,
        more = -Infinity;
    for (const place of seen) {
        less = Math.max(less, slope * place.z - place[axis]);
        more = Math.max(more, slope * place.z + place[axis]);
    }
    return { eye: (less + more) / (2 * slope), middle: (more - less) / 2 };
}

// The same where the camera is farther away: slopes that meet there are less steep.
function middleFrom(seen: Vector3[], axis: "x" | "y", slope: number, eye: number): number {
    for (let i = 0; i < ROUNDS; i++)
        slope *= MathUtils.clamp(meet(seen, axis, slope).eye / eye, LEAST, 1);
    return meet(seen, axis, slope).middle;
}

/** `direction`: from what is shown towards the camera. */
export function fitTo(places: Vector3[], direction: Vector3, { width, height }: Rect): Fit {
    const up = FILLED * Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2)),
        side = (up * width) / height;
    const turned = new Matrix4().lookAt(direction, new Vector3(), Object3D.DEFAULT_UP);
    const view = turned.clone().invert();
    const seen = places.map((place) => place.clone().applyMatrix4(view));
    const eye = Math.max(meet(seen, "x", side).eye, meet(seen, "y", up).eye);
    const { min, max } = new Box3().setFromPoints(seen);
    const z = (min.z + max.z) / 2;
    // counted from the middle, the eye is in front of all
    for (const place of seen) place.z -= z;
    const x = middleFrom(seen, "x", side, eye - z),
        y = middleFrom(seen, "y", up, eye - z);
    return { target: new Vector3(x, y, z).applyMatrix4(turned), distance: eye - z };
}

/** How far away from `middle`, in this direction, a camera has all places in the picture. */
export function distanceFor(
    places: Vector3[],
    middle: Vector3,
    direction: Vector3,
    { width, height }: Rect,
): number {
    const up = Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2)),
        side = (up * width) / height;
    const view = new Matrix4().lookAt(direction, new Vector3(), Object3D.DEFAULT_UP).invert();
    const at = new Vector3();
    let distance = 0;
    for (const place of places) {
        const { x, y, z } = at.copy(place).sub(middle).applyMatrix4(view);
        distance = Math.max(distance, z + Math.max(Math.abs(x) / side, Math.abs(y) / up));
    }
    return distance;
}
