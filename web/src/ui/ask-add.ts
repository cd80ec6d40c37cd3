// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A small card that asks what is to be put into the scene.

import { make } from "./dom";
import "./ask-add.css";

export interface AddOption {
    kind: string;
    label: string;
    cloth: boolean;
    /** Metres; 0: it has no size. */
    size: number;
    least: number;
    most: number;
}

export interface AddAnswer {
    kind: string;
    size: number;
    fabric: string;
}

function groupOf(title: string, options: AddOption[], first: boolean): HTMLElement {
    const group = make("fieldset", { class: "add-kinds" }, make("legend", {}, title));
    options.forEach(({ kind, label }, i) => {
        const radio = make("input", { type: "radio", name: "add-kind", value: kind });
        radio.checked = first && i === 0;
        group.append(make("label", { class: "add-kind" }, radio, make("span", {}, label)));
    });
    return group;
}

/** Resolves with what was chosen, or with null. */
export function askAdd(
    options: AddOption[],
    fabrics: { value: string; label: string }[],
): Promise<AddAnswer | null> {
    const dialog = make("dialog", { class: "card ask add", "aria-labelledby": "add-title" });
    const size = make("input", { type: "number", inputmode: "decimal", step: "any", required: "" });
    const sizeLabel = make("label", { class: "ask-unit" }, "Size, cm", size);
    const fabric = make("select");
    for (const { value, label } of fabrics) fabric.append(make("option", { value }, label));
    const fabricLabel = make("label", { class: "ask-unit" }, "Fabric", fabric);
    const form = make("form", { method: "dialog" });
    form.append(
        make("h2", { id: "add-title" }, "Add to the scene"),
        groupOf(
            "Cloth, above what is there",
            options.filter(({ cloth }) => cloth),
            true,
        ),
        groupOf(
            "Bodies, below the cloth",
            options.filter(({ cloth }) => !cloth),
            false,
        ),
        sizeLabel,
        fabricLabel,
        make(
            "div",
            { class: "add-actions" },
            make(
                "button",
                { type: "submit", value: "", formnovalidate: "", class: "ask-cancel" },
                "Cancel",
            ),
            make("button", { type: "submit", value: "add", class: "add-go" }, "Add"),
        ),
    );
    const chosen = () => {
        const kind = form.querySelector<HTMLInputElement>("[name=add-kind]:checked")!.value;
        return options.find((option) => option.kind === kind)!;
    };
    const follow = () => {
        const option = chosen();
        size.value = String(100 * option.size);
        size.min = String(100 * option.least);
        size.max = String(100 * option.most);
        size.disabled = option.size === 0;
        sizeLabel.hidden = option.size === 0;
        fabricLabel.hidden = !option.cloth;
    };
    form.addEventListener("change", (event) => {
        if ((event.target as HTMLElement).matches("[type=radio]")) follow();
    });
    // Enter in the field adds, it does not cancel
    form.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || (event.target as Element).tagName === "BUTTON") return;
        event.preventDefault();
        form.requestSubmit(form.querySelector<HTMLButtonElement>(".add-go"));
    });
    follow();
    dialog.append(form);
    document.body.append(dialog);
    dialog.showModal();
    form.querySelector<HTMLInputElement>(":checked")!.focus();
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => {
            dialog.remove();
            if (dialog.returnValue !== "add") return resolve(null);
            const { kind } = chosen();
            resolve({ kind, size: Number(size.value) / 100, fabric: fabric.value });
        });
    });
}
