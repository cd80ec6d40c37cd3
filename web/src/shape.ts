// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is drawn, whether it is simulated here or was simulated elsewhere.

import type { Look } from "./look";

/** What the cloth touches: the triangles of all bodies, whose vertices are numbered through. */
export interface BodyShape {
    triangles: Uint32Array;
    /** The vertices of body i: from starts[i] up to starts[i + 1]. */
    starts: Uint32Array;
    /** Not 0 for each body that is a plane. */
    planes: Uint8Array;
}

/** What does not change while a scene plays, but where cloth is cut or torn. Vertices are those that are shown: of scenes with
 *  detail there are more than are simulated. */
export interface Shape {
    vertexCount: number;
    /** Three vertices per triangle; empty for ropes alone. */
    triangles: Uint32Array;
    /** Two vertices per segment of a rope. */
    lines: Uint32Array;
    /** The flat shape: u along the warp, v along the weft, metres, two numbers per vertex. */
    uv: Float32Array;
    /** Where a vertex has several places in it, as in garments: the place of each corner of the
     *  triangles, on a cutting table. The warp runs along v there, as in pictures. */
    cornerUv?: Float32Array;
    /** Of each triangle: which of the looks of the scene it has (Description.looks). */
    triangleLooks?: Uint8Array;
    /** Of results, which bring their own: those looks. */
    looks?: readonly Look[];
    /** Pictures that looks name as their prints, where a result brings them. */
    pictures?: readonly { file: string; bytes: Uint8Array<ArrayBuffer> }[];
    /** Which panel of its garment it lies on (Description.cloths); 255: of none. */
    trianglePanels?: Uint8Array;
    /** Of garments that are worn together: the vertices of garment i, from starts[i] up to
     *  starts[i + 1]. */
    layers?: number[];
    bodies?: BodyShape;
}

/** Vertices of all bodies, which results have behind those of the cloth. */
export function bodyVertexCount({ bodies }: Shape): number {
    return bodies?.starts.at(-1) ?? 0;
}

/** What does. Three numbers per vertex, metres, y up. */
export interface Frame {
    /** Seconds. */
    time: number;
    positions: Float32Array;
    normals: Float32Array;
    /** Of the vertices of bodies, three numbers each. */
    bodies?: Float32Array;
}

/** Numbers per vertex that colours show. */
export type FieldName = "none" | "stretch" | "curvature" | "speed" | "distance";

/** Every edge of the triangles once, two vertices each. */
export function findEdges(triangles: Uint32Array, vertexCount: number): Uint32Array {
    const keys = new Float64Array(triangles.length);
    for (let i = 0; i < triangles.length; i++) {
        const a = triangles[i]!,
            b = triangles[i % 3 === 2 ? i - 2 : i + 1]!;
        keys[i] = Math.min(a, b) * vertexCount + Math.max(a, b);
    }
    keys.sort();
    const edges: number[] = [];
    for (let i = 0; i < keys.length; i++) {
        if (i > 0 && keys[i] === keys[i - 1]) continue;
        const a = Math.floor(keys[i]! / vertexCount);
        edges.push(a, keys[i]! - a * vertexCount);
    }
    return Uint32Array.from(edges);
}
