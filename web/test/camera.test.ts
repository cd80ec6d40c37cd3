// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards where the camera stands and where the floor lies: all of what is there in the picture, in its
// middle and large, and nothing below the floor.

import {
    Box3,
    BoxGeometry,
    type BufferGeometry,
    CylinderGeometry,
    PerspectiveCamera,
    SphereGeometry,
    Vector3,
} from "three";
import { mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { describe, expect, test } from "vitest";
import { surroundingsOf } from "../src/draw/bodies";
import { distanceFor, FIELD_OF_VIEW, fitTo } from "../src/draw/camera/fit";
import {
    floorBelow,
    isNear,
    outermost,
    pointsOf,
    roomOfCloth,
    roomOfPlaces,
} from "../src/draw/camera/room";
import { Settle } from "../src/draw/camera/settle";
import { boxOfMost } from "../src/draw/camera/stays";

const picture = { x: 0, y: 0, width: 800, height: 600 };
const phone = { x: 0, y: 0, width: 390, height: 600 };
const slanting = new Vector3().setFromSphericalCoords(1, 1.27, 0.4);

/** Level, of 1 m x 1 m, from x = 0 and z = 0 to the camera; or upright, its top at y = 1. */
function sheet(upright = false, width = 1, count = 11): Float32Array {
    const places: number[] = [];
    for (let i = 0; i < count; i++)
        for (let j = 0; j < count; j++) {
            const [x, down] = [(width * j) / (count - 1), i / (count - 1)];
            places.push(...(upright ? [x, 1 - down, 0] : [x, 1, down]));
        }
    return Float32Array.from(places);
}

function pinsOf(positions: Float32Array, which: (x: number, y: number, z: number) => boolean) {
    const all = Array.from({ length: positions.length / 3 }, (_, v) => 3 * v);
    return Uint8Array.from(all, (at) => Number(which(...triple(positions, at))));
}

function triple(positions: Float32Array, at: number): [number, number, number] {
    return [positions[at]!, positions[at + 1]!, positions[at + 2]!];
}

/** From -1 to 1. */
function project(
    place: Vector3,
    target: Vector3,
    distance: number,
    direction: Vector3,
    form = picture,
) {
    const camera = new PerspectiveCamera(FIELD_OF_VIEW, form.width / form.height);
    camera.position.copy(target).addScaledVector(direction, distance);
    camera.lookAt(target);
    camera.updateMatrixWorld();
    return place.clone().project(camera);
}

describe("the camera", () => {
    const places = [
        [0, 0, 0],
        [2, 0.1, 0],
        [1.5, 1, -3],
        [0.3, 0.8, 0.4],
    ].map((place) => new Vector3(...place));

    test.each([picture, phone])(
        "has all in the middle of the picture, as large as can be",
        (form) => {
            const { target, distance } = fitTo(places, slanting, form);
            const seen = places.map((place) => project(place, target, distance, slanting, form));
            const [x, y] = [seen.map((at) => at.x), seen.map((at) => at.y)];
            expect(Math.max(...x) + Math.min(...x)).toBeCloseTo(0, 2);
            expect(Math.max(...y) + Math.min(...y)).toBeCloseTo(0, 2);
            const widest = Math.max(...x, ...y);
            expect(widest).toBeGreaterThan(0.8);
            expect(widest).toBeLessThan(0.95);
            expect(distanceFor(places, target, slanting, form)).toBeLessThan(distance);
        },
    );

    test("stands right for what has no width", () => {
        const line = [0, 1, 2].map((y) => new Vector3(0.5, y, 0));
        const { target, distance } = fitTo(line, new Vector3(0, 0, 1), picture);
        expect(target.x).toBeCloseTo(0.5, 5);
        expect(target.y).toBeCloseTo(1, 5);
        expect(distance).toBeGreaterThan(3);
    });

    test("goes near once what was there has fallen", () => {
        const settle = new Settle();
        const place = new Vector3(1, 2, 3);
        const looks = [0, 0.5, 1, 1.5, 2, 2.5, 3].map((time) => settle.look(time, () => [place]));
        expect(looks.map((found) => found?.length ?? 0)).toEqual([0, 0, 0, 0, 0, 3, 0]);
        expect(settle.look(4, () => [place])).toBeNull();
        settle.forget();
        expect(settle.look(5, () => [place])).toBeNull(); // it was not seen to fall
    });

    test("needs but the outermost places to show them all", () => {
        const many = sheet(true, 2, 41);
        const all = Array.from({ length: many.length / 3 }, (_, v) =>
            new Vector3().fromArray(many, 3 * v),
        );
        const few = outermost(all);
        expect(few.length).toBeLessThan(27);
        const [one, other] = [all, few].map((places) => fitTo(places, slanting, picture).distance);
        expect(other).toBeCloseTo(one!, 6);
    });

    test("sees both feet of a mesh that has left and right by turns", () => {
        const feet = Float32Array.from({ length: 3003 }, (_, i) => (i % 6 < 3 ? -1 : 1));
        const seen = pointsOf(feet, 600).map(({ x }) => x);
        expect(new Set(seen)).toEqual(new Set([-1, 1]));
        expect(seen.length).toBeLessThan(620);
    });

    test("does not step back for what flies past", () => {
        const cloth = new Box3(new Vector3(0, 0, 0), new Vector3(1, 1, 0));
        const ball = (z: number) => new Box3(new Vector3(0, 0, z), new Vector3(0.2, 0.2, z + 0.2));
        expect([0.2, 2, 4].map((z) => isNear(cloth, ball(z), 0.25))).toEqual([true, false, false]);
        expect([0.2, 2, 4].map((z) => isNear(cloth, ball(z)))).toEqual([true, true, false]);
    });

    test("stays with most of the cloth where a piece blows away, and goes along with all of it", () => {
        const moved = (by: number) => sheet().map((value, i) => (i % 3 === 0 ? value + by : value));
        const all = boxOfMost([sheet(), moved(1)], 4)!;
        expect(all.max.x).toBeCloseTo(2);
        const torn = Float32Array.from([...sheet(), ...moved(16).subarray(0, 120)]);
        expect(boxOfMost([torn], 4)!.max.x).toBeCloseTo(1);
        expect(boxOfMost([sheet(), moved(1), moved(-16)], 4)!.min.x).toBeCloseTo(0);
        expect(boxOfMost([moved(16)], 4)!.min.x).toBeCloseTo(16);
        const scattered = sheet().map((value) => 100 * value);
        expect(boxOfMost([scattered], 4)).toBeNull();
        expect(boxOfMost([sheet().fill(NaN)], 4)).toBeNull();
    });

    test("does not step back for a floor far below", () => {
        const low = roomOfPlaces(places, -0.2),
            lower = roomOfPlaces(places, -9);
        expect(low.box.min.y).toBe(-0.2);
        expect(lower.box.min.y).toBe(0);
    });
});

/** Of a sheet 1 m above y = 0, with bodies whose middles are that high. */
function floorUnder(bodies: [BufferGeometry, number][]): number {
    const triangles: number[] = [],
        positions: number[] = [],
        starts = [0];
    for (const [geometry, y] of bodies) {
        const whole = mergeVertices(
            geometry.clone().deleteAttribute("normal").deleteAttribute("uv"),
        );
        whole.translate(0, y, 0);
        for (const vertex of whole.index!.array) triangles.push(starts.at(-1)! + vertex);
        positions.push(...whole.getAttribute("position").array);
        starts.push(positions.length / 3);
    }
    const shape = {
        triangles: Uint32Array.from(triangles),
        starts: Uint32Array.from(starts),
        planes: new Uint8Array(bodies.length),
    };
    const around = surroundingsOf(shape, Float32Array.from(positions));
    return floorBelow(sheet(), null, around)!;
}

describe("the page's floor", () => {
    const nothing = { boxes: [], floor: null };

    test("lies just below a sheet that is held by two corners", () => {
        const level = sheet();
        const pinned = pinsOf(level, (x, _, z) => z === 0 && (x === 0 || x === 1));
        const floor = floorBelow(level, pinned, nothing)!;
        expect(floor).toBeLessThan(0);
        expect(floor).toBeGreaterThan(-0.1);
    });

    test("lies below all that a flag can hang down to, and no farther", () => {
        const flag = sheet(true, 1.5);
        const pinned = pinsOf(flag, (x) => x === 0);
        const low = 1 - Math.hypot(1.5, 1); // as far from the upper pin as its lower corner is
        const floor = floorBelow(flag, pinned, nothing)!;
        expect(floor).toBeLessThan(low);
        expect(floor).toBeGreaterThan(low - 0.15);
        expect(roomOfCloth(flag, pinned, nothing).box.min.y).toBeCloseTo(floor, 2);
    });

    test("leaves room below what is held at both ends", () => {
        const ribbon = sheet(true, 4);
        const pinned = pinsOf(ribbon, (x) => x === 0 || x === 4);
        expect(floorBelow(ribbon, pinned, nothing)!).toBeLessThan(-0.5);
    });

    test("has bodies standing on it, or cloth hanging down above it", () => {
        const ball = (bottom: number) => {
            const box = new Box3(new Vector3(0.3, bottom, 0.3), new Vector3(0.7, 0.9, 0.7));
            return { boxes: [box], floor: null };
        };
        expect(floorBelow(sheet(), null, ball(-0.25))).toBe(-0.25);
        const above = floorBelow(sheet(), null, ball(0.5))!;
        expect(above).toBeGreaterThan(0.2);
        expect(above).toBeLessThan(0.4);
    });

    test("is where furniture stands that nothing is below", () => {
        const crate = new BoxGeometry(0.6, 0.5, 0.6);
        const funnel = new CylinderGeometry(0.3, 0.1, 0.5, 12, 1, true);
        const ball = new SphereGeometry(0.25);
        expect(floorUnder([[crate, 0.35]])).toBeCloseTo(0.1, 3);
        expect(floorUnder([[new CylinderGeometry(0.3, 0.3, 0.5), 0.35]])).toBeCloseTo(0.1, 3);
        const without = floorBelow(sheet(), null, nothing)!;
        // legs that are not quite as long
        const legs = floorUnder([
            [crate, 0.35],
            [crate, 0.3503],
        ]);
        expect(legs).toBeCloseTo(0.1, 3);
        for (const shape of [funnel, ball])
            expect(floorUnder([[shape, 0.85]])).toBeCloseTo(without, 3);
        // a shelf below which something hangs, or cloth is
        expect(floorUnder([[crate, 1.5]])).toBeCloseTo(without, 3);
        expect(
            floorUnder([
                [crate, 0.35],
                [ball, 0.3],
            ]),
        ).toBeCloseTo(0.05, 2);
    });

    test("is the scene's own where it has one", () => {
        expect(floorBelow(sheet(), null, { boxes: [], floor: 0 })).toBeNull();
        expect(roomOfCloth(sheet(), null, { boxes: [], floor: 0.25 }).floor).toBe(0.25);
    });
});
