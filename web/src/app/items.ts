// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Items of the settings, made in a line.

import type { Choice, Slider } from "../ui/panel-types";

export type Limits = { min: number; max: number } & Partial<Slider>;

/** A slider whose range always holds its value. */
export function slider(
    id: string,
    label: string,
    unit: string,
    value: number,
    limits: Limits,
): Slider {
    const inside = value > 0 || !limits.log;
    return {
        kind: "slider",
        id,
        label,
        unit,
        log: false,
        whole: false,
        ...limits,
        value,
        min: inside && limits.off === undefined ? Math.min(limits.min, value) : limits.min,
        max: Math.max(limits.max, value),
    };
}

export function choice(
    id: string,
    label: string,
    value: string,
    options: Choice["options"],
    title = "",
): Choice {
    return { kind: "choice", id, label, value, options, title };
}

export function capital(words: string): string {
    return words.charAt(0).toUpperCase() + words.slice(1);
}

export function readable(name: string): string {
    return capital(name.replaceAll("_", " "));
}
