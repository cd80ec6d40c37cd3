// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A cloth or a body that the user puts into the scene: a change of its text.

import { Box3, Vector3 } from "three";
import { surroundingsOf } from "../../draw/bodies";
import type { SceneDocument } from "../../scene/document";
import {
    bodyExtent,
    isCloth,
    partOptions,
    withBody,
    withCloth,
    type Extent,
    type Part,
} from "../../scene/parts";
import { askAdd } from "../../ui/ask-add";
import type { Live } from "../live";
import { addedBoxes, placeBody } from "./place-body";

/** Around cloth and bodies as the scene begins; null: nothing is known of it. */
function extentOf(document: SceneDocument): Extent | null {
    const { start } = document;
    if (!start) return null;
    const box = new Box3().setFromArray(start.positions);
    const bodies = [
        ...surroundingsOf(start.bodyShape, start.bodies).boxes,
        ...addedBoxes(document),
    ];
    for (const body of bodies) box.union(body);
    return { min: box.min.toArray(), max: box.max.toArray() };
}

function bodyMove(part: Part, document: SceneDocument): number[] {
    const { start, floor } = document;
    const extent = bodyExtent(part);
    if (!extent) return [0, floor ?? extentOf(document)?.min[1] ?? 0, 0];
    if (!start) return [0, 0, 0];
    const box = new Box3(new Vector3(...extent.min), new Vector3(...extent.max));
    return placeBody(box, start, addedBoxes(document));
}

/** Puts it into the scene that is asked for. */
export function addPart(live: Live, part: Part): void {
    const { document } = live;
    if (!document) return;
    const text = document.written;
    const written = isCloth(part)
        ? withCloth(text, part, extentOf(document))
        : withBody(text, part, bodyMove(part, document));
    live.write(written);
}

/** Asks what it is to be; null where it was given up. */
export async function askPart(live: Live): Promise<Part | null> {
    const fabrics = live.choices
        .filter(({ group }) => group === "fabric")
        .map(({ name }) => ({ value: name, label: name.replaceAll("_", " ") }));
    const answer = await askAdd(partOptions, [{ value: "", label: "plain" }, ...fabrics]);
    return answer && (answer as Part);
}
