// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What hands did, in the words of scenes: pins, motions of pins and bodies, and cuts, so that a scene
// that is saved says all of it, here and to `weft run`. What is moved goes there from the start of the
// scene; cuts are made at its start.

import type { HandStart, HandState } from "../sim/hands";
import type { Scene } from "./scene-file";

type Point = [number, number, number];
type Key = number[];

interface Motion {
    offset?: { keys?: Key[] };
    angle?: { keys?: Key[] };
    axis?: number[];
    centre?: number[];
}

interface Pin {
    motion?: string;
    from?: number;
    until?: number;
    [key: string]: unknown;
}

/** What a scene begins with, as far as it is known. */
export interface Beginning {
    /** Vertices of each cloth. */
    counts: number[];
    cloth: HandStart | null;
    /** The middle of each body. */
    middles: Point[];
}

const SPEED = 1; // metres per second of what is on its way
const LEAST = 0.1; // seconds on the way
const ROUND = 1e5;

function round(numbers: number[]): number[] {
    return numbers.map((x) => Math.round(x * ROUND) / ROUND + 0);
}

function add(a: number[], b: number[]): Point {
    return [0, 1, 2].map((k) => a[k]! + b[k]!) as Point;
}

function minus(a: number[], b: number[]): Point {
    return [0, 1, 2].map((k) => a[k]! - b[k]!) as Point;
}

function turned([x, y, z, w]: number[], v: number[]): Point {
    const cross = (a: number[], b: number[]) => [
        a[1]! * b[2]! - a[2]! * b[1]!,
        a[2]! * b[0]! - a[0]! * b[2]!,
        a[0]! * b[1]! - a[1]! * b[0]!,
    ];
    const q = [x!, y!, z!];
    const t = cross(q, v).map((part) => 2 * part);
    const u = cross(q, t);
    return v.map((part, k) => part + w! * t[k]! + u[k]!) as Point;
}

/** By the right hand, in degrees, about an axis. */
function angleOf([x, y, z, w]: number[]): { axis: number[]; degrees: number } {
    const sine = Math.hypot(x!, y!, z!);
    if (sine < 1e-9) return { axis: [0, 1, 0], degrees: 0 };
    const side = w! < 0 ? -1 : 1;
    const degrees = (Math.atan2(sine, Math.abs(w!)) * 360) / Math.PI;
    return { axis: round([x!, y!, z!].map((part) => (side * part) / sine)), degrees };
}

function secondsFor(way: number[], degrees = 0): number {
    return Math.max(LEAST, Math.hypot(...way) / SPEED, degrees / 180);
}

/** The value of a track at a time; keys of n numbers. */
function valueAt(keys: Key[], time: number): number[] {
    const after = keys.findIndex((key) => key[0]! >= time);
    if (after === 0) return keys[0]!.slice(1);
    if (after < 0) return keys.at(-1)!.slice(1);
    const [a, b] = [keys[after - 1]!, keys[after]!];
    const part = (time - a[0]!) / (b[0]! - a[0]!);
    return a.slice(1).map((x, k) => x + part * (b[k + 1]! - x));
}

/** A path, and further by `way` within so many seconds. */
function further(keys: Key[] | undefined, way: number[], seconds: number): Key[] {
    const before = keys?.length ? keys : [[0, 0, 0, 0]];
    const times = [...new Set([0, seconds, ...before.map(([time]) => time!)])];
    return times
        .sort((a, b) => a - b)
        .map((time) => {
            const part = Math.min(1, time / seconds);
            const more = way.map((x) => part * x);
            return round([time, ...add(valueAt(before, time), more)]);
        });
}

class Writer {
    readonly unsaid = new Set<string>();
    private readonly motions: Record<string, Motion>;
    /** The motions that bodies have of their own. */
    private readonly own: unknown[];

    constructor(
        private readonly scene: Scene,
        private readonly hands: HandState,
        private readonly start: Beginning,
    ) {
        this.own = (scene.bodies ?? []).map(({ motion }) => motion);
        this.motions = { ...(scene.motions as Record<string, Motion> | undefined) };
    }

    write(): void {
        if (this.hands.carried.some((x) => x !== 0)) this.carry();
        for (const body of this.hands.bodies) this.moveBody(body);
        this.scene.cloths.forEach((_, cloth) => this.pinCloth(cloth));
        this.cut();
        if (Object.keys(this.motions).length > 0) this.scene.motions = this.motions;
    }

    private addMotion(name: string, motion: Motion): string {
        let free = name;
        for (let i = 2; free in this.motions; i++) free = `${name} ${i}`;
        this.motions[free] = motion;
        return free;
    }

    /** The same motion, and further by this. */
    private shifted(name: unknown, by: number[], wanted: string): string {
        const before = typeof name === "string" ? this.motions[name] : undefined;
        const keys = further(before?.offset?.keys, by, secondsFor(by));
        return this.addMotion(wanted, { ...before, offset: { keys } });
    }

    /** All that holds cloth, and all bodies but the floor. */
    private carry(): void {
        const { carried } = this.hands;
        const known = new Map<unknown, string>();
        const moved = (motion: unknown) => {
            const name = known.get(motion) ?? this.shifted(motion, carried, "by hand");
            known.set(motion, name);
            return name;
        };
        for (const cloth of this.scene.cloths)
            for (const pin of (cloth.pins ?? []) as Pin[]) pin.motion = moved(pin.motion);
        for (const body of this.scene.bodies ?? [])
            if (body.kind !== "plane" || body.name !== "floor") body.motion = moved(body.motion);
    }

