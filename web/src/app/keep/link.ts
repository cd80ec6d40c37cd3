// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What an address asks for: "?scene=curtain&methods=q1,implicit&field=distance", read and written.
// docs/page.md lists the words.

import type { Following } from "../../draw/camera/chase";
import type { Surface } from "../../draw/cloth";
import { choices as details } from "../../scene/details";
import type { Edits } from "../../scene/document";
import { bodies, clips, type Outfit } from "../../scene/garments";
import type { FabricEdits } from "../../scene/targets";
import { methods, versusMethods } from "../../scene/methods";
import type { FieldName } from "../../shape";
import { readEdits, writeEdits } from "./edit-words";

export interface Link {
    scene: string | null;
    /** What is worn where nothing else is said. */
    outfit: Outfit;
    /** What is not as the scene has it. */
    edits: Edits;
    /** Of the panes, one each; empty: there is one pane. */
    methods: string[];
    field: FieldName;
    surface: Surface;
    /** Seconds of the scene per second. */
    speed: number;
    follow: Following;
    /** Whether pins are shown, and names of fabrics. */
    pins: boolean;
    labels: boolean;
    colour: string | null;
    theme: "light" | "dark" | null;
    /** Seconds to run ahead, then stand still. */
    time: number;
    paused: boolean;
    /** Look at the cloth where it is after this time, not where it begins. */
    near: boolean;
    /** Degrees to turn the camera by, to the right and up; and how near to go. */
    turn: [number, number];
    zoom: number;
    /** Metres that what the camera looks at is shifted by. */
    shift: [number, number, number];
    /** Drawn as well as can be, however long it takes. */
    fine: boolean;
    /** Without panel, charts and toolbar: the cloth alone. */
    bare: boolean;
    /** For steps; null: as many as the machine has. */
    threads: number | null;
    /** Files that `weft view` offers. */
    open: boolean;
    /** A scene of the user's own: packed, or the name under which this browser keeps it. */
    own: { packed?: string; kept?: string } | null;
}

const fields = ["none", "stretch", "curvature", "speed", "distance"] as const;
const surfaces = ["fabric", "smooth", "wireframe"] as const;
const followings = ["auto", "always", "never"] as const;

const MOST_TIME = 600; // seconds that are run ahead
const closures = ["open", "zip", "button"];

/** The words of an address, each read as what it is; what is none of that is noted, and is as if it were
 *  not there. */
class Words {
    readonly misread: string[] = [];
    private readonly words: URLSearchParams;

    constructor(query: string) {
        this.words = new URLSearchParams(query);
    }

    has(name: string): boolean {
        return this.words.has(name);
    }

    /** null: nothing is said. */
    text(name: string): string | null {
        return this.words.get(name) || null;
    }

    note(name: string, what: string): void {
        this.misread.push(`${name} "${what.length > 40 ? `${what.slice(0, 39)}…` : what}"`);
    }

    /** null: nothing is said, or nothing that is known. */
    known<T extends string>(name: string, all: readonly T[]): T | null {
        const value = this.text(name);
        const found = all.find((known) => known === value) ?? null;
        if (value !== null && found === null) this.note(name, value);
        return found;
    }

    /** What is beyond a bound becomes the bound, which is noted as well. */
    number(name: string, otherwise: number, low = -Infinity, high = Infinity): number {
        const value = this.text(name);
        if (value === null) return otherwise;
        const number = Number(value);
        if (Number.isFinite(number)) return this.bounded(name, number, low, high);
        this.note(name, value);
        return otherwise;
    }

    bounded(name: string, number: number, low: number, high: number): number {
        const bounded = Math.min(Math.max(number, low), high);
        const end = bounded < number ? "most" : "least";
        if (bounded !== number) this.misread.push(`${name} ${number} (the ${end} is ${bounded})`);
        return bounded;
    }

    /** With commas; what is left out is 0. */
    numbers(name: string, count: number, most: number): number[] {
        const value = this.text(name) ?? "";
        const parts = value.split(",").map(Number);
        const good = parts.length <= count && parts.every((part) => Math.abs(part) <= most);
        if (!good) this.note(name, value);
        return Array.from({ length: count }, (_, i) => (good && parts[i]) || 0);
    }
}

function valuesOf(named: { value: string }[]): string[] {
    return named.map(({ value }) => value);
}

