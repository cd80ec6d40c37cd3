// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Results: what the native tool writes is read back, and damaged files end in a sentence.
// WEFT_TOOL names the tool; without it, the one that the release build makes.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { DEFAULT_LOOK } from "../src/look";
import { Clip, computeNormals } from "../src/results/clip";
import { readGlb } from "../src/results/read-glb";
import { readLook } from "../src/results/read-looks";
import { readObj } from "../src/results/read-obj";
import { readPc2 } from "../src/results/read-pc2";
import { openResult, type ResultFile } from "../src/results/results";
import { bodyVertexCount, type Frame, type Shape } from "../src/shape";
import { root, tool } from "./browser";

const folder = mkdtempSync(join(tmpdir(), "weft-results-"));

afterAll(() => rmSync(folder, { recursive: true }));

function run(scene: string, ...options: string[]): void {
    const args = ["run", join(root, "scenes", scene + ".json"), ...options, "--quiet"];
    execFileSync(tool, args, { cwd: folder, stdio: "pipe" });
}

function load(name: string): ResultFile {
    const data = readFileSync(join(folder, name));
    const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
    return { name, bytes: bytes as ArrayBuffer };
}

function open(...names: string[]): Clip {
    return openResult(names.map(load), null);
}

function makeFrame(shape: Shape): Frame {
    const size = 3 * shape.vertexCount;
    return {
        time: 0,
        positions: new Float32Array(size),
        normals: new Float32Array(size),
        bodies: new Float32Array(3 * bodyVertexCount(shape)),
    };
}

function sample(clip: Clip, time: number): Frame {
    const frame = makeFrame(clip.shape);
    clip.sample(time, frame);
    return frame;
}

/** Of two lists of numbers; NaN if any is. */
function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
    expect(a.length).toBe(b.length);
    let largest = 0;
    for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i] - b[i]));
    return largest;
}

/** How far the lengths of normals are from 1. */
function lengthError(normals: Float32Array): number {
    let largest = 0;
    for (let i = 0; i < normals.length; i += 3) {
        const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]);
        largest = Math.max(largest, Math.abs(length - 1));
    }
    return largest;
}

function messageOf(action: () => unknown): string {
    try {
        action();
    } catch (error) {
        expect((error as Error).constructor).toBe(Error);
        return (error as Error).message;
    }
    return "opened";
}

beforeAll(() => {
    for (const name of ["demo", "rope", "net"])
        run(
            name,
            "--frames",
            "60",
            "--out",
            name + ".glb",
            "--out",
            name + ".pc2",
            "--last",
            name + ".obj",
        );
    run("rope", "--frames", "12", "--out", "turn.obj");
    run("rope", "--frames", "4", "--out", "short.glb", "--out", "short.pc2", "--last", "short.obj");
    run("demo", "--frames", "3", "--dt", "0.05", "--out", "slow.glb");
    run("demo", "--frames", "2", "--last", "last.glb");
    const rough = ["--contact", "none", "--quality", "1", "--frames", "90", "--every", "15"];
    for (const name of ["tangled", "breathing"])
        run(name, ...rough, ...["glb", "pc2", "obj"].flatMap((end) => ["--out", `${name}.${end}`]));
    run("tangled", ...rough, "--no-bodies", "--out", "alone.pc2");
}, 60000);

// Two quads of 1 m that are cut apart, 2 m from one another in the flat shape, and sewn along the
// edge between vertices 1 and 2; a second cloth, and a body.
const SEWN_OBJ = `v 0 0 0
v 1 0 0
v 1 0 -1
v 0 0 -1
v 2 0 0
v 2 0 -1
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vt 3 0
vt 4 0
vt 4 1
vt 3 1
f 1/1 2/2 3/3
f 1/1 3/3 4/4
f 2/5 5/6 6/7
f 2/5 6/7 3/8
`;
const SEWN_SCENE = {
    weft: 1,
    duration: 0.1,
    bodies: [{ kind: "sphere", place: { move: [0, -5, 0] }, radius: 0.5 }],
    cloths: [
        { mesh: { kind: "obj", file: "seam.obj" } },
        { mesh: { kind: "grid", columns: 2, rows: 2 }, place: { move: [0, 2, 0] } },
    ],
};

