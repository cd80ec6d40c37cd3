// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The bar over the toolbar of a scene that is paused: a slider over its last seconds, and steps back
// and forth. It lies over the picture, which stays where it is.

import "./past-line.css";

import { make, setAttribute, setText } from "./dom";
import { icon } from "./icons";

export interface PastActions {
    /** To a step; not `exact`: to one close by, while the slider is on its way. */
    goTo(step: number, exact: boolean): void;
    back(): void;
    forward(): void;
}

/** Steps since the start: the first that can be gone to, where it stands, the last one. */
export interface Range {
    first: number;
    now: number;
    last: number;
}

function stepButton(name: "back" | "step", label: string, act: () => void): HTMLButtonElement {
    const button = make("button", { type: "button", class: "icon-button", title: label });
    setAttribute(button, "aria-label", label.replace(/ \(.*\)$/, ""));
    button.append(icon(name));
    button.addEventListener("click", act);
    return button;
}

export class PastLine {
    readonly element = make("div", { class: "past-line glass", role: "group" });
    private readonly slider = make("input", { type: "range", step: "1", "aria-label": "Rewind" });
    private readonly seconds = make("span", { class: "past-seconds" });
    private readonly backButton: HTMLButtonElement;
    private dragged = false;

    constructor(actions: PastActions) {
        this.backButton = stepButton("back", "One step back (,)", () => actions.back());
        const forward = stepButton("step", "One step forward (.)", () => actions.forward());
        setAttribute(this.element, "aria-label", "The last seconds");
        this.element.append(this.backButton, this.slider, forward, this.seconds);
        this.element.hidden = true;
        this.slider.addEventListener("pointerdown", () => (this.dragged = true));
        this.slider.addEventListener("input", () => actions.goTo(this.value, !this.dragged));
        this.slider.addEventListener("change", () => {
            this.dragged = false;
            actions.goTo(this.value, true);
        });
    }

    private get value(): number {
        return Number(this.slider.value);
    }

    /** `time`: seconds of the scene; null: there is nothing to go back to. `why`: why it cannot be
     *  gone back to, else null. */
    show(range: Range | null, time: number, why: string | null = null): void {
        const there = range !== null && (range.last > range.first || (why !== null && time > 0));
        this.element.hidden = !there;
        if (!there) return;
        this.slider.style.display = why === null ? "" : "none"; // there is no room for both
        if (why !== null) return this.refuse(why);
        setAttribute(this.slider, "min", String(range.first));
        setAttribute(this.slider, "max", String(range.last));
        if (!this.dragged) this.slider.value = String(range.now);
        const part = (this.value - range.first) / (range.last - range.first);
        this.slider.style.setProperty("--part", String(part));
        const text = `${time.toFixed(2)} s`;
        setText(this.seconds, text);
        setAttribute(this.slider, "aria-valuetext", text);
        this.backButton.disabled = range.now <= range.first;
    }

    private refuse(why: string): void {
        this.backButton.disabled = true;
        setText(this.seconds, why);
    }
}
