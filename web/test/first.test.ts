// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the first minutes: what is open and what is not, numbers that are typed, charts and legends
// that fit what they show, captions that can be read.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { FieldScale } from "../src/app/fields";
import { faultWords, stepWords } from "../src/app/trial";
import { layOut, NO_INSETS } from "../src/draw/panes";
import { AxisRange } from "../src/ui/axis-range";
import { readNumber } from "../src/ui/number";
import { Tempo, tempoText } from "../src/sim/tempo";
import { launch, root, tool, Viewer, Visit } from "./browser";

describe("numbers that are typed", () => {
    test.each([
        ["1500", "N/m", 1500],
        [" 1500 N/m ", "N/m", 1500],
        ["1,5", "", 1.5],
        ["1/240", "s", 1 / 240],
        ["4 ms", "s", 0.004],
        ["1e-4", "N m", 1e-4],
        ["\u22125", "°", -5],
        ["", "s", null],
        ["fast", "s", null],
        ["5 kg", "s", null],
        ["1/0", "s", null],
    ])("%j in %s", (text, unit, value) => {
        const read = readNumber(text, unit);
        if (value === null) expect(read).toBe(null);
        else expect(read).toBeCloseTo(value, 12);
    });
});

describe("axes and scales", () => {
    test("of charts begin anew where other values are to come", () => {
        const range = new AxisRange(1);
        range.follow(-300, 5000);
        range.reset();
        range.follow(0, 3);
        expect([range.min, range.max]).toEqual([-0, 4]);
    });

    test("of the legend follow what has become smaller, though not at once", () => {
        const scale = new FieldScale("distance");
        const after = (value: number, frames: number) => {
            for (let i = 0; i < frames; i++) scale.follow([new Float32Array(100).fill(value)]);
            return scale.colours.high;
        };
        expect(after(0.9, 1)).toBeCloseTo(1);
        expect(after(0.3, 10)).toBeCloseTo(1);
        expect(after(0.3, 60)).toBeCloseTo(0.5);
        expect(after(0.45, 200)).toBeCloseTo(0.5);
    });
});

describe("the real-time factor", () => {
    const after = (pace: number, seconds: number) => {
        const tempo = new Tempo();
        for (let wall = 0; wall <= 1000 * seconds; wall += 500)
            tempo.look(wall, (pace * wall) / 1000, true);
        return tempo;
    };

    test("is known after a second, and forgotten by a reset", () => {
        expect(after(0.4, 0.5).factor).toBe(null);
        const tempo = after(0.4, 6);
        expect(tempo.factor).toBeCloseTo(0.4);
        tempo.look(6500, 0, true);
        expect(tempo.factor).toBe(null);
    });

    test("is told where time is slower than was asked for", () => {
        expect(tempoText(0.42, 1)).toBe("0.4×");
        expect(tempoText(0.04, 1)).toBe("0.04×");
        expect([tempoText(1, 1), tempoText(0.25, 0.25), tempoText(null, 1)]).toEqual(["", "", ""]);
    });
});

describe("what is wrong with a method", () => {
    const finding = { dt: 1 / 60, apart: 0.4167, reached: 0.4167, stable: 1 / 240 };

    test("is told with the step, as people write it", () => {
        expect(faultWords("Kim 2006", finding)).toBe(
            "Kim 2006 is unstable here with steps of 1/60 s: the cloth flies apart after 0.42 s.",
        );
        expect(stepWords(0.0045)).toBe("4.5 ms");
    });

    test("is nothing where it got through, and told where no step came back", () => {
        expect(faultWords("x", { ...finding, apart: null })).toBe(null);
        expect(faultWords("x", { ...finding, apart: null, reached: 0 })).toContain("for a step");
    });
});

describe("two panes", () => {
    const side = (width: number, height: number, insets = NO_INSETS) => {
        const [first, second] = layOut(2, width, height, insets);
        return first!.whole.y === second!.whole.y;
    };

    test("are side by side in a wide window, also among drawers", () => {
        expect(side(1280, 800)).toBe(true);
        expect(side(1280, 800, { left: 260, right: 310, top: 0, bottom: 60 })).toBe(true);
    });

    test("are one above the other where the window is tall, or little of it is left", () => {
        expect(side(390, 844)).toBe(false);
        expect(side(700, 650, { left: 260, right: 310, top: 0, bottom: 0 })).toBe(false);
    });
});

