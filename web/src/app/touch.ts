// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Hands on the cloth. One pointer works with the chosen tool where it meets the cloth; everything
// else, and every second finger, turns the camera.

import type { Tool } from "../ui/panel-types";
import type { Touch } from "../sim/protocol";
import type { Stage } from "../draw/stage";

type Point = [number, number, number];

const cursors: Record<Tool, string> = { grab: "grab", pin: "pointer", body: "move", orbit: "" };

export class Hands {
    tool: Tool = "grab";
    /** Whether there is something to touch. */
    enabled = true;
    private pointer: number | null = null;
    private moving: "cloth" | "body" | null = null;
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

    /** After a reset nothing is held and nothing is moved. */
    forget(): void {
        this.carried = [0, 0, 0];
        this.letGo();
    }

    private down(event: PointerEvent): void {
        if (!this.enabled || event.button !== 0) return;
        if (this.pointer !== null) return this.letGo();
        const tool = event.shiftKey && this.tool === "grab" ? "pin" : this.tool;
        if (tool === "orbit") return;
        const hit = this.stage.pick(event.clientX, event.clientY);
        if (!hit) return;
        if (tool === "pin") return this.send({ kind: "pin", vertex: hit.vertex });
        this.pointer = event.pointerId;
        this.moving = tool === "grab" ? "cloth" : "body";
        this.start = hit.point;
        this.carriedAtStart = [...this.carried];
        this.element.style.cursor = tool === "grab" ? "grabbing" : "move";
        this.stage.orbit(false);
        this.stage.startDrag(hit.point, hit.pane);
        if (tool === "grab") this.send({ kind: "grab", vertex: hit.vertex });
    }

    private lastHover = 0;

    /** The pointer tells whether it would meet the cloth; not with every event, as it takes time. */
    private hover(event: PointerEvent): void {
        const over = event.target === this.element && event.buttons === 0;
        if (!over || event.pointerType === "touch" || event.timeStamp < this.lastHover + 80) return;
        this.lastHover = event.timeStamp;
        const useful = this.enabled && this.tool !== "orbit";
        const hit = useful && this.stage.pick(event.clientX, event.clientY) !== null;
        this.element.style.cursor = hit ? cursors[this.tool] : "";
    }

    private move(event: PointerEvent): void {
        if (this.pointer === null) return this.hover(event);
        if (event.pointerId !== this.pointer) return;
        const point = this.stage.dragPoint(event.clientX, event.clientY);
        if (!point) return;
        if (this.moving === "cloth") return this.send({ kind: "drag", point });
        this.carried = this.carriedAtStart.map(
            (from, k) => from + point[k]! - this.start[k]!,
        ) as Point;
        this.send({ kind: "carry", offset: this.carried });
    }

    private up(event: PointerEvent): void {
        if (event.pointerId === this.pointer) this.letGo();
    }

    private letGo(): void {
        if (this.moving === "cloth") this.send({ kind: "drop" });
        this.pointer = null;
        this.moving = null;
        this.element.style.cursor = "";
        this.stage.orbit(true);
    }
}
