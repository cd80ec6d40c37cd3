// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Menus and lists that are open, so that Escape closes the one on top.

export interface Menu {
    readonly element: HTMLElement;
    /** Closes it, and gives the focus back to its button. */
    leave(): void;
}

const open: Menu[] = [];

export function menuOpened(menu: Menu): void {
    open.push(menu);
}

export function menuClosed(menu: Menu): void {
    const at = open.lastIndexOf(menu);
    if (at >= 0) open.splice(at, 1);
}

/** Closes the one that was opened last and is seen; false where there is none. */
export function leaveMenu(): boolean {
    const menu = open.findLast(({ element }) => element.checkVisibility());
    menu?.leave();
    return menu !== undefined;
}
