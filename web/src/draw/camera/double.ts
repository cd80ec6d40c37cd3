// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Two clicks or taps at the same place, shortly one after the other.

const PAUSE = 350; // milliseconds between them
const REACH = 24; // pixels: fingers do not meet the same place twice
const STILL = 8; // pixels that the pointer may move while it is down

interface Press {
    x: number;
    y: number;
    time: number;
}

function apart(a: Press, b: Press): number {
    return Math.hypot(a.x - b.x, a.y - b.y);
}

export function onDouble(element: HTMLElement, act: (x: number, y: number) => void): void {
    let down: Press | null = null;
    let before: Press | null = null;
    element.addEventListener("pointerdown", (event) => {
        const { clientX: x, clientY: y, timeStamp: time } = event;
        if (!event.isPrimary || event.button !== 0) down = before = null;
        else down = { x, y, time };
    });
    // wherever it is let go: who holds the pointer may have taken it elsewhere
    window.addEventListener("pointerup", (event) => {
        const up = { x: event.clientX, y: event.clientY, time: event.timeStamp };
        const click = down && apart(down, up) < STILL && up.time - down.time < PAUSE ? up : null;
        down = null;
        if (click && before && click.time - before.time < PAUSE && apart(click, before) < REACH) {
            before = null;
            act(click.x, click.y);
        } else before = click;
    });
}
