// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A small card that says that a method is unstable, and asks what to do about it.

import { make } from "./dom";

function button(value: string, label: string, words: string): HTMLButtonElement {
    const element = make("button", { type: "submit", value, class: "ask-use" });
    element.append(make("strong", {}, label), make("span", {}, words));
    return element;
}

/** `apart`: the cloth flies apart; `stable`: the step that would help, "1/240 s", or null. */
export function askStep(
    words: string,
    apart: boolean,
    stable: string | null,
): Promise<"stable" | "anyway" | null> {
    const dialog = make("dialog", { class: "card ask", "aria-labelledby": "ask-step-title" });
    const what = apart ? "It stops where the cloth flies apart" : "It may be a while";
    const anyway = button("anyway", "Run it all the same", what);
    const buttons = stable
        ? [button("stable", `Use ${stable}`, "With it, it does not fly apart"), anyway]
        : [anyway];
    const form = make("form", { method: "dialog" });
    form.append(
        make("h2", { id: "ask-step-title" }, words),
        ...(apart && !stable
            ? [make("p", { class: "hint" }, "No time step was found that helps.")]
            : []),
        make("div", { class: "ask-uses" }, ...buttons),
        make("button", { type: "submit", value: "", class: "ask-cancel" }, "Cancel"),
    );
    dialog.append(form);
    document.body.append(dialog);
    dialog.showModal();
    buttons[0]!.focus();
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => {
            dialog.remove();
            const answer = dialog.returnValue;
            resolve(answer === "stable" || answer === "anyway" ? answer : null);
        });
    });
}
