// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a hand does from where it begins to where it ends, one class for each tool. Places are those
// of the window, in pixels.

import type { Pick, Point, Stage } from "../../draw/stage";
import type { Touch } from "../../sim/protocol";
import type { HandMarks } from "../../ui/hand-marks";

type Send = (touch: Touch) => void;

export abstract class Grip {
    abstract readonly kind: "cloth" | "pin" | "body" | "knife" | "breath";
    abstract begin(x: number, y: number): void;
    abstract move(x: number, y: number, shift: boolean): void;
    abstract end(cancelled: boolean): void;
    /** By radians about what points up; about what the camera looks along. */
    turn(_angle: number): void {}
    twist(_angle: number): void {}
    /** The hand goes on from another place. */
    restart(_x: number, _y: number): void {}
}

export class ClothGrip extends Grip {
    readonly kind = "cloth";

    constructor(
        private readonly stage: Stage,
        private readonly send: Send,
        private readonly hit: Pick,
    ) {
        super();
    }

    begin(): void {
        const { vertex, point, pane } = this.hit;
        this.stage.startDrag(point, pane);
        this.send({ kind: "grab", vertex, point });
    }

    move(x: number, y: number): void {
        const point = this.stage.dragPoint(x, y);
        if (point) this.send({ kind: "drag", point });
    }

    end(): void {
        this.send({ kind: "drop" });
    }
}

/** A click does not move farther, in pixels. */
const CLICK = 6;

export class PinGrip extends Grip {
    readonly kind = "pin";
    private moved = false;

    constructor(
        private readonly send: Send,
        private readonly hit: Pick,
        private readonly x: number,
        private readonly y: number,
    ) {
        super();
    }

    begin(): void {}

    move(x: number, y: number): void {
        this.moved ||= Math.hypot(x - this.x, y - this.y) > CLICK;
    }

    end(cancelled: boolean): void {
        if (!cancelled && !this.moved) this.send({ kind: "pin", vertex: this.hit.vertex });
    }
}

const DRAG_TURN = 0.008; // radians per pixel

/** A body that is moved, or turned; by the cloth, all that holds it. */
export class BodyGrip extends Grip {
    readonly kind = "body";
    /** Since the start. */
    static carried: Point = [0, 0, 0];
    private last: Point;
    private level = false;
    private x = 0;
    private y = 0;

    constructor(
        private readonly stage: Stage,
        private readonly send: Send,
        private readonly hit: Pick,
        private readonly turns: boolean,
    ) {
        super();
        this.last = hit.point;
    }

    begin(x: number, y: number): void {
        this.stage.startDrag(this.hit.point, this.hit.pane);
        [this.x, this.y] = [x, y];
    }

    restart(x: number, y: number): void {
        this.stage.startDrag(this.last, this.hit.pane, this.level);
        this.last = this.stage.dragPoint(x, y) ?? this.last;
    }

    move(x: number, y: number, shift: boolean): void {
        if (this.turns) return this.turnBy(x, y);
        if (shift !== this.level) {
            this.level = shift;
            this.restart(x, y);
        }
        const point = this.stage.dragPoint(x, y);
        // a level plane that is seen from its edge leads anywhere
        if (!point || distance(point, this.last) > distance(this.last, this.stage.eye)) return;
        const by = point.map((to, k) => to - this.last[k]!) as Point;
        this.last = point;
        this.shift(by);
    }

    private shift(by: Point): void {
        const { body } = this.hit;
        if (body >= 0) return this.send({ kind: "body", body, by });
        BodyGrip.carried = BodyGrip.carried.map((from, k) => from + by[k]!) as Point;
        this.send({ kind: "carry", offset: BodyGrip.carried });
    }

    private turnBy(x: number, y: number): void {
        this.turn(DRAG_TURN * (x - this.x));
        this.about(this.stage.rightOf(), DRAG_TURN * (y - this.y));
        [this.x, this.y] = [x, y];
    }

    turn(angle: number): void {
        this.about([0, 1, 0], angle);
    }

