// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the page against rough hands: wishes faster than they can come true, wishes that are
// refused, cloth that flies apart, fingers everywhere, parts that do not load.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { SceneDocument, type Edits } from "../src/scene/document";
import type { Description } from "../src/sim/core";
import { findCloth, launch, long, root, Viewer, Visit } from "./browser";
import { deep } from "./deep";

let browser: Browser;
let viewer: Viewer;
/** One page for nearly all: what a test leaves behind must not trouble the next. */
let visit: Visit;

beforeAll(async () => {
    [browser, viewer] = await Promise.all([launch(), Viewer.start()]);
    visit = await Visit.open(browser, `${viewer.address}?scene=swing`, {
        viewport: { width: 1000, height: 600 },
    });
    await visit.ready();
});

afterAll(async () => {
    await browser.close();
    viewer.stop();
});

afterEach(() => expect(visit.faults.splice(0)).toEqual([]));

/** Until everything that was asked for is done or refused. */
async function settled(of = visit): Promise<void> {
    await of.page.evaluate(async () => {
        const player = window.weft!.live.player;
        while (player["wanted"] || player["resetWanted"]) await new Promise(requestAnimationFrame);
        await player.runAhead(0); // after what is being done
    });
}

/** A scene from its start, in one pane, by its own method; messages and pauses are gone. */
async function begin(scene: string, paused = false): Promise<void> {
    await visit.page.evaluate(
        async ([id, pause]) => {
            const app = window.weft!;
            document.querySelectorAll(".toast").forEach((toast) => toast.remove());
            app["change"]("field", "none");
            app["change"]("panes", 1);
            await app["openScene"](id);
            app["setPlaying"](!pause);
        },
        [scene, paused] as const,
    );
    await settled();
}

/** As the panel asks for it. */
const change = (id: string, value: string | number | boolean) =>
    visit.page.evaluate(([id, value]) => window.weft!["change"](id, value), [id, value] as const);

const message = (words: string | RegExp) => visit.page.locator(".toast").getByText(words);

/** Whether a hand holds the cloth. */
const holds = (of = visit) => of.page.evaluate(() => window.weft!["hands"].holds);

const pinCount = (of = visit) =>
    of.page.evaluate(async () => {
        const { live } = window.weft!;
        await live.player.runAhead(0);
        return live.buffersOf(0)!.pinned.filter((pinned) => pinned !== 0).length;
    });

describe("scenes one after the other", () => {
    test("end with the last one, framed and described as if alone", async () => {
        const look = () =>
            visit.page.evaluate(() => {
                const { live, stage } = window.weft!;
                return {
                    asked: live.document!.id,
                    played: live.description!.name,
                    file: live.document!.description!.name,
                    // damped turns leave it off by bits
                    target: stage["controls"].target.toArray().map((x) => Math.round(1e6 * x) + 0),
                };
            });
        await begin("rope", true);
        const alone = await look();
        await begin("swing");
        await visit.page.evaluate(async () => {
            const app = window.weft!;
            for (const id of ["curtain", "disc", "flag", "rope"]) {
                void app["openScene"](id);
                // the next one is asked for while this one is being opened
                while (app.live.player["wanted"]) await new Promise(requestAnimationFrame);
            }
        });
        await settled();
        expect(await look()).toEqual(alone);
    });

    test("leave neither workers nor buffers behind", async () => {
        await begin("rope", true);
        const counts = () =>
            visit.page.evaluate(() => window.weft!.stage["renderer"].info.memory.geometries);
        const before = await counts();
        await visit.page.evaluate(async () => {
            for (let i = 0; i < 4; i++)
                for (const id of ["swing", "rope"]) await window.weft!["openScene"](id);
        });
        await expect.poll(counts).toBeLessThanOrEqual(before);
        expect(visit.page.workers()).toHaveLength(1);
    });

    deep("and panes keep the camera where it was turned to", async () => {
        await begin("swing", true);
        const direction = () =>
            visit.page.evaluate(() => {
                const { camera, controls } = window.weft!.stage as never as Record<string, any>;
                const to = camera.position.clone().sub(controls.target).normalize();
                return to.toArray().map((x: number) => x.toFixed(3));
            });
        await visit.page.evaluate(() => window.weft!.stage.turn(50, 10));
        const before = await direction();
        await visit.page.keyboard.press("2");
        await settled();
        expect(await direction()).toEqual(before);
    });
});

