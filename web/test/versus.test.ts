// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards weft and XPBD head to head: both get the same scene and the same milliseconds, the verdict
// is what the numbers say, and the page shows both.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readLink } from "../src/app/keep/link";
import { summary, verdict, type Measured } from "../src/app/versus";
import { SceneDocument } from "../src/scene/document";
import { versusMethods } from "../src/scene/methods";
import { scenes } from "../src/scene/scenes";
import { Core, Play } from "../src/sim/core";
import { launch, root, Viewer, Visit } from "./browser";
import { giveNamed } from "./named";

function documentOf(id: string, budget: number): SceneDocument {
    const scene = scenes.find((scene) => scene.id === id)!;
    const document = new SceneDocument(id, `${id}.json`, scene.text);
    document.edits = { versus: budget };
    return document;
}

describe("texts", () => {
    test("differ by nothing but who plays them", () => {
        const document = documentOf("sphere_springs", 3);
        const [weft, rival] = versusMethods.map((id) => document.compose(id));
        expect(weft!.rival).toBeUndefined();
        expect(rival!.rival).toBe(true);
        const [a, b] = [JSON.parse(weft!.text), JSON.parse(rival!.text)];
        expect([a.step.budget_ms, b.step.budget_ms]).toEqual([3, 3]);
        expect([a.contact, b.contact]).toEqual(["bodies", "bodies"]);
        (delete a.step, delete b.step);
        expect(a).toEqual(b);
        // what both are held against has all the time it wants
        expect(JSON.parse(document.compose("converged").text).step.budget_ms).toBeUndefined();
    });

    test("come of an address", () => {
        const link = readLink("?scene=flag&versus=xpbd&budget=2");
        expect([link.edits.versus, link.methods]).toEqual([2, versusMethods]);
        expect(readLink("?versus=xpbd").edits.versus).toBe(4);
        expect(readLink("?versus=bullet&budget=2").edits.versus).toBeUndefined();
    });
});

describe("the verdict", () => {
    const measured = (stretch: number, apart: number | null, ms = 2): Measured => ({
        ms,
        stretch,
        most: 2 * stretch,
        substeps: 4,
        apart,
    });

    test("names the one that stretches more, whoever that is", () => {
        const words = verdict(measured(0.01, null), measured(0.04, null), 2);
        expect(words).toBe(
            "The cloth of XPBD stretches 4.0 times as much: 4.0 % where that of weft has 1.0 %.",
        );
        expect(verdict(measured(0.04, null), measured(0.01, null), 2)).toContain(
            "The cloth of weft stretches 4.0 times",
        );
        expect(verdict(measured(0.02, null), measured(0.021, null), 2)).toContain("alike");
        expect(verdict(measured(0.001, null), measured(0.002, null), 2)).toContain("Neither");
    });

    test("tells distances where they are known, and budgets that are not kept", () => {
        const words = verdict(measured(0.01, 0.02), measured(0.01, 0.005, 9), 2);
        expect(words).toContain("XPBD is 5.0 mm from the converged motion, weft 20 mm.");
        expect(words).toContain("XPBD took 9.0 ms for a step, more than it had");
        expect(words).not.toContain("weft took");
    });

    test("is of all frames that count", () => {
        const frames = [measured(0.01, 0.01), measured(0.03, 0.03)];
        expect(summary(frames)).toEqual({
            ms: 2,
            stretch: 0.02,
            most: 0.06,
            substeps: 4,
            apart: 0.02,
        });
        expect(summary([...frames, measured(0.02, null)]).apart).toBeNull();
    });
});

describe("the rival in the module", () => {
    let core: Core;
    beforeAll(async () => {
        core = await Core.load(readFileSync(join(root, "build/web/bin/weft.wasm")));
    });

    test.each(["flag", "washing", "cape", "sphere_springs", "sphere_triangles", "fabrics"])(
        "plays %s",
        (id) => {
            const { text, name } = documentOf(id, 3).compose("xpbd");
            giveNamed(core, text);
            const play = Play.open(core, text, name, true);
            for (let i = 0; i < 20; i++) play.step();
            const numbers = play.numbers();
            expect(numbers.time).toBeCloseTo(20 * play.describe().step.dt, 9);
            expect(numbers.substeps).toBeGreaterThan(1);
            expect(numbers.solves).toBe(0);
            expect(numbers.p99_stretch).toBeLessThan(3); // however busy the machine is
            play.close();
        },
    );

    test("says what it does not know", () => {
        const { text, name } = documentOf("funnel", 3).compose("xpbd");
        expect(() => Play.open(core, text, name, true)).toThrow("a body of another kind");
    });
});

describe("the page", () => {
    let browser: Browser;
    let viewer: Viewer;
    beforeAll(async () => {
        [browser, viewer] = await Promise.all([launch(), Viewer.start()]);
    });
    afterAll(async () => {
        await browser.close();
        viewer.stop();
    });

    test("shows both, measures both, and ends", async () => {
        const visit = await Visit.open(browser, `${viewer.address}?scene=curtain&versus=xpbd`);
        await visit.ready();
        const { page } = visit;
        const bar = page.getByRole("region", { name: "Head to head with XPBD" });
        await expect.poll(() => bar.locator(".verdict").innerText()).toContain("stretch");
        const captions = () => page.locator(".captions .detail").allInnerTexts();
        await expect.poll(captions).toHaveLength(2);
        for (const caption of await captions())
            expect(caption).toMatch(/ ms, \d+ substeps?, stretch [\d.]+ %/);
        await bar.getByLabel("Milliseconds per step").press("ArrowLeft");
        const budget = () => page.evaluate(() => window.weft!.live.description!.step.budget_ms);
        await expect.poll(budget).toBe(3);
        await bar.getByRole("button", { name: "End" }).click();
        await expect.poll(() => page.evaluate(() => window.weft!.live.views.length)).toBe(1);
        expect(await bar.isVisible()).toBe(false);
        expect(visit.faults).toEqual([]);
    });
});
