// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the page as a visitor meets it: through every point of it once, by what is seen and nothing else,
// with a mouse in a wide window and with a finger on a phone. What each point does in depth is guarded by other
// tests.

import { statSync } from "node:fs";
import type { Browser, CDPSession, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { galleryGroups } from "../src/scene/gallery";
import { tempoText } from "../src/sim/tempo";
import { findCloth, launch, Viewer, Visit } from "./browser";
import { objOfBox } from "./meshes";

type Place = { x: number; y: number };

/** However slow the machine is. */
const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 45_000 });

let browser: Browser;
let viewer: Viewer;
beforeAll(async () => {
    [browser, viewer] = await Promise.all([launch(), Viewer.start()]);
});
afterAll(async () => {
    await browser.close();
    viewer.stop();
});

/** Somebody at the page, with a mouse or with a finger. */
class Visitor {
    private pressed = false;

    constructor(
        readonly visit: Visit,
        private readonly devtools: CDPSession,
        readonly finger: boolean,
    ) {}

    get page(): Page {
        return this.visit.page;
    }

    button(name: string | RegExp): Locator {
        return this.page.getByRole("button", { name, exact: true });
    }

    press(what: Locator): Promise<void> {
        return this.finger ? what.tap() : what.click();
    }

    private touch(type: "touchStart" | "touchMove" | "touchEnd", at?: Place): Promise<unknown> {
        return this.devtools.send("Input.dispatchTouchEvent", {
            type,
            touchPoints: at ? [at] : [],
        });
    }

    async down(at: Place): Promise<void> {
        this.pressed = true;
        if (this.finger) return void (await this.touch("touchStart", at));
        await this.page.mouse.move(at.x, at.y);
        await this.page.mouse.down();
    }

    async move(to: Place): Promise<void> {
        if (this.finger) await this.touch("touchMove", to);
        else await this.page.mouse.move(to.x, to.y);
    }

    async up(): Promise<void> {
        if (!this.pressed) return;
        this.pressed = false;
        if (this.finger) await this.touch("touchEnd");
        else await this.page.mouse.up();
    }

    async stroke(from: Place, to: Place): Promise<void> {
        await this.down(from);
        for (let i = 1; i <= 8; i++)
            await this.move({
                x: from.x + ((to.x - from.x) * i) / 8,
                y: from.y + ((to.y - from.y) * i) / 8,
            });
        await this.up();
    }

    /** As fast as hands are, however slow the page is. */
    async pressTwice(at: Place): Promise<void> {
        const mouse = (type: "mousePressed" | "mouseReleased", clickCount: number) =>
            this.devtools.send("Input.dispatchMouseEvent", {
                type,
                ...at,
                button: "left",
                buttons: type === "mousePressed" ? 1 : 0,
                clickCount,
            });
        const once = (count: number) =>
            this.finger
                ? [this.touch("touchStart", at), this.touch("touchEnd")]
                : [mouse("mousePressed", count), mouse("mouseReleased", count)];
        await Promise.all([...once(1), ...once(2)]);
    }

    /** Of settings, charts or the text, of which a phone has one at a time. */
    toggle(name: string | RegExp): Locator {
        return this.page
            .getByRole("group", { name: "Cloth", exact: true })
            .getByRole("button", { name, exact: true });
    }

    async drawer(name: string, open: boolean): Promise<void> {
        const toggle = this.toggle(name);
        const now = (await toggle.getAttribute("aria-expanded")) === "true";
        if (now !== open) await this.press(toggle);
    }

    get settings(): Locator {
        return this.page.getByRole("region", { name: "Settings" });
    }

    async section(title: string): Promise<void> {
        const summary = this.settings.locator("summary").getByText(title, { exact: true });
        const open = await summary.evaluate(
            (one) => (one.parentElement as HTMLDetailsElement).open,
        );
        if (!open) await this.press(summary);
    }

    async tool(name: string): Promise<void> {
        const radio = this.page.getByRole("radio", { name, exact: true });
        await this.press(this.page.locator("label").filter({ has: radio }));
        await soon(() => radio.isChecked()).toBe(true);
    }
}

