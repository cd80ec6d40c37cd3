// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garments on the page: the first scene is a mannequin that is dressed already and walks;
// patterns that are dropped are put on; what is wrong with them is told; it can be stopped.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sections, wholeWords, type View } from "../src/app/settings";
import { splitSeams } from "../src/draw/fabric/seams";
import { SceneDocument } from "../src/scene/document";
import { garments, isPattern, mayClose, outfitDocument } from "../src/scene/garments";
import { Core, Play, type Description } from "../src/sim/core";
import { launch, root, Viewer, Visit } from "./browser";
import { deep } from "./deep";

const outfit = { patterns: ["dress.json"], body: "female", clip: "walk" };

/** Two rectangles around the hips, held at the waist: put on within seconds. */
const skirt = {
    weft_pattern: 1,
    name: "band",
    fabric: "denim",
    measures: { hips: 1, waist_height: 1.05, half: "hips / 2 + 0.06" },
    panels: ["front", "back"].map((name) => ({
        name,
        sides: [
            ["half / 2", 0],
            ["half / 2", 0.2],
            { to: ["-half / 2", 0.2], label: "waist" },
            ["-half / 2", 0],
        ],
        place: {
            move: [0, "waist_height - 0.2", name === "front" ? 0.2 : -0.2],
            turn: { axis: [0, 1, 0], degrees: name === "front" ? 0 : 180 },
        },
    })),
    seams: [
        { a: "front.1", b: "back.3" },
        { a: "front.3", b: "back.1" },
    ],
    holds: [{ label: "waist", kind: "always" }],
};

