// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How far it is in the flat shape to the border of the cloth, and to the next seam: a picture of
// the cutting table, by which the shader draws hems and seams wherever the mesh has its vertices.

import * as THREE from "three";
import type { Shape } from "../../shape";
import type { Drawn } from "./seams";

/** Distance that the map can hold, metres. */
export const REACH = 0.024;
/** Hems are folded over by so much. */
export const FOLD = 0.013;

const FINEST = 0.002; // metres per texel
const COARSEST = 0.006; // beyond that hems would be stairs
const MOST = 1024; // texels along a side

export interface HemMap {
    texture: THREE.DataTexture;
    /** Where it begins, and 1 / its size: metres. */
    box: THREE.Vector4;
    dispose(): void;
}

/** An edge of one triangle: its vertices in the shape, and as they are drawn. */
export interface Side {
    triangle: number;
    from: number;
    to: number;
    drawnFrom: number;
    drawnTo: number;
}

/** Edges of one triangle only, and those where triangles meet that lie apart in the flat shape:
 *  borders, and seams twice, once for each side. */
export function findSides(shape: Shape, drawn: Drawn): { borders: Side[]; seams: Side[] } {
    const open = new Map<number, Side>();
    const seams: Side[] = [];
    for (let corner = 0; corner < shape.triangles.length; corner++) {
        const next = corner % 3 === 2 ? corner - 2 : corner + 1;
        const from = shape.triangles[corner]!,
            to = shape.triangles[next]!;
        const side: Side = {
            triangle: Math.floor(corner / 3),
            from,
            to,
            drawnFrom: drawn.triangles[corner]!,
            drawnTo: drawn.triangles[next]!,
        };
        const key = Math.min(from, to) * shape.vertexCount + Math.max(from, to);
        const other = open.get(key);
        if (!other) {
            open.set(key, side);
            continue;
        }
        open.delete(key);
        const meet = other.drawnFrom === side.drawnTo && other.drawnTo === side.drawnFrom;
        if (!meet) seams.push(side, other);
    }
    return { borders: [...open.values()], seams };
}

interface Field {
    width: number;
    height: number;
    /** Metres per texel. */
    step: number;
    x: number;
    y: number;
    /** Two bytes per texel: distances to borders and to seams. */
    texels: Uint8Array<ArrayBuffer>;
}

function makeField(uv: Float32Array): Field | null {
    let x0 = Infinity,
        y0 = Infinity,
        x1 = -Infinity,
        y1 = -Infinity;
    for (let i = 0; i < uv.length; i += 2) {
        x0 = Math.min(x0, uv[i]!);
        x1 = Math.max(x1, uv[i]!);
        y0 = Math.min(y0, uv[i + 1]!);
        y1 = Math.max(y1, uv[i + 1]!);
    }
    const size = Math.max(x1 - x0, y1 - y0);
    const step = Math.max(FINEST, size / (MOST - 4));
    if (!(size > 0) || step > COARSEST) return null;
    const width = Math.ceil((x1 - x0) / step) + 4,
        height = Math.ceil((y1 - y0) / step) + 4;
    const texels = new Uint8Array(2 * width * height).fill(255);
    return { width, height, step, x: x0 - 2 * step, y: y0 - 2 * step, texels };
}

// Texels near a straight line from a to b take their distance to it, where that is the least.
function drawSide(field: Field, uv: Float32Array, { drawnFrom, drawnTo }: Side, at: 0 | 1): void {
    const { width, height, step, texels } = field;
    const ax = (uv[2 * drawnFrom]! - field.x) / step - 0.5,
        ay = (uv[2 * drawnFrom + 1]! - field.y) / step - 0.5,
        dx = (uv[2 * drawnTo]! - field.x) / step - 0.5 - ax,
        dy = (uv[2 * drawnTo + 1]! - field.y) / step - 0.5 - ay;
    const reach = REACH / step;
    const low = (a: number, d: number) => Math.max(0, Math.floor(Math.min(a, a + d) - reach));
    const high = (a: number, d: number, end: number) =>
        Math.min(end - 1, Math.ceil(Math.max(a, a + d) + reach));
    const square = Math.max(dx * dx + dy * dy, 1e-12);
    for (let y = low(ay, dy); y <= high(ay, dy, height); y++)
        for (let x = low(ax, dx); x <= high(ax, dx, width); x++) {
            const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square));
            const distance = Math.hypot(x - ax - t * dx, y - ay - t * dy);
            const value = Math.min(255, Math.round((255 * distance) / reach));
            const i = 2 * (y * width + x) + at;
            if (value < texels[i]!) texels[i] = value;
        }
}

/** Null where nothing is flat, or so large that hems are too small to be seen. */
export function makeHemMap(shape: Shape, drawn: Drawn): HemMap | null {
    const field = makeField(drawn.uv);
    if (!field) return null;
    const { borders, seams } = findSides(shape, drawn);
    for (const side of borders) drawSide(field, drawn.uv, side, 0);
    for (const side of seams) drawSide(field, drawn.uv, side, 1);
    const { width, height, step, x, y, texels } = field;
    const texture = new THREE.DataTexture(texels, width, height, THREE.RGFormat);
    texture.unpackAlignment = 2;
    texture.magFilter = texture.minFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    const box = new THREE.Vector4(x, y, 1 / (width * step), 1 / (height * step));
    return { texture, box, dispose: () => texture.dispose() };
}
