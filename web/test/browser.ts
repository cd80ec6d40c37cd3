// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A real browser, and the page as `weft view` serves it.

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import type { App } from "../src/app/app";

/** Everything here is run from the folder of the page. */
export const root = join(process.cwd(), "..");
export const tool = process.env.WEFT_TOOL ?? join(root, "build/release/bin/weft");
export const site = join(root, "build/web/site");
/** Whether all is to be tested that takes minutes (`make test-long`). */
export const long = process.env.WEFT_LONG === "1";

// drawn by the processor, and quiet: the browser looks for nothing outside this machine
const quiet = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];
const drawing = ["--enable-unsafe-swiftshader"];

export function launch(flags: string[] = drawing): Promise<Browser> {
    const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    const executablePath = process.env.CHROMIUM ?? places.find((place) => existsSync(place));
    if (!executablePath) throw new Error("no Chromium: install it, or name it in CHROMIUM");
    return chromium.launch({ executablePath, args: [...quiet, ...flags] });
}

/** `weft view` with these files, until it is stopped. */
export class Viewer {
    private constructor(
        private readonly process: ChildProcess,
        readonly address: string,
    ) {}

    static start(files: string[] = []): Promise<Viewer> {
        const words = ["view", "--no-open", "--site", site, ...files];
        const child = spawn(tool, words, { stdio: ["ignore", "pipe", "inherit"] });
        return new Promise((resolve, reject) => {
            let said = "";
            child.on("error", reject);
            child.on("exit", (code) => reject(new Error(`weft view ended with ${code}`)));
            child.stdout!.on("data", (data: Buffer) => {
                said += data.toString();
                const address = /^(http:\S+)/.exec(said)?.[1];
                if (address && said.includes("\n")) resolve(new Viewer(child, address));
            });
        });
    }

    stop(): void {
        this.process.kill();
    }
}

declare global {
    interface Window {
        weft?: App;
    }
}

/** What Chromium says of its own accord where it draws without a graphics processor. */
const BROWSERS_OWN = /GPU stall due to ReadPixels/;

function openDrawers(): void {
    if (innerWidth > 900 && innerHeight > 500 && sessionStorage.getItem("weft-drawers") === null)
        sessionStorage.setItem("weft-drawers", "settings charts");
}

/** A page of its own, which takes down what goes wrong. */
export class Visit {
    readonly faults: string[] = [];

    private constructor(readonly page: Page) {
        page.on("console", (message) => {
            const fault = ["error", "warning"].includes(message.type());
            if (fault && !BROWSERS_OWN.test(message.text())) this.faults.push(message.text());
        });
        page.on("pageerror", (error) => this.faults.push(error.message));
        page.on("requestfailed", (request) => this.faults.push(`not loaded: ${request.url()}`));
    }

    /** Opens an address. Drawers are open where there is room for them, as somebody left them who was
     *  there before; `closed`: they are as at the first visit. */
    static async open(
        browser: Browser,
        address: string,
        options: BrowserContextOptions & { closed?: boolean } = {},
    ): Promise<Visit> {
        const { closed, ...others } = options;
        const context = await browser.newContext({
            viewport: { width: 640, height: 480 },
            deviceScaleFactor: 0.5, // every pixel is drawn by the processor
            ...others,
        });
        context.setDefaultTimeout(90_000); // two files share a busy machine
        if (!closed) await context.addInitScript(openDrawers);
        const visit = new Visit(await context.newPage());
        await visit.page.goto(address);
        return visit;
    }

    async ready(): Promise<this> {
        await this.page.waitForFunction(() => window.weft !== undefined);
        await this.page.evaluate(() => window.weft!.ready);
        return this;
    }

    close(): Promise<void> {
        return this.page.context().close();
    }
}

/** A place in the window where there is cloth all around. */
export function findCloth(page: Page): Promise<{ x: number; y: number }> {
    return page.evaluate(() => {
        const hits: { x: number; y: number }[] = [];
        const apart = Math.max(10, Math.round(innerWidth / 64));
        for (let x = apart; x < innerWidth; x += apart)
            for (let y = apart; y < innerHeight; y += apart) {
                const onCanvas = document.elementFromPoint(x, y)?.id === "view";
                if (onCanvas && window.weft!.stage.pick(x, y)) hits.push({ x, y });
            }
        const near = (a: { x: number; y: number }) =>
            hits.filter((b) => Math.hypot(a.x - b.x, a.y - b.y) < 60).length;
        return hits.sort((a, b) => near(b) - near(a))[0]!;
    });
}
