// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the text of a scene as its place of settings: changes leave the rest of it as it is, what
// is wrong is found where it stands, and what is written by hand takes the place of changes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SceneDocument } from "../src/scene/document";
import { layOut, mergeText, offsetOf, samePlace } from "../src/scene/places";
import { scenes } from "../src/scene/scenes";
import { root } from "./browser";

const flag = readFileSync(join(root, "scenes/flag.json"), "utf8");

function changed(text: string, change: (scene: any) => void): string {
    const scene = JSON.parse(text);
    change(scene);
    const merged = mergeText(text, scene);
    expect(JSON.parse(merged)).toEqual(scene);
    return merged;
}

/** Lines that are not in the other. */
function others(text: string, before: string): string[] {
    return text.split("\n").filter((line) => !before.split("\n").includes(line));
}

describe("a text with changes", () => {
    test("of none is the same text", () => {
        for (const { text } of scenes) {
            expect(mergeText(text, JSON.parse(text))).toBe(text);
            expect(new SceneDocument("a", "a.json", text).written).toBe(text);
        }
    });

    test("keeps every line but the changed one", () => {
        const text = changed(flag, (scene) => (scene.wind = [5, 0, 0]));
        expect(others(text, flag)).toEqual(['    "wind": [5, 0, 0],']);
    });

    test("has new members where the others end, and loses those that go", () => {
        const text = changed(flag, (scene) => {
            scene.gravity = [0, -1, 0];
            scene.cloths.push({ mesh: { kind: "grid" }, fabric: "denim" });
        });
        expect(text).toContain('{"mesh": {"kind": "grid"}, "fabric": "denim"}');
        expect(others(flag, text).length).toBeLessThanOrEqual(2); // commas
        for (const key of ["weft", "wind", "cloths"])
            expect(changed(flag, (scene) => delete scene[key])).not.toContain(`"${key}"`);
        changed('{"a": 1, "b": 2, "c": 3}', (scene) => {
            delete scene.a;
            delete scene.b;
        });
        changed('{"a": {}, "l": []}', (scene) => {
            scene.a.b = 1;
            scene.l.push(1);
        });
    });

    test("takes values of any kind for any other", () => {
        const values = [null, 1, "a", [], [1, 2], {}, { a: 1 }, [{ a: 1 }], { b: [1] }];
        for (const from of values)
            for (const to of values)
                expect(JSON.parse(mergeText(layOut({ x: from, y: 1 }), { x: to, y: 1 }))).toEqual({
                    x: to,
                    y: 1,
                });
    });

    test("shows what is wrong in one text in the other", () => {
        const other = JSON.stringify(JSON.parse(flag), null, 4);
        const at = other.indexOf("0.03");
        const line = other.slice(0, at).split("\n");
        const offset = offsetOf(other, line.length, line.at(-1)!.length + 1);
        expect(flag.slice(...samePlace(flag, other, offset))).toBe("0.03");
        const key = samePlace(flag, other, other.indexOf('"edge"') + 2);
        expect(flag.slice(...key)).toBe('"edge"');
    });
});

describe("a scene that is written by hand", () => {
    const document = () => new SceneDocument("flag", "flag.json", flag);

    test("takes the place of changes, which go on from it", () => {
        const flying = document();
        flying.edits = { gravity: 5, floor: false };
        expect(flying.write(flag.replace("[8, 0, 1.5]", "[3, 0, 0]"))).toBe(true);
        expect(Object.keys(flying.edits).sort()).toEqual(["floor", "text"]);
        flying.edits = { ...flying.edits, gravity: 2 };
        const scene = JSON.parse(flying.compose(null).text);
        expect([scene.wind, scene.gravity]).toEqual([
            [3, 0, 0],
            [0, -2, 0],
        ]);
        flying.edits = {};
        expect(flying.written).toBe(flag);
    });

    test("goes on where it begins as before, else it begins anew", () => {
        const goesOn = (from: string, to: string) => document().write(flag.replace(from, to));
        expect(goesOn('"density": 0.11', '"density": 0.3')).toBe(true);
        expect(goesOn("[8, 0, 1.5]", "[3, 0, 0]")).toBe(true);
        expect(goesOn('"height": 1,', '"height": 1.1,')).toBe(false);
        expect(goesOn('"left"', '"right"')).toBe(false);
        expect(goesOn("[0, 2, 0]", "[0, 3, 0]")).toBe(false);
    });
});
