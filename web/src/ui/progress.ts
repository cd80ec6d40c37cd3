// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A card that says how far something is that takes seconds, and lets it be stopped where it can.

import { make, setText } from "./dom";

export class ProgressCard {
    private readonly title = make("strong", {});
    private readonly stage = make("span", { class: "progress-stage" });
    private readonly bar = make("progress", { max: "1", value: "0" });
    private readonly button = make("button", { type: "button", class: "toast-action" }, "Cancel");
    readonly element: HTMLElement;

    constructor(stop: () => void) {
        this.button.addEventListener("click", stop);
        const words = make("div", { class: "progress-words" }, this.title, this.stage);
        this.element = make("div", { class: "progress-card glass", role: "status" });
        this.element.append(words, this.bar, this.button);
        this.element.hidden = true;
        document.body.append(this.element);
    }

    /** `part`: 0 to 1; null: nobody knows. */
    show(title: string, stage: string, part: number | null, stops = true): void {
        this.button.hidden = !stops;
        setText(this.title, title);
        setText(this.stage, stage);
        if (part === null) this.bar.removeAttribute("value");
        else this.bar.value = part;
        this.element.hidden = false;
    }

    hide(): void {
        this.element.hidden = true;
    }
}
