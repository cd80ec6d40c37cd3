// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Hands on the cloth. One pointer works with the chosen tool where it meets the cloth; everything
// else moves the camera, and so do two fingers, wherever they are.

import type { Tool } from "../ui/panel-types";
import type { Touch } from "../sim/protocol";
import type { Pick, Point, Stage } from "../draw/stage";

/** A click does not move farther, in pixels. */
const CLICK = 6;

const cursors: Record<Tool, string> = { grab: "grab", pin: "pointer", body: "move", orbit: "" };

export class Hands {
    tool: Tool = "grab";
    /** Whether there is something to touch. */
    enabled = true;
    /** What took hold of the cloth, as it was last seen; null: nothing does. */
    private pointer: PointerEvent | null = null;
    private moving: "cloth" | "body" | null = null;
    /** What a click would pin, and where it began. */
    private pinning: { vertex: number; x: number; y: number } | null = null;
    private start: Point = [0, 0, 0];
    private carried: Point = [0, 0, 0];
    private carriedAtStart: Point = [0, 0, 0];

    constructor(
        private readonly stage: Stage,
        private readonly element: HTMLElement,
        private readonly send: (touch: Touch) => void,
    ) {
        // before the camera sees the pointer
        element.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
        window.addEventListener("pointermove", (event) => this.move(event));
        window.addEventListener("pointerup", (event) => this.up(event));
        window.addEventListener("pointercancel", (event) => this.up(event));
    }

    /** Whether a hand holds something. */
    get holds(): boolean {
        return this.pointer !== null;
    }

    /** What came of a touch. */
    told(_told: { reason: string } | { edges: number }): void {}

    /** After a reset nothing is held and nothing is moved. */
    forget(): void {
        this.carried = [0, 0, 0];
        this.pinning = null;
        this.letGo();
    }

    private down(event: PointerEvent): void {
        if (!this.enabled || event.button !== 0 || !event.isTrusted) return;
        this.pinning = null;
        if (!event.isPrimary) return this.handOver();
        if (this.pointer) this.letGo(); // its end was not seen
        const tool = event.shiftKey && this.tool === "grab" ? "pin" : this.tool;
        if (tool === "orbit") return;
        const { clientX: x, clientY: y } = event;
        const hit = this.pick(tool, x, y);
        if (!hit) return;
        if (tool === "pin") this.pinning = { vertex: hit.vertex, x, y };
        else this.take(event, hit, tool);
    }

    private take(event: PointerEvent, hit: Pick, tool: "grab" | "body"): void {
        this.pointer = event;
        this.moving = tool === "grab" ? "cloth" : "body";
        this.start = hit.point;
        this.carriedAtStart = [...this.carried];
        this.element.style.cursor = tool === "grab" ? "grabbing" : "move";
        this.element.setPointerCapture(event.pointerId); // to be followed out of the window
        this.stage.orbit(false);
        this.stage.startDrag(hit.point, hit.pane);
        if (tool === "grab") this.send({ kind: "grab", vertex: hit.vertex, point: hit.point });
    }

    /** A second finger: both are for the camera, which has not seen the first one yet. */
    private handOver(): void {
        const first = this.pointer;
        if (!first) return;
        this.letGo();
        const { pointerId, pointerType, clientX, clientY } = first;
        const again = { pointerId, pointerType, clientX, clientY, isPrimary: true };
        this.element.dispatchEvent(new PointerEvent("pointerdown", again));
    }

    private lastHover = 0;

    /** The pointer tells whether it would meet the cloth; not with every event, as it takes time. */
    private hover(event: PointerEvent): void {
        const over = event.target === this.element && event.buttons === 0;
        if (!over || event.pointerType === "touch" || event.timeStamp < this.lastHover + 80) return;
        this.lastHover = event.timeStamp;
        const useful = this.enabled && this.tool !== "orbit";
        const hit = useful && this.pick(this.tool, event.clientX, event.clientY) !== null;
        this.element.style.cursor = hit ? cursors[this.tool] : "";
    }

    /** Bodies are moved by themselves, or by the cloth that they hold. */
    private pick(tool: Tool, x: number, y: number): Pick | null {
        return tool === "body" ? this.stage.pickAny(x, y) : this.stage.pick(x, y);
    }

    private move(event: PointerEvent): void {
        if (!this.pointer) return this.hover(event);
        if (event.pointerId !== this.pointer.pointerId) return;
        if (event.buttons === 0) return this.letGo(); // let go where nobody saw it
        this.pointer = event;
        const point = this.stage.dragPoint(event.clientX, event.clientY);
        if (!point) return;
        if (this.moving === "cloth") return this.send({ kind: "drag", point });
        this.carried = this.carriedAtStart.map(
            (from, k) => from + point[k]! - this.start[k]!,
        ) as Point;
        this.send({ kind: "carry", offset: this.carried });
    }

    private up(event: PointerEvent): void {
        if (event.pointerId === this.pointer?.pointerId) this.letGo();
        const pin = this.pinning;
        this.pinning = null;
        if (!pin || event.type === "pointercancel") return;
        const moved = Math.hypot(event.clientX - pin.x, event.clientY - pin.y);
        if (moved <= CLICK) this.send({ kind: "pin", vertex: pin.vertex });
    }

    private letGo(): void {
        if (this.moving === "cloth") this.send({ kind: "drop" });
        this.pointer = null;
        this.moving = null;
        this.element.style.cursor = "";
        this.stage.orbit(true);
    }
}
