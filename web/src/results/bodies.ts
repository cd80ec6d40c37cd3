// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bodies in results. `weft run` writes them behind the cloth, each as an object of its own: "body 0"
// and so on. What else a file holds is cloth.

import type { BodyShape, Shape } from "../shape";

export function isBody(name: unknown): boolean {
    return typeof name === "string" && name.startsWith("body ");
}

/** Takes out of a shape the bodies, whose vertices begin at `starts`. Where triangles join them, or
 *  one has none, they are no bodies of ours, and the shape is as it was. */
export function separateBodies(all: Shape, starts: number[]): Shape {
    if (starts.length === 0) return all;
    const owner = new Uint32Array(all.vertexCount); // 0: the cloth
    starts.forEach((start, body) => owner.fill(body + 1, start));
    const ofCloth: number[] = []; // corners
    const corners: number[][] = Array.from({ length: starts.length + 1 }, () => []);
    for (let t = 0; t < all.triangles.length; t += 3) {
        const [a, b, c] = all.triangles.subarray(t, t + 3);
        if (owner[a] !== owner[b] || owner[a] !== owner[c]) return all;
        corners[owner[a]].push(a, b, c);
        if (owner[a] === 0) ofCloth.push(t, t + 1, t + 2);
    }
    const [cloth, ...bodies] = corners;
    if (bodies.some((body) => body.length === 0) || all.lines.some((v) => owner[v] > 0)) return all;
    const vertexCount = starts[0];
    const cornerUv = all.cornerUv && {
        cornerUv: Float32Array.from(ofCloth.flatMap((i) => [...pair(all.cornerUv!, i)])),
    };
    const { triangleLooks, looks, pictures } = all;
    const ofTriangles = ofCloth.filter((_, i) => i % 3 === 0).map((corner) => corner / 3);
    return {
        ...cornerUv,
        ...(triangleLooks && {
            triangleLooks: Uint8Array.from(ofTriangles, (t) => triangleLooks[t]),
            looks,
            pictures,
        }),
        vertexCount,
        triangles: Uint32Array.from(cloth),
        lines: all.lines,
        uv: all.uv.slice(0, 2 * vertexCount),
        bodies: bodyShape(bodies, [...starts, all.vertexCount]),
    };
}

function pair(values: Float32Array, index: number): Float32Array {
    return values.subarray(2 * index, 2 * index + 2);
}

/** Files do not say which bodies are planes: those of four vertices are. */
function bodyShape(bodies: number[][], ends: number[]): BodyShape {
    const first = ends[0];
    return {
        triangles: Uint32Array.from(bodies.flat(), (vertex) => vertex - first),
        starts: Uint32Array.from(ends, (vertex) => vertex - first),
        planes: Uint8Array.from(bodies, (body, i) =>
            Number(body.length === 6 && ends[i + 1] - ends[i] === 4),
        ),
    };
}