describe("materials of a GLB", () => {
    // 2 x 1 pixels
    const PICTURE = Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8DAwPAfAAcAAf/WGDjkAAAAAElFTkSuQmCC",
        "base64",
    );
    const mesh = { kind: "grid", columns: 2, rows: 2 };
    const print = { kind: "picture", size: 0.25, file: "dots.png" };
    const scene = {
        weft: 1,
        duration: 0.1,
        bodies: [{ kind: "sphere", place: { move: [0, -5, 0] }, radius: 0.5 }],
        cloths: [
            { mesh, fabric: "silk_charmeuse" },
            {
                mesh,
                place: { move: [0, 2, 0] },
                fabric: { base: "denim", look: { colour: "#102030", print } },
            },
        ],
    };
    let shape: Shape;

    beforeAll(() => {
        writeFileSync(join(folder, "dots.png"), PICTURE);
        writeFileSync(join(folder, "worn.json"), JSON.stringify(scene));
        const words = ["run", "worn.json", "--out", "worn.glb", "--quiet"];
        execFileSync(tool, words, { cwd: folder, stdio: "pipe" });
        shape = open("worn.glb").shape;
    });

    test("are the looks of its cloths, triangle by triangle", () => {
        const { triangleLooks, looks } = shape;
        expect(triangleLooks!.length).toBe(shape.triangles.length / 3);
        const [first, last] = [triangleLooks!.at(0)!, triangleLooks!.at(-1)!];
        expect(looks![first]).toMatchObject({ weave: "satin", thread: 0.0001, opacity: 1 });
        expect(looks![last]).toMatchObject({ weave: "twill", colour: "#102030" });
        expect(looks![last]!.print).toMatchObject({ kind: "picture", size: 0.25 });
        expect(shape.bodies?.starts.length).toBe(2);
    });

    test("bring the pictures that are printed", () => {
        const { file } = shape.looks![shape.triangleLooks!.at(-1)!]!.print;
        expect(shape.pictures!.map((picture) => picture.file)).toEqual([file]);
        expect(Buffer.from(shape.pictures![0]!.bytes).equals(PICTURE)).toBe(true);
    });

    test("say where the warp runs", () => {
        // of grids it runs along u: places are turned to have it along v
        const corner = shape.triangles.findIndex((v) => shape.uv[2 * v]! > 0);
        const v = shape.triangles[corner]!;
        expect(shape.cornerUv![2 * corner + 1]).toBe(shape.uv[2 * v]);
        expect(shape.cornerUv![2 * corner]).toBeCloseTo(-shape.uv[2 * v + 1]!, 6);
    });

    test("of others are colour, sheen and opacity, and nonsense is left out", () => {
        const look = readLook({
            alphaMode: "BLEND",
            pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 0.5], roughnessFactor: 0.25 },
            extensions: { KHR_materials_sheen: { sheenColorFactor: [0, 0, 1] } },
        });
        expect(look).toMatchObject({ colour: "#ff0000", opacity: 0.5, roughness: 0.25, sheen: 1 });
        expect(look).toMatchObject({ sheen_colour: "#0000ff", thread: 0 });
        const wild = { colour: "red", weave: 3, thread: 1e9, roughness: -1, print: [] };
        const read = readLook({ extras: { weft_look: wild } });
        expect(read).toMatchObject({ colour: DEFAULT_LOOK.colour, weave: "plain" });
        expect([read.thread, read.roughness, read.print.kind]).toEqual([0.1, 0, "none"]);
    });
});

describe("cloths with seams", () => {
    beforeAll(() => {
        writeFileSync(join(folder, "seam.obj"), SEWN_OBJ);
        writeFileSync(join(folder, "sewn.json"), JSON.stringify(SEWN_SCENE));
        const outs = ["glb", "pc2", "obj"].flatMap((end) => ["--out", `sewn.${end}`]);
        const options = [...outs, "--last", "mesh.obj", "--last", "mesh.glb", "--quiet"];
        execFileSync(tool, ["run", "sewn.json", ...options], { cwd: folder, stdio: "pipe" });
    });

    test("a GLB has vertices on a seam once for each side, and all cloths", () => {
        const { shape } = open("sewn.glb");
        expect(shape.vertexCount).toBe(6 + 2 + 9);
        expect(shape.triangles.length).toBe(3 * (4 + 8));
        expect(shape.bodies?.starts.length).toBe(2);
        expect(shape.uv[0]).toBe(0);
        expect(new Set(shape.uv.filter((_, i) => i % 2 === 0 && i < 16))).toEqual(
            new Set([0, 1, 3, 4]),
        );
    });

    test("a point cache fits the GLB and the OBJ of its mesh", () => {
        for (const mesh of ["mesh.glb", "mesh.obj"]) {
            const clip = open("sewn.pc2", mesh);
            expect(clip.shape.vertexCount).toBe(6 + 9);
            expect(clip.shape.cornerUv?.length).toBe(2 * 3 * (4 + 8));
            expect(Math.max(...clip.shape.triangles)).toBe(14);
        }
        const [a, b] = ["mesh.glb", "mesh.obj"].map((mesh) => open("sewn.pc2", mesh).shape);
        expect(a.triangles).toEqual(b.triangles);
        // an OBJ does not say where the warp runs; the GLB does, and has it along v
        const turned = b.cornerUv!.map((_, i, uv) => (i % 2 === 0 ? -uv[i + 1]! : uv[i - 1]!));
        expect(largestDifference(a.cornerUv!, turned)).toBeLessThan(1e-6);
    });

    test("all see the same motion, and no stretch across the seam", () => {
        const glb = open("sewn.glb");
        const clips = [glb, open("sewn.pc2", "mesh.glb"), open("sewn.pc2", "mesh.obj")];
        for (const clip of clips) {
            const field = new Float32Array(clip.shape.vertexCount);
            clip.stretch(0, field);
            expect(Math.max(...field.map(Math.abs))).toBeLessThan(1e-5);
        }
        const cache = sample(clips[1], glb.duration).positions;
        const split = sample(glb, glb.duration).positions;
        expect(largestDifference(cache.subarray(0, 18), split.subarray(0, 18))).toBeLessThan(1e-6);
        expect(largestDifference(cache.subarray(18), split.subarray(24))).toBeLessThan(1e-6);
    });
});