/** What the slider has. */
export const DETAIL = { min: 0.25, max: 2 };
const MOST_PANES = 4;

/** Those that have words of their own, and the others; a single method is one of them. */
function editsOf(words: Words, asked: string[]): Edits {
    const edits = readEdits(words.text("edits") ?? "", (part) => words.note("edits", part));
    if (edits.detail !== undefined)
        edits.detail = words.bounded("detail", edits.detail, DETAIL.min, DETAIL.max);
    const closure = words.known("closure", closures);
    const shown = words.known("shown", valuesOf(details));
    const detail = words.number("detail", 1, DETAIL.min, DETAIL.max);
    const fabrics = words.text("fabric")?.split(",") ?? [];
    const versus = words.known("versus", ["xpbd"]);
    const budget = words.number("budget", 4, 0.5, 16); // milliseconds
    if (asked.length === 1) edits.method = asked[0];
    if (closure) edits.closure = closure;
    if (shown) edits.shown = shown;
    if (detail !== 1) edits.detail = detail;
    if (fabrics.length === 1) edits.fabric = fabrics[0];
    if (fabrics.length > 1) edits.fabrics = { ...ofEachCloth(fabrics), ...edits.fabrics };
    if (versus) edits.versus = budget;
    return edits;
}

/** Names of fabrics, one for each cloth from the first on. */
function ofEachCloth(names: string[]): FabricEdits {
    return Object.fromEntries(names.map((base, cloth) => [String(cloth), { base }]));
}

/** The same backwards; null: those are no names of the first cloths, two or more. */
function namesOf(fabrics: FabricEdits | undefined): string[] | null {
    const names = Object.values(fabrics ?? {}).map(({ base }) => base ?? "");
    const same = JSON.stringify(ofEachCloth(names)) === JSON.stringify(fabrics);
    return names.length > 1 && same && names.every((name) => /^\w+$/.test(name)) ? names : null;
}

function methodsOf(words: Words): string[] {
    const known = methods.map((method) => method.id);
    const asked = words.text("methods")?.split(",") ?? [];
    const unknown = asked.filter((id) => !known.includes(id));
    if (unknown.length > 0) words.note("methods", unknown.join(","));
    const found = asked.filter((id) => known.includes(id));
    const more = found.slice(MOST_PANES);
    if (more.length > 0)
        words.misread.push(`methods "${more.join(",")}" (the most are ${MOST_PANES})`);
    return found.slice(0, MOST_PANES);
}

