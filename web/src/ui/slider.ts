// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A slider stands on one of a list of values. So each position is a round number, the arrow keys
// move by amounts that matter, and what is shown is what is set.

import { make, newId, setAttribute, setText } from "./dom";
import { NumberField, sliderText } from "./number-field";
import type { Slider, Value } from "./panel-types";

const mostStops = 250;
const stopsPerDecade = 40;
/** How long after the last movement others may not move it. */
const holdTime = 400;

function roundTo(value: number, digits: number): number {
    return Number(value.toPrecision(digits));
}

/** The smallest of 1, 2, 5, 10, 20, ... that is not below `size`. */
function roundStep(size: number): number {
    const power = 10 ** Math.floor(Math.log10(size));
    const step = [1, 2, 5, 10].find((digit) => digit * power >= size * 0.999) ?? 10;
    return step * power;
}

function evenStops(slider: Slider): number[] {
    const least = roundStep((slider.max - slider.min) / mostStops);
    const step = slider.whole ? Math.max(1, least) : least;
    const stops: number[] = [];
    for (let i = Math.ceil(slider.min / step); i * step < slider.max; i++)
        stops.push(roundTo(i * step, 12));
    return stops;
}

function logStops(slider: Slider): number[] {
    const decades = Math.log10(slider.max / slider.min);
    const count = Math.min(mostStops, Math.ceil(decades * stopsPerDecade));
    const stops: number[] = [];
    for (let i = 1; i < count; i++) {
        const value = roundTo(slider.min * (slider.max / slider.min) ** (i / count), 2);
        stops.push(slider.whole ? Math.round(value) : value);
    }
    return stops;
}

/** The values that a slider can be set to, from low to high. */
export function sliderStops(slider: Slider): number[] {
    const inner = slider.log && slider.min > 0 ? logStops(slider) : evenStops(slider);
    const stops = new Set(slider.off === undefined ? [] : [0]);
    for (const value of [slider.min, ...inner, slider.max])
        if (value >= slider.min && value <= slider.max) stops.add(value);
    return [...stops].sort((a, b) => a - b);
}

/** The stop nearest to a value, which need not be on any: scenes say what they like. */
export function nearestStop(stops: number[], value: number, log: boolean): number {
    const measure = log && value > 0 ? (v: number) => (v > 0 ? Math.log(v) : -Infinity) : Number;
    let best = 0;
    stops.forEach((stop, i) => {
        const distance = Math.abs(measure(stop) - measure(value));
        if (distance < Math.abs(measure(stops[best]) - measure(value))) best = i;
    });
    return best;
}

export class SliderView {
    readonly element: HTMLElement;
    private readonly label: HTMLLabelElement;
    private readonly field: NumberField;
    private readonly input: HTMLInputElement;
    private stops: number[] = [];
    private stopsKey = "";
    private dragged = false;
    private holdTimer = 0;

    constructor(
        private slider: Slider,
        private readonly change: (id: string, value: Value) => void,
    ) {
        const id = newId("slider");
        this.label = make("label", { for: id });
        this.input = make("input", { id, type: "range", min: "0", step: "1" });
        this.field = new NumberField(slider, (value) => this.typed(value));
        this.element = make(
            "div",
            { class: "item slider" },
            this.label,
            this.field.input,
            this.input,
            this.field.fault,
        );
        this.listen();
        this.update(slider);
    }

    private listen(): void {
        this.input.addEventListener("input", () => this.moved());
        this.input.addEventListener("pointerdown", () => (this.dragged = true));
        for (const end of ["pointerup", "pointercancel", "blur"])
            this.input.addEventListener(end, () => this.released());
    }

    update(slider: Slider): void {
        this.slider = slider;
        setText(this.label, slider.label);
        setAttribute(this.element, "title", slider.title);
        this.input.disabled = slider.disabled ?? false;
        if (this.held) return;
        this.updateStops();
        this.input.value = String(nearestStop(this.stops, slider.value, slider.log));
        this.showValue(slider.value);
    }

    // While it is moved, and shortly after, what comes from outside is old news.
    private get held(): boolean {
        return this.dragged || this.holdTimer !== 0;
    }

    private updateStops(): void {
        const { min, max, log, whole, off } = this.slider;
        const key = JSON.stringify([min, max, log, whole, off]);
        if (key === this.stopsKey) return;
        this.stopsKey = key;
        this.stops = sliderStops(this.slider);
        this.input.max = String(this.stops.length - 1);
    }

    private showValue(value: number): void {
        this.field.show(this.slider, value);
        setAttribute(this.input, "aria-valuetext", sliderText(this.slider, value));
        const part = Number(this.input.value) / Math.max(1, this.stops.length - 1);
        this.input.style.setProperty("--part", String(part));
    }

    private moved(): void {
        const value = this.stops[Number(this.input.value)];
        this.slider = { ...this.slider, value };
        this.showValue(value);
        this.hold();
        this.change(this.slider.id, value);
    }

    private typed(value: number): void {
        this.slider = { ...this.slider, value };
        this.input.value = String(nearestStop(this.stops, value, this.slider.log));
        this.showValue(value);
        this.change(this.slider.id, value);
    }

    private released(): void {
        if (!this.dragged) return;
        this.dragged = false;
        this.hold();
    }

    private hold(): void {
        clearTimeout(this.holdTimer);
        this.holdTimer = window.setTimeout(() => {
            this.holdTimer = 0;
            this.update(this.slider);
        }, holdTime);
    }
}
