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

async function readFile(file: File): Promise<GivenFile> {
    return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** Asks for a picture. Null where none was chosen. */
export function choosePicture(): Promise<GivenFile | null> {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = "image/*";
    return new Promise((resolve, reject) => {
        input.addEventListener("cancel", () => resolve(null));
        input.addEventListener("change", () => {
            const file = input.files?.[0];
            if (file) readFile(file).then(resolve, reject);
            else resolve(null);
        });
        input.click();
    });
}

/** Brings a picture to the cloth; from now on the scene has it, in the place of another of its name. Fails
 *  where it is no picture. */
export async function takePicture(scene: SceneDocument, picture: GivenFile): Promise<void> {
    await addPicture(picture.name, picture.bytes.slice());
    scene.files = [...scene.files.filter(({ name }) => name !== picture.name), picture];
}

/** Brings the pictures of a scene to its cloth. One that cannot be read is left out: the cloth has its
 *  colour then. */
export async function bringPictures({ files }: SceneDocument): Promise<void> {
    for (const { name, bytes } of files)
        if (isPicture(name)) await addPicture(name, bytes.slice()).catch(() => {});
}
