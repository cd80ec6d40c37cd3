// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards, in a browser, what users bring and make themselves: the gallery by keys and by fingers, the
// text of the scene with its errors, what is added, and files of several kinds at once.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, root, Viewer, Visit } from "./browser";

let browser: Browser;
let viewer: Viewer;
beforeAll(async () => {
    [browser, viewer] = await Promise.all([launch(), Viewer.start()]);
});
afterAll(async () => {
    await browser.close();
    viewer.stop();
});

const status = (page: Page) => page.locator(".text-status").textContent();
const toasts = (page: Page) => page.locator(".toast p").allTextContents();
const played = (page: Page) =>
    page.evaluate(() => {
        const { description, player, document } = window.weft!.live;
        const { wind, cloths, bodies } = description!;
        return { wind, cloths: cloths.length, bodies, time: player.time, id: document!.id };
    });

/** Counted from 1. */
function lineOf(scene: string, words: string): number {
    const text = readFileSync(join(root, `scenes/${scene}.json`), "utf8");
    return text.slice(0, text.indexOf(words)).split("\n").length;
}

/** Exchanges words in the editor, as one who writes does. */
async function write(page: Page, from: string, to: string): Promise<void> {
    await page.evaluate(
        ([from, to]) => {
            const { view } = window.weft!["text"]!["editor"] as any;
            const at = view.state.doc.toString().indexOf(from);
            view.dispatch({ changes: { from: at, to: at + from!.length, insert: to } });
        },
        [from, to],
    );
}

async function drop(page: Page, files: [name: string, text: string][]): Promise<void> {
    await page.evaluate((files) => {
        const list = files.map(([name, text]) => new File([text!], name!));
        return window.weft!["openFiles"](list);
    }, files);
}

