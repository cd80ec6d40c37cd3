// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Files dropped anywhere on the window, with a hint while they hang above it.

import { make } from "./dom";

function hasFiles(event: DragEvent): boolean {
    return event.dataTransfer?.types.includes("Files") ?? false;
}

export function installDrop(open: (files: File[]) => void): void {
    const text =
        "Drop scenes, patterns or fabrics (.json), recordings (.glb, .pc2), meshes (.obj, .glb, …) " +
        "or a picture to print";
    const hint = make("div", { class: "drop-hint" }, make("p", {}, text));
    hint.hidden = true;
    document.body.append(hint);
    // without preventDefault the browser would leave the page and show the file
    window.addEventListener("dragover", (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        hint.hidden = false;
    });
    window.addEventListener("dragleave", (event) => {
        if (event.relatedTarget === null) hint.hidden = true;
    });
    window.addEventListener("drop", (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        hint.hidden = true;
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length > 0) open(files);
    });
}
