// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A hand for those who have no pointer: Enter shows it in the middle of the picture, arrows move
// it, Enter takes hold and lets go, Escape puts it away.

import type { HandMarks } from "../../ui/hand-marks";

export interface KeyHandTargets {
    press(x: number, y: number): void;
    move(x: number, y: number): void;
    /** Radians. */
    turn(angle: number): void;
    release(): void;
    holds(): boolean;
}

const STEP = 12; // pixels
const FINE = 3; // with shift
const TURN = Math.PI / 24;

const ways: Record<string, [number, number]> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
};

export class KeyHand {
    private at: { x: number; y: number } | null = null;

    constructor(
        private readonly element: HTMLElement,
        private readonly marks: HandMarks,
        private readonly targets: KeyHandTargets,
    ) {}

    hide(): void {
        if (!this.at) return;
        this.at = null;
        this.marks.showCross(null);
    }

    /** Whether the key is for this hand. */
    key(event: KeyboardEvent): boolean {
        if (event.key === "Enter") return this.enter(event);
        if (!this.at) return false;
        if (event.key === "Escape") return this.putAway();
        if (event.key === "[" || event.key === "]") {
            this.targets.turn(event.key === "[" ? TURN : -TURN);
            return true;
        }
        const way = ways[event.key];
        if (way) this.move(this.at, way, event.shiftKey ? FINE : STEP);
        return way !== undefined;
    }

    /** What has its own use for the key keeps it. */
    private enter({ target }: KeyboardEvent): boolean {
        const taken = "button, a, summary, select, textarea, dialog, input:not([type=radio])";
        if (target instanceof Element && target.closest(taken)) return false;
        if (!this.at) {
            const { left, top, width, height } = this.element.getBoundingClientRect();
            this.at = { x: left + width / 2, y: top + height / 2 };
            this.marks.showCross(this.at);
        } else if (this.targets.holds()) this.targets.release();
        else this.targets.press(this.at.x, this.at.y);
        return true;
    }

    private putAway(): boolean {
        if (this.targets.holds()) this.targets.release();
        this.hide();
        return true;
    }

    private move(at: { x: number; y: number }, [dx, dy]: [number, number], step: number): void {
        const { left, right, top, bottom } = this.element.getBoundingClientRect();
        at.x = Math.min(right - 1, Math.max(left, at.x + step * dx));
        at.y = Math.min(bottom - 1, Math.max(top, at.y + step * dy));
        if (this.targets.holds()) this.targets.move(at.x, at.y);
        this.marks.showCross(at);
    }
}
