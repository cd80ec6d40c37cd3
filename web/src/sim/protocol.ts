// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What page and worker say to each other. A worker plays one scene; requests are answered in their
// order, touches are not answered.

import type { Description, LibraryChoice, LibraryField, Numbers } from "./core";
import type { HandState } from "./hands";
import type { PastRange } from "./past";
import type { RecordingState } from "./recorder";
import type { BodyShape, Shape } from "../shape";

export interface SceneText {
    text: string;
    /** Stands for the file in messages. */
    name: string;
    /** Played by what weft is compared with. */
    rival?: boolean;
}

/** A file that scenes name, of a user's own. */
export interface GivenFile {
    name: string;
    bytes: Uint8Array;
}

export type Request =
    /** Scenes may name them from now on. */
    | { kind: "give"; files: GivenFile[] }
    /** Makes a scene beside the one that is played; "enter" then puts it in its place. */
    | ({ kind: "open" } & SceneText)
    | { kind: "enter" }
    /** A start file for a scene with garments. */
    | ({ kind: "dress" } & SceneText)
    | ({ kind: "change"; stepsOnly: boolean } & SceneText)
    | { kind: "reset" }
    | { kind: "advance"; steps: number; field: LibraryField | null; buffers?: Buffers }
    /** To a step that was taken; not `exact`: or to one close by, which is there at once. */
    | {
          kind: "rewind";
          step: number;
          exact: boolean;
          field: LibraryField | null;
          buffers?: Buffers;
      }
    /** Record what is played from now on; off: forget it. */
    | { kind: "record"; on: boolean }
    /** What was recorded, as a GLB; `past`: what can be gone back to, instead. */
    | { kind: "glb"; past: boolean }
    | { kind: "hash" }
    /** What hands did since the start; and do it again. */
    | { kind: "hands" }
    | { kind: "setHands"; hands: HandState };

export type Touch =
    /** At a place of the cloth next to a vertex. */
    | { kind: "grab"; vertex: number; point?: number[] }
    | { kind: "drag"; point: number[] }
    | { kind: "drop" }
    | { kind: "pin"; vertex: number }
    /** What holds the cloth, and all bodies: how far they are from where the scene has them. */
    | { kind: "carry"; offset: number[] }
    /** One body: further by this, or turned by a quaternion about its middle. */
    | { kind: "body"; body: number; by: number[] }
    | { kind: "turn"; body: number; turn: number[] }
    /** A knife goes on to a place of the cloth next to a vertex, -1: beside it; the stroke ends. */
    | { kind: "cut"; vertex: number; point: number[] }
    | { kind: "lift" }
    /** What hands did, all at once. */
    | { kind: "hands"; hands: HandState }
    /** A breath through a place, from now on; 1 is a usual one. */
    | { kind: "blow"; at: number[]; along: number[]; strength: number }
    | { kind: "calm" };

/** Go from worker to page with every drawn frame, and back for the next one. */
export interface Buffers {
    positions: Float32Array<ArrayBuffer>;
    normals: Float32Array<ArrayBuffer>;
    field: Float32Array<ArrayBuffer>;
    pinned: Uint8Array<ArrayBuffer>;
    /** Positions of what the cloth touches. */
    bodies: Float32Array<ArrayBuffer>;
}

/** What a scene begins with. */
export interface Start {
    positions: Float32Array;
    pinned: Uint8Array;
    bodyShape: BodyShape;
    bodies: Float32Array;
    description: Description;
}

export interface Opened {
    shape: Shape;
    description: Description;
    choices: LibraryChoice[];
}

export interface Advanced {
    buffers: Buffers;
    /** What is drawn from now on, where cloth was cut or torn. */
    shape?: Shape;
    numbers: Numbers;
    /** Which steps can be gone to. */
    past: PastRange;
    /** Null: nothing is recorded. */
    recording: RecordingState | null;
    /** Milliseconds of all steps of the request, measured around them. */
    wall: number;
}

export interface Answers {
    give: null;
    open: Start;
    enter: Opened;
    dress: string | null;
    change: Opened;
    reset: Opened;
    advance: Advanced;
    rewind: Advanced;
    record: null;
    glb: Blob;
    hash: string;
    hands: HandState;
    setHands: null;
}

/** `crew`: how many helpers to have, at least. */
export type ToWorker = { id: number; request: Request } | { touch: Touch } | { crew: number };
/** `broken`: the module failed below its own errors and is not to be used again. */
export type Failure = { id: number; error: string; broken: boolean };
/** How far dressing is: 0 to 1, and what is done. */
export interface Progress {
    part: number;
    stage: string;
}
/** A sign of life: the module is there, or one more step is done. */
export type Sign =
    | { sign: "loaded" | "step" }
    /** What hands asked for cannot be, and why; or how many edges a stroke cut. */
    | { sign: "refused"; reason: string }
    | { sign: "cut"; edges: number }
    | ({ sign: "dressing" } & Progress);
export type FromWorker = { id: number; answer: Answers[keyof Answers] } | Failure | Sign;

export const NOT_LOADED = "The simulator could not be loaded: reload the page to try again";
