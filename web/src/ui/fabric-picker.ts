// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The choice of a fabric: what is chosen as a card with its swatch and its numbers, and below it, when
// it is opened, a card for each fabric that there is. One element has the focus, as in any list of
// options; the arrows walk over the cards.

import { make, newId, setText } from "./dom";
import { menuClosed, menuOpened } from "./menus";
import type { FabricChoice, FabricOption, Value } from "./panel-types";
import { whenSeen } from "./seen";
import "./fabric-picker.css";

/** Milliseconds in which further letters belong to the same word. */
const TYPING = 700;

/** The option that words begin with, after the one that is marked; -1: none. */
export function findTyped(labels: string[], typed: string, after: number): number {
    const wanted = typed.toLowerCase();
    for (let i = 1; i <= labels.length; i++) {
        const at = (after + i) % labels.length;
        if (labels[at]!.toLowerCase().startsWith(wanted)) return at;
    }
    return -1;
}

class Card {
    readonly element: HTMLElement;
    private readonly picture = make("span", { class: "fabric-swatch", "aria-hidden": "true" });
    private readonly name = make("span", { class: "fabric-name" });
    private readonly brief = make("span", { class: "fabric-brief" });
    private drawn = "";

    constructor(element: HTMLElement) {
        this.element = element;
        element.append(this.picture, this.name, this.brief);
    }

    show(option: FabricOption, swatch: FabricChoice["swatch"]): void {
        setText(this.name, option.label);
        setText(this.brief, option.brief);
        const key = option.value + option.look;
        if (key === this.drawn) return;
        this.drawn = key;
        whenSeen(this.picture, () => {
            void swatch(option.value).then((picture) => {
                if (picture && this.drawn === key) this.picture.replaceChildren(picture);
            });
        });
    }
}

export class FabricPicker {
    readonly element: HTMLElement;
    private readonly button: HTMLButtonElement;
    private readonly current: Card;
    private readonly list: HTMLElement;
    private readonly about = make("p", { class: "hint" });
    private readonly facts = make("dl", { class: "fabric-facts" });
    private readonly source = make("p", { class: "hint" });
    private readonly cards = new Map<string, Card>();
    private options: FabricOption[] = [];
    private optionsKey = "";
    private marked = 0;
    private typed = { text: "", at: -Infinity };

    constructor(
        private item: FabricChoice,
        private readonly change: (id: string, value: Value) => void,
    ) {
        const id = newId("fabric");
        const label = make("span", { id: `${id}-label`, class: "fabric-label" }, item.label);
        this.button = make("button", {
            id,
            type: "button",
            class: "fabric-current",
            "aria-haspopup": "listbox",
            "aria-expanded": "false",
            "aria-labelledby": `${id}-label ${id}`,
        });
        this.current = new Card(this.button);
        this.list = make("div", {
            id: `${id}-list`,
            class: "fabric-list",
            role: "listbox",
            tabindex: "0",
            "aria-labelledby": `${id}-label`,
        });
        this.list.hidden = true;
        this.button.setAttribute("aria-controls", this.list.id);
        const numbers = make("summary", {}, "Measured numbers");
        const more = make("details", { class: "fabric-more" }, numbers, this.facts, this.source);
        this.element = make("div", { class: "item fabric" }, label, this.button, this.list);
        this.element.append(this.about, more);
        this.listen();
        this.update(item);
    }

    private listen(): void {
        this.button.addEventListener("click", () => this.open(Boolean(this.list.hidden)));
        this.list.addEventListener("keydown", (event) => this.pressed(event));
        this.list.addEventListener("click", (event) => {
            const card = (event.target as Element).closest<HTMLElement>("[role=option]");
            if (card) this.choose(card.dataset.value!);
        });
        this.element.addEventListener("focusout", ({ relatedTarget }) => {
            // a click on what takes no focus tells nothing
            if (relatedTarget && !this.element.contains(relatedTarget as Node)) this.open(false);
        });
    }

    update(item: FabricChoice): void {
        this.item = item;
        const chosen = item.options.find(({ value }) => value === item.value) ?? item.options[0]!;
        this.current.show(chosen, item.swatch);
        setText(this.about, chosen.text);
        this.about.hidden = !chosen.text;
        this.showFacts(chosen);
        if (!this.list.hidden) this.showOptions();
    }

