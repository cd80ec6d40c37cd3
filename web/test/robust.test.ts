// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the page against what scenes and methods do to it: cloth that falls, steps that do not come
// back, workers that break down, methods that are unstable, things that walk out of the picture,
// meshes of others.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launch, long, root, Viewer, Visit } from "./browser";
import { deep } from "./deep";
import { glbOfBox, objOfBox } from "./meshes";

let browser: Browser;
let viewer: Viewer;
let visit: Visit;

beforeAll(async () => {
    [browser, viewer] = await Promise.all([launch(), Viewer.start()]);
    visit = await Visit.open(browser, `${viewer.address}?scene=swing&paused`, {
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
async function settled(): Promise<void> {
    await visit.page.evaluate(async () => {
        const player = window.weft!.live.player;
        const busy = () => player["wanted"] || player["resetWanted"] || player.empty;
        while (busy()) await new Promise(requestAnimationFrame);
        await player.runAhead(0);
    });
}

/** A scene from its start, paused, in one pane, by its own method; messages are gone. */
async function begin(scene: string): Promise<void> {
    await visit.page.evaluate(async (id) => {
        const app = window.weft!;
        document.querySelectorAll(".toast").forEach((toast) => toast.remove());
        app["change"]("field", "none");
        app["change"]("panes", 1);
        app["change"]("follow", "auto");
        await app["openScene"](id);
        app["setPlaying"](false);
    }, scene);
    await settled();
}

async function openScene(scene: object): Promise<void> {
    const buffer = Buffer.from(JSON.stringify(scene));
    await visit.page.setInputFiles("input[type=file]", { name: "mine.json", mimeType: "", buffer });
    await visit.page.waitForFunction(() => window.weft!.live.description?.name === "mine");
    await visit.page.evaluate(() => window.weft!["setPlaying"](false));
    await settled();
}

const run = (steps: number) =>
    visit.page.evaluate(async (count) => {
        const { player } = window.weft!.live;
        for (let i = 0; i < count && !player.empty; i += 5) {
            await player.runAhead(5);
            await new Promise(requestAnimationFrame);
        }
    }, steps);

const change = (id: string, value: string | number | boolean) =>
    visit.page.evaluate(([id, value]) => window.weft!["change"](id, value), [id, value] as const);

/** Without a trial out of sight. */
const playAnyway = (method: string) =>
    visit.page.evaluate((method) => window.weft!.live.edit({ method }), method);

const message = (words: string | RegExp) => visit.page.locator(".toast").getByText(words);

const letGo = () =>
    visit.page.evaluate(async () => {
        const { live } = window.weft!;
        await live.player.runAhead(0);
        live.buffersOf(0)!.pinned.forEach((pinned, vertex) => {
            if (pinned) live.touch({ kind: "pin", vertex });
        });
    });

const heights = () =>
    visit.page.evaluate(() => ({
        cloth: window.weft!.live.views[0]!.box.min.y,
        drawn: window.weft!.stage["ground"].height,
    }));

describe("the floor", () => {
    test("is below all that is there, and holds what falls", async () => {
        await begin("swing");
        const before = await heights();
        expect(before.drawn).toBeLessThan(before.cloth);
        await letGo();
        await run(100);
        const after = await heights();
        expect(after.drawn).toBe(before.drawn);
        expect(after.cloth).toBeGreaterThan(after.drawn - 1e-3);
        expect(after.cloth).toBeLessThan(after.drawn + 0.05);
    });

    test("lies below cloth that begins below zero, or hangs far down", async () => {
        const mesh = { kind: "grid", columns: 4, rows: 20, width: 0.3, height: 4 };
        const pins = [{ vertices: [0, 4] }];
        const place = { turn: { axis: [1, 0, 0], degrees: 90 }, move: [0, -7, 0] };
        await openScene({ weft: 1, name: "mine", cloths: [{ mesh, pins, place }] });
        const { cloth, drawn } = await heights();
        expect(drawn).toBeLessThan(cloth);
        expect(cloth).toBeLessThan(-6.9);
        expect(drawn).toBeLessThan(-10.9);
    });

    deep("can be switched off, and is not there where nothing touches anything", async () => {
        await begin("swing");
        await change("floor", false);
        await settled();
        expect(await visit.page.evaluate(() => window.weft!.live.description!.bodies)).toBe(0);
        const { drawn } = await heights();
        await letGo();
        await run(100);
        expect((await heights()).cloth).toBeLessThan(drawn - 0.5);
        // what fell through does not come up again: it begins anew
        await change("floor", true);
        await settled();
        expect(await visit.page.evaluate(() => window.weft!.live.player.time)).toBe(0);
        await change("contact", "none");
        await settled();
        const toggle = visit.page.getByLabel("Floor", { exact: true });
        await expect.poll(() => toggle.isDisabled()).toBe(true);
        expect(await toggle.isChecked()).toBe(false);
    });

    test("of a scene itself is the only one", async () => {
        await begin("plane");
        const bodies = () => visit.page.evaluate(() => window.weft!.live.description!.bodies);
        expect(await bodies()).toBe(1);
        expect(await visit.page.getByLabel("Floor", { exact: true }).count()).toBe(0);
    });
});

describe("steps that do not come back", () => {
    const patient = (seconds: number) =>
        visit.page.evaluate((step) => {
            window.weft!.live.player.patience.step = step;
        }, seconds);

    const played = () =>
        visit.page.evaluate(() => {
            const { live } = window.weft!;
            return { id: live.document!.id, edits: live.document!.edits, time: live.player.time };
        });

    // a worker that was ended in the middle of a step is gone a little later
    const onlyWorker = async () => {
        await expect.poll(() => visit.page.workers().length).toBe(1);
        return visit.page.workers()[0]!;
    };

    test("are ended, told of, and what worked goes on", async () => {
        await begin("demo");
        await change("stiffness", 1500);
        await settled();
        await run(5);
        await patient(1);
        await playAnyway("symplectic");
        await visit.page.evaluate(() => window.weft!["setPlaying"](true));
        await message(/^A step by Symplectic \(explicit\) on "demo" .*did not come back/).waitFor();
        await message(/what worked before: stiffness 1500/).waitFor();
        await patient(10);
        await settled();
        await visit.page.waitForFunction(() => window.weft!.live.player.time > 0.05);
        expect((await played()).edits).toEqual({ stiffness: 1500 });
        const method = visit.page.getByLabel("Method", { exact: true });
        expect(await method.inputValue()).toBe("scene");
        await onlyWorker();
    });

    deep("are not waited for where something else was asked for since", async () => {
        await begin("swing");
        await run(5);
        await (
            await onlyWorker()
        ).evaluate(() => {
            performance.now = () => {
                for (;;);
            };
        });
        await patient(1);
        await visit.page.evaluate(() => {
            const app = window.weft!;
            app.live.player.stepOnce();
            setTimeout(() => void app["openScene"]("rope"), 300);
        });
        await message(/did not come back/).waitFor();
        await patient(10);
        await visit.page.waitForFunction(() => window.weft!.live.description!.name === "rope");
    });

    test("of a worker that breaks down are told of as well", async () => {
        await begin("swing");
        await run(5);
        await change("density", 0.3);
        await settled();
        await (
            await onlyWorker()
        ).evaluate(() => {
            performance.now = () => {
                throw new WebAssembly.RuntimeError("memory access out of bounds");
            };
        });
        await visit.page.evaluate(() => window.weft!.live.player.stepOnce());
        await message(/broke down \(memory access out of bounds\)/).waitFor();
        await settled();
        expect((await played()).edits).toEqual({});
        await run(5);
        expect((await played()).time).toBeGreaterThan(0);
    });
});

describe("unstable methods", () => {
    test("say so, stop, and offer what worked", async () => {
        await begin("demo");
        await run(5);
        await playAnyway("kang_2");
        await settled();
        await run(60);
        await message(/^Kang and Cho 2002 is unstable on "demo" with steps of 16.7 ms/).waitFor();
        // what is seen is still a cloth
        const size = await visit.page.evaluate(() => {
            const { min, max } = window.weft!.live.views[0]!.box;
            return max.distanceTo(min);
        });
        expect(size).toBeLessThan(50);
        await visit.page.getByRole("button", { name: /^Go back to/ }).click();
        await settled();
        const edits = await visit.page.evaluate(() => window.weft!.live.document!.edits);
        expect(edits).toEqual({});
        expect(await visit.page.locator(".toast").count()).toBe(0);
        await run(20);
        expect(await visit.page.locator(".toast").count()).toBe(0);
    });

    deep("that boil without end are found, too", async () => {
        await begin("ribbon");
        await playAnyway("scalable");
        await settled();
        await run(90);
        await message(/^Kim 2006 is unstable/).waitFor();
    });

    deep("are not seen in soft cloth that is stretched as it should be", async () => {
        await begin("curtain");
        await visit.page.evaluate(() => window.weft!.live.edit({ detail: 0.5 }));
        await change("stiffness", 10);
        await change("density", 2);
        await settled();
        await run(90);
        expect(await visit.page.locator(".toast").count()).toBe(0);
        const stretch = await visit.page.evaluate(
            () => window.weft!.live.player["frames"][0]!.numbers.max_stretch!,
        );
        expect(stretch).toBeGreaterThan(1.5);
    });
});

describe("the camera", () => {
    /** Of the cloth and the bodies: how far out of the picture, 1 at its edge. */
    const farthest = () =>
        visit.page.evaluate(() => {
            const stage = window.weft!.stage as never as Record<string, any>;
            const { free } = stage.panes[0];
            stage.camera.updateMatrixWorld();
            const inverse = stage.camera.matrixWorldInverse;
            const up = Math.tan((stage.camera.fov * Math.PI) / 360);
            let most = 0;
            for (const place of stage.placesNow()) {
                const at = place.clone().applyMatrix4(inverse);
                const x = (at.x * free.height) / free.width / -at.z / up;
                most = Math.max(most, Math.abs(x), Math.abs(at.y / -at.z / up));
            }
            return most;
        });

    const sizes = [
        [1000, 600],
        [360, 640],
        [1400, 420],
    ].slice(long ? 0 : 1);
    test.each(sizes)("has all of it in a window of %d x %d", async (width, height) => {
        await visit.page.setViewportSize({ width: width!, height: height! });
        for (const scene of ["demo", "cape", "capsule", "funnel", "rope"]) {
            await begin(scene);
            expect(await farthest(), scene).toBeLessThan(1.02);
        }
        await visit.page.setViewportSize({ width: 1000, height: 600 });
    });

    deep("has it again at a key", async () => {
        await begin("cape");
        await visit.page.evaluate(() => {
            window.weft!.stage.turn(70, 20);
            window.weft!.stage.zoom(0.2);
        });
        expect(await farthest()).toBeGreaterThan(1.2);
        await visit.page.keyboard.press("f");
        // it goes there smoothly
        await expect.poll(farthest).toBeLessThan(1.02);
        await visit.page.evaluate(() => window.weft!.stage.zoom(0.2));
        await visit.page.getByRole("button", { name: "All of it in the picture" }).click();
        await expect.poll(farthest).toBeLessThan(1.02);
    });

    const walk = {
        weft: 1,
        name: "mine",
        motions: { walk: { offset: { keys: [[0, 0, 0, 0], [4, 8, 0, 0]] } } }, // prettier-ignore
        cloths: [
            {
                mesh: { kind: "grid", columns: 8, rows: 8, width: 0.5, height: 0.5 },
                pins: [{ vertices: [72, 76, 80], motion: "walk" }],
            },
        ],
    };
    const target = () => visit.page.evaluate(() => window.weft!.stage["controls"].target.x);

    test("follows what walks away, and comes back on a reset", async () => {
        await openScene(walk);
        const before = await target();
        await run(230);
        const { x } = await visit.page.evaluate(() => {
            const { min, max } = window.weft!.live.views[0]!.box;
            return { x: (min.x + max.x) / 2 };
        });
        expect(x).toBeGreaterThan(5);
        expect(await farthest()).toBeLessThan(1.2);
        await visit.page.keyboard.press("r");
        await settled();
        await expect.poll(target).toBeCloseTo(before, 1);
    });

    deep("stays where that is wanted", async () => {
        await openScene(walk);
        await change("follow", "never");
        const before = await target();
        await run(150);
        expect(await target()).toBeCloseTo(before, 9);
        await change("follow", "auto");
    });
});

describe("meshes of others", () => {
    const drop = (name: string, buffer: Buffer) =>
        visit.page.setInputFiles("input[type=file]", { name, mimeType: "", buffer });

    const answer = async (use: RegExp) => {
        await visit.page.locator("dialog.ask").waitFor();
        await visit.page.getByRole("button", { name: use }).click();
    };

    test("become bodies that cloth falls on, in their units", async () => {
        await begin("swing");
        await drop("statue.obj", Buffer.from(objOfBox(60, 172, 40)));
        await visit.page.locator("dialog.ask").waitFor();
        expect(await visit.page.locator("dialog.ask select").inputValue()).toBe("cm");
        await answer(/A body/);
        await visit.page.waitForFunction(() => window.weft!.live.description!.bodies === 2);
        await settled();
        const sizes = await visit.page.evaluate(() => {
            const [box] = window.weft!.live.views[0]!.bodies!.surroundings().boxes;
            const { min, max } = box!;
            return [max.x - min.x, max.y - min.y, max.z - min.z];
        });
        [0.6, 1.72, 0.4].forEach((size, k) => expect(sizes[k]).toBeCloseTo(size, 5));
        const { cloth, drawn } = await heights();
        expect(drawn).toBeLessThan(cloth - 1.7);
        await letGo();
        await run(120);
        expect((await heights()).cloth).toBeGreaterThan(drawn + 0.01);
        // the scene that is saved names the mesh, which is saved along
        const files: string[] = [];
        visit.page.on("download", (download) => files.push(download.suggestedFilename()));
        await change("save-scene", true);
        await expect.poll(() => [...files].sort()).toEqual(["statue.obj", "swing.json"]);
    });

    test("become cloth", async () => {
        await begin("plane");
        await drop("box.glb", Buffer.from(glbOfBox(0.5, 0.5, 0.5)));
        await answer(/The cloth/);
        await visit.page.waitForFunction(() => window.weft!.live.description!.name === "box.glb");
        await settled();
        await run(10);
        expect(await visit.page.evaluate(() => window.weft!.live.shape!.vertexCount)).toBe(8);
    });

    test("can be looked at as they are, or not be used at all", async () => {
        await begin("swing");
        await drop("box.obj", Buffer.from(objOfBox(1, 1, 1)));
        await answer(/Cancel/);
        expect(await visit.page.evaluate(() => window.weft!.replay)).toBe(null);
        await drop("box.obj", Buffer.from(objOfBox(1, 1, 1)));
        await answer(/Just look/);
        await visit.page.locator(".timeline").waitFor();
        await visit.page.getByRole("button", { name: /close result/i }).click();
    });

    test("that cannot be read are told of, and the scene stays", async () => {
        await begin("swing");
        await drop("broken.fbx", Buffer.from("no such thing"));
        await message(
            /^broken.fbx (could not be read|is not an? .* file, or is damaged)/,
        ).waitFor();
        await drop("empty.obj", Buffer.from("v 0 0 0\n"));
        await message("empty.obj holds no faces and no lines").waitFor();
        await drop("notes.txt", Buffer.from("hello"));
        await message(/^notes.txt is of a kind that the page does not know/).waitFor();
        expect(await visit.page.evaluate(() => window.weft!.live.document!.id)).toBe("swing");
    });

    test("that a scene names are taken when they come along", async () => {
        const scene = JSON.parse(readFileSync(join(root, "scenes/swing.json"), "utf8"));
        scene.name = "mine";
        const place = { move: [0, -3, 0] };
        scene.bodies = [{ kind: "mesh", file: "stone.obj", place }];
        const file = (name: string, text: string) => ({
            name,
            mimeType: "",
            buffer: Buffer.from(text),
        });
        const text = file("mine.json", JSON.stringify(scene));
        await begin("swing");
        await visit.page.setInputFiles("input[type=file]", text);
        await message(/^mine.json names stone.obj, which is not here: choose both/).waitFor();
        const stone = file("stone.obj", objOfBox(1, 1, 1));
        await visit.page.setInputFiles("input[type=file]", [text, stone]);
        await visit.page.waitForFunction(() => window.weft!.live.description!.name === "mine");
        expect(await visit.page.evaluate(() => window.weft!.live.description!.bodies)).toBe(2);
    });
});
