// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The page's end of a worker: one scene that one method plays. A worker that gives no sign of life
// for too long is ended, and so is one that broke down: a hung step never comes back by itself.

import { NOT_LOADED } from "./protocol";
import type {
    Advanced,
    Answers,
    FromWorker,
    GivenFile,
    Opened,
    Progress,
    Request,
    Touch,
    ToWorker,
} from "./protocol";
import { Watch } from "./watch";

/** Why a worker is no more: it was silent for so many seconds, or it broke down. */
export class LaneEnded extends Error {
    constructor(
        message: string,
        readonly during: Request["kind"],
        /** 0: not silent, but broken. */
        readonly seconds = 0,
    ) {
        super(message);
    }
}

interface Waiting {
    kind: Request["kind"];
    steps: number;
    since: number;
    resolve: (answer: never) => void;
    reject: (error: Error) => void;
}

function stepsOf(request: Request): number {
    return request.kind === "advance" ? request.steps : 0;
}

export class Lane {
    private readonly worker = new Worker(new URL("./worker.ts", import.meta.url), {
        type: "module",
    });
    private readonly waiting = new Map<number, Waiting>();
    private readonly watch = new Watch((seconds) => this.tooLong(seconds));
    private readonly given = new Set<GivenFile>();
    private nextId = 1;
    /** Told while garments are put on. */
    onProgress: (progress: Progress) => void = () => {};
    /** Told of touches that cannot be, and of strokes of the knife that ended. */
    onTouched: (told: { reason: string } | { edges: number }) => void = () => {};
    /** Why nothing will be answered any more, or null. */
    private broken: Error | null = null;

    constructor() {
        this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.receive(event.data);
        this.worker.onerror = (event) => {
            event.preventDefault();
            const words = event.message || NOT_LOADED;
            this.end(this.watch.loaded ? new LaneEnded(words, this.doing) : new Error(words));
        };
    }

    get ended(): boolean {
        return this.broken !== null;
    }

    request<K extends Request["kind"]>(
        request: Extract<Request, { kind: K }>,
        transfer: Transferable[] = [],
    ): Promise<Answers[K]> {
        const id = this.nextId++;
        const steps = stepsOf(request);
        return new Promise((resolve, reject) => {
            if (this.broken !== null) return reject(this.broken);
            const since = performance.now();
            this.waiting.set(id, { kind: request.kind, steps, since, resolve, reject });
            if (this.waiting.size === 1) this.watch.begin(request.kind);
            this.post({ id, request }, transfer);
        });
    }

    /** Threads that help the worker from now on. */
    setCrew(helpers: number): void {
        if (helpers > 0) this.post({ crew: helpers });
    }

    /** Files that the scene may name; those that the worker has are not sent again. */
    async give(files: GivenFile[]): Promise<void> {
        const fresh = files.filter((file) => !this.given.has(file));
        if (fresh.length === 0) return;
        await this.request({ kind: "give", files: fresh });
        for (const file of fresh) this.given.add(file);
    }

    touch(touch: Touch): void {
        this.post({ touch });
    }

    close(): void {
        this.end(new Error("closed"));
    }

    private post(message: ToWorker, transfer: Transferable[] = []): void {
        this.worker.postMessage(message, transfer);
    }

    /** What the worker is at, or was at last. */
    private get doing(): Request["kind"] {
        return this.waiting.values().next().value?.kind ?? "open";
    }

    private receive(message: FromWorker): void {
        this.watch.sign();
        if ("sign" in message) {
            this.watch.loaded = true;
            if (message.sign === "dressing") this.onProgress(message);
            if (message.sign === "refused" || message.sign === "cut") this.onTouched(message);
            return;
        }
        const waiting = this.waiting.get(message.id);
        if ("error" in message) this.fail(message.error, message.broken, waiting);
        else waiting?.resolve(message.answer as never);
        this.waiting.delete(message.id);
        if (waiting && "answer" in message) this.learn(waiting, message.answer);
        if (this.waiting.size === 0) this.watch.rest();
        else this.watch.begin(this.doing);
    }

    private fail(error: string, broken: boolean, waiting: Waiting | undefined): void {
        if (broken) this.end(new LaneEnded(error, waiting?.kind ?? this.doing));
        else waiting?.reject(new Error(error));
    }

    private learn({ kind, steps, since }: Waiting, answer: Opened | Advanced | unknown): void {
        const { wall } = (answer ?? {}) as Partial<Advanced>;
        if (steps > 0 && wall !== undefined) this.watch.learnStep(wall / steps);
        if (kind === "open" || kind === "change")
            this.watch.learnOpening(performance.now() - since);
    }

    private tooLong(seconds: number): void {
        this.end(new LaneEnded(`no answer for ${Math.round(seconds)} s`, this.doing, seconds));
    }

    private end(reason: Error): void {
        if (this.broken) return;
        this.broken = reason;
        this.worker.terminate();
        this.watch.rest();
        for (const { reject } of this.waiting.values()) reject(reason);
        this.waiting.clear();
    }
}