const sizes = [
    { name: "with a mouse in a wide window", finger: false, width: 1280, height: 800 },
    { name: "with a finger on a phone", finger: true, width: 390, height: 844 },
];

/** Two small sheets, one held at two corners, over a ball. */
const mine = JSON.stringify(
    {
        weft: 1,
        name: "mine",
        contact: "all",
        bodies: [{ kind: "sphere", radius: 0.15, place: { move: [0, -0.3, 0] } }],
        cloths: [
            {
                mesh: { kind: "grid", width: 0.8, height: 0.8, columns: 16, rows: 16 },
                place: { move: [-0.4, 0.3, 0.4] },
                pins: [{ corner: "top left" }, { corner: "top right" }],
            },
            {
                mesh: { kind: "grid", width: 0.4, height: 0.4, columns: 8, rows: 8 },
                place: { move: [-0.2, 0, 0.2] },
            },
        ],
    },
    null,
    4,
);

describe.each(sizes)("a visitor $name", { timeout: 300_000 }, ({ finger, width, height }) => {
    let visitor: Visitor;
    let page: Page;

    beforeAll(async () => {
        const visit = await Visit.open(browser, viewer.address, {
            viewport: { width, height },
            ...(finger && { hasTouch: true, isMobile: true }),
            closed: true,
        });
        await visit.ready();
        page = visit.page;
        visitor = new Visitor(visit, await page.context().newCDPSession(page), finger);
    });
    afterAll(() => visitor?.visit.close());
    afterEach(async () => {
        await visitor.up();
        expect(visitor.visit.faults.splice(0)).toEqual([]);
    });

    const camera = () =>
        page.evaluate(() => {
            const { camera, controls, ground } = window.weft!.stage as never as Record<string, any>;
            const away = camera.position.clone().sub(controls.target);
            const [distance, angle] = [away.length() as number, Math.atan2(away.x, away.z)];
            return { distance, angle, height: camera.position.y - ground.height };
        });

    /** Once the camera has come to rest. */
    async function stillDistance(): Promise<number> {
        let last = NaN;
        const rests = async () => {
            const before = last;
            last = (await camera()).distance;
            return last === before;
        };
        await expect.poll(rests, { timeout: 45_000, interval: 700 }).toBe(true);
        return last;
    }

    const played = () =>
        page.evaluate(async () => {
            const { live } = window.weft!;
            const { bodies, cloths } = live.description!;
            const hands = (await live.player.hands())!;
            return { id: live.document!.id, bodies, cloths: cloths.length, hands };
        });

    const sceneName = () =>
        page.getByLabel("Scene", { exact: true }).locator("option:checked").textContent();

    const holds = () => page.evaluate(() => window.weft!["hands"].holds);

    /** Takes hold of cloth, which may be gone from where it was seen. */
    async function takeCloth(): Promise<Place> {
        for (let tries = 0; tries < 10; tries++) {
            const place = await findCloth(page);
            await visitor.down(place);
            if (await holds()) return place;
            await visitor.up();
        }
        throw new Error("no cloth is where it was seen");
    }

    /** What shines on the cloth that is drawn. */
    const gloss = () =>
        page.evaluate(() => {
            let found: unknown = null;
            window.weft!.live.views[0]!.object.traverse((part) => {
                const { roughness, sheenColor } = (part as any).material ?? {};
                found ??= roughness === undefined ? null : [roughness, sheenColor?.getHex()];
            });
            return JSON.stringify(found);
        });

    /** Where a vertex is from the middle of its cloth, metres; without one, that which is held. */
    const fromMiddle = (vertex?: number) =>
        page.evaluate((vertex) => {
            const { live, hands } = window.weft! as never as Record<string, any>;
            const positions = live.views[0].positions as Float32Array;
            const held = vertex ?? (hands.grip.hit.vertex as number);
            const middle = [0, 0, 0];
            positions.forEach((x, i) => (middle[i % 3]! += (3 * x) / positions.length));
            return { held, place: middle.map((x, k) => positions[3 * held + k]! - x) };
        }, vertex);

    test("sees somebody walk in a dress, from around, and pulls at it", async () => {
        const words = page.getByText("Pull the cloth");
        await words.waitFor();
        expect(await sceneName()).toBe("Dress");
        expect(await page.evaluate(() => window.weft!.live.views[0]!.bodies !== null)).toBe(true);
        for (const name of ["Settings", /^Charts/, "Text of the scene"])
            expect(await visitor.toggle(name).getAttribute("aria-expanded")).toBe("false");
        const { angle } = await camera();
        await soon(async () => Math.abs((await camera()).angle - angle)).toBeGreaterThan(0.02);
        const place = await takeCloth();
        const { held, place: before } = await fromMiddle();
        for (let i = 1; i <= 6; i++) await visitor.move({ x: place.x + 15 * i, y: place.y });
        const pulled = async () => {
            const { place: now } = await fromMiddle(held);
            return Math.hypot(...now.map((x, k) => x - before[k]!));
        };
        await soon(pulled).toBeGreaterThan(0.08);
        await visitor.up();
        await soon(() => words.count()).toBe(0);
        const still = (await camera()).angle;
        await page.evaluate(() => window.weft!.live.player.runAhead(3));
        expect((await camera()).angle).toBeCloseTo(still, 3);
    });

    test("is told how fast time passes, and keeps cloth from itself", async () => {
        const tempo = page.getByTitle(/^How fast time passes/);
        const factor = () => page.evaluate(() => window.weft!["tempo"].factor);
        await soon(factor).not.toBe(null);
        await soon(async () => [await tempo.textContent(), tempoText(await factor(), 1)]).toSatisfy(
            ([said, factor]) => said === (factor && `${factor}\nreal time`),
        );
        await visitor.drawer("Settings", true);
        expect(await visitor.settings.getByLabel("Contact").inputValue()).toBe("all");
    });

    test("chooses a material for all of it, and for a panel, by its numbers", async () => {
        const { settings } = visitor;
        const fabric = (name: string) => settings.getByRole("button", { name: `Fabric ${name}` });
        const choose = async (name: RegExp) => {
            await visitor.press(settings.getByRole("button", { name: /^Fabric / }));
            await visitor.press(settings.getByRole("option", { name }));
        };
        const before = await gloss();
        await choose(/^Denim/);
        await fabric("Denim").waitFor();
        await soon(gloss).not.toBe(before);
        await visitor.press(settings.getByText("Measured numbers"));
        const facts = settings.getByRole("term").getByText("Drape coefficient");
        await facts.waitFor();
        const change = settings.getByLabel("Change", { exact: true });
        await change.selectOption({ label: "dress: Front skirt" });
        await choose(/^Canvas/);
        await fabric("Canvas").waitFor();
        await change.selectOption({ label: "All of it" });
        await fabric("Denim").waitFor();
        await soon(() => page.url()).toContain("fabric=denim");
        await visitor.drawer("Settings", false);
    });

    test("enters another scene by the gallery", async () => {
        await visitor.press(visitor.button("Gallery"));
        const groups = page.getByRole("navigation", { name: "Groups" }).getByRole("button");
        await soon(() => groups.allTextContents()).toEqual([...galleryGroups]);
        await visitor.press(groups.getByText("Fabrics"));
        await visitor.press(page.getByRole("button", { name: /^Two corners/ }));
        await soon(sceneName).toBe("crossed");
        await soon(() => page.url()).toContain("scene=crossed");
    });

    test("looks closely, at all of it, and from below in vain", async () => {
        await visitor.press(visitor.button("Pause"));
        await visitor.press(visitor.button("All of it in the picture"));
        const distance = await stillDistance();
        await visitor.pressTwice(await findCloth(page));
        await soon(async () => (await camera()).distance).toBeLessThan(0.7 * distance);
        await visitor.press(visitor.button("All of it in the picture"));
        await soon(async () => (await camera()).distance).toBeGreaterThan(0.9 * distance);
        await visitor.tool("Only turn the view");
        const before = (await camera()).height;
        for (let i = 0; i < 3; i++)
            await visitor.stroke(
                { x: 0.9 * width, y: 0.7 * height },
                { x: 0.9 * width, y: 0.2 * height },
            );
        await soon(async () => (await camera()).height).toBeLessThan(before - 0.3);
        expect((await camera()).height).toBeGreaterThan(0);
        await visitor.tool("Grab the cloth");
        await visitor.press(visitor.button("Play"));
    });

    /** With a mouse by dropping them on the page. */
    async function bring(name: string, text: string): Promise<void> {
        if (finger) {
            const chooser = page.waitForEvent("filechooser");
            await visitor.press(visitor.button("Open files"));
            const file = { name, mimeType: "", buffer: Buffer.from(text) };
            return (await chooser).setFiles(file);
        }
        const dataTransfer = await page.evaluateHandle(
            ([name, text]) => {
                const carried = new DataTransfer();
                carried.items.add(new File([text!], name!));
                return carried;
            },
            [name, text],
        );
        await page.dispatchEvent("#view", "drop", { dataTransfer });
    }

    test("brings a scene, of which each cloth has its fabric", async () => {
        await bring("mine.json", mine);
        await soon(sceneName).toContain("mine");
        await visitor.drawer("Settings", true);
        const { settings } = visitor;
        await settings.getByLabel("Change", { exact: true }).selectOption({ label: "Cloth 2" });
        await visitor.press(settings.getByRole("button", { name: /^Fabric / }));
        await visitor.press(settings.getByRole("option", { name: /^Denim/ }));
        await settings.getByRole("button", { name: "Fabric Denim" }).waitFor();
    });

    test("compares it with XPBD, head to head", async () => {
        await visitor.section("Compare");
        await visitor.press(
            visitor.settings.getByRole("button", { name: "Head to head with XPBD" }),
        );
        await visitor.drawer("Settings", false);
        const bar = page.getByRole("region", { name: "Head to head with XPBD" });
        await soon(() => bar.innerText()).toMatch(/stretch/);
        const told = page.getByText(/ ms, \d+ substeps?, stretch [\d.]+ %/);
        await soon(() => told.count()).toBe(2);
        await visitor.press(bar.getByRole("button", { name: "End" }));
        await soon(() => bar.isVisible()).toBe(false);
    });

    test("brings a mesh, writes what is wrong, and adds a body", async () => {
        const { bodies } = await played();
        await bring("box.obj", objOfBox(0.2, 0.2, 0.2));
        const question = page.getByRole("dialog", { name: "What is box.obj?" });
        await visitor.press(question.getByRole("button", { name: /^A body Cloth/ }));
        await soon(async () => (await played()).bodies).toBe(bodies + 1);
        await visitor.drawer("Text of the scene", true);
        const drawer = page.getByRole("region", { name: "Text of the scene" });
        const editor = drawer.getByRole("textbox", { name: "Text of the scene, JSON" });
        const status = drawer.getByRole("status");
        await editor.focus();
        await page.keyboard.press("Control+Home");
        await page.keyboard.type("x");
        await soon(() => status.textContent()).toMatch(/^Line 1: .*goes on as it was/);
        await drawer.locator(".cm-lint-marker-error").waitFor();
        await page.keyboard.press("Backspace");
        await soon(() => status.textContent()).toMatch(/^This is what is played/);
        await visitor.press(drawer.getByRole("button", { name: "Add…" }));
        const form = page.getByRole("dialog", { name: "Add to the scene" });
        await form.getByRole("radio", { name: "Capsule" }).check({ force: true });
        await visitor.press(form.getByRole("button", { name: "Add", exact: true }));
        await soon(async () => (await played()).bodies).toBe(bodies + 2);
        await visitor.drawer("Text of the scene", false);
    });

    const findBody = () =>
        page.evaluate(() => {
            for (let y = 10; y < innerHeight; y += 10)
                for (let x = 10; x < innerWidth; x += 10) {
                    if (document.elementFromPoint(x, y)?.id !== "view") continue;
                    const near = [0, 8].map((by) => window.weft!.stage.pickAny(x + by, y + by, 0));
                    if (near.every((hit) => (hit?.body ?? -1) >= 0)) return { x: x + 4, y: y + 4 };
                }
            throw new Error("no body on the screen");
        });
    test("grabs, pins, cuts, blows, and moves a body", async () => {
        await visitor.press(visitor.button("Reset"));
        await takeCloth();
        await visitor.up();
        await visitor.tool("Pin and unpin");
        const { pins } = (await played()).hands;
        const place = await findCloth(page);
        await visitor.stroke(place, place);
        await soon(async () => (await played()).hands.pins.length).toBe(pins.length + 1);
        await visitor.tool("Cut the cloth");
        const { x, y } = await findCloth(page);
        await visitor.stroke({ x: x - 60, y }, { x: x + 60, y });
        await soon(async () => (await played()).hands.cuts.length).toBeGreaterThan(0);
        await visitor.tool("Blow on it");
        await takeCloth();
        await visitor.up();
        await visitor.tool("Move and turn bodies");
        const body = await findBody();
        await visitor.stroke(body, { x: body.x + 40, y: body.y });
        await soon(async () => (await played()).hands.bodies.length).toBe(1);
    });

    test("undoes, goes back in time, and finds all of it again", async () => {
        const moved = () =>
            page.evaluate(() => window.weft!.live.document!.edits.hands!.bodies.length);
        await visitor.drawer("Settings", true);
        await visitor.press(
            visitor.settings.getByRole("button", { name: /^Undo: move of a body/ }),
        );
        await soon(moved).toBe(0);
        await visitor.press(
            visitor.settings.getByRole("button", { name: /^Redo: move of a body/ }),
        );
        await soon(moved).toBe(1);
        await visitor.drawer("Settings", false);

        const step = () => page.evaluate(() => window.weft!.live.player.past!.now);
        await soon(step).toBeGreaterThan(4);
        await visitor.press(visitor.button("Pause"));
        await page.evaluate(() => window.weft!.live.player.runAhead(0)); // what was on its way
        const now = await step();
        await visitor.press(visitor.button("One step back"));
        await soon(step).toBe(now - 1);
        await page.getByRole("slider", { name: "Rewind" }).fill("1");
        await soon(step).toBe(1);
        await visitor.press(visitor.button("One step forward"));
        await soon(step).toBe(2);

        const chosen = () =>
            page.evaluate(() =>
                JSON.parse(JSON.stringify(window.weft!.live.chosen?.edits ?? null)),
            );
        const before = await chosen();
        expect(Object.keys(before).sort()).toEqual(["hands", "text"]);
        // the address has the latest of it
        const written = () =>
            page.evaluate(() => {
                const { keeper, live } = window.weft!;
                const { key, link, ready } = keeper["own"];
                const latest = ready && key[3] === live.document!.edits.hands;
                return latest && location.hash === `#own=${link?.packed}`;
            });
        await soon(written).toBe(true);
        await page.reload();
        await visitor.visit.ready();
        expect(await chosen()).toEqual(before);
    });

    test("records a video and a moving mesh", async () => {
        const seconds = {
            Video: () => page.evaluate(() => window.weft!["recording"]["seconds"]),
            "Animated mesh": () =>
                page.evaluate(() => window.weft!.live.player.recording?.seconds ?? 0),
        };
        for (const [kind, name] of [
            ["Video", "mine.webm"],
            ["Animated mesh", "mine.glb"],
        ] as const) {
            await visitor.press(visitor.button("Record"));
            await visitor.press(page.getByRole("menuitem", { name: kind }));
            await soon(() => page.getByRole("timer").textContent()).toMatch(/0:00, /);
            await soon(seconds[kind]).toBeGreaterThan(0.1);
            const saved = page.waitForEvent("download");
            await visitor.press(visitor.button("End the recording"));
            expect((await saved).suggestedFilename()).toBe(name);
            expect(statSync(await (await saved).path()).size).toBeGreaterThan(1000);
        }
    });
});
