// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is played, kept frame by frame until it is written as a GLB: 30 times per second of the scene,
// positions only. What is played again from an earlier step on takes the place of what came after it.
//
// Cloth that is cut has more vertices from then on, but the same triangles in the same order. The
// file has the mesh of the last frame: corner by corner, the triangles say which vertex of an earlier
// frame each of its vertices was.

import type { Shape } from "../shape";
import { writeGlb, type GlbHost } from "./write-glb";

/** A scene that is played; see Play. */
export interface Recorded {
    /** Another one whenever the shape is. */
    readonly shapeNumber: number;
    shape(): Shape;
    /** Brings the positions up to date. */
    draw(field: null): void;
    positions(): Float32Array;
    bodies(): Float32Array;
    /** The file has the mesh and the looks that it has now. */
    record(): void;
}

export interface RecordingState {
    /** Of what is kept. */
    seconds: number;
    bytes: number;
    /** Why nothing more is recorded, or null. */
    ended: string | null;
}

const RATE = 30; // frames per second, where steps are as short
const MOST_BYTES = 128 * 1024 * 1024;
/** Metres; what is beyond is no cloth any more, and no reader takes it. */
const LARGEST = 1e6;

interface Kept {
    step: number;
    shape: Shape;
    positions: Float32Array;
    /** The same array as in the frame before, where they did not move. */
    bodies: Float32Array;
}

export class Recorder {
    private frames: Kept[] = [];
    private ended: string | null = null;
    private shape: Shape | null = null;
    private shapeNumber = -1;
    private first = 0;
    private every = 1;
    private bytes = 0;

    /** `dt`: seconds of a step. */
    constructor(
        private readonly dt: number,
        private readonly mostBytes = MOST_BYTES,
    ) {
        this.every = Math.max(1, Math.round(1 / RATE / dt));
    }

    get state(): RecordingState {
        const steps = this.frames.length > 0 ? this.frames.at(-1)!.step - this.frames[0]!.step : 0;
        return { seconds: steps * this.dt, bytes: this.bytes, ended: this.ended };
    }

    /** Nothing more is recorded, for this reason. */
    end(reason: string): void {
        this.ended ??= reason;
    }

    /** Settings were changed; steps have another length, perhaps. */
    changed(dt: number): void {
        if (dt !== this.dt) this.end("The recording ended: steps have another length now.");
    }

    /** So many steps were taken since the start, the first time too. */
    took(play: Recorded, step: number): void {
        if (this.ended !== null) return;
        this.forgetFrom(step);
        if (this.frames.length === 0) this.first = step;
        if ((step - this.first) % this.every !== 0) return;
        if (play.shapeNumber !== this.shapeNumber) this.takeShape(play);
        if (this.ended === null) this.keep(play, step);
    }

    private forgetFrom(step: number): void {
        while (this.frames.length > 0 && this.frames.at(-1)!.step >= step) this.drop();
    }

    private drop(): void {
        const last = this.frames.pop()!;
        this.bytes -= this.bytesOf(last);
    }

    private bytesOf({ positions, bodies }: Kept): number {
        const known = this.frames.at(-1)?.bodies === bodies;
        return positions.byteLength + (known ? 0 : bodies.byteLength);
    }

    private takeShape(play: Recorded): void {
        const shape = play.shape();
        if (this.shape && this.frames.length > 0 && !goesOn(this.shape, shape))
            return this.end("The recording ended: the cloth is shown by another mesh now.");
        play.record();
        this.shape = shape;
        this.shapeNumber = play.shapeNumber;
    }

    private keep(play: Recorded, step: number): void {
        play.draw(null);
        const positions = play.positions().slice();
        const [now, before] = [play.bodies(), this.frames.at(-1)?.bodies];
        const bodies = before && same(now, before) ? before : now.slice();
        if (!isTame(positions) || !isTame(bodies)) return;
        const frame = { step, shape: this.shape!, positions, bodies };
        const bytes = this.bytes + this.bytesOf(frame);
        if (bytes > this.mostBytes)
            return this.end(
                `The recording ended: it has the ${Math.round(this.mostBytes / 2 ** 20)} MB that ` +
                    "a recording may take.",
            );
        this.bytes = bytes;
        this.frames.push(frame);
    }

    /** The file; what was kept is forgotten. `told`: after every frame. */
    write(host: GlbHost, told: () => void = () => {}): Blob {
        const { frames, shape } = this;
        this.frames = [];
        this.bytes = 0;
        this.end("");
        if (!shape || frames.length === 0) throw new Error("Nothing was recorded yet.");
        const steps = frames.length > 1 ? frames[1]!.step - frames[0]!.step : 1;
        const sources = new Map<Shape, Uint32Array | null>();
        const read = (i: number, to: Float32Array) => {
            const frame = frames[i]!;
            if (!sources.has(frame.shape)) sources.set(frame.shape, sourcesIn(frame.shape, shape));
            put(frame, sources.get(frame.shape)!, 3 * shape.vertexCount, to);
            if (i > 0) frames[i - 1] = undefined as never; // makes room for the file
            told();
        };
        const vertexCount = shape.vertexCount + frames[0]!.bodies.length / 3;
        return writeGlb(
            host,
            { vertexCount, frameCount: frames.length, rate: 1 / (steps * this.dt) },
            read,
        );
    }
}

/** Whether frames of both can be in one file. */
function goesOn(a: Shape, b: Shape): boolean {
    const [p, q] = [a.bodies?.starts.at(-1) ?? 0, b.bodies?.starts.at(-1) ?? 0];
    return (
        a.triangles.length === b.triangles.length && a.lines.length === b.lines.length && p === q
    );
}

/** Which vertex of `from` each one of `to` is; null: the same. */
function sourcesIn(from: Shape, to: Shape): Uint32Array | null {
    if (from === to) return null;
    const sources = Uint32Array.from({ length: to.vertexCount }, (_, i) =>
        Math.min(i, from.vertexCount - 1),
    );
    to.triangles.forEach((vertex, corner) => (sources[vertex] = from.triangles[corner]!));
    to.lines.forEach((vertex, end) => (sources[vertex] = from.lines[end]!));
    return sources;
}

function put(
    { positions, bodies }: Kept,
    sources: Uint32Array | null,
    size: number,
    to: Float32Array,
): void {
    if (!sources) to.set(positions);
    sources?.forEach((source, i) => {
        for (let k = 0; k < 3; k++) to[3 * i + k] = positions[3 * source + k]!;
    });
    to.set(bodies, size);
}

function same(a: Float32Array, b: Float32Array): boolean {
    return a.length === b.length && a.every((value, i) => value === b[i]);
}

function isTame(values: Float32Array): boolean {
    return values.every((value) => Math.abs(value) <= LARGEST);
}
