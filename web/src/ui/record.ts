// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The button that records: a small menu of what, the end of it, and a line that tells how long and
// how large it is.

import "./record.css";

import { make, setAttribute, setText } from "./dom";
import { icon } from "./icons";
import { menuClosed, menuOpened } from "./menus";

export type RecordKind = "video" | "glb" | "past";

const kinds: [RecordKind, string, string][] = [
    ["video", "Video", "WebM, as it looks here"],
    ["glb", "Animated mesh", "GLB with fabrics and bodies"],
    ["past", "The last seconds", "GLB of what can be rewound"],
];

export class RecordControl {
    private readonly button = make("button", { type: "button", class: "icon-button" });
    private readonly menu = make("div", { class: "record-menu", role: "menu", popover: "auto" });
    private readonly items = new Map<RecordKind, HTMLButtonElement>();
    private readonly words = make("span", {});
    readonly element = make("div", { class: "record" }, this.button, this.menu);
    /** How far a recording is; over the toolbar. */
    readonly line: HTMLElement;
    private running = false;
    onBegin: (kind: RecordKind) => void = () => {};
    onStop: () => void = () => {};
    /** What makes no sense now, with a reason. */
    refuses: (kind: RecordKind) => string | null = () => null;

    constructor() {
        this.line = make("div", { class: "record-line glass", role: "timer" });
        this.line.append(make("span", { class: "record-dot" }), this.words);
        this.menu.setAttribute("aria-label", "Record");
        this.menu.append(...kinds.map((kind) => this.makeItem(...kind)));
        this.menu.addEventListener("keydown", (event) => this.moveByKey(event));
        this.menu.addEventListener("toggle", (event) => {
            const open = (event as ToggleEvent).newState === "open";
            setAttribute(this.button, "aria-expanded", String(open));
            if (!open) menuClosed(this);
        });
        this.button.addEventListener("click", () => this.toggle());
        this.show(null);
    }

    private makeItem(kind: RecordKind, title: string, text: string): HTMLButtonElement {
        const item = make("button", { type: "button", role: "menuitem" });
        item.append(make("strong", {}, title), make("span", {}, text));
        item.addEventListener("click", () => {
            this.menu.hidePopover();
            this.onBegin(kind);
        });
        this.items.set(kind, item);
        return item;
    }

    /** Opens and closes the menu; while something is recorded, ends that. */
    toggle(): void {
        if (this.running) return this.onStop();
        if (this.menu.matches(":popover-open")) return this.menu.hidePopover();
        for (const [kind, , text] of kinds) {
            const item = this.items.get(kind)!;
            const reason = this.refuses(kind);
            item.disabled = reason !== null;
            setText(item.lastElementChild!, reason ?? text);
        }
        this.menu.showPopover();
        menuOpened(this);
        this.place();
        this.menu.querySelector<HTMLButtonElement>("button:enabled")?.focus();
    }

    /** Closes the menu. */
    leave(): void {
        menuClosed(this);
        this.menu.hidePopover();
        this.button.focus();
    }

    private place(): void {
        const { left, top, width } = this.button.getBoundingClientRect();
        const middle = left + width / 2 - this.menu.offsetWidth / 2;
        const most = innerWidth - this.menu.offsetWidth - 8;
        this.menu.style.left = `${Math.max(8, Math.min(middle, most))}px`;
        this.menu.style.top = `${Math.max(8, top - this.menu.offsetHeight - 8)}px`;
    }

    private moveByKey(event: KeyboardEvent): void {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        const items = [...this.items.values()].filter((item) => !item.disabled);
        const at = items.indexOf(document.activeElement as HTMLButtonElement);
        items[(at + by + items.length) % items.length]?.focus();
    }

    /** How far it is: "Video 0:07, 1.2 MB"; null: nothing is recorded. `ends`: it can be ended. */
    show(text: string | null, ends = true): void {
        const running = text !== null && ends;
        this.line.hidden = text === null;
        setText(this.words, text ?? "");
        if (running === this.running && this.button.childElementCount > 0) return;
        this.running = running;
        this.button.replaceChildren(icon(running ? "stop" : "record"));
        this.button.classList.toggle("recording", running);
        const label = running ? "End the recording" : "Record";
        setAttribute(this.button, "title", `${label} (V)`);
        setAttribute(this.button, "aria-label", label);
        setAttribute(this.button, "aria-haspopup", running ? undefined : "menu");
        setAttribute(this.button, "aria-expanded", running ? undefined : "false");
    }
}
