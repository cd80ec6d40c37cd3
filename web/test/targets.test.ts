// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards fabrics of single cloths and panels: settings act on what is selected and on nothing else,
// and the scenes that come of it are read by the library.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as THREE from "three";
import { beforeAll, describe, expect, test } from "vitest";
import { fabricEdits, fabricSection, printOf } from "../src/app/fabrics";
import { borderOf, Outline } from "../src/draw/outline";
import drapes from "../src/scene/drapes.json";
import { SceneDocument, type Edits } from "../src/scene/document";
import { fabricsOf, keyOf, madeOf, targetOf, type Target } from "../src/scene/targets";
import { Core, Play, type Description } from "../src/sim/core";
import type { Choice, FabricChoice, Slider } from "../src/ui/panel-types";
import { findTyped } from "../src/ui/fabric-picker";
import { root } from "./browser";

let core: Core;
beforeAll(async () => {
    core = await Core.load(readFileSync(join(root, "build/web/bin/weft.wasm")));
});

const grid = { kind: "grid", columns: 3, rows: 3, width: 1, height: 1 };
const sheets = { weft: 1, cloths: [{ mesh: grid, fabric: "denim" }, { mesh: grid }] };
const worn = {
    weft: 1,
    bodies: [{ kind: "mannequin", name: "body", edge: 0.04 }],
    cloths: [{ mesh: { kind: "pattern", file: "skirt.json", edge: 0.08 }, fabric: "linen" }],
};

/** A scene that is changed as the settings ask, and what the library makes of it. */
class Changed {
    readonly document: SceneDocument;
    now: Description;

    constructor(scene: object, files: string[] = []) {
        this.document = new SceneDocument("t", "t.json", JSON.stringify(scene));
        this.document.files = files.map((name) => ({
            name,
            bytes: readFileSync(join(root, "garments", name)),
        }));
        for (const { name, bytes } of this.document.files) core.give(name, bytes);
        this.now = this.read();
        this.document.description = this.now;
    }

    private read(): Description {
        const { text, name } = this.document.compose(null);
        // what is worn is not put on for this: its cloth is described as it lies
        const play = Play.open(core, text, name);
        const description = play.describe();
        play.close();
        return description;
    }

    change(id: string, value: number | string, target: Target): this {
        const edits = fabricEdits(id, value, this.now, this.document, target)!;
        this.document.edits = { ...this.document.edits, ...edits } as Edits;
        this.now = this.read();
        return this;
    }

    numbers(target: Target) {
        return madeOf(this.now, target).numbers;
    }
}

const first = { cloth: 0, panel: null };
const second = { cloth: 1, panel: null };

test("targets have keys", () => {
    for (const target of [first, { cloth: 12, panel: "left/front" }])
        expect(targetOf(keyOf(target))).toEqual(target);
    expect(targetOf("")).toBeNull();
    expect(targetOf("x/front")).toBeNull();
});

describe("of single cloths", () => {
    test("fabrics and sliders change that one alone", () => {
        const changed = new Changed(sheets).change("fabric", "silk_chiffon", second);
        expect(changed.now.looks.map(({ fabric }) => fabric)).toEqual(["denim", "silk_chiffon"]);
        const [warp, weft] = changed.numbers(second).stretch;
        changed.change("stiffness", 2 * warp, second).change("density", 0.5, second);
        expect(changed.numbers(second).stretch[0]).toBeCloseTo(2 * warp, 6);
        expect(changed.numbers(second).stretch[1]).toBeCloseTo(2 * weft, 6);
        expect(changed.numbers(second).density).toBe(0.5);
        expect(changed.numbers(first).density).toBe(0.339);
        // and back
        changed.change("fabric", "", second);
        expect(changed.now.looks.map(({ fabric }) => fabric)).toEqual(["denim", ""]);
        expect(changed.document.edits.fabrics).toBeUndefined();
    });

    test("a fabric for all takes back what single ones had, sliders for all reach them", () => {
        const changed = new Changed(sheets).change("fabric", "linen", first);
        const before = changed.numbers(second).density!;
        // others change in the ratio of what the first one has in the file
        changed.change("density", 0.4, null);
        expect(changed.numbers(first).density).toBe(0.4);
        expect(changed.numbers(second).density).toBeCloseTo((before * 0.4) / 0.339, 9);
        changed.change("fabric", "fleece", null);
        expect(changed.now.looks.map(({ fabric }) => fabric)).toEqual(["fleece", "fleece"]);
        expect(changed.numbers(first).density).toBe(0.25);
    });

    test("looks change, and what it is made of stays", () => {
        const changed = new Changed(sheets).change("look-colour", "#112233", first);
        changed.change("look-print", "stripes", first).change("look-print-size", 0.05, first);
        const { look, fabric, numbers } = madeOf(changed.now, first);
        expect(look).toMatchObject({ colour: "#112233", weave: "twill" });
        expect(look.print).toMatchObject({ kind: "stripes", size: 0.05 });
        // a picture is not of the size of a stripe
        changed.change("look-print-file", "rose.png", first);
        expect(madeOf(changed.now, first).look.print).toMatchObject({ kind: "picture", size: 0.2 });
        changed.change("look-print-size", 0.05, first);
        changed.change("look-print-file", "lily.png", first);
        expect(madeOf(changed.now, first).look.print).toMatchObject({ size: 0.05 });
        expect([fabric, numbers.density]).toEqual(["denim", 0.339]);
        expect(madeOf(changed.now, second).look.colour).not.toBe("#112233");
        changed.change("look-colour", "#445566", null);
        const colours = changed.now.looks.map((made) => made.look.colour);
        expect(colours).toEqual(["#445566", "#445566"]);
    });
});

