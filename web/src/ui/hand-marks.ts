// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What hands are about to do, and do, drawn over the picture: a ring where one would take hold, the
// stroke of the knife, the breath that blows. Of no use to screen readers, and in nobody's way.

import { make } from "./dom";
import "./hand-marks.css";

interface Place {
    x: number;
    y: number;
}

interface Puff extends Place {
    /** Pixels per second. */
    vx: number;
    vy: number;
    age: number;
    size: number;
}

const PUFF_LIFE = 0.7; // seconds
const STROKE_LIFE = 0.5;
const MOST_PUFFS = 60;

export class HandMarks {
    readonly element = make("canvas", { class: "hand-marks", "aria-hidden": "true" });
    private readonly context = this.element.getContext("2d")!;
    private ring: (Place & { radius: number; held: boolean }) | null = null;
    private cross: Place | null = null;
    private stroke: Place[] = [];
    /** Since the stroke ended; negative: it has not. */
    private strokeAge = -1;
    private puffs: Puff[] = [];
    private breath: (Place & { dx: number; dy: number; strength: number }) | null = null;
    private last = 0;
    private waits = false;

    /** Where a hand would take hold, or does; null: nowhere. Pixels of the window. */
    showRing(at: (Place & { radius: number; held: boolean }) | null): void {
        if (!at && !this.ring) return;
        this.ring = at;
        this.draw();
    }

    /** The cursor of those who have no pointer. */
    showCross(at: Place | null): void {
        this.cross = at;
        this.draw();
    }

    beginStroke(at: Place): void {
        this.stroke = [at];
        this.strokeAge = -1;
    }

    drawStroke(to: Place): void {
        this.stroke.push(to);
        this.draw();
    }

    endStroke(): void {
        this.strokeAge = 0;
        this.draw();
    }

    /** Blowing at a place, towards a direction on the screen (0: away from who looks). */
    blow(at: (Place & { dx: number; dy: number; strength: number }) | null): void {
        this.breath = at;
        this.draw();
    }

    private draw(): void {
        if (this.waits) return;
        this.waits = true;
        requestAnimationFrame((now) => this.frame(now));
    }

    private frame(now: number): void {
        this.waits = false;
        const seconds = Math.min(0.05, (now - this.last) / 1000);
        this.last = now;
        this.age(seconds);
        this.resize();
        const { context } = this;
        context.clearRect(0, 0, innerWidth, innerHeight);
        this.paintPuffs();
        this.paintStroke();
        if (this.ring) this.paintRing(this.ring);
        if (this.cross) this.paintCross(this.cross);
        if (this.breath || this.puffs.length > 0 || this.stroke.length > 0) this.draw();
    }

    private age(seconds: number): void {
        for (const puff of this.puffs) {
            puff.age += seconds;
            puff.x += puff.vx * seconds;
            puff.y += puff.vy * seconds;
        }
        this.puffs = this.puffs.filter(({ age }) => age < PUFF_LIFE);
        if (this.strokeAge >= 0) this.strokeAge += seconds;
        if (this.strokeAge > STROKE_LIFE) this.stroke = [];
        if (this.breath && this.puffs.length < MOST_PUFFS) this.addPuff(this.breath);
    }

    private addPuff({ x, y, dx, dy, strength }: NonNullable<HandMarks["breath"]>): void {
        const angle = 2 * Math.PI * Math.random();
        const radius = 6 + 22 * Math.random();
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        // the breath goes into the picture and spreads, and along the stroke
        const speed = 150 * strength;
        this.puffs.push({
            x: x + radius * c,
            y: y + radius * s,
            vx: speed * (0.5 * c + 2 * dx),
            vy: speed * (0.5 * s + 2 * dy),
            age: 0,
            size: 1.5 + 2 * Math.random(),
        });
    }

    private resize(): void {
        const ratio = Math.min(devicePixelRatio, 2);
        const [width, height] = [Math.round(innerWidth * ratio), Math.round(innerHeight * ratio)];
        if (this.element.width !== width || this.element.height !== height) {
            this.element.width = width;
            this.element.height = height;
        }
        this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    }

    /** Light over dark, so that it is seen on any cloth. */
    private lines(width: number, strength: number, path: () => void): void {
        const { context } = this;
        context.lineCap = context.lineJoin = "round";
        context.beginPath();
        path();
        context.strokeStyle = `rgb(20 20 24 / ${0.45 * strength})`;
        context.lineWidth = width + 2;
        context.stroke();
        context.strokeStyle = `rgb(255 255 255 / ${0.95 * strength})`;
        context.lineWidth = width;
        context.stroke();
    }

    private paintRing({ x, y, radius, held }: NonNullable<HandMarks["ring"]>): void {
        const { context } = this;
        this.lines(held ? 2 : 1.25, held ? 0.9 : 0.7, () => {
            context.ellipse(x, y, radius, radius, 0, 0, 2 * Math.PI);
        });
        if (!held) return;
        context.fillStyle = "rgb(255 255 255 / 0.18)";
        context.fill();
    }

    private paintCross({ x, y }: Place): void {
        this.lines(2, 1, () => {
            for (const [dx, dy] of [
                [1, 0],
                [-1, 0],
                [0, 1],
                [0, -1],
            ] as const) {
                this.context.moveTo(x + 5 * dx, y + 5 * dy);
                this.context.lineTo(x + 14 * dx, y + 14 * dy);
            }
        });
    }

    private paintStroke(): void {
        const [first, ...rest] = this.stroke;
        if (!first) return;
        const strength = this.strokeAge < 0 ? 1 : Math.max(0, 1 - this.strokeAge / STROKE_LIFE);
        this.context.setLineDash([9, 6]);
        this.lines(2, strength, () => {
            this.context.moveTo(first.x, first.y);
            for (const { x, y } of rest) this.context.lineTo(x, y);
        });
        this.context.setLineDash([]);
    }

    private paintPuffs(): void {
        for (const { x, y, vx, vy, age, size } of this.puffs) {
            const t = age / PUFF_LIFE;
            const strength = 0.75 * Math.sin(Math.PI * Math.min(1, 0.15 + t));
            const tail = 0.16;
            this.lines(size, strength, () => {
                this.context.moveTo(x - tail * vx, y - tail * vy);
                this.context.lineTo(x, y);
            });
        }
    }
}