test("a scene is entered, written, added to and dressed in a fabric of one's own", async () => {
    const visit = await Visit.open(browser, `${viewer.address}?scene=rope&paused`);
    await visit.ready();
    const { page } = visit;
    await page.keyboard.press("e");
    await page.locator(".gallery-card").first().waitFor();
    await page.getByRole("button", { name: "Fabrics", exact: true }).click();
    expect(await page.evaluate(() => document.activeElement!.textContent)).toBe("Fabrics");
    await page.getByRole("button", { name: /^Flag/ }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await played(page)).id).toBe("flag");
    await page.waitForFunction(() => window.weft!.live.player.time > 0.02);

    await page.keyboard.press("t");
    await page.locator(".cm-content").waitFor();
    const before = (await played(page)).time;
    await write(page, "[8, 0, 1.5]", "[3, 0, 0]");
    await expect.poll(async () => (await played(page)).wind).toEqual([3, 0, 0]);
    expect((await played(page)).time).toBeGreaterThanOrEqual(before); // the motion goes on
    // settings are shown anew while it is read: that used to be taken for an answer
    const timer = await page.evaluate(() =>
        window.setInterval(() => window.weft!["changed"]("settings"), 5),
    );
    await write(page, '"edge"', '"egde"');
    const wrong = new RegExp(
        `^Line ${lineOf("flag", '"edge"')}: unknown key "egde".*goes on as it was`,
    );
    await expect.poll(() => status(page)).toMatch(wrong);
    await page.evaluate((timer) => clearInterval(timer), timer);
    await page.locator(".cm-lint-marker-error").waitFor();
    expect(await toasts(page)).toEqual([]);
    // another scene takes nothing away of what is not finished
    await page.getByLabel("Scene", { exact: true }).selectOption("rope");
    const kept = page
        .locator(".toast")
        .filter({ hasText: 'writing in the text of "flag" is kept' });
    await kept.getByRole("button", { name: "Undo" }).click();
    await expect.poll(async () => (await played(page)).id).toBe("flag");
    await expect.poll(() => status(page)).toMatch(wrong);
    await write(page, '"egde"', '"edge"');
    await expect.poll(() => status(page)).toMatch(/^This is what is played/);
    await page.evaluate(() => window.weft!["change"]("gravity", 3));
    await expect
        .poll(() => page.evaluate(() => window.weft!["text"]!["editor"].text))
        .toContain('"gravity": [0, -3, 0]');

    await write(page, '"flag"', '"a banner"');
    const chosen = page.getByLabel("Scene", { exact: true }).locator("option:checked");
    await expect.poll(() => chosen.textContent()).toBe("a banner");
    const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.evaluate(() => window.weft!["change"]("save-scene", true)),
    ]);
    expect(saved.suggestedFilename()).toBe("a-banner.json");

    await page.getByRole("button", { name: "Add…" }).click();
    await page.getByLabel("Sphere").check();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect.poll(async () => (await played(page)).bodies).toBe(2); // with the floor

    const fabric = readFileSync(join(root, "fabrics/measured/gray_interlock.json"), "utf8");
    await drop(page, [
        ["soft.json", fabric],
        ["notes.json", "{}"],
    ]);
    const density = () =>
        page.evaluate(() => window.weft!.live.description!.cloths[0]!.fabric.density);
    await expect.poll(density).toBeCloseTo(JSON.parse(fabric).density, 5);
    const told = (await toasts(page)).join(" ");
    expect(told).toMatch(/soft.json is a fabric/);
    expect(told).toMatch(/notes.json is neither a scene, a pattern nor a fabric/);

    const pictures = ["drape_silk_charmeuse.png", "drape_canvas.png"];
    await page.setInputFiles(
        "input[type=file]",
        pictures.map((name) => join(root, "docs/gallery", name)),
    );
    const print = () => page.evaluate(() => window.weft!.live.description!.looks[0]!.look.print);
    const file = "drape_canvas.png";
    await expect.poll(print).toMatchObject({ kind: "picture", file, size: 0.2 });
    const words = (await toasts(page)).join(" ");
    expect(words).toMatch(/drape_canvas.png is a picture: printed on/);
    expect(words).toMatch(/drape_canvas.png is taken, drape_silk_charmeuse.png was left out/);

    // its text needs no name of the scene that it began as
    await expect.poll(() => page.url()).toMatch(/scene=flag.*#kept=/);
    await page.goto(`${viewer.address}${new URL(page.url()).hash}`);
    await visit.ready();
    await expect.poll(async () => (await played(page)).bodies).toBe(2);
    expect(await chosen.textContent()).toBe("a banner");

    const swing = readFileSync(join(root, "scenes/swing.json"), "utf8");
    await drop(page, [
        ["one.json", swing],
        ["two.json", swing],
    ]);
    await expect.poll(async () => (await played(page)).id).toBe("two.json");
    expect((await toasts(page)).join(" ")).toMatch(/two.json is taken, one.json was left out/);
    expect(visit.faults).toEqual([]);
    await visit.close();
});

test("on a phone, the gallery fills the window in two columns, and the text leaves the cloth room", async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const visit = await Visit.open(browser, `${viewer.address}?scene=rope&paused`, phone);
    await visit.ready();
    const { page } = visit;
    await page.getByRole("button", { name: "Gallery" }).tap();
    const cards = page.locator(".gallery-card");
    await cards.first().waitFor();
    const [a, b] = [(await cards.nth(0).boundingBox())!, (await cards.nth(1).boundingBox())!];
    expect(a.y).toBe(b.y);
    expect(b.x + b.width).toBeLessThanOrEqual(390);
    await page.getByRole("button", { name: "Close", exact: true }).tap();
    await page.getByRole("button", { name: "Record", exact: true }).tap();
    const menu = (await page.getByRole("menu", { name: "Record" }).boundingBox())!;
    expect(menu.x).toBeGreaterThanOrEqual(0);
    expect(menu.x + menu.width).toBeLessThanOrEqual(390);
    await page.keyboard.press("Escape");
    await page.getByRole("menu", { name: "Record" }).waitFor({ state: "hidden" });
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Record");
    await page.getByRole("button", { name: "Text of the scene" }).tap();
    await page.locator(".cm-content").waitFor();
    const drawer = (await page.locator(".text-drawer").boundingBox())!;
    expect(drawer.y).toBeGreaterThan(300);
    expect(drawer.y + drawer.height).toBeLessThan(844);
    expect(visit.faults).toEqual([]);
    await visit.close();
});
