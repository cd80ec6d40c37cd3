// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A small card that asks what a mesh is to be.

import { make } from "./dom";

export type MeshUse = "body" | "wearer" | "cloth" | "look";

export interface MeshQuestion {
    name: string;
    /** "1,234 triangles". */
    detail: string;
    units: { value: string; label: string }[];
    unit: string;
    /** Whether it can be shown as it is, too. */
    look: boolean;
    /** Whether there is something that it could wear. */
    wear: boolean;
}

const uses: [MeshUse, string, string][] = [
    ["body", "A body", "Cloth falls on it; it stands still"],
    ["wearer", "A body to dress", "It wears what is worn here; upright, its arms away from it"],
    ["cloth", "The cloth", "It falls, among the bodies that are there"],
    ["look", "Just look at it", "As a result, without a simulation"],
];

/** Resolves with what was chosen, or with null. */
export function askMesh(question: MeshQuestion): Promise<{ use: MeshUse; unit: string } | null> {
    const { name, detail, units, unit, look, wear } = question;
    const dialog = make("dialog", { class: "card ask", "aria-labelledby": "ask-title" });
    const select = make("select", { id: "ask-unit" });
    for (const { value, label } of units) select.append(make("option", { value }, label));
    select.value = unit;
    const buttons = uses
        .filter(([use]) => (use !== "look" || look) && (use !== "wearer" || wear))
        .map(([use, label, words]) => {
            const button = make("button", { type: "submit", value: use, class: "ask-use" });
            button.append(make("strong", {}, label), make("span", {}, words));
            return button;
        });
    const form = make("form", { method: "dialog" });
    form.append(
        make("h2", { id: "ask-title" }, `What is ${name}?`),
        make("p", { class: "hint" }, detail),
        make("label", { class: "ask-unit", for: "ask-unit" }, "Its numbers are", select),
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
            const use = uses.find(([use]) => use === dialog.returnValue)?.[0];
            resolve(use ? { use, unit: select.value } : null);
        });
    });
}
