// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The card of pictures that scenes are chosen from.

import { make, newId } from "./dom";
import { icon } from "./icons";

export interface GalleryCard {
    title: string;
    line: string;
    /** Address of the picture; undefined: there is none. */
    picture: string | undefined;
    /** What is shown now is this. */
    current: boolean;
    choose(): void;
}

export interface GalleryPart {
    title: string;
    cards: GalleryCard[];
}

function cardButton(card: GalleryCard, close: () => void): HTMLButtonElement {
    const button = make("button", { type: "button", class: "gallery-card" });
    // a picture that is not there leaves its place
    const frame = make("span", { class: "gallery-picture" });
    if (card.picture)
        frame.append(
            make("img", {
                src: card.picture,
                alt: "",
                loading: "lazy",
                decoding: "async",
                width: "480",
                height: "300",
            }),
        );
    const words = make("span", { class: "gallery-words" });
    words.append(make("strong", {}, card.title), make("span", { class: "line" }, card.line));
    button.append(frame, words);
    if (card.current) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => {
        close();
        card.choose();
    });
    return button;
}

function section({ title, cards }: GalleryPart, close: () => void): HTMLElement {
    const id = newId("gallery-part");
    const grid = make("div", { class: "gallery-grid" });
    grid.append(...cards.map((card) => cardButton(card, close)));
    const heading = make("h3", { id, tabindex: "-1" }, title);
    return make("section", { "aria-labelledby": id }, heading, grid);
}

/** Buttons that go to a part. */
function partLinks(parts: HTMLElement[]): HTMLElement {
    const links = parts.map((part) => {
        const heading = part.querySelector("h3")!;
        const link = make("button", { type: "button", class: "gallery-link" });
        link.append(heading.textContent!);
        link.addEventListener("click", () => {
            part.scrollIntoView({ block: "start" });
            heading.focus({ preventScroll: true });
        });
        return link;
    });
    return make("nav", { class: "gallery-links", "aria-label": "Groups" }, ...links);
}

/** The card to go to from one by an arrow: the next, or the nearest in the next row. */
function neighbour(cards: HTMLElement[], from: HTMLElement, key: string): HTMLElement | undefined {
    const at = cards.indexOf(from);
    if (key === "ArrowRight") return cards[at + 1];
    if (key === "ArrowLeft") return cards[at - 1];
    const own = from.getBoundingClientRect();
    const down = key === "ArrowDown";
    const beyond = cards
        .map((card) => ({ card, box: card.getBoundingClientRect() }))
        .filter(({ box }) => (down ? box.top > own.top + 1 : box.top < own.top - 1));
    const rows = beyond.map(({ box }) => box.top);
    const row = down ? Math.min(...rows) : Math.max(...rows);
    const away = (box: DOMRect) => Math.abs(box.left - own.left);
    return beyond
        .filter(({ box }) => Math.abs(box.top - row) < 1)
        .sort((a, b) => away(a.box) - away(b.box))[0]?.card;
}

function moveByArrows(dialog: HTMLElement): void {
    dialog.addEventListener("keydown", (event) => {
        if (!/^Arrow/.test(event.key)) return;
        const cards = [...dialog.querySelectorAll<HTMLElement>(".gallery-card")];
        const from = cards.find((card) => card === document.activeElement);
        const next = from ? neighbour(cards, from, event.key) : cards[0];
        event.preventDefault();
        next?.focus();
        next?.scrollIntoView({ block: "nearest" });
    });
}

/** Opens the gallery; it closes itself. */
export function openGallery(parts: GalleryPart[]): HTMLDialogElement {
    const dialog = make("dialog", { class: "gallery", "aria-labelledby": "gallery-title" });
    const close = () => dialog.close();
    const closeButton = make("button", { type: "button", class: "icon-button" });
    closeButton.setAttribute("aria-label", "Close");
    closeButton.append(icon("close"));
    closeButton.addEventListener("click", close);
    const sections = parts.map((part) => section(part, close));
    const title = make("h2", { id: "gallery-title" }, "Gallery");
    const header = make("header", { class: "gallery-header" });
    header.append(title, partLinks(sections), closeButton);
    dialog.append(header, make("div", { class: "gallery-body" }, ...sections));
    // a click beside it lands on the dialog itself
    dialog.addEventListener("click", (event) => {
        if (event.target === dialog) close();
    });
    dialog.addEventListener("close", () => dialog.remove());
    moveByArrows(dialog);
    document.body.append(dialog);
    dialog.showModal();
    const first = dialog.querySelector<HTMLElement>("[aria-current], .gallery-card");
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: "nearest" });
    return dialog;
}
