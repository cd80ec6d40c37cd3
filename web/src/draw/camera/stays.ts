// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Which part of what is there the camera goes along with: where most of it is. A piece that was cut off
// and blows away is left behind.

import { Box3, Vector3 } from "three";
import { pointsOf } from "./room";

const ENOUGH = 400; // vertices of each cloth that tell where most of it is

function median(values: number[]): number {
    return values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** The middle of most of the cloth; null where less than half of it is within `across` of any place. */
function middleOfMost(cloths: Float32Array[], across: number): Vector3 | null {
    const points = cloths.flatMap((positions) => pointsOf(positions, ENOUGH));
    const middle = new Vector3(
        median(points.map(({ x }) => x)),
        median(points.map(({ y }) => y)),
        median(points.map(({ z }) => z)),
    );
    const near = points.filter((point) => point.distanceTo(middle) < across);
    return near.length > points.length / 2 ? middle : null;
}

/** Around all that is within `across` of the middle of most of it. */
export function boxOfMost(cloths: Float32Array[], across: number): Box3 | null {
    const middle = middleOfMost(cloths, across);
    if (!middle) return null;
    const box = new Box3(),
        place = new Vector3();
    for (const positions of cloths)
        for (let i = 0; i < positions.length; i += 3) {
            place.fromArray(positions, i);
            if (place.distanceToSquared(middle) < across * across) box.expandByPoint(place);
        }
    return box;
}
