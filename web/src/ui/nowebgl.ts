// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a browser without WebGL gets to see.

import { make } from "./dom";

/** Puts a card in place of the canvas. The reason is what the browser says, or empty. */
export function showNoWebGL(reason: string): void {
    const file = make("code", {}, "weft run SCENE --out cloth.glb");
    const ways = make(
        "ul",
        {},
        make("li", {}, "Try a current Chrome, Edge, Firefox or Safari."),
        make("li", {}, "Turn on hardware acceleration in the settings of this browser."),
        make("li", {}, "Or let the command line write a file for any 3D viewer: ", file),
    );
    const card = make(
        "main",
        { class: "card no-webgl", role: "alert" },
        make("h1", {}, "The cloth cannot be drawn here"),
        make("p", {}, "This page draws with WebGL 2, which this browser does not offer."),
        ...(reason ? [make("p", { class: "reason" }, reason)] : []),
        ways,
    );
    document.documentElement.classList.add("without-webgl");
    const canvas = document.getElementById("view");
    if (canvas) canvas.replaceWith(card);
    else document.body.append(card);
}
