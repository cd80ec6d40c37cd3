// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards how fabrics look: maps of threads, colours of yarns, hems and rims, what is drawn first,
// and in the browser that every material compiles and looks like no other.

import { Color } from "three";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orderByDepth } from "../src/draw/depth-order";
import { findYarns } from "../src/draw/fabric/fabric";
import { findSides, FOLD, makeHemMap, REACH } from "../src/draw/fabric/hem-map";
import { hemThickness, Rim } from "../src/draw/fabric/rim";
import { splitSeams } from "../src/draw/fabric/seams";
import {
    findKept,
    findSlopes,
    LEVELS,
    makeTexels,
    makeUneven,
} from "../src/draw/fabric/thread-maps";
import { Warps } from "../src/draw/fabric/warps";
import { makeRelief } from "../src/draw/fabric/weaves";
import { DEFAULT_LOOK, type Look, recoloured, weaves } from "../src/look";
import type { Shape } from "../src/shape";
import { launch, Viewer, Visit } from "./browser";

const SIZE = 256;

// Of neighbours along x, from the last column to the first too: how different they are on average.
function stepsAcross(values: Float32Array, size: number, transposed: boolean): number[] {
    return Array.from({ length: size }, (_, x) => {
        let sum = 0;
        for (let y = 0; y < size; y++) {
            const at = (column: number) => (transposed ? column * size + y : y * size + column);
            sum += Math.abs(values[at(x)]! - values[at((x + 1) % size)]!);
        }
        return sum / size;
    });
}

describe("maps of threads", () => {
    for (const weave of weaves) {
        const relief = makeRelief(weave, SIZE);
        const slopes = findSlopes(relief);

        test(`${weave} goes on where a tile ends`, () => {
            for (const values of [relief.heights, relief.lights])
                for (const transposed of [false, true]) {
                    const steps = stepsAcross(values, SIZE, transposed);
                    const last = steps.pop()!;
                    expect(last).toBeLessThanOrEqual(1.001 * Math.max(...steps));
                }
        });

        test(`${weave} points up on average, is as light as cloth without threads, and fills its map`, () => {
            for (const k of [0, 1]) {
                let sum = 0;
                for (let i = k; i < slopes.length; i += 2) sum += slopes[i]!;
                expect(Math.abs(sum / (SIZE * SIZE))).toBeLessThan(0.01);
            }
            const light = relief.lights.reduce((sum, x) => sum + x, 0) / relief.lights.length;
            expect(light).toBeCloseTo(1, 3);
            const texels = makeTexels(relief, slopes);
            expect(texels.length).toBe(4 * SIZE * SIZE);
            expect(new Set(texels).size).toBeGreaterThan(60);
        });

        test(`${weave} keeps less of its slopes with every level`, () => {
            const kept = findKept(slopes, SIZE);
            expect(kept.length).toBe(LEVELS);
            expect(kept[0]).toBeGreaterThan(0.02);
            kept.forEach((x, i) => i > 0 && expect(x).toBeLessThanOrEqual(1.0001 * kept[i - 1]!));
            expect(kept[LEVELS - 1]).toBeLessThan(0.001);
        });
    }

    test("the warp shows as much as the weave says", () => {
        const shareOf = (weave: Look["weave"]) => {
            const { warps } = makeRelief(weave, SIZE);
            return warps.reduce((sum, x) => sum + x, 0) / warps.length;
        };
        expect(shareOf("plain")).toBeCloseTo(0.5, 1);
        expect(shareOf("twill")).toBeCloseTo(0.75, 1);
        expect(shareOf("satin")).toBeCloseTo(0.875, 1);
    });

    test("what is uneven is so around a middle", () => {
        const texels = makeUneven();
        for (const k of [0, 1, 2]) {
            let sum = 0;
            for (let i = k; i < texels.length; i += 4) sum += texels[i]!;
            expect(sum / (texels.length / 4) / 255).toBeCloseTo(0.5, 1);
        }
    });
});

