// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Scenes of bodies that wear something: the garments of the project, or a pattern of the user's own.
// The first of them is dressed when the page is built, so that it begins at once.

import type { GivenFile } from "../sim/protocol";
import { SceneDocument, type Edits, type MeshBody } from "./document";

const files = import.meta.glob<string>("../../../garments/*.json", {
    query: "?raw",
    import: "default",
    eager: true,
});

/** How the first scene begins, with its mesh and with a coarser one. */
const starts = import.meta.glob<string>("../../../build/web/dressed/*.start.json", {
    query: "?url",
    import: "default",
    eager: true,
});

/** What is worn, by whom, and what they do. */
export interface Outfit {
    /** Files of patterns, from the skin outwards. */
    patterns: string[];
    body: string;
    clip: string;
    /** Instead of `body` and `clip`: a mesh that stands still. */
    mesh?: MeshBody;
    /** One half is simulated, where all of it is symmetric. */
    halves?: boolean;
}

export interface Named {
    value: string;
    label: string;
}

/** Of the scene that is dressed when the page is built, as tools/web.sh says it. */
const first: Outfit = { patterns: ["dress.json"], body: "female", clip: "walk" };
/** Metres, of the triangles, and what is spent on a step: fine enough for folds, and played in real
 *  time or nearly so. docs/page.md says what was measured. */
const EDGE = 0.03;
const QUALITY = 2;
/** Detail of the first scene on weak machines: edges of 48 mm, as tools/web.sh dresses it, too. */
export const COARSE = 0.625;
const PREFIX = "garment:";
/** Of the project's own, those that are open in front. */
const OPEN = ["cape.json", "jacket.json"];

function titleOf(text: string, id: string): string {
    const name = ((JSON.parse(text) as { name?: string }).name ?? id).replaceAll("_", " ");
    return name.charAt(0).toUpperCase() + name.slice(1);
}

export const garments: (Named & { file: string; text: string })[] = Object.entries(files)
    .map(([path, text]) => {
        const file = path.replace(/^.*\//, "");
        const value = file.replace(/\.json$/, "");
        return { value, file, text, label: titleOf(text, value) };
    })
    .sort((a, b) => a.label.localeCompare(b.label));

export const bodies: Named[] = [
    { value: "female", label: "Woman" },
    { value: "male", label: "Man" },
    { value: "child", label: "Child" },
];

export const clips: Named[] = [
    { value: "walk", label: "Walks" },
    { value: "turn", label: "Turns" },
    { value: "hop", label: "Hops" },
    { value: "squat", label: "Bends its knees" },
    { value: "a_pose", label: "Stands" },
    { value: "arms_down", label: "Stands, arms down" },
];

export const firstGarment = `${PREFIX}dress`;

/** For the list of scenes. */
export const garmentScenes = garments.map(({ value, label }) => ({
    id: PREFIX + value,
    title: label,
    group: "Garments",
}));

/** The patterns that an entry of the list of scenes stands for, or several such names with commas,
 *  each with its "garment:" or only the first; null where one is none. */
export function patternsOf(id: string): string[] | null {
    if (!id.startsWith(PREFIX)) return null;
    const names = id.split(",").map((name) => name.replace(PREFIX, ""));
    const files = names.map((name) => garments.find(({ value }) => value === name)?.file);
    return files.every((file) => file !== undefined) ? files : null;
}

/** A garment of the project, as a file that scenes name: those of the project by its folder. */
export function readyFile(name: string): GivenFile | null {
    const plain = name.replace(/^\.\.\/garments\//, "");
    const found = garments.find(({ file }) => file === plain);
    return found ? { name, bytes: new TextEncoder().encode(found.text) } : null;
}

/** Whether something of it may be open in front; of patterns of the user's own nobody knows. */
export function mayClose({ patterns }: Outfit): boolean {
    return patterns.some((file) => OPEN.includes(file) || !readyFile(file));
}

function sceneOf({ patterns, body, clip, mesh, halves }: Outfit, name: string): string {
    const scene = {
        weft: 1,
        name,
        duration: 60,
        contact: "all",
        ...(halves && { mirror: "exact" }),
        step: { quality: QUALITY },
        bodies: [
            mesh ?? { kind: "mannequin", name: body, type: body, clip },
            { kind: "plane", name: "floor" },
        ],
        cloths: patterns.map((file) => ({ mesh: { kind: "pattern", file, edge: EDGE } })),
    };
    return JSON.stringify(scene, null, 4);
}

function same(a: Outfit, b: Outfit): boolean {
    return JSON.stringify(a) === JSON.stringify(b);
}

/** How the first scene begins; null where it cannot be had, and has to be found again. */
async function loadStart(detail: number): Promise<string | null> {
    const name = detail === COARSE ? "dress.coarse" : "dress";
    const address = starts[`../../../build/web/dressed/${name}.start.json`];
    try {
        const response = address ? await fetch(address) : null;
        return response?.ok ? await response.text() : null;
    } catch {
        return null;
    }
}

/** As the pattern says, or its file. */
function nameOfOwn(file: string, own: GivenFile[]): string {
    const plain = file.replace(/\.json$/i, "");
    const given = own.find(({ name }) => name === file);
    try {
        const { name } = JSON.parse(new TextDecoder().decode(given?.bytes)) as { name?: unknown };
        return (typeof name === "string" && name.replace(/[/\\:]/g, " ").trim()) || plain;
    } catch {
        return plain; // the reader says what is wrong with it
    }
}

/** `own`: files that are not the project's. */
export async function outfitDocument(
    outfit: Outfit,
    own: GivenFile[] = [],
    edits: Edits = {},
): Promise<SceneDocument> {
    const known = outfit.patterns.map((file) => garments.find((garment) => garment.file === file));
    const names = outfit.patterns.map((file, i) => known[i]?.label ?? nameOfOwn(file, own));
    const single = outfit.patterns.length === 1 ? known[0] : undefined;
    const id = single ? PREFIX + single.value : names.join(", ");
    const name = names.join(", ");
    const document = new SceneDocument(id, `${name}.json`, sceneOf(outfit, name));
    document.outfit = outfit;
    const wanted = [...outfit.patterns, ...(outfit.mesh ? [outfit.mesh.file] : [])];
    document.files = wanted.flatMap(
        (file) => own.find((given) => given.name === file) ?? readyFile(file) ?? [],
    );
    document.edits = edits;
    const { detail = 1 } = edits;
    const ready = same(outfit, first) && (detail === 1 || detail === COARSE);
    const start = ready ? await loadStart(detail) : null;
    if (start) document.keepStart(start);
    return document;
}

/** Whether a text is a pattern: of our own form, or GarmentCode's. */
export function isPattern(text: string): boolean {
    try {
        const json = JSON.parse(text) as Record<string, unknown> | null;
        if (json === null || typeof json !== "object") return false;
        return "weft_pattern" in json || (!("weft" in json) && "pattern" in json);
    } catch {
        return false;
    }
}
