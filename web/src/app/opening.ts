// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The first seconds, for those who asked for nothing in particular: a few words, and a slow way around
// the figure until somebody touches something. Machines that are known to be weak get a smaller mesh.

import { drawsInSoftware } from "../draw/light/power";
import type { Stage } from "../draw/stage";
import { COARSE } from "../scene/garments";
import type { Edits } from "../scene/document";
import { onFirstTouch, showHint } from "../ui/hint";
import type { Link } from "./keep/link";

const FEW_CORES = 2; // one of which draws

/** Whether an address leaves it to the page what to show. */
export function asksForNothing(link: Link): boolean {
    const { scene, own, methods, open, bare, paused, time, near, turn, zoom } = link;
    const pictured = bare || paused || time > 0 || near;
    const placed = turn[0] !== 0 || turn[1] !== 0 || zoom !== 1;
    return scene === null && own === null && methods.length === 0 && !open && !pictured && !placed;
}

function isWeak(): boolean {
    return drawsInSoftware() || navigator.hardwareConcurrency <= FEW_CORES;
}

/** Changes to the first scene, so that it moves as it should on this machine. */
export function firstEdits(link: Link): Edits {
    return asksForNothing(link) && link.edits.detail === undefined && isWeak()
        ? { detail: COARSE }
        : {};
}

/** What it returns ends it, as a touch does. */
export function begin(stage: Stage): () => void {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    stage.setSlowOrbit(!calm);
    const hide = showHint();
    const end = () => {
        stage.setSlowOrbit(false);
        hide();
    };
    onFirstTouch(end);
    return end;
}
