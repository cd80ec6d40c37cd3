// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the page is and what to do first, in a few words over the first scene. It goes with the first
// touch, and does not come back.

import "./hint.css";
import { make } from "./dom";
import { icon } from "./icons";

const LEAVING = 600; // milliseconds

/** Calls once, when somebody touches, types or scrolls. */
export function onFirstTouch(act: () => void): void {
    const events = ["pointerdown", "wheel", "keydown"] as const;
    const once = () => {
        for (const name of events) window.removeEventListener(name, once, true);
        act();
    };
    for (const name of events)
        window.addEventListener(name, once, { capture: true, passive: true });
}

/** Shows the words; what it returns takes them away. */
export function showHint(): () => void {
    const hand = make("p", { class: "hand" }, icon("grab"), "Pull the cloth");
    const words = make("p", {}, "Cloth and garments, simulated live in this page.");
    const element = make("div", { class: "opening" }, make("h1", {}, "weft"), words, hand);
    document.body.append(element);
    return () => {
        element.classList.add("leaving");
        setTimeout(() => element.remove(), LEAVING);
    };
}