describe("documents of garments", () => {
    let core: Core;
    beforeAll(async () => {
        core = await Core.load(readFileSync(join(root, "build/web/bin/weft.wasm")));
    });

    test("the start that was made with the page fits, and nothing is put on again", async () => {
        let told = 0;
        core.onProgress = () => told++;
        const document = await outfitDocument(outfit);
        expect(document.isUndressed).toBe(true); // Node.js has no page to load it from
        const start = join(root, "build/web/dressed/dress.start.json");
        document.keepStart(readFileSync(start, "utf8"));
        expect(document.isUndressed).toBe(false);
        for (const { name, bytes } of document.files) core.give(name, bytes);
        const { text, name } = document.compose(null);
        const play = Play.open(core, text, name);
        expect(told).toBe(0);
        expect(play.describe().contact).toBe("all");
        const shape = play.shape();
        expect(shape.cornerUv!.length).toBe(2 * shape.triangles.length);
        play.step();
        play.close();
        // another detail is another mesh
        document.edits = { detail: 0.5 };
        expect(document.isUndressed).toBe(true);
        expect(JSON.parse(document.compose(null).text).start).toBeUndefined();
        const { cloths, bodies } = JSON.parse(document.opening.text);
        expect(cloths[0].mesh.edge).toBeCloseTo(0.06);
        expect(bodies[0].edge).toBeCloseTo(0.038); // coarse cloth, coarse body
    });

    test("a pattern of one's own goes by its own name, or by that of its file", async () => {
        const named = async (text: string) => {
            const own = [{ name: "band.json", bytes: new TextEncoder().encode(text) }];
            return (await outfitDocument({ ...outfit, patterns: ["band.json"] }, own)).id;
        };
        expect(await named(JSON.stringify({ ...skirt, name: " My band " }))).toBe("My band");
        for (const text of [JSON.stringify({ ...skirt, name: undefined }), "{"])
            expect(await named(text)).toBe("band");
    });

    test("sliders change the fabric of the pattern, not the default one", async () => {
        const document = await outfitDocument(outfit);
        document.edits = { friction: 0.7 };
        document.description = {
            cloths: [{ fabric: { stretch: [1, 1], bend: 1, density: 1 }, triangles: 1 }],
        } as never;
        const { fabric } = JSON.parse(document.compose(null).text).cloths[0];
        expect(fabric).toEqual({ base: "polyester_satin", friction: 0.7 });
        document.edits = { fabric: "denim" };
        expect(JSON.parse(document.compose(null).text).cloths[0].fabric).toBe("denim");
    });

    test("by halves have a mirror, and a closure once it is chosen", async () => {
        const whole = await outfitDocument(outfit);
        expect(JSON.parse(whole.original).mirror).toBeUndefined();
        const document = await outfitDocument({ ...outfit, halves: true });
        expect(whole.hasMirror).toBe(false);
        expect(document.hasMirror).toBe(true);
        expect(document.isUndressed).toBe(true); // the start of the page is of another mesh
        const mirrorOf = (of: SceneDocument) => JSON.parse(of.compose(null).text).mirror;
        expect(mirrorOf(document)).toBe("exact");
        whole.edits = document.edits = { closure: "zip" };
        expect(mirrorOf(document)).toEqual({ kind: "exact", closure: "zip" });
        expect(mirrorOf(whole)).toBeUndefined();
    });

    test("say why they are not simulated by halves", () => {
        const words = "no mirror, all of the cloth is simulated: somebody walks";
        const now = { mirror: "none", findings: ["another thing", words] } as Description;
        expect(wholeWords(now)).toBe("All of the cloth is simulated: somebody walks");
        expect(wholeWords({ ...now, mirror: "exact" })).toBe(null);
        expect(wholeWords({ ...now, findings: [] })).toBe(null);
    });

    test("offer closures where something is open, and halves", async () => {
        const worn = (...patterns: string[]) => ({ ...outfit, patterns });
        expect(mayClose(worn("trousers.json"))).toBe(false);
        expect(mayClose(worn("trousers.json", "jacket.json"))).toBe(true);
        expect(mayClose(worn("of_my_own.json"))).toBe(true);
        const square = '{"weft": 1, "cloths": [{"mesh": {"kind": "grid"}}]}';
        const play = Play.open(core, square, "square.json");
        const now = play.describe();
        play.close();
        const shown = async (halves: boolean) => {
            const document = await outfitDocument({ ...worn("jacket.json"), halves });
            const [section] = sections(now, core.choices(), document, { panes: 1 } as View);
            return section!.items.map(({ id }) => id);
        };
        expect(await shown(false)).toEqual(["garment", "body", "clip", "halves"]);
        expect(await shown(true)).toEqual(["garment", "body", "clip", "halves", "closure"]);
    });

    test("patterns are told from scenes", () => {
        expect(garments.length).toBe(7);
        for (const { text } of garments) expect(isPattern(text)).toBe(true);
        expect(isPattern('{"pattern": {"panels": {}}, "properties": {}}')).toBe(true);
        expect(isPattern('{"weft": 1, "cloths": []}')).toBe(false);
        expect(isPattern("[")).toBe(false);
        expect(isPattern("null")).toBe(false);
    });

    test("what a scene names is known, its start too", () => {
        const text = JSON.stringify({
            weft: 1,
            start: "a.start.json",
            cloths: [{ mesh: { kind: "pattern", file: "dress.json" } }],
        });
        const document = new SceneDocument("a", "a.json", text);
        expect(document.isUndressed).toBe(false);
        document.edits = { detail: 2 };
        expect(document.isUndressed).toBe(true);
    });

    test("vertices of seams are drawn once for each panel, the warp along u", () => {
        const shape = {
            vertexCount: 4,
            triangles: Uint32Array.of(0, 1, 2, 2, 1, 3),
            lines: new Uint32Array(),
            uv: new Float32Array(8),
            // the second triangle lies elsewhere on the table
            cornerUv: Float32Array.of(0, 0, 1, 0, 0, 1, 5, 1, 6, 0, 6, 1),
        };
        const { triangles, uv, copied } = splitSeams(shape);
        expect([...copied]).toEqual([2, 1]);
        expect([...triangles]).toEqual([0, 1, 2, 4, 5, 3]);
        expect([...uv.slice(2, 4)].map((x) => x + 0)).toEqual([0, -1]);
        expect([...uv.slice(8, 12)].map((x) => x + 0)).toEqual([1, -5, 0, -6]);
    });
});

