// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The keyboard.

import { helpIsOpen, toggleHelp } from "./help";
import { leaveMenu } from "./menus";
import type { Tool, Value } from "./panel-types";

export interface KeyTargets {
    togglePlay(): void;
    step(): void;
    stepBack(): void;
    reset(): void;
    chooseTool(tool: Tool): void;
    toggleSettings(): void;
    toggleCharts(): void;
    openGallery(): void;
    /** A hand that is moved by keys; whether the key is for it. */
    handKey(event: KeyboardEvent): boolean;
    /** The menu of what to record; or the end of a recording. */
    toggleRecord(): void;
    toggleText(): void;
    /** Closes what lies over the cloth. */
    close(): void;
    change(id: string, value: Value): void;
    /** The camera: degrees to the right and up; how far away, below 1 is nearer. */
    turn(right: number, up: number): void;
    zoom(factor: number): void;
    frame(): void;
}

const tools: Record<string, Tool> = {
    g: "grab",
    p: "pin",
    x: "cut",
    a: "blow",
    b: "body",
    o: "orbit",
};

function isTyping(target: EventTarget | null): boolean {
    if (target instanceof HTMLInputElement)
        return !["range", "checkbox", "radio", "button", "file"].includes(target.type);
    return (
        target instanceof HTMLTextAreaElement ||
        target instanceof HTMLSelectElement ||
        (target instanceof HTMLElement && target.isContentEditable)
    );
}

// A focused button or switch has its own use for the space bar. A chosen radio button has none.
function takesSpace(target: EventTarget | null): boolean {
    if (target instanceof HTMLInputElement)
        return target.type === "checkbox" || (target.type === "radio" && !target.checked);
    return target instanceof HTMLElement && target.closest("button, summary, a") !== null;
}

const turns: Record<string, [number, number]> = {
    arrowleft: [-5, 0],
    arrowright: [5, 0],
    arrowup: [0, 5],
    arrowdown: [0, -5],
};
const zooms: Record<string, number> = { "+": 0.9, "=": 0.9, "-": 1.1 };

/** Keys that go on as long as they are held down. */
function repeats(key: string): boolean {
    return [".", "n", ",", "[", "]"].includes(key) || key in turns || key in zooms;
}

/** Sliders, choices and groups of buttons have their own use for the arrows. */
function takesArrows(target: EventTarget | null): boolean {
    return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}

/** What a key does; undefined for keys that are not ours. */
function actionOf(key: string, targets: KeyTargets): (() => void) | undefined {
    if (key in tools) return () => targets.chooseTool(tools[key]!);
    if (key in turns) return () => targets.turn(...turns[key]!);
    if (key in zooms) return () => targets.zoom(zooms[key]!);
    switch (key) {
        case " ":
            return () => targets.togglePlay();
        case ".":
        case "n":
            return () => targets.step();
        case ",":
            return () => targets.stepBack();
        case "r":
            return () => targets.reset();
        case "1":
        case "2":
        case "3":
        case "4":
            return () => targets.change("panes", Number(key));
        case "f":
            return () => targets.frame();
        case "w":
            return () => targets.change("surface", "next");
        case "s":
            return () => targets.toggleSettings();
        case "c":
            return () => targets.toggleCharts();
        case "v":
            return () => targets.toggleRecord();
        case "t":
            return () => targets.toggleText();
        case "e":
            return () => targets.openGallery();
        case "h":
        case "?":
            return toggleHelp;
        case "escape":
            return () => targets.close();
        default:
            return undefined;
    }
}

/** Ctrl+Z, Ctrl+Shift+Z, Ctrl+Y, and the same with Cmd; null for all other keys. */
function historyKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string | null {
    if (ctrlKey === metaKey || altKey) return null;
    if (key.toLowerCase() === "z") return shiftKey ? "redo" : "undo";
    return key.toLowerCase() === "y" && !shiftKey ? "redo" : null;
}

function pressed(event: KeyboardEvent, targets: KeyTargets): void {
    const key = event.key.toLowerCase();
    const back = historyKey(event);
    if (back && !isTyping(event.target) && !document.querySelector("dialog[open]")) {
        event.preventDefault();
        return targets.change(back, true);
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.repeat && !repeats(key)) return;
    // the open card closes itself on Escape and lets no other key through to the page below
    if (helpIsOpen() && key !== "h" && key !== "?") return;
    // others close themselves, too
    if (document.querySelector("dialog:not(.help)[open]")) return;
    if (key === "escape" && leaveMenu()) return event.preventDefault();
    if (key !== "escape" && isTyping(event.target)) return;
    if (key === " " && takesSpace(event.target)) return;
    if (key in turns && takesArrows(event.target)) return;
    const forHand = !takesArrows(event.target) && targets.handKey(event);
    const action = forHand ? () => {} : actionOf(key, targets);
    if (!action) return;
    event.preventDefault();
    action();
}

export function installKeys(targets: KeyTargets): void {
    window.addEventListener("keydown", (event) => pressed(event, targets));
}
