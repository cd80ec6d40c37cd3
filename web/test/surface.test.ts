// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what the graphics processor is given of cloth, beside where it is.

import { expect, test } from "vitest";
import { ClothSurface } from "../src/draw/surface";
import type { Shape } from "../src/shape";

/** Two squares, one over the other, each of two panels that are sewn along a diagonal. */
const shape: Shape = {
    vertexCount: 8,
    triangles: Uint32Array.from([0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7]),
    lines: new Uint32Array(),
    uv: new Float32Array(16),
    cornerUv: Float32Array.from([
        ...[0, 0, 1, 0, 0, 1, 5, 1, 6, 0, 6, 1],
        ...[10, 0, 11, 0, 10, 1, 15, 1, 16, 0, 16, 1],
    ]),
    layers: [0, 4, 8],
};

const layersOf = (surface: ClothSurface): number[] =>
    [...surface.pieces.values()].flatMap(({ object: { geometry } }) =>
        [...geometry.getIndex()!.array].map((v) => geometry.getAttribute("layer").getX(v)),
    );

test("what is worn knows its layer, on seams, between vertices and along its rim", () => {
    const surface = new ClothSurface(shape);
    expect(surface.drawn.copied).toHaveLength(4);
    for (const [rounded, worn] of [
        [false, false],
        [true, false],
        [true, true],
        [false, true],
    ] as const) {
        surface.setShown(rounded, worn);
        const layers = layersOf(surface);
        expect(layers.length).toBeGreaterThan(rounded ? 24 : 11);
        expect(new Set(layers)).toEqual(new Set([1, 2]));
        expect(layers.filter((layer) => layer === 1)).toHaveLength(layers.length / 2);
    }
    expect(new Set(layersOf(new ClothSurface({ ...shape, layers: undefined })))).toEqual(
        new Set([0]),
    );
});
