// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A click on the cloth selects it, or the panel of a garment: settings of fabrics act on that. A
// click beside it selects all that there is.

import type { Stage } from "../draw/stage";

/** A click does not move farther, in pixels, nor last longer, in milliseconds. */
const CLICK = 6;
const LONG = 350;

export class Selecting {
    private down: PointerEvent | null = null;

    /** `picked`: the vertex, -1 for none; not called while `wanted` says no. */
    constructor(
        private readonly stage: Stage,
        element: HTMLElement,
        private readonly wanted: () => boolean,
        private readonly picked: (vertex: number, pane: number) => void,
    ) {
        // before hands, who may keep it to themselves
        const first = { capture: true };
        element.addEventListener("pointerdown", (event) => this.begin(event), first);
        element.addEventListener("pointerup", (event) => this.end(event), first);
    }

    private begin(event: PointerEvent): void {
        const plain = event.button === 0 && event.isPrimary && !event.shiftKey;
        this.down = plain ? event : null;
    }

    private end(event: PointerEvent): void {
        const { down } = this;
        this.down = null;
        if (!down || event.pointerId !== down.pointerId || !this.wanted()) return;
        const moved = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY);
        if (moved > CLICK || event.timeStamp - down.timeStamp > LONG) return;
        const hit = this.stage.pick(event.clientX, event.clientY);
        this.picked(hit?.vertex ?? -1, hit?.pane ?? -1);
    }
}
