// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards that what hands did is kept: as data that goes back and forth, and in the words of scenes,
// which any reader of scenes plays.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { SceneDocument } from "../src/scene/document";
import { scenes } from "../src/scene/scenes";
import { Core, Play } from "../src/sim/core";
import {
    cutsGoOn,
    handsToGo,
    handWords,
    isHands,
    keptHands,
    untouched,
    type HandState,
} from "../src/sim/hands";
import type { Start } from "../src/sim/protocol";
import { root, tool } from "./browser";
import { giveNamed } from "./named";

let core: Core;
beforeAll(async () => {
    core = await Core.load(readFileSync(join(root, "build/web/bin/weft.wasm")));
});

const grid = { kind: "grid", columns: 8, rows: 8, width: 0.8, height: 0.8 };
const turn = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as [number, number, number, number];
const scene = {
    weft: 1,
    motions: {
        way: {
            offset: {
                keys: [
                    [0, 0, 0, 0],
                    [1, 0.1, 0, 0],
                ],
            },
        },
    },
    bodies: [
        { kind: "sphere", name: "ball", radius: 0.1, place: { move: [3, 0, 0] } },
        {
            kind: "box",
            name: "wagon",
            size: [0.1, 0.1, 0.1],
            place: { move: [3, 1, 0] },
            motion: "way",
        },
    ],
    cloths: [{ mesh: grid, pins: [{ side: "top" }] }],
};

/** The document of a text as the page knows it, and what plays it. */
function open(text: string): { document: SceneDocument; play: Play } {
    giveNamed(core, text);
    const play = Play.open(core, text, "scene.json");
    play.draw(null);
    const start: Start = {
        positions: play.positions().slice(),
        pinned: play.pinned().slice(),
        bodyShape: play.bodyShape(),
        bodies: play.bodies().slice(),
        description: play.describe(),
    };
    const document = new SceneDocument("scene", "scene.json", text, start.description);
    document.start = start;
    return { document, play };
}

function after(play: Play, steps: number) {
    for (let i = 0; i < steps; i++) play.step();
    play.draw(null);
    return {
        positions: play.positions().slice(),
        pinned: [...play.pinned()],
        bodies: play.bodies().slice(),
    };
}

const far = (a: Float32Array, b: Float32Array, which = (_: number) => true) =>
    Math.max(0, ...a.map((x, i) => (which(Math.floor(i / 3)) ? Math.abs(x - b[i]!) : 0)));

/** Played by hands, and as the scene that was saved. */
function both(text: string, hands: HandState, steps: number) {
    const { document, play } = open(text);
    play.setHands(hands);
    document.edits = { hands };
    const { text: saved, unsaid } = document.composeSaved([81]);
    const again = open(saved).play;
    const [a, b] = [after(play, steps), after(again, steps)];
    play.close();
    again.close();
    return { a, b, unsaid, saved: JSON.parse(saved) };
}