describe("colours", () => {
    test("both sides of denim have the colours of the look, from white and blue yarns", () => {
        const look: Look = {
            ...DEFAULT_LOOK,
            weave: "twill",
            colour: "#34496b",
            reverse: "#8f9bab",
        };
        const { warp, weft } = findYarns(look);
        expect(weft[0].g).toBeGreaterThan(3 * warp[0].g);
        for (const [side, share] of [
            ["colour", 0.75],
            ["reverse", 0.25],
        ] as const) {
            const at = side === "colour" ? 0 : 1;
            const seen = weft[at].clone().lerp(warp[at], share);
            const wanted = new Color(look[side]);
            for (const k of ["r", "g", "b"] as const) expect(seen[k]).toBeCloseTo(wanted[k], 5);
        }
    });

    test("of another colour, the other side differs as before", () => {
        const look = recoloured(
            { ...DEFAULT_LOOK, colour: "#404040", reverse: "#505060" },
            "#20c0f8",
        );
        expect(look.colour).toBe("#20c0f8");
        expect(look.reverse).toBe("#30d0ff");
    });
});

// Two squares of 10 cm side by side, sewn together where x is 0.1; as one sheet, or as two panels.
function twoSquares(sewn: boolean): Shape {
    const triangles = Uint32Array.from([0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4]);
    const places = [0, 1, 2, 3, 4, 5].map((v) => [0.1 * (v % 3), v < 3 ? 0 : 0.1] as const);
    const apart = (corner: number) => (sewn && corner >= 6 ? 0.3 : 0);
    return {
        vertexCount: 6,
        triangles,
        lines: new Uint32Array(),
        uv: Float32Array.from(places.flat()),
        ...(sewn && {
            cornerUv: Float32Array.from(
                [...triangles].flatMap((v, i) => [places[v]![0] + apart(i), places[v]![1]]),
            ),
        }),
    };
}

const flat = Float32Array.from(
    [0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0].map((x) => 0.1 * x),
);
const up = Float32Array.from(Array.from({ length: 6 }, () => [0, 0, 1]).flat());

describe("borders", () => {
    test("seams are none, whether cloth is one sheet or sewn", () => {
        for (const sewn of [false, true]) {
            const shape = twoSquares(sewn);
            const { borders, seams } = findSides(shape, splitSeams(shape));
            expect(borders.length).toBe(6);
            expect(seams.length).toBe(sewn ? 2 : 0);
        }
    });

    test("the map of hems knows the distances", () => {
        const shape = twoSquares(true);
        const { texture, box } = makeHemMap(shape, splitSeams(shape))!;
        const { width, data } = texture.image as { width: number; data: Uint8Array };
        // as seams.ts places it: u is the height, v is -x
        const at = (x: number, y: number, k: number) => {
            const column = Math.floor((y - box.x) * box.z * width);
            const row = Math.floor((-x - box.y) * box.w * (data.length / 2 / width));
            return (REACH * data[2 * (row * width + column) + k]!) / 255;
        };
        expect(at(0.05, 0.013, 0)).toBeCloseTo(FOLD, 2);
        expect(at(0.05, 0.05, 0)).toBeCloseTo(REACH, 3);
        expect(at(0.09, 0.05, 1)).toBeCloseTo(0.01, 2);
        expect(at(0.41, 0.05, 1)).toBeCloseTo(0.01, 2);
        expect(at(0.01, 0.05, 1)).toBeCloseTo(REACH, 3);
    });

    test("no hems on a flat shape of a hundred metres", () => {
        const shape = twoSquares(false);
        shape.uv = shape.uv.map((x) => 1000 * x);
        expect(makeHemMap(shape, splitSeams(shape))).toBeNull();
    });

    test("the rim stands out from the cloth, to all sides of the border", () => {
        const shape = twoSquares(false);
        const drawn = splitSeams(shape);
        const { borders } = findSides(shape, drawn);
        const thickness = hemThickness(DEFAULT_LOOK);
        const rim = new Rim(borders, 6);
        rim.setThickness(() => thickness);
        const [x, n] = [flat, up].map((numbers) => {
            const all = new Float32Array(3 * (6 + rim.count));
            all.set(numbers);
            return all;
        });
        rim.update(x!, n!);
        const bounds = [0, 1, 2].map((k) => {
            const numbers = [...x!].filter((_, i) => i % 3 === k);
            return [Math.min(...numbers), Math.max(...numbers)];
        });
        expect(bounds[2]![1]).toBeCloseTo(0.5 ** 0.5 * (thickness / 2), 5);
        expect(bounds[2]![0]).toBeCloseTo(-bounds[2]![1]!, 5);
        expect(bounds[0]![0]).toBeLessThan(0);
        expect(bounds[0]![1]).toBeGreaterThan(0.2);
        let corners = 0;
        rim.eachPart((_, part) => (corners += part.length));
        expect(corners).toBe(3 * 8 * borders.length);
    });
});

