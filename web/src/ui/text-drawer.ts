// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The drawer of the scene's text. Its editor is put in when it is first opened.

import { make } from "./dom";
import { Drawer } from "./drawer";
import { icon } from "./icons";
import "./text-drawer.css";

function makeToggle(): HTMLButtonElement {
    const toggle = make("button", { type: "button", class: "icon-button" });
    toggle.setAttribute("aria-label", "Text of the scene");
    toggle.append(icon("text"));
    return toggle;
}

export class TextDrawer extends Drawer {
    /** For the editor. */
    readonly body = make("div", { class: "text-body" });
    /** What goes on, or what is wrong. */
    readonly status = make("p", { class: "text-status", role: "status" });

    constructor(add: () => void) {
        const element = make("section", { class: "text-drawer glass" });
        super(element, makeToggle(), "the text of the scene (T)");
        element.setAttribute("aria-label", "Text of the scene");
        const close = make("button", {
            type: "button",
            class: "icon-button",
            "aria-label": "Close",
        });
        close.append(icon("close"));
        close.addEventListener("click", () => this.setOpen(false));
        const more = make("button", { type: "button", class: "text-add" }, "Add…");
        more.title = "Add a cloth or a body";
        more.addEventListener("click", add);
        const header = make("header", { class: "drawer-header" });
        header.append(make("h2", {}, "Text"), more, close);
        element.append(header, this.body, this.status);
    }

    /** Called when it is opened. */
    onOpen: () => void = () => {};

    override setOpen(open: boolean): void {
        super.setOpen(open);
        if (open) this.onOpen?.(); // there is none yet while it is made
    }

    /** `wrong`: it is the reason why the text does not count yet. */
    tell(words: string, wrong = false): void {
        if (this.status.textContent !== words) this.status.textContent = words;
        this.status.classList.toggle("wrong", wrong);
    }
}