// ---------------------------------------------------------------------------------------------
// Files of the tool

describe.each(["demo", "rope", "net"])("%s", (name) => {
    test("GLB and PC2 have the same motion", () => {
        const glb = open(name + ".glb");
        const pc2 = open(name + ".pc2", name + ".obj");
        expect(glb.frameCount).toBe(61);
        expect(pc2.frameCount).toBe(61);
        expect(glb.name).toBe(name + ".glb");
        let moved = 0;
        for (let i = 0; i < 61; i++) {
            expect(glb.times[i]).toBeCloseTo(i / 60, 6);
            expect(pc2.times[i]).toBeCloseTo(i / 60, 6);
            const a = sample(glb, glb.times[i]);
            const b = sample(pc2, pc2.times[i]);
            expect(largestDifference(a.positions, b.positions)).toBeLessThan(1e-5);
            moved = largestDifference(a.positions, sample(glb, 0).positions);
        }
        expect(moved).toBeGreaterThan(0.1);
        expect(glb.duration).toBeCloseTo(1, 6);
    });

    test("PC2 holds what the file says", () => {
        const { bytes } = load(name + ".pc2");
        const pc2 = open(name + ".pc2", name + ".obj");
        const size = 3 * pc2.shape.vertexCount;
        for (const frame of [0, 1, 30, 59, 60]) {
            const direct = new Float32Array(bytes, 32 + 4 * frame * size, size);
            const sampled = sample(pc2, pc2.times[frame]).positions;
            expect(largestDifference(direct, sampled)).toBeLessThan(1e-7);
        }
    });

    test("the OBJ of the last frame is the last frame", () => {
        const obj = open(name + ".obj");
        const glb = open(name + ".glb");
        const a = sample(obj, 0);
        const b = sample(glb, glb.duration);
        expect(obj.frameCount).toBe(1);
        expect(obj.duration).toBe(0);
        expect(largestDifference(a.positions, b.positions)).toBeLessThan(1e-5);
        expect(obj.shape.triangles).toEqual(glb.shape.triangles);
        expect(obj.shape.lines).toEqual(glb.shape.lines);
        expect(largestDifference(obj.shape.uv, glb.shape.uv)).toBeLessThan(1e-6);
    });

    test("normals have length 1", () => {
        const glb = open(name + ".glb");
        const pc2 = open(name + ".pc2", name + ".glb");
        for (const time of [0, 0.123, 0.5, 1]) {
            expect(lengthError(sample(glb, time).normals)).toBeLessThan(1e-5);
            expect(lengthError(sample(pc2, time).normals)).toBeLessThan(1e-5);
        }
    });
});

test("normals of the file are those of its triangles", () => {
    const glb = open("demo.glb");
    const { positions, normals } = sample(glb, glb.times[40]);
    const computed = new Float32Array(normals.length);
    computeNormals(glb.shape.triangles, positions, computed);
    let sum = 0;
    for (let i = 0; i < normals.length; i++) sum += normals[i] * computed[i];
    expect(sum / glb.shape.vertexCount).toBeGreaterThan(0.999);
});

test("a rope has lines, no triangles and no flat shape", () => {
    const { shape } = open("rope.glb");
    expect(shape.vertexCount).toBe(101);
    expect(shape.triangles.length).toBe(0);
    expect(shape.lines.length).toBe(200);
    expect(Array.from(shape.lines.slice(0, 4))).toEqual([0, 1, 1, 2]);
    expect(shape.uv.every((value) => value === 0)).toBe(true);
});

test("the flat shape is in metres and fits the start, which is unstretched", () => {
    const clip = open("demo.glb");
    const { positions } = sample(clip, 0);
    const { triangles, uv } = clip.shape;
    for (let i = 0; i < triangles.length; i += 3) {
        const [a, b] = [triangles[i], triangles[i + 1]];
        const flat = Math.hypot(uv[2 * a] - uv[2 * b], uv[2 * a + 1] - uv[2 * b + 1]);
        const sides = [0, 1, 2].map((k) => positions[3 * a + k] - positions[3 * b + k]);
        const length = Math.hypot(...sides);
        expect(length).toBeCloseTo(flat, 4);
    }
    const text = readFileSync(join(folder, "demo.obj"), "utf8");
    const [, u, v] = /^vt (\S+) (\S+)$/m.exec(text)!;
    expect(uv[0]).toBeCloseTo(Number(u), 6);
    expect(uv[1]).toBeCloseTo(Number(v), 6);
});

test("times follow the step of the scene", () => {
    const clip = open("slow.glb");
    expect(clip.frameCount).toBe(4);
    expect(clip.times[1]).toBeCloseTo(0.05, 6);
    expect(clip.duration).toBeCloseTo(0.15, 6);
});

