// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a file of the user's is taken for, and fabrics of their own.

import { isPattern } from "../../scene/garments";
import type { Look } from "../../look";
import type { FabricNumbers, LibraryChoice, SceneLook } from "../../sim/core";
import type { GivenFile } from "../../sim/protocol";

export type TextKind = "scene" | "pattern" | "fabric" | "other";

const openable =
    "scenes, patterns and fabrics (.json), recordings (.glb, .pc2, .obj), meshes " +
    "(.obj, .ply, .stl, .glb, .gltf, .fbx) and pictures to print (.png, .jpg, .webp, .gif, .avif)";

function readObject(text: string): Record<string, unknown> | null {
    try {
        const json: unknown = JSON.parse(text);
        const isObject = json !== null && typeof json === "object" && !Array.isArray(json);
        return isObject ? (json as Record<string, unknown>) : {};
    } catch {
        return null;
    }
}

/** What is no JSON is a scene: its reader says by line and column what is wrong. */
export function kindOfText(text: string): TextKind {
    const object = readObject(text);
    if (!object || "weft" in object || "cloths" in object) return "scene";
    if ("weft_fabric" in object) return "fabric";
    return isPattern(text) ? "pattern" : "other";
}

/** For a file that the page can do nothing with. */
export function wrongFileWords(name: string): string {
    const what = /\.json$/i.test(name)
        ? `${name} is neither a scene, a pattern nor a fabric`
        : `${name} is of a kind that the page does not know`;
    return `${what}. It opens ${openable}.`;
}

/** A fabric as scenes name it: by the name of its file without the end. */
export function fabricName({ name }: GivenFile): string {
    return name.replace(/^.*\//, "").replace(/\.json$/i, "");
}

/** Its file under a name of its own: presets and other files keep theirs. */
export function fabricFile(name: string, bytes: Uint8Array, taken: string[]): GivenFile {
    const stem = fabricName({ name, bytes });
    let free = stem;
    for (let i = 2; taken.includes(free) || taken.includes(`${free}.json`); i++)
        free = `${stem}-${i}`;
    return { name: `${free}.json`, bytes };
}

/** Fabrics among files, as choices beside those of the library. What a file does not say of its
 *  numbers and its look is as in one of the library, unless it is known of cloth that is `made`. */
export function fabricChoices(
    files: GivenFile[],
    library: LibraryChoice[],
    made: SceneLook[],
): LibraryChoice[] {
    const plain = library.find(({ numbers, look }) => numbers && look);
    return files.flatMap((file) => {
        if (!/\.json$/i.test(file.name)) return [];
        const object = readObject(new TextDecoder().decode(file.bytes));
        if (!object || !("weft_fabric" in object)) return [];
        const { description, stretch, look } = object;
        const text = typeof description === "string" ? description : "a fabric of your own";
        const given = Object.entries(object).filter(([, value]) => typeof value === "number");
        const numbers = { ...plain?.numbers, ...Object.fromEntries(given) } as FabricNumbers;
        if (stretch !== undefined)
            numbers.stretch = (Array.isArray(stretch) ? stretch : [stretch, stretch]) as [
                number,
                number,
            ];
        const looks = plain?.look && { ...plain.look, ...(look as Partial<Look> | undefined) };
        const name = fabricName(file);
        // tables are told by the constants that were fitted to them
        const used = made.find(({ fabric }) => fabric === name)?.numbers;
        const own = { group: "fabric", name, text, numbers: used ?? numbers };
        return [looks ? { ...own, look: looks } : own];
    });
}
