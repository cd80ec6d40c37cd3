// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The simulator: weft.wasm, and a scene that it plays. web/core/play.h says what the functions do.
// Runs in a page, in a worker and in Node.js alike.

import { type HandState, readHands, writeHands } from "./hands";
import { parseIntoMemory } from "./json";
import { compileModule, type Module, type Seat } from "./module";
import type { Look } from "../look";
import type { BodyShape, Shape } from "../shape";

/** The functions of web/core/exports.txt: numbers in, numbers out; pointers are numbers too. */
type Exports = Record<string, (...numbers: number[]) => number>;

/** Numbers of the last step, by name: web/core/describe.c lists them; and how many threads took part
 *  in the last steps. */
export type Numbers = Record<string, number>;

/** A setting of a cloth or of steps, as play_describe() gives it. */
export interface Description {
    name: string;
    duration: number;
    frames: number;
    step: Record<string, number | string | boolean | number[]> & {
        dt: number;
        method: string;
        quality: number;
        iterations: number[];
        budget_ms: number;
    };
    gravity: number[];
    wind: number[];
    contact: string;
    /** How many. */
    bodies: number;
    /** As it is played: "none" also where the scene asks for one and cannot have it. */
    mirror: string;
    closure: string;
    /** What was found when the scene was read. */
    findings: string[];
    /** One for each cloth, then one for each fabric that panels of garments name. */
    looks: SceneLook[];
    cloths: {
        fabric: FabricNumbers;
        vertices: number;
        triangles: number;
        threads: number;
        /** Vertices that are shown of it. */
        shown: number;
        /** Of garments, in the order of the pattern. */
        panels: string[];
        stretch: string;
        shear: string;
        bend: string;
        bend_by: string;
        estimator: string;
    }[];
}

/** What a fabric is in numbers, in the units of fabric files. */
export type FabricNumbers = Record<string, number> & { stretch: [number, number] };

/** What a cloth, or some of its panels, is made of. */
export interface SceneLook {
    /** Which of the cloths. */
    cloth: number;
    /** By name; empty: by numbers only. */
    fabric: string;
    /** Of garments: the names of those that are made of it. */
    panels: string[];
    numbers: FabricNumbers;
    look: Look;
}

/** One line for each thing a user can choose. */
export interface LibraryChoice {
    group: string;
    name: string;
    text: string;
    /** Of the group "fabric". */
    numbers?: FabricNumbers;
    look?: Look;
}

/** Fields of the library, in the order of WeftField. */
export const libraryFields = ["stretch", "curvature", "speed"] as const;
export type LibraryField = (typeof libraryFields)[number];

/** A message of the library's own: what is wrong with a scene or a step. */
export class WeftError extends Error {}

export class Core {
    /** Told while garments are put on: how much is done, 0 to 1, and what is. */
    onProgress: (part: number, stage: string) => void = () => {};
    /** Told of bytes of a file that is written, and where in it they go. */
    onWrite: (place: number, bytes: Uint8Array) => void = () => {};

    private constructor(
        readonly exports: Exports,
        readonly module: Module,
    ) {}

    /** Make a core out of the bytes of weft.wasm, or out of a response that streams them. */
    static async load(source: BufferSource | Response, shares = true): Promise<Core> {
        const core = await Core.instantiate(await compileModule(source, shares));
        core.call("_initialize");
        return core;
    }

    /** Take part in what another core on the same memory does; never returns. */
    static async help({ module, stack, seat }: Seat): Promise<void> {
        const core = await Core.instantiate(module);
        core.call("stackRestore", stack);
        core.call("play_help", seat);
    }

    private static async instantiate(module: Module): Promise<Core> {
        let core: Core | undefined;
        const imports = importsFor(() => core!, module.memory);
        const instance = await WebAssembly.instantiate(module.code, imports);
        core = new Core(instance.exports as Exports, module);
        return core;
    }

    call(name: string, ...numbers: number[]): number {
        return this.exports[name]!(...numbers);
    }

