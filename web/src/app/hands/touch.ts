// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Hands on the scene: a pointer, or one that is moved by keys (key-hand.ts), works with the chosen
// tool where it meets cloth and bodies. Everything else moves the camera, and so do two fingers,
// wherever they are, unless the first one holds a body: then they turn it.

import type { Pick, Point, Stage } from "../../draw/stage";
import type { Touch } from "../../sim/protocol";
import { HandMarks } from "../../ui/hand-marks";
import type { Tool } from "../../ui/panel-types";
import { KeyHand } from "./key-hand";
import { BodyGrip, Breath, ClothGrip, type Grip, KnifeGrip, PinGrip } from "./grips";

const cursors: Record<Tool, string> = {
    grab: "grab",
    pin: "pointer",
    cut: "crosshair",
    blow: "crosshair",
    body: "move",
    orbit: "",
};
/** As wide as the hand of the simulator is, in metres (web/core/hold.c). */
const FINGER = 0.035;
const LEAST_RING = 7; // CSS pixels
const WHEEL_TURN = 0.0025; // radians per pixel that a wheel is turned
const WHEEL_END = 400; // milliseconds without more of it: then it was one turn

export class Hands {
    tool: Tool = "grab";
    /** Whether there is something to touch. */
    enabled = true;
    private readonly marks = new HandMarks();
    private readonly keys: KeyHand;
    /** What works, and by which pointer, as it was last seen; null: keys. */
    private grip: Grip | null = null;
    private pointer: PointerEvent | null = null;
    /** The second finger that turns a body. */
    private second: PointerEvent | null = null;
    private lastHover = 0;
    private lastTold = "";
    private wheelEnd: ReturnType<typeof setTimeout> | undefined;

    constructor(
        private readonly stage: Stage,
        private readonly element: HTMLElement,
        private readonly send: (touch: Touch) => void,
        private readonly complain: (reason: unknown) => void,
        /** A hand did something, and ended it. */
        private readonly done: () => void,
    ) {
        element.after(this.marks.element);
        this.keys = new KeyHand(element, this.marks, {
            press: (x, y) => this.pressKey(x, y),
            move: (x, y) => this.moveKey(x, y),
            turn: (angle) => this.grip?.turn(angle),
            release: () => this.release(false),
            holds: () => this.grip !== null,
        });
        // before the camera sees the pointer
        const capture = { capture: true };
        element.addEventListener("pointerdown", (event) => this.down(event), capture);
        element.addEventListener("wheel", (event) => this.wheel(event), {
            ...capture,
            passive: false,
        });
        element.addEventListener("contextmenu", (event) => event.preventDefault());
        // else a swift finger is a fling to some browsers, and the next tap ends that and does nothing
        element.addEventListener("touchmove", (event) => event.preventDefault(), {
            passive: false,
        });
        window.addEventListener("pointermove", (event) => this.moved(event));
        window.addEventListener("pointerup", (event) => this.up(event));
        window.addEventListener("pointercancel", (event) => this.up(event));
        element.addEventListener("pointerleave", () => this.showRing(null));
    }

    choose(tool: Tool): void {
        this.release(true);
        this.tool = tool;
        this.showRing(null);
    }

    /** Whether a hand holds something. */
    get holds(): boolean {
        return this.grip !== null && this.grip.kind !== "pin";
    }

    /** What came of a touch. */
    told(told: { reason: string } | { edges: number }): void {
        if ("edges" in told) {
            if (told.edges === 0 && this.lastTold === "")
                this.complain(new Error("Nothing was cut: draw the stroke farther over the cloth"));
            this.lastTold = "";
        } else if (told.reason !== this.lastTold) {
            this.lastTold = told.reason;
            this.complain(new Error(told.reason[0]!.toUpperCase() + told.reason.slice(1)));
        }
    }

    /** A wheel that turned is at rest. */
    rest(): void {
        if (this.wheelEnd === undefined) return;
        clearTimeout(this.wheelEnd);
        this.wheelEnd = undefined;
        this.done();
    }

