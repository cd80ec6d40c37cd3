// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What was chosen and worked, so that there is something to go back to from what does not.

import type { Edits, SceneDocument } from "../scene/document";
import { methodOf } from "../scene/methods";
import type { FieldName } from "../shape";

/** All that the user chose, at some moment. */
export interface Chosen {
    document: SceneDocument;
    edits: Edits;
    paneMethods: string[];
    panes: number;
    field: FieldName;
}

const REMEMBERED = 20;

const names: Partial<Record<keyof Edits, string>> = {
    dt: "time step",
    budget: "time budget",
    versus: "time budget",
    bend: "bending model",
    bend_by: "bending elements",
    estimator: "linear model",
    stretch: "stretch model",
    shear: "shear model",
    detail: "mesh detail",
    shown: "shown",
    fabrics: "fabrics of single parts",
    looks: "colours and prints",
};

export function nameOfEdit(key: keyof Edits): string {
    return names[key] ?? key;
}

/** Distances take a reference along, which has steps of its own. */
function keyOf({ edits, panes, paneMethods, field }: Chosen): string {
    const shown = panes > 1 ? paneMethods.slice(0, panes) : [];
    const sorted = Object.entries(edits)
        .filter(([, value]) => value !== undefined)
        .sort(([a], [b]) => a.localeCompare(b));
    return JSON.stringify([sorted, shown, field === "distance"]);
}

function same(a: Chosen, b: Chosen): boolean {
    return a.document === b.document && keyOf(a) === keyOf(b);
}

/** What is chosen, as a list in words: what differs from the scene's file. */
export function wordsFor({ edits, panes, paneMethods }: Chosen): string {
    const shown =
        panes > 1
            ? paneMethods.slice(0, panes).map((id) => methodOf(id).label)
            : edits.method && edits.method !== "scene"
              ? [methodOf(edits.method).label]
              : [];
    const others = Object.entries(edits)
        .filter(
            ([key, value]) => !["method", "bodies", "hands"].includes(key) && value !== undefined,
        )
        .map(([key, value]) => `${nameOfEdit(key as keyof Edits)} ${describe(key, value)}`.trim());
    return [...shown, ...others].join(", ");
}

/** Nothing where that would take more than a word. */
function describe(key: string, value: unknown): string {
    if (key === "text" || typeof value === "object") return "";
    if (typeof value === "boolean") return value ? "on" : "off";
    return typeof value === "number" ? String(Number(value.toPrecision(3))) : String(value);
}

export class Tried {
    private list: Chosen[] = [];

    /** It took a step. */
    worked(chosen: Chosen): void {
        const last = this.list.at(-1);
        if (last && same(last, chosen)) return;
        this.list = this.list.filter((other) => !same(other, chosen)).slice(1 - REMEMBERED);
        this.list.push(chosen);
    }

    failed(chosen: Chosen): void {
        this.list = this.list.filter((other) => !same(other, chosen));
    }

    /** What worked last, of the same scene; else the scene as its file has it; else any other. */
    before(chosen: Chosen): Chosen | null {
        const others = this.list.filter((other) => !same(other, chosen));
        const ofScene = others.filter((other) => other.document === chosen.document);
        return ofScene.at(-1) ?? this.plain(chosen) ?? others.at(-1) ?? null;
    }

    /** The scene without changes, but with the bodies that were put there and what hands did; null where it is that. */
    plain(chosen: Chosen): Chosen | null {
        const { bodies, hands } = chosen.edits;
        const edits: Edits = { ...(bodies && { bodies }), ...(hands && { hands }) };
        const field = chosen.field === "distance" ? "none" : chosen.field;
        const plain = { ...chosen, edits, panes: 1, field };
        return same(plain, chosen) ? null : plain;
    }

    /** For the button that goes back; null where there is nothing to go back to. */
    backWords(from: Chosen): string | null {
        const before = this.before(from);
        if (!before) return null;
        if (before.document !== from.document) return `Go back to ${titleOf(before)}`;
        return `Go back to ${wordsFor(before) || "the scene's own settings"}`;
    }

    returnWords(to: Chosen, from: Chosen): string {
        if (to.document !== from.document) return `Here is what worked before: ${titleOf(to)}.`;
        const words = wordsFor(to);
        if (!words) return "The scene starts again with its own settings.";
        return `The scene starts again with what worked before: ${words}.`;
    }
}

function titleOf({ document }: Chosen): string {
    return document.description?.name || document.id;
}
