// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene file as far as the page reads it itself, and the files that it names. All else of it is
// the library's to understand.

import { learnedFiles, shownMeshes } from "./details";
import type { StepSettings } from "./methods";

export interface Mesh {
    file?: unknown;
    frames?: unknown;
    clip_file?: unknown;
    columns?: number;
    rows?: number;
    edge?: number;
    segments?: number;
    kind?: string;
}

export interface Body {
    kind?: string;
    [key: string]: unknown;
}

export interface Cloth {
    mesh: Mesh;
    pins?: { vertices?: number[]; [key: string]: unknown }[];
    fabric?: string | Record<string, unknown>; // a name, or what it is
    panels?: Record<string, unknown>; // fabrics by the names of panels
    detail?: unknown;
    [key: string]: unknown;
}

export interface Scene {
    name?: string;
    start?: unknown;
    detail?: unknown;
    cloths: Cloth[];
    bodies?: Body[];
    step?: StepSettings;
    mirror?: unknown;
    [key: string]: unknown;
}

/** Just far enough to be edited, or asked what it needs; null where it is not even that. */
export function readScene(text: string): Scene | null {
    try {
        const scene = JSON.parse(text) as Partial<Scene> | null;
        const good =
            Array.isArray(scene?.cloths) &&
            scene.cloths.every((cloth) => typeof cloth?.mesh === "object" && cloth.mesh !== null);
        return good ? (scene as Scene) : null;
    } catch {
        return null;
    }
}

/** The files that a scene names, there or not. */
export function namedFiles(text: string): string[] {
    const scene = readScene(text);
    const printed = [...new Set(printFiles(scene))];
    return [...neededFiles(text), ...learnedFiles(scene), ...fabricFiles(scene), ...printed];
}

/** Those without which it cannot be read. */
export function neededFiles(text: string): string[] {
    const scene = readScene(text);
    const meshes = scene?.cloths.map((cloth) => cloth.mesh) ?? [];
    const bodies: (Body | null)[] = Array.isArray(scene?.bodies) ? scene.bodies : [];
    return [...meshes, ...bodies]
        .flatMap((part) => [part?.file, part?.frames, part?.clip_file])
        .concat(scene?.start, shownMeshes(scene))
        .filter((name) => typeof name === "string");
}

/** Fabrics by their paths, or by names, which may be those of presets. */
function fabricFiles(scene: Scene | null): string[] {
    const fabrics = scene?.cloths.map(({ fabric }) =>
        typeof fabric === "object" ? fabric?.base : fabric,
    );
    const fileOf = (name: string) => (/\/|\.json$/i.test(name) ? name : `${name}.json`);
    return (fabrics ?? []).filter((name) => typeof name === "string").map(fileOf);
}

/** Pictures that looks print, wherever in a scene they are. */
function printFiles(part: unknown): string[] {
    if (typeof part !== "object" || part === null) return [];
    const { print } = part as { print?: { kind?: unknown; file?: unknown } | null };
    const own = print?.kind === "picture" && typeof print.file === "string" ? [print.file] : [];
    return [...own, ...Object.values(part).flatMap(printFiles)];
}

/** "skirt.json" of "../garments/skirt.json". */
export function baseName(name: string): string {
    return name.replace(/^.*\//, "");
}

/** The text of a scene that names a file without its folder. */
export function renameFile(text: string, name: string): string {
    return text.replaceAll(JSON.stringify(name), JSON.stringify(baseName(name)));
}

/** The page has no files but those that it is given. */
export function readsFiles(text: string): boolean {
    const scene = readScene(text);
    const bodies = Array.isArray(scene?.bodies) ? scene.bodies : [];
    return neededFiles(text).length > 0 || bodies.some((body) => body?.kind === "mesh");
}
