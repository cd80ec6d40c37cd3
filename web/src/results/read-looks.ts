// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How the materials of a GLB look on cloth. Files of weft have the whole look in the extras of a
// material; of others it is made of what the material says: colour, gloss, sheen, opacity.

import { Color, LinearSRGBColorSpace, MathUtils } from "three";
import { DEFAULT_LOOK, prints, weaves, type Look } from "../look";

/** A JSON object of which nothing is known. */
type Json = Record<string, unknown>;

function object(value: unknown): Json {
    return typeof value === "object" && value !== null && !Array.isArray(value)
        ? (value as Json)
        : {};
}

function number(value: unknown, low: number, high: number, missing: number): number {
    if (typeof value !== "number" || !Number.isFinite(value)) return missing;
    return MathUtils.clamp(value, low, high);
}

function colour(value: unknown, missing: string): string {
    return typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value) ? value : missing;
}

function oneOf<T extends string>(value: unknown, all: readonly T[], missing: T): T {
    return all.find((one) => one === value) ?? missing;
}

const LARGEST_THREAD = 0.1; // metres

/** What is left out, or is none of what it may be, is as cloth has it that nobody says more of. */
function checkLook(given: Json): Look {
    const print = object(given.print);
    const share = (key: keyof Look, low = 0) =>
        number(given[key], low, 1, DEFAULT_LOOK[key] as number);
    const tone = (key: "colour" | "sheen_colour") => colour(given[key], DEFAULT_LOOK[key]);
    return {
        colour: tone("colour"),
        reverse: colour(given.reverse, tone("colour")),
        weave: oneOf(given.weave, weaves, DEFAULT_LOOK.weave),
        thread: number(given.thread, 0, LARGEST_THREAD, DEFAULT_LOOK.thread),
        relief: share("relief"),
        roughness: share("roughness"),
        specular: share("specular"),
        sheen: share("sheen"),
        sheen_colour: tone("sheen_colour"),
        sheen_roughness: share("sheen_roughness"),
        anisotropy: share("anisotropy", -1),
        opacity: share("opacity"),
        translucency: share("translucency"),
        print: {
            kind: oneOf(print.kind, prints, "none"),
            colour: colour(print.colour, "#ffffff"),
            size: number(print.size, 1e-4, 100, 0.02),
            file: typeof print.file === "string" ? print.file : "",
        },
    };
}

/** A colour of glTF, which is linear. */
function written(value: unknown, missing: string): string {
    if (!Array.isArray(value)) return missing;
    const [r, g, b] = [0, 1, 2].map((k) => number(value[k], 0, 1, 1)) as [number, number, number];
    return `#${new Color().setRGB(r, g, b, LinearSRGBColorSpace).getHexString()}`;
}

/** Without threads: texture coordinates of others are no metres. */
function foreignLook(material: Json): Look {
    const surface = object(material.pbrMetallicRoughness);
    const extensions = object(material.extensions);
    const sheen = object(extensions.KHR_materials_sheen);
    const factor = surface.baseColorFactor;
    const opacity = material.alphaMode === "BLEND" && Array.isArray(factor) ? factor[3] : 1;
    const base = written(factor, "#ffffff");
    return {
        ...DEFAULT_LOOK,
        colour: base,
        reverse: base,
        thread: 0,
        roughness: number(surface.roughnessFactor, 0, 1, 1),
        specular: number(object(extensions.KHR_materials_specular).specularFactor, 0, 1, 1),
        sheen: sheen.sheenColorFactor ? 1 : 0,
        sheen_colour: written(sheen.sheenColorFactor, "#000000"),
        sheen_roughness: number(sheen.sheenRoughnessFactor, 0, 1, 0),
        opacity: number(opacity, 0, 1, 1),
        translucency: 0,
    };
}

/** Of a material of glTF. */
export function readLook(material: Json): Look {
    const { weft_look } = object(material.extras);
    return weft_look === undefined ? foreignLook(material) : checkLook(object(weft_look));
}

/** Files of weft turn textures by a quarter where the warp runs along u; else it runs along v. */
export function warpRunsAlongV(material: Json): boolean {
    const extensions = object(object(material.normalTexture).extensions);
    const transform = extensions.KHR_texture_transform;
    return transform !== undefined && object(transform).rotation === undefined;
}
