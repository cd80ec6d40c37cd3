// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

import { App } from "./app";
import { showNoWebGL } from "../ui/nowebgl";
import { NoWebGL } from "../draw/stage";

declare global {
    interface Window {
        /** For the console, and for tests. */
        weft?: App;
    }
}

function start(): void {
    const canvas = document.querySelector<HTMLCanvasElement>("#view")!;
    try {
        window.weft = new App(canvas);
    } catch (error) {
        if (!(error instanceof NoWebGL)) throw error;
        showNoWebGL(error.reason);
    }
}

start();