describe("a scene that is saved", () => {
    const [first, last] = [72, 80]; // of the upper side
    const hands: HandState = {
        carried: [0, 0, 0],
        bodies: [
            { index: 0, move: [0.2, 0.1, 0], turn: [0, 0, 0, 1] },
            { index: 1, move: [0, 0.3, 0], turn: [0, 0, 0, 1] },
        ],
        pins: [
            { vertex: 4, position: [0.4, 0.1, 0.2] },
            { vertex: first, position: null },
            { vertex: last, position: [0.7, 0.8, 0] },
        ],
        cuts: [{ time: 1.5, cloth: 0, vertices: [27, 28, 29, 30] }],
    };

    test("has the pins, the bodies and the cuts of hands where they are", () => {
        const { a, b, unsaid, saved } = both(JSON.stringify(scene), hands, 90);
        expect(unsaid).toEqual([]);
        expect(b.pinned).toEqual(a.pinned);
        expect(b.pinned.filter((held) => held).length).toBe(9);
        expect(b.pinned.length).toBeGreaterThan(81); // it is cut
        expect(far(a.positions, b.positions, (v) => a.pinned[v] !== 0)).toBeLessThan(1e-4);
        expect(b.positions[3 * last + 1]).toBeCloseTo(0.8, 4);
        expect(far(a.bodies, b.bodies)).toBeLessThan(1e-4);
        expect(saved.cuts).toEqual([{ time: 0, cloth: 0, vertices: [27, 28, 29, 30] }]);
    });

    test("runs by the tool", () => {
        const folder = mkdtempSync(join(tmpdir(), "weft-hands-"));
        const { document, play } = open(JSON.stringify(scene));
        play.close();
        document.edits = { hands };
        writeFileSync(join(folder, "scene.json"), document.composeSaved([81]).text);
        execFileSync(
            tool,
            ["run", "scene.json", "--frames", "30", "--no-bodies", "--last", "out.obj"],
            { cwd: folder, stdio: "pipe" },
        );
        const last = readFileSync(join(folder, "out.obj"), "utf8");
        expect(last.match(/^v /gm)!.length).toBeGreaterThan(81); // it is cut
        rmSync(folder, { recursive: true });
    });

    test("turns a body that stands still, and says what it cannot turn", () => {
        const turns = [0, 1].map((index) => ({
            index,
            move: [3, -3, 0] as [number, number, number],
            turn,
        }));
        const { a, b, unsaid } = both(JSON.stringify(scene), { ...untouched, bodies: turns }, 240);
        expect(unsaid).toEqual(["the turn of wagon, which moves by itself"]);
        const { starts } = open(JSON.stringify(scene)).play.bodyShape();
        expect(far(a.bodies, b.bodies, (v) => v < starts[1]!)).toBeLessThan(1e-4);
    });

    test("carries all that holds cloth, and all bodies", () => {
        const { a, b } = both(JSON.stringify(scene), { ...untouched, carried: [0.1, 0, 0.2] }, 120);
        expect(far(a.bodies, b.bodies)).toBeLessThan(1e-4);
        expect(far(a.positions, b.positions, (v) => a.pinned[v] !== 0)).toBeLessThan(1e-4);
        expect(b.positions[3 * last + 2]).toBeCloseTo(-0.6, 4);
    });

    test("of the project stays as it is without hands", () => {
        const document = new SceneDocument("flag", "flag.json", scenes[0]!.text);
        expect(document.composeSaved([81])).toEqual({ text: scenes[0]!.text, unsaid: [] });
    });
});

describe("what hands did", () => {
    const start = { positions: [0, 0, 0, 1, 0, 0], pinned: [0, 1] };
    const pin = { vertex: 0, position: [0, 2, 0] as [number, number, number] };
    const body = { index: 1, move: [1, 0, 0] as [number, number, number], turn };
    const cut = { time: 1, cloth: 0, vertices: [0, 1] };

    test("is kept in few digits, without what is as the scene has it", () => {
        const hands: HandState = {
            carried: [0.1234567, 0, 0],
            bodies: [body, { index: 2, move: [1e-9, 0, 0], turn: [0, 0, 0, 1] }],
            pins: [pin, { vertex: 1, position: [1, 0, 1e-9] }],
            cuts: [],
        };
        const kept = keptHands(hands, start)!;
        expect(kept.carried).toEqual([0.12346, 0, 0]);
        expect(kept.bodies.map(({ index }) => index)).toEqual([1]);
        expect(kept.pins).toEqual([pin]);
        expect(keptHands({ ...untouched, pins: [{ vertex: 0, position: null }] }, start)).toBe(
            undefined,
        );
        expect(isHands(JSON.parse(JSON.stringify(kept)))).toBe(true);
        expect(isHands({ ...kept, pins: [{ vertex: 0.5, position: null }] })).toBe(false);
        expect(isHands(null)).toBe(false);
    });

    test("is undone: what nobody wants goes back", () => {
        const now: HandState = {
            ...untouched,
            pins: [pin, { vertex: 1, position: null }],
            bodies: [body],
        };
        const home = { index: 1, move: [0, 0, 0], turn: [0, 0, 0, 1] };
        expect(handsToGo(now, untouched, start)).toMatchObject({
            pins: [
                { vertex: 0, position: null },
                { vertex: 1, position: [1, 0, 0] },
            ],
            bodies: [home],
        });
        expect(handsToGo(keptHands(now, null)!, keptHands(now, null)!, start)).toBe(null);
        expect(handsToGo(untouched, { ...untouched, cuts: [cut] }, null)!.cuts).toEqual([cut]);
        expect(handsToGo({ ...untouched, carried: [1, 0, 0] }, untouched, null)!.carried).toEqual([
            0, 0, 0,
        ]);
    });

    test("has words, and cloth does not grow together", () => {
        expect(handWords(undefined, { ...untouched, pins: [pin] })).toEqual(["pin"]);
        expect(handWords({ ...untouched, bodies: [body], cuts: [cut] })).toEqual([
            "move of a body",
            "cut",
        ]);
        expect(cutsGoOn(undefined, { ...untouched, cuts: [cut] })).toBe(true);
        expect(cutsGoOn({ ...untouched, cuts: [cut] }, undefined)).toBe(false);
    });
});
