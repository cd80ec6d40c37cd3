// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What scenes of the project name, from the disk.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { namedFiles } from "../src/scene/scene-file";
import type { Core } from "../src/sim/core";
import { root } from "./browser";

/** The module is given the files beside a scene that it names. */
export function giveNamed(core: Core, text: string): void {
    for (const name of namedFiles(text)) {
        const path = join(root, "scenes", name);
        if (existsSync(path)) core.give(name, readFileSync(path));
    }
}