describe("wishes that are refused", () => {
    test("are taken back alone, not with those before and after them", async () => {
        await begin("swing", true);
        await visit.page.evaluate(async () => {
            const app = window.weft!;
            app["change"]("dt", 0.01);
            while (app.live.player["wanted"]) await new Promise(requestAnimationFrame);
            app["change"]("shear", "area"); // needs threads
        });
        await message(/shear/i).waitFor();
        await settled();
        const edits = () => visit.page.evaluate(() => window.weft!.live.document!.edits);
        expect(await edits()).toEqual({ dt: 0.01 });
        await change("dt", 0.02);
        await settled();
        const dt = await visit.page.evaluate(() => window.weft!.live.description!.step.dt);
        expect(dt).toBe(0.02);
    });

    test("do not hold up a scene that was asked for since", async () => {
        await begin("swing");
        const shown = await visit.page.evaluate(async () => {
            const app = window.weft!;
            app["change"]("shear", "area");
            while (app.live.player["wanted"]) await new Promise(requestAnimationFrame);
            return app["openScene"]("rope");
        });
        expect(shown).toBe(true);
        const now = await visit.page.evaluate(() => {
            const { document, description } = window.weft!.live;
            return [document!.id, description!.name, document!.edits];
        });
        expect(now).toEqual(["rope", "rope", {}]);
    });

    test("by one of several panes leave all of them as they are", async () => {
        await begin("swing", true);
        await visit.page.keyboard.press("2");
        await visit.page.evaluate(() => window.weft!.live.setPaneMethod(1, "q1"));
        await settled();
        await visit.page.evaluate(() => window.weft!.live.player.runAhead(10));
        const state = () =>
            visit.page.evaluate(async () => {
                const { player, document } = window.weft!.live;
                const hashes = await Promise.all([player.hash(0), player.hash(1)]);
                return [document!.id, player.time, ...hashes];
            });
        const before = await state();
        const scene = JSON.parse(readFileSync(join(root, "scenes/woven.json"), "utf8"));
        scene.step = { method: "implicit" };
        for (const cloth of scene.cloths) Object.assign(cloth, { bend: "implicit" });
        const file = {
            name: "mine.json",
            mimeType: "",
            buffer: Buffer.from(JSON.stringify(scene)),
        };
        await visit.page.setInputFiles("input[type=file]", file);
        await message("nothing to factor once").waitFor();
        await settled();
        expect(await state()).toEqual(before);
    });

    test("files that cannot be read are told of", async () => {
        await begin("swing", true);
        await visit.page.evaluate(() => {
            const folder = new File([], "folder");
            folder.arrayBuffer = () => Promise.reject(new Error("a folder is no file"));
            void window.weft!["openFiles"]([folder]);
        });
        await message("a folder is no file").waitFor();
    });

    test("and other errors are told of until another scene is shown, or what was written is", async () => {
        await begin("swing", true);
        const complain = (words: string) =>
            visit.page.evaluate((words) => window.weft!.live["events"].refused(words), words);
        await complain("of the swing");
        await message("of the swing").waitFor();
        await visit.page.evaluate(() => window.weft!["openScene"]("rope"));
        await message("of the swing").waitFor({ state: "detached" });
        await complain("of the rope");
        await message("of the rope").waitFor();
        await visit.page.keyboard.press("t");
        const text = visit.page.locator(".cm-content");
        await text.click();
        await visit.page.keyboard.press("Control+End");
        await visit.page.keyboard.type(" ");
        await visit.page.keyboard.press("Control+Enter");
        await message("of the rope").waitFor({ state: "detached" });
        await visit.page.evaluate(() => window.weft!.page.text.setOpen(false));
    });
});

