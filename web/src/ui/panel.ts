// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The settings: sections of sliders, choices, toggles and buttons, as they are described.

import { make, newId, setAttribute, setText } from "./dom";
import { Drawer } from "./drawer";
import { toggleHelp } from "./help";
import { icon, type IconName } from "./icons";
import { FabricPicker } from "./fabric-picker";
import type { Button, Choice, ColourChoice, Item, Section, Toggle, Value } from "./panel-types";
import { SliderView } from "./slider";
import { toggleTheme } from "./theme";

type Change = (id: string, value: Value) => void;

interface View<T> {
    readonly element: HTMLElement;
    update(item: T): void;
}

class ChoiceView implements View<Choice> {
    readonly element: HTMLElement;
    private readonly label: HTMLLabelElement;
    private readonly select: HTMLSelectElement;
    private readonly hint = make("p", { class: "hint" });
    private optionsKey = "";

    constructor(
        private choice: Choice,
        change: Change,
    ) {
        const id = newId("choice");
        this.label = make("label", { for: id });
        this.select = make("select", { id });
        this.element = make("div", { class: "item choice" }, this.label, this.select, this.hint);
        this.select.addEventListener("change", () => {
            this.showHint();
            change(this.choice.id, this.select.value);
        });
        this.update(choice);
    }

    update(choice: Choice): void {
        this.choice = choice;
        setText(this.label, choice.label);
        setAttribute(this.element, "title", choice.title);
        this.updateOptions(choice);
        if (this.select.value !== choice.value) this.select.value = choice.value;
        this.select.disabled = choice.disabled ?? false;
        this.showHint();
    }

    private updateOptions(choice: Choice): void {
        const key = JSON.stringify(choice.options);
        if (key === this.optionsKey) return;
        this.optionsKey = key;
        const options = choice.options.map(({ value, label, title }) =>
            make("option", title ? { value, title } : { value }, label),
        );
        this.select.replaceChildren(...options);
    }

    // What the chosen option is, in a line: a touch screen shows no tooltips.
    private showHint(): void {
        const option = this.choice.options.find(({ value }) => value === this.select.value);
        setText(this.hint, option?.title ?? "");
        this.hint.hidden = !option?.title;
    }
}

class ToggleView implements View<Toggle> {
    readonly element: HTMLElement;
    private readonly text = make("span");
    private readonly input = make("input", { type: "checkbox", role: "switch" });
    private readonly hint = make("p", { class: "hint", role: "status" });

    constructor(toggle: Toggle, change: Change) {
        const label = make("label", { class: "toggle" }, this.text, this.input);
        this.element = make("div", { class: "item" }, label, this.hint);
        this.input.addEventListener("change", () => change(toggle.id, this.input.checked));
        this.update(toggle);
    }

    update(toggle: Toggle): void {
        setText(this.text, toggle.label);
        setAttribute(this.element, "title", toggle.title);
        this.input.checked = toggle.value;
        this.input.disabled = toggle.disabled ?? false;
        setText(this.hint, toggle.hint ?? "");
        this.hint.hidden = !toggle.hint;
    }
}

class ButtonView implements View<Button> {
    readonly element = make("button", { type: "button", class: "item button" });

    constructor(button: Button, change: Change) {
        this.element.addEventListener("click", () => change(button.id, true));
        this.update(button);
    }

    update(button: Button): void {
        setText(this.element, button.label);
        setAttribute(this.element, "title", button.title);
    }
}

class ColourView implements View<ColourChoice> {
    readonly element: HTMLElement;
    private readonly text = make("span");
    private readonly input = make("input", { type: "color" });

    constructor(colour: ColourChoice, change: Change) {
        const label = make("label", { class: "toggle colour" }, this.text, this.input);
        this.element = make("div", { class: "item" }, label);
        this.input.addEventListener("change", () => change(colour.id, this.input.value));
        this.update(colour);
    }

    update(colour: ColourChoice): void {
        setText(this.text, colour.label);
        setAttribute(this.element, "title", colour.title);
        if (document.activeElement !== this.input) this.input.value = colour.value;
    }
}

