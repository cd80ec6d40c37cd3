// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the tools of hands in a browser: knife, breath, bodies, keys and fingers; and what hands
// did as data.

import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type HandState, readHands, writeHands } from "../src/sim/hands";
import { launch, Viewer, Visit } from "./browser";

describe("what hands did", () => {
    const hands: HandState = {
        carried: [0, 0.5, 0],
        bodies: [{ index: 1, move: [1, 2, 3], turn: [0, 0, 1, 0] }],
        pins: [
            { vertex: 7, position: [0.1, 0.2, 0.3] },
            { vertex: 8, position: null },
        ],
        cuts: [
            { time: 0.5, cloth: 0, vertices: [1, 2, 3] },
            { time: 0.7, cloth: 1, vertices: [4, 5] },
        ],
    };

    test("is numbers and data", () => {
        expect(readHands(writeHands(hands, [0, 10, 20]), [0, 10, 20])).toEqual(hands);
    });

    test("is left out where the mesh is another", () => {
        const fewer = readHands(writeHands(hands, [0, 10, 13]), [0, 10, 13]);
        expect(fewer.cuts).toEqual([hands.cuts[0]]);
        expect(readHands(writeHands(hands, [0, 10]), [0, 10]).cuts).toHaveLength(1);
    });
});

describe("hands in a browser", () => {
    let viewer: Viewer;
    let browser: Browser;
    let visit: Visit;

    beforeAll(async () => {
        [viewer, browser] = await Promise.all([Viewer.start(), launch()]);
    });

    afterAll(async () => {
        await browser.close();
        viewer.stop();
    });

    afterEach(async () => {
        const { faults } = visit;
        await visit.close();
        expect(faults).toEqual([]);
    });

    async function open(query: string, options = {}): Promise<void> {
        visit = await Visit.open(browser, viewer.address + query, { ...options, closed: true });
        await visit.ready();
    }

    const run = (steps: number) =>
        visit.page.evaluate((count) => window.weft!.live.player.runAhead(count), steps);
    const hands = async () => (await visit.page.evaluate(() => window.weft!.live.player.hands()))!;
    const undoWords = () => visit.page.evaluate(() => window.weft!.keeper.undoWords);
    const time = () => visit.page.evaluate(() => window.weft!.live.player.time);
    const vertexCount = () => visit.page.evaluate(() => window.weft!.live.shape!.vertexCount);
    const middle = () =>
        visit.page.evaluate(() => {
            const { positions } = window.weft!.live.views[0]!;
            return positions[3 * Math.floor(positions.length / 6) + 2]!;
        });

    /** What of cloth (or bodies) is on the screen: its box, and the middle of that. */
    const box = (bodies = false) =>
        visit.page.evaluate((bodies) => {
            const [xs, ys]: [number[], number[]] = [[], []];
            for (let x = 10; x < innerWidth; x += 20)
                for (let y = 10; y < innerHeight; y += 20) {
                    if (document.elementFromPoint(x, y)?.id !== "view") continue;
                    const hit = window.weft!.stage.pickAny(x, y, 0);
                    if (!hit || hit.body >= 0 !== bodies) continue;
                    xs.push(x);
                    ys.push(y);
                }
            const [left, right] = [Math.min(...xs), Math.max(...xs)];
            const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
            const seen = xs.map((x, i) => ({ x, y: ys[i]! }));
            const far = ({ x, y }: { x: number; y: number }) =>
                Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2);
            const { x, y } = seen.sort((a, b) => far(a) - far(b))[0]!;
            return { left, right, top, bottom, x, y };
        }, bodies);

    test("cut, are undone, kept and begun without, blow, and work by keys", async () => {
        await open("?scene=curtain&time=0.2");
        const { keyboard, mouse } = visit.page;
        const whole = await vertexCount();
        const { left, right, x, y } = await box();
        await keyboard.press("x");
        await mouse.move(left - 30, y);
        await mouse.down();
        await mouse.move(right + 30, y, { steps: 10 });
        await mouse.up();
        await run(12);
        await expect.poll(vertexCount, { timeout: 15_000 }).toBeGreaterThan(whole + 5);
        const { cuts } = await hands();
        expect(cuts).toHaveLength(1);
        expect(cuts[0]!.vertices.length).toBeGreaterThan(5);
        // undone and done again, and kept by a reset and by the address
        const isCut = async () => {
            await run(12);
            await expect.poll(vertexCount, { timeout: 15_000 }).toBeGreaterThan(whole + 5);
        };
        const again = (press: Promise<void>) =>
            press.then(() => expect.poll(time, { timeout: 15_000 }).toBe(0));
        await expect.poll(undoWords).toBe("cut");
        await again(keyboard.press("Control+z"));
        expect(await vertexCount()).toBe(whole);
        expect((await hands()).cuts).toEqual([]);
        await keyboard.press("Control+Shift+z");
        await expect.poll(async () => (await hands()).cuts.length).toBe(1);
        await isCut();
        await again(keyboard.press("r"));
        await isCut();
        await expect.poll(() => visit.page.url()).toMatch(/#own=[\w-]+$/);
        await visit.page.reload();
        await visit.ready();
        expect((await hands()).cuts).toHaveLength(1);
        await isCut();
        await again(keyboard.press("r"));
        await visit.page.getByRole("button", { name: "Begin without them" }).click();
        await expect.poll(async () => (await hands()).cuts.length).toBe(0);
        await expect.poll(vertexCount, { timeout: 15_000 }).toBe(whole);
        // a breath
        await keyboard.press("a");
        const still = await middle();
        await mouse.move(x, y);
        await mouse.down();
        await run(20);
        expect(Math.abs((await middle()) - still)).toBeGreaterThan(0.01);
        await mouse.up();
        // a hand without a mouse
        await keyboard.press("g");
        await keyboard.press("Enter");
        await keyboard.press("Enter");
        expect(await visit.page.evaluate(() => window.weft!["hands"].holds)).toBe(true);
        for (let i = 0; i < 5; i++) await keyboard.press("ArrowRight");
        await run(10);
        await keyboard.press("Enter");
        expect(await visit.page.evaluate(() => window.weft!["hands"].holds)).toBe(false);
        await keyboard.press("Escape");
    });

    test("move a body by itself", async () => {
        await open("?scene=rotating_sphere&time=0.2");
        const { keyboard, mouse } = visit.page;
        await keyboard.press("b");
        const { x, y } = await box(true);
        await mouse.move(x, y);
        await mouse.down();
        await mouse.move(x + 40, y - 30, { steps: 3 });
        await mouse.up();
        await run(10);
        const moved = (await hands()).bodies;
        expect(moved).toHaveLength(1);
        expect(Math.hypot(...moved[0]!.move)).toBeGreaterThan(0.03);
        expect(moved[0]!.turn[3]).toBe(1);
        const ball = await box(true);
        await mouse.move(ball.x, ball.y);
        await mouse.down({ button: "right" });
        await mouse.move(ball.x + 60, ball.y, { steps: 3 });
        await mouse.up({ button: "right" });
        await run(10);
        expect((await hands()).carried).toEqual([0, 0, 0]);
        // the wheel; nobody waits for it to arrive
        const about = async () => (await hands()).bodies[0]!.turn[1];
        const before = await about();
        const now = await box(true);
        await mouse.move(now.x, now.y);
        await mouse.wheel(0, 120);
        await expect.poll(async () => (await about()) - before).toBeGreaterThan(0.05);
        await keyboard.press("Control+z");
        await expect.poll(about).toBeCloseTo(before, 3);
    });

    test("of fingers cut, and turn a body with two", async () => {
        await open("?scene=rotating_sphere&time=0.2", {
            viewport: { width: 390, height: 844 },
            hasTouch: true,
            isMobile: true,
        });
        const session = await visit.page.context().newCDPSession(visit.page);
        const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...places: number[][]) =>
            session.send("Input.dispatchTouchEvent", {
                type,
                touchPoints: places.map(([x, y], id) => ({ x: x!, y: y!, id })),
            });
        await visit.page.keyboard.press("b");
        const ball = await box(true);
        await touch("touchStart", [ball.x, ball.y]);
        await touch("touchStart", [ball.x, ball.y], [ball.x + 80, ball.y]);
        await touch("touchMove", [ball.x, ball.y], [ball.x + 60, ball.y + 60]);
        await touch("touchEnd");
        await run(5);
        expect(Math.abs((await hands()).bodies[0]!.turn[3])).toBeLessThan(0.99);
        await visit.page.keyboard.press("x");
        const whole = await vertexCount();
        const { left, right, top, bottom } = await box();
        const y = (top + bottom) / 2;
        await touch("touchStart", [left - 10, y]);
        for (let i = 1; i <= 10; i++)
            await touch("touchMove", [left - 10 + ((right - left + 20) * i) / 10, y]);
        await touch("touchEnd");
        await run(12);
        expect((await hands()).cuts.length).toBeGreaterThan(0);
        await expect.poll(vertexCount, { timeout: 15_000 }).toBeGreaterThan(whole);
    });
});
