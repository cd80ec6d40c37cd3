// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// All that the user chose, at some moment: what undo goes back to, and what an address says.

import type { Following } from "../../draw/camera/chase";
import type { Edits, SceneDocument } from "../../scene/document";
import { garments, readyFile } from "../../scene/garments";
import { scenes } from "../../scene/scenes";
import { handWords } from "../../sim/hands";
import type { GivenFile } from "../../sim/protocol";
import type { Link } from "./link";
import type { View } from "../settings";
import { nameOfEdit, type Chosen } from "../tried";

/** What is only seen. */
export type Seen = Pick<View, "surface" | "speed" | "pins" | "labels" | "follow">;

export interface Moment {
    chosen: Chosen;
    seen: Seen;
}

const seenNames: Record<keyof Seen, string> = {
    surface: "surface",
    speed: "speed of time",
    pins: "pins shown",
    labels: "labels of fabrics",
    follow: "camera",
};

function same(a: unknown, b: unknown): boolean {
    return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function differentKeys<T extends object>(a: T, b: T): (keyof T & string)[] {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof T & string>;
    return [...keys].filter((key) => !same(a[key], b[key]));
}

/** Methods that no pane shows make no difference. */
function shownMethods({ panes, paneMethods }: Chosen): string[] {
    return panes > 1 ? paneMethods.slice(0, panes) : [];
}

/** Names of what is different, in the user's words. */
export function difference(a: Moment, b: Moment): string[] {
    if (a.chosen.document !== b.chosen.document) return ["scene"];
    const { hands: handsThen, ...then } = a.chosen.edits;
    const { hands: handsNow, ...now } = b.chosen.edits;
    const names = [
        ...differentKeys<Edits>(then, now).map(nameOfEdit),
        ...handWords(handsThen, handsNow),
    ];
    if (a.chosen.panes !== b.chosen.panes) names.push("side by side");
    else if (!same(shownMethods(a.chosen), shownMethods(b.chosen))) names.push("method of a pane");
    if (a.chosen.field !== b.chosen.field) names.push("colour");
    return [...names, ...differentKeys(a.seen, b.seen).map((key) => seenNames[key])];
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
    return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Whether the page has a file of this name and these bytes itself. */
export function isReady({ name, bytes }: GivenFile): boolean {
    const ready = readyFile(name);
    return ready !== null && sameBytes(ready.bytes, bytes);
}

/** By what an address names the scene; null: it is the user's own. */
export function sceneWord(document: SceneDocument): string | null {
    const { outfit } = document;
    if (!outfit) {
        const known = scenes.find(({ id }) => id === document.id);
        return known?.text === document.original ? known.id : null;
    }
    const names = outfit.patterns.map((file) => {
        const given = document.files.find(({ name }) => name === file);
        const ready = !given || isReady(given);
        return ready ? garments.find((garment) => garment.file === file)?.value : undefined;
    });
    const own = outfit.mesh || names.some((name) => name === undefined);
    return own ? null : `garment:${names.join(",")}`;
}

/** The link of a moment; `before`: of which it keeps what nobody changes by hand. */
export function linkOf({ chosen, seen }: Moment, before: Link): Link {
    const { document, panes, paneMethods, field, edits } = chosen;
    const { bodies: added, text, hands, ...others } = edits;
    return {
        ...before,
        scene: sceneWord(document),
        outfit: document.outfit ?? before.outfit,
        edits: others,
        methods: panes > 1 ? paneMethods.slice(0, panes) : [],
        field,
        surface: seen.surface as Link["surface"],
        speed: seen.speed,
        follow: seen.follow as Following,
        pins: before.bare ? before.pins : seen.pins,
        labels: before.bare ? before.labels : seen.labels,
    };
}
