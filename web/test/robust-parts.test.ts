// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards, without a browser, the parts that keep the page alive: how long is too long, how much is
// too far, what to go back to, where a floor is, what meshes of others are made of.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Tried, type Chosen } from "../src/app/tried";
import { endedWords, refusedWords, slowWords, undressedWords } from "../src/app/troubles";
import { describeMesh, guessUnit, objOf, readMesh } from "../src/meshes/read-mesh";
import { SceneDocument } from "../src/scene/document";
import { scenes } from "../src/scene/scenes";
import { Core, Play, type Description, type Numbers } from "../src/sim/core";
import { Stopped } from "../src/sim/dresser";
import { Flight, stretchLimit } from "../src/sim/flight";
import { LaneEnded } from "../src/sim/lane";
import { stepLimit } from "../src/sim/watch";
import { root } from "./browser";
import { fbxOfBox, glbOfBox, objOfBox, plyOfBox } from "./meshes";

let bytes: Buffer;
let core: Core;
beforeAll(async () => {
    bytes = readFileSync(join(root, "build/web/bin/weft.wasm"));
    core = await Core.load(new Uint8Array(bytes));
});

function documentOf(id: string): SceneDocument {
    return new SceneDocument(id, `${id}.json`, scenes.find((scene) => scene.id === id)!.text);
}

test("the module asks its host for nothing that the page does not have", async () => {
    const module = await WebAssembly.compile(new Uint8Array(bytes));
    const names = WebAssembly.Module.imports(module).map(({ name }) => name);
    const own = ["now", "progress", "parse_json", "write"];
    const known = [...own, "memory", "emscripten_notify_memory_growth"];
    const files = ["fd_write", "fd_read", "fd_close", "fd_seek"];
    expect(names.filter((name) => ![...known, ...files].includes(name))).toEqual([]);
});

describe("patience", () => {
    test("knows slow machines and large scenes from hung ones", () => {
        expect(stepLimit([], 0)).toBe(10);
        expect(stepLimit([16, 17, 16], 100)).toBe(10);
        expect(stepLimit([1000, 1200, 1000], 100)).toBe(25);
        expect(stepLimit([], 8000)).toBe(32);
        expect(stepLimit([9000], 0)).toBe(60);
    });
});

describe("flight", () => {
    const numbers = (max_stretch: number, p99_stretch: number) =>
        ({ max_stretch, p99_stretch }) as Numbers;
    const description = (stiffness: number, density: number) =>
        ({
            gravity: [0, -9.81, 0],
            wind: [0, 0, 0],
            cloths: [{ triangles: 2, fabric: { stretch: [stiffness, stiffness], density } }],
        }) as never as Description;
    const shape = { uv: Float32Array.of(0, 0, 2, 1) };

    test("is what most of the cloth does, more than once", () => {
        const flight = new Flight(5);
        expect(flight.judge(numbers(40, 1.2), false)).toBe(null);
        expect(flight.judge(numbers(9, 6), false)).toBe(null);
        expect(flight.judge(numbers(9, 2), false)).toBe(null);
        for (let i = 0; i < 2; i++) expect(flight.judge(numbers(9, 6), false)).toBe(null);
        expect(flight.judge(numbers(9, 6), false)).toBe(9);
    });

    test("is at once what no number says", () => {
        expect(new Flight(5).judge(numbers(NaN, NaN), false)).toBeNaN();
        expect(new Flight(5).judge(numbers(5000, 2), false)).toBe(5000);
    });

    test("is not what soft cloth does, nor hands", () => {
        expect(stretchLimit(description(2000, 0.2), shape)).toBe(5);
        expect(stretchLimit(description(10, 2), shape)).toBeGreaterThan(15);
        const flight = new Flight(5);
        for (let i = 0; i < 9; i++) expect(flight.judge(numbers(500, 20), true)).toBe(null);
    });
});

describe("what was tried", () => {
    const document = documentOf("demo");
    const chosen = (edits: Chosen["edits"], of = document): Chosen => ({
        document: of,
        edits,
        paneMethods: [],
        panes: 1,
        field: "none",
    });

    test("and worked is gone back to, the last first", () => {
        const tried = new Tried();
        for (const dt of [0.01, 0.02, 0.03]) tried.worked(chosen({ dt }));
        tried.failed(chosen({ dt: 0.03 }));
        expect(tried.before(chosen({ dt: 0.03 }))?.edits).toEqual({ dt: 0.02 });
        tried.failed(chosen({ dt: 0.02 }));
        expect(tried.before(chosen({ dt: 0.02 }))?.edits).toEqual({ dt: 0.01 });
    });

    test("and never worked falls back to the scene, then to another one", () => {
        const tried = new Tried();
        expect(tried.before(chosen({ method: "symplectic" }))?.edits).toEqual({});
        expect(tried.before(chosen({}))).toBe(null);
        tried.worked(chosen({}, documentOf("rope")));
        expect(tried.before(chosen({}))?.document.id).toBe("rope");
        expect(tried.backWords(chosen({}))).toBe("Go back to rope");
    });

    test("is named in words, not as data", () => {
        const tried = new Tried();
        const looks = { "0": { colour: "#ffffff" } };
        const fabrics = { "0": { base: "silk_chiffon" } };
        tried.worked(chosen({ fabric: "denim", fabrics, looks, text: document.original }));
        expect(tried.backWords(chosen({}))).toBe(
            "Go back to fabric denim, fabrics of single parts, colours and prints, text",
        );
    });
});

