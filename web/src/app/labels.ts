// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Names and numbers of cloths in the picture, where fabrics are to be told apart.

import type { Description } from "../sim/core";
import type { Stage } from "../draw/stage";
import { madeOf } from "../scene/targets";
import type { ClothLabel } from "../ui/cloth-labels";
import { tellingNumbers } from "./fabrics";
import { readable } from "./items";
import type { Live } from "./live";

/** More would cover what they name. */
const MOST = 9;

/** Whether fabrics with names are compared: several cloths of different ones, which are not the layers of
 *  an outfit. */
export function isComparison(now: Description, worn: boolean): boolean {
    const { cloths } = now;
    if (worn) return false;
    const names = cloths.map((_, cloth) => madeOf(now, { cloth, panel: null }).fabric);
    const several = cloths.length > 1 && cloths.length <= MOST;
    return several && names.every((name) => !!name) && new Set(names).size > 1;
}

/** The middle of the lower side of every cloth: from, to are its vertices. */
export function feetOf(positions: Float32Array, counts: number[]): [number, number, number][] {
    let at = 0;
    return counts.map((count) => {
        const min = [Infinity, Infinity, Infinity];
        const max = [-Infinity, -Infinity, -Infinity];
        for (const end = at + 3 * count; at < end; at += 3)
            for (let k = 0; k < 3; k++) {
                min[k] = Math.min(min[k]!, positions[at + k]!);
                max[k] = Math.max(max[k]!, positions[at + k]!);
            }
        return [(min[0]! + max[0]!) / 2, min[1]!, (min[2]! + max[2]!) / 2];
    });
}

/** Below each cloth, where it is now. */
export function clothLabels(live: Live, stage: Stage): ClothLabel[] {
    const { description, document, views } = live;
    if (!description || !views[0]) return [];
    if (!isComparison(description, document?.isWorn ?? false)) return [];
    const counts = description.cloths.map(({ shown }) => shown);
    const { positions } = views[0];
    if (positions.length < 3 * counts.reduce((sum, count) => sum + count, 0)) return [];
    return feetOf(positions, counts).map((foot, cloth) => {
        const made = madeOf(description, { cloth, panel: null });
        const place = stage.onScreen(foot, 0);
        return { ...place, title: readable(made.fabric!), detail: tellingNumbers(made) };
    });
}
