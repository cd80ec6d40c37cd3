// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Settings, charts and text share the window. They are closed until somebody opens them; what was opened
// stays so for the session, and comes back where the window had become too small for it.

import type { Drawer } from "./drawer";

/** No room for several at once. */
export const small = matchMedia("(max-width: 900px), (max-height: 500px)");

const KEY = "weft-drawers";
const PICTURE = 340; // pixels beside drawers that the picture has at least
const GAP = 10;

/** As wide as style.css and text-drawer.css have them in a window of this width. */
function widthOf(name: string, width: number): number {
    if (name === "text") return GAP + Math.min(430, 0.42 * width);
    return GAP + (name === "charts" ? 248 : 292);
}

/** Of drawers in the order in which they were opened, those that there is room for: the last one, and
 *  others as long as they fit. */
export function fitting(wanted: string[], width: number): string[] {
    const shown: string[] = [];
    let left = width - PICTURE;
    for (const name of [...wanted].reverse()) {
        left -= widthOf(name, width);
        if (shown.length > 0 && left < 0) break;
        shown.unshift(name);
    }
    return shown;
}

/** Names, in the order in which they were opened. */
function remembered(): string[] {
    try {
        return (sessionStorage.getItem(KEY) ?? "").split(" ").filter((name) => name !== "");
    } catch {
        return [];
    }
}

function remember(names: string[]): void {
    try {
        sessionStorage.setItem(KEY, names.join(" "));
    } catch {
        // nothing is remembered where the browser keeps nothing
    }
}

export function shareRoom(drawers: Record<string, Drawer>): void {
    const all = Object.entries(drawers);
    let wanted = remembered();
    let arranging = false;
    const show = (names: string[]) => {
        arranging = true;
        for (const [name, drawer] of all)
            if (drawer.open !== names.includes(name)) drawer.setOpen(!drawer.open);
        arranging = false;
    };
    const arrange = () => show(small.matches ? wanted.slice(-1) : fitting(wanted, innerWidth));
    for (const [name, drawer] of all)
        drawer.onFold = (open) => {
            if (arranging) return;
            wanted = wanted.filter((other) => other !== name);
            if (open) wanted.push(name);
            remember(wanted);
            if (open) arrange();
        };
    window.addEventListener("resize", arrange);
    arrange();
}
