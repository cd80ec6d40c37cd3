// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Wavefront OBJ: v, vt, f, l, and o where it names a body; all else is skipped. Vertices keep their
// numbers, also those that no face uses, so that a point cache fits them. A vertex takes the texture
// coordinates of the first corner that names it, and else, where there are as many vt as v (our own
// files), those of its own number; where corners of one vertex differ, they are kept as well.
// Polygons are cut into triangles from their first corner.

import { isBody, separateBodies } from "./bodies";
import { LARGEST } from "./clip";
import type { Shape } from "../shape";

export interface ObjMesh {
    shape: Shape;
    /** Of the cloth, then of the bodies. */
    positions: Float32Array;
}

const LARGEST_FILE = 500e6; // browsers hold no more than that in one string

/** What was read so far. */
class Reader {
    readonly positions: number[] = [];
    readonly texture: number[] = [];
    readonly triangles: number[] = [];
    readonly lines: number[] = [];
    /** By vertex; holes where no corner has said it yet. */
    readonly textureOf: number[] = [];
    /** By corner of the triangles; -1: none. */
    readonly cornerTexture: number[] = [];
    /** Whether corners of one vertex differ. */
    private seams = false;
    /** The first vertex of each body that comes behind all cloth. */
    bodies: number[] = [];
    line = 0;

    constructor(readonly name: string) {}

    fail(what: string): never {
        throw new Error(`${this.name}:${this.line}: ${what}`);
    }

    readLine(text: string): void {
        const words = text.trim().split(/\s+/);
        switch (words[0]) {
            case "v":
                return this.readNumbers(words, 3, this.positions);
            case "vt":
                return this.readTexture(words);
            case "f":
                return this.readFace(words);
            case "l":
                return this.readRope(words);
            case "o":
                return this.beginObject(words.slice(1).join(" "));
        }
    }

    private beginObject(name: string): void {
        const first = this.positions.length / 3;
        if (!isBody(name)) this.bodies = [];
        else if (first > 0) this.bodies.push(first);
    }

    private readNumbers(words: string[], count: number, out: number[]): void {
        if (words.length <= count) this.fail(`"${words[0]}" needs ${count} numbers`);
        for (let k = 1; k <= count; k++) {
            const value = Number(words[k]);
            const wrong = Number.isFinite(value) ? "too large" : "not a number";
            if (!(Math.abs(value) <= LARGEST)) this.fail(`"${clip(words[k])}" is ${wrong}`);
            out.push(value);
        }
    }

    // The second number may be left out.
    private readTexture(words: string[]): void {
        this.readNumbers(words.length === 2 ? [...words, "0"] : words, 2, this.texture);
    }

    private readFace(words: string[]): void {
        if (words.length < 4) this.fail("a face needs 3 corners");
        const first = this.readCorner(words[1]);
        let last = this.readCorner(words[2]);
        for (let k = 3; k < words.length; k++) {
            const next = this.readCorner(words[k]);
            this.triangles.push(first.vertex, last.vertex, next.vertex);
            this.cornerTexture.push(first.texture, last.texture, next.texture);
            last = next;
        }
    }

    private readRope(words: string[]): void {
        if (words.length < 3) this.fail("a line needs 2 vertices");
        let last = this.readCorner(words[1]).vertex;
        for (let k = 2; k < words.length; k++) {
            const next = this.readCorner(words[k]).vertex;
            this.lines.push(last, next);
            last = next;
        }
    }

    /** `7`, `7/3`, `7/3/5` or `7//5`: the vertex, and its texture, -1 where there is none. */
    private readCorner(word: string): { vertex: number; texture: number } {
        const [v, vt] = word.split("/", 2);
        const vertex = this.readIndex(v, this.positions.length / 3, "vertex");
        if (!vt) return { vertex, texture: -1 };
        const texture = this.readIndex(vt, this.texture.length / 2, "vt");
        this.textureOf[vertex] ??= texture;
        if (this.textureOf[vertex] !== texture) this.seams = true;
        return { vertex, texture };
    }

    /** Counted from 1, or back from the last one if negative. */
    private readIndex(word: string, count: number, what: string): number {
        const number = Number(word || "0");
        const index = number < 0 ? count + number : number - 1;
        if (!Number.isInteger(index) || index < 0 || index >= count)
            this.fail(`there is no ${what} ${clip(word)}; ${count} came before this line`);
        return index;
    }

    flatShape(): Float32Array {
        const count = this.positions.length / 3;
        const uv = new Float32Array(2 * count);
        const oneEach = this.texture.length === 2 * count;
        for (let i = 0; i < count; i++) {
            const at = this.textureOf[i] ?? (oneEach ? i : -1);
            if (at >= 0) uv.set([this.texture[2 * at], this.texture[2 * at + 1]], 2 * i);
        }
        return uv;
    }

    /** Undefined where every vertex has one place. */
    cornerPlaces(): Float32Array | undefined {
        if (!this.seams) return undefined;
        const uv = new Float32Array(2 * this.cornerTexture.length);
        this.cornerTexture.forEach((at, i) => {
            if (at >= 0) uv.set([this.texture[2 * at], this.texture[2 * at + 1]], 2 * i);
        });
        return uv;
    }
}

// Damaged files may have very long words.
function clip(word: string): string {
    return word.length > 20 ? word.slice(0, 20) + "..." : word;
}

export function readObj(bytes: ArrayBuffer, name: string): ObjMesh {
    if (bytes.byteLength > LARGEST_FILE) throw new Error(`${name} is larger than 500 MB`);
    const reader = new Reader(name);
    let whole = "";
    for (const line of new TextDecoder().decode(bytes).split(/\r?\n/)) {
        reader.line++;
        // A backslash says that the next line goes on with this one.
        if (line.endsWith("\\")) {
            whole += line.slice(0, -1) + " ";
            continue;
        }
        reader.readLine(whole + line);
        whole = "";
    }
    if (reader.positions.length === 0) throw new Error(`${name} holds no vertices`);
    if (reader.triangles.length + reader.lines.length === 0)
        throw new Error(`${name} holds no faces and no lines`);
    const all = {
        vertexCount: reader.positions.length / 3,
        triangles: Uint32Array.from(reader.triangles),
        lines: Uint32Array.from(reader.lines),
        uv: reader.flatShape(),
        cornerUv: reader.cornerPlaces(),
    };
    const shape = separateBodies(all, reader.bodies);
    return { shape, positions: Float32Array.from(reader.positions) };
}