test("the warp follows the cloth", () => {
    const shape = twoSquares(false);
    const warps = new Warps(splitSeams(shape), 6);
    // turned from x to z
    const turned = flat.map((_, i) => (i % 3 === 2 ? flat[i - 2]! : i % 3 === 0 ? 0 : flat[i]!));
    warps.update(turned);
    const found = [...(warps.attribute.array as Float32Array)];
    for (let v = 0; v < 6; v++)
        found.slice(4 * v, 4 * v + 4).forEach((x, k) => expect(x).toBeCloseTo([0, 0, 1, 1][k]!, 5));
});

test("what is far is drawn first", () => {
    const triangles = Uint32Array.from([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
    const positions = Float32Array.from([0, 0, 2, 0, 0, 5, 0, 0, 1, 0, 0, 3]);
    orderByDepth(triangles, new Uint32Array(12), positions, [0, 0, 1]);
    expect([...triangles].filter((_, i) => i % 3 === 0)).toEqual([1, 3, 0, 2]);
});

describe("in the browser", () => {
    let browser: Browser, viewer: Viewer;
    beforeAll(async () => {
        browser = await launch();
        viewer = await Viewer.start();
    });
    afterAll(async () => {
        await browser.close();
        viewer.stop();
    });

    test("every material compiles, and none looks like another", async () => {
        const visit = await Visit.open(
            browser,
            `${viewer.address}?scene=demo&detail=0.25&paused&bare&fine`,
            {
                viewport: { width: 120, height: 100 },
            },
        );
        await visit.ready();
        const print = (kind: Look["print"]["kind"]) => ({ ...DEFAULT_LOOK.print, kind, size: 0.2 });
        const looks: Look[] = [
            { ...DEFAULT_LOOK, thread: 0.02, relief: 1 },
            { ...DEFAULT_LOOK, weave: "knit", thread: 0.02, relief: 1 },
            { ...DEFAULT_LOOK, weave: "satin", anisotropy: 0.8, roughness: 0.3, specular: 1 },
            { ...DEFAULT_LOOK, opacity: 0.4, print: print("stripes") },
            { ...DEFAULT_LOOK, print: print("checks") },
        ];
        const seen = await visit.page.evaluate(async (looks) => {
            const { live, stage, swatch } = window.weft!;
            const { renderer } = stage as unknown as {
                renderer: { debug: { checkShaderErrors: boolean } };
            };
            renderer.debug.checkShaderErrors = true;
            const pictureOf = async (blob: Blob) =>
                [...new Uint8Array(await blob.arrayBuffer())].join();
            const pictures: string[] = [],
                swatches: string[] = [];
            for (const look of looks) {
                live.views[0]!.setLooks([look]);
                pictures.push(await pictureOf(await stage.capture(120, 100)));
            }
            for (const look of looks.slice(0, 2)) swatches.push((await swatch(look)).toDataURL());
            const again = (await swatch(looks[0]!)).toDataURL();
            return {
                pictures: new Set(pictures).size,
                swatches: new Set(swatches).size,
                same: again === swatches[0],
            };
        }, looks);
        expect(visit.faults).toEqual([]);
        expect(seen).toEqual({ pictures: looks.length, swatches: 2, same: true });
        await visit.close();
    }, 120000);
});
