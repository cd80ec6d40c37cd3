// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what keeps the user's work: links that say all of it, packs that bring back what is the
// user's own, a history that goes back and forth.

import { describe, expect, test } from "vitest";
import { readEdits, writeEdits } from "../src/app/keep/edit-words";
import { History } from "../src/app/keep/history";
import { readLink, writeLink, type Link } from "../src/app/keep/link";
import { difference, linkOf, sceneWord, type Moment } from "../src/app/keep/moment";
import { packOf, readPack, writePack } from "../src/app/keep/pack";
import { SceneDocument, type Edits, type MeshBody } from "../src/scene/document";
import { outfitDocument } from "../src/scene/garments";
import { scenes } from "../src/scene/scenes";
import type { FabricEdits } from "../src/scene/targets";
import { Past } from "../src/sim/past";
import type { Touch } from "../src/sim/protocol";

function documentOf(id: string): SceneDocument {
    return new SceneDocument(id, `${id}.json`, scenes.find((scene) => scene.id === id)!.text);
}

function again(link: Link): Link {
    const { query, hash } = writeLink(link);
    const url = new URL(`http://localhost/${query}${hash}`); // as a browser takes it
    return readLink(url.search, url.hash);
}

describe("a link", () => {
    const edits: Required<Omit<Edits, "bodies" | "text" | "hands" | "versus">> = {
        method: "implicit",
        iterations: 3,
        substeps: 2,
        budget: 4.5,
        dt: 1 / 60,
        stiffness: 1234.5678,
        bending: 2.5e-7,
        density: 0.1,
        damping: 0,
        friction: 0.3,
        contact: "all",
        closure: "zip",
        stretch: "springs",
        shear: "springs",
        bend: "linear",
        bend_by: "angles",
        estimator: "ivt",
        wind: 3,
        direction: -90,
        gusts: true,
        gravity: 1.62,
        detail: 0.5,
        shown: "smooth2",
        fabric: "my fabrics/yes & no.json",
        fabrics: { "0/front left": { base: "satin", stretch: [100, 0.5] } },
        looks: { "1": { warp: "#ffffff" } as object },
        floor: false,
    };

    test("says every change, exactly", () => {
        const link = { ...readLink(""), scene: "flag", edits };
        expect(again(link)).toEqual(link);
        for (const [key, value] of Object.entries(edits)) {
            const single = { ...readLink(""), edits: { [key]: value } as Edits };
            expect(again(single), key).toEqual(single);
        }
    });

    test("says how it is looked at", () => {
        const link: Link = {
            ...readLink("?scene=garment:dress,coat&body=male&clip=hop&halves&bare&fine&threads=2"),
            methods: ["q1", "implicit", "scene"],
            edits: { method: "q2" },
            field: "distance",
            surface: "wireframe",
            speed: 0.25,
            follow: "never",
            pins: false,
            labels: false,
            colour: "#b8573f",
            theme: "dark",
            time: 1.5,
            paused: true,
            near: true,
            turn: [-170.5, 12],
            zoom: 0.4,
            shift: [0.1, -0.25, 3],
            own: { packed: "abc-_9" },
        };
        expect(again(link)).toEqual(link);
        expect(again({ ...link, own: { kept: "a-b" } }).own).toEqual({ kept: "a-b" });
    });

    test("says that two are head to head, and by what, where it was changed", () => {
        const usual = readLink("?scene=flag&versus=xpbd&budget=2.5");
        expect(writeLink(usual).query).toBe("?scene=flag&versus=xpbd&budget=2.5");
        expect(again(usual)).toEqual(usual);
        expect(usual.methods).toHaveLength(2);
        const changed = { ...usual, methods: ["q1", "xpbd"] };
        expect(again(changed)).toEqual(changed);
    });

    test("has a fabric for each cloth", () => {
        const layers = readLink("?scene=garment:tshirt,skirt&fabric=cotton_jersey,denim");
        expect(layers.edits.fabrics).toEqual({
            0: { base: "cotton_jersey" },
            1: { base: "denim" },
        });
        expect(writeLink(layers).query).toBe(
            "?scene=garment:tshirt,skirt&fabric=cotton_jersey,denim",
        );
        const others: FabricEdits[] = [
            { "1": { base: "denim" } },
            { "0": { base: "denim" }, "1": { base: "linen", density: 0.2 } },
            { "0": { base: "denim" }, "1/front": { base: "linen" } },
        ];
        for (const fabrics of others)
            expect(again({ ...layers, edits: { fabrics } }).edits).toEqual({ fabrics });
        const named = { fabric: "mine, not yours.json" };
        expect(again({ ...layers, edits: named }).edits).toEqual(named);
    });

    test("says nothing of what is as usual", () => {
        expect(writeLink(readLink(""))).toEqual({ query: "", hash: "" });
        const { query } = writeLink({
            ...readLink(""),
            scene: "flag",
            edits: { wind: 3, dt: 0.01 },
        });
        expect(query).toBe("?scene=flag&edits=dt:0.01;wind:3");
    });

    test("with nonsense says what can be understood", () => {
        const word = "wind:3;toString:1;__proto__:~e30;gusts:7;dt:x;fabric:~%%;contact:all;;a:";
        expect(readEdits(word)).toEqual({ wind: 3, contact: "all" });
        expect(writeEdits({ wind: undefined, method: "yes" })).toMatch(/^method:~\w+$/);
    });
});

