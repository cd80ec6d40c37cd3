// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards, in a real browser, that nothing of what the user does is lost: the address follows it, a
// reload and the buttons of the browser bring it back, undo and redo go through it.

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

const chosen = (page: Page) =>
    page.evaluate(() => {
        const { chosen, player } = window.weft!.live;
        const { viewpoint } = window.weft!.stage;
        const { document, edits, panes } = chosen ?? {};
        const said = edits && (JSON.parse(JSON.stringify(edits)) as typeof edits);
        return { scene: document?.id, edits: said, panes, viewpoint, time: player.time };
    });

const ready = async (page: Page) => {
    await page.waitForFunction(() => window.weft !== undefined);
    await page.evaluate(() => window.weft!.ready);
};

test("the address follows, a reload brings it back, undo and redo go through it", async () => {
    const options = { viewport: { width: 920, height: 520 } };
    const visit = await Visit.open(browser, `${viewer.address}?scene=flag`, options);
    const { page } = await visit.ready();
    const choose = (label: string, value: string) =>
        page.getByLabel(label, { exact: true }).selectOption(value);

    // nothing is changed yet, and so the address stays
    await page.waitForTimeout(1000);
    expect(new URL(page.url()).search).toBe("?scene=flag");

    await choose("Method", "q1");
    await choose("Surface", "wireframe");
    const slider = page.getByLabel("Stiffness", { exact: true });
    await slider.focus();
    for (let i = 0; i < 4; i++) await slider.press("ArrowRight");
    await page.evaluate(() => window.weft!.stage.turn(20, 5));
    await expect
        .poll(() => page.url())
        .toMatch(/methods=q1.*stiffness:.*surface=wireframe.*turn=20,5/);
    const before = await chosen(page);
    expect(before.edits).toMatchObject({ method: "q1" });

    await page.reload();
    await ready(page);
    expect(await chosen(page)).toMatchObject({ edits: before.edits, viewpoint: before.viewpoint });

    // faster than the page can follow
    const method = async () => (await chosen(page)).edits?.method;
    await choose("Method", "implicit");
    await page.keyboard.press("Control+z");
    await expect.poll(method).toBe("q1");
    await page.getByRole("button", { name: /^Redo: method/ }).waitFor();
    for (const keys of ["Shift+Z", "z", "Shift+Z", "z", "Shift+Z"])
        await page.keyboard.press(`Control+${keys}`);
    await expect.poll(method).toBe("implicit");
    expect(await page.getByLabel("Method", { exact: true }).inputValue()).toBe("implicit");
    await page.keyboard.press("Control+z");
    await expect.poll(() => chosen(page)).toMatchObject({ edits: before.edits });

    // another scene is a step of the browser's, and its button goes back
    await choose("Scene", "demo");
    await expect.poll(() => page.url()).toContain("scene=demo");
    expect(page.url()).not.toContain("turn");
    await choose("Contact", "none");
    await expect.poll(() => page.url()).toContain("contact:none");
    await page.goBack();
    await expect.poll(() => chosen(page)).toMatchObject({ scene: "flag", edits: before.edits });
    await page.goForward();
    await expect
        .poll(() => chosen(page))
        .toMatchObject({ scene: "demo", edits: { contact: "none" } });

    // undo goes back to the scene before, and redo to this one
    await page.getByRole("button", { name: /^Undo: contact/ }).waitFor();
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await chosen(page)).edits).toEqual({});
    await page.keyboard.press("Control+Shift+z");
    await expect.poll(async () => (await chosen(page)).edits).toEqual({ contact: "none" });

    // a scene of the user's own goes along in the address
    const chooser = page.locator("input[type=file]");
    await chooser.setInputFiles(join(root, "scenes/curtain.json"));
    await expect.poll(() => page.url()).toMatch(/#own=[\w-]+$/);
    await page.reload();
    await ready(page);
    expect((await chosen(page)).scene).toBe("curtain.json");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Link copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
    expect(visit.faults).toEqual([]);
    await visit.close();
}, 120000);

