// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Settings and charts share the window. Both are closed until somebody opens them; what was opened
// stays so for the session, and comes back where the window had become too small for it.

import type { Drawer } from "./drawer";

/** No room for several at once. */
export const small = matchMedia("(max-width: 900px), (max-height: 500px)");

const KEY = "weft-drawers";

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
    const arrange = () => show(small.matches ? wanted.slice(-1) : wanted);
    for (const [name, drawer] of all)
        drawer.onFold = (open) => {
            if (arranging) return;
            wanted = wanted.filter((other) => other !== name);
            if (open) wanted.push(name);
            remember(wanted);
            if (open && small.matches) show([name]);
        };
    small.addEventListener("change", arrange);
    arrange();
}
