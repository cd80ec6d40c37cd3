// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What an address asks for: "?scene=curtain&methods=q1,implicit&field=distance", read and written.
// docs/page.md lists the words.

import type { Following } from "../draw/chase";
import type { Surface } from "../draw/cloth";
import { choices as details } from "../scene/details";
import type { Edits } from "../scene/document";
import { bodies, clips, type Outfit } from "../scene/garments";
import { methods, versusMethods } from "../scene/methods";
import type { FieldName } from "../shape";
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

const closures = ["open", "zip", "button"];

function oneOf<T extends string>(value: string | null, all: readonly T[]): T {
    return all.find((known) => known === value) ?? all[0]!;
}

function valuesOf(named: { value: string }[]): string[] {
    return named.map(({ value }) => value);
}

function numberOf(value: string | null, otherwise: number): number {
    const number = value === null || value === "" ? Number.NaN : Number(value);
    return Number.isFinite(number) ? number : otherwise;
}

/** Milliseconds. */
function budgetOf(value: string | null): number {
    return Math.min(Math.max(numberOf(value, 4), 0.5), 16);
}

function numbersOf(words: string | null, count: number): number[] {
    const parts = (words ?? "").split(",");
    return Array.from({ length: count }, (_, i) => numberOf(parts[i] ?? null, 0));
}

/** Those that have words of their own, and the others; a single method is one of them. */
function editsOf(words: URLSearchParams, asked: string[]): Edits {
    const edits = readEdits(words.get("edits") ?? "");
    const closure = closures.find((known) => known === words.get("closure"));
    const shown = details.find(({ value }) => value === words.get("shown"))?.value;
    const detail = Math.min(Math.max(numberOf(words.get("detail"), 1), 0.25), 4);
    const fabric = words.get("fabric");
    if (asked.length === 1) edits.method = asked[0];
    if (closure) edits.closure = closure;
    if (shown) edits.shown = shown;
    if (detail !== 1) edits.detail = detail;
    if (fabric) edits.fabric = fabric;
    if (words.get("versus") === "xpbd") edits.versus = budgetOf(words.get("budget"));
    return edits;
}

function ownOf(hash: string): Link["own"] {
    const words = new URLSearchParams(hash.replace(/^#/, ""));
    const [packed, kept] = [words.get("own"), words.get("kept")];
    return packed ? { packed } : kept ? { kept } : null;
}

/** `query` and `hash`: as `location` has them. */
export function readLink(query: string, hash = ""): Link {
    const words = new URLSearchParams(query);
    const known = methods.map((method) => method.id);
    const asked = (words.get("methods") ?? "").split(",").filter((id) => known.includes(id));
    const panes = asked.length > 1 ? asked.slice(0, 4) : [];
    const edits = editsOf(words, asked);
    const theme = words.get("theme");
    return {
        scene: words.get("scene"),
        outfit: {
            patterns: ["dress.json"],
            body: oneOf(words.get("body"), valuesOf(bodies)),
            clip: oneOf(words.get("clip"), valuesOf(clips)),
            ...(words.has("halves") && { halves: true }),
        },
        edits,
        methods: edits.versus !== undefined && panes.length !== 2 ? versusMethods : panes,
        field: oneOf(words.get("field"), fields),
        surface: oneOf(words.get("surface"), surfaces),
        speed: Math.min(Math.max(numberOf(words.get("speed"), 1), 0.05), 1),
        follow: oneOf(words.get("follow"), followings),
        pins: words.get("pins") !== "hidden",
        labels: words.get("labels") !== "hidden",
        colour: /^#[0-9a-f]{6}$/i.exec(words.get("colour") ?? "")?.[0] ?? null,
        theme: theme === "light" || theme === "dark" ? theme : null,
        time: Math.max(0, numberOf(words.get("time"), 0)),
        paused: words.has("paused"),
        near: words.has("near"),
        turn: numbersOf(words.get("turn"), 2) as [number, number],
        zoom: numberOf(words.get("zoom"), 1),
        shift: numbersOf(words.get("shift"), 3) as [number, number, number],
        fine: words.has("fine"),
        bare: words.has("bare"),
        threads: Math.max(0, Math.round(numberOf(words.get("threads"), 0))) || null,
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
    const { method, closure, shown, detail, fabric, versus, ...others } = link.edits;
    const asked = link.methods.length > 1 ? link.methods : method ? [method] : [];
    const rest = link.methods.length > 1 ? { ...others, method } : others;
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
        ["fabric", fabric ?? ""],
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
