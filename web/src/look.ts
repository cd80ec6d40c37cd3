// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How a fabric looks: WeftLook of weft_render.h, as the core, scenes, fabric files and GLB files
// ("weft_look" in the extras of materials) have it. docs/fabric.md says what each number does.

export const weaves = ["plain", "twill", "satin", "knit", "pile", "ripstop"] as const;
export type Weave = (typeof weaves)[number];

export const prints = ["none", "stripes", "checks", "picture"] as const;
export type PrintKind = (typeof prints)[number];

export interface Print {
    kind: PrintKind;
    /** Of stripes and checks. */
    colour: string;
    /** Metres, of one repeat across. */
    size: number;
    /** Of a picture: its path, beside the scene. */
    file: string;
}

/** Colours are sRGB as "#b8573f"; shares are 0 to 1. */
export interface Look {
    colour: string;
    /** Of the other side. */
    reverse: string;
    weave: Weave;
    /** Metres from one thread of the warp to the next; of knits, from wale to wale. */
    thread: number;
    relief: number;
    roughness: number;
    specular: number;
    sheen: number;
    sheen_colour: string;
    sheen_roughness: number;
    /** -1 to 1, along the warp. */
    anisotropy: number;
    /** Share of what is behind that threads cover. */
    opacity: number;
    /** Share of diffuse light that is let through. */
    translucency: number;
    print: Print;
}

/** Of cloth that nobody says more of. */
export const DEFAULT_LOOK: Readonly<Look> = {
    colour: "#b8573f",
    reverse: "#a0503a",
    weave: "plain",
    thread: 0.0005,
    relief: 0.5,
    roughness: 0.85,
    specular: 0.25,
    sheen: 0.4,
    sheen_colour: "#d9a08f",
    sheen_roughness: 0.45,
    anisotropy: 0,
    opacity: 1,
    translucency: 0.3,
    print: { kind: "none", colour: "#ffffff", size: 0.02, file: "" },
};

/** Red, green and blue, from 0 to 1. */
export const shares = (colour: string): number[] =>
    [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255);

/** The same in another colour: the other side differs from it as before. */
export function recoloured(look: Look, colour: string): Look {
    const [old, back, own] = [look.colour, look.reverse, colour].map(shares);
    const reverse = own!.map((x, k) => Math.min(Math.max(x + back![k]! - old![k]!, 0), 1));
    const digits = reverse.map((x) =>
        Math.round(255 * x)
            .toString(16)
            .padStart(2, "0"),
    );
    return { ...look, colour, reverse: `#${digits.join("")}`, sheen_colour: colour };
}