    /** The memory as it is now: it moves when it grows. */
    memory(): ArrayBuffer {
        return this.module.memory.buffer;
    }

    /** The text at an address, up to a zero. */
    text(address: number): string {
        const bytes = new Uint8Array(this.memory(), address);
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
    }

    /** Put texts into memory for the time of a call. */
    withTexts<T>(texts: string[], use: (...places: [number, number][]) => T): T {
        const places = texts.map((text): [number, number] => {
            const bytes = new TextEncoder().encode(text);
            const address = this.call("malloc", bytes.length + 1);
            if (address === 0) throw new WeftError("out of memory");
            const to = new Uint8Array(this.memory(), address, bytes.length + 1);
            to.set(bytes);
            to[bytes.length] = 0;
            return [address, bytes.length];
        });
        try {
            return use(...places);
        } finally {
            for (const [address] of places) this.call("free", address);
        }
    }

    /** A file that scenes may name. */
    give(name: string, bytes: Uint8Array): void {
        const address = this.call("malloc", bytes.length + 1);
        if (address === 0) throw new WeftError(`${name}: out of memory`);
        new Uint8Array(this.memory(), address, bytes.length).set(bytes);
        const good = this.withTexts([name], ([at]) =>
            this.call("play_give_file", at, address, bytes.length),
        );
        this.call("free", address);
        if (!good) throw new WeftError(`${name}: out of memory`);
    }

    /** Put on what the bodies of a scene wear: a start file for it, or null where it is none. */
    dress(text: string, name: string): string | null {
        const address = this.withTexts([text, name], ([at, length], [nameAt]) =>
            this.call("play_dress", at, length, nameAt),
        );
        if (address === 0) throw this.error();
        return this.text(address) || null;
    }

    error(): WeftError {
        return new WeftError(this.text(this.call("play_error")));
    }

    choices(): LibraryChoice[] {
        return JSON.parse(this.text(this.call("play_choices"))) as LibraryChoice[];
    }
}

/** What the module asks of its host: a clock, a parser, and the calls of a C library that has no
 *  files to offer. */
function importsFor(core: () => Core, memory: WebAssembly.Memory): WebAssembly.Imports {
    const NO_SUCH_FILE = 44;
    const refuse = () => NO_SUCH_FILE;
    return {
        page: {
            now: () => performance.now() / 1000,
            progress: (part: number, stage: number) => core().onProgress(part, core().text(stage)),
            write: (place: number, bytes: number, count: number) =>
                core().onWrite(place, new Uint8Array(core().memory(), bytes, count)),
            parse_json: (text: number, length: number, error: number) =>
                parseJson(core(), text, length, error),
        },
        env: { memory, emscripten_notify_memory_growth: () => {} },
        wasi_snapshot_preview1: {
            fd_write: refuse,
            fd_read: refuse,
            fd_close: refuse,
            fd_seek: refuse,
        },
    };
}

/** json_error_t of web/core/json/jansson.h: line, column, memory, and a text of 160 bytes. */
function parseJson(core: Core, address: number, length: number, error: number): number {
    // a copy: what is shared cannot be decoded
    const bytes = new Uint8Array(core.memory(), address, length).slice();
    const text = new TextDecoder().decode(bytes);
    const allocate = (bytes: number) => core.call("malloc", bytes);
    const parsed = parseIntoMemory(text, () => core.memory(), allocate);
    if (typeof parsed === "number" && parsed !== 0) return parsed;
    const view = new DataView(core.memory());
    if (parsed === 0) {
        view.setInt32(error + 8, 1, true);
        return 0;
    }
    view.setInt32(error, parsed.line, true);
    view.setInt32(error + 4, parsed.column, true);
    const words = new TextEncoder().encode(parsed.text).slice(0, 159);
    new Uint8Array(core.memory(), error + 12, 160).set(words);
    return 0;
}

/** A scene that is played. */
export class Play {
    private readonly names: string[];

