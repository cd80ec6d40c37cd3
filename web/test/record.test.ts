// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards recordings of what is played: the GLB has the frames that were seen and what the tool writes
// of the same scene, through cuts and rewinding, within its memory; a video keeps the scene's time.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readGlb } from "../src/results/read-glb";
import { bodyVertexCount } from "../src/shape";
import { Core, Play } from "../src/sim/core";
import { Past } from "../src/sim/past";
import { Recorder } from "../src/sim/recorder";
import { root, tool } from "./browser";

const folder = mkdtempSync(join(tmpdir(), "weft-record-"));
afterAll(() => rmSync(folder, { recursive: true }));

let core: Core;
beforeAll(async () => {
    core = await Core.load(readFileSync(join(root, "build/web/bin/weft.wasm")));
});

const dt = 1 / 60;
const square = {
    mesh: { kind: "grid", columns: 8, rows: 8 },
    place: { turn: { degrees: 90 } },
    pins: [{ side: "top" }],
};
/** Two cloths of two fabrics, one of them printed, above a ball that stands still on a floor. */
const scene = (more: object = {}) =>
    JSON.stringify({
        weft: 1,
        name: "two",
        contact: "bodies",
        same_bits: true,
        step: { dt: 1 / 60 },
        cloths: [
            { ...square, fabric: "polyester_satin" },
            {
                ...square,
                fabric: { base: "denim", look: { print: { kind: "stripes", size: 0.1 } } },
                place: { move: [1.5, 0, 0], turn: { degrees: 90 } },
            },
        ],
        bodies: [
            { kind: "sphere", radius: 0.2, name: "ball", place: { move: [0.5, 0.3, 0.1] } },
            { kind: "plane", place: { move: [0, -1.2, 0] } },
        ],
        ...more,
    });

const cut = { time: 0.25, along: [[0.5, 1.1, 0], [0.5, -0.1, 0]] }; // prettier-ignore

interface Seen {
    step: number;
    positions: Float32Array;
    bodies: Float32Array;
    triangles: Uint32Array;
}

function seen(play: Play, step: number): Seen {
    play.draw(null);
    const { triangles } = play.shape();
    return { step, positions: play.positions().slice(), bodies: play.bodies().slice(), triangles };
}

async function read(blob: Blob) {
    const bytes = await blob.arrayBuffer();
    const view = new DataView(bytes);
    const text = new TextDecoder().decode(new Uint8Array(bytes, 20, view.getUint32(12, true)));
    return { clip: readGlb(bytes, "x.glb"), json: JSON.parse(text) };
}

/** How far corners of triangles in a clip are from where they were seen, at most. */
function distanceTo(clip: ReturnType<typeof readGlb>, time: number, frame: Seen): number {
    const size = 3 * clip.shape.vertexCount;
    const found = {
        time: 0,
        positions: new Float32Array(size),
        normals: new Float32Array(size),
        bodies: new Float32Array(3 * bodyVertexCount(clip.shape)),
    };
    clip.sample(time, found);
    expect(found.bodies.length).toBe(frame.bodies.length);
    let most = 0;
    found.bodies.forEach((x, i) => (most = Math.max(most, Math.abs(x - frame.bodies[i]!))));
    clip.shape.triangles.forEach((vertex, corner) => {
        for (let k = 0; k < 3; k++) {
            const x = frame.positions[3 * frame.triangles[corner]! + k]!;
            most = Math.max(most, Math.abs(found.positions[3 * vertex + k]! - x));
        }
    });
    return most;
}

