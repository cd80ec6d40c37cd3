// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Looks as the page gets them: with what is described, per triangle, and with the list of fabrics.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { prints, weaves, type Look } from "../src/look";
import { Core, Play } from "../src/sim/core";

const root = join(fileURLToPath(import.meta.url), "../../..");
let core: Core;

beforeAll(async () => {
    core = await Core.load(readFileSync(join(root, "build/web/bin/weft.wasm")));
});

function open(fabrics: unknown[], more: object = {}): Play {
    const mesh = { kind: "grid", columns: 4, rows: 4, width: 1, height: 1 };
    const cloths = fabrics.map((fabric) => ({ mesh, ...(fabric ? { fabric } : {}) }));
    return Play.open(core, JSON.stringify({ weft: 1, cloths, ...more }), "looks");
}

const keys = (
    "colour reverse weave thread relief roughness specular sheen sheen_colour sheen_roughness " +
    "anisotropy opacity translucency print"
).split(" ");

function checkLook(look: Look): void {
    expect(Object.keys(look)).toEqual(keys);
    expect(Object.keys(look.print)).toEqual(["kind", "colour", "size", "file"]);
    for (const colour of [look.colour, look.reverse, look.sheen_colour, look.print.colour])
        expect(colour).toMatch(/^#[0-9a-f]{6}$/);
    expect(weaves).toContain(look.weave);
    expect(prints).toContain(look.print.kind);
}

test("every fabric that can be chosen has numbers and a look", () => {
    const fabrics = core.choices().filter(({ group }) => group === "fabric");
    expect(fabrics.length).toBeGreaterThan(10);
    for (const { look, numbers } of fabrics) {
        checkLook(look!);
        expect(numbers!.density).toBeGreaterThan(0);
    }
    const colours = new Set(fabrics.map(({ look }) => look!.colour));
    expect(colours.size).toBe(fabrics.length);
});

test("a scene tells the look of each cloth, and of each triangle", () => {
    const striped = { colour: "#223355", print: { kind: "stripes", size: 0.03 } };
    const play = open([null, "silk_chiffon", { base: "denim", look: striped }]);
    const { looks } = play.describe();
    looks.forEach(({ look }) => checkLook(look));
    expect(looks.map(({ fabric }) => fabric)).toEqual(["", "silk_chiffon", "denim"]);
    expect(looks.map(({ cloth }) => cloth)).toEqual([0, 1, 2]);
    expect(looks[1]!.look.opacity).toBeLessThan(0.6);
    expect(looks[2]!.look).toMatchObject({ colour: "#223355", weave: "twill" });
    expect(looks[2]!.look.print).toMatchObject({ kind: "stripes", size: 0.03 });
    expect(looks[2]!.numbers.density).toBe(0.339);
    const { triangleLooks, triangles } = play.shape();
    const each = triangles.length / 9;
    expect([...triangleLooks!]).toEqual([0, 1, 2].flatMap((i) => Array<number>(each).fill(i)));
    play.close();
});

test("triangles keep their looks where cloth is shown finer, and where it is cut", () => {
    const mesh = { kind: "grid", columns: 4, rows: 4, width: 1, height: 1 };
    const plain = { mesh, fabric: "denim" };
    const scene = { weft: 1, cloths: [{ ...plain, detail: { parts: 2 } }, plain] };
    const fine = Play.open(core, JSON.stringify(scene), "looks");
    const looks = [...fine.shape().triangleLooks!];
    expect(looks.filter((look) => look === 0).length).toBe(4 * looks.filter((l) => l === 1).length);
    fine.close();

    const whole = open(["denim"]);
    whole.draw(null);
    const corner = (vertex: number) => [...whole.positions().slice(3 * vertex, 3 * vertex + 3)];
    const along = [corner(0), corner(whole.vertexCount - 1)];
    whole.close();
    const cut = open(["denim", "canvas"], { cuts: [{ time: 0, cloth: 1, along }] });
    const before = cut.shape();
    for (let i = 0; i < 10; i++) cut.step(); // it opens five steps later
    const after = cut.shape();
    expect(after.vertexCount).toBeGreaterThan(before.vertexCount);
    expect([...after.triangleLooks!]).toEqual([...before.triangleLooks!]);
    cut.close();
});

test("a wrong look is refused where it stands", () => {
    expect(() => open([{ look: { colour: "red" } }])).toThrow(/looks:1:\d+: "colour" must be/);
    expect(() => open([{ look: { gloss: 1 } }])).toThrow(/unknown key "gloss"/);
});