    private constructor(
        readonly core: Core,
        private readonly address: number,
    ) {
        this.names = core.text(core.call("play_number_names")).split(" ");
    }

    /** `rival`: by what weft is compared with. */
    static open(core: Core, text: string, name: string, rival = false): Play {
        core.call("play_take_rival", rival ? 1 : 0);
        const address = core.withTexts([text, name], ([at, length], [nameAt]) =>
            core.call("play_open", at, length, nameAt),
        );
        if (address === 0) throw core.error();
        return new Play(core, address);
    }

    close(): void {
        this.call("play_close");
    }

    private call(name: string, ...numbers: number[]): number {
        return this.core.call(name, this.address, ...numbers);
    }

    private check(good: number): void {
        if (!good) throw this.core.error();
    }

    change(text: string, name: string, stepsOnly: boolean, rival = false): void {
        this.core.call("play_take_rival", rival ? 1 : 0);
        this.check(
            this.core.withTexts([text, name], ([at, length], [nameAt]) =>
                this.call("play_change", at, length, nameAt, stepsOnly ? 1 : 0),
            ),
        );
    }

    reset(): void {
        this.check(this.call("play_reset"));
    }

    step(): void {
        this.check(this.call("play_step"));
    }

    /** All that moves, and what hands do: to come back to. */
    save(): Uint8Array<ArrayBuffer> {
        const size = this.call("play_save", 0, 0);
        const address = this.core.call("malloc", size);
        if (address === 0) throw new WeftError("out of memory");
        this.call("play_save", address, size);
        const bytes = new Uint8Array(this.core.memory(), address, size).slice();
        this.core.call("free", address);
        return bytes as Uint8Array<ArrayBuffer>;
    }

    load(bytes: Uint8Array): void {
        const address = this.core.call("malloc", bytes.length);
        if (address === 0) throw new WeftError("out of memory");
        new Uint8Array(this.core.memory(), address, bytes.length).set(bytes);
        const good = this.call("play_load", address, bytes.length);
        this.core.call("free", address);
        this.check(good);
    }

    describe(): Description {
        return JSON.parse(this.core.text(this.call("play_describe"))) as Description;
    }

    /** Another number whenever shape() has become another: where steps split vertices. */
    get shapeNumber(): number {
        return this.call("play_shape");
    }

    get vertexCount(): number {
        return this.call("play_vertex_count");
    }

    shape(): Shape {
        const vertexCount = this.vertexCount;
        const triangleCount = this.call("play_triangle_count");
        const lineCount = this.call("play_line_count");
        const layers = this.layers();
        const memory = this.core.memory(); // which may have grown until here
        const indices = (name: string, count: number) =>
            new Uint32Array(memory, this.call(name), count).slice();
        const bytes = (name: string) =>
            new Uint8Array(memory, this.call(name), triangleCount).slice();
        const corners = this.call("play_corner_texture");
        return {
            vertexCount,
            triangles: indices("play_triangles", 3 * triangleCount),
            lines: indices("play_lines", 2 * lineCount),
            uv: new Float32Array(memory, this.call("play_texture"), 2 * vertexCount).slice(),
            triangleLooks: bytes("play_triangle_looks"),
            trianglePanels: bytes("play_triangle_panels"),
            ...(corners !== 0 && {
                cornerUv: new Float32Array(memory, corners, 6 * triangleCount).slice(),
                layers,
            }),
            bodies: this.bodyShape(),
        };
    }

    private layers(): number[] {
        const starts = [0];
        for (const { shown } of this.describe().cloths) starts.push(starts.at(-1)! + shown);
        return starts;
    }

    bodyShape(): BodyShape {
        const count = this.call("play_body_count");
        const triangleCount = this.call("play_body_triangle_count");
        const memory = this.core.memory();
        const indices = (name: string, length: number) =>
            new Uint32Array(memory, this.call(name), length).slice();
        return {
            triangles: indices("play_body_triangles", 3 * triangleCount),
            starts: indices("play_body_starts", count + 1),
            planes: new Uint8Array(memory, this.call("play_planes"), count).slice(),
        };
    }

