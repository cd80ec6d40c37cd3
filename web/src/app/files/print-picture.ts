// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pictures of the visitor's own, printed on cloth. They are files of the scene: saved beside it,
// and part of its link.

import { addPicture } from "../../draw/pictures";
import type { SceneDocument } from "../../scene/document";
import type { GivenFile } from "../../sim/protocol";

/** By its name. */
export function isPicture(name: string): boolean {
    return /\.(png|jpe?g|webp|gif|avif)$/i.test(name);
}

async function readPicture(file: File): Promise<GivenFile> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    await addPicture(file.name, bytes);
    return { name: file.name, bytes };
}

/** Asks for a picture and brings it to the cloth. Returns the file, null where none was chosen;
 *  fails where it is no picture. */
export function choosePicture(): Promise<GivenFile | null> {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = "image/*";
    return new Promise((resolve, reject) => {
        input.addEventListener("cancel", () => resolve(null));
        input.addEventListener("change", () => {
            const file = input.files?.[0];
            if (file) readPicture(file).then(resolve, reject);
            else resolve(null);
        });
        input.click();
    });
}

/** From now on the scene has this picture, in the place of another of its name. */
export function keepPicture(scene: SceneDocument, picture: GivenFile): void {
    scene.files = [...scene.files.filter(({ name }) => name !== picture.name), picture];
}

/** Brings the pictures of a scene to its cloth. One that cannot be read is left out: the cloth has its
 *  colour then. */
export async function bringPictures({ files }: SceneDocument): Promise<void> {
    for (const { name, bytes } of files)
        if (isPicture(name)) await addPicture(name, bytes.slice()).catch(() => {});
}