describe("what is the user's own", () => {
    const bytes = new TextEncoder().encode("v 0 0 0\nv 1 2 3\n");
    const body: MeshBody = {
        kind: "mesh",
        name: "a.obj",
        file: "a.obj",
        place: { scale: 1, move: [0, 1, 0] },
    };

    test("is packed with its files, and comes back", async () => {
        const document = new SceneDocument("mine", "mine.json", '{"weft":1,"cloths":[]}');
        document.files = [{ name: "a.obj", bytes }];
        const own = await writePack(packOf(document)!);
        expect(own.packed!.length).toBeLessThan(300);
        const pack = await readPack(own);
        expect(pack.scene).toEqual({ id: "mine", file: "mine.json", text: document.original });
        expect(pack.files).toEqual([{ name: "a.obj", bytes }]);
    });

    test("beside a scene of the project is all that is packed", async () => {
        const document = documentOf("flag");
        expect(packOf(document)).toBe(null);
        document.files = [{ name: "a.obj", bytes }];
        document.edits = { bodies: [body], wind: 3 };
        expect(sceneWord(document)).toBe("flag");
        const pack = packOf(document)!;
        expect(pack).toEqual({ bodies: [body], files: document.files });
    });

    test("is what hands did, too", async () => {
        const document = documentOf("flag");
        const hands = {
            carried: [0, 0, 0] as [number, number, number],
            bodies: [],
            pins: [{ vertex: 3, position: [0.1, 0.2, 0.3] as [number, number, number] }],
            cuts: [
                { time: 1.25, cloth: 0, vertices: Array.from({ length: 60 }, (_, i) => 33 * i) },
            ],
        };
        document.edits = { hands };
        const own = await writePack(packOf(document)!);
        expect(own.packed!.length).toBeLessThan(500);
        expect(await readPack(own)).toEqual({ hands, files: [] });
        const bad = { hands: { ...hands, cuts: [{}] }, files: [] } as unknown as Parameters<
            typeof writePack
        >[0];
        await expect(readPack(await writePack(bad))).rejects.toThrow("not whole");
    });

    test("goes along where cloth prints it", async () => {
        const picture = { name: "rose.png", bytes };
        const document = documentOf("flag");
        document.files = [picture, { name: "other.png", bytes }];
        expect(packOf(document)).toBe(null);
        const print = { kind: "picture" as const, colour: "#ffffff", size: 0.1, file: "rose.png" };
        document.edits = { looks: { "0": { print } } };
        expect(packOf(document)!.files).toEqual([picture]);
    });

    test("is a garment of the project with another text", async () => {
        const outfit = { patterns: ["skirt.json"], body: "male", clip: "hop" };
        const known = await outfitDocument(outfit);
        expect(sceneWord(known)).toBe("garment:skirt");
        expect(packOf(known)).toBe(null);
        const changed = await outfitDocument(outfit, [{ name: "skirt.json", bytes }]);
        expect(sceneWord(changed)).toBe(null);
        expect(packOf(changed)).toMatchObject({ outfit, files: [{ name: "skirt.json" }] });
    });

    test("that is cut off is told", async () => {
        const { packed } = await writePack({ files: [{ name: "a.obj", bytes }] });
        const told = { message: expect.stringContaining("not whole") };
        await expect(readPack({ packed: packed!.slice(0, -9) })).rejects.toMatchObject(told);
        await expect(readPack({ packed: "%%%" })).rejects.toMatchObject(told);
        const bad = { ...body, place: { scale: 1, move: [] } } as unknown as MeshBody;
        const other = await writePack({ bodies: [bad], files: [] });
        await expect(readPack(other)).rejects.toMatchObject(told);
    });

    // there is no storage in Node.js
    test("is in a long address where the browser keeps nothing, and told where that is too long", async () => {
        const noise = (count: number) =>
            Uint8Array.from({ length: count }, (_, i) => (i * i * 7919) >> (i % 11));
        const packOfSize = (count: number) => ({ files: [{ name: "a.obj", bytes: noise(count) }] });
        const long = await writePack(packOfSize(40000));
        expect(long).toEqual({ packed: expect.any(String), unkept: "long" });
        expect(await readPack(long)).toEqual(packOfSize(40000));
        const lost = await writePack(packOfSize(600000));
        expect(lost).toEqual({ kept: expect.any(String), unkept: "lost" });
        await expect(readPack(lost)).rejects.toThrow("is not kept by this browser");
    });
});

