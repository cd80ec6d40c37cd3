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
