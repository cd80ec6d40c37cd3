// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What goes wrong with steps, in words: what was asked for, what came of it, what would help.

import type { Description } from "../sim/core";
import { Stopped } from "../sim/dresser";
import { LaneEnded } from "../sim/lane";
import { methodOf } from "../scene/methods";
import { wordsOf } from "../sim/words";
import { wordsFor, type Chosen } from "./tried";

function nameOf(method: string): string {
    return methodOf(method).step ? methodOf(method).label : "The scene's own method";
}

function sizeWords(stretch: number): string {
    if (!Number.isFinite(stretch)) return "its places are no numbers any more";
    const times = stretch < 1000 ? Math.round(stretch) : Number(stretch.toPrecision(1));
    return `an edge is ${times} times as long as at rest`;
}

/** Of a cloth that flew apart. */
export function flownWords(method: string, { name, step }: Description, stretch: number): string {
    const substeps = Number(step.substeps) > 1 ? ` in ${step.substeps} substeps` : "";
    const length = `steps of ${Number((1000 * step.dt).toPrecision(3))} ms${substeps}`;
    return (
        `${nameOf(method)} is unstable on "${name}" with ${length}: the cloth flew apart, ` +
        `${sizeWords(stretch)}. Shorter steps, more substeps or another method would help.`
    );
}

const LESS = 'A coarser "Mesh detail" or fewer panes would help.';

function sceneWords({ document }: Chosen): string {
    return `"${document.description?.name || document.title}"`;
}

/** By the names that settings have for cloths; the library numbers them from 0. */
function withName(reason: string, { document }: Chosen): string {
    return reason.replace(/^cloth (\d+): /, (_, number: string) => {
        const name = document.clothNames[Number(number)];
        return `${name ? `"${name}"` : `Cloth ${Number(number) + 1}`}: `;
    });
}

/** Of what was refused: which cloth it is about; for want of memory, what asked for it and what would
 *  take less. */
export function refusedWords(reason: string, asked: Chosen | null): string {
    if (!asked) return reason;
    if (!/out of memory$/.test(reason)) return withName(reason, asked);
    const settings = wordsFor(asked);
    const what = `${sceneWords(asked)}${settings && ` with ${settings}`}`;
    return `${what} takes more memory than the browser gives. ${LESS}`;
}

/** Of a worker that was ended. `method`: of the step that did not come back, or null. */
export function endedWords(error: LaneEnded, failing: Chosen, method: string | null): string {
    const scene = sceneWords(failing);
    const asked = wordsFor(failing);
    const settings = asked ? ` with ${asked}` : "";
    const steps = error.during === "rewind" ? "Going back in time" : "A step";
    const what = method
        ? `${steps} by ${nameOf(method).replace(/^The/, "the")} on ${scene}`
        : scene;
    const rest = method && asked === methodOf(method).label ? "" : settings;
    if (error.seconds > 0) {
        const long = `within ${Math.round(error.seconds)} seconds, so it was ended.`;
        return method
            ? `${what}${rest} did not come back ${long}`
            : `${what}${rest} did not get ready ${long}`;
    }
    const help = /memory|allocation/i.test(error.message) ? ` ${LESS}` : "";
    return `${what}${rest} broke down (${error.message}).${help}`;
}

/** Of garments that could not be put on; null where somebody stopped it. */
export function undressedWords(error: unknown, title: string): string | null {
    if (error instanceof Stopped) return null;
    if (!(error instanceof LaneEnded)) return wordsOf(error);
    const why =
        error.seconds > 0
            ? `got no further within ${Math.round(error.seconds)} seconds, so it was ended`
            : `broke down (${error.message})`;
    return `Dressing "${title}" ${why}. A coarser "Mesh detail" would help.`;
}

/** `hidden`: out of sight, where it is what distances are measured from. */
export function slowWords(method: string, cost: number, hidden: boolean): string {
    const seconds = Number((cost / 1000).toPrecision(2));
    if (hidden)
        return (
            `Distances are measured from ${nameOf(method)}, which takes ${seconds} seconds for a step of this scene, ` +
            `out of sight. Other colours than "distance" do without it.`
        );
    return `${nameOf(method)} takes ${seconds} seconds for a step of this scene.`;
}
