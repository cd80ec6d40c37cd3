// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// By what a cloth is shown: what its scene says ("detail", docs/detail.md), and what the user chose
// instead.

/** What a scene says of a cloth: a file of what was learned, parts of every edge, or a mesh. */
export type Detail = string | { parts?: number; mesh?: string; surface?: string };

interface WithDetail {
    detail?: unknown;
}

interface SceneWithDetails extends WithDetail {
    cloths: WithDetail[];
}

/** What can be chosen for any cloth; null: as it is simulated. */
export const choices: { value: string; label: string; title: string; detail: Detail | null }[] = [
    {
        value: "plain",
        label: "As simulated",
        title: "The triangles that are simulated",
        detail: null,
    },
    {
        value: "smooth2",
        label: "Smooth ×2",
        title: "A smooth surface through what is simulated, every edge in 2 parts",
        detail: { parts: 2, surface: "smooth" },
    },
    {
        value: "smooth4",
        label: "Smooth ×4",
        title: "A smooth surface through what is simulated, every edge in 4 parts",
        detail: { parts: 4, surface: "smooth" },
    },
];

/** Details of a scene, as it has them; what is none is left to the reader of scenes. */
export function detailsOf(scene: SceneWithDetails | null): Detail[] {
    return [scene, ...(scene?.cloths ?? [])]
        .map((part) => part?.detail)
        .filter((detail) => typeof detail === "string" || isObject(detail)) as Detail[];
}

function isObject(value: unknown): boolean {
    return typeof value === "object" && value !== null;
}

/** Files of what was learned: a scene can be played without them. */
export function learnedFiles(scene: SceneWithDetails | null): string[] {
    return detailsOf(scene).filter((detail) => typeof detail === "string");
}

/** Files of meshes that are shown. */
export function shownMeshes(scene: SceneWithDetails | null): unknown[] {
    return detailsOf(scene).map((detail) => (typeof detail === "string" ? null : detail.mesh));
}

/** The scene with other details, where `value` is one of the choices; ropes have none. */
export function editShown(
    scene: SceneWithDetails,
    value: string | undefined,
    isRope: (cloth: number) => boolean,
): void {
    const chosen = choices.find((choice) => choice.value === value);
    if (!chosen) return;
    delete scene.detail;
    scene.cloths.forEach((cloth, i) => {
        delete cloth.detail;
        if (chosen.detail && !isRope(i)) cloth.detail = chosen.detail;
    });
}

/** What the scene itself has, in a word or two, and more; null: as it is simulated. */
export function ownDetail(scene: SceneWithDetails | null): { label: string; title: string } | null {
    const [first] = detailsOf(scene);
    if (first === undefined) return null;
    if (typeof first === "string")
        return { label: "Learned", title: `Wrinkles that were learned: ${first}` };
    if (first.mesh) return { label: "Render mesh", title: `${first.mesh} follows the cloth` };
    const surface = first.surface === "flat" ? "Flat" : "Smooth";
    return { label: `${surface} ×${first.parts}`, title: "As the scene has it" };
}