describe("settings", () => {
    test("of the look can be changed while the workers have the frames", async () => {
        await begin("swing");
        await visit.page.evaluate(async () => {
            for (let i = 0; i < 30; i++) {
                window.weft!["change"]("pins", i % 2 === 1);
                window.weft!["change"]("surface", "next");
                await new Promise((resolve) => setTimeout(resolve, i % 5));
            }
        });
    });

    test("of quality and method say the same", async () => {
        await begin("swing", true);
        await change("quality", 5);
        const method = visit.page.getByLabel("Method", { exact: true });
        await expect.poll(() => method.inputValue()).toBe("q5");
        await settled();
        const { quality } = await visit.page.evaluate(() => window.weft!.live.description!.step);
        expect(quality).toBe(5);
    });

    deep("in captions can be chosen by keys, one after the other", async () => {
        await begin("swing", true);
        await visit.page.keyboard.press("2");
        await settled();
        const caption = visit.page.getByLabel("Method of pane 1");
        await caption.focus();
        for (const method of ["q1", "q2"]) {
            await visit.page.keyboard.press("ArrowDown");
            await expect
                .poll(() => visit.page.evaluate(() => window.weft!.live.paneNotes()[0]!.method))
                .toBe(method);
        }
        expect(await caption.evaluate((select) => select === document.activeElement)).toBe(true);
        await caption.blur();
    });

    deep("of a result name only what it has", async () => {
        await begin("swing", true);
        await change("field", "curvature");
        const file = { name: "square.obj", mimeType: "", buffer: Buffer.from(square) };
        await visit.page.setInputFiles("input[type=file]", file);
        await visit.page.getByRole("button", { name: /Just look/ }).click();
        await visit.page.locator(".timeline").waitFor();
        expect(await visit.page.getByLabel("Colour", { exact: true }).inputValue()).toBe("none");
        const [download] = await Promise.all([
            visit.page.waitForEvent("download"),
            change("save-picture", true),
        ]);
        expect(download.suggestedFilename()).toBe("square.png");
    });
});

const square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";

describe("cloth that flies apart", () => {
    test("stops with a message, and starts again with another method", async () => {
        await begin("swing", true);
        const floor = () => visit.page.evaluate(() => window.weft!.stage["ground"].height);
        const before = await floor();
        await visit.page.evaluate(() => {
            const app = window.weft!;
            app.live.edit({ method: "kang_2" }); // without a trial out of sight
            for (const [id, value] of [
                ["stiffness", 20000],
                ["dt", 0.05],
                ["field", "stretch"],
            ] as const)
                app["change"](id, value);
        });
        await settled();
        await visit.page.evaluate(async () => {
            const { player } = window.weft!.live;
            for (let i = 0; i < 100 && !player["frames"][0]!.stopped; i++) await player.runAhead(5);
        });
        await message(/^Kang and Cho 2002 is unstable/).waitFor();
        await change("method", "implicit");
        await settled();
        const now = await visit.page.evaluate(async () => {
            const { player, scale } = window.weft!.live;
            await player.runAhead(2);
            return { time: player.time, high: scale!.colours.high };
        });
        expect(now.time).toBeCloseTo(0.1);
        expect(now.high).toBeLessThan(10);
        expect(await floor()).toBeCloseTo(before, 3);
    });
});

