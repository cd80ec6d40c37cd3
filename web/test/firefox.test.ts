// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the first screen in Firefox: cloth is seen and moves, and nothing goes wrong.

import { afterAll, beforeAll, expect, test } from "vitest";
import { Viewer } from "./browser";
import { Firefox } from "./firefox";

let firefox: Firefox;
let viewer: Viewer;

beforeAll(async () => {
    [firefox, viewer] = await Promise.all([Firefox.start(900, 640), Viewer.start()]);
});

afterAll(async () => {
    await firefox.stop();
    viewer.stop();
});

test("Firefox shows cloth that moves", { timeout: 240_000 }, async () => {
    await firefox.open(viewer.address);
    const moved = await firefox.run<number>(`
        await window.weft.ready;
        const { player } = window.weft.live;
        const start = player.time;
        while (player.time < start + 0.1) await new Promise((done) => setTimeout(done, 50));
        return player.time - start;`);
    expect(moved).toBeGreaterThan(0);
    const messages = await firefox.run<string[]>(
        `return [...document.querySelectorAll(".toast, .no-webgl")].map((e) => e.textContent);`,
    );
    expect(messages).toEqual([]);
    // many colours, as only a picture of lit cloth has
    const picture = await firefox.screenshot();
    const colours = await firefox.run<number>(`
        const image = new Image();
        image.src = "data:image/png;base64,${picture}";
        await image.decode();
        const canvas = Object.assign(document.createElement("canvas"), {
            width: image.width, height: image.height });
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        const seen = new Set();
        for (let i = 0; i < data.length; i += 4)
            seen.add(((data[i] >> 4) << 8) | ((data[i + 1] >> 4) << 4) | (data[i + 2] >> 4));
        return seen.size;`);
    expect(colours).toBeGreaterThan(40);
});
