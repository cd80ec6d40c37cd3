// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Plays a scene away from the page, so that the page never freezes.

import moduleUrl from "../../../build/web/bin/weft.wasm?url";
import { Core, Play } from "./core";
import { Crew } from "./crew";
import { Past } from "./past";
import { Recorder } from "./recorder";
import { wordsOf } from "./words";
import { NOT_LOADED } from "./protocol";
import type {
    Advanced,
    Answers,
    Buffers,
    FromWorker,
    GivenFile,
    Opened,
    Request,
    SceneText,
    Start,
    Touch,
    ToWorker,
} from "./protocol";

/** Milliseconds between signs of life. */
const SIGN_INTERVAL = 200;
/** The same, of how far dressing is. */
const PROGRESS_INTERVAL = 50;

let play: Play | null = null;
/** Open, but not played yet. */
let next: Play | null = null;
/** The shape of what is played that the page knows, by its number. */
let toldShape = 0;

/** Of what is played. */
const past = new Past(touch);
let recorder: Recorder | null = null;

const core = loadCore();
core.then(
    (loaded) => {
        loaded.onProgress = tellProgress;
        send({ sign: "loaded" });
    },
    () => {}, // whoever asks for it is told
);

async function loadCore(): Promise<Core> {
    try {
        const response = await fetch(moduleUrl);
        if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
        // some hosts do not say what it is; then it cannot be compiled while it loads
        const known = response.headers.get("content-type") === "application/wasm";
        return await Core.load(known ? response : await response.arrayBuffer());
    } catch (error) {
        throw new Error(`${NOT_LOADED} (weft.wasm: ${wordsOf(error)})`);
    }
}

/** Of this worker's own. */
const crew = core.then((loaded) => new Crew(loaded));
crew.catch(() => {});

let toldProgress = -Infinity;

function tellProgress(part: number, stage: string): void {
    if (performance.now() - toldProgress < PROGRESS_INTERVAL) return;
    toldProgress = performance.now();
    send({ sign: "dressing", part, stage });
}

function playing(): Play {
    if (!play) throw new Error("no scene is open");
    return play;
}

function opened(of: Core): Opened {
    toldShape = playing().shapeNumber;
    return {
        shape: playing().shape(),
        description: playing().describe(),
        choices: of.choices(),
    };
}

function makeBuffers(vertexCount: number, bodyVertexCount: number): Buffers {
    return {
        positions: new Float32Array(3 * vertexCount),
        normals: new Float32Array(3 * vertexCount),
        field: new Float32Array(vertexCount),
        pinned: new Uint8Array(vertexCount),
        bodies: new Float32Array(3 * bodyVertexCount),
    };
}

function fillBuffers(from: Play, old: Buffers | undefined): Buffers {
    const { vertexCount, bodyVertexCount } = from;
    const fits = old?.pinned.length === vertexCount && old.bodies.length === 3 * bodyVertexCount;
    const buffers = fits ? old : makeBuffers(vertexCount, bodyVertexCount);
    buffers.positions.set(from.positions());
    buffers.normals.set(from.normals());
    buffers.field.set(from.field());
    buffers.pinned.set(from.pinned());
    buffers.bodies.set(from.bodies());
    return buffers;
}

function advance(request: Extract<Request, { kind: "advance" }>): Advanced {
    const scene = playing();
    const start = performance.now();
    const sign = signFrom(start);
    for (let i = 0; i < request.steps; i++) {
        past.step(scene);
        recorder?.took(scene, past.range.now);
        sign();
    }
    return shown(scene, request, performance.now() - start);
}

function rewind(request: Extract<Request, { kind: "rewind" }>): Advanced {
    const scene = playing();
    past.go(scene, request.step, request.exact, signFrom(performance.now()));
    return shown(scene, request, 0);
}

function signFrom(told: number): () => void {
    return () => {
        if (performance.now() - told < SIGN_INTERVAL) return;
        told = performance.now();
        send({ sign: "step" });
    };
}

/** `wall`: milliseconds that steps took. */
function shown(
    scene: Play,
    { field, buffers: old }: Extract<Request, { kind: "advance" | "rewind" }>,
    wall: number,
): Advanced {
    const threads = 1 + scene.core.call("play_helpers");
    scene.draw(field);
    const buffers = fillBuffers(scene, old);
    const numbers = { ...scene.numbers(), threads };
    const recording = recorder?.state ?? null;
    return { buffers, numbers, wall, past: past.range, recording, ...newShape(scene) };
}

function newShape(scene: Play): Pick<Advanced, "shape"> {
    if (scene.shapeNumber === toldShape) return {};
    toldShape = scene.shapeNumber;
    return { shape: scene.shape() };
}

function prepare(loaded: Core, { text, name, rival }: SceneText): Start {
    next?.close();
    next = null;
    next = Play.open(loaded, text, name, rival);
    next.draw(null);
    return {
        positions: next.positions().slice(),
        pinned: next.pinned().slice(),
        bodyShape: next.bodyShape(),
        bodies: next.bodies().slice(),
        description: next.describe(),
    };
}

