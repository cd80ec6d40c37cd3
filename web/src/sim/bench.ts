// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Steps of a scene in WebAssembly, timed, by Node.js: `weft bench web` runs it.
//
//     node bench.js WEFT.WASM SCENE.JSON STEPS PASSES
//
// The same steps are taken several times over; each counts with its least time. Prints the mean in
// milliseconds and the hash of the state.

import { readFileSync } from "node:fs";
import { Core, Play } from "./core";

function timeSteps(core: Core, text: string, least: Float64Array): string {
    const play = Play.open(core, text, "scene");
    for (let i = 0; i < least.length; i++) {
        const start = performance.now();
        play.step();
        least[i] = Math.min(least[i]!, performance.now() - start);
    }
    const hash = play.hash();
    play.close();
    return hash;
}

const [modulePath, scenePath, steps, passes] = process.argv.slice(2);
const core = await Core.load(readFileSync(modulePath!));
const text = readFileSync(scenePath!, "utf8");
const least = new Float64Array(Number(steps)).fill(Number.POSITIVE_INFINITY);
let hash = "";
for (let pass = 0; pass < Number(passes); pass++) hash = timeSteps(core, text, least);
const mean = least.reduce((sum, time) => sum + time, 0) / least.length;
console.log(`${mean} ${hash}`);
