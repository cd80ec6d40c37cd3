// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards light and effort: what gives way where frames take long, the studio's light, and in the
// browser that what stands on the floor darkens it and that edges are smooth.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { Ladder, Pace, STRONG_RUNGS, WEAK_RUNGS, WEAK_START } from "../src/draw/light/ladder";
import { STRONG, WEAK } from "../src/draw/light/power";
import { paintStudio, studioHarmonics } from "../src/draw/light/studio";
import { launch, Viewer, Visit } from "./browser";

/** So many frames of so many milliseconds. */
function draw(pace: Pace, frames: number, ms: number, from: number): number {
    for (let i = 0; i < frames; i++) pace.frame((from += ms), true);
    return from;
}

test("effects give way one at a time, the same ones first, and all of them in the end", () => {
    for (const [base, rungs] of [[STRONG, STRONG_RUNGS] as const, [WEAK, WEAK_RUNGS] as const]) {
        const ladder = new Ladder(base, rungs, 0);
        for (const rung of rungs) {
            const before = ladder.power;
            expect(ladder.down()).toBe(true);
            expect(ladder.power).toEqual({ ...before, ...rung });
            expect(ladder.power).not.toEqual(before);
        }
        expect(ladder.down()).toBe(false);
    }
});

test("what was too much is not tried again; weak machines may get better", () => {
    const ladder = new Ladder(WEAK, WEAK_RUNGS, WEAK_START);
    // llvmpipe hung for minutes where threads were seen from the edge
    expect(ladder.power.slantTaps).toBe(1);
    const pace = new Pace(ladder, false);
    let now = draw(pace, 200, 10, 0);
    expect(ladder.power.sharpness).toBe(1);
    now = draw(pace, 9, 100, now);
    expect(ladder.power.sharpness).toBe(0.85);
    draw(pace, 1000, 10, now);
    expect(ladder.power.sharpness).toBe(0.85);
});

test("single slow frames change nothing, and nothing does where all is to be fine", () => {
    const ladder = new Ladder(STRONG, STRONG_RUNGS, 0);
    const pace = new Pace(ladder, false);
    for (let i = 0, now = 0; i < 100; i++) pace.frame((now += i % 7 === 0 ? 30 : 100), true);
    expect(ladder.power).toEqual(STRONG);
    draw(new Pace(ladder, true), 100, 100, 0);
    expect(ladder.power).toEqual(STRONG);
});

test("harmonics light a ball as the picture of the studio does, most from above", () => {
    for (const theme of ["light", "dark"] as const) {
        const width = 64,
            texels = paintStudio(theme, width);
        let sum = 0,
            whole = 0;
        for (let y = 0; y < width / 2; y++) {
            const part = Math.sin((Math.PI * (y + 0.5)) / (width / 2));
            for (let x = 0; x < width; x++) {
                sum += part * texels[3 * (y * width + x)]!;
                whole += part;
            }
        }
        const { coefficients } = studioHarmonics(theme);
        expect(coefficients[0]!.x / (4 * Math.PI * 0.282095)).toBeCloseTo(sum / whole, 3);
        expect(coefficients[1]!.x).toBeGreaterThan(0);
    }
});

let browser: Browser, viewer: Viewer;
beforeAll(async () => {
    [browser, viewer] = await Promise.all([launch(), Viewer.start()]);
});
afterAll(async () => {
    await browser.close();
    viewer.stop();
});

// The green of the rows of a picture from `top` down, 240 pixels wide.
async function rows(visit: Visit, top: number): Promise<number[]> {
    return visit.page.evaluate(async (top) => {
        const picture = await createImageBitmap(await window.weft!.stage.capture(240, 320));
        const canvas = new OffscreenCanvas(240, 320);
        const context = canvas.getContext("2d")!;
        context.drawImage(picture, 0, 0);
        const { data } = context.getImageData(0, top, 240, 320 - top);
        return [...data.filter((_, i) => i % 4 === 1)];
    }, top);
}

/** Pixels that differ from the next by much. */
function steps(light: number[]): number {
    return light.filter((own, i) => Math.abs(own - (light[i + 1] ?? own)) > 80).length;
}

test("what is there throws a shadow, with effects and without; outlines have no steps; and nothing complains", async () => {
    for (const query of ["detail=0.625", "scene=demo&detail=0.25&fine"]) {
        const visit = await Visit.open(browser, `${viewer.address}?bare&paused&${query}`, {
            viewport: { width: 240, height: 320 },
        });
        await visit.ready();
        // the light of the lowest rows of the figure's column, with the figure and without
        const shown = await rows(visit, 160);
        if (!query.includes("fine")) {
            const smooth = steps(await rows(visit, 0));
            await visit.page.evaluate(() => (window.weft!.stage["edges"].draw = () => {}));
            expect(smooth).toBeLessThan(0.8 * steps(await rows(visit, 0)));
        }
        await visit.page.evaluate(() => {
            const view = window.weft!.live.views[0]!;
            for (const part of view.object.children) part.position.y += 30;
            view.version++;
        });
        const empty = await rows(visit, 160);
        // the floor to the right, where the lamp does not get
        const darker = shown.map((light, i) => (i % 240 > 150 ? empty[i]! - light : 0));
        expect(Math.max(...darker)).toBeGreaterThan(15);
        expect(visit.faults).toEqual([]);
        await visit.close();
    }
});
