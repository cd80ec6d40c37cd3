// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What an address asks for: "?scene=curtain&methods=q1,implicit&field=distance". docs/page.md lists
// the words.

import type { Surface } from "../draw/cloth";
import { choices as details } from "../scene/details";
import { bodies, clips, type Outfit } from "../scene/garments";
import { methods, versusMethods } from "../scene/methods";
import type { FieldName } from "../shape";

export interface Link {
    scene: string | null;
    /** What is worn where nothing else is said. */
    outfit: Outfit;
    /** How halves meet; null: as the scene has it. */
    closure: string | null;
    /** Of the panes, one each. */
    methods: string[];
    field: FieldName;
    surface: Surface;
    /** Of the mesh, in times what the scene has. */
    detail: number;
    /** By what the cloth is shown; null: as the scene has it. */
    shown: string | null;
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
    /** Drawn as well as can be, however long it takes. */
    fine: boolean;
    /** Without panel, charts and toolbar: the cloth alone. */
    bare: boolean;
    /** Milliseconds per step, of weft and XPBD head to head; null: not so. */
    versus: number | null;
    /** For steps; null: as many as the machine has. */
    threads: number | null;
    /** Files that `weft view` offers. */
    open: boolean;
}

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

export function readLink(query: string): Link {
    const words = new URLSearchParams(query);
    const known = methods.map((method) => method.id);
    const asked = (words.get("methods") ?? "").split(",").filter((id) => known.includes(id));
    const versus = words.get("versus") === "xpbd" ? budgetOf(words.get("budget")) : null;
    const theme = words.get("theme");
    const [right, up] = (words.get("turn") ?? "").split(",");
    return {
        scene: words.get("scene"),
        outfit: {
            patterns: ["dress.json"],
            body: oneOf(words.get("body"), valuesOf(bodies)),
            clip: oneOf(words.get("clip"), valuesOf(clips)),
            ...(words.has("halves") && { halves: true }),
        },
        closure: closures.find((known) => known === words.get("closure")) ?? null,
        methods: versus === null ? asked.slice(0, 4) : versusMethods,
        field: oneOf(words.get("field"), ["none", "stretch", "curvature", "speed", "distance"]),
        surface: oneOf(words.get("surface"), ["fabric", "smooth", "wireframe"]),
        detail: Math.min(Math.max(numberOf(words.get("detail"), 1), 0.25), 4),
        shown: details.find(({ value }) => value === words.get("shown"))?.value ?? null,
        colour: /^#[0-9a-f]{6}$/i.exec(words.get("colour") ?? "")?.[0] ?? null,
        theme: theme === "light" || theme === "dark" ? theme : null,
        time: Math.max(0, numberOf(words.get("time"), 0)),
        paused: words.has("paused"),
        near: words.has("near"),
        turn: [numberOf(right ?? null, 0), numberOf(up ?? null, 0)],
        zoom: numberOf(words.get("zoom"), 1),
        fine: words.has("fine"),
        bare: words.has("bare"),
        versus,
        threads: Math.max(0, Math.round(numberOf(words.get("threads"), 0))) || null,
        open: words.has("open"),
    };
}