    twist(angle: number): void {
        const [x, y, z] = this.stage.facing();
        this.about([-x, -y, -z], angle);
    }

    private about(axis: Point, angle: number): void {
        const { body } = this.hit;
        if (body < 0 || angle === 0) return;
        const sine = Math.sin(angle / 2);
        const turn = [...axis.map((x) => x * sine), Math.cos(angle / 2)];
        this.send({ kind: "turn", body, turn });
    }

    end(): void {}
}

function distance(a: Point, b: Point): number {
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const SAMPLE = 6; // pixels between places of a stroke
const MOST_SAMPLES = 16; // of one move

export class KnifeGrip extends Grip {
    readonly kind = "knife";
    private x = 0;
    private y = 0;

    constructor(
        private readonly stage: Stage,
        private readonly send: Send,
        private readonly marks: HandMarks,
        private readonly pane: number,
    ) {
        super();
    }

    begin(x: number, y: number): void {
        this.marks.beginStroke({ x, y });
        this.sample(x, y);
        [this.x, this.y] = [x, y];
    }

    move(x: number, y: number): void {
        const length = Math.hypot(x - this.x, y - this.y);
        if (length < SAMPLE) return;
        const count = Math.min(MOST_SAMPLES, Math.ceil(length / SAMPLE));
        for (let i = 1; i <= count; i++)
            this.sample(this.x + ((x - this.x) * i) / count, this.y + ((y - this.y) * i) / count);
        [this.x, this.y] = [x, y];
        this.marks.drawStroke({ x, y });
    }

    private sample(x: number, y: number): void {
        const hit = this.stage.pickAny(x, y, 0);
        const cloth = hit && hit.pane === this.pane && hit.vertex >= 0;
        if (cloth) this.send({ kind: "cut", vertex: hit.vertex, point: hit.point });
        else this.send({ kind: "cut", vertex: -1, point: [0, 0, 0] });
    }

    end(): void {
        this.marks.endStroke();
        this.send({ kind: "lift" });
    }
}

const FAST = 900; // pixels per second, of a stroke that blows twice as hard
const SWEEP = 1.5; // how far such a stroke turns the breath aside

/** Blows away from who looks, and along with the stroke. */
export class Breath extends Grip {
    readonly kind = "breath";
    private x = 0;
    private y = 0;
    private time = 0;
    private velocity = [0, 0];

    constructor(
        private readonly stage: Stage,
        private readonly send: Send,
        private readonly marks: HandMarks,
        private readonly through: Point,
        private readonly pane: number,
    ) {
        super();
    }

    begin(x: number, y: number): void {
        this.stage.startDrag(this.through, this.pane);
        [this.x, this.y, this.time] = [x, y, performance.now()];
        this.blow(x, y);
    }

    move(x: number, y: number): void {
        const now = performance.now();
        const seconds = Math.max(0.004, (now - this.time) / 1000);
        const part = Math.min(1, seconds / 0.08);
        [x - this.x, y - this.y].forEach((way, k) => {
            this.velocity[k]! += part * (way / seconds - this.velocity[k]!);
        });
        [this.x, this.y, this.time] = [x, y, now];
        this.blow(x, y);
    }

    private blow(x: number, y: number): void {
        const at = this.stage.dragPoint(x, y);
        if (!at) return;
        const [right, up] = [this.velocity[0]! / FAST, -this.velocity[1]! / FAST];
        const size = Math.hypot(right, up);
        const aside = size > 1 ? SWEEP / size : SWEEP;
        const [side, facing] = [this.stage.rightOf(), this.stage.facing()];
        const along = facing.map((f, k) => f + aside * (right * side[k]! + (k === 1 ? up : 0)));
        const strength = 1 + Math.min(1, size);
        this.send({ kind: "blow", at, along, strength });
        const least = Math.max(1, size);
        this.marks.blow({ x, y, dx: right / least, dy: -up / least, strength });
    }

    end(): void {
        this.marks.blow(null);
        this.send({ kind: "calm" });
    }
}
