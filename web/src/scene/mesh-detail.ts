// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Finer and coarser meshes of the same scene.

import type { Cloth, Mesh, Scene } from "./scene-file";

/** Of mannequins, m: docs/scene.md. */
const BODY_EDGES = { usual: 0.019, most: 0.04 };

/** `detail`: times as many edges along each side. */
export function editAllDetail(scene: Scene, detail: number): void {
    for (const cloth of scene.cloths) editDetail(cloth, detail);
    if (detail >= 1) return;
    // coarse cloth needs no fine body, which takes long to make and to keep off
    for (const body of scene.bodies ?? [])
        if (body.kind === "mannequin")
            body.edge = Math.min(BODY_EDGES.most, Number(body.edge ?? BODY_EDGES.usual) / detail);
}

function editDetail(cloth: Cloth, detail: number): void {
    if (detail === 1) return;
    const mesh = cloth.mesh;
    const before = { ...defaultsOf(mesh), ...mesh };
    for (const key of ["columns", "rows", "segments"] as const)
        if (before[key] !== undefined) mesh[key] = Math.max(1, Math.round(before[key] * detail));
    if (!["grid", "rope"].includes(mesh.kind ?? "")) mesh.edge = (mesh.edge ?? 0.03) / detail;
    for (const pin of cloth.pins ?? [])
        if (pin.vertices) pin.vertices = pin.vertices.map((v) => sameVertex(v, before, mesh));
}

function defaultsOf({ kind }: Mesh): Mesh {
    if (kind === "grid") return { columns: 32, rows: 32 };
    return kind === "rope" ? { segments: 50 } : {};
}

/** The vertex at the place that another one has in a mesh of other detail. */
function sameVertex(vertex: number, before: Mesh, now: Mesh): number {
    const scaled = (part: number, from: number, to: number) => Math.round((part * to) / from);
    if (before.segments) return scaled(vertex, before.segments, now.segments!);
    // in meshes of other kinds nobody knows; what is no vertex any more is then refused
    if (!before.columns || !before.rows) return vertex;
    const [row, column] = [
        Math.floor(vertex / (before.columns + 1)),
        vertex % (before.columns + 1),
    ];
    const newRow = scaled(row, before.rows, now.rows!);
    return newRow * (now.columns! + 1) + scaled(column, before.columns, now.columns!);
}
