// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pictures that are printed on cloth, by the names that looks have for them.

import * as THREE from "three";
import { power } from "./light/power";

const pictures = new Map<string, THREE.Texture>();

/** Takes a picture that looks name as their print: PNG, JPEG or whatever the browser reads. Cloth
 *  shows it when it is dressed the next time. Fails where it is no picture. */
export async function addPicture(file: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    // textures have their first row below
    const options = { imageOrientation: "flipY" } as const;
    let image: ImageBitmap;
    try {
        image = await createImageBitmap(new Blob([bytes]), options);
    } catch {
        throw new Error(`"${file}" is no picture that this browser can read: PNG and JPEG are.`);
    }
    const texture = new THREE.Texture(image);
    texture.flipY = false;
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    texture.anisotropy = power().slantTaps;
    texture.needsUpdate = true;
    pictures.get(file)?.dispose();
    pictures.set(file, texture);
}

/** Null where nobody brought it. */
export function pictureOf(file: string): THREE.Texture | null {
    return pictures.get(file) ?? null;
}