    /** Nothing is held any more. `carried`: how far what holds the cloth is moved. */
    forget(carried: Point): void {
        this.release(true);
        BodyGrip.carried = carried;
    }

    /** Whether the key is for the hand that is moved by keys. */
    key(event: KeyboardEvent): boolean {
        return this.enabled && this.tool !== "orbit" && this.keys.key(event);
    }

    // -----------------------------------------------------------------------------------------
    // What a hand does, wherever it comes from

    /** What is there. Cloth counts a little beside itself, too; not where a body is seen that is meant. */
    private find(tool: Tool, x: number, y: number): Pick | null {
        const exact = tool === "body" ? this.stage.pickAny(x, y, 0) : null;
        return exact ?? this.stage.pickAny(x, y);
    }

    private press(tool: Tool, x: number, y: number, turns: boolean): boolean {
        if (tool === "orbit") return false;
        const hit = this.find(tool, x, y);
        const cloth = hit && hit.vertex >= 0 ? hit : null;
        this.grip = this.makeGrip(tool, hit, cloth, x, y, turns);
        if (!this.grip) return false;
        this.grip.begin(x, y);
        if (tool === "grab") this.showRing(cloth, true);
        return true;
    }

    // a pin is set at once
    private pressKey(x: number, y: number): void {
        if (this.press(this.tool, x, y, false) && this.grip?.kind === "pin") this.release(false);
    }

    private moveKey(x: number, y: number): void {
        this.grip?.move(x, y, false);
        this.followRing(x, y);
    }

    private makeGrip(
        tool: Tool,
        hit: Pick | null,
        cloth: Pick | null,
        x: number,
        y: number,
        turns: boolean,
    ): Grip | null {
        const { stage, send, marks } = this;
        if (tool === "body") return hit && new BodyGrip(stage, send, hit, turns);
        if (turns) return null;
        if (tool === "grab") return cloth && new ClothGrip(stage, send, cloth);
        if (tool === "pin") return cloth && new PinGrip(send, cloth, x, y);
        const pane = stage.paneAt(x, y);
        if (pane < 0) return null;
        if (tool === "cut") return new KnifeGrip(stage, send, marks, pane);
        return new Breath(stage, send, marks, hit?.point ?? stage.target, pane);
    }

    private release(cancelled: boolean): void {
        const { grip } = this;
        this.grip = null;
        this.pointer = this.second = null;
        grip?.end(cancelled);
        if (grip) this.done();
        this.element.style.cursor = "";
        this.stage.orbit(true);
        this.showRing(null);
    }

    private showRing(at: Pick | null, held = false): void {
        if (!at) return this.marks.showRing(null);
        const { x, y } = this.stage.onScreen(at.point, at.pane);
        const radius = FINGER * this.stage.pixelsPerMetre(at.point, at.pane);
        this.marks.showRing({ x, y, radius: Math.max(LEAST_RING, radius), held });
    }

    // -----------------------------------------------------------------------------------------
    // Pointers

    private down(event: PointerEvent): void {
        this.keys.hide();
        const turns = event.button === 2 && this.tool === "body";
        if (!this.enabled || (event.button !== 0 && !turns) || !event.isTrusted) return;
        if (!event.isPrimary) return this.addFinger(event);
        if (this.grip) this.release(true); // its end was not seen
        const tool = event.shiftKey && this.tool === "grab" ? "pin" : this.tool;
        if (!this.press(tool, event.clientX, event.clientY, turns)) return;
        if (this.grip?.kind === "pin") return; // a drag turns the view
        this.pointer = event;
        this.element.style.cursor = tool === "grab" ? "grabbing" : cursors[tool];
        this.element.setPointerCapture(event.pointerId); // to be followed out of the window
        this.stage.orbit(false);
    }