test("a GLB of one frame stands still", () => {
    const clip = open("last.glb");
    expect(clip.frameCount).toBe(1);
    expect(clip.duration).toBe(0);
    const frame = sample(clip, 5);
    expect(frame.time).toBe(0);
    expect(lengthError(frame.normals)).toBeLessThan(1e-5);
    const speeds = new Float32Array(clip.shape.vertexCount).fill(1);
    clip.speed(0, speeds);
    expect(speeds.every((value) => value === 0)).toBe(true);
});

test("several OBJ are frames, in the order of their numbers", () => {
    const names = Array.from({ length: 13 }, (_, i) => `turn.${String(i).padStart(4, "0")}.obj`);
    // without zeros, as others number them
    const files = names.toReversed().map((name) => ({
        ...load(name),
        name: name.replace(/\.0+(?=\d)/, "."),
    }));
    const clip = openResult(files, null);
    const glb = open("rope.glb");
    expect(clip.frameCount).toBe(13);
    for (const i of [0, 2, 10, 12]) {
        const a = sample(clip, clip.times[i]).positions;
        expect(largestDifference(a, sample(glb, glb.times[i]).positions)).toBeLessThan(1e-5);
    }
});

// ---------------------------------------------------------------------------------------------
// Bodies

describe("bodies", () => {
    const sequence = (name: string) =>
        open(...[0, 1, 2, 3, 4, 5, 6].map((frame) => `${name}.000${frame}.obj`));

    test("stand still behind the cloth", () => {
        const clip = open("tangled.glb");
        const { starts, planes } = clip.shape.bodies!;
        expect(clip.shape.vertexCount).toBe(2 * 29 * 29);
        expect(Math.max(...clip.shape.triangles)).toBe(2 * 29 * 29 - 1);
        expect(Array.from(planes)).toEqual([0, 1]);
        expect(starts[2] - starts[1]).toBe(4);
        for (const time of [0, clip.duration]) {
            const bodies = sample(clip, time).bodies!;
            for (let i = 0; i < 3 * starts[1]; i += 3)
                expect(Math.hypot(bodies[i], bodies[i + 1] - 0.4, bodies[i + 2])).toBeCloseTo(0.2);
            for (let i = 3 * starts[1]; i < bodies.length; i += 3) expect(bodies[i + 1]).toBe(0);
        }
    });

    test("change their shape", () => {
        const clip = open("breathing.glb");
        const [start, full] = [0, 1.5].map((time) => sample(clip, time).bodies!);
        expect(largestDifference(start, full)).toBeGreaterThan(0.03);
    });

    test.each(["tangled", "breathing"])("of %s are the same in every format", (name) => {
        const glb = open(name + ".glb");
        for (const clip of [sequence(name), open(name + ".pc2", name + ".0000.obj")]) {
            expect(clip.shape.vertexCount).toBe(glb.shape.vertexCount);
            expect(clip.shape.bodies).toEqual(glb.shape.bodies);
            expect(largestDifference(clip.shape.uv, glb.shape.uv)).toBeLessThan(1e-5);
            expect(clip.frameCount).toBe(7);
            for (let i = 0; i < 7; i++) {
                const [a, b] = [sample(glb, glb.times[i]), sample(clip, clip.times[i])];
                expect(largestDifference(a.positions, b.positions)).toBeLessThan(1e-5);
                expect(largestDifference(a.bodies!, b.bodies!)).toBeLessThan(1e-5);
            }
        }
    });

    test("may be left out of points", () => {
        const { shape } = open("tangled.glb");
        expect(openResult([load("tangled.pc2")], shape).shape).toBe(shape);
        const alone = openResult([load("alone.pc2")], shape);
        expect(alone.shape.bodies).toBeUndefined();
        const whole = openResult([load("tangled.pc2")], shape);
        const [a, b] = [alone, whole].map((clip) => sample(clip, clip.duration).positions);
        expect(largestDifference(a, b)).toBe(0);
    });
});

// ---------------------------------------------------------------------------------------------
// Clips

/** Two points on the x axis, one moving away; 1, 3 and 3.5 metres apart at 0, 1 and 3 seconds. */
function makeClip(uv: number[]): Clip {
    const shape = {
        vertexCount: 2,
        triangles: new Uint32Array(),
        lines: Uint32Array.of(0, 1),
        uv: Float32Array.from(uv),
    };
    const ends = [1, 3, 3.5];
    const read = (frame: number, positions: Float32Array) =>
        positions.set([0, 0, 0, ends[frame], 0, 0]);
    return new Clip("two", shape, { times: Float32Array.of(0, 1, 3), hasNormals: false, read });
}

test("frames are found by time", () => {
    const clip = makeClip([0, 0, 0, 0]);
    const found = [-1, 0, 0.5, 1, 2.9, 3, 9].map((time) => clip.frameAt(time));
    expect(found).toEqual([0, 0, 0, 1, 1, 2, 2]);
    const glb = open("demo.glb");
    for (let i = 0; i < glb.frameCount; i++) expect(glb.frameAt(glb.times[i])).toBe(i);
});

