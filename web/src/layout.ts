// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the stage and what lies over it both need to know of the window.

export type Theme = "light" | "dark";

/** CSS pixels from the upper left corner. */
export interface Rect {
    x: number;
    y: number;
    width: number;
    height: number;
}

/** What covers the edges of the canvas, in CSS pixels. */
export interface Insets {
    left: number;
    right: number;
    top: number;
    bottom: number;
}
