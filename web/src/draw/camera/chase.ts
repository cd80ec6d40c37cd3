// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A camera that goes along with what it looks at: smoothly, from where it stands, and without taking
// it out of the hands of whoever turns or shifts it.

import * as THREE from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { corners } from "./room";

/** "auto": once the middle of what is there leaves the picture, or, where nobody moved the camera, a
 *  part of it. */
export type Following = "auto" | "always" | "never";

const EDGE = 0.95; // of the way from the middle of the picture to its edge; what is fitted in lies within
const CUT = 1.1; // the same, of what is cut off
const EASE = 0.45; // seconds
const STEADY = 0.6; // seconds over which the pace is taken
const JUMP = 0.7; // of the room's radius, in one frame: another moment, not a motion
const MOVED = 0.25; // of the room's radius: what moves less was shifted out of sight by hand
const FIRST = 4; // seconds of what is shown, in which all of it shall be seen

export class Chase {
    private mode: Following = "auto";
    private following = false;
    private touched = false;
    /** Where the middle was when the camera was placed, or touched last; and in the last frame. */
    private seen: THREE.Vector3 | null = null;
    private last: THREE.Vector3 | null = null;
    /** From the middle to the target, shifted by hand. */
    private readonly aside = new THREE.Vector3();
    private readonly velocity = new THREE.Vector3();
    private readonly lastTarget = new THREE.Vector3();
    /** How far the camera was taken in all. */
    private readonly taken = new THREE.Vector3();

    constructor(
        private readonly camera: THREE.PerspectiveCamera,
        private readonly controls: OrbitControls,
    ) {}

    setMode(mode: Following): void {
        this.mode = mode;
        this.following = false;
    }

    /** The camera is placed anew. */
    forget(): void {
        this.following = false;
        this.touched = false;
        this.seen = this.last = null;
        this.taken.set(0, 0, 0);
    }

    get isTouched(): boolean {
        return this.touched;
    }

    get follows(): boolean {
        return this.following;
    }

    /** How far the camera was taken in all. */
    get carried(): THREE.Vector3 {
        return this.taken;
    }

    /** Somebody moves the camera. */
    touch(): void {
        this.touched = true;
        this.seen = this.last?.clone() ?? null;
    }

    /** What is there begins again where it began. */
    goBack(): void {
        this.shift(this.taken.clone().negate());
        this.taken.set(0, 0, 0);
        this.following = false;
        this.seen = this.last = null;
    }

    /** Whether the camera may still step back to show all. */
    watches(time: number): boolean {
        return !this.touched && this.mode !== "never" && time < FIRST;
    }

    /** Moves the camera; whether it did. `aspect`: of the picture. */
    along(box: THREE.Box3, radius: number, aspect: number, seconds: number): boolean {
        const middle = box.getCenter(new THREE.Vector3());
        const before = this.last ?? middle;
        const step = middle.clone().sub(before);
        this.last = middle.clone();
        this.seen ??= middle.clone();
        if (!this.following && this.begins(box, middle, radius, aspect)) this.begin(middle, aspect);
        if (!this.following) return false;
        const { target } = this.controls;
        this.aside.add(target).sub(this.lastTarget); // what a hand shifted stays shifted
        const move = step.length() > JUMP * radius ? step : this.ease(middle, step, seconds);
        this.shift(move);
        this.taken.add(move);
        this.lastTarget.copy(target);
        return move.length() > 1e-4 * radius;
    }

    // What is asked to be followed stays where it is in the picture; what leaves it comes to its middle.
    private begin(middle: THREE.Vector3, aspect: number): void {
        this.following = true;
        const stays = this.mode === "always" && this.outside(middle, aspect) < EDGE;
        this.aside.copy(stays ? this.controls.target : middle).sub(middle);
        this.velocity.set(0, 0, 0);
        this.lastTarget.copy(this.controls.target);
    }

    // A part of the way to where the middle will be: at an even pace the camera is not behind.
    private ease(middle: THREE.Vector3, step: THREE.Vector3, seconds: number): THREE.Vector3 {
        const now = step.divideScalar(Math.max(seconds, 1e-3));
        this.velocity.lerp(now, 1 - Math.exp(-seconds / STEADY));
        const goal = middle.clone().addScaledVector(this.velocity, EASE).add(this.aside);
        return goal.sub(this.controls.target).multiplyScalar(1 - Math.exp(-seconds / EASE));
    }

    private begins(
        box: THREE.Box3,
        middle: THREE.Vector3,
        radius: number,
        aspect: number,
    ): boolean {
        if (this.mode !== "auto") return this.mode === "always";
        if (middle.distanceTo(this.seen!) < MOVED * radius) return false;
        if (this.outside(middle, aspect) > EDGE) return true;
        return !this.touched && corners(box).some((place) => this.outside(place, aspect) > CUT);
    }

    /** From 0 in the middle of the picture to 1 at its edge. */
    private outside(place: THREE.Vector3, aspect: number): number {
        this.camera.updateMatrixWorld();
        const at = place.clone().applyMatrix4(this.camera.matrixWorldInverse);
        if (at.z >= 0) return Infinity;
        const up = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2));
        return Math.max(Math.abs(at.x) / aspect, Math.abs(at.y)) / (-at.z * up);
    }

    private shift(by: THREE.Vector3): void {
        this.camera.position.add(by);
        this.controls.target.add(by);
    }
}
