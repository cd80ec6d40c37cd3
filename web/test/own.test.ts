// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what users bring and make themselves: files are taken for what they are, cloths and bodies
// that are added are scenes that the library takes, and the editor knows the keys of scenes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { tellingNumbers } from "../src/app/fabrics";
import { feetOf, isComparison } from "../src/app/labels";
import { fabricChoices, fabricFile, kindOfText, wrongFileWords } from "../src/app/files/open";
import { keysAt, valuesAt } from "../src/scene/keys";
import { isCloth, partOptions, withBody, withCloth, type Part } from "../src/scene/parts";
import { Core, Play } from "../src/sim/core";
import { root } from "./browser";

const read = (path: string) => readFileSync(join(root, path), "utf8");

let core: Core;
beforeAll(async () => {
    core = await Core.load(readFileSync(join(root, "build/web/bin/weft.wasm")));
});

describe("files", () => {
    test("are taken for what they are", () => {
        expect(kindOfText(read("scenes/flag.json"))).toBe("scene");
        expect(kindOfText(read("garments/dress.json"))).toBe("pattern");
        expect(kindOfText(read("fabrics/measured/gray_interlock.json"))).toBe("fabric");
        expect(kindOfText('{"weft": 1, "cloths": [')).toBe("scene"); // its reader says what is wrong
        for (const text of ['{"version": 2}', "[1, 2]", "3"])
            expect(kindOfText(text)).toBe("other");
        expect(wrongFileWords("a.json")).toMatch(/^a.json is neither a scene, a pattern nor/);
        expect(wrongFileWords("a.txt")).toMatch(/^a.txt is of a kind .* It opens scenes/);
    });

    test("of fabrics have names that nothing else has, and are choices", () => {
        const bytes = new TextEncoder().encode(
            '{"weft_fabric": 1, "density": 0.2, "stretch": 900, "description": "of mine"}',
        );
        expect(fabricFile("wool.json", bytes, []).name).toBe("wool.json");
        expect(fabricFile("denim.json", bytes, ["denim"]).name).toBe("denim-2.json");
        expect(fabricFile("dress.json", bytes, ["dress.json"]).name).toBe("dress-2.json");
        const others = { name: "body.obj", bytes: new Uint8Array() };
        const [choice, other] = fabricChoices(
            [others, { name: "wool.json", bytes }],
            core.choices(),
            [],
        );
        expect(other).toBeUndefined();
        expect(choice).toMatchObject({ group: "fabric", name: "wool", text: "of mine" });
        expect(choice!.numbers).toMatchObject({ density: 0.2, stretch: [900, 900] });
        expect(choice!.look).toBeDefined();
    });

    test("of fabrics are what cloth is made of", () => {
        core.give(
            "mine.json",
            new TextEncoder().encode(read("fabrics/measured/gray_interlock.json")),
        );
        const scene = { weft: 1, cloths: [{ mesh: { kind: "grid" }, fabric: "mine" }] };
        const play = Play.open(core, JSON.stringify(scene), "scene");
        const { density } = JSON.parse(read("fabrics/measured/gray_interlock.json"));
        expect(play.describe().cloths[0]!.fabric.density).toBeCloseTo(density, 6);
        play.close();
    });
});

describe("what is added", () => {
    const there = { min: [-0.5, 0, -0.5], max: [0.5, 1, 0.5] } as const;
    const parts = partOptions.map(({ kind, size }): Part => ({ kind, size, fabric: "" }));

    test.each(parts)("$kind is a scene that moves", (part) => {
        const text = read("scenes/demo.json");
        const extent = { min: [...there.min], max: [...there.max] } as any;
        const added = isCloth(part)
            ? withCloth(text, { ...part, fabric: "denim" }, extent)
            : withBody(text, part, [0, 0.2, 0]);
        const play = Play.open(core, added, "added");
        const before = play.describe();
        for (let i = 0; i < 3; i++) play.step();
        expect(before.cloths.length + before.bodies).toBe(2);
        expect(before.contact).toBe(isCloth(part) ? "all" : "bodies");
        const { max_stretch: stretch } = play.numbers();
        expect(stretch).toBeGreaterThan(0.9);
        expect(stretch).toBeLessThan(1.5);
        play.close();
    });

    test("has a name of its own", () => {
        const part: Part = { kind: "box", size: 0.4, fabric: "" };
        const twice = withBody(
            withBody(read("scenes/demo.json"), part, [0, 0, 0]),
            part,
            [1, 0, 0],
        );
        const names = JSON.parse(twice).bodies.map(({ name }: { name: string }) => name);
        expect(names).toEqual(["box", "box 2"]);
    });
});

describe("labels", () => {
    const describe = (scene: object) => {
        const play = Play.open(core, JSON.stringify({ weft: 1, ...scene }), "labels");
        const description = play.describe();
        play.close();
        return description;
    };
    const cloth = (fabric?: string) => ({ mesh: { kind: "grid", columns: 2, rows: 2 }, fabric });

    test("are there where fabrics with names are compared", () => {
        const now = (...names: (string | undefined)[]) => describe({ cloths: names.map(cloth) });
        const of = (...names: (string | undefined)[]) => isComparison(now(...names), false);
        expect(of("denim", "canvas")).toBe(true);
        expect(of("denim", "denim")).toBe(false);
        expect(of("denim")).toBe(false);
        expect(of("denim", undefined)).toBe(false);
        expect(isComparison(now("denim", "canvas"), true)).toBe(false);
    });

    test("say the numbers of docs/fabric.md", () => {
        const now = describe({ cloths: [cloth("canvas")] });
        expect(tellingNumbers(now.looks[0]!)).toBe(
            "500 g/m², bending length 22 mm, drape 81\u00a0%",
        );
    });

    test("stand below each cloth", () => {
        const positions = new Float32Array([0, 1, 0, 2, 3, 0, 5, 5, 5, 7, 4, 9]);
        expect(feetOf(positions, [2, 2])).toEqual([
            [1, 1, 0],
            [6, 4, 7],
        ]);
    });
});

describe("words of the editor", () => {
    const labels = (words: { label: string }[]) => words.map(({ label }) => label);

    test("are keys of the object that is written in", () => {
        expect(labels(keysAt({ path: [], kinds: [] }))).toContain("gravity");
        expect(labels(keysAt({ path: ["cloths", 0], kinds: [undefined, undefined] }))).toContain(
            "pins",
        );
        const ball = { path: ["bodies", 0], kinds: [undefined, "sphere"] };
        expect(labels(keysAt(ball))).toContain("radius");
        const mesh = { path: ["cloths", 0, "mesh"], kinds: [undefined, undefined, undefined] };
        expect(labels(keysAt(mesh))).toEqual(["kind"]);
        expect(labels(valuesAt(mesh, "kind"))).toContain("rectangle");
        expect(labels(valuesAt({ path: [], kinds: [] }, "contact"))).toEqual([
            "none",
            "bodies",
            "all",
        ]);
    });
});
