// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A click on the cloth selects it, or the panel of a garment: settings of fabrics act on that. A
// click beside it selects all that there is. What is selected shows its border for a moment.

import { borderOf } from "../../draw/outline";
import type { Stage } from "../../draw/stage";
import { isOf, keyOf, targetAt, type Target } from "../../scene/targets";
import type { Live } from "../live";

/** A click does not move farther, in pixels, nor last longer, in milliseconds. */
const CLICK = 6;
const LONG = 350;
/** Milliseconds in which the border is seen. */
const SHOWN = 1600;

export class Selecting {
    private down: PointerEvent | null = null;
    private last: Target = null;
    private timer = 0;

    /** `wanted`: whether clicks select now. */
    constructor(
        private readonly stage: Stage,
        element: HTMLElement,
        private readonly live: Live,
        private readonly wanted: () => boolean,
        private readonly selected: (target: Target) => void,
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
        const target = this.targetAt(event);
        if ((target && keyOf(target)) !== (this.last && keyOf(this.last))) this.selected(target);
    }

    private targetAt({ clientX, clientY }: PointerEvent): Target {
        const { description, views } = this.live;
        const hit = this.stage.pick(clientX, clientY);
        const view = hit && views[hit.pane];
        return description && view ? targetAt(description, view.shape, hit.vertex) : null;
    }

    /** Its border is seen for a moment. */
    show(target: Target): void {
        this.last = target;
        this.outline(target);
        clearTimeout(this.timer);
        if (target) this.timer = window.setTimeout(() => this.outline(null), SHOWN);
    }

    private outline(target: Target): void {
        const { description, views } = this.live;
        for (const view of views) {
            const chosen = target && description && isOf(description, view.shape, target);
            view.setOutline(chosen ? borderOf(view.shape.triangles, chosen) : null);
        }
    }
}
