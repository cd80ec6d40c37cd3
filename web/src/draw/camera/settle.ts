// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth needs room to fall and to swing, and mostly less of it later: once a scene has come so far, the
// camera goes near to what is there then.

import type { Vector3 } from "three";

const FROM = 1.2; // seconds of the scene from which on it is looked at
const UNTIL = 2.2;
const APART = 0.2; // between two looks

export class Settle {
    private places: Vector3[] = [];
    private next = FROM;

    /** It begins again. */
    forget(): void {
        this.places = [];
        this.next = FROM;
    }

    /** All places where something was lately, once, when it is time to go there; else null. */
    look(time: number, now: () => Vector3[]): Vector3[] | null {
        if (time < this.next) return null;
        if (this.next === FROM && time > UNTIL) this.next = Infinity; // it came from elsewhere
        if (this.next === Infinity) return null;
        this.next = time + APART;
        this.places.push(...now());
        if (time < UNTIL) return null;
        this.next = Infinity;
        return this.places;
    }
}
