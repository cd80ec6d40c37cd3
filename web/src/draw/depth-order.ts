// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth that one sees through is drawn from the back to the front.

const STEPS = 4096; // of depth: triangles within one may come in any order

/** Orders triangles in place, those farthest along the direction first. `scratch` holds as many
 *  numbers. */
export function orderByDepth(
    triangles: Uint32Array,
    scratch: Uint32Array,
    positions: Float32Array,
    direction: readonly [number, number, number],
): void {
    const count = triangles.length / 3;
    const [dx, dy, dz] = direction;
    const depths = new Float32Array(count);
    let low = Infinity,
        high = -Infinity;
    for (let t = 0; t < count; t++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) {
            const i = 3 * triangles[3 * t + k]!;
            sum += dx * positions[i]! + dy * positions[i + 1]! + dz * positions[i + 2]!;
        }
        depths[t] = sum;
        if (sum < low) low = sum;
        if (sum > high) high = sum;
    }
    const factor = high > low ? (STEPS - 1) / (high - low) : 0;
    const stepOf = (t: number) => Math.floor((high - depths[t]!) * factor) || 0;
    const starts = new Uint32Array(STEPS + 1);
    for (let t = 0; t < count; t++) starts[stepOf(t) + 1]!++;
    for (let s = 0; s < STEPS; s++) starts[s + 1]! += starts[s]!;
    for (let t = 0; t < count; t++) {
        const place = 3 * starts[stepOf(t)]!++;
        for (let k = 0; k < 3; k++) scratch[place + k] = triangles[3 * t + k]!;
    }
    triangles.set(scratch);
}
