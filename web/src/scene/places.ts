// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where the values of a JSON text stand in it, and the text with other values: what is not changed
// keeps its place, order and line breaks.

export type Path = (string | number)[];
type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** A value in a text, from `start` up to `end`. */
interface Place {
    start: number;
    end: number;
    /** Of an object: its members, with where their keys begin. */
    members?: { key: string; keyStart: number; value: Place }[];
    /** Of a list. */
    items?: Place[];
}

const SPACE = /[\s]*/y;
const TOKEN = /"(?:[^"\\]|\\.)*"|[^\s,\]}:]+/y;

/** Of a text that is JSON. */
function placesOf(text: string): Place {
    let at = 0;
    const skip = (pattern: RegExp): string => {
        pattern.lastIndex = at;
        const found = pattern.exec(text)?.[0] ?? "";
        at += found.length;
        return found;
    };
    const next = (): string => {
        skip(SPACE);
        return text[at] ?? "";
    };
    /** Calls `one` for every part up to the closing bracket. */
    const parts = (end: string, one: () => void) => {
        at++;
        while (next() !== end && at < text.length) {
            one();
            if (next() === ",") at++;
        }
        at++;
    };
    const value = (): Place => {
        const open = next();
        const place: Place = { start: at, end: at };
        if (open === "{") {
            const members: NonNullable<Place["members"]> = (place.members = []);
            parts("}", () => {
                const keyStart = at;
                const key = JSON.parse(skip(TOKEN)) as string;
                next();
                at++; // the colon
                members.push({ key, keyStart, value: value() });
            });
        } else if (open === "[") {
            const items: Place[] = (place.items = []);
            parts("]", () => items.push(value()));
        } else {
            skip(TOKEN);
        }
        place.end = at;
        return place;
    };
    return value();
}

/** From line and column, both from 1; columns count characters. */
export function offsetOf(text: string, line: number, column: number): number {
    const lines = text.split("\n");
    const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
    const own = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    return Math.min(before + own, text.length);
}

/** The innermost value or key that an offset is in, as a path; `key`: it is in the key. */
function pathAt(text: string, offset: number): { path: Path; key: boolean } {
    const path: Path = [];
    let place = placesOf(text);
    for (;;) {
        const member = place.members?.find(
            ({ keyStart, value }) => keyStart <= offset && offset < value.end,
        );
        const item = place.items?.findIndex(({ start, end }) => start <= offset && offset < end);
        if (member) {
            path.push(member.key);
            if (offset < member.value.start) return { path, key: true };
            place = member.value;
        } else if (item !== undefined && item >= 0) {
            path.push(item);
            place = place.items![item]!;
        } else {
            return { path, key: false };
        }
    }
}

/** From and to, of the value at a path, or of its key; of what is around it where it is not there. */
export function rangeOf(text: string, path: Path, key = false): [number, number] {
    let place = placesOf(text);
    for (const [i, part] of path.entries()) {
        const member = place.members?.find((member) => member.key === part);
        const next = typeof part === "number" ? place.items?.[part] : member?.value;
        if (!next) break;
        if (key && i === path.length - 1 && member)
            return [member.keyStart, member.keyStart + JSON.stringify(member.key).length];
        place = next;
    }
    return [place.start, place.end];
}

/** Where in `text` is what stands at an offset of `other`, a text of the same scene. */
export function samePlace(text: string, other: string, offset: number): [number, number] {
    const { path, key } = pathAt(other, offset);
    return rangeOf(text, path, key);
}

const WIDTH = 100;
const INDENT = "    ";

function oneLine(value: Value): string {
    if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const members = Object.entries(value).map(([key, part]) => `"${key}": ${oneLine(part)}`);
    return `{${members.join(", ")}}`;
}

/** On one line where it fits, as scenes of the project are written. `indent`: of the line that it
 *  begins on; `used`: what stands before it there. */