test("what is recorded is what was seen, and what the tool writes", async () => {
    const play = Play.open(core, scene(), "two.json");
    const recorder = new Recorder(dt);
    const frames = [seen(play, 0)];
    recorder.took(play, 0);
    for (let step = 1; step <= 40; step++) {
        play.step();
        recorder.took(play, step);
        frames.push(seen(play, step));
    }
    const { bytes, seconds, ended } = recorder.state;
    expect([seconds, ended]).toEqual([40 * dt, null]);
    // 21 frames of the cloth, one of the bodies, which stand still
    expect(bytes).toBe(21 * frames[0]!.positions.byteLength + frames[0]!.bodies.byteLength);
    const { clip, json } = await read(recorder.write(core));
    expect(clip.frameCount).toBe(21);
    expect(clip.duration).toBeCloseTo(40 * dt, 6);
    for (const step of [0, 2, 20, 40])
        expect(distanceTo(clip, step * dt, frames[step]!)).toBeLessThan(1e-6);
    play.close();

    writeFileSync(join(folder, "two.json"), scene({ duration: 40 * dt }));
    execFileSync(tool, ["run", "two.json", "--out", "two.glb", "--every", "2", "--quiet"], {
        cwd: folder,
    });
    const theirs = await read(new Blob([readFileSync(join(folder, "two.glb"))]));
    for (const key of ["asset", "extensionsUsed", "materials", "textures", "nodes", "meshes"])
        expect(json[key], key).toEqual(theirs.json[key]);
    expect(json.accessors.length).toBe(theirs.json.accessors.length);
    expect(distanceTo(theirs.clip, 40 * dt, frames[40]!)).toBeLessThan(1e-5);
});

test("a cut goes on; played again from before it, it is whole again", async () => {
    const play = Play.open(core, scene({ cuts: [cut] }), "two.json");
    const past = new Past(() => {});
    past.begin(dt, true);
    const recorder = new Recorder(dt);
    const frames = new Map<number, Seen>();
    const take = (count: number) => {
        for (let i = 0; i < count; i++) {
            past.step(play);
            recorder.took(play, past.range.now);
            frames.set(past.range.now, seen(play, past.range.now));
        }
    };
    take(30);
    const whole = frames.get(1)!.positions.length;
    expect(frames.get(30)!.positions.length).toBeGreaterThan(whole);
    past.go(play, 9, true);
    take(31);
    expect(recorder.state).toMatchObject({ seconds: 38 * dt, ended: null });
    const { clip } = await read(recorder.write(core));
    expect(3 * clip.shape.vertexCount).toBe(frames.get(40)!.positions.length);
    for (const step of [1, 9, 11, 25, 39])
        expect(distanceTo(clip, (step - 1) * dt, frames.get(step)!)).toBeLessThan(1e-6);
    past.go(play, 5, true);
    const again = new Recorder(dt);
    again.took(play, 5);
    expect(3 * (await read(again.write(core))).clip.shape.vertexCount).toBe(whole);
    play.close();
});

test("a recording ends before it takes too much, and keeps what it has", async () => {
    const play = Play.open(core, scene(), "two.json");
    play.draw(null);
    const room = 4 * play.positions().byteLength + play.bodies().byteLength;
    const recorder = new Recorder(dt, room);
    for (let step = 0; step < 20; step++, play.step()) recorder.took(play, step);
    const { bytes, seconds, ended } = recorder.state;
    expect(bytes).toBe(room);
    expect(seconds).toBeCloseTo(6 * dt, 10);
    expect(ended).toMatch(/^The recording ended: it has the .* MB/);
    expect((await read(recorder.write(core))).clip.frameCount).toBe(4);
    expect(() => recorder.write(core)).toThrow("Nothing was recorded yet.");
    play.close();
});

test("another length of steps or another mesh ends it, with a reason", () => {
    const play = Play.open(core, scene(), "two.json");
    const recorder = new Recorder(dt);
    recorder.took(play, 0);
    recorder.changed(dt);
    expect(recorder.state.ended).toBe(null);
    const smooth = JSON.parse(scene());
    smooth.cloths[0].detail = { parts: 2 };
    play.change(JSON.stringify(smooth), "two.json", true);
    recorder.took(play, 2);
    expect(recorder.state.ended).toMatch(/another mesh/);
    const other = new Recorder(dt);
    other.changed(1 / 100);
    expect(other.state.ended).toMatch(/another length/);
    play.close();
});
