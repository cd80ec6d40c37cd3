// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards where light and shadow are: they go along with what walks away.

import * as THREE from "three";
import { expect, test } from "vitest";
import { Footprint } from "../src/draw/light/footprint";
import { TOWARDS_KEY } from "../src/draw/light/light";
import { keepLit } from "../src/draw/light/lit";
import { corners } from "../src/draw/camera/room";

/** Somebody who stands on the floor. */
function figure(x: number): THREE.Box3 {
    const half = new THREE.Vector3(0.4, 0.9, 0.3);
    const middle = new THREE.Vector3(x, 0.9, 0);
    return new THREE.Box3(middle.clone().sub(half), middle.clone().add(half));
}

/** The largest of a shadow's coordinates in its picture, which ends at 1. */
function reach(box: THREE.Box3, ball: THREE.Sphere): number {
    const footprint = new Footprint(8);
    footprint.fit(ball, 0, TOWARDS_KEY);
    const [x, z, scale] = footprint.uniforms.footprintSquare.value.toArray();
    const off = corners(box).map((corner) => {
        const shadow = corner.clone().addScaledVector(TOWARDS_KEY, -corner.y / TOWARDS_KEY.y);
        return scale * Math.max(Math.abs(shadow.x - x), Math.abs(shadow.z - z));
    });
    return Math.max(...off);
}

test("who walks away keeps a whole shadow, of the same sharpness", () => {
    const ball = new THREE.Sphere(new THREE.Vector3(0, 0.9, 0), 1.3);
    let moves = 0;
    for (let x = 0; x < 20; x += 0.02) {
        if (keepLit(ball, figure(x), 1.3)) moves++;
        expect(reach(figure(x), ball)).toBeLessThan(0.88);
    }
    expect(ball.radius).toBe(1.3);
    expect(moves).toBeLessThan(100);
});

test("what spreads has light all over, up to six times the room", () => {
    const ball = new THREE.Sphere(new THREE.Vector3(), 1);
    const box = figure(0).expandByScalar(2);
    expect(keepLit(ball, box, 1)).toBe(true);
    for (const corner of corners(box)) expect(ball.containsPoint(corner)).toBe(true);
    expect(keepLit(ball, box, 1)).toBe(false);
    keepLit(ball, box.expandByScalar(1000), 1);
    expect(ball.radius).toBe(6);
    expect(keepLit(ball, box, 1)).toBe(false);
});