describe("what is said of a worker that was ended", () => {
    const chosen: Chosen = {
        document: documentOf("demo"),
        edits: { versus: 4 },
        paneMethods: ["timed", "xpbd"],
        panes: 2,
        field: "none",
    };
    const words = (during: LaneEnded["during"], method: string | null, seconds = 12) =>
        endedWords(new LaneEnded("memory is full", during, seconds), chosen, method);

    test("names the pane, and what was asked of it", () => {
        const step = words("advance", "xpbd");
        expect(step).toMatch(/^A step by XPBD, small steps .* on "demo" with /);
        expect(step).toMatch(/time budget 4 did not come back within 12 seconds/);
        expect(words("rewind", "timed")).toMatch(
            /^Going back in time by Prefactored, .* on "demo"/,
        );
        expect(words("open", null)).toMatch(/^"demo" with .* did not get ready within 12 seconds/);
        expect(words("advance", "timed", 0)).toMatch(
            /broke down \(memory is full\)\. A coarser "Mesh detail" or fewer panes would help\.$/,
        );
    });

    test("for want of memory says what asked for it, and what takes less", () => {
        const fine = { ...chosen, edits: { detail: 2 }, panes: 1 };
        expect(refusedWords("out of memory", fine)).toBe(
            '"demo" with mesh detail 2 takes more memory than the browser gives. ' +
                'A coarser "Mesh detail" or fewer panes would help.',
        );
        expect(refusedWords("demo.json:1:1: no", fine)).toBe("demo.json:1:1: no");
    });

    test("names the cloth as settings do", () => {
        expect(refusedWords("cloth 0: no", chosen)).toBe("Cloth 1: no");
        const mesh = { kind: "pattern", file: "garments/dress.json" };
        const worn = new SceneDocument("w", "w.json", JSON.stringify({ cloths: [{ mesh }] }));
        expect(refusedWords("cloth 0: no", { ...chosen, document: worn })).toBe('"dress": no');
    });

    test("while garments are put on names them", () => {
        const told = (seconds: number) =>
            undressedWords(new LaneEnded("memory is full", "dress", seconds), "Jacket");
        expect(told(60)).toMatch(/^Dressing "Jacket" got no further within 60 seconds/);
        expect(told(0)).toMatch(/^Dressing "Jacket" broke down \(memory is full\)/);
        expect(undressedWords(new Error("panel 2 has no area"), "Jacket")).toBe(
            "panel 2 has no area",
        );
        expect(undressedWords(new Stopped(), "Jacket")).toBe(null);
    });
});

describe("the page's floor", () => {
    const bodiesOf = (document: SceneDocument) =>
        (JSON.parse(document.compose(null).text).bodies ?? []) as { name?: string }[];

    test("is a body of the text, where the page draws one", () => {
        const document = documentOf("demo");
        expect(document.compose(null).text).toBe(document.original);
        document.floor = -0.5;
        const floor = { kind: "plane", name: "floor", place: { move: [0, -0.5, 0] } };
        expect(bodiesOf(document)).toEqual([floor]);
        document.edits = { floor: false };
        expect(bodiesOf(document)).toEqual([]);
        document.edits = { contact: "none" };
        expect(bodiesOf(document)).toEqual([]);
    });

    test("is not added by itself to what shall have the bits of the tool", () => {
        const text = JSON.stringify({
            ...JSON.parse(documentOf("demo").original),
            same_bits: true,
        });
        const document = new SceneDocument("same", "same.json", text);
        document.floor = -0.5;
        expect(document.compose(null).text).toBe(text);
        document.edits = { floor: true };
        expect(bodiesOf(document)).toHaveLength(1);
    });

    test("stays where it is when things are moved by hand", () => {
        const document = documentOf("sphere_ier");
        document.floor = -1;
        const play = Play.open(core, document.compose(null).text, "x");
        play.carry([0, 0.3, 0]);
        for (let i = 0; i < 20; i++) play.step();
        play.draw(null);
        const { starts } = play.bodyShape();
        const heights = [...play.bodies().filter((_, i) => i % 3 === 1)];
        const floor = heights.slice(starts[1]);
        expect(new Set(floor)).toEqual(new Set([-1]));
        const before = Play.open(core, document.compose(null).text, "x");
        before.draw(null);
        expect(heights[0]! - before.bodies()[1]!).toBeCloseTo(0.3, 3);
        before.close();
        play.close();
    });
});

