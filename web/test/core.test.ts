// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the module without a browser: every scene plays to the same bits as the native tool, and
// what the page does to a scene while it runs does what it says.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Core, Play } from "../src/sim/core";
import { long, root, tool } from "./browser";
import { giveNamed } from "./named";

const scenes = readdirSync(join(root, "scenes")).filter((name) => name.endsWith(".json"));

let core: Core;
beforeAll(async () => {
    core = await Core.load(readFileSync(join(root, "build/web/bin/weft.wasm")));
});

function sceneText(name: string, edit: (scene: any) => void = () => {}): string {
    const scene = JSON.parse(readFileSync(join(root, "scenes", name), "utf8"));
    edit(scene);
    return JSON.stringify(scene);
}

function open(name: string, edit?: (scene: any) => void): Play {
    const text = sceneText(name, edit);
    giveNamed(core, text);
    return Play.open(core, text, name);
}

function nativeHash(name: string, steps: number): string {
    const words = ["run", join(root, "scenes", name), "--same-bits", "--frames", `${steps}`];
    const output = execFileSync(tool, [...words, "--budget", "0", "--no-detail", "--json"], {
        encoding: "utf8",
    });
    return JSON.parse(output).hash;
}

/** Steps that are compared; fewer of scenes with many vertices. */
const USUAL = long ? 60 : 20;
const FEW = long ? 60 : 8;
const large =
    /^(breathing|detail_skirt|disc|fabrics|funnel|heap|needles|plane|rotating_sphere|sphere_s|sphere_tri|tangled)/;
const lengths: Record<string, number> = { "scalable.json": 10, "sabre.json": 80 };

test.each(scenes)("%s plays to the bits of the native tool", (name) => {
    const steps = lengths[name] ?? (large.test(name) ? FEW : USUAL);
    const play = open(name, (scene) => {
        scene.same_bits = true;
        // what a clock decides is not the same twice
        if (scene.step) delete scene.step.budget_ms;
    });
    for (let i = 0; i < steps; i++) play.step();
    expect(play.hash()).toBe(nativeHash(name, steps));
    play.close();
});

test("bodies are told apart, and where they are", () => {
    const play = open("tangled.json");
    const { starts, planes, triangles } = play.shape().bodies!;
    expect([...planes]).toEqual([0, 1]);
    expect(Math.max(...triangles)).toBe(starts[2]! - 1);
    play.draw(null);
    const places = play.bodies();
    expect(places.length).toBe(3 * starts[2]!);
    const heights = places.filter((_, i) => i % 3 === 1);
    expect(Math.max(...heights.slice(0, starts[1]))).toBeCloseTo(0.6, 2);
    expect([...new Set(heights.slice(starts[1]))]).toEqual([0]);
    expect(play.describe()).toMatchObject({ contact: "all", bodies: 2 });
    play.close();
});

