// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The button that opens the gallery, at the top left.

import { make } from "./dom";
import "./gallery.css";
import { icon } from "./icons";

export function galleryButton(open: () => void): HTMLElement {
    const button = make("button", { type: "button", class: "gallery-button glass" });
    button.title = "Gallery of scenes (E)";
    button.append(icon("gallery"), make("span", {}, "Gallery"));
    button.addEventListener("click", open);
    return button;
}
