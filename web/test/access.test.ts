// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards that everyone can use the page: axe-core finds no serious fault in any state of it, and the
// keyboard alone reaches every control that is seen.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { launch, Viewer, Visit } from "./browser";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

declare global {
    interface Window {
        axe: { run(options: object): Promise<AxeResults> };
    }
}

let browser: Browser, viewer: Viewer;
beforeAll(async () => {
    browser = await launch();
    viewer = await Viewer.start();
});
afterAll(async () => {
    await browser?.close();
    viewer?.stop();
});

/** What axe finds that keeps somebody from using the page, a line each. */
async function faultsOf({ page }: Visit): Promise<string[]> {
    const results = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
    return results.violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 150)}`));
}

/** Every control that is seen and is not switched off, and those that Tab and arrows came to. */
async function reach({ page }: Visit): Promise<string[]> {
    const controls = () =>
        [...document.querySelectorAll<HTMLElement>("button, select, input, summary, a[href]")]
            .filter((element) => element.checkVisibility() && !element.matches(":disabled"))
            // of a group of radio buttons Tab comes to one, arrows to the others
            .filter((element) => !element.matches("input[type=radio]:not(:checked)"));
    await page.evaluate(`window.controls = (${controls.toString()})(); window.reached = new Set()`);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const count = await page.evaluate(() => (window as never as { controls: [] }).controls.length);
    for (let i = 0; i < count + 10; i++) {
        await page.keyboard.press("Tab");
        await page.evaluate("window.reached.add(document.activeElement)");
    }
    return page.evaluate(() => {
        const { controls, reached } = window as never as {
            controls: HTMLElement[];
            reached: Set<Element | null>;
        };
        const missed = controls.filter((element) => !reached.has(element));
        return missed.map((element) => element.outerHTML.slice(0, 150));
    });
}

/** Of charts and settings, of which a phone shows one. */
async function openDrawers(page: Page, on: boolean): Promise<void> {
    await page.evaluate((on) => {
        const { charts, panel } = window.weft!.page;
        charts.setOpen(on);
        panel.setOpen(on);
    }, on);
}

async function visit(options: object): Promise<Visit> {
    const visit = await Visit.open(browser, `${viewer.address}?paused&scene=fabrics`, options);
    await visit.ready();
    await visit.page.evaluate(axe);
    return visit;
}

test("a wide page has no serious fault, and keys reach all of it", async () => {
    const wide = await visit({ viewport: { width: 1280, height: 800 } });
    const { page } = wide;
    expect(await faultsOf(wide)).toEqual([]);
    await openDrawers(page, true);
    await page.getByRole("button", { name: /^Fabric / }).click();
    expect(await faultsOf(wide)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.evaluate(() => {
        for (const section of document.querySelectorAll("details")) section.open = true;
    });
    expect(await faultsOf(wide)).toEqual([]);
    expect(await reach(wide)).toEqual([]);
    await page.keyboard.press("h");
    expect(await faultsOf(wide)).toEqual([]);
    await wide.close();
});

test("a phone has none, in the dark and in the gallery", async () => {
    const phone = await visit({
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        colorScheme: "dark",
    });
    const { page } = phone;
    expect(await faultsOf(phone)).toEqual([]);
    await openDrawers(page, true);
    expect(await faultsOf(phone)).toEqual([]);
    await openDrawers(page, false);
    await page.getByRole("button", { name: "Gallery" }).click();
    expect(await faultsOf(phone)).toEqual([]);
    await phone.close();
});
