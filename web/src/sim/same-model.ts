// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

/** Keys of a scene whose change needs no new model; so does the detail of a cloth. */
const stepKeys = ["step", "gravity", "wind", "air_density", "duration", "name", "detail"];

function modelText(text: string): string {
    const scene = JSON.parse(text) as Record<string, unknown>;
    for (const key of stepKeys) delete scene[key];
    const cloths = Array.isArray(scene.cloths) ? scene.cloths : [];
    for (const cloth of cloths as { detail?: unknown }[]) delete cloth?.detail;
    return JSON.stringify(scene);
}

/** Whether two scenes differ in the settings of steps, or in what is shown, only, so that the model can be kept. */
export function sameModel(a: string, b: string): boolean {
    return modelText(a) === modelText(b);
}