function ownOf(hash: string): Link["own"] {
    const words = new URLSearchParams(hash.replace(/^#/, ""));
    const [packed, kept] = [words.get("own"), words.get("kept")];
    return packed ? { packed } : kept ? { kept } : null;
}

function colourOf(words: Words): string | null {
    const colour = words.text("colour");
    if (colour === null || /^#[0-9a-f]{6}$/i.test(colour)) return colour;
    words.note("colour", colour);
    return null;
}

/** Not below nothing, and not nothing. */
function zoomOf(words: Words): number {
    const zoom = words.number("zoom", 1);
    if (zoom > 0) return zoom;
    words.note("zoom", words.text("zoom")!);
    return 1;
}

export interface Address {
    link: Link;
    /** What of it was not understood, in words. */
    misread: string[];
}

/** `query` and `hash`: as `location` has them. */
export function readAddress(query: string, hash = ""): Address {
    const words = new Words(query);
    const link = readWords(words, hash);
    return { link, misread: words.misread };
}

export function readLink(query: string, hash = ""): Link {
    return readAddress(query, hash).link;
}

function readWords(words: Words, hash: string): Link {
    const asked = methodsOf(words);
    const panes = asked.length > 1 ? asked : [];
    const edits = editsOf(words, asked);
    return {
        scene: words.text("scene"),
        outfit: {
            patterns: ["dress.json"],
            body: words.known("body", valuesOf(bodies)) ?? bodies[0]!.value,
            clip: words.known("clip", valuesOf(clips)) ?? clips[0]!.value,
            ...(words.has("halves") && { halves: true }),
        },
        edits,
        methods: edits.versus !== undefined && panes.length !== 2 ? versusMethods : panes,
        field: words.known("field", fields) ?? fields[0],
        surface: words.known("surface", surfaces) ?? surfaces[0],
        speed: words.number("speed", 1, 0.05, 1),
        follow: words.known("follow", followings) ?? followings[0],
        pins: words.known("pins", ["hidden", "shown"]) !== "hidden",
        labels: words.known("labels", ["hidden", "shown"]) !== "hidden",
        colour: colourOf(words),
        theme: words.known("theme", ["light", "dark"]),
        time: words.number("time", 0, 0, MOST_TIME),
        paused: words.has("paused"),
        near: words.has("near"),
        turn: words.numbers("turn", 2, 3600) as [number, number],
        zoom: zoomOf(words),
        shift: words.numbers("shift", 3, 1000) as [number, number, number],
        fine: words.has("fine"),
        bare: words.has("bare"),
        threads: Math.round(words.number("threads", 0, 0)) || null,
        open: words.has("open"),
        own: ownOf(hash),
    };
}

// -------------------------------------------------------------------------------------------------
// Writing

function isUsualVersus(methods: string[]): boolean {
    return methods.join() === versusMethods.join();
}

/** What is as usual has no word. */
function wordsOf(link: Link): [string, string | boolean][] {
    const { method, closure, shown, detail, fabric, fabrics, versus, ...others } = link.edits;
    const named = fabric === undefined ? namesOf(fabrics) : null;
    const single = fabric?.includes(",") ? undefined : fabric;
    const asked = link.methods.length > 1 ? link.methods : method ? [method] : [];
    const rest = {
        ...others,
        ...(link.methods.length > 1 && { method }),
        ...(!named && { fabrics }),
        ...(single === undefined && { fabric }),
    };
    const usual = readLink("");
    const unlessUsual = (key: "field" | "surface" | "speed" | "follow" | "time") =>
        link[key] === usual[key] ? "" : String(link[key]);
    const { body, clip, halves } = link.outfit;
    return [
        ["scene", link.scene ?? ""],
        ["body", body === usual.outfit.body ? "" : body],
        ["clip", clip === usual.outfit.clip ? "" : clip],
        ["halves", halves ?? false],
        ["methods", versus !== undefined && isUsualVersus(asked) ? "" : asked.join(",")],
        ["versus", versus === undefined ? "" : "xpbd"],
        ["budget", versus === undefined ? "" : String(versus)],
        ["closure", closure ?? ""],
        ["fabric", named?.join(",") ?? single ?? ""],
        ["detail", detail === undefined || detail === 1 ? "" : String(detail)],
        ["shown", shown ?? ""],
        ["edits", writeEdits(rest)],
        ["field", unlessUsual("field")],
        ["surface", unlessUsual("surface")],
        ["speed", unlessUsual("speed")],
        ["follow", unlessUsual("follow")],
        ["pins", link.pins ? "" : "hidden"],
        ["labels", link.labels ? "" : "hidden"],
        ["colour", link.colour ?? ""],
        ["theme", link.theme ?? ""],
        ["time", unlessUsual("time")],
        ["paused", link.paused],
        ["near", link.near],
        ["turn", link.turn.some((part) => part !== 0) ? link.turn.join(",") : ""],
        ["zoom", link.zoom === 1 ? "" : String(link.zoom)],
        ["shift", link.shift.some((part) => part !== 0) ? link.shift.join(",") : ""],
        ["fine", link.fine],
        ["bare", link.bare],
        ["threads", link.threads ? String(link.threads) : ""],
        ["open", link.open],
    ];
}

/** For another scene: what only made sense for the one that was asked for. */
export function withoutPlace(link: Link): Link {
    const { turn, zoom, shift, time, paused, near, open } = readLink("");
    return { ...link, turn, zoom, shift, time, paused, near, open };
}

/** Letters that need no escape in a query, though they get one. */
function escape(word: string): string {
    return encodeURIComponent(word).replace(/%(2C|3A|3B)/g, decodeURIComponent);
}

/** "?..." and "#...", or nothing: what reading gives the same link again. */
export function writeLink(link: Link): { query: string; hash: string } {
    const words = wordsOf(link).filter(([, value]) => value !== "" && value !== false);
    const query = words
        .map(([name, value]) => (value === true ? name : `${name}=${escape(String(value))}`))
        .join("&");
    const { packed, kept } = link.own ?? {};
    const hash = packed ? `#own=${packed}` : kept ? `#kept=${kept}` : "";
    return { query: query && `?${query}`, hash };
}
