// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How many threads take part in a step. They come as helpers of the worker that plays a scene, where
// memory may be shared: in a page that is isolated from others, as `weft view` serves it.

import type { Core } from "./core";
import type { Seat } from "./module";

const MOST = 7; // more gain nothing on cloth of a page

/** Helpers for each of several workers; one core is left to whoever draws. */
export function crewSize(lanes: number, wanted: number | null): number {
    if (!globalThis.crossOriginIsolated) return 0;
    const cores = wanted ?? navigator.hardwareConcurrency - 1;
    return Math.min(Math.max(0, Math.floor(cores / lanes) - 1), MOST);
}

export class Crew {
    private readonly helpers: Worker[] = [];

    constructor(private readonly core: Core) {}

    /** Helpers stay: those that nobody needs sleep. */
    growTo(count: number): void {
        while (this.helpers.length < count) {
            const stack = this.core.call("play_seat");
            if (stack === 0) return;
            const helper = new Worker(new URL("./helper.ts", import.meta.url), { type: "module" });
            const seat: Seat = { module: this.core.module, stack, seat: this.helpers.length };
            helper.postMessage(seat);
            this.helpers.push(helper);
        }
    }
}