describe("hands", () => {
    deep("with the pin turn the view by dragging, and pin by a click", async () => {
        await begin("curtain", true);
        const { keyboard, mouse } = visit.page;
        const before = await pinCount();
        const { x, y } = await findCloth(visit.page);
        await keyboard.press("p");
        await mouse.move(x, y);
        await mouse.down();
        await mouse.move(x + 60, y, { steps: 3 });
        await mouse.up();
        expect(await pinCount()).toBe(before);
        await keyboard.press("g");
        await keyboard.down("Shift");
        const cloth = await findCloth(visit.page);
        await mouse.click(cloth.x, cloth.y);
        await keyboard.up("Shift");
        expect(await pinCount()).toBe(before + 1);
    });

    deep("let go outside of the window, on a reset, and where another scene comes", async () => {
        await begin("curtain", true);
        const { keyboard, mouse } = visit.page;
        const { x, y } = await findCloth(visit.page);
        const grab = async () => {
            await mouse.move(x, y);
            await mouse.down();
            await mouse.move(x + 20, y, { steps: 2 });
            expect(await holds()).toBe(true);
        };
        await grab();
        await mouse.move(-200, -200);
        await mouse.up();
        expect(await holds()).toBe(false);
        await grab();
        await keyboard.press("r");
        await settled();
        await mouse.move(x, y + 20, { steps: 2 });
        expect(await holds()).toBe(false);
        await mouse.up();
        await grab();
        await begin("rope", true);
        await mouse.move(x + 20, y + 20, { steps: 2 });
        expect(await holds()).toBe(false);
        await mouse.up();
    });

    test("on keys do not pile up more steps than can be taken", async () => {
        await begin("swing", true);
        const pending = await visit.page.evaluate(() => {
            for (let i = 0; i < 200; i++)
                window.dispatchEvent(new KeyboardEvent("keydown", { key: ".", repeat: i > 0 }));
            return window.weft!.live.player["singleSteps"];
        });
        expect(pending).toBeLessThan(10);
        await visit.page.keyboard.press("r");
        await settled();
        const [time, steps] = await visit.page.evaluate(() => {
            const { player } = window.weft!.live;
            return [player.time, player["singleSteps"]];
        });
        expect([time, steps]).toEqual([0, 0]);
    });

    deep("of two fingers move the camera, also where one is on the cloth", async () => {
        const phone = await Visit.open(browser, `${viewer.address}?scene=curtain&paused`, {
            viewport: { width: 320, height: 568 },
            deviceScaleFactor: 3,
            hasTouch: true,
            isMobile: true,
        });
        await phone.ready();
        const session = await phone.page.context().newCDPSession(phone.page);
        const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...places: number[][]) =>
            session.send("Input.dispatchTouchEvent", {
                type,
                touchPoints: places.map(([x, y], id) => ({ x: x!, y: y!, id })),
            });
        const distance = () =>
            phone.page.evaluate(() => {
                const { camera, controls } = window.weft!.stage as never as Record<string, any>;
                return camera.position.distanceTo(controls.target);
            });
        const before = await distance();
        const { x, y } = await findCloth(phone.page);
        await touch("touchStart", [x, y]);
        expect(await holds(phone)).toBe(true);
        await touch("touchStart", [x, y], [x + 40, y]);
        expect(await holds(phone)).toBe(false);
        for (let i = 1; i < 5; i++) await touch("touchMove", [x - 5 * i, y], [x + 40 + 5 * i, y]);
        await touch("touchEnd");
        await expect.poll(distance).toBeLessThan(0.8 * before);
        expect(phone.faults).toEqual([]);
        await phone.close();
    });
});

test("a moment far ahead is shown on its way, and given up when told; its theme is of that view", async () => {
    const ahead = await Visit.open(browser, `${viewer.address}?scene=storm&time=500&theme=dark`);
    const { page } = ahead;
    const card = page.locator(".progress-card:visible");
    await card.getByText(/ of 500.0 s/).waitFor();
    await card.getByRole("button", { name: "Cancel" }).click();
    await card.waitFor({ state: "hidden" });
    const state = await page.evaluate(() => ({
        time: window.weft!.live.player.time,
        playing: window.weft!.live.player.playing,
        kept: Object.values({ ...localStorage }),
        dark: document.documentElement.dataset.theme,
    }));
    expect(state).toMatchObject({ playing: false, dark: "dark" });
    expect(state.kept).not.toContain("dark");
    expect(state.time).toBeLessThan(400);
    // what takes long to open is told of as well, and cannot be stopped
    const prepare = (since: number | null) =>
        page.evaluate((since) => {
            const { player } = window.weft!.live;
            player.preparesSince = since && performance.now() - since;
        }, since);
    await prepare(2000);
    await card.getByText("Preparing: storm").waitFor();
    expect(await card.getByRole("button").isVisible()).toBe(false);
    await prepare(null);
    await card.waitFor({ state: "hidden" });
    expect(ahead.faults).toEqual([]);
    await ahead.close();
});

