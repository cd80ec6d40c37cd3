// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the module without a browser: every scene plays to the same bits as the native tool, and
// what the page does to a scene while it runs does what it says.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { Core, Play } from "../src/sim/core";
import { root, tool } from "./browser";

const scenes = readdirSync(join(root, "scenes")).filter((name) => name.endsWith(".json"));

let core: Core;
beforeAll(async () => {
    core = await Core.load(readFileSync(join(root, "build/web/bin/weft.wasm")));
});

function sceneText(name: string, edit: (scene: any) => void = () => {}): string {
    const scene = JSON.parse(readFileSync(join(root, "scenes", name), "utf8"));
    edit(scene);
    return JSON.stringify(scene);
}

function open(name: string, edit?: (scene: any) => void): Play {
    return Play.open(core, sceneText(name, edit), name);
}

function nativeHash(name: string, steps: number): string {
    const words = ["run", join(root, "scenes", name), "--same-bits", "--frames", `${steps}`];
    const output = execFileSync(tool, [...words, "--budget", "0", "--json"], { encoding: "utf8" });
    return JSON.parse(output).hash;
}

test.each(scenes)("%s plays to the bits of the native tool", (name) => {
    const steps = name === "scalable.json" ? 10 : 60;
    const play = open(name, (scene) => {
        scene.same_bits = true;
        // what a clock decides is not the same twice
        if (scene.step) delete scene.step.budget_ms;
    });
    for (let i = 0; i < steps; i++) play.step();
    expect(play.hash()).toBe(nativeHash(name, steps));
    play.close();
});

test("bodies are told apart, and where they are", () => {
    const play = open("tangled.json");
    const { starts, planes, triangles } = play.shape().bodies!;
    expect([...planes]).toEqual([0, 1]);
    expect(Math.max(...triangles)).toBe(starts[2]! - 1);
    play.draw(null);
    const places = play.bodies();
    expect(places.length).toBe(3 * starts[2]!);
    const heights = places.filter((_, i) => i % 3 === 1);
    expect(Math.max(...heights.slice(0, starts[1]))).toBeCloseTo(0.6, 2);
    expect([...new Set(heights.slice(starts[1]))]).toEqual([0]);
    expect(play.describe()).toMatchObject({ contact: "all", bodies: 2 });
    play.close();
});
