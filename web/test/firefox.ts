// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Debian's Firefox, driven by its own protocol (Marionette): messages of the form "LENGTH:JSON" over a
// socket of this machine. It draws to a screen of its own (Xvfb): without one it has no WebGL.

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const settings = {
    "marionette.port": 0, // any that is free
    "webgl.force-enabled": true,
    "browser.shell.checkDefaultBrowser": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "toolkit.telemetry.enabled": false,
    "app.update.enabled": false,
    "network.captive-portal-service.enabled": false,
    "network.connectivity-service.enabled": false,
    "browser.safebrowsing.update.enabled": false,
};

const PATIENCE = 110_000; // ms: every pixel is drawn by a processor that others use as well

const pause = (time: number) => new Promise((done) => setTimeout(done, time));

function startScreen(
    width: number,
    height: number,
): Promise<{ screen: ChildProcess; name: string }> {
    const words = ["-displayfd", "1", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp"];
    const screen = spawn("Xvfb", words, { stdio: ["ignore", "pipe", "ignore"] });
    return new Promise((resolve, reject) => {
        screen.on("error", () => reject(new Error("no Xvfb: install it, for Firefox to draw on")));
        screen.stdout!.once("data", (data: Buffer) =>
            resolve({ screen, name: `:${data.toString().trim()}` }),
        );
    });
}

type Message = [type: number, id: number, error: { message: string } | null, result: unknown];

export class Firefox {
    private bytes = Buffer.alloc(0);
    private readonly waiting = new Map<number, (message: Message) => void>();
    private nextId = 1;

    private constructor(
        private readonly processes: ChildProcess[],
        private readonly profile: string,
        private readonly socket: Socket,
    ) {
        socket.on("data", (data) => this.receive(Buffer.from(data as Uint8Array)));
    }

    static async start(width: number, height: number): Promise<Firefox> {
        const places = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];
        const program = process.env.FIREFOX ?? places.find((place) => existsSync(place));
        if (!program) throw new Error("no Firefox: install it, or name it in FIREFOX");
        const profile = mkdtempSync(join(tmpdir(), "weft-firefox-"));
        const lines = Object.entries(settings).map(
            ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
        );
        writeFileSync(join(profile, "user.js"), lines.join("\n"));
        const words = ["--marionette", "--no-remote", "--profile", profile];
        words.push("--width", String(width), "--height", String(height));
        const { screen, name } = await startScreen(width, height);
        const env = { ...process.env, DISPLAY: name, LIBGL_ALWAYS_SOFTWARE: "1" };
        const child = spawn(program, words, { stdio: "ignore", env });
        const file = join(profile, "MarionetteActivePort");
        while (!existsSync(file) || readFileSync(file).length === 0) {
            if (child.exitCode !== null) throw new Error(`Firefox ended with ${child.exitCode}`);
            await pause(100);
        }
        const socket = connect(Number(readFileSync(file, "utf8")), "127.0.0.1");
        const firefox = new Firefox([child, screen], profile, socket);
        await firefox.ask("WebDriver:NewSession", {});
        await firefox.ask("WebDriver:SetTimeouts", { script: PATIENCE });
        return firefox;
    }

    async stop(): Promise<void> {
        this.socket.destroy();
        for (const process of this.processes) {
            const ended = new Promise((done) => process.once("exit", done));
            process.kill();
            await ended;
        }
        rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }

    async open(address: string): Promise<void> {
        await this.ask("WebDriver:Navigate", { url: address });
    }

    /** What the body of a function returns in the page; a promise is waited for. */
    async run<T>(body: string): Promise<T> {
        const script = `const done = arguments[arguments.length - 1];
            (async () => { ${body} })().then(done, (error) => done({ failed: String(error) }));`;
        const options = { script, args: [], sandbox: null };
        const { value } = (await this.ask("WebDriver:ExecuteAsyncScript", options)) as { value: T };
        const { failed } = (value ?? {}) as { failed?: string };
        if (failed) throw new Error(failed);
        return value;
    }

    /** A PNG of the window, in base 64. */
    async screenshot(): Promise<string> {
        const options = { full: false };
        const { value } = (await this.ask("WebDriver:TakeScreenshot", options)) as {
            value: string;
        };
        return value;
    }

    private ask(name: string, parameters: object): Promise<unknown> {
        const id = this.nextId++;
        const text = JSON.stringify([0, id, name, parameters]);
        this.socket.write(`${Buffer.byteLength(text)}:${text}`);
        return new Promise((resolve, reject) => {
            this.waiting.set(id, ([, , error, result]) => {
                if (error) reject(new Error(`${name}: ${error.message}`));
                else resolve(result);
            });
        });
    }

    private receive(data: Buffer): void {
        this.bytes = Buffer.concat([this.bytes, data]);
        for (;;) {
            const colon = this.bytes.indexOf(":");
            const length = Number(this.bytes.subarray(0, colon).toString());
            if (colon < 0 || this.bytes.length < colon + 1 + length) return;
            const text = this.bytes.subarray(colon + 1, colon + 1 + length).toString();
            this.bytes = Buffer.from(this.bytes.subarray(colon + 1 + length));
            const message = JSON.parse(text) as Message | object;
            if (Array.isArray(message))
                this.waiting.get(message[1] as number)?.(message as Message);
        }
    }
}