/** A mannequin as a file. */
function bodyObj(core: Core): string {
    const scene = {
        weft: 1,
        bodies: [{ kind: "mannequin", edge: 0.03 }],
        cloths: [{ mesh: { kind: "grid", columns: 1, rows: 1 } }],
    };
    const play = Play.open(core, JSON.stringify(scene), "body.json");
    play.draw(null);
    const positions = play.bodies().slice();
    const { triangles } = play.bodyShape();
    play.close();
    const lines: string[] = [];
    for (let i = 0; i < positions.length; i += 3)
        lines.push(`v ${positions.slice(i, i + 3).join(" ")}`);
    for (let i = 0; i < triangles.length; i += 3)
        lines.push(`f ${[...triangles.slice(i, i + 3)].map((vertex) => vertex + 1).join(" ")}`);
    return lines.join("\n");
}

describe("the page", () => {
    let browser: Browser;
    let viewer: Viewer;
    let visit: Visit;
    let folder: string;

    beforeAll(async () => {
        [browser, viewer] = await Promise.all([launch(), Viewer.start()]);
        folder = mkdtempSync(join(tmpdir(), "weft-garment-"));
        // wide enough for the settings
        const viewport = { width: 1000, height: 700 };
        visit = await Visit.open(browser, viewer.address, { viewport });
        await visit.ready();
    });

    afterAll(async () => {
        await visit.close();
        await browser.close();
        viewer.stop();
        rmSync(folder, { recursive: true });
    });

    afterEach(() => expect(visit.faults).toEqual([]));

    const shown = () =>
        visit.page.evaluate(() => {
            const { live } = window.weft!;
            return {
                id: live.document!.id,
                outfit: live.document!.outfit,
                contact: live.description!.contact,
                bodies: live.description!.bodies,
                time: live.player.time,
            };
        });

    async function drop(name: string, json: unknown): Promise<void> {
        const file = join(folder, name);
        writeFileSync(file, typeof json === "string" ? json : JSON.stringify(json));
        await visit.page.setInputFiles("input[type=file]", file);
    }

    test("shows a dressed mannequin first, which walks, with contact between all of it", async () => {
        expect(await shown()).toMatchObject({ outfit, contact: "all", bodies: 2 });
        expect(await visit.page.locator(".progress-card:visible").isVisible()).toBe(false);
        await visit.page.evaluate(() => (window.weft!.live.player.playing = false));
        const moved = await visit.page.evaluate(async () => {
            const { live } = window.weft!;
            const before = live.views[0]!.bodies!.surroundings().boxes[0]!.clone();
            await live.player.runAhead(20);
            const body = live.views[0]!.bodies!.surroundings().boxes[0]!;
            const cloth = live.views[0]!.box;
            return {
                walked: body.max.z - before.max.z,
                worn: cloth.max.y < body.max.y && cloth.min.y > body.min.y,
                wide: cloth.max.x - cloth.min.x,
            };
        });
        expect(moved.walked).toBeGreaterThan(0.2);
        expect(moved.worn).toBe(true);
        expect(moved.wide).toBeGreaterThan(0.25);
    });

    test("changes the fabric and goes on", async () => {
        const before = await shown();
        await visit.page.getByRole("button", { name: /^Fabric / }).click();
        await visit.page.getByRole("option", { name: /^Denim/ }).click();
        await visit.page.waitForFunction(
            () => window.weft!.live.description!.cloths[0]!.fabric.density === 0.339,
        );
        expect((await shown()).time).toBeGreaterThanOrEqual(before.time);
    });

    test("says what is wrong with a pattern, and goes on with what it had", async () => {
        const wrong = structuredClone(skirt);
        wrong.seams[0]!.b = "back.7";
        await drop("wrong.json", wrong);
        await visit.page.getByText(/wrong\.json:1:\d+: .*back/).waitFor();
        await drop("cut.json", JSON.stringify(skirt).slice(0, 200));
        await visit.page.getByText(/cut\.json:1:/).waitFor();
        expect((await shown()).id).toBe("garment:dress");
        expect(await visit.page.locator(".progress-card:visible").isVisible()).toBe(false);
    });

    test("stops dressing when told", async () => {
        await visit.page.getByLabel("Garment", { exact: true }).selectOption("jacket.json");
        const card = visit.page.locator(".progress-card:visible");
        await card.waitFor();
        await visit.page.getByRole("button", { name: "Cancel" }).click();
        await card.waitFor({ state: "hidden" });
        expect((await shown()).id).toBe("garment:dress");
        const chosen = visit.page.getByLabel("Garment", { exact: true });
        expect(await chosen.inputValue()).toBe("dress.json");
    });

    test("has who is dressed on the stage, where nothing was shown before", async () => {
        const link = "?scene=garment:jacket,tshirt&body=male";
        const other = await Visit.open(browser, viewer.address + link);
        const { page } = other;
        await page.waitForFunction(() => window.weft?.live.views.length === 1);
        const bare = await page.evaluate(() => {
            const { live, stage } = window.weft!;
            const { shape, bodies } = live.views[0]!;
            const [body] = bodies!.surroundings().boxes;
            const faces = [0.2, 0.5, 0.8].map(
                (part) => stage.pickAny(innerWidth / 2, part * innerHeight, 0)?.vertex,
            );
            return {
                dressing: live.isDressing,
                cloth: shape.triangles.length,
                height: body!.max.y - body!.min.y,
                faces: faces.filter((vertex) => vertex === -1).length,
            };
        });
        expect(bare).toMatchObject({ dressing: true, cloth: 0 });
        expect(bare.height).toBeGreaterThan(1.6);
        expect(bare.faces).toBeGreaterThan(0);
        // hands find nothing, and what is stopped leaves no empty stage
        await page.mouse.move(320, 200);
        await page.mouse.down();
        await page.mouse.move(350, 200);
        await page.mouse.up();
        await page.getByRole("button", { name: "Cancel" }).click();
        await page.waitForFunction(() => window.weft!.live.description?.name === "Dress");
        expect(other.faults).toEqual([]);
        await other.close();
    });

    test("dresses a pattern that is dropped, and lets it walk", async () => {
        await drop("band.json", skirt);
        await visit.page.locator(".progress-card:visible").waitFor();
        await visit.page.waitForFunction(
            () => window.weft!.live.description?.name === "band" && !window.weft!.live.isDressing,
        );
        expect(await shown()).toMatchObject({ outfit: { patterns: ["band.json"] }, bodies: 2 });
        expect(await visit.page.locator(".progress-card:visible").isVisible()).toBe(false);
        const height = await visit.page.evaluate(async () => {
            const { live } = window.weft!;
            await live.player.runAhead(10);
            return live.views[0]!.box.max.y;
        });
        expect(height).toBeGreaterThan(0.9); // held at the waist
    });

    const mirror = () =>
        visit.page.evaluate(() => {
            const { description, views } = window.weft!.live;
            const { min, max } = views[0]!.box;
            return { kind: description!.mirror, closure: description!.closure, off: min.x + max.x };
        });

    deep("simulates one half of who stands, and says why not of who walks", async () => {
        const toggle = visit.page.getByLabel("By halves", { exact: true });
        const reason = visit.page.getByText(/^All of the cloth is simulated: bodies are off/);
        expect(await toggle.isChecked()).toBe(false);
        await toggle.click();
        await reason.waitFor();
        expect(await mirror()).toMatchObject({ kind: "none" });
        expect((await shown()).outfit).toMatchObject({ patterns: ["band.json"], halves: true });
        await visit.page.getByLabel("Motion", { exact: true }).selectOption("a_pose");
        await reason.waitFor({ state: "hidden" });
        await visit.page.evaluate(() => window.weft!.live.player.runAhead(10));
        expect(await mirror()).toEqual({ kind: "exact", closure: "open", off: 0 });
        // nothing is put on for it, and the motion goes on
        const { time } = await shown();
        await visit.page.getByLabel("Closure", { exact: true }).selectOption("zip");
        await expect.poll(mirror).toMatchObject({ kind: "exact", closure: "zip" });
        expect((await shown()).time).toBeGreaterThanOrEqual(time);
        expect(await visit.page.locator(".progress-card:visible").isVisible()).toBe(false);
    });

    test("dresses a body that is dropped in what is worn", async () => {
        const core = await Core.load(readFileSync(join(root, "build/web/bin/weft.wasm")));
        await drop("somebody.obj", bodyObj(core));
        await visit.page.getByRole("button", { name: /A body to dress/ }).click();
        await visit.page.waitForFunction(
            () => window.weft!.live.document?.outfit?.mesh && !window.weft!.live.isDressing,
        );
        await expect
            .poll(() => visit.page.getByLabel("Body", { exact: true }).inputValue())
            .toBe("somebody.obj");
        expect((await shown()).id).toBe("band");
    });
});
