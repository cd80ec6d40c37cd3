// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The scenes of the project, those that tests, bench and tool use. Scenes that name mesh files are
// left out: the page reads none.

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
export const firstScene = "washing";

function titleOf(text: string, id: string): string {
    const name: unknown = (JSON.parse(text) as { name?: unknown }).name;
    return typeof name === "string" ? name : id;
}

export function readsFiles(text: string): boolean {
    const scene = JSON.parse(text) as { cloths?: { mesh?: { kind?: string } }[] };
    return scene.cloths?.some((cloth) => cloth.mesh?.kind === "obj") ?? false;
}

export const scenes: SceneFile[] = Object.entries(files)
    .map(([path, text]) => {
        const id = path.replace(/^.*\//, "").replace(/\.json$/, "");
        return { id, text, title: titleOf(text, id) };
    })
    .filter((scene) => !readsFiles(scene.text))
    .sort((a, b) => a.title.localeCompare(b.title));
