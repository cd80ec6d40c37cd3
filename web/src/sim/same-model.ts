// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

/** Keys of a scene whose change needs no new model. */
const stepKeys = ["step", "gravity", "wind", "air_density", "duration", "name"];

function modelText(text: string): string {
    const scene = JSON.parse(text) as Record<string, unknown>;
    for (const key of stepKeys) delete scene[key];
    return JSON.stringify(scene);
}

/** Whether two scenes differ in the settings of steps only, so that the model can be kept. */
export function sameModel(a: string, b: string): boolean {
    return modelText(a) === modelText(b);
}
