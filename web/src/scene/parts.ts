// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloths and bodies that are put into a scene by hand: as the scene has them.

import type { Scene } from "./scene-file";
import { mergeText } from "./places";

export type ClothKind = "square" | "disc" | "strip" | "ball";
export type BodyKind = "sphere" | "capsule" | "box" | "plane" | "mannequin";

export interface Part {
    kind: ClothKind | BodyKind;
    /** Metres: how wide, or how high a mannequin is. */
    size: number;
    /** Of cloth; empty: the default. */
    fabric: string;
}

export interface PartOption {
    kind: Part["kind"];
    label: string;
    cloth: boolean;
    /** Metres; `size` is offered first. 0: it has none. */
    size: number;
    least: number;
    most: number;
}

function option(label: string, kind: Part["kind"], cloth: boolean, sizes: number[]): PartOption {
    const [size = 0, least = 0, most = 0] = sizes;
    return { kind, label, cloth, size, least, most };
}

export const partOptions: PartOption[] = [
    option("Square of cloth", "square", true, [0.8, 0.1, 3]),
    option("Disc of cloth", "disc", true, [0.8, 0.1, 3]),
    option("Strip of cloth", "strip", true, [1.2, 0.2, 4]),
    option("Balloon", "ball", true, [0.5, 0.2, 1.5]),
    option("Sphere", "sphere", false, [0.4, 0.05, 2]),
    option("Capsule", "capsule", false, [0.6, 0.1, 3]),
    option("Box", "box", false, [0.4, 0.05, 2]),
    option("Level plane", "plane", false, []),
    option("Mannequin", "mannequin", false, [1.72, 1.4, 2]),
];

type Point = [number, number, number];

/** A box, from corner to corner. */
export interface Extent {
    min: Point;
    max: Point;
}

const GAP = 0.05; // metres, above what is there
/** Cells across, so that the triangles are as fine as the cloth needs. */
const CELLS = 28;

export function isCloth({ kind }: Part): boolean {
    return partOptions.find((option) => option.kind === kind)!.cloth;
}

function round(value: number): number {
    return Math.round(1e4 * value) / 1e4;
}

function rounded(point: number[]): Point {
    return point.map(round) as Point;
}

/** The mesh, and from its own origin to the middle of its lower side. */
function clothMesh(kind: Part["kind"], size: number): { mesh: object; middle: Point } {
    const edge = round(size / CELLS);
    switch (kind) {
        case "disc":
            return { mesh: { kind: "disc", radius: round(size / 2), edge }, middle: [0, 0, 0] };
        case "ball":
            return {
                mesh: { kind: "ball", radius: round(size / 2), edge: round(size / 14) },
                middle: [0, -size / 2, 0],
            };
        default: {
            const height = kind === "strip" ? size / 8 : size;
            return {
                mesh: {
                    kind: "rectangle",
                    width: round(size),
                    height: round(height),
                    edge: kind === "strip" ? round(size / 60) : edge,
                },
                middle: [size / 2, 0, -height / 2],
            };
        }
    }
}

/** Above all that is there. */
function clothOf({ kind, size, fabric }: Part, there: Extent | null): object {
    const { mesh, middle } = clothMesh(kind, size);
    const at = there
        ? [(there.min[0] + there.max[0]) / 2, there.max[1] + GAP, (there.min[2] + there.max[2]) / 2]
        : [0, 1, 0];
    const move = rounded(at.map((value, k) => value - middle[k]!));
    return {
        mesh,
        place: { move },
        ...(fabric !== "" && { fabric }),
        ...(kind === "ball" && { inflation: "gas", pressure: 60, outside_pressure: 101325 }),
    };
}

function bodyShape({ kind, size }: Part): object {
    switch (kind) {
        case "sphere":
            return { radius: round(size / 2) };
        case "capsule":
            return { radius: round(size / 5), length: round((3 * size) / 5) };
        case "box":
            return { size: rounded([size, size, size]) };
        case "mannequin":
            return { type: size < 1.6 ? "female" : "male", height: round(size), clip: "a_pose" };
        default:
            return {};
    }
}

/** Around a body in its own frame; null of a plane, which has no end. */
export function bodyExtent({ kind, size }: Part): Extent | null {
    const half = size / 2;
    switch (kind) {
        case "plane":
            return null;
        case "capsule":
            return { min: [-size / 5, -half, -size / 5], max: [size / 5, half, size / 5] };
        case "mannequin":
            return { min: [-0.45 * size, 0, -0.15 * size], max: [0.45 * size, size, 0.15 * size] };
        default:
            return { min: [-half, -half, -half], max: [half, half, half] };
    }
}

/** A name that no other body has. */
function nameFor(kind: string, scene: Scene): string {
    const names = (scene.bodies ?? []).map(({ name }) => name);
    let name = kind;
    for (let i = 2; names.includes(name); i++) name = `${kind} ${i}`;
    return name;
}

/** The text of a scene with one more cloth, above `there`: around all that is in it. */
export function withCloth(text: string, part: Part, there: Extent | null): string {
    const scene = JSON.parse(text) as Scene;
    const cloths = [...scene.cloths, clothOf(part, there)];
    // cloths that pass through each other are of no use
    return mergeText(text, { ...scene, contact: "all", cloths });
}

/** The text of a scene with one more body, moved there. */
export function withBody(text: string, part: Part, move: number[]): string {
    const scene = JSON.parse(text) as Scene;
    const name = nameFor(part.kind, scene);
    const body = { kind: part.kind, name, ...bodyShape(part), place: { move: rounded(move) } };
    const contact = scene.contact === "none" ? { contact: "bodies" } : {};
    return mergeText(text, { ...scene, ...contact, bodies: [...(scene.bodies ?? []), body] });
}