describe("what fails below the page", () => {
    test.each(long ? ["weft-*.wasm", "worker-*.js"] : ["worker-*.js"])(
        "%s that does not load is told",
        async (part) => {
            const broken = await Visit.open(browser, "about:blank");
            await broken.page.route(`**/${part}`, (route) => route.abort());
            await broken.page.goto(`${viewer.address}?scene=swing&time=1`);
            await broken.page.getByText("The simulator could not be loaded").waitFor();
            await broken.page.unrouteAll();
            await broken.ready();
            const again = await broken.page.evaluate(() => window.weft!["openScene"]("rope"));
            expect(again).toBe(true);
            await broken.close();
        },
    );

    test("parts that are loaded later are told, and can be tried again", async () => {
        const broken = await Visit.open(browser, `${viewer.address}?scene=rope&paused`, {
            viewport: { width: 640, height: 480 },
        });
        const { page } = await broken.ready();
        const told = (words: string) => page.locator(".toast").filter({ hasText: words });
        await page.route("**/later-*.js", (route) => route.abort());
        await page.getByRole("button", { name: "Gallery" }).click();
        await told("The gallery could not be loaded").waitFor();
        await page.getByRole("button", { name: "Text of the scene" }).click();
        await told("The editor could not be loaded").waitFor();
        expect(await page.locator(".text-status").textContent()).toMatch(/could not be loaded/);
        await page.route("**/*.detail", (route) => route.abort());
        expect(await page.evaluate(() => window.weft!["openScene"]("detail_swing"))).toBe(false);
        await told("detail_swing could not be loaded").waitFor();
        expect(broken.faults.filter((fault) => !/ERR_FAILED|not loaded/.test(fault))).toEqual([]);
        await page.unrouteAll();
        for (const words of ["detail_swing", "The editor", "The gallery"])
            await told(words).getByRole("button", { name: "Try again" }).click();
        await page.locator(".gallery-card").first().waitFor();
        await page.locator(".cm-content").waitFor();
        const shown = () => page.evaluate(() => window.weft!.live.document?.id);
        await expect.poll(shown).toBe("detail_swing");
        await broken.close();
    });

    test("a lost graphics context is told of and comes back, and scenes go on changing", async () => {
        await begin("curtain");
        const told = await visit.page.evaluate(async () => {
            const canvas = document.querySelector<HTMLCanvasElement>("#view")!;
            const context = canvas.getContext("webgl2")!.getExtension("WEBGL_lose_context")!;
            const next = (name: string) =>
                new Promise((resolve) => canvas.addEventListener(name, resolve, { once: true }));
            const lost = next("webglcontextlost");
            context.loseContext();
            await lost;
            const words = [...document.querySelectorAll(".toast p")].map((p) => p.textContent);
            const back = next("webglcontextrestored");
            setTimeout(() => context.restoreContext(), 50);
            await back;
            return words;
        });
        expect(told).toEqual([expect.stringContaining("graphics processor")]);
        expect(await message("graphics processor").count()).toBe(0);
        await begin("swing");
        const drawn = () =>
            visit.page.evaluate(() => window.weft!.stage["renderer"].info.memory.geometries);
        await expect.poll(drawn).toBeGreaterThan(1);
    });
});

describe("an address", () => {
    test("with a single method is played by it", async () => {
        const single = await Visit.open(browser, `${viewer.address}?scene=rope&methods=q1&paused`);
        await single.ready();
        const { method } = await single.page.evaluate(() => window.weft!.live.description!.step);
        expect(method).toBe("prefactored");
        await single.close();
    });
});

describe("edits", () => {
    function edited(scene: string, edits: Edits, description?: object): any {
        const text = readFileSync(join(root, `scenes/${scene}.json`), "utf8");
        const document = new SceneDocument(scene, "", text, (description ?? null) as Description);
        document.edits = edits;
        return JSON.parse(document.compose(null).text);
    }

    test("of detail leave pins where they are", () => {
        const { pins } = edited("washing", { detail: 0.5 }).cloths[0];
        const last = 22 * 31; // 30 x 22 cells: the first vertex of the last row
        expect(pins.map((pin: { vertices: number[] }) => pin.vertices[0])).toEqual(
            [0, 8, 23, 30, 15].map((column) => last + column),
        );
    });

    test("of the direction do not calm a wind that comes and goes", () => {
        const { keys } = edited("washing", { direction: 45 }).wind;
        const speeds = keys.map(([, x, , z]: number[]) => Math.hypot(x!, z!));
        expect(Math.max(...speeds)).toBeGreaterThan(1);
    });

    test("of bending are in the unit of what bends", () => {
        const fabric = { stretch: [1000, 1000], bend: 1e-5, bend_spring: 4, density: 0.1 };
        const description = { cloths: [{ fabric, triangles: 2, bend_by: "hinges" }] };
        const scene = edited("crossed", { bend_by: "springs", bending: 2 }, description);
        expect(scene.cloths[0].fabric.bend_spring).toBeCloseTo(2, 12);
    });
});
