// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where the panes of the stage lie, in CSS pixels from the upper left corner of the canvas.

import type { Insets, Rect } from "../layout";

export interface Pane {
    /** The part that nothing covers. */
    whole: Rect;
    /** The same without room for a caption, where there are several; the picture is centred here. */
    free: Rect;
    /** The part that is drawn: up to the edges of the canvas. */
    drawn: Rect;
}

export const NO_INSETS: Insets = { left: 0, right: 0, top: 0, bottom: 0 };

/** Pixels that a caption takes at the top of each pane: two lines. */
export const CAPTION = 58;
const LEAST = 0.3; // of the canvas is left to the panes, whatever covers it

// What is left of a length between two insets.
function uncovered(length: number, before: number, after: number): [number, number] {
    const left = length - before - after;
    if (left >= LEAST * length) return [before, left];
    const scale = ((1 - LEAST) * length) / (before + after);
    return [before * scale, LEAST * length];
}

// Two are side by side where the window is wide, also where drawers leave a part of it.
function columnsFor(count: number, free: Rect, wide: boolean): number {
    if (count === 1) return 1;
    const tall = free.height > (wide ? 2 * free.width : free.width);
    return count === 2 && tall ? 1 : 2;
}

function belowCaption(whole: Rect, room: number): Rect {
    const caption = Math.min(room, whole.height / 3);
    return { ...whole, y: whole.y + caption, height: whole.height - caption };
}

/** Side by side, or one above the other where the canvas is tall; three and four as two by two.
 *  `captions`: pixels at the top of each of several. */
export function layOut(
    count: number,
    width: number,
    height: number,
    insets: Insets,
    captions = CAPTION,
): Pane[] {
    const [left, freeWidth] = uncovered(width, insets.left, insets.right);
    const [top, freeHeight] = uncovered(height, insets.top, insets.bottom);
    const all = { x: left, y: top, width: freeWidth, height: freeHeight };
    const columns = columnsFor(count, all, width > height);
    const rows = Math.ceil(count / columns);
    const panes: Pane[] = [];
    for (let i = 0; i < rows * columns; i++) {
        const column = i % columns,
            row = Math.floor(i / columns);
        const whole = {
            x: left + (column * freeWidth) / columns,
            y: top + (row * freeHeight) / rows,
            width: freeWidth / columns,
            height: freeHeight / rows,
        };
        const x = column === 0 ? 0 : Math.round(whole.x);
        const y = row === 0 ? 0 : Math.round(whole.y);
        const right = column === columns - 1 ? width : Math.round(whole.x + whole.width) - 1;
        const bottom = row === rows - 1 ? height : Math.round(whole.y + whole.height) - 1;
        const drawn = { x, y, width: right - x, height: bottom - y };
        panes.push({ whole, free: count > 1 ? belowCaption(whole, captions) : whole, drawn });
    }
    return panes;
}

export function contains(rect: Rect, x: number, y: number): boolean {
    return x >= rect.x && y >= rect.y && x < rect.x + rect.width && y < rect.y + rect.height;
}
