// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A picture of the visitor's own, printed on cloth.

import { addPicture } from "../draw/pictures";

/** Asks for a picture and brings it to the cloth. Returns its name, null where none was chosen;
 *  fails where it is no picture. */
export function choosePicture(): Promise<string | null> {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = "image/*";
    return new Promise((resolve, reject) => {
        input.addEventListener("cancel", () => resolve(null));
        input.addEventListener("change", async () => {
            const file = input.files?.[0];
            if (!file) return resolve(null);
            try {
                await addPicture(file.name, new Uint8Array(await file.arrayBuffer()));
                resolve(file.name);
            } catch (error) {
                reject(error as Error);
            }
        });
        input.click();
    });
}
