// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Words that go along with cloths in the picture.

import { make, setText } from "./dom";
import "./cloth-labels.css";

export interface ClothLabel {
    /** In the window, in pixels: its upper edge, and its middle. */
    x: number;
    y: number;
    title: string;
    detail: string;
}

export class ClothLabels {
    readonly element = make("div", { class: "cloth-labels" });

    /** Called for every picture. */
    set(labels: ClothLabel[]): void {
        const { element } = this;
        while (element.children.length > labels.length) element.lastElementChild!.remove();
        labels.forEach(({ x, y, title, detail }, i) => {
            const label = (element.children[i] as HTMLElement | undefined) ?? this.addLabel();
            setText(label.children[0]!, title);
            setText(label.children[1]!, detail);
            label.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, 6px)`;
        });
    }

    private addLabel(): HTMLElement {
        const label = make("p", { class: "cloth-label" }, make("strong"), make("span"));
        this.element.append(label);
        return label;
    }
}
