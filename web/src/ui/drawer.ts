// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A part of the page that a button of the toolbar shows and hides.

import { newId } from "./dom";
import { refreshInsets } from "./insets";

export class Drawer {
    /** Called when it was shown or hidden. */
    onFold: (open: boolean) => void = () => {};

    constructor(
        readonly element: HTMLElement,
        readonly toggle: HTMLButtonElement,
        private readonly name: string,
    ) {
        element.id = newId("drawer");
        toggle.setAttribute("aria-controls", element.id);
        toggle.addEventListener("click", () => this.setOpen(!this.open));
        this.setOpen(false);
    }

    get open(): boolean {
        return !this.element.hidden;
    }

    setOpen(open: boolean): void {
        const hadFocus = !open && this.element.contains(document.activeElement);
        this.element.hidden = !open;
        this.toggle.setAttribute("aria-expanded", String(open));
        this.toggle.title = `${open ? "Hide" : "Show"} ${this.name}`;
        if (hadFocus) this.toggle.focus();
        refreshInsets();
        this.onFold(open);
    }
}
