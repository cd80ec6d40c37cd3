// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The bar below two panes that are head to head: the budget of both, what came of it, and what the
// comparison leaves out.

import "./versus.css";

import { make, newId, setText } from "./dom";

export interface VersusActions {
    setBudget(milliseconds: number): void;
    close(): void;
}

const BUDGETS = [0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16];

/** How often the words change, ms: no one reads faster. */
const PACE = 500;

const FAIR =
    "Both have the same mesh, fabric, pins, bodies and wind, one thread, and the same milliseconds " +
    "for a step. XPBD is our own, after Macklin and others 2016 and 2019: compliant distances along " +
    "edges, bending across them, one iteration in as many short steps as fit, four constraints at " +
    "once. It keeps the vertices of the cloth out of bodies; cloth is kept from cloth by neither. " +
    "weft may take the cloth for softer than it is, by one per cent of stretch under its weight.";

export class VersusBar {
    readonly element: HTMLElement;
    private readonly slider = make("input", {
        id: newId("budget"),
        type: "range",
        min: "0",
        max: String(BUDGETS.length - 1),
    });
    private readonly value = make("output", { for: this.slider.id });
    private readonly verdict = make("p", { class: "verdict" });
    private told = -Infinity;

    constructor(private readonly actions: VersusActions) {
        const close = make("button", { type: "button" }, "End");
        close.title = "Back to one method";
        close.addEventListener("click", () => actions.close());
        this.slider.addEventListener("input", () => this.chosen());
        const label = make("label", { for: this.slider.id }, "Milliseconds per step");
        const why = make("details", {}, make("summary", {}, "How they are compared"), FAIR);
        this.element = make(
            "section",
            { class: "versus", "aria-label": "Head to head with XPBD" },
            make("div", { class: "budget" }, label, this.slider, this.value, close),
            this.verdict,
            why,
        );
        this.hide();
    }

    private chosen(): void {
        const budget = BUDGETS[Number(this.slider.value)]!;
        this.tell(budget);
        this.actions.setBudget(budget);
    }

    private tell(budget: number): void {
        setText(this.value, `${budget} ms`);
        this.slider.setAttribute("aria-valuetext", `${budget} milliseconds`);
    }

    show(budget: number): void {
        const nearest = BUDGETS.findIndex((stop) => stop >= budget - 1e-9);
        this.slider.value = String(nearest < 0 ? BUDGETS.length - 1 : nearest);
        this.tell(budget);
        this.element.hidden = false;
    }

    hide(): void {
        this.element.hidden = true;
    }

    setVerdict(words: string, now: number): void {
        if (this.element.hidden || now < this.told + PACE) return;
        this.told = now;
        setText(this.verdict, words);
    }
}