describe("meshes of others", () => {
    const file = (name: string, content: string | Uint8Array) => {
        const data = typeof content === "string" ? new TextEncoder().encode(content) : content;
        return { name, bytes: data.slice().buffer as ArrayBuffer };
    };

    test.each([
        ["box.obj", objOfBox(1, 2, 3)],
        ["box.ply", plyOfBox(1, 2, 3)],
        ["box.fbx", fbxOfBox(1, 2, 3)],
        ["box.glb", glbOfBox(1, 2, 3)],
    ])("%s is one welded mesh", async (name, content) => {
        const mesh = await readMesh(file(name, content));
        expect([mesh.min, mesh.max]).toEqual([
            [0, 0, 0],
            [1, 2, 3],
        ]);
        expect(mesh.positions.length / 3).toBe(8);
        expect(mesh.triangles.length / 3).toBe(12);
    });

    test("go into a scene as an OBJ", async () => {
        const mesh = await readMesh(file("box.ply", plyOfBox(1, 1, 1)));
        core.give("box.obj", new TextEncoder().encode(objOf(mesh)));
        const place = { scale: 0.5, move: [0, -1, 0] };
        const scene = {
            weft: 1,
            bodies: [{ kind: "mesh", file: "box.obj", place }],
            cloths: [{ mesh: { kind: "grid" } }],
        };
        const play = Play.open(core, JSON.stringify(scene), "x");
        play.draw(null);
        expect(Math.max(...play.bodies())).toBe(0.5);
        expect(play.bodyVertexCount).toBe(8);
        play.step();
        play.close();
    });

    const flat = "v 0 0 0\nv 1 0 0\nv 2 0 0\n";
    const plyOfMore = plyOfBox(1, 1, 1).replace("4 0 4 6 2", "4 0 4 60 2");
    test.each([
        ["dots.obj", "v 0 0 0\n", "dots.obj holds no faces and no lines"],
        ["flat.obj", `${flat}f 1 2 3\n`, "flat.obj holds no triangles"],
        ["rope.obj", `${flat}l 1 2 3\n`, "rope.obj holds no triangles"],
        ["point.obj", "v 1 1 1\nv 1 1 1\nf 1 2 1\n", "point.obj: all of it is at one place"],
        ["nan.obj", "v 0 0 0\nv x y z\nf 1 2 2\n", 'nan.obj:2: "x" is not a number'],
        ["far.obj", `${flat}f 1 2 9\n`, "far.obj:4: there is no vertex 9; 3 came before this line"],
        ["far.ply", plyOfMore, "could not be read: triangle 0 names vertex 60, and there are 8"],
        ["far.gltf", '{"asset":{"version":"2.0"}}', "far.gltf could not be read: it has no scene"],
        ["cut.glb", glbOfBox(1, 1, 1).slice(0, 300), "cut.glb is not a GLB of glTF 2.0 file, or"],
    ])("%s is refused in a sentence that names what is wrong", async (name, content, words) => {
        await expect(readMesh(file(name, content))).rejects.toThrow(words);
    });

    test.each(["obj", "ply", "stl", "glb", "gltf", "fbx"])(
        "of nothing or of anything are no .%s",
        async (ending) => {
            const name = `broken.${ending}`;
            await expect(readMesh(file(name, ""))).rejects.toThrow(`${name} is empty`);
            const told = readMesh(file(name, "no such thing"));
            await expect(told).rejects.toThrow(
                /^broken.\w+ (is not an? .* file, or is damaged|holds no (triangles|vertices))$/,
            );
        },
    );

    test("are described in a line", async () => {
        const triangle = await readMesh(file("one.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n"));
        expect(describeMesh(triangle)).toBe("1 triangle, 1 × 2 × 0 (width, height, depth)");
        const box = await readMesh(file("box.obj", objOfBox(1, 2, 3)));
        expect(describeMesh(box)).toBe("12 triangles, 1 × 2 × 3 (width, height, depth)");
    });

    test("are in the unit that fits their size", () => {
        const unit = (height: number) => guessUnit({ min: [0, 0, 0], max: [1, height, 1] });
        expect([1.72, 172, 1720].map(unit)).toEqual(["m", "cm", "mm"]);
    });
});

test("a slow motion that nobody sees is told as what it is for", () => {
    expect(slowWords("implicit", 2410, false)).toBe(
        "Implicit, one Newton step takes 2.4 seconds for a step of this scene.",
    );
    expect(slowWords("converged", 2410, true)).toMatch(
        /^Distances are measured from .*2.4 seconds/,
    );
});
