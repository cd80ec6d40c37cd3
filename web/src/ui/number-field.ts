// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The number beside a slider, which can be typed: Enter takes it, Escape leaves it. What cannot be
// taken is told below, and stays to be mended.

import "./number-field.css";
import { make, newId, setAttribute, setText } from "./dom";
import { formatNumber, readNumber, withUnit } from "./number";
import type { Slider } from "./panel-types";

/** As it is shown: with its unit, or in a word. */
export function sliderText(slider: Slider, value: number): string {
    if (slider.off !== undefined && value === 0) return slider.off;
    return withUnit(plainText(slider, value), slider.unit);
}

function plainText(slider: Slider, value: number): string {
    return slider.whole ? String(Math.round(value)) : formatNumber(value);
}

/** The value that was typed, or in words why it is none. */
export function typedValue(slider: Slider, text: string): number | string {
    const { label, min, max, unit, off, whole } = slider;
    if (off !== undefined && text.trim().toLowerCase() === off.toLowerCase()) return 0;
    const value = readNumber(text, unit);
    const example = withUnit(plainText(slider, slider.value || min), unit);
    if (value === null) return `${label} is a number, such as ${example}`;
    if (value === 0 && off !== undefined) return 0;
    const rounded = whole ? Math.round(value) : value;
    if (rounded >= min && rounded <= max) return rounded;
    const otherwise = off === undefined ? "" : `, or "${off}"`;
    const range = `${plainText(slider, min)} to ${withUnit(plainText(slider, max), unit)}`;
    return `${label} goes from ${range}${otherwise}`;
}

export class NumberField {
    readonly input = make("input", {
        type: "text",
        class: "number-field",
        inputmode: "decimal",
        autocomplete: "off",
        spellcheck: "false",
    });
    readonly fault = make("p", { class: "hint number-fault", role: "alert" });

    constructor(
        private slider: Slider,
        private readonly take: (value: number) => void,
    ) {
        this.fault.id = newId("fault");
        this.fault.hidden = true;
        this.input.addEventListener("focus", () => this.begin());
        this.input.addEventListener("blur", () => this.commit());
        this.input.addEventListener("keydown", (event) => this.key(event));
    }

    /** What is being typed stays. */
    show(slider: Slider, value: number): void {
        this.slider = { ...slider, value };
        setAttribute(this.input, "aria-label", `${slider.label}, as a number`);
        this.input.disabled = slider.disabled ?? false;
        if (!this.typing) this.showValue();
    }

    private get typing(): boolean {
        return document.activeElement === this.input;
    }

    private showValue(): void {
        const text = sliderText(this.slider, this.slider.value);
        if (this.input.value !== text) this.input.value = text;
        this.input.style.setProperty("--length", `${Math.max(4, text.length)}ch`);
    }

    private begin(): void {
        this.tell("");
        const { value, off } = this.slider;
        const word = off !== undefined && value === 0;
        this.input.value = word ? off : String(Number(value.toPrecision(6)));
        this.input.select();
    }

    private commit(): void {
        const value = typedValue(this.slider, this.input.value);
        this.tell(typeof value === "string" ? value : "");
        if (typeof value === "number" && this.changes(value)) this.take(value);
        if (this.typing) return;
        this.showValue();
        setAttribute(this.input, "aria-invalid", undefined);
    }

    private changes(value: number): boolean {
        return value !== Number(this.slider.value.toPrecision(6));
    }

    private key(event: KeyboardEvent): void {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        if (event.key === "Enter") {
            this.commit();
            if (this.fault.hidden) this.begin();
        } else {
            this.begin(); // what it was
            this.input.blur();
        }
    }

    private tell(words: string): void {
        setText(this.fault, words);
        this.fault.hidden = words === "";
        setAttribute(this.input, "aria-invalid", words ? "true" : undefined);
        setAttribute(this.input, "aria-describedby", words ? this.fault.id : undefined);
    }
}