test("positions go straight between frames and stay at the ends", () => {
    const clip = makeClip([0, 0, 0, 0]);
    const ends = [-1, 0, 0.25, 1, 2, 3, 9].map((time) => sample(clip, time).positions[3]);
    expect(ends).toEqual([1, 1, 1.5, 3, 3.25, 3.5, 3.5]);
    // back and forth, so that frames kept from before would show
    const back = [3, 0.5, 2, 0].map((time) => sample(clip, time).positions[3]);
    expect(back).toEqual([3.5, 2, 3.25, 1]);
});

test("between the frames of a file", () => {
    const clip = open("demo.glb");
    const [a, b] = [sample(clip, clip.times[20]), sample(clip, clip.times[21])];
    const time = 0.75 * clip.times[20] + 0.25 * clip.times[21];
    const middle = sample(clip, time);
    const expected = a.positions.map((value, i) => 0.75 * value + 0.25 * b.positions[i]);
    expect(middle.time).toBe(time);
    expect(largestDifference(middle.positions, expected)).toBeLessThan(1e-6);
    expect(largestDifference(a.positions, b.positions)).toBeGreaterThan(1e-3);
});

test("speed is that between the frames around", () => {
    const speeds = new Float32Array(2);
    const clip = makeClip([0, 0, 0, 0]);
    const found = [0, 0.5, 1, 2, 3, 9].map((time) => {
        clip.speed(time, speeds);
        expect(speeds[0]).toBe(0);
        return speeds[1];
    });
    expect(found).toEqual([2, 2, 0.25, 0.25, 0.25, 0.25]);
});

test("stretch is that to the flat shape, and without one to the first frame", () => {
    const out = new Float32Array(2);
    makeClip([0, 0, 0, 2]).stretch(1, out);
    expect(Array.from(out)).toEqual([0.5, 0.5]);
    makeClip([0, 0, 0, 2]).stretch(0, out);
    expect(Array.from(out)).toEqual([-0.5, -0.5]);
    makeClip([0, 0, 0, 0]).stretch(0.5, out);
    expect(Array.from(out)).toEqual([1, 1]);
});

test("stretch of a file is none at the start and little later", () => {
    for (const name of ["demo", "rope", "net"]) {
        const clip = open(name + ".glb");
        const out = new Float32Array(clip.shape.vertexCount);
        clip.stretch(0, out);
        expect(Math.max(...out.map(Math.abs))).toBeLessThan(1e-4);
        clip.stretch(1, out);
        expect(Math.max(...out.map(Math.abs))).toBeGreaterThan(1e-5);
        expect(Math.max(...out)).toBeLessThan(0.5);
        expect(Math.min(...out)).toBeGreaterThan(-0.9); // what is pressed gives way
    }
});

// ---------------------------------------------------------------------------------------------
// Files from elsewhere

/** A GLB of this JSON and these floats. */
function makeGlb(json: unknown, data: ArrayBuffer): ArrayBuffer {
    const text = new TextEncoder().encode(JSON.stringify(json));
    const textSize = (text.length + 3) & ~3;
    const bytes = new Uint8Array(28 + textSize + data.byteLength).fill(32);
    const view = new DataView(bytes.buffer);
    [0x46546c67, 2, bytes.length, textSize, 0x4e4f534a].forEach((word, i) =>
        view.setUint32(4 * i, word, true),
    );
    bytes.set(text, 20);
    view.setUint32(20 + textSize, data.byteLength, true);
    view.setUint32(24 + textSize, 0x004e4942, true);
    bytes.set(new Uint8Array(data), 28 + textSize);
    return bytes.buffer;
}

/** A triangle and two targets: x + 1 for all, and y + 1 for the last vertex. */
function makeTriangle(extra: object): { json: Record<string, any>; data: ArrayBuffer } {
    const data = Float32Array.of(
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        1,
        0,
        1,
        0,
        0,
        1,
        0,
        0,
        1,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        1,
        0,
        2,
        3,
        5,
        0,
        0,
        1,
        0.5,
        0,
        0.25,
    );
    const floats = (offset: number, count: number, type: string) => ({
        bufferView: 0,
        byteOffset: 4 * offset,
        componentType: 5126,
        count,
        type,
    });
    const json = {
        asset: { version: "2.0" },
        nodes: [{ mesh: 0 }],
        meshes: [
            {
                primitives: [
                    {
                        attributes: { POSITION: 0 },
                        targets: [{ POSITION: 1 }, { POSITION: 2 }],
                    },
                ],
            },
        ],
        accessors: [
            floats(0, 3, "VEC3"),
            floats(9, 3, "VEC3"),
            floats(18, 3, "VEC3"),
            floats(27, 3, "SCALAR"),
            floats(30, 6, "SCALAR"),
        ],
        bufferViews: [{ buffer: 0, byteLength: data.byteLength }],
        buffers: [{ byteLength: data.byteLength }],
        ...extra,
    };
    return { json, data: data.buffer };
}

const animations = [
    {
        samplers: [{ input: 3, output: 4 }],
        channels: [{ sampler: 0, target: { node: 0, path: "weights" } }],
    },
];