describe("in a browser", () => {
    let browser: Browser;
    let viewer: Viewer;
    let visit: Visit;
    let folder: string;

    beforeAll(async () => {
        [browser, viewer] = await Promise.all([launch(), Viewer.start()]);
        folder = mkdtempSync(join(tmpdir(), "weft-first-"));
    });
    afterAll(async () => {
        await browser.close();
        viewer.stop();
        rmSync(folder, { recursive: true });
    });
    afterEach(() => expect(visit.faults.splice(0)).toEqual([]));

    const open = () =>
        visit.page.evaluate(() =>
            [".panel", ".charts"].map((name) => !document.querySelector<HTMLElement>(name)!.hidden),
        );

    /** Where the camera is, what it looks at, and the floor. */
    const camera = () =>
        visit.page.evaluate(() => {
            const { camera, controls, ground } = window.weft!.stage as unknown as {
                camera: { position: { toArray(): number[] } };
                controls: { target: { toArray(): number[] } };
                ground: { height: number };
            };
            const [place, target] = [camera.position.toArray(), controls.target.toArray()];
            const away = place.map((value, k) => value - target[k]!);
            const distance = Math.hypot(...away);
            const angle = Math.atan2(away[0]!, away[2]!);
            return { place, target, distance, angle, floor: ground.height };
        });

    test("the first screen goes around slowly, until somebody touches it", async () => {
        visit = await Visit.open(browser, viewer.address, {
            viewport: { width: 1280, height: 800 },
            closed: true,
        });
        const { page } = await visit.ready();
        const words = page.getByText("Pull the cloth");
        await words.waitFor();
        expect(await open()).toEqual([false, false]);
        expect(await page.locator(".toast").count()).toBe(0);
        const { angle } = await camera();
        await expect
            .poll(async () => Math.abs((await camera()).angle - angle))
            .toBeGreaterThan(0.02);
        await page.setViewportSize({ width: 390, height: 844 });
        // beside the head, which is in the middle
        await expect.poll(async () => (await words.boundingBox())!.x).toBeGreaterThan(215);
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.mouse.click(100, 300);
        await expect.poll(() => words.count()).toBe(0);
        const still = await camera();
        await page.evaluate(() => window.weft!.live.player.runAhead(3));
        await page.waitForTimeout(300);
        expect((await camera()).angle).toBeCloseTo(still.angle, 3);
        await visit.close();
    });

    test("a double click looks closely, F at all; nobody gets below the floor", async () => {
        visit = await Visit.open(browser, `${viewer.address}?scene=swing&time=0.3`, {
            viewport: { width: 900, height: 700 },
        });
        const { page } = await visit.ready();
        const before = await camera();
        const at = await page.evaluate(() => {
            for (let y = 100; y < 600; y += 10)
                for (let x = 100; x < 800; x += 10) {
                    const hit = window.weft!.stage.pick(x, y);
                    if (hit) return { x, y, point: hit.point };
                }
            throw new Error("no cloth on the screen");
        });
        await page.mouse.dblclick(at.x, at.y);
        await expect
            .poll(async () => (await camera()).distance)
            .toBeLessThan(0.43 * before.distance);
        const { target } = await camera();
        target.forEach((value, k) => expect(value).toBeCloseTo(at.point[k]!, 1));
        await page.keyboard.press("f");
        await expect
            .poll(async () => (await camera()).distance)
            .toBeGreaterThan(0.46 * before.distance);
        for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowDown");
        const low = await camera();
        expect(low.place[1]).toBeGreaterThan(low.floor);
        await visit.close();
    });

    test("drawers open when asked for, stay for the session, and come back with the room", async () => {
        const size = { width: 1280, height: 800 };
        visit = await Visit.open(browser, `${viewer.address}?scene=swing&paused`, {
            viewport: size,
            closed: true,
        });
        const { page } = await visit.ready();
        expect(await open()).toEqual([false, false]);
        await page.keyboard.press("c");
        await page.keyboard.press("s");
        expect(await open()).toEqual([true, true]);
        await page.setViewportSize({ width: 500, height: 800 });
        await expect.poll(open).toEqual([true, false]);
        await page.setViewportSize(size);
        await expect.poll(open).toEqual([true, true]);
        await page.keyboard.press("c");
        await page.reload();
        await visit.ready();
        expect(await open()).toEqual([true, false]);
    });

    test("sliders take numbers, and say what they cannot take", async () => {
        const { page } = visit;
        const field = page.getByLabel("Stiffness, as a number");
        const stiffness = () =>
            page.evaluate(() => window.weft!.live.description!.cloths[0]!.fabric.stretch[0]);
        await field.fill("1234");
        await field.press("Enter");
        await expect.poll(stiffness).toBeCloseTo(1234, 6);
        await field.fill("5000000");
        await field.press("Enter");
        const fault = page.locator(".number-fault", { hasText: "Stiffness goes from" });
        expect(await fault.textContent()).toBe("Stiffness goes from 10 to 20000 N/m");
        expect(await field.getAttribute("aria-invalid")).toBe("true");
        await field.press("Escape");
        expect(await field.inputValue()).toBe("1234 N/m");
        expect(await stiffness()).toBeCloseTo(1234, 6);
    });

    test("a method that is unstable says so before it is played, with a step that helps", async () => {
        const { page } = visit;
        await page.evaluate(() => window.weft!["openScene"]("swing"));
        const played = () => page.evaluate(() => window.weft!.live.document!.edits);
        const method = page.getByLabel("Method", { exact: true });
        const question = page.getByRole("dialog", { name: /^Kim 2006 is unstable here/ });
        await method.selectOption("scalable");
        await question.getByRole("button", { name: "Cancel" }).click();
        expect(await played()).toEqual({});
        await expect.poll(() => method.inputValue()).toBe("scene");
        await method.selectOption("scalable"); // known by now
        const button = question.getByRole("button", { name: /^Use 1\/\d+ s/ });
        const dt = 1 / Number(/1\/(\d+)/.exec((await button.textContent())!)![1]);
        await button.click();
        await page.waitForFunction(() => window.weft!.live.description!.step.dt < 0.016);
        expect((await played()).dt).toBeCloseTo(dt, 9);
        await page.evaluate(() => window.weft!.live.player.runAhead(40));
        expect(await page.locator(".toast").count()).toBe(0);
    });

    test("a recording has its name, one button to play, and the chart that it has", async () => {
        const file = join(folder, "recorded.glb");
        const words = ["run", join(root, "scenes/swing.json"), "--frames", "9", "--quiet"];
        execFileSync(tool, [...words, "--out", file]);
        const { page } = visit;
        await page.keyboard.press("c");
        await page.setInputFiles("input[type=file]", file);
        await page.locator(".timeline").waitFor();
        const chosen = page.getByLabel("Scene", { exact: true }).locator("option:checked");
        expect(await chosen.textContent()).toContain("recorded");
        expect(await page.getByRole("button", { name: /^(Play|Pause)$/ }).count()).toBe(1);
        const titles = () => page.locator(".plot:visible h3").allTextContents();
        expect(await titles()).toEqual(["Frames"]);
        await page.getByRole("button", { name: /close result/i }).click();
        expect(await titles()).toHaveLength(4);
        expect(await chosen.textContent()).toBe("swing");
        await visit.close();
    });

    test("captions on a phone hold all of their words", async () => {
        visit = await Visit.open(
            browser,
            `${viewer.address}?scene=swing&methods=q4,implicit&paused`,
            {
                viewport: { width: 390, height: 844 },
                hasTouch: true,
                isMobile: true,
            },
        );
        const { page } = await visit.ready();
        for (const count of [2, 4]) {
            await page.keyboard.press(String(count));
            await expect.poll(() => page.locator(".caption select").count()).toBe(count);
            const cut = await page.locator(".caption select").evaluateAll((all) =>
                all
                    .map((select) => select as HTMLSelectElement)
                    .filter((select) => select.scrollWidth > select.clientWidth)
                    .map((select) => select.selectedOptions[0]!.text),
            );
            expect(cut).toEqual([]);
        }
        await visit.close();
    });
});
