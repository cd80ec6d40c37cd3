// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards that an address that asks for what cannot be shows a scene all the same: without what was
// refused, which is told, and with an address that says what is shown.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, Viewer, Visit } from "./browser";

let browser: Browser;
let viewer: Viewer;

beforeAll(async () => {
    [browser, viewer] = await Promise.all([launch(), Viewer.start()]);
});

afterAll(async () => {
    viewer?.stop();
    await browser?.close();
});

async function shownOf(query: string) {
    const visit = await (await Visit.open(browser, `${viewer.address}${query}`)).ready();
    const { page } = visit;
    await expect.poll(() => page.url()).not.toContain(query);
    const shown = await page.evaluate(() => ({
        panes: window.weft!.live.views.length,
        scene: window.weft!.live.document!.id,
        edits: window.weft!.live.chosen!.edits,
        list: document.querySelector<HTMLSelectElement>("select[aria-label=Scene]")?.value,
        toasts: [...document.querySelectorAll(".toast p")].map((words) => words.textContent),
        versus: document.querySelector(".versus")?.checkVisibility() ?? false,
        address: location.search,
    }));
    await visit.close();
    expect(visit.faults).toEqual([]);
    return shown;
}

test("a scene that XPBD cannot play opens without it", async () => {
    const shown = await shownOf("?scene=breathing&versus=xpbd&budget=4&paused");
    expect(shown).toMatchObject({ panes: 1, scene: "breathing", list: "breathing" });
    expect(shown.address).toBe("?scene=breathing&paused");
    expect(shown.toasts).toHaveLength(1);
    expect(shown.toasts[0]).toMatch(/ opens without XPBD head to head: /);
    expect(shown.versus).toBe(false);
});

test("what is refused, and what is not understood, is left out and told", async () => {
    const shown = await shownOf("?scene=demo&fabric=banana&edits=wind:abc;dt:99;x:1&zoom=0&paused");
    expect(shown).toMatchObject({ scene: "demo", list: "demo", edits: {} });
    expect(shown.address).toBe("?scene=demo&paused");
    expect(shown.toasts).toHaveLength(2);
    expect(shown.toasts[0]).toBe(
        'Not understood in the address: edits "wind:abc", edits "x:1", zoom "0"',
    );
    expect(shown.toasts[1]).toMatch(/ opens without time step 99, and without fabric banana: /);
});
