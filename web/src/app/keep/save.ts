// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the user takes away: a scene with its files, a picture.

import type { SceneDocument } from "../../scene/document";
import { baseName, namedFiles, renameFile } from "../../scene/scene-file";
import type { Stage } from "../../draw/stage";
import { toast } from "../../ui/toast";
import { complain } from "../complain";

/** `counts`: vertices of each cloth. */
export function saveScene(document: SceneDocument, counts: number[]): void {
    const { text, unsaid } = document.composeSaved(counts);
    const name = document.renamed ? `${fileStem(document.title)}.json` : document.file;
    const files = document.files.filter((file) => namedFiles(text).includes(file.name));
    // downloads lie side by side
    const flat = files.reduce((text, file) => renameFile(text, file.name), text);
    save(new Blob([flat], { type: "application/json" }), name);
    for (const { name, bytes } of files) save(new Blob([bytes as BlobPart]), baseName(name));
    if (unsaid.length > 0)
        toast(`${name} was saved without ${unsaid.join(", and without ")}: a scene cannot say it`);
}

/** What files of it are called: "a poncho" and "x.glb" without what file systems refuse, and without an ending. */
export function fileStem(shown: string): string {
    return shown.replace(/\.[a-z]\w*$/i, "").replace(/[^\p{L}\p{N}_.-]+/gu, "-") || "weft";
}

/** `shown`: the name of what is on the stage. */
export async function savePicture(stage: Stage, shown: string): Promise<void> {
    const { innerWidth, innerHeight } = window;
    try {
        const blob = await stage.capture(2 * innerWidth, 2 * innerHeight);
        save(blob, `${fileStem(shown)}.png`);
    } catch (error) {
        complain(error);
    }
}

export function save(blob: Blob, name: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