function openTriangle(extra: object): Clip {
    const { json, data } = makeTriangle(extra);
    return readGlb(makeGlb(json, data), "triangle.glb");
}

describe("a GLB from elsewhere", () => {
    test("mixes targets, and counts time from its first key", () => {
        const clip = openTriangle({ animations });
        expect(Array.from(clip.times)).toEqual([0, 1, 3]);
        expect(Array.from(sample(clip, 0).positions)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
        expect(Array.from(sample(clip, 1).positions)).toEqual([1, 0, 0, 2, 0, 0, 1, 1.5, 0]);
        expect(Array.from(sample(clip, 2).positions)).toEqual([
            0.5, 0, 0, 1.5, 0, 0, 0.5, 1.375, 0,
        ]);
        expect(Array.from(sample(clip, 1).normals)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
        expect(clip.shape.triangles).toEqual(Uint32Array.of(0, 1, 2));
    });

    test("stands still with the weights of its node or mesh", () => {
        const still = openTriangle({ nodes: [{ mesh: 0, weights: [2, 0] }] });
        expect(Array.from(sample(still, 0).positions)).toEqual([2, 0, 0, 3, 0, 0, 2, 1, 0]);
        expect(Array.from(sample(openTriangle({}), 0).positions.slice(0, 3))).toEqual([0, 0, 0]);
    });

    test("is where its nodes put it", () => {
        const nodes = [
            { mesh: 0, scale: [2, 2, -2] },
            { children: [0], translation: [0, 0, 5] },
        ];
        const clip = openTriangle({ nodes, animations });
        const frame = sample(clip, 1);
        expect(Array.from(frame.positions)).toEqual([2, 0, 5, 4, 0, 5, 2, 3, 5]);
        expect(Array.from(frame.normals.slice(0, 3)).map(Math.round)).toEqual([0, 0, -1]);
    });

    test("has bodies where their nodes put them, in time with the cloth or at rest", () => {
        const body = { mesh: 0, name: "body 0", translation: [0, 0, 5] };
        const still = openTriangle({ nodes: [{ mesh: 0 }, body, { mesh: 0 }], animations });
        expect(still.shape.vertexCount).toBe(3);
        expect(Array.from(still.shape.bodies!.starts)).toEqual([0, 3]);
        expect(Array.from(sample(still, 1).bodies!)).toEqual([0, 0, 5, 1, 0, 5, 0, 1, 5]);
        const [{ samplers, channels }] = structuredClone(animations);
        channels.push({ sampler: 0, target: { node: 1, path: "weights" } });
        const both = openTriangle({
            nodes: [{ mesh: 0 }, body],
            animations: [{ samplers, channels }],
        });
        expect(Array.from(sample(both, 1).bodies!)).toEqual([1, 0, 5, 2, 0, 5, 1, 1.5, 5]);
    });

    test("has values of splines between tangents", () => {
        const { json } = makeTriangle({ animations: structuredClone(animations) });
        const data = new Float32Array(30 + 18).fill(9);
        data.set(new Float32Array(makeTriangle({}).data).subarray(0, 30));
        [0, 0, 1, 0.5, 0, 0.25].forEach((w, i) => (data[30 + 6 * (i >> 1) + 2 + (i % 2)] = w));
        json.accessors[4].count = 18;
        json.bufferViews[0].byteLength = data.byteLength;
        json.animations[0].samplers[0].interpolation = "CUBICSPLINE";
        const clip = readGlb(makeGlb(json, data.buffer), "spline.glb");
        expect(Array.from(sample(clip, 1).positions)).toEqual([1, 0, 0, 2, 0, 0, 1, 1.5, 0]);
    });

    test("may have its numbers apart from each other", () => {
        const data = new Float32Array(15).fill(7);
        [0, 0, 0, 1, 0, 0, 0, 1, 0].forEach((x, i) => (data[5 * Math.floor(i / 3) + (i % 3)] = x));
        const { json } = makeTriangle({});
        json.meshes[0].primitives[0].targets = [];
        json.bufferViews[0] = { buffer: 0, byteLength: 60, byteStride: 20 };
        const clip = readGlb(makeGlb(json, data.buffer), "apart.glb");
        expect(Array.from(sample(clip, 0).positions)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    });

    test("of other kinds is named", () => {
        const message = (extra: object) => messageOf(() => openTriangle(extra));
        expect(message({ extensionsRequired: ["KHR_draco_mesh_compression"] })).toBe(
            "triangle.glb needs the extension KHR_draco_mesh_compression, which is not read",
        );
        expect(message({ nodes: [] })).toBe("triangle.glb holds no mesh");
        expect(message({ buffers: [{ uri: "cloth.bin" }] })).toBe(
            "triangle.glb keeps data in other files, which are not read",
        );
    });

    test("with impossible numbers is damaged", () => {
        const { json, data } = makeTriangle({});
        json.meshes[0].primitives[0].indices = 5;
        json.accessors.push({
            bufferView: 0,
            byteOffset: 0,
            componentType: 5121,
            count: 3,
            type: "SCALAR",
        });
        const read = () => readGlb(makeGlb(json, data), "triangle.glb");
        expect(read().shape.triangles).toEqual(Uint32Array.of(0, 0, 0));
        new Uint8Array(data)[2] = 3;
        expect(messageOf(read)).toBe("triangle.glb is damaged: there is no vertex 3");
        new Float32Array(data)[0] = NaN;
        expect(messageOf(read)).toBe(
            "triangle.glb is damaged: accessor 0 holds impossible numbers",
        );
        const nodes = [{ mesh: 0, children: [1] }, { children: [0] }];
        expect(messageOf(() => openTriangle({ nodes }))).toBe(
            "triangle.glb is damaged: a node is its own parent",
        );
    });
});

describe("an OBJ from elsewhere", () => {
    const read = (text: string) =>
        readObj(new TextEncoder().encode(text).buffer as ArrayBuffer, "mesh.obj");

    test("has polygons, negative numbers, comments and long lines", () => {
        const { shape, positions } = read(
            "# quad\r\no x\r\nv 0 0 0 1\r\nv 1 0 0\r\nv 1 1 \\\r\n 0\r\nv 0 1 0\r\nv 5 5 5\r\n" +
                "vt 0.5 0.25\r\nvt 1\r\nvn 0 0 1\r\nusemtl m\r\nf 1/1/1 2/-1/1 3//1 -2\r\nl 1 2 -1",
        );
        expect(Array.from(positions)).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 5, 5, 5]);
        expect(shape.vertexCount).toBe(5);
        expect(Array.from(shape.triangles)).toEqual([0, 1, 2, 0, 2, 3]);
        expect(Array.from(shape.lines)).toEqual([0, 1, 1, 4]);
        expect(Array.from(shape.uv)).toEqual([0.5, 0.25, 1, 0, 0, 0, 0, 0, 0, 0]);
    });

    test("gives a rope the texture coordinates of its vertices", () => {
        const { shape } = read("v 0 0 0\nv 1 0 0\nvt 0.5 0\nvt 2 3\nl 1 2");
        expect(Array.from(shape.uv)).toEqual([0.5, 0, 2, 3]);
    });

    test("has bodies only behind all cloth, and apart from it", () => {
        const corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
        const near = "f -3 -2 -1\n";
        const body = `o body 0\n${corners}${near}`;
        const count = (text: string) => read(text).shape.vertexCount;
        expect(count(`o a\n${corners}${near}${body}`)).toBe(3);
        expect(count(`${corners}${near}${body}${body}`)).toBe(3);
        expect(count(body)).toBe(3);
        expect(count(`${corners}${near}${body}o b\n${corners}${near}`)).toBe(9);
        expect(count(`${corners}${near}${body}f 1 2 -1`)).toBe(6);
        expect(count(`${corners}${near}${body}l 1 -1`)).toBe(6);
        expect(count(`${corners}${near}${body}o body 1`)).toBe(6);
    });

    test("with faults says where they are", () => {
        expect(messageOf(() => read("v 0 0 0\nv 1 x 0"))).toBe('mesh.obj:2: "x" is not a number');
        expect(messageOf(() => read("v 1e30 0 0"))).toBe('mesh.obj:1: "1e30" is too large');
        expect(messageOf(() => read("v 0 0"))).toBe('mesh.obj:1: "v" needs 3 numbers');
        expect(messageOf(() => read("v 0 0 0\nf 1 1 2"))).toBe(
            "mesh.obj:2: there is no vertex 2; 1 came before this line",
        );
        expect(messageOf(() => read("v 0 0 0\nf 1 1"))).toBe("mesh.obj:2: a face needs 3 corners");
        expect(messageOf(() => read("v 0 0 0"))).toBe("mesh.obj holds no faces and no lines");
        expect(messageOf(() => read(""))).toBe("mesh.obj holds no vertices");
    });
});

// ---------------------------------------------------------------------------------------------
// Files that do not go together

describe("files that do not go together", () => {
    const message = (names: string[], current: Shape | null = null) =>
        messageOf(() => openResult(names.map(load), current));

    test("points without a mesh", () => {
        expect(message(["demo.pc2"])).toBe(
            "demo.pc2 holds points only: open it together with the OBJ or GLB of its mesh",
        );
        const demo = open("demo.glb").shape;
        const rope = open("rope.glb").shape;
        expect(openResult([load("demo.pc2")], demo).shape).toBe(demo);
        expect(message(["demo.pc2"], rope)).toBe(
            `demo.pc2 holds ${demo.vertexCount} points, but the scene that is open has 101 ` +
                "vertices: open it together with the OBJ or GLB of its mesh",
        );
    });

    test("points with another mesh", () => {
        const count = open("demo.glb").shape.vertexCount;
        expect(message(["demo.pc2", "rope.obj"])).toBe(
            `demo.pc2 holds ${count} points, but rope.obj has 101 vertices`,
        );
        const rope = open("rope.glb").shape;
        expect(messageOf(() => readPc2(load("demo.pc2").bytes, "demo.pc2", rope))).toBe(
            `demo.pc2 holds ${count} points, but its mesh has 101`,
        );
    });

    test("too many, unknown or none", () => {
        expect(message(["demo.pc2", "rope.pc2"])).toBe(
            "Open one PC2 at a time, not demo.pc2, rope.pc2",
        );
        expect(message(["demo.pc2", "rope.obj", "demo.glb"])).toBe(
            "demo.pc2 needs one mesh, not rope.obj, demo.glb",
        );
        expect(message(["demo.glb", "rope.glb"])).toBe(
            "Open one result at a time, not demo.glb, rope.glb",
        );
        expect(message(["demo.obj", "rope.obj"])).toMatch(/^rope.obj has 101 .* demo.obj has \d+$/);
        expect(message([])).toBe("No file was given");
        const other = { name: "notes.txt", bytes: new ArrayBuffer(3) };
        expect(messageOf(() => openResult([other], null))).toContain("notes.txt");
    });

    test("the frame rate of a PC2 is given", () => {
        const clip = openResult([load("rope.pc2"), load("rope.obj")], null, 24);
        expect(clip.duration).toBeCloseTo(60 / 24, 5);
    });
});

// ---------------------------------------------------------------------------------------------
// Damaged files

/** Numbers from 0 to 1, the same every time. */
function makeRandom(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

/** Opens a file: either it plays, or there is an Error that names it. Says which. */
function tryOpen(file: ResultFile, mesh: Shape): boolean {
    try {
        const clip = openResult([file], mesh);
        for (const time of [0, clip.duration / 3, clip.duration]) {
            const { positions, normals } = sample(clip, time);
            if (!positions.every(Number.isFinite)) throw new TypeError("positions are not finite");
            if (!(lengthError(normals) < 1e-4)) throw new TypeError("normals are not of length 1");
        }
        const { vertexCount, triangles, lines } = clip.shape;
        const known = (index: number) => index < vertexCount;
        if (!triangles.every(known) || !lines.every(known)) throw new TypeError("wrong vertices");
        const out = new Float32Array(vertexCount);
        clip.speed(clip.duration / 2, out);
        clip.stretch(clip.duration / 2, out);
        return true;
    } catch (error) {
        if ((error as Error).constructor !== Error) throw error;
        expect((error as Error).message).toContain(basename(file.name));
        return false;
    }
}

describe.each(["short.glb", "short.pc2", "short.obj"])("damaged %s", (name) => {
    let whole: Uint8Array;
    let mesh: Shape;
    beforeAll(() => {
        whole = new Uint8Array(load(name).bytes);
        mesh = open("short.obj").shape;
    });

    test("cut off anywhere", () => {
        let opened = 0;
        for (let size = 0; size < whole.length; size += size < 300 ? 1 : 37)
            opened += Number(tryOpen({ name, bytes: whole.slice(0, size).buffer }, mesh));
        // only an OBJ may end between two lines
        if (name !== "short.obj") expect(opened).toBe(0);
        expect(tryOpen({ name, bytes: whole.slice().buffer }, mesh)).toBe(true);
    });

    test("with other bytes", () => {
        const random = makeRandom(1);
        let opened = 0;
        for (let round = 0; round < 3000; round++) {
            const bytes = whole.slice();
            // half of them near the start, where headers are
            const range = round % 2 ? bytes.length : Math.min(bytes.length, 3000);
            for (let k = 1 + Math.floor(3 * random()); k > 0; k--)
                bytes[Math.floor(range * random())] = Math.floor(256 * random());
            opened += Number(tryOpen({ name, bytes: bytes.buffer }, mesh));
        }
        expect(opened).toBeGreaterThan(10);
        expect(opened).toBeLessThan(2990);
    });

    test("of another kind", () => {
        for (const other of ["short.glb", "short.pc2", "short.obj"])
            expect(tryOpen({ name, bytes: load(other).bytes }, mesh)).toBe(other === name);
    });
});

/** Every place in a JSON value: what holds it, and under which key. */
function findPlaces(value: any, found: [any, string][] = []): [any, string][] {
    if (typeof value !== "object" || value === null) return found;
    for (const key of Object.keys(value)) {
        found.push([value, key]);
        findPlaces(value[key], found);
    }
    return found;
}

test("a GLB with any value of its JSON replaced", () => {
    const junk = [null, -1, 0, 1, 2, 0.5, 1e300, 4294967295, "x", true, [], {}, [0], [null]];
    const nodes = [{ mesh: 0, scale: [1, 1, 1], rotation: [0, 0, 0, 1] }, { children: [0] }];
    const { json, data } = makeTriangle({ animations, nodes });
    const count = findPlaces(json).length;
    expect(count).toBeGreaterThan(50);
    const mesh = open("short.obj").shape;
    let opened = 0;
    for (let i = 0; i < count; i++)
        for (const value of junk) {
            const copy = structuredClone(json);
            const [parent, key] = findPlaces(copy)[i];
            parent[key] = value;
            const file = { name: "triangle.glb", bytes: makeGlb(copy, data) };
            opened += Number(tryOpen(file, mesh));
        }
    expect(opened).toBeGreaterThan(10);
    expect(opened).toBeLessThan((count * junk.length) / 2);
});
