// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the table of the gallery: all that ships can be entered, and no entry names what is not
// there.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readLink } from "../src/app/keep/link";
import { gallery, galleryGroups, pictureOf } from "../src/scene/gallery";
import { patternsOf } from "../src/scene/garments";
import { sceneList } from "../src/scene/scenes";
import { root } from "./browser";

const pictures = join(root, "web/src/scene/pictures");

function sceneOf(query: string): string {
    return new URLSearchParams(query).get("scene")!;
}

describe("the gallery", () => {
    test("has every scene and garment", () => {
        const entered = gallery.map(({ query }) => sceneOf(query));
        expect(sceneList.map(({ id }) => id).filter((id) => !entered.includes(id))).toEqual([]);
    });

    test("names scenes that are there", () => {
        const known = (id: string) =>
            patternsOf(id) !== null || sceneList.some((scene) => scene.id === id);
        expect(gallery.filter(({ query }) => !known(sceneOf(query)))).toEqual([]);
    });

    test("asks for nothing that an address does not know", () => {
        for (const { query } of gallery) {
            const { methods, field, surface, outfit } = readLink(query);
            const words = new URLSearchParams(query);
            const asked = (word: string) => words.get(word) ?? undefined;
            if (asked("methods")) expect(methods.join()).toBe(asked("methods"));
            if (asked("field")) expect(field).toBe(asked("field"));
            if (asked("surface")) expect(surface).toBe(asked("surface"));
            if (asked("clip")) expect(outfit.clip).toBe(asked("clip"));
        }
    });

    test("has a line and a small picture for every entry, and no picture beside", () => {
        const ids = gallery.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(readdirSync(pictures).sort()).toEqual(ids.map((id) => `${id}.webp`).sort());
        for (const entry of gallery) {
            expect(entry.line.length).toBeLessThanOrEqual(100);
            expect(pictureOf(entry), entry.id).toBeDefined();
            expect(statSync(join(pictures, `${entry.id}.webp`)).size).toBeLessThan(12_000);
        }
    });

    test("has something in every group", () => {
        expect([...new Set(gallery.map(({ group }) => group))]).toEqual([...galleryGroups]);
    });
});