describe("history", () => {
    const differ = (a: Record<string, number>, b: Record<string, number>) =>
        Object.keys({ ...a, ...b }).filter((key) => a[key] !== b[key]);

    test("goes back and forth, and something new ends what was undone", () => {
        const history = new History(differ);
        expect(history.undo()).toBe(null);
        const moments: Record<string, number>[] = [{ a: 1 }, { a: 2 }, { a: 2, b: 1 }];
        moments.forEach((moment, i) => history.note(moment, 5000 * i));
        expect(history.undoWords).toBe("b");
        expect(history.undo()).toEqual({ a: 2 });
        expect(history.undo()).toEqual({ a: 1 });
        expect(history.undo()).toBe(null);
        expect(history.redo()).toEqual({ a: 2 });
        expect(history.redoWords).toBe("b");
        expect(history.note({ a: 2 }, 20000)).toBe(false);
        history.note({ a: 3 }, 20000);
        expect(history.redo()).toBe(null);
        expect(history.undo()).toEqual({ a: 2 });
    });

    test("takes a drag as one change, and there and back as none", () => {
        const history = new History(differ);
        for (let i = 0; i < 50; i++) history.note({ a: i }, 100 * i);
        history.note({ a: 49, b: 1 }, 5000);
        expect(history.undo()).toEqual({ a: 49 });
        expect(history.undo()).toEqual({ a: 0 });
        history.note({ a: 1 }, 20000);
        history.note({ a: 0 }, 20100);
        expect(history.undoWords).toBe(null);
    });

    test("keeps apart what is done by hand, however soon", () => {
        const history = new History(differ);
        [0, 1, 2, 1].forEach((a, i) => history.note({ a }, 100 * i, true));
        expect([history.undo(), history.undo(), history.undo()]).toEqual([
            { a: 2 },
            { a: 1 },
            { a: 0 },
        ]);
    });

    test("goes where the buttons of the browser go", () => {
        const history = new History(differ);
        [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }].forEach((moment, i) =>
            history.note(moment, 5000 * i),
        );
        expect(history.goTo({ a: 2 })).toBe(true);
        expect([history.undoWords, history.redoWords]).toEqual(["a", "a"]);
        expect(history.goTo({ a: 4 })).toBe(true);
        expect(history.redoWords).toBe(null);
        expect(history.undo()).toEqual({ a: 3 });
        expect(history.goTo({ a: 7 })).toBe(false);
        expect(history.goTo({ a: 3 })).toBe(true);
        expect(history.redo()).toEqual({ a: 4 });
    });

    test("forgets what was refused", () => {
        const history = new History(differ);
        history.note({ a: 1 }, 0);
        history.note({ a: 2 }, 5000);
        history.note({ a: 3 }, 10000);
        history.takeBack({ a: 2 });
        expect(history.undo()).toEqual({ a: 1 });
        expect(history.redo()).toEqual({ a: 2 });
    });

    test("tells moments apart by what is played and seen", () => {
        const chosen = {
            document: documentOf("flag"),
            edits: { wind: 3 } as Edits,
            paneMethods: ["q1", "q2", "q3", "q4"],
            panes: 1,
            field: "none" as const,
        };
        const seen = { surface: "smooth", speed: 1, pins: true, labels: true, follow: "auto" };
        const moment: Moment = { chosen, seen };
        const hidden = { ...chosen, paneMethods: ["q8"], edits: { wind: 3, dt: undefined } };
        expect(difference(moment, { chosen: hidden, seen })).toEqual([]);
        const changed = { ...chosen, panes: 2, edits: { dt: 0.01 }, field: "speed" as const };
        expect(difference(moment, { chosen: changed, seen: { ...seen, speed: 0.5 } })).toEqual([
            "wind",
            "time step",
            "side by side",
            "colour",
            "speed of time",
        ]);
        const other = { ...chosen, document: documentOf("flag") };
        expect(difference(moment, { chosen: other, seen })).toEqual(["scene"]);
        expect(linkOf(moment, readLink("?bare&scene=demo"))).toMatchObject({
            scene: "flag",
            edits: { wind: 3 },
            methods: [],
            bare: true,
            pins: true,
        });
    });
});

