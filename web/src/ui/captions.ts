// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Captions of the panes, when several methods run side by side.

import type { Rect } from "../layout";
import { make, setText } from "./dom";
import { layoutInsets, onInsets } from "./insets";

export interface PaneLabel {
    /** The method. */
    title: string;
    /** What it costs and how well it does: "2.4 ms, 12 mm rms". */
    detail: string;
    /** Which of the options it is, where there are any. */
    value?: string;
}

export interface PaneOption {
    value: string;
    label: string;
    /** Where the label does not fit. */
    short: string;
}

const NARROW = 320; // pixels of a pane, without room for labels
const BESIDE = 180; // pixels that a caption has at least beside a button; else it is below it
const WIDE = 330; // pixels in which most captions have a line or two

/** Where a caption may be: from the top down, between two sides. */
export interface Span {
    left: number;
    right: number;
    top: number;
}

/** The spans without what a button takes up at the top left. */
export function spansBeside(spans: Span[], button: { right: number; bottom: number }): Span[] {
    const hit = ({ left, top }: Span) => left < button.right && top < button.bottom;
    const tight = spans.some((span) => hit(span) && span.right - button.right < BESIDE);
    return spans.map((span) => {
        if (tight && span.top < button.bottom) return { ...span, top: button.bottom };
        if (!hit(span)) return span;
        // in the middle of the pane, where that is wide enough
        const taken = button.right - span.left;
        const right = span.right - taken;
        const middle = right - button.right >= WIDE;
        return { ...span, left: button.right, right: middle ? right : span.right };
    });
}

class Caption {
    readonly element: HTMLElement;
    private readonly title = make("strong");
    private readonly select = make("select");
    private readonly detail = make("span", { class: "detail" });
    private options: PaneOption[] = [];
    private narrow = false;

    constructor(pane: number, onChoose: (pane: number, value: string) => void) {
        const swatch = make("span", { class: "swatch", style: `--color: var(--c${pane})` });
        const name = make("span", { class: "name" }, swatch, this.title, this.select);
        this.element = make("div", { class: "caption glass" }, name, this.detail);
        this.select.setAttribute("aria-label", `Method of pane ${pane + 1}`);
        this.select.addEventListener("change", () => onChoose(pane, this.select.value));
    }

    setOptions(options: PaneOption[]): void {
        const chosen = this.select.value;
        this.options = options;
        this.select.replaceChildren(
            ...options.map(({ value, label, short }) =>
                make("option", { value, title: label }, this.narrow ? short : label),
            ),
        );
        this.select.value = chosen;
        this.select.hidden = options.length === 0;
        this.title.hidden = options.length > 0;
    }

    show(label: PaneLabel): void {
        setText(this.title, label.title);
        setText(this.detail, label.detail);
        if (label.value !== undefined && this.select.value !== label.value)
            this.select.value = label.value;
    }

    move({ left, right, top }: Span): void {
        const width = Math.max(0, right - left);
        if (width < NARROW !== this.narrow) {
            this.narrow = width < NARROW;
            this.setOptions(this.options);
        }
        const style = this.element.style;
        style.left = `${Math.round(left + width / 2)}px`;
        style.top = `${Math.round(top)}px`;
        style.maxWidth = `${Math.max(0, Math.round(width - 12))}px`;
    }
}

/** At the top of the pane, between what the panels leave of it. */
function spanOf(rect: Rect): Span {
    const insets = layoutInsets();
    return {
        left: Math.max(rect.x, insets.left),
        right: Math.min(rect.x + rect.width, innerWidth - insets.right),
        top: Math.max(rect.y, insets.top),
    };
}

export class PaneLabels {
    readonly element = make("div", { class: "captions" });
    private captions: Caption[] = [];
    private options: PaneOption[] = [];
    private rects: Rect[] = [];
    private placeKey = "";
    /** Pixels from the top of panes down to their captions. */
    lowered = 0;

    /** `button`: at the top left, over the first pane. */
    constructor(
        private readonly button: HTMLElement,
        private readonly onChoose: (pane: number, value: string) => void = () => {},
    ) {
        onInsets(() => this.place());
    }

    /** The methods to choose from in each caption; none: captions are plain text. */
    setOptions(options: PaneOption[]): void {
        this.options = options;
        for (const caption of this.captions) caption.setOptions(options);
    }

    /** Pixels of the canvas, one rectangle per pane. A single pane needs no caption. */
    set(rects: Rect[], labels: PaneLabel[]): void {
        this.rects = rects.length > 1 ? rects : [];
        while (this.captions.length > this.rects.length) this.captions.pop()?.element.remove();
        while (this.captions.length < this.rects.length) this.addCaption();
        this.captions.forEach((caption, i) => caption.show(labels[i]));
        this.place();
    }

    private addCaption(): void {
        const caption = new Caption(this.captions.length, this.onChoose);
        caption.setOptions(this.options);
        this.captions.push(caption);
        this.element.append(caption.element);
    }

    // Labels change many times a second, places seldom.
    private place(): void {
        if (this.captions.length === 0) return;
        const { right, bottom } = this.button.getBoundingClientRect();
        const key = JSON.stringify([this.rects, layoutInsets(), innerWidth, right, bottom]);
        if (key === this.placeKey) return;
        this.placeKey = key;
        const whole = this.rects.map(spanOf);
        const spans = spansBeside(whole, { right, bottom });
        this.lowered = Math.max(...spans.map(({ top }, i) => top - whole[i]!.top));
        this.captions.forEach((caption, i) => caption.move(spans[i]!));
    }
}
