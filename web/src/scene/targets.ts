// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What settings of fabrics act on: all cloths, one of them, or one panel of a garment; and what a
// target is made of now.

import type { Description, FabricNumbers, LibraryChoice, SceneLook } from "../sim/core";
import type { Look } from "../look";
import type { Shape } from "../shape";

/** null: all that is there. */
export type Target = { cloth: number; panel: string | null } | null;

/** A fabric as scenes have it: an object, complete. */
export type FabricText = { base?: string; look?: Partial<Look> } & Record<string, unknown>;

/** By keys of targets. */
export type FabricEdits = Record<string, FabricText>;
export type LookEdits = Record<string, Partial<Look>>;

/** What ends the name of a panel that is the image of another in a mirror. */
const IMAGE = /\.mirror\d*$/;

/** "0", or "0/front". */
export function keyOf({ cloth, panel }: NonNullable<Target>): string {
    return panel === null ? String(cloth) : `${cloth}/${panel}`;
}

export function targetOf(key: string): Target {
    const [cloth, ...panel] = key.split("/");
    const known = /^\d+$/.test(cloth!);
    return known
        ? { cloth: Number(cloth), panel: panel.length > 0 ? panel.join("/") : null }
        : null;
}

/** What a target is made of: of several, the first. */
export function madeOf(now: Description, target: Target): SceneLook {
    const { cloth, panel } = target ?? { cloth: 0, panel: null };
    const own = now.looks.find((look) => look.cloth === cloth && look.panels.includes(panel ?? ""));
    return own ?? now.looks[cloth] ?? now.looks[0]!;
}

/** Whether there is such a cloth, with such a panel. */
export function isThere(now: Description, target: NonNullable<Target>): boolean {
    const { cloth, panel } = target;
    return cloth < now.cloths.length && (panel === null || panelsOf(now, cloth).includes(panel));
}

/** As a scene would say it, so that single numbers can be changed. */
export function textOfFabric({ fabric, numbers, look }: SceneLook): FabricText {
    return fabric ? { base: fabric } : { ...numbers, look };
}

/** Of a cloth that is a garment, in the order of its pattern; the images of a mirror go along. */
export function panelsOf({ cloths }: Description, cloth: number): string[] {
    return cloths[cloth]!.panels.filter((name) => !IMAGE.test(name));
}

/** What a vertex that is shown belongs to: a panel, of garments; null where that is all there is. */
export function targetAt(now: Description, shape: Shape, vertex: number): Target {
    const corner = shape.triangles.indexOf(vertex);
    const cloth = clothOf(now, vertex);
    const panel = corner < 0 ? 255 : (shape.trianglePanels?.[Math.floor(corner / 3)] ?? 255);
    const name = now.cloths[cloth]?.panels[panel]?.replace(IMAGE, "") ?? null;
    return now.cloths.length < 2 && name === null ? null : { cloth, panel: name };
}

function clothOf({ cloths }: Description, vertex: number): number {
    let end = 0;
    return cloths.findIndex(({ shown }) => vertex < (end += shown));
}

/** Whether a triangle belongs to a target. */
export function isOf(now: Description, shape: Shape, { cloth, panel }: NonNullable<Target>) {
    const images = now.cloths[cloth]!.panels.map((name) => name.replace(IMAGE, ""));
    return (triangle: number) =>
        clothOf(now, shape.triangles[3 * triangle]!) === cloth &&
        (panel === null || images[shape.trianglePanels?.[triangle] ?? 255] === panel);
}

/** The fabrics of the library. */
export function fabricsOf(choices: LibraryChoice[]): LibraryChoice[] {
    return choices.filter(({ group }) => group === "fabric");
}

type Sliders = "stiffness" | "bending" | "density" | "damping" | "friction";

/** What a slider says, as keys of a fabric: warp, weft and shear keep their ratios. */
export function numbersFor(
    old: FabricNumbers,
    id: Sliders,
    value: number,
    { rope, springs }: { rope: boolean; springs: boolean },
): Record<string, unknown> {
    switch (id) {
        case "stiffness": {
            const factor = value / (rope ? old.rope_stretch! : old.stretch[0]);
            return {
                stretch: old.stretch.map((number) => number * factor),
                shear: old.shear! * factor,
                rope_stretch: old.rope_stretch! * factor,
            };
        }
        case "bending": {
            const factor = value / (rope ? old.rope_bend! : springs ? old.bend_spring! : old.bend!);
            return {
                bend: old.bend! * factor,
                bend_spring: old.bend_spring! * factor,
                rope_bend: old.rope_bend! * factor,
            };
        }
        case "density":
            return rope ? { rope_density: value } : { density: value };
        case "damping":
            return { mass_damping: value };
        case "friction":
            return { friction: value };
    }
}

export function isFabricSlider(id: string): id is Sliders {
    return ["stiffness", "bending", "density", "damping", "friction"].includes(id);
}