describe("the past", () => {
    /** What it is depends on all that was done, and on when. */
    class Game {
        value = 1;
        step(): void {
            this.value = (this.value * 48271 + 11) % 2147483647;
        }
        touch({ vertex = 0 }: Partial<Extract<Touch, { kind: "pin" }>>): void {
            this.value = (this.value * 69621 + vertex) % 2147483647;
        }
        save = () => Uint8Array.from(String(this.value).padEnd(1000), (c) => c.charCodeAt(0));
        load(bytes: Uint8Array): void {
            this.value = Number(String.fromCharCode(...bytes));
        }
    }

    function play(steps: number, mostBytes?: number) {
        const game = new Game();
        const past = new Past((touch) => game.touch(touch as { vertex: number }), mostBytes);
        const values = [game.value];
        past.begin(0.1, true);
        for (let i = 0; i < steps; i++) {
            if (i % 7 === 3) past.note({ kind: "pin", vertex: i });
            if (i % 11 < 5) past.note({ kind: "pin", vertex: 1000 + i });
            past.step(game);
            values.push(game.value);
        }
        return { game, past, values };
    }

    test("comes back to every step, from wherever it stands", () => {
        const { game, past, values } = play(150);
        expect(past.range).toEqual({ first: 0, now: 150, last: 150 });
        for (let i = 0; i < 300; i++) {
            const goal = (i * 7919) % 150;
            past.go(game, goal, true);
            past.go(game, goal + 1, true);
            past.go(game, 150, true);
            expect(game.value).toBe(values[150]);
            past.go(game, goal + 1, true);
            past.go(game, goal + 2, true);
            expect(past.range.now).toBe(Math.min(goal + 2, 150));
        }
        past.go(game, 77, false);
        expect(past.range.now % 4).toBe(0);
        expect(77 - past.range.now).toBeLessThan(4);
    });

    test("goes on from there as it would have then, and forgets what came later", () => {
        const { game, past } = play(100);
        past.go(game, 40, true);
        past.note({ kind: "pin", vertex: 5 });
        for (let i = 0; i < 20; i++) past.step(game);
        const { value } = game;
        expect(past.range).toEqual({ first: 0, now: 60, last: 60 });
        past.go(game, 41, true);
        past.go(game, 60, true);
        expect(game.value).toBe(value);
    });

    test("keeps as much as there is room for", () => {
        const { game, past, values } = play(5000, 20000);
        const { first, last } = past.range;
        expect(last - first).toBeLessThanOrEqual(20 * 24);
        expect(last - first).toBeGreaterThan(10 * 10);
        past.go(game, 0, true);
        expect(past.range.now).toBe(first);
        past.go(game, last - 3, true);
        past.go(game, last, true);
        expect(game.value).toBe(values[last]);
    });
});