test("panels of a garment are made of what they are given", () => {
    const changed = new Changed(worn, ["skirt.json"]);
    const [panel, other] = changed.now.cloths[0]!.panels;
    const target = { cloth: 0, panel: panel! };
    changed.change("fabric", "silk_charmeuse", target).change("bending", 1e-5, target);
    changed.change("look-colour", "#112233", { cloth: 0, panel: other! });
    const of = (name: string) => madeOf(changed.now, { cloth: 0, panel: name });
    expect(of(panel!).fabric).toBe("silk_charmeuse");
    expect(of(panel!).numbers.bend).toBeCloseTo(1e-5, 12);
    expect(of(other!)).toMatchObject({ fabric: "linen", look: { colour: "#112233" } });
});

describe("the section of fabrics", () => {
    test("has every fabric with its numbers, and the sliders of what is selected", () => {
        const { now, document } = new Changed(sheets);
        const section = fabricSection(now, core.choices(), document, second);
        const picker = section.items.find(({ kind }) => kind === "fabric") as FabricChoice;
        expect(picker.value).toBe("");
        expect(picker.options.length).toBe(1 + fabricsOf(core.choices()).length);
        const denim = picker.options.find(({ value }) => value === "denim")!;
        expect(denim.brief).toBe("339 g/m² · drape 61\u00a0%");
        expect(denim.facts).toContainEqual(["Bending", "17.1 µN m"]);
        expect(denim.facts).toContainEqual(["Bending length", "16.2 mm"]);
        const density = section.items.find(({ id }) => id === "density") as Slider;
        expect(density.value).toBe(madeOf(now, second).numbers.density);
        // what has no name of its own has a number
        const which = section.items.find(({ id }) => id === "target") as Choice;
        const labels = which.options.map(({ label }) => label);
        expect(labels).toEqual(["All cloth", "Cloth 1", "Cloth 2"]);
    });

    test("knows what was measured of fabrics as docs/fabric.md has it", () => {
        const text = readFileSync(join(root, "docs/fabric.md"), "utf8");
        const known = Object.entries(drapes);
        expect(known.length).toBeGreaterThan(20);
        for (const [name, { drape_coefficient, folds, bending_length_mm }] of known) {
            const [warp, weft] = bending_length_mm.map((mm) => mm.toFixed(1));
            const start = `| \`${name}\` | ${(100 * drape_coefficient).toFixed(1)}, ${folds} | `;
            const line = text.split("\n").find((line) => line.startsWith(start));
            expect(line, name).toContain(`| ${warp}, ${weft} |`);
        }
        for (const { name } of fabricsOf(core.choices())) expect(drapes).toHaveProperty(name);
    });

    test("is searched by letters", () => {
        const labels = ["Canvas", "Cotton voile", "Denim"];
        expect(findTyped(labels, "c", 0)).toBe(1);
        expect(findTyped(labels, "c", 1)).toBe(0);
        expect(findTyped(labels, "den", 0)).toBe(2);
        expect(findTyped(labels, "x", 0)).toBe(-1);
    });
});

test("the outline of what is selected takes the border, and frees nothing of the cloth", () => {
    const places = new THREE.BufferAttribute(new Float32Array(12), 3);
    const edges = borderOf(Uint32Array.of(0, 1, 2, 2, 1, 3), () => true);
    expect(edges).toHaveLength(8);
    const outline = new Outline(places, edges);
    const freed: unknown[] = [];
    // as the renderer does it
    outline.object.geometry.addEventListener("dispose", ({ target }) =>
        freed.push(...Object.values(target.attributes)),
    );
    outline.dispose();
    expect(freed).not.toContain(places);
});

test("a print is seen on the cloth, and keeps a colour that it has", () => {
    const none = { kind: "none", colour: "#ffffff", size: 0.1, file: "" } as const;
    expect(printOf({ colour: "#eceff2", print: none }, "checks").colour).toBe("#2b3a55");
    expect(printOf({ colour: "#222222", print: none }, "checks").colour).toBe("#ffffff");
    const dark = { ...none, kind: "stripes", colour: "#202020" } as const;
    expect(printOf({ colour: "#222222", print: dark }, "checks").colour).toBe("#202020");
});