    /** The camera has not seen the first finger yet, and gets both. */
    private addFinger(event: PointerEvent): void {
        const first = this.pointer;
        if (!first) return;
        if (this.grip?.kind === "body") {
            this.second = event;
            return;
        }
        this.release(true);
        const { pointerId, pointerType, clientX, clientY } = first;
        const again = { pointerId, pointerType, clientX, clientY, isPrimary: true };
        this.element.dispatchEvent(new PointerEvent("pointerdown", again));
    }

    private moved(event: PointerEvent): void {
        if (!this.grip || !this.pointer) return this.hover(event);
        const { pointerId } = this.pointer;
        if (event.pointerId !== pointerId && event.pointerId !== this.second?.pointerId) return;
        if (event.buttons === 0) return this.release(false); // let go where nobody saw it
        if (this.second) return this.twist(event);
        this.pointer = event;
        this.grip.move(event.clientX, event.clientY, event.shiftKey);
        this.followRing(event.clientX, event.clientY);
    }

    private followRing(x: number, y: number): void {
        if (this.grip?.kind !== "cloth") return;
        const point = this.stage.dragPoint(x, y);
        const pane = this.stage.paneAt(x, y);
        if (point) this.showRing({ pane: Math.max(0, pane), vertex: 0, body: -1, point }, true);
    }

    /** Two fingers turn the body as they turn about each other. */
    private twist(event: PointerEvent): void {
        const [a, b] = [this.pointer!, this.second!];
        const angle = (p: PointerEvent, q: PointerEvent) =>
            Math.atan2(q.clientY - p.clientY, q.clientX - p.clientX);
        const before = angle(a, b);
        if (event.pointerId === a.pointerId) this.pointer = event;
        else this.second = event;
        const turned = angle(this.pointer!, this.second!) - before;
        // the short way
        this.grip!.twist(-Math.atan2(Math.sin(turned), Math.cos(turned)));
    }

    /** The pointer tells what it would meet; not with every event, as it takes time. */
    private hover(event: PointerEvent): void {
        const over = event.target === this.element && event.buttons === 0;
        if (!over || event.pointerType === "touch" || event.timeStamp < this.lastHover + 50) return;
        this.lastHover = event.timeStamp;
        const useful = this.enabled && this.tool !== "orbit";
        const any = useful ? this.find(this.tool, event.clientX, event.clientY) : null;
        const cloth = any && any.vertex >= 0 ? any : null;
        const meets = this.tool === "body" ? any : cloth;
        const always = useful && (this.tool === "cut" || this.tool === "blow");
        this.element.style.cursor = meets || always ? cursors[this.tool] : "";
        this.showRing(this.tool === "grab" || this.tool === "pin" ? cloth : null);
    }

    private up(event: PointerEvent): void {
        if (event.pointerId === this.second?.pointerId) {
            this.second = null;
            this.grip?.restart(this.pointer!.clientX, this.pointer!.clientY);
            return;
        }
        if (this.pointer && event.pointerId !== this.pointer.pointerId) return;
        if (!this.grip || (!this.pointer && this.grip.kind !== "pin")) return;
        if (this.grip.kind === "pin") this.grip.move(event.clientX, event.clientY, false);
        this.release(event.type === "pointercancel");
    }

    /** Above a body, with its tool, the wheel turns it. */
    private wheel(event: WheelEvent): void {
        if (!this.enabled || this.tool !== "body") return;
        const hit = this.find("body", event.clientX, event.clientY);
        const grip = this.grip?.kind === "body" ? this.grip : null;
        if (!grip && (hit?.body ?? -1) < 0) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        const pixels = event.deltaMode === 0 ? event.deltaY : 30 * event.deltaY;
        (grip ?? new BodyGrip(this.stage, this.send, hit!, true)).turn(WHEEL_TURN * pixels);
        if (grip) return;
        clearTimeout(this.wheelEnd);
        this.wheelEnd = setTimeout(() => this.rest(), WHEEL_END);
    }
}
