// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What an address asks for beside its scene, in parts that can be left out one by one: where the scene
// refuses one of them, it opens without that one.

import { methodOf } from "../../scene/methods";
import type { Edits } from "../../scene/document";
import type { Link } from "./link";
import { nameOfEdit } from "../tried";

/** Methods of panes, and changes of the scene. */
export type Asked = Pick<Link, "edits" | "methods">;

export interface Part {
    /** For messages. */
    words: string;
    /** What a reason that is of this part may say. */
    signs: string[];
    without(asked: Asked): Asked;
}

/** Of head to head, both go. */
const partOfVersus: Part = {
    words: "XPBD head to head",
    signs: ["XPBD", "budget"],
    without({ edits: { versus: _, ...others } }) {
        return { edits: others, methods: [] };
    },
};

function partOfPane(id: string): Part {
    const { short } = methodOf(id);
    return {
        words: short,
        signs: [short, id],
        without({ edits, methods }) {
            const kept = methods.filter((other) => other !== id);
            if (kept.length > 1) return { edits, methods: kept };
            // one alone is the method of the scene
            return { edits: { ...edits, ...(kept[0] && { method: kept[0] }) }, methods: [] };
        },
    };
}

function partOfEdit(key: keyof Edits, value: unknown): Part {
    const name = nameOfEdit(key);
    const plain = typeof value === "string" || typeof value === "number";
    if (key === "method") return { ...partOfPane(String(value)), without: withoutEdit(key) };
    return {
        words: plain ? `${name} ${value}` : name,
        signs: [key, name, ...(typeof value === "string" ? [value] : [])],
        without: withoutEdit(key),
    };
}

function withoutEdit(key: keyof Edits): Part["without"] {
    return ({ edits, methods }) => {
        const { [key]: _, ...others } = edits;
        return { edits: others, methods };
    };
}

/** Those that `reason` speaks of come first. */
export function partsOf({ edits, methods }: Asked, reason: string): Part[] {
    const { versus, ...others } = edits;
    const panes = [...new Set(methods)].map(partOfPane);
    const all = [
        ...(versus === undefined ? panes : [partOfVersus]),
        ...Object.entries(others).map(([key, value]) => partOfEdit(key as keyof Edits, value)),
    ];
    const tells = ({ signs }: Part) =>
        signs.some((sign) => reason.toLowerCase().includes(sign.toLowerCase()));
    return [...all.filter(tells), ...all.filter((part) => !tells(part))];
}

function sameReason(a: string, b: string): boolean {
    const plain = (reason: string) => reason.replace(/\d+/g, "0");
    return plain(a) === plain(b);
}

/** Tries without each part in turn, and then without all of them. `open`: the reason why it was
 *  refused again, "" where it is shown, null where something else was asked for meanwhile. What was
 *  left out, and why each; null: nothing of it is shown. */
export async function openWithout(
    asked: Asked,
    refusal: string,
    open: (asked: Asked) => Promise<string | null>,
): Promise<{ words: string; reason: string }[] | null> {
    const left: { words: string; reason: string }[] = [];
    let [now, reason] = [asked, refusal];
    for (let parts = partsOf(now, reason); parts.length > 0;) {
        const part = parts.shift()!;
        const less = part.without(now);
        const answer = await open(less);
        if (answer === null) return null;
        if (answer !== "" && sameReason(answer, reason)) continue;
        left.push({ words: part.words, reason });
        if (answer === "") return left;
        [now, reason] = [less, answer]; // what is refused now is something else
        parts = partsOf(now, reason);
    }
    const rest = partsOf(now, reason);
    if (rest.length === 0 || (await open({ edits: {}, methods: [] })) !== "") return null;
    return [...left, { words: rest.map(({ words }) => words).join(", "), reason }];
}

export function leftOutWords(title: string, left: { words: string; reason: string }[]): string {
    const words = left.map(({ words }) => words).join(", and without ");
    return `${title} opens without ${words}: ${left.map(({ reason }) => reason).join("; ")}`;
}