export function layOut(value: unknown, indent = "", used = indent.length): string {
    const plain = clean(value);
    const line = oneLine(plain);
    const isObject = plain !== null && typeof plain === "object";
    if (!isObject || (indent !== "" && used + line.length <= WIDTH)) return line;
    const inner = indent + INDENT;
    const [open, close, parts] = Array.isArray(plain)
        ? ["[", "]", plain.map((part) => layOut(part, inner))]
        : ["{", "}", Object.entries(plain).map(([key, part]) => laidOutMember(key, part, inner))];
    if (parts.length === 0) return open + close;
    return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

function laidOutMember(key: string, value: Value, indent: string): string {
    const head = `${JSON.stringify(key)}: `;
    return head + layOut(value, indent, indent.length + head.length);
}

/** As JSON has it: without what is undefined. */
function clean(value: unknown): Value {
    return JSON.parse(JSON.stringify(value)) as Value;
}

interface Change {
    start: number;
    end: number;
    text: string;
}

function indentAt(text: string, offset: number): string {
    const line = text.lastIndexOf("\n", offset - 1) + 1;
    return /^[ \t]*/.exec(text.slice(line))![0];
}

/** Whether the parts of an object or list stand on lines of their own. */
function isSpread(text: string, { start, members, items }: Place): boolean {
    const first = members?.[0]?.keyStart ?? items?.[0]?.start;
    return first !== undefined && text.slice(start, first).includes("\n");
}

/** Appends parts behind those that are there. */
function append(text: string, place: Place, lay: ((indent: string) => string)[]): Change[] {
    if (lay.length === 0) return [];
    const ends = (place.members?.map(({ value }) => value) ?? place.items)!;
    const last = ends.at(-1);
    const spread = isSpread(text, place);
    const own = indentAt(text, place.start);
    const inner = spread ? indentAt(text, place.members?.at(-1)?.keyStart ?? last!.start) : own;
    const parts = lay.map((one) => one(spread ? inner : own + INDENT));
    const glue = spread ? `,\n${inner}` : ", ";
    const at = last ? last.end : place.start + 1;
    return [{ start: at, end: at, text: (last ? glue : "") + parts.join(glue) }];
}

/** Takes away a part with the comma before or behind it. */
function takeAway(starts: number[], ends: number[], i: number): Change {
    if (i > 0) return { start: ends[i - 1]!, end: ends[i]!, text: "" };
    const next = starts[1];
    return { start: starts[0]!, end: next ?? ends[0]!, text: "" };
}

function changes(text: string, place: Place, from: Value, to: Value): Change[] {
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    const objects = [from, to].every((v) => v !== null && typeof v === "object");
    const lists = Array.isArray(from) && Array.isArray(to);
    if (objects && lists && from.length > 0 && from.length <= to.length) {
        const kept = from.flatMap((part, i) => changes(text, place.items![i]!, part, to[i]!));
        const added = to.slice(from.length);
        const own = from.some((part) => part !== null && typeof part === "object");
        if (own || added.length === 0)
            return [
                ...kept,
                ...append(
                    text,
                    place,
                    added.map((part) => (indent) => layOut(part, indent)),
                ),
            ];
    }
    if (objects && !Array.isArray(from) && !Array.isArray(to))
        return memberChanges(text, place, from as Members, to as Members);
    const indent = indentAt(text, place.start);
    const used = place.start - (text.lastIndexOf("\n", place.start - 1) + 1);
    return [{ start: place.start, end: place.end, text: layOut(to, indent || INDENT, used) }];
}

type Members = { [key: string]: Value };

function memberChanges(text: string, place: Place, from: Members, to: Members): Change[] {
    const members = place.members!;
    const gone = members.filter(({ key }) => !(key in to));
    const added = Object.entries(to).filter(([key]) => !(key in from));
    if (gone.length === members.length || (gone.length > 0 && added.length > 0)) {
        const indent = indentAt(text, place.start);
        return [{ start: place.start, end: place.end, text: layOut(to, indent || INDENT) }];
    }
    const starts = members.map(({ keyStart }) => keyStart);
    const ends = members.map(({ value }) => value.end);
    return [
        ...members
            .filter(({ key }) => key in to)
            .flatMap(({ key, value }) => changes(text, value, from[key]!, to[key]!)),
        ...gone.map((part) => takeAway(starts, ends, members.indexOf(part))),
        ...append(
            text,
            place,
            added.map(
                ([key, value]) =>
                    (indent) =>
                        laidOutMember(key, value, indent),
            ),
        ),
    ];
}

/** The text of a scene, of this value: with as few changes as can be. */
export function mergeText(text: string, to: unknown): string {
    const wanted = clean(to);
    const merged = changes(text, placesOf(text), JSON.parse(text) as Value, wanted)
        .sort((a, b) => b.start - a.start || b.end - a.end)
        .reduce(
            (whole, { start, end, text }) => whole.slice(0, start) + text + whole.slice(end),
            text,
        );
    // what was taken away side by side may have met: then it is laid out anew
    try {
        if (sorted(JSON.parse(merged) as Value) === sorted(wanted)) return merged;
    } catch {
        // not JSON any more
    }
    return layOut(wanted);
}

/** Whatever the order of members. */
function sorted(value: Value): string {
    return JSON.stringify(value, (_, part: unknown) =>
        part !== null && typeof part === "object" && !Array.isArray(part)
            ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => a.localeCompare(b)))
            : part,
    );
}