function makeView(item: Item, change: Change): View<Item> {
    switch (item.kind) {
        case "slider":
            return new SliderView(item, change) as View<Item>;
        case "choice":
            return new ChoiceView(item, change) as View<Item>;
        case "toggle":
            return new ToggleView(item, change) as View<Item>;
        case "button":
            return new ButtonView(item, change) as View<Item>;
        case "fabric":
            return new FabricPicker(item, change) as View<Item>;
        case "colour":
            return new ColourView(item, change) as View<Item>;
    }
}

class SectionView {
    readonly element: HTMLDetailsElement;
    private readonly title = make("summary");
    private readonly body = make("div", { class: "items" });
    private views: View<Item>[] = [];
    private key = "";

    constructor(
        section: Section,
        private readonly change: Change,
    ) {
        this.element = make("details", { class: "section" }, this.title, this.body);
        this.element.open = section.open;
        this.update(section);
    }

    // The elements are made again only when other items are to be shown.
    update(section: Section): void {
        setText(this.title, section.title);
        const key = section.items.map(({ kind, id }) => `${kind} ${id}`).join();
        if (key === this.key) {
            section.items.forEach((item, i) => this.views[i].update(item));
            return;
        }
        this.key = key;
        this.views = section.items.map((item) => makeView(item, this.change));
        this.body.replaceChildren(...this.views.map(({ element }) => element));
    }
}

function headerButton(name: IconName, label: string, action: () => void): HTMLButtonElement {
    const button = make("button", { type: "button", class: "icon-button", title: label });
    button.setAttribute("aria-label", label);
    button.append(icon(name));
    button.addEventListener("click", action);
    return button;
}

function makeToggle(): HTMLButtonElement {
    const button = make("button", { type: "button", class: "icon-button" });
    button.setAttribute("aria-label", "Settings");
    button.append(icon("settings"));
    return button;
}

function nameHistory(button: HTMLButtonElement, name: string, what: string | null, keys: string) {
    const words = what ? `${name}: ${what}` : name;
    button.disabled = what === null;
    button.setAttribute("aria-label", words);
    button.title = `${words} (${keys})`;
}

export class Panel extends Drawer {
    private readonly body = make("div", { class: "drawer-body" });
    private readonly sections = new Map<string, SectionView>();
    private readonly undo = headerButton("undo", "Undo", () => this.change("undo", true));
    private readonly redo = headerButton("redo", "Redo", () => this.change("redo", true));

    constructor(private readonly change: Change) {
        const element = make("section", { class: "panel glass", "aria-label": "Settings" });
        super(element, makeToggle(), "the settings (S)");
        element.append(this.makeHeader(), this.body);
        this.setHistory(null, null);
    }

    private makeHeader(): HTMLElement {
        return make(
            "header",
            { class: "drawer-header" },
            make("h2", {}, "Settings"),
            this.undo,
            this.redo,
            headerButton("link", "Copy link", () => this.change("copy-link", true)),
            headerButton("theme", "Light or dark", toggleTheme),
            headerButton("help", "Keys and gestures (H)", toggleHelp),
            headerButton("close", "Hide the settings", () => this.setOpen(false)),
        );
    }

    /** What can be undone and redone, in words; null: nothing. */
    setHistory(undo: string | null, redo: string | null): void {
        nameHistory(this.undo, "Undo", undo, "Ctrl+Z");
        nameHistory(this.redo, "Redo", redo, "Ctrl+Shift+Z");
    }

    /** Shows these sections; what is there already stays, with its folds, focus and drags. */
    show(sections: Section[]): void {
        const views = sections.map((section) => this.sectionView(section));
        const elements = views.map(({ element }) => element);
        const shown = [...this.body.children];
        const known = shown.length === elements.length && elements.every((e, i) => e === shown[i]);
        if (!known) this.body.replaceChildren(...elements);
    }

    private sectionView(section: Section): SectionView {
        const known = this.sections.get(section.id);
        if (known) {
            known.update(section);
            return known;
        }
        const view = new SectionView(section, this.change);
        this.sections.set(section.id, view);
        return view;
    }
}
