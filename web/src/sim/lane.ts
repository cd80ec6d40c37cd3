// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The page's end of a worker: one scene that one method plays.

import { NOT_LOADED } from "./protocol";
import type { Answers, FromWorker, Request, Touch, ToWorker } from "./protocol";

export class Lane {
    private readonly worker = new Worker(new URL("./worker.ts", import.meta.url), {
        type: "module",
    });
    private readonly waiting = new Map<
        number,
        { resolve: (answer: never) => void; reject: (error: Error) => void }
    >();
    private nextId = 1;
    /** Why nothing will be answered any more, or null. */
    private broken: string | null = null;

    constructor() {
        this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.receive(event.data);
        this.worker.onerror = (event) => {
            event.preventDefault();
            this.failAll(event.message || NOT_LOADED);
        };
    }

    request<K extends Request["kind"]>(
        request: Extract<Request, { kind: K }>,
        transfer: Transferable[] = [],
    ): Promise<Answers[K]> {
        const id = this.nextId++;
        return new Promise((resolve, reject) => {
            if (this.broken !== null) return reject(new Error(this.broken));
            this.waiting.set(id, { resolve, reject });
            this.post({ id, request }, transfer);
        });
    }

    touch(touch: Touch): void {
        this.post({ touch });
    }

    close(): void {
        this.worker.terminate();
        this.failAll("closed");
    }

    private post(message: ToWorker, transfer: Transferable[] = []): void {
        this.worker.postMessage(message, transfer);
    }

    private receive(message: FromWorker): void {
        const waiting = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if ("error" in message) waiting?.reject(new Error(message.error));
        else waiting?.resolve(message.answer as never);
    }

    private failAll(reason: string): void {
        this.broken = reason;
        for (const { reject } of this.waiting.values()) reject(new Error(reason));
        this.waiting.clear();
    }
}
