// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Threads: helpers of a worker where the host allows shared memory, and the same bits in any case.

import { createServer, type Server } from "node:http";
import { readFile, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Core, Play } from "../src/sim/core";
import { launch, root, site, Viewer, Visit } from "./browser";

/** Large enough for threads to be worth it. */
const scene = JSON.stringify({
    weft: 1,
    name: "sheet",
    same_bits: true,
    contact: "all",
    bodies: [{ kind: "sphere", radius: 0.3, place: { move: [0, -0.5, 0] } }],
    cloths: [
        {
            mesh: { kind: "grid", width: 1.5, height: 1.5, columns: 66, rows: 66 },
            place: { move: [-0.75, 0, 0.75] },
        },
    ],
});
const STEPS = 6;

function hashAfter(core: Core): string {
    const play = Play.open(core, scene, "sheet.json");
    for (let i = 0; i < STEPS; i++) play.step();
    const hash = play.hash();
    play.close();
    return hash;
}

test("a memory of one's own and a shared one give the same bits", async () => {
    const bytes = readFileSync(join(root, "build/web/bin/weft.wasm"));
    const [shared, own] = await Promise.all([Core.load(bytes), Core.load(bytes, false)]);
    expect(shared.module.memory.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(own.module.memory.buffer).toBeInstanceOf(ArrayBuffer);
    expect(hashAfter(own)).toBe(hashAfter(shared));
});

/** A host that knows nothing of isolation. */
function plainHost(): Promise<Server> {
    const types: Record<string, string> = {
        ".html": "text/html",
        ".js": "text/javascript",
        ".css": "text/css",
        ".wasm": "application/wasm",
    };
    const server = createServer((request, response) => {
        const path = new URL(request.url!, "http://host").pathname;
        readFile(join(site, path === "/" ? "index.html" : path), (error, bytes) => {
            const type = types[extname(path) || ".html"] ?? "application/octet-stream";
            response.writeHead(error ? 404 : 200, { "content-type": type });
            response.end(bytes);
        });
    });
    return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

describe("in a browser", () => {
    let browser: Browser;
    let viewer: Viewer;
    let host: Server;

    beforeAll(async () => {
        [browser, viewer, host] = await Promise.all([launch(), Viewer.start(), plainHost()]);
    });
    afterAll(async () => {
        await browser.close();
        viewer.stop();
        host.close();
    });

    async function play(address: string): Promise<{ hash: string; threads: number }> {
        const visit = await (await Visit.open(browser, address)).ready();
        const { page } = visit;
        await page.setInputFiles("input[type=file]", {
            name: "sheet.json",
            mimeType: "application/json",
            buffer: Buffer.from(scene),
        });
        await page.waitForFunction(() => window.weft!.live.description?.name === "sheet");
        const result = await page.evaluate(async (steps) => {
            const { live } = window.weft!;
            live.player.playing = false;
            live.reset();
            let threads = 0;
            await new Promise((done) => setTimeout(done, 300));
            for (let i = 0; i < steps; i++) {
                await live.player.runAhead(1);
                threads = Math.max(threads, live.threads);
            }
            return { hash: await live.player.hash(0), threads };
        }, STEPS);
        expect(visit.faults.filter((fault) => !fault.includes("favicon"))).toEqual([]);
        await visit.close();
        return result;
    }

    test("helpers take part where weft view serves the page, nobody elsewhere", async () => {
        const { port } = host.address() as AddressInfo;
        const alone = await play(`http://127.0.0.1:${port}/?scene=swing&threads=3&paused`);
        const together = await play(`${viewer.address}?scene=swing&threads=3&paused`);
        expect(alone.threads).toBe(1);
        expect(together.threads).toBeGreaterThan(1);
        expect(together.hash).toBe(alone.hash);
    });
});