    private showFacts({ facts, source }: FabricOption): void {
        const key = JSON.stringify(facts);
        if (this.facts.dataset.key !== key) {
            this.facts.dataset.key = key;
            const rows = facts.map(([name, value]) =>
                make("div", {}, make("dt", {}, name), make("dd", {}, value)),
            );
            this.facts.replaceChildren(...rows);
        }
        setText(this.source, source);
        this.source.hidden = !source;
    }

    /** Cards are made when the list is first seen. */
    private showOptions(): void {
        const { options, swatch, value } = this.item;
        const key = JSON.stringify(options.map((option) => [option.group, option.value]));
        this.options = options;
        if (key !== this.optionsKey) this.makeCards(options);
        this.optionsKey = key;
        for (const option of options) {
            const card = this.cards.get(option.value)!;
            card.show(option, swatch);
            card.element.setAttribute("aria-selected", String(option.value === value));
        }
    }

    private makeCards(options: FabricOption[]): void {
        this.cards.clear();
        const groups = new Map<string, HTMLElement>();
        for (const option of options) {
            const id = newId("option");
            const element = make("div", { id, role: "option", class: "fabric-card" });
            element.dataset.value = option.value;
            element.title = option.text;
            this.cards.set(option.value, new Card(element));
            if (!groups.has(option.group)) groups.set(option.group, makeGroup(option.group));
            groups.get(option.group)!.append(element);
        }
        this.list.replaceChildren(...groups.values());
    }

    open(on: boolean): void {
        if (on !== this.list.hidden) return;
        this.list.hidden = !on;
        this.button.setAttribute("aria-expanded", String(on));
        if (!on) return menuClosed(this);
        menuOpened(this);
        this.showOptions();
        this.list.focus();
        this.mark(
            Math.max(
                0,
                this.options.findIndex(({ value }) => value === this.item.value),
            ),
        );
    }

    private mark(index: number): void {
        const cards = this.options.map(({ value }) => this.cards.get(value)!.element);
        cards[this.marked]?.classList.remove("marked");
        this.marked = Math.min(Math.max(index, 0), cards.length - 1);
        const card = cards[this.marked]!;
        card.classList.add("marked");
        this.list.setAttribute("aria-activedescendant", card.id);
        card.scrollIntoView({ block: "nearest" });
    }

    /** How many cards stand side by side. */
    private get columns(): number {
        const tops = this.options.map(({ value }) => this.cards.get(value)!.element.offsetTop);
        const row = tops.filter((top) => top === tops[this.marked]).length;
        return Math.max(1, row);
    }

    private pressed(event: KeyboardEvent): void {
        const last = this.options.length - 1;
        const goals: Record<string, () => number> = {
            ArrowRight: () => this.marked + 1,
            ArrowLeft: () => this.marked - 1,
            ArrowDown: () => this.marked + this.columns,
            ArrowUp: () => this.marked - this.columns,
            Home: () => 0,
            End: () => last,
        };
        const goal = goals[event.key];
        if (goal) this.mark(goal());
        else if (event.key === "Enter" || event.key === " ") this.choose(this.markedValue);
        else if (event.key === "Escape") this.leave();
        else if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return;
        else this.type(event.key);
        event.preventDefault();
        event.stopPropagation(); // letters are keys of the page, too
    }

    private get markedValue(): string {
        return this.options[this.marked]!.value;
    }

    private type(letter: string): void {
        const now = performance.now();
        const text = now - this.typed.at < TYPING ? this.typed.text + letter : letter;
        this.typed = { text, at: now };
        const labels = this.options.map(({ label }) => label);
        const found = findTyped(labels, text, text.length > 1 ? this.marked - 1 : this.marked);
        if (found >= 0) this.mark(found);
    }

    private choose(value: string): void {
        this.leave();
        if (value !== this.item.value) this.change(this.item.id, value);
    }

    /** Closes the list. */
    leave(): void {
        this.open(false);
        this.button.focus();
    }
}

function makeGroup(title: string): HTMLElement {
    const group = make("div", { role: "group", "aria-label": title, class: "fabric-group" });
    if (title) group.append(make("h4", { "aria-hidden": "true" }, title));
    return group;
}
