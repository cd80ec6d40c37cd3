// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Changes of a scene in one word of an address: "wind:3;gusts:yes;fabric:denim". What is neither a
// number, nor yes or no, nor a plain name, is JSON behind a "~", in letters that addresses may have.

import type { Edits } from "../../scene/document";
import { methods } from "../../scene/methods";

type Kind = "number" | "switch" | "name" | "objects";

/** What addresses may say; bodies, texts and what hands did go into packs (pack.ts). */
const kinds: Record<Exclude<keyof Edits, "bodies" | "text" | "hands" | "versus">, Kind> = {
    method: "name",
    iterations: "number",
    substeps: "number",
    budget: "number",
    dt: "number",
    stiffness: "number",
    bending: "number",
    density: "number",
    damping: "number",
    friction: "number",
    contact: "name",
    closure: "name",
    stretch: "name",
    shear: "name",
    bend: "name",
    bend_by: "name",
    estimator: "name",
    wind: "number",
    direction: "number",
    gusts: "switch",
    gravity: "number",
    detail: "number",
    shown: "name",
    fabric: "name",
    fabrics: "objects",
    looks: "objects",
    floor: "switch",
};

const PLAIN = /^[A-Za-z][\w.-]*$/;

function writeValue(value: unknown): string {
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (typeof value === "number") return String(value);
    const plain = typeof value === "string" && PLAIN.test(value) && !/^(yes|no)$/.test(value);
    return plain ? value : `~${toLetters(new TextEncoder().encode(JSON.stringify(value)))}`;
}

function readValue(word: string): unknown {
    if (word === "yes" || word === "no") return word === "yes";
    if (!word.startsWith("~")) return PLAIN.test(word) ? word : Number(word);
    return JSON.parse(new TextDecoder().decode(fromLetters(word.slice(1))));
}

function isOfKind(value: unknown, kind: Kind): boolean {
    if (kind === "switch") return typeof value === "boolean";
    if (kind === "name") return typeof value === "string";
    if (kind === "objects") return isObject(value) && Object.values(value).every(isObject);
    return typeof value === "number" && Number.isFinite(value);
}

function isObject(value: unknown): value is object {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Empty where there are none. */
export function writeEdits(edits: Edits): string {
    return Object.entries(edits)
        .filter(([key, value]) => key in kinds && value !== undefined)
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([key, value]) => `${key}:${writeValue(value)}`)
        .join(";");
}

/** What is not understood is left out, and told of. */
export function readEdits(word: string, misread: (part: string) => void = () => {}): Edits {
    const edits: Record<string, unknown> = {};
    for (const part of word.split(";").filter((part) => part !== "")) {
        const [key, ...rest] = part.split(":");
        const kind = Object.hasOwn(kinds, key!) ? kinds[key as keyof typeof kinds] : null;
        const value = kind && understand(rest.join(":"));
        if (kind && isOfKind(value, kind) && isKnown(key!, value)) edits[key!] = value;
        else misread(part);
    }
    return edits as Edits;
}

/** What the reader of scenes would not look at. */
function isKnown(key: string, value: unknown): boolean {
    return key !== "method" || methods.some(({ id }) => id === value);
}

function understand(word: string): unknown {
    try {
        return readValue(word);
    } catch {
        return undefined;
    }
}

/** Bytes in letters, digits, "-" and "_". */
export function toLetters(bytes: Uint8Array): string {
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Fails where other letters are among them. */
export function fromLetters(letters: string): Uint8Array<ArrayBuffer> {
    const text = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
