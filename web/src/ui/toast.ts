// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Short messages at the top of the window. Informations go by themselves, errors stay until they
// are closed.

import { make } from "./dom";
import { icon } from "./icons";

export type ToastKind = "info" | "error";

/** A button of a message, which then goes. */
export interface ToastAction {
    label: string;
    act(): void;
}

const infoTime = 4000;
const mostToasts = 3;

// Made when first needed and kept: screen readers announce what is added to a list they know.
let list: HTMLElement | undefined;

function toastList(): HTMLElement {
    if (!list) {
        list = make("div", { class: "toasts", "aria-live": "polite" });
        document.body.append(list);
    }
    return list;
}

function makeToast(text: string, kind: ToastKind, actions: ToastAction[]): HTMLElement {
    const close = make("button", { type: "button", class: "icon-button", "aria-label": "Close" });
    close.append(icon("close"));
    const words = make("div", { class: "toast-words" }, make("p", {}, text));
    const item = make("div", { class: `toast ${kind}` }, words, close);
    for (const { label, act } of actions) {
        const button = make("button", { type: "button", class: "toast-action" }, label);
        button.addEventListener("click", () => {
            item.remove();
            act();
        });
        words.append(button);
    }
    if (kind === "error") item.setAttribute("role", "alert");
    close.addEventListener("click", () => item.remove());
    return item;
}

// The same message again replaces its first showing, and old ones make room.
function makeRoom(toasts: HTMLElement, text: string): void {
    for (const item of [...toasts.children])
        if (item.querySelector("p")?.textContent === text) item.remove();
    while (toasts.children.length >= mostToasts) toasts.firstElementChild?.remove();
}

export function toast(
    text: string,
    kind: ToastKind = "info",
    actions: ToastAction[] = [],
): HTMLElement {
    const toasts = toastList();
    makeRoom(toasts, text);
    const item = makeToast(text, kind, actions);
    toasts.append(item);
    if (kind === "info") setTimeout(() => item.remove(), infoTime);
    return item;
}

/** What closes the errors that are shown now, but for those with something to do: they are of what was
 *  there before, once something else is. */
export function errorsNow(): () => void {
    const errors = list?.querySelectorAll(".toast.error:not(:has(.toast-action))") ?? [];
    return () => errors.forEach((item) => item.remove());
}

/** Closes the newest message; false where there is none. */
export function closeToast(): boolean {
    const last = list?.lastElementChild;
    last?.remove();
    return !!last;
}
