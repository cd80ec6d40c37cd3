// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what is drawn with more triangles than it has: outlines are round, rims and corners stay, and
// bodies do not come through what lies on them.

import * as THREE from "three";
import { expect, test } from "vitest";
import { BodyView } from "../src/draw/bodies";
import { flatCorners, Refinement } from "../src/draw/refine";

// A fan of eight triangles around a middle: a disc.
function disc(): { x: Float32Array; n: Float32Array; mesh: Refinement } {
    const count = 9,
        triangles: number[] = [],
        uv = [0, 0];
    for (let i = 0; i < 8; i++) {
        triangles.push(0, 1 + i, 1 + ((i + 1) % 8));
        uv.push(Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4));
    }
    const same = Uint32Array.from({ length: count }, (_, v) => v);
    const coarse = { triangles: Uint32Array.from(triangles), count, same, creased: false };
    const corners = flatCorners({ ...coarse, corners: new Uint8Array() }, Float32Array.from(uv));
    const mesh = new Refinement({ ...coarse, corners }, 2);
    const x = new Float32Array(3 * mesh.count),
        n = new Float32Array(3 * mesh.count);
    for (let v = 0; v < count; v++) {
        x.set([uv[2 * v]!, uv[2 * v + 1]!, 0], 3 * v);
        n.set([0, 0, 1], 3 * v);
    }
    mesh.round(x, n);
    return { x, n, mesh };
}

test("a disc of eight corners is drawn round, flat, and with four parts for each triangle", () => {
    const { x, n, mesh } = disc();
    expect(mesh.triangles.length).toBe(3 * 8 * 16);
    const rim: number[] = [];
    for (let v = 1; v < mesh.count; v++) {
        expect(x[3 * v + 2]).toBe(0);
        expect(n[3 * v + 2]).toBeCloseTo(1);
        const radius = Math.hypot(x[3 * v]!, x[3 * v + 1]!);
        if (radius > 0.9) rim.push(radius);
    }
    expect(rim.length).toBe(32);
    // corners of the octagon's sides alone would be at 0.924
    expect(Math.min(...rim)).toBeGreaterThan(0.98);
    expect(Math.max(...rim)).toBeLessThan(1.01);
});

test("corners of a square stay corners", () => {
    const mesh = {
        triangles: Uint32Array.from([0, 1, 2, 0, 2, 3]),
        count: 4,
        same: Uint32Array.from([0, 1, 2, 3]),
        creased: false,
        corners: new Uint8Array(),
    };
    expect([...flatCorners(mesh, Float32Array.from([0, 0, 1, 0, 1, 1, 0, 1]))]).toEqual([
        1, 1, 1, 1,
    ]);
});

interface Solid {
    positions: Float32Array;
    triangles: Uint32Array;
}

/** Rings of vertices around the y axis, radius and height of each from the lowest to the highest, and a
 *  pole at each end. */
function turned(segments: number, rings: [number, number][], low: number, high: number): Solid {
    const positions = [0, low, 0],
        triangles: number[] = [];
    const top = 1 + rings.length * segments;
    for (const [radius, y] of rings)
        for (let k = 0; k < segments; k++) {
            const angle = (2 * Math.PI * k) / segments;
            positions.push(radius * Math.cos(angle), y, -radius * Math.sin(angle));
        }
    positions.push(0, high, 0);
    for (let k = 0; k < segments; k++) {
        const next = (k + 1) % segments,
            last = top - segments;
        triangles.push(0, 1 + next, 1 + k, last + k, last + next, top);
        for (let low = 1; low < last; low += segments) {
            const up = low + segments;
            triangles.push(low + k, low + next, up + next, low + k, up + next, up + k);
        }
    }
    return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** About a hundred triangles. */
function ball(): Solid {
    const rings = [-2, -1, 0, 1, 2].map((ring): [number, number] => {
        const latitude = (ring * Math.PI) / 6;
        return [0.25 * Math.cos(latitude), 0.25 * Math.sin(latitude)];
    });
    return turned(10, rings, -0.25, 0.25);
}

/** With creases around both ends. */
function drum(): Solid {
    const at = (y: number): [number, number] => [0.2, y];
    return turned(12, [at(-0.3), at(0), at(0.3)], -0.3, 0.3);
}

function draw({ positions, triangles }: Solid): Solid {
    const starts = Uint32Array.from([0, positions.length / 3]);
    const view = new BodyView({ triangles, starts, planes: new Uint8Array(1) });
    view.update(positions);
    const { geometry } = view.object;
    return {
        positions: geometry.getAttribute("position").array as Float32Array,
        triangles: geometry.getIndex()!.array as Uint32Array,
    };
}

function at({ positions }: Solid, vertex: number): THREE.Vector3 {
    return new THREE.Vector3().fromArray(positions, 3 * vertex);
}

/** How far the farthest drawn vertex is outside of a convex body. */
function standsOut(body: Solid, drawn: Solid): number {
    const faces: THREE.Plane[] = [];
    for (let i = 0; i < body.triangles.length; i += 3) {
        const [a, b, c] = body.triangles.subarray(i, i + 3);
        const places = [at(body, a!), at(body, b!), at(body, c!)] as const;
        faces.push(new THREE.Plane().setFromCoplanarPoints(...places));
    }
    return [...drawn.triangles]
        .map((v) => Math.max(...faces.map((face) => face.distanceToPoint(at(drawn, v)))))
        .reduce((most, out) => Math.max(most, out), -Infinity);
}

test("what is drawn of a coarse body does not stand out of it, and is rounder all the same", () => {
    const body = ball(),
        drawn = draw(body);
    expect(drawn.triangles.length).toBeGreaterThan(body.triangles.length);
    expect(standsOut(body, drawn)).toBeLessThan(1e-6);
    const equator: number[] = [];
    for (const v of new Set(drawn.triangles)) {
        const { x, y, z } = at(drawn, v);
        if (Math.abs(y) < 1e-6) equator.push(Math.hypot(x, z));
    }
    // of ten sides, the middles are at 0.951 of the corners
    expect(equator).toHaveLength(40);
    expect(Math.min(...equator) / Math.max(...equator)).toBeGreaterThan(0.98);
});

test("creases of a coarse body neither stand out nor come apart", () => {
    const body = drum(),
        drawn = draw(body);
    expect(standsOut(body, drawn)).toBeLessThan(1e-6);
    const place = (v: number) =>
        at(drawn, v)
            .toArray()
            .map((x) => Math.round(1e6 * x))
            .join();
    const open = new Set<string>();
    drawn.triangles.forEach((v, i) => {
        const next = drawn.triangles[i % 3 === 2 ? i - 2 : i + 1]!;
        if (!open.delete(`${place(next)} ${place(v)}`)) open.add(`${place(v)} ${place(next)}`);
    });
    expect(open.size).toBe(0);
});

test("a body without an inside, which may be touched from both sides, is drawn as it is", () => {
    const { positions, triangles } = drum();
    // without its lower end
    const open = triangles.filter((_, i) => {
        const first = i - (i % 3);
        return ![0, 1, 2].some((k) => triangles[first + k] === 0);
    });
    const whole = draw({ positions, triangles: open });
    for (const v of new Set(whole.triangles)) {
        const { x, y, z } = at(whole, v);
        const radius = Math.hypot(x, z);
        if (Math.abs(y) < 0.29) expect(radius).toBeLessThan(0.2 + 1e-6);
        if (Math.abs(y) < 0.29) expect(radius).toBeGreaterThan(0.2 * Math.cos(Math.PI / 12) - 1e-6);
    }
});