    private moveBody({ index, move, turn }: HandState["bodies"][number]): void {
        const body = this.scene.bodies?.[index];
        if (!body) return;
        const name = String(body.name ?? `body ${index}`);
        const { axis, degrees } = angleOf(turn);
        if (degrees < 1e-3) {
            body.motion = this.shifted(body.motion, move, `${name} by hand`);
            return;
        }
        if (this.own[index] !== undefined)
            return void this.unsaid.add(`the turn of ${name}, which moves by itself`);
        const middle = this.start.middles[index] ?? [0, 0, 0];
        const goal = add(turned(turn, add(middle, this.hands.carried)), move);
        const way = minus(goal, middle);
        const seconds = secondsFor(way, degrees);
        body.motion = this.addMotion(`${name} by hand`, {
            offset: { keys: further(undefined, way, seconds) },
            angle: { keys: [[0, 0], round([seconds, degrees])] },
            axis,
            centre: round(middle),
        });
    }

    private pinCloth(index: number): void {
        const first = this.start.counts.slice(0, index).reduce((sum, count) => sum + count, 0);
        const end = first + this.start.counts[index]!;
        const pins = this.hands.pins.filter(({ vertex }) => vertex >= first && vertex < end);
        if (pins.length === 0) return;
        const cloth = this.scene.cloths[index]!;
        const bodies = this.scene.bodies ?? [];
        const worn = cloth.mesh.kind === "pattern" && bodies.some(({ kind }) => kind !== "plane");
        if (worn && !this.scene.mirror) return void this.unsaid.add("pins on what is worn");
        const released = pins.filter(({ position }) => position === null);
        if (released.length > 0)
            this.release(
                index,
                first,
                released.map(({ vertex }) => vertex),
            );
        const list = ((cloth.pins ?? []) as Pin[]).slice();
        const held = new Map<string, { pins: number[]; way: Point }>();
        for (const { vertex, position } of pins) {
            if (!position) continue;
            const place = this.placeOf(vertex);
            if (!place) this.unsaid.add("how far pins were moved");
            const way = place ? minus(position, place) : ([0, 0, 0] as Point);
            const key = Math.hypot(...way) < 1e-4 ? "" : JSON.stringify(round(way));
            const group = held.get(key) ?? { pins: [], way };
            held.set(key, { ...group, pins: [...group.pins, vertex] });
        }
        for (const [key, group] of held) {
            const motion = key ? { motion: this.shifted(undefined, group.way, "pin by hand") } : {};
            for (const which of this.choose(index, first, group.pins))
                list.push({ ...which, ...motion });
        }
        cloth.pins = list as typeof cloth.pins;
    }

    private placeOf(vertex: number): Point | null {
        const { cloth } = this.start;
        return cloth && ([0, 1, 2].map((k) => cloth.positions[3 * vertex + k]!) as Point);
    }

    /** Numbers of a file's vertices are not those of the mesh, where it was welded. */
    private choose(index: number, first: number, vertices: number[]): Pin[] {
        const welded = this.scene.cloths[index]!.mesh.kind === "obj" && this.start.cloth;
        if (!welded) return [{ vertices: vertices.map((vertex) => vertex - first) }];
        return vertices.map((vertex) => ({ near: round(this.placeOf(vertex)!) }));
    }

    /** The pins of the scene but for these: possible where all of them are alike. */
    private release(index: number, first: number, vertices: number[]): void {
        const cloth = this.scene.cloths[index]!;
        const pins = (cloth.pins ?? []) as Pin[];
        const how = ({ motion, from, until }: Pin) => JSON.stringify([motion, from ?? 0, until]);
        const alike = pins.every((pin) => how(pin) === how(pins[0]!) && (pin.from ?? 0) <= 0);
        const { cloth: start } = this.start;
        if (pins.length === 0) return;
        if (!alike || !start) return void this.unsaid.add("pins that were let go");
        const count = this.start.counts[index]!;
        const all = Array.from({ length: count }, (_, i) => first + i);
        const kept = all.filter((vertex) => start.pinned[vertex] && !vertices.includes(vertex));
        const { motion, until } = pins[0]!;
        const rest = { ...(motion && { motion }), ...(until !== undefined && { until }) };
        const chosen = kept.length > 0 ? this.choose(index, first, kept) : [];
        cloth.pins = chosen.map((which) => ({ ...which, ...rest })) as typeof cloth.pins;
    }

    /** Cloth that is cut is shown as it is simulated. */
    private cut(): void {
        const { cuts } = this.hands;
        if (cuts.length === 0) return;
        const own = (this.scene.cuts ?? []) as object[];
        const made = cuts.filter(({ cloth }) => cloth < this.scene.cloths.length);
        this.scene.cuts = [...own, ...made.map((cut) => ({ ...cut, time: 0 }))];
        if (this.scene.detail !== undefined || this.scene.cloths.some(({ detail }) => detail))
            this.unsaid.add("the detail of cloth, which cannot be cut");
        delete this.scene.detail;
        for (const cloth of this.scene.cloths) delete cloth.detail;
    }
}

/** Writes it into a scene; what scenes have no words for. */
export function writeByHand(scene: Scene, hands: HandState, start: Beginning): string[] {
    const writer = new Writer(scene, hands, start);
    writer.write();
    return [...writer.unsaid];
}
