// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The scenes of the project, those that tests, bench and tool use, after those of garments. Scenes
// that name mesh files are left out: the page has none until somebody brings them.

import { readScene, readsFiles } from "./document";
import { firstGarment, garmentScenes } from "./garments";

const files = import.meta.glob<string>("../../../scenes/*.json", {
    query: "?raw",
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

export const scenes: SceneFile[] = Object.entries(files)
    .map(([path, text]) => {
        const id = path.replace(/^.*\//, "").replace(/\.json$/, "");
        return { id, text, title: readScene(text)?.name ?? id };
    })
    .filter((scene) => !readsFiles(scene.text))
    .sort((a, b) => a.title.localeCompare(b.title));

/** All that can be chosen. */
export const sceneList: { id: string; title: string; group: string }[] = [
    ...garmentScenes,
    ...scenes.map(({ id, title }) => ({ id, title, group: "Cloth" })),
];
