// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The border of some triangles of a cloth, as a line: what is selected.

import * as THREE from "three";

const COLOUR = "#2f7ff0";

/** The edges that one of the chosen triangles has, two vertices each. */
export function borderOf(triangles: Uint32Array, chosen: (triangle: number) => boolean): number[] {
    const edges = new Map<string, [number, number] | null>();
    for (let i = 0; i < triangles.length; i++) {
        if (!chosen(Math.floor(i / 3))) continue;
        const a = triangles[i]!,
            b = triangles[i % 3 === 2 ? i - 2 : i + 1]!;
        const key = a < b ? `${a} ${b}` : `${b} ${a}`;
        edges.set(key, edges.has(key) ? null : [a, b]);
    }
    return [...edges.values()].filter((edge) => edge !== null).flat();
}

export class Outline {
    readonly object: THREE.LineSegments;
    private readonly geometry = new THREE.BufferGeometry();
    private readonly material = new THREE.LineBasicMaterial({ color: COLOUR, toneMapped: false });

    /** `position`: of the cloth, which frames overwrite in place. */
    constructor(position: THREE.BufferAttribute, edges: number[]) {
        this.geometry.setAttribute("position", position);
        this.geometry.setIndex(edges);
        // lies in the surface: seen from both sides, before what is a little nearer
        this.material.depthTest = false;
        this.object = new THREE.LineSegments(this.geometry, this.material);
        this.object.frustumCulled = false;
        this.object.renderOrder = 5;
    }

    dispose(): void {
        this.object.removeFromParent();
        // three.js would free the places with it, though the cloth goes on to be drawn by them
        this.geometry.deleteAttribute("position");
        this.geometry.dispose();
        this.material.dispose();
    }
}
