// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the panel shows and what it asks for. The panel knows nothing of cloth: what can be set is
// described to it, and comes back as a change of a value by its name.

export interface Slider {
    kind: "slider";
    id: string;
    label: string;
    /** "N/m"; empty for plain numbers. */
    unit: string;
    min: number;
    max: number;
    value: number;
    /** Even steps of the logarithm. */
    log: boolean;
    /** Whole numbers only. */
    whole: boolean;
    /** The position "off" at the lower end, shown instead of `min`; its value is 0. */
    off?: string;
    title?: string;
    disabled?: boolean;
}

export interface Choice {
    kind: "choice";
    id: string;
    label: string;
    options: { value: string; label: string; title?: string }[];
    value: string;
    title?: string;
    disabled?: boolean;
}

export interface Toggle {
    kind: "toggle";
    id: string;
    label: string;
    value: boolean;
    title?: string;
    /** What came of it, in a line below. */
    hint?: string;
    disabled?: boolean;
}

export interface Button {
    kind: "button";
    id: string;
    label: string;
    title?: string;
}

/** A fabric among others. */
export interface FabricOption {
    value: string;
    label: string;
    /** Those of one group stand together; empty: without a title. */
    group: string;
    /** What it is, in a line. */
    text: string;
    /** Two or three numbers that tell most. */
    brief: string;
    /** All numbers, with their units. */
    facts: [string, string][];
    /** Where they come from; may be empty. */
    source: string;
    /** Another text where it looks different. */
    look: string;
}

export interface FabricChoice {
    kind: "fabric";
    id: string;
    label: string;
    options: FabricOption[];
    value: string;
    /** A picture of a fabric; null: there is none. */
    swatch: (value: string) => Promise<HTMLElement | null>;
}

/** A colour of one's own, "#b8573f". */
export interface ColourChoice {
    kind: "colour";
    id: string;
    label: string;
    value: string;
    title?: string;
}

export type Item = Slider | Choice | Toggle | Button | FabricChoice | ColourChoice;

export interface Section {
    id: string;
    title: string;
    /** Whether it starts unfolded. */
    open: boolean;
    items: Item[];
}

export type Value = number | string | boolean;
export type Tool = "grab" | "pin" | "cut" | "blow" | "body" | "orbit";

export interface PanelActions {
    play(on: boolean): void;
    /** One step, paused. */
    step(): void;
    stepBack(): void;
    reset(): void;
    setTool(tool: Tool): void;
    openScene(id: string): void;
    openGallery(): void;
    /** A cloth or a body, to put into the scene. */
    openAdd(): void;
    openFiles(files: File[]): void;
    /** A slider, choice, toggle or button of a section was used. */
    change(id: string, value: Value): void;
    /** The camera: degrees to the right and up; how far away, below 1 is nearer. */
    turn(right: number, up: number): void;
    zoom(factor: number): void;
    /** All that is there, in the picture. */
    frame(): void;
    /** A hand that is moved by keys; whether the key is for it. */
    handKey(event: KeyboardEvent): boolean;
}

/** What a step cost and what came out of it; one per lane (method) and drawn frame. */
export interface Sample {
    lane: number;
    /** Name of the method, for legends. */
    label: string;
    /** Milliseconds of the step by phase: name and time, in the order of the step. */
    phases: [string, number][];
    /** Milliseconds of the whole step. */
    total: number;
    /** Milliseconds, once per frame, to work out what is shown; null: as it is simulated. */
    detail: number | null;
    /** Joules by kind: kinetic, gravity, stretch, bend. */
    energies: [string, number][];
    /** Largest stretch, 0.01 for one per cent. */
    stretch: number;
}