test("the last seconds are kept: step by step back, and to any moment", async () => {
    const visit = await Visit.open(browser, `${viewer.address}?scene=flag`);
    const { page } = await visit.ready();
    const state = () =>
        page.evaluate(async () => {
            const { player } = window.weft!.live;
            return { now: player.past!.now, hash: await player.hash(0) };
        });
    await expect.poll(async () => (await state()).now).toBeGreaterThan(12);
    await page.keyboard.press(" ");
    await page.waitForTimeout(500);
    const last = await state();
    await page.keyboard.press(",");
    await expect.poll(async () => (await state()).now).toBe(last.now - 1);
    const before = await state();
    await page.getByRole("slider", { name: "Rewind" }).fill("0");
    await expect.poll(async () => (await state()).now).toBe(0);
    await page.getByRole("slider", { name: "Rewind" }).fill(`${last.now - 1}`);
    await expect.poll(state).toEqual(before);
    await page.keyboard.press(".");
    await expect.poll(state).toEqual(last);
    await page.keyboard.press(" ");
    await expect.poll(async () => (await state()).now).toBeGreaterThan(last.now);
    expect(visit.faults).toEqual([]);
    await visit.close();
});

test("what is played is recorded: a video in the scene's time, a GLB that plays", async () => {
    const visit = await Visit.open(browser, `${viewer.address}?scene=flag`, {
        viewport: { width: 480, height: 320 },
    });
    const { page } = await visit.ready();
    const line = page.locator(".record-line");
    const saved = async (end: () => Promise<void>) => {
        const [download] = await Promise.all([page.waitForEvent("download"), end()]);
        return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    await page.keyboard.press("v");
    await page.getByRole("menuitem", { name: "Video" }).click();
    await page.waitForFunction(() => window.weft!["recording"]["seconds"] > 0.4);
    const video = await saved(() => page.keyboard.press("v"));
    expect(video.name).toBe("flag.webm");
    expect(video.bytes.subarray(0, 4).toString("hex")).toBe("1a45dfa3");
    const length = await page.evaluate(async (data) => {
        const element = document.createElement("video");
        element.src = `data:video/webm;base64,${data}`;
        await new Promise((resolve) => (element.onloadedmetadata = resolve));
        return element.duration;
    }, video.bytes.toString("base64"));
    expect(length).toBeGreaterThan(0.4);
    expect(length).toBeLessThan(2);

    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.getByRole("menuitem", { name: "Animated mesh" }).click();
    await expect.poll(() => line.textContent()).toMatch(/^Mesh 0:0\d, 0\.[2-9]/);
    const button = page.getByRole("button", { name: "End the recording" });
    const glb = await saved(() => button.click());
    expect(glb.name).toBe("flag.glb");
    await expect.poll(() => line.isVisible()).toBe(false);
    await page.evaluate((data) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        return window.weft!["openResults"]([{ name: "flag.glb", bytes: bytes.buffer }]);
    }, glb.bytes.toString("base64"));
    const clip = await page.evaluate(() => window.weft!.replay!.clip.duration);
    expect(clip).toBeGreaterThan(0.1);
    expect(visit.faults).toEqual([]);
    await visit.close();
});

test("where the browser keeps nothing, it is told once, and the address carries what it can", async () => {
    const visit = await Visit.open(browser, "about:blank");
    const { page } = visit;
    await page.addInitScript(() => {
        indexedDB.open = () => {
            throw new Error("no room");
        };
    });
    await page.goto(`${viewer.address}?scene=rope&paused`);
    await visit.ready();
    const scene = readFileSync(join(root, "scenes/rope.json"), "utf8");
    const blanks = Array.from(
        { length: 150000 },
        (_, i) => " \n\t\r"[((i * i * 7919) >> (i % 11)) & 3],
    );
    const text = scene + blanks.join("");
    const mine = { name: "mine.json", mimeType: "", buffer: Buffer.from(text) };
    await page.locator("input[type=file]").setInputFiles(mine);
    const told = page.locator(".toast").filter({ hasText: "This browser keeps nothing for pages" });
    await told.waitFor();
    await expect.poll(() => page.url().length).toBeGreaterThan(30000);
    const [saved] = await Promise.all([
        page.waitForEvent("download"),
        told.getByRole("button", { name: "Save scene" }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe("mine.json");
    await page.reload();
    await visit.ready();
    expect((await chosen(page)).scene).toBe("mine.json");
    expect(visit.faults).toEqual([]);
    await visit.close();
});
