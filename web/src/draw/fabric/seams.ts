// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Garments as they are drawn. A vertex on a seam lies on several panels, and has a place of its own
// in the flat shape of each; a graphics processor knows one place per vertex. So such vertices are
// drawn once for each place: the first as itself, the others behind all vertices, as copies.

import type { Shape } from "../../shape";

export interface Drawn {
    triangles: Uint32Array;
    /** Two numbers per vertex, those of copies too: u along the warp. */
    uv: Float32Array;
    /** Of each copy, the vertex. */
    copied: Uint32Array;
}

/** As it is, where every vertex has one place. */
function plain({ triangles, uv, vertexCount }: Shape): Drawn {
    const flat = uv.length === 2 * vertexCount ? uv : new Float32Array(2 * vertexCount);
    return { triangles, uv: flat, copied: new Uint32Array() };
}

export function splitSeams(shape: Shape): Drawn {
    const { triangles, cornerUv, vertexCount } = shape;
    if (!cornerUv) return plain(shape);
    const drawn = triangles.slice();
    const places = new Map<string, number>();
    const taken = new Uint8Array(vertexCount);
    const copied: number[] = [];
    const uv: number[] = new Array<number>(2 * vertexCount).fill(0);
    triangles.forEach((vertex, corner) => {
        // a picture has the warp along v
        const [u, v] = [cornerUv[2 * corner + 1]!, -cornerUv[2 * corner]!];
        const key = `${vertex} ${u} ${v}`;
        let place = places.get(key);
        if (place === undefined) {
            place = taken[vertex] ? vertexCount + copied.length : vertex;
            if (taken[vertex]) copied.push(vertex);
            taken[vertex] = 1;
            uv[2 * place] = u;
            uv[2 * place + 1] = v;
            places.set(key, place);
        }
        drawn[corner] = place;
    });
    return { triangles: drawn, uv: Float32Array.from(uv), copied: Uint32Array.from(copied) };
}

/** Copies of vertices, which are the last ones, follow them: `width` numbers per vertex. */
export function followVertices(numbers: Float32Array, copied: Uint32Array, width: number): void {
    const first = numbers.length - width * copied.length;
    for (let i = 0; i < copied.length; i++)
        for (let k = 0; k < width; k++)
            numbers[first + width * i + k] = numbers[width * copied[i]! + k]!;
}