    get bodyVertexCount(): number {
        const last = this.call("play_body_starts") / 4 + this.call("play_body_count");
        return new Uint32Array(this.core.memory())[last]!;
    }

    /** Bring positions, normals and the field up to date; the arrays below then hold them. */
    draw(field: LibraryField | null): void {
        this.check(this.call("play_draw", field ? libraryFields.indexOf(field) : -1));
    }

    private floats(name: string, perVertex: number): Float32Array {
        return new Float32Array(this.core.memory(), this.call(name), perVertex * this.vertexCount);
    }

    /** Views into the module's memory, valid until the next call. */
    positions = () => this.floats("play_positions", 3);
    normals = () => this.floats("play_normals", 3);
    field = () => this.floats("play_field", 1);
    pinned = () => new Uint8Array(this.core.memory(), this.call("play_pinned"), this.vertexCount);
    bodies = () =>
        new Float32Array(
            this.core.memory(),
            this.call("play_body_positions"),
            3 * this.bodyVertexCount,
        );

    /** A recording has the mesh and the looks that it has now. */
    record(): void {
        this.check(this.call("play_record"));
    }

    numbers(): Numbers {
        const address = this.call("play_numbers");
        this.check(address);
        const list = new Float64Array(this.core.memory(), address, this.names.length);
        return Object.fromEntries(this.names.map((name, i) => [name, list[i]!]));
    }

    hash(): string {
        return this.core.text(this.call("play_hash"));
    }

    /** At a place next to a vertex; without one, at the vertex. */
    grab(vertex: number, point: readonly number[] = [NaN, NaN, NaN]): void {
        this.call("play_grab", vertex, ...point);
    }

    drag(point: readonly number[]): void {
        this.call("play_drag", ...point);
    }

    drop(): void {
        this.call("play_drop");
    }

    togglePin(vertex: number): boolean {
        return this.call("play_toggle_pin", vertex) !== 0;
    }

    carry(offset: readonly number[]): void {
        this.call("play_carry", ...offset);
    }

    moveBody(body: number, by: readonly number[]): void {
        this.call("play_move_body", body, ...by);
    }

    /** By a unit quaternion, about its middle. */
    turnBody(body: number, turn: readonly number[]): void {
        this.call("play_turn_body", body, ...turn);
    }

    blow(at: readonly number[], along: readonly number[], strength: number): void {
        this.call("play_blow", ...at, ...along, strength);
    }

    calm(): void {
        this.call("play_calm");
    }

    /** The knife goes on to a place next to a vertex; -1: beside the cloth. */
    cut(vertex: number, point: readonly number[]): void {
        this.check(this.call("play_cut", vertex, ...point));
    }

    /** How many edges the stroke cut. */
    liftKnife(): number {
        return this.call("play_lift_knife");
    }

    /** What hands did since the start. */
    hands(): HandState {
        const address = this.call("play_hands");
        if (address === 0) throw new WeftError("out of memory");
        const [count] = new Float64Array(this.core.memory(), address, 1);
        const numbers = new Float64Array(this.core.memory(), address + 8, count!);
        return readHands(numbers, this.firsts());
    }

    /** Does the same again, to a scene that was opened or reset. */
    setHands(hands: HandState): void {
        const numbers = writeHands(hands, this.firsts());
        const address = this.core.call("malloc", 8 * numbers.length);
        if (address === 0) throw new WeftError("out of memory");
        new Float64Array(this.core.memory(), address, numbers.length).set(numbers);
        const good = this.call("play_set_hands", address, numbers.length);
        this.core.call("free", address);
        this.check(good);
    }

    private firsts(): number[] {
        const firsts = [0];
        for (const { vertices } of this.describe().cloths) firsts.push(firsts.at(-1)! + vertices);
        return firsts;
    }
}
