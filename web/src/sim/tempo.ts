// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How fast time passes in a scene, measured against the clock.

interface Moment {
    wall: number;
    time: number;
}

const WINDOW = 2500; // milliseconds that are looked back at
const LEAST = 900; // of them are needed
const GAP = 1500; // between two looks: the page slept

export class Tempo {
    private moments: Moment[] = [];

    /** Call it several times a second. `wall`: milliseconds; `time`: seconds of the scene; `plays`:
     *  whether its time is to pass. */
    look(wall: number, time: number, plays: boolean): void {
        const last = this.moments.at(-1);
        const broken = last && (time < last.time || wall - last.wall > GAP);
        if (!plays || broken) this.moments = [];
        if (!plays) return;
        this.moments.push({ wall, time });
        this.moments = this.moments.filter((moment) => wall - moment.wall <= WINDOW);
    }

    /** Seconds of the scene per second; null while it is not known. */
    get factor(): number | null {
        const [first, last] = [this.moments[0], this.moments.at(-1)];
        if (!first || !last || last.wall - first.wall < LEAST) return null;
        return (1000 * (last.time - first.time)) / (last.wall - first.wall);
    }
}

/** Where a scene is slower than it is meant to be: "0.4×"; else empty. `wanted`: seconds of the scene
 *  per second, as it was asked for. */
export function tempoText(factor: number | null, wanted: number): string {
    if (factor === null || factor > 0.95 * wanted) return "";
    return `${factor < 0.1 ? factor.toFixed(2) : factor.toFixed(1)}×`;
}
