// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How much of the canvas the panels cover, so that the cloth can be shown in what is left.

import type { Insets } from "../layout";

export type Side = keyof Insets;

interface Cover {
    element: HTMLElement;
    side: () => Side;
}

const sides: Side[] = ["left", "right", "top", "bottom"];
const covers: Cover[] = [];
const watchers: ((insets: Insets) => void)[] = [];
const observer = new ResizeObserver(refreshInsets);
let insets: Insets = { left: 0, right: 0, top: 0, bottom: 0 };

function depth(element: HTMLElement, side: Side): number {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return 0;
    switch (side) {
        case "left":
            return box.right;
        case "right":
            return innerWidth - box.left;
        case "top":
            return box.bottom;
        case "bottom":
            return innerHeight - box.top;
    }
}

/** Measures again; the style sheet reads the result as --cover-left and so on. */
export function refreshInsets(): void {
    const next: Insets = { left: 0, right: 0, top: 0, bottom: 0 };
    for (const { element, side } of covers) {
        const where = side();
        next[where] = Math.max(next[where], Math.ceil(depth(element, where)));
    }
    if (sides.every((side) => next[side] === insets[side])) return;
    insets = next;
    for (const side of sides)
        document.documentElement.style.setProperty(`--cover-${side}`, `${insets[side]}px`);
    for (const callback of watchers) callback(layoutInsets());
}

/** Says that an element lies over the canvas, at a side that may depend on the window. */
export function addCover(element: HTMLElement, side: () => Side): void {
    covers.push({ element, side });
    observer.observe(element);
}

/** What is covered now, in CSS pixels from each side of the window. */
export function layoutInsets(): Insets {
    return { ...insets };
}

/** Calls whenever what is covered changes. */
export function onInsets(callback: (insets: Insets) => void): void {
    watchers.push(callback);
}

window.addEventListener("resize", refreshInsets);