function give(loaded: Core, files: GivenFile[]): null {
    for (const { name, bytes } of files) loaded.give(name, bytes);
    return null;
}

function enter(): void {
    if (!next) throw new Error("no scene is open");
    recorder?.end("The recording ended when another scene was begun.");
    play?.close();
    play = next;
    next = null;
}

/** Steps that were taken with other settings can be gone to, as long as the model is the same. */
function change(loaded: Core, request: Extract<Request, { kind: "change" }>): Opened {
    const { text, name, stepsOnly, rival } = request;
    playing().change(text, name, stepsOnly, rival);
    const { dt } = playing().describe().step;
    if (!stepsOnly) {
        past.begin(dt, false);
        recorder?.end("The recording ended when the cloth was changed.");
    }
    recorder?.changed(dt);
    return opened(loaded);
}

function record(on: boolean): null {
    recorder = on ? new Recorder(playing().describe().step.dt) : null;
    recorder?.took(playing(), past.range.now);
    return null;
}

/** What was recorded; or what can be gone back to, which is played again for it. */
function writeGlb(loaded: Core, ofPast: boolean): Blob {
    const sign = signFrom(performance.now());
    if (!ofPast) return recorded(loaded, recorder, sign);
    if (recorder) throw new Error("End the recording first.");
    const scene = playing();
    const { first, now, last } = past.range;
    const again = new Recorder(scene.describe().step.dt);
    for (let step = first; step <= last; step++) {
        past.go(scene, step, true);
        again.took(scene, step);
        sign();
    }
    past.go(scene, now, true);
    return recorded(loaded, again, sign);
}

function recorded(loaded: Core, from: Recorder | null, sign: () => void): Blob {
    recorder = null;
    if (!from) throw new Error("Nothing was recorded yet.");
    return from.write(loaded, sign);
}

async function answer(request: Request): Promise<Answers[keyof Answers]> {
    const loaded = await core;
    switch (request.kind) {
        case "give":
            return give(loaded, request.files);
        case "open":
            return prepare(loaded, request);
        case "dress":
            return loaded.dress(request.text, request.name);
        case "enter":
            enter();
            past.begin(playing().describe().step.dt, true);
            return opened(loaded);
        case "change":
            return change(loaded, request);
        case "reset":
            playing().reset();
            past.begin(playing().describe().step.dt, true);
            return opened(loaded);
        case "advance":
            return advance(request);
        case "rewind":
            return rewind(request);
        case "record":
            return record(request.on);
        case "glb":
            return writeGlb(loaded, request.past);
        case "hash":
            return playing().hash();
        case "hands":
            return playing().hands();
        case "setHands":
            playing();
            past.note({ kind: "hands", hands: request.hands });
            return null;
    }
}

/** The end of a stroke returns how many edges it cut. */
function touch(by: Touch): number | void {
    switch (by.kind) {
        case "grab":
            return play?.grab(by.vertex, by.point);
        case "drag":
            return play?.drag(by.point);
        case "drop":
            return play?.drop();
        case "pin":
            play?.togglePin(by.vertex);
            return;
        case "carry":
            return play?.carry(by.offset);
        case "body":
            return play?.moveBody(by.body, by.by);
        case "turn":
            return play?.turnBody(by.body, by.turn);
        case "cut":
            return play?.cut(by.vertex, by.point);
        case "hands":
            return play?.setHands(by.hands);
        case "blow":
            return play?.blow(by.at, by.along, by.strength);
        case "calm":
            return play?.calm();
        case "lift":
            return play?.liftKnife();
    }
}

function tryTouch(by: Touch): void {
    try {
        const edges = play && past.note(by);
        if (by.kind === "lift") send({ sign: "cut", edges: edges ?? 0 });
    } catch (error) {
        if (isTrap(error)) throw error;
        send({ sign: "refused", reason: wordsOf(error) });
    }
}

function send(message: FromWorker, transfer: Transferable[] = []): void {
    self.postMessage(message, { transfer });
}

/** What C cannot report: a step out of its memory, a stack or a memory that is full. */
function isTrap(error: unknown): boolean {
    return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

// one after the other: an answer may have to wait for the module
let last: Promise<void> = Promise.resolve();

async function handle(message: ToWorker): Promise<void> {
    if ("touch" in message) return tryTouch(message.touch);
    if ("crew" in message) return (await crew).growTo(message.crew);
    try {
        const result = await answer(message.request);
        const transfer =
            result !== null && typeof result === "object" && "buffers" in result
                ? Object.values(result.buffers).map((array) => array.buffer as ArrayBuffer)
                : [];
        send({ id: message.id, answer: result }, transfer);
    } catch (error) {
        send({ id: message.id, error: wordsOf(error), broken: isTrap(error) });
    }
}

self.onmessage = (event: MessageEvent<ToWorker>) => {
    last = last.then(() => handle(event.data));
};
