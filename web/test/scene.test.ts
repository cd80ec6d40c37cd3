// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what the page makes of a scene and of an address: edits that land where they belong,
// texts that the native tool takes, scales in round numbers.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { distances, FieldScale } from "../src/app/fields";
import { readLink } from "../src/app/keep/link";
import { sections, type View } from "../src/app/settings";
import { SceneDocument, type Edits } from "../src/scene/document";
import { namedFiles, readsFiles, renameFile } from "../src/scene/scene-file";
import { methods } from "../src/scene/methods";
import { scenes } from "../src/scene/scenes";
import { Core, Play, WeftError } from "../src/sim/core";
import { findFault } from "../src/sim/json-fault";
import { sameModel } from "../src/sim/same-model";
import { root, tool } from "./browser";
import { giveNamed } from "./named";

let core: Core;
let folder: string;
beforeAll(async () => {
    core = await Core.load(readFileSync(join(root, "build/web/bin/weft.wasm")));
    folder = mkdtempSync(join(tmpdir(), "weft-scene-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function documentOf(id: string): SceneDocument {
    const scene = scenes.find((scene) => scene.id === id)!;
    giveNamed(core, scene.text);
    const play = Play.open(core, scene.text, id);
    const document = new SceneDocument(id, `${id}.json`, scene.text, play.describe());
    play.close();
    return document;
}

function edited(id: string, edits: Edits, method: string | null = null) {
    const document = documentOf(id);
    document.edits = edits;
    return JSON.parse(document.compose(method).text);
}

describe("edits", () => {
    test("of how halves meet keep the rest of the mirror", () => {
        expect(edited("closing", { closure: "zip" }).mirror).toEqual({ closure: "zip" });
        expect(edited("flag", { closure: "zip" }).mirror).toBeUndefined();
    });

    test("none leave the text as it is", () => {
        const document = documentOf("demo");
        expect(document.compose(null).text).toBe(document.original);
    });

    test("of the fabric keep the ratios of warp, weft and shear", () => {
        const { fabric } = edited("flag", { stiffness: 5000, bending: 6e-5, density: 0.22 })
            .cloths[0];
        expect(fabric.stretch).toEqual([5000, 4000]);
        expect(fabric.shear).toBe(1000);
        expect(fabric.bend).toBeCloseTo(6e-5, 12);
        expect(fabric.density).toBeCloseTo(0.22, 12);
        expect(fabric.bend_damping).toBe(0.01); // what was not touched
    });

    test("of a fabric with a name keep the name", () => {
        const text = '{"weft":1,"cloths":[{"mesh":{"kind":"grid"},"fabric":"denim"}]}';
        const play = Play.open(core, text, "named");
        const document = new SceneDocument("named", "named.json", text, play.describe());
        play.close();
        document.edits = { friction: 0.7 };
        const { fabric } = JSON.parse(document.compose(null).text).cloths[0];
        expect(fabric).toEqual({ base: "denim", friction: 0.7 });
    });

    test("of a rope go to the rope", () => {
        const { fabric } = edited("rope", { stiffness: 4000, density: 0.05 }).cloths[0];
        expect(fabric.rope_stretch).toBe(4000);
        expect(fabric.rope_density).toBeCloseTo(0.05, 12);
    });

    test("of the method drop what belonged to the old one, and keep the rest", () => {
        const { step } = edited("rope", {}, "q4");
        expect(step).toEqual({ method: "prefactored", quality: 4 });
        expect(edited("scalable", { method: "implicit" }).matrices).toBeUndefined();
        expect(edited("scalable", { method: "implicit" }).step).toEqual({
            dt: 0.25,
            method: "implicit",
        });
    });

    test("of the schedule go where the method looks", () => {
        expect(edited("demo", { iterations: 6 }).step.iterations).toEqual([6]);
        expect(edited("demo", { method: "implicit", iterations: 30 }).step.max_iterations).toBe(30);
        expect(edited("budget", { budget: 0 }).step.budget_ms).toBeUndefined();
        expect(edited("rope", { method: "q2" }).step.substeps).toBeUndefined();
    });

    test("of contact and friction go to the scene and to every cloth", () => {
        const scene = edited("heap", { contact: "bodies", friction: 0.7 });
        expect(scene.contact).toBe("bodies");
        expect(scene.cloths.map((cloth: any) => cloth.fabric.friction)).toEqual(Array(5).fill(0.7));
        expect(edited("heap", { gravity: 3 }).contact).toBe("all"); // what was not touched
    });

    test("of detail change every kind of mesh", () => {
        expect(edited("demo", { detail: 0.5 }).cloths[0].mesh.edge).toBeCloseTo(0.0436, 12);
        expect(edited("curtain", { detail: 2 }).cloths[0].mesh.columns).toBe(70);
        expect(edited("rope", { detail: 0.5 }).cloths[0].mesh.segments).toBe(50);
    });

    test("of what is shown go to every cloth but ropes, in the place of its own", () => {
        const text = JSON.stringify({
            weft: 1,
            detail: "a.detail",
            cloths: [{ mesh: { kind: "rope" } }, { mesh: { kind: "grid" }, detail: { parts: 5 } }],
        });
        const document = new SceneDocument("x", "x.json", text);
        const details = (shown?: string) => {
            document.edits = { shown };
            const scene = JSON.parse(document.compose(null).text);
            return [scene.detail, ...scene.cloths.map((cloth: any) => cloth.detail)];
        };
        expect(details("plain")).toEqual([undefined, undefined, undefined]);
        const smooth = { parts: 4, surface: "smooth" };
        expect(details("smooth4")).toEqual([undefined, undefined, smooth]);
        expect(details()).toEqual(["a.detail", undefined, { parts: 5 }]);
        expect(document.hasSurface).toBe(true);
        expect(documentOf("rope").hasSurface).toBe(false);
    });

    test("tell whether a new model is needed", () => {
        const document = documentOf("demo");
        const needed = (edits: Edits) => {
            document.edits = edits;
            return !sameModel(document.original, document.compose(null).text);
        };
        const light: Edits[] = [{}, { method: "q1" }, { wind: 3 }, { shown: "smooth2" }];
        expect(light.map(needed)).toEqual([false, false, false, false]);
        expect([{ density: 1 }, { contact: "none" }].map(needed)).toEqual([true, true]);
    });

    test("always make scenes that the native tool takes", () => {
        const all: Edits[] = [
            { wind: 4, direction: 30, gusts: true },
            { stiffness: 300, bending: 1e-3, density: 1, damping: 2 },
            { dt: 0.01, substeps: 3, iterations: 5 },
            { stretch: "triangles", estimator: "rotation", method: "q1" },
            { detail: 0.5, gravity: 3 },
            { contact: "all", friction: 0.2 },
            { shown: "smooth4" },
        ];
        const coarse = { detail: 0.25 };
        const files = all.map((edits, i) => {
            const file = join(folder, `${i}.json`);
            writeFileSync(file, JSON.stringify(edited("demo", { ...coarse, ...edits })));
            return file;
        });
        for (const { id } of methods) {
            const file = join(folder, `${id}.json`);
            writeFileSync(file, JSON.stringify(edited("demo", coarse, id)));
            files.push(file);
        }
        for (const file of files) execFileSync(tool, ["check", file], { stdio: "pipe" });
    });
});

describe("texts that are no scenes", () => {
    const refusal = (text: string): string => {
        try {
            Play.open(core, new SceneDocument("x", "x.json", text).compose(null).text, "x.json");
        } catch (error) {
            expect(error).toBeInstanceOf(WeftError);
            return (error as Error).message;
        }
        throw new Error("was taken");
    };

    test.each([
        ["", "x.json:1:1: expected a value, not the end of the text"],
        ['{"weft": 1,\n  "cloths": [}', 'x.json:2:14: expected a value, not "}"'],
        ['{"weft": 1 "cloths": []}', 'x.json:1:12: expected "," or "}", not "\\""'],
        ["{weft: 1}", "x.json:1:2: expected a key in quotes"],
        ['{"weft" 1}', 'x.json:1:9: expected ":"'],
        ['{"é": "no end', "x.json:1:7: expected a text that ends"],
        ['{"weft": 01}', "x.json:1:11:"],
        ["{} {}", 'x.json:1:4: expected the end, not "{"'],
        ["[]", "x.json:1:1: the scene must be an object"],
        ['{"weft": 1, "cloths": 3}', "x.json:1:23:"],
        ['{"weft": 1, "cloths": [{"mesh": {"kind": "grid", "rows": 2.5}}]}', "x.json:1:58:"],
        ['{"weft": 1, "cloths": [{"mesh": {"kind": "gird"}}]}', "x.json:1:42:"],
        ['{"weft": 1, "nmae": "é", "cloths": []}', 'did you mean "name"?'],
        ['{"weft": 1, "cloths": [{"mesh": {"kind": "obj", "file": "a.obj"}}]}', "a.obj"],
    ])("%j: %s", (text, words) => {
        expect(refusal(text)).toContain(words);
    });

    test("faults are found exactly where the browser's parser finds some", () => {
        let random = 1;
        const next = (count: number) =>
            Math.floor(((random = (random * 16807) % 2147483647) / 2147483647) * count);
        const isJson = (text: string) => {
            try {
                JSON.parse(text);
                return true;
            } catch {
                return false;
            }
        };
        let broken = 0;
        for (let i = 0; i < 4000; i++) {
            const text = scenes[next(scenes.length)]!.text;
            const at = next(text.length);
            const letter = '{}[],:"\\ 0-e.tn\n'[next(16)]!;
            const changed = text.slice(0, at) + letter + text.slice(at + next(3));
            expect(findFault(changed) === null).toBe(isJson(changed));
            if (!isJson(changed)) broken++;
        }
        expect(broken).toBeGreaterThan(1000);
        expect(findFault("[".repeat(200000))?.text).toContain("nested too deep");
    });

    test("mesh files are seen before they are missed", () => {
        expect(readsFiles('{"cloths": [{"mesh": {"kind": "obj", "file": "a.obj"}}]}')).toBe(true);
        expect(readsFiles('{"cloths": [{"mesh": {"kind": "grid"}}]}')).toBe(false);
        const bodies = (text: string) => `{"cloths": [{"mesh": {}}], "bodies": ${text}}`;
        expect(readsFiles(bodies('[{"kind": "box"}, {"kind": "mesh"}]'))).toBe(true);
        expect(readsFiles(bodies('[{"kind": "box"}, null]'))).toBe(false);
        expect(readsFiles(bodies("3"))).toBe(false);
        expect(readsFiles("{")).toBe(false);
        expect(readsFiles("null")).toBe(false);
    });

    test("files of details are named; what is learned can be done without", () => {
        const text = (detail: string, fabric = "{}") =>
            `{"cloths": [{"mesh": {}, "fabric": ${fabric}, "detail": ${detail}}]}`;
        expect(namedFiles(text('"a.detail"'))).toEqual(["a.detail"]);
        expect(readsFiles(text('"a.detail"'))).toBe(false);
        expect(namedFiles(text('{"mesh": "b.obj"}'))).toEqual(["b.obj"]);
        expect(readsFiles(text('{"mesh": "b.obj"}'))).toBe(true);
        expect(namedFiles('{"detail": "c.detail", "cloths": []}')).toEqual(["c.detail"]);
        for (const other of ["3", "null", "[]", '{"parts": 2}'])
            expect(namedFiles(text(other))).toEqual([]);
        expect(namedFiles(text("null", '"mine"'))).toEqual(["mine.json"]);
        const moved = renameFile(text('"../x/a.detail"'), "../x/a.detail");
        expect(namedFiles(moved)).toEqual(["a.detail"]);
        expect(namedFiles(text("null", '{"base": "x/mine.json"}'))).toEqual(["x/mine.json"]);
    });
});

describe("settings", () => {
    const view: View = {
        panes: 1,
        surface: "fabric",
        field: "none",
        speed: 1,
        pins: true,
        labels: true,
        follow: "auto",
        target: null,
    };

    test.each(scenes.map((scene) => scene.id))("of %s show what the scene has", (id) => {
        const document = documentOf(id);
        const items = sections(document.description!, core.choices(), document, view).flatMap(
            (section) => section.items,
        );
        for (const item of items) {
            if (item.kind === "slider" && !(item.off !== undefined && item.value === 0)) {
                expect(item.value).toBeGreaterThanOrEqual(item.min);
                expect(item.value).toBeLessThanOrEqual(item.max);
            }
            if (item.kind === "choice")
                expect(item.options.map((option) => option.value)).toContain(item.value);
        }
        expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
    });
});

describe("an address", () => {
    test("says what to show", () => {
        const link = readLink(
            "?scene=flag&methods=q1,nonsense,implicit&field=speed&time=2&turn=30,-5&shown=smooth2",
        );
        expect(link.edits.shown).toBe("smooth2");
        expect(link).toMatchObject({ scene: "flag", methods: ["q1", "implicit"], field: "speed" });
        expect(link).toMatchObject({ time: 2, turn: [30, -5], paused: false, open: false });
    });

    test("says what is worn, and how", () => {
        const link = readLink("?scene=garment:jacket&body=male&clip=hop&halves&closure=zip");
        expect(link.outfit).toMatchObject({ body: "male", clip: "hop", halves: true });
        expect(link.edits.closure).toBe("zip");
        expect(readLink("").outfit.halves).toBeUndefined();
        expect(readLink("").edits).toEqual({});
    });

    test("with nonsense is as one without", () => {
        const nonsense = "?shown=x&field=x&surface=&time=abc&turn=,&zoom=&theme=pink&closure=glue";
        expect(readLink(nonsense)).toEqual(readLink(""));
    });
});

describe("scales", () => {
    test("end in round numbers, and stay while they fit", () => {
        const scale = new FieldScale("stretch");
        const shown = (value: number) => {
            scale.follow([new Float32Array(100).fill(value)]);
            return scale.colours.high;
        };
        expect(shown(0.03)).toBeCloseTo(0.05);
        expect(shown(-0.04)).toBeCloseTo(0.05);
        expect(shown(0.3)).toBeCloseTo(0.5);
        expect(shown(0.15)).toBeCloseTo(0.5);
        expect(shown(0.02)).toBeCloseTo(0.02);
        expect(shown(0.003)).toBeCloseTo(0.02);
        expect(scale.colours.low).toBe(-scale.colours.high);
        expect(scale.legend[2].high).toBeCloseTo(2);
    });

    test("of distances know the root mean square", () => {
        const out = new Float32Array(2);
        const rms = distances(
            Float32Array.of(0, 0, 0, 1, 1, 1),
            Float32Array.of(3, 4, 0, 1, 1, 1),
            out,
        );
        expect([...out]).toEqual([5, 0]);
        expect(rms).toBeCloseTo(5 / Math.sqrt(2));
    });
});

describe("sources", () => {
    /** What each folder of src may see beside itself and src/shape.ts: web/README.md. */
    const sight: Record<string, string[]> = {
        sim: [],
        scene: ["sim"],
        results: [],
        meshes: ["results"],
        draw: [],
        ui: ["results"],
        app: ["sim", "scene", "results", "meshes", "draw", "ui"],
    };

    test.each(Object.keys(sight))("of %s see only what they may", (folder) => {
        const home = join(root, "web/src", folder);
        const files = readdirSync(home, { recursive: true, encoding: "utf8" });
        for (const file of files.filter((name) => name.endsWith(".ts"))) {
            const text = readFileSync(join(home, file), "utf8");
            for (const [, path] of text.matchAll(/(?:from|import\()\s*"(\.[^"]*)"/g)) {
                const [seen, inside] = relative(
                    join(home, ".."),
                    join(home, file, "..", path!),
                ).split("/");
                if (inside !== undefined && seen !== ".." && seen !== folder)
                    expect(sight[folder], `${folder}/${file}`).toContain(seen);
            }
        }
    });
});
