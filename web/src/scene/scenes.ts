// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The scenes of the project, those that tests, bench and tool use, after those of garments. What
// they name beside themselves is loaded when one is opened; scenes that name other files are left
// out: the page has none until somebody brings them.

import type { GivenFile } from "../sim/protocol";
import { namedFiles, neededFiles, readScene, readsFiles } from "./scene-file";
import { firstGarment, garmentScenes, patternsOf, readyFile } from "./garments";

const files = import.meta.glob<string>("../../../scenes/*.json", {
    query: "?raw",
    import: "default",
    eager: true,
});

const addresses = import.meta.glob<string>("../../../scenes/*.{detail,start,obj,pc2}", {
    query: "?url",
    import: "default",
    eager: true,
});

export interface SceneFile {
    id: string;
    title: string;
    text: string;
}

/** The one that is shown first. */
export const firstScene = firstGarment;

/** Where a file beside the scenes is loaded from; undefined: there is none. */
function addressOf(name: string): string | undefined {
    return addresses[`../../../scenes/${name}`];
}

/** Whether all that a scene cannot do without is there. */
function isComplete(text: string): boolean {
    const known = (name: string) => readyFile(name) !== null || addressOf(name) !== undefined;
    const needed = neededFiles(text);
    return !readsFiles(text) || (needed.length > 0 && needed.every(known));
}

async function load(name: string): Promise<GivenFile[]> {
    const ready = readyFile(name);
    if (ready) return [ready];
    const address = addressOf(name);
    if (!address) return []; // missed by whoever reads the scene
    const response = await fetch(address).catch(() => null);
    if (!response?.ok) throw new Error(`${name} could not be loaded`);
    return [{ name, bytes: new Uint8Array(await response.arrayBuffer()) }];
}

/** What a scene of the project names. Fails where it is out of reach. */
export async function sceneFiles(text: string): Promise<GivenFile[]> {
    return (await Promise.all(namedFiles(text).map(load))).flat();
}

export const scenes: SceneFile[] = Object.entries(files)
    .map(([path, text]) => {
        const id = path.replace(/^.*\//, "").replace(/\.json$/, "");
        return { id, text, title: readScene(text)?.name ?? id };
    })
    .filter(({ text }) => isComplete(text))
    .sort((a, b) => a.title.localeCompare(b.title));

/** Whether an address may name it. */
export function isScene(id: string): boolean {
    return patternsOf(id) !== null || scenes.some((scene) => scene.id === id);
}

/** All that can be chosen. */
export const sceneList: { id: string; title: string; group: string }[] = [
    ...garmentScenes,
    ...scenes.map(({ id, title }) => ({ id, title, group: "Cloth" })),
];
