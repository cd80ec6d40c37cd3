// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The card that lists keys and gestures.

import { make, type Child } from "./dom";
import { icon } from "./icons";

type Line = [keys: string[], text: string];

const keys: Line[] = [
    [["Space"], "Play or pause"],
    [[".", "N"], "One step"],
    [[","], "One step back"],
    [["R"], "Reset"],
    [["G"], "Grab the cloth"],
    [["P"], "Pin and unpin"],
    [["X"], "Cut the cloth"],
    [["A"], "Blow on it"],
    [["B"], "Move and turn bodies"],
    [["Enter"], "A hand without a mouse: again to hold, again to let go"],
    [["[", "]"], "Turn the body that it holds"],
    [["O"], "Only turn the view"],
    [["1", "–", "4"], "Side by side"],
    [["W"], "Next surface"],
    [["←", "→"], "Turn the view"],
    [["F"], "All of it in the picture"],
    [["+", "−"], "Closer and farther"],
    [["E"], "Gallery"],
    [["V"], "Record, and end it"],
    [["T"], "Text of the scene"],
    [["Ctrl+Z"], "Undo"],
    [["Ctrl+Shift+Z"], "Redo"],
    [["S"], "Settings"],
    [["C"], "Charts"],
    [["H", "?"], "This card"],
    [["Esc"], "Close"],
];

const gestures: [string, string][] = [
    ["Drag the cloth", "Pull it, or what the tool says"],
    ["Shift and click", "Pin and unpin"],
    ["Drag a body, Shift", "Move it, level with the floor"],
    ["Wheel, right drag, two fingers", "Turn the body, with its tool"],
    ["Drag beside it", "Turn the view"],
    ["Wheel or pinch", "Closer and farther"],
    ["Double click or tap", "Look closely at it; again, at all"],
    ["Right drag or two fingers", "Shift the view"],
    ["Drop a file", "Open a scene, a recording or a mesh"],
];

let card: HTMLDialogElement | undefined;

function keyCap(name: string): Child {
    return name === "–" ? name : make("kbd", {}, name);
}

function keyList(): HTMLElement {
    const list = make("dl", { class: "key-list" });
    for (const [names, text] of keys) {
        const term = make("dt", {}, ...names.map(keyCap));
        list.append(make("div", {}, term, make("dd", {}, text)));
    }
    return list;
}

function gestureList(): HTMLElement {
    const list = make("dl", { class: "gesture-list" });
    for (const [gesture, text] of gestures)
        list.append(make("div", {}, make("dt", {}, gesture), make("dd", {}, text)));
    return list;
}

function makeCard(): HTMLDialogElement {
    const dialog = make("dialog", { class: "card help", "aria-labelledby": "help-title" });
    const close = make("button", { type: "button", class: "icon-button", "aria-label": "Close" });
    close.append(icon("close"));
    close.addEventListener("click", () => dialog.close());
    // a click beside the card lands on the dialog itself
    dialog.addEventListener("click", (event) => {
        if (event.target === dialog) dialog.close();
    });
    const title = make("h2", { id: "help-title" }, "Keys and gestures");
    const body = make("div", { class: "card-body" }, gestureList(), keyList());
    dialog.append(make("header", { class: "drawer-header" }, title, close), body);
    document.body.append(dialog);
    return dialog;
}

export function helpIsOpen(): boolean {
    return card?.open ?? false;
}

export function toggleHelp(): void {
    card ??= makeCard();
    if (card.open) card.close();
    else card.showModal();
}