describe("cloth that is torn", () => {
    const curtain = (more: object) =>
        JSON.stringify({
            weft: 1,
            contact: "all",
            winds: [{ kind: "turbulence", strength: 2 }],
            bodies: [{ kind: "sphere", radius: 0.05, place: { move: [0, 0.1, 0.3] } }],
            attachments: [{ at: [0, 0, 0], body: 0, stiffness: 50 }],
            cloths: [
                {
                    mesh: { kind: "grid", columns: 8, rows: 8 },
                    place: { turn: { degrees: 90 } },
                    pins: [{ side: "top" }],
                },
            ],
            ...more,
        });
    const cuts = [{ time: 0.05, along: [[0.5, 1.1, 0], [0.5, -0.1, 0]] }]; // prettier-ignore

    test("has more vertices, and another shape", () => {
        const play = Play.open(core, curtain({ cuts }), "x.json");
        const before = play.shape(),
            number = play.shapeNumber;
        for (let i = 0; i < 30; i++) {
            play.step();
            play.draw("stretch");
            expect(play.positions().every(Number.isFinite)).toBe(true);
        }
        expect(play.shapeNumber).not.toBe(number);
        const after = play.shape();
        expect([before.vertexCount, after.vertexCount]).toEqual([81, 90]);
        expect(after.triangles.length).toBe(before.triangles.length);
        expect(Math.max(...after.triangles)).toBe(89);
        expect(after.uv.length).toBe(180);
        expect(play.normals().length).toBe(270);
        expect(play.pinned().reduce((sum, pinned) => sum + pinned, 0)).toBe(10);
        play.reset();
        expect(play.shape().vertexCount).toBe(81);
        play.close();
    });

    test("is where its space is", () => {
        const motions = { go: { offset: { keys: [[0, 0, 0, 0], [1, 1, 0, 0]] } } }; // prettier-ignore
        const play = Play.open(core, curtain({ cuts, motions, space: { motion: "go" } }), "x.json");
        for (let i = 0; i < 30; i++) play.step();
        play.draw(null);
        expect(play.positions()[3 * 72]).toBeCloseTo(0.5, 5);
        expect(play.vertexCount).toBe(90);
        play.close();
    });

    test("is attached and keeps to its skin where nothing cuts it", () => {
        const motions = { go: { offset: { keys: [[0, 0, 0, 0], [1, 1, 0, 0]] } } }; // prettier-ignore
        const cloths = [
            {
                mesh: { kind: "grid", columns: 8, rows: 8 },
                place: { turn: { degrees: 90 } },
                animation: { motion: "go", max_distance: [0, 0.3] },
            },
        ];
        const play = Play.open(core, curtain({ cloths, motions }), "x.json");
        for (let i = 0; i < 30; i++) play.step();
        play.draw("speed");
        expect(play.positions()[3 * 72]).toBeCloseTo(0.5, 5);
        play.close();
    });
});

describe("detail", () => {
    const square = (detail: unknown, columns = 8) =>
        JSON.stringify({
            weft: 1,
            cloths: [
                { mesh: { kind: "grid", columns, rows: 8 }, pins: [{ vertices: [0] }], detail },
            ],
        });
    const findings = (play: Play) => play.describe().findings;

    test("is what is drawn, coloured and grabbed", () => {
        const play = Play.open(core, square({ parts: 3, surface: "smooth" }), "x.json");
        const { vertexCount, triangles, uv } = play.shape();
        expect([vertexCount, triangles.length, uv.length]).toEqual([625, 3 * 1152, 1250]);
        expect(play.describe().cloths[0]).toMatchObject({ vertices: 81, shown: 625 });
        play.grab(624);
        play.drag([0.5, 0.5, 0]);
        for (let i = 0; i < 20; i++) play.step();
        for (const field of ["stretch", "curvature", "speed"] as const) {
            play.draw(field);
            for (const numbers of [play.positions(), play.normals(), play.field()])
                expect(numbers.every(Number.isFinite)).toBe(true);
        }
        // the hand holds it up
        expect(play.positions()[3 * 624 + 1]).toBeGreaterThan(0.1);
        expect(play.numbers().detail).toBeGreaterThanOrEqual(0);
        play.close();
    });

    test("of a mesh file follows the cloth", () => {
        const obj = "v 0.1 0.01 -0.1\nv 0.9 0.01 -0.1\nv 0.5 0.01 -0.9\nf 1 2 3\n";
        core.give("trim.obj", new TextEncoder().encode(obj));
        const play = Play.open(core, square({ mesh: "trim.obj" }), "x.json");
        expect([play.vertexCount, findings(play)]).toEqual([3, []]);
        for (let i = 0; i < 20; i++) play.step();
        play.draw(null);
        expect(play.positions()[7]).toBeLessThan(-0.1);
        play.close();
    });

    test("that is damaged, or missing, leaves cloth and a note", () => {
        core.give("damaged.detail", new TextEncoder().encode("no detail"));
        for (const name of ["damaged.detail", "missing.detail"]) {
            const play = Play.open(core, square(name), "x.json");
            expect(play.vertexCount).toBe(17 * 17);
            expect(findings(play)[0]).toMatch(/^no detail, the cloth is shown smooth: /);
            expect(findings(play)[0]).toContain(name);
            play.step();
            play.close();
        }
    });
});
