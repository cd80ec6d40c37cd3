// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Which vertex is meant. Plain loops over all triangles: a hundred thousand take a few
// milliseconds, and nothing has to be kept up to date from frame to frame.

import type * as THREE from "three";

export interface Hit {
    vertex: number;
    /** Along the ray. */
    distance: number;
}

/** The triangle that the ray meets first, and of it the vertex nearest to where it does. */
export function pickTriangle(
    ray: THREE.Ray,
    positions: Float32Array,
    triangles: Uint32Array,
): Hit | null {
    const x = positions,
        o = ray.origin,
        d = ray.direction;
    let nearest = Infinity,
        vertex = -1;
    for (let i = 0; i < triangles.length; i += 3) {
        const a = 3 * triangles[i]!,
            b = 3 * triangles[i + 1]!,
            c = 3 * triangles[i + 2]!;
        const ux = x[b]! - x[a]!,
            uy = x[b + 1]! - x[a + 1]!,
            uz = x[b + 2]! - x[a + 2]!;
        const vx = x[c]! - x[a]!,
            vy = x[c + 1]! - x[a + 1]!,
            vz = x[c + 2]! - x[a + 2]!;
        const px = d.y * vz - d.z * vy,
            py = d.z * vx - d.x * vz,
            pz = d.x * vy - d.y * vx;
        const det = ux * px + uy * py + uz * pz;
        if (det === 0) continue;
        const tx = o.x - x[a]!,
            ty = o.y - x[a + 1]!,
            tz = o.z - x[a + 2]!;
        const s = (tx * px + ty * py + tz * pz) / det;
        if (s < 0 || s > 1) continue;
        const qx = ty * uz - tz * uy,
            qy = tz * ux - tx * uz,
            qz = tx * uy - ty * ux;
        const t = (d.x * qx + d.y * qy + d.z * qz) / det;
        if (t < 0 || s + t > 1) continue;
        const distance = (vx * qx + vy * qy + vz * qz) / det;
        if (distance <= 0 || distance >= nearest) continue;
        nearest = distance;
        const r = 1 - s - t;
        vertex = triangles[r >= s && r >= t ? i : s >= t ? i + 1 : i + 2]!;
    }
    return vertex < 0 ? null : { vertex, distance: nearest };
}

/** The vertex nearest to the ray on the screen, if within `reach`: the tangent of the angle that
 * may lie between them. `among` names vertices; null for all. */
export function pickNearby(
    ray: THREE.Ray,
    positions: Float32Array,
    among: Uint32Array | null,
    reach: number,
): Hit | null {
    const o = ray.origin,
        d = ray.direction;
    const count = among ? among.length : positions.length / 3;
    let least = reach * reach,
        found: Hit | null = null;
    for (let k = 0; k < count; k++) {
        const vertex = among ? among[k]! : k;
        const x = positions[3 * vertex]! - o.x;
        const y = positions[3 * vertex + 1]! - o.y;
        const z = positions[3 * vertex + 2]! - o.z;
        const distance = x * d.x + y * d.y + z * d.z;
        if (distance <= 0) continue;
        const aside = x * x + y * y + z * z - distance * distance;
        const tangent = aside / (distance * distance);
        if (tangent >= least) continue;
        least = tangent;
        found = { vertex, distance };
    }
    return found;
}
