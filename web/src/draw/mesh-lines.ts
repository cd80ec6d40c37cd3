// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

import * as THREE from "three";

/** The lines of a mesh over a faint surface. The surface first goes into the depth buffer alone:
 * then only what is nearest shines through, and hidden lines stay hidden. */
export class MeshLines {
    readonly object = new THREE.Group();
    private readonly geometry = new THREE.BufferGeometry();
    private readonly surface = new THREE.BufferGeometry();
    private readonly material = new THREE.LineBasicMaterial({
        transparent: true,
        opacity: 0.9,
        vertexColors: true,
        toneMapped: false,
    });
    private readonly depth = new THREE.MeshBasicMaterial({
        colorWrite: false,
        side: THREE.DoubleSide,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
    });

    /** Of vertices: where they are and their colours, which both go on changing. */
    constructor(
        position: THREE.BufferAttribute,
        colour: THREE.BufferAttribute,
        triangles: Uint32Array,
        edges: Uint32Array,
    ) {
        this.geometry.setIndex(new THREE.BufferAttribute(edges, 1));
        this.geometry.setAttribute("position", position);
        this.geometry.setAttribute("color", colour);
        this.surface.setIndex(new THREE.BufferAttribute(triangles, 1));
        this.surface.setAttribute("position", position);
        const lines = new THREE.LineSegments(this.geometry, this.material);
        lines.frustumCulled = false; // as all that moves with the cloth
        lines.renderOrder = 2;
        const depth = new THREE.Mesh(this.surface, this.depth);
        depth.frustumCulled = false;
        depth.renderOrder = -1;
        this.object.add(depth, lines);
    }

    setColour(colour: string | null): void {
        this.material.color.set(colour ?? "#c8c8c8");
        if (!colour) return;
        // neither so light nor so dark that thin lines get lost on the backdrop
        const { h, s, l } = this.material.color.getHSL({ h: 0, s: 0, l: 0 });
        this.material.color.setHSL(h, s, THREE.MathUtils.clamp(l, 0.38, 0.55));
    }

    dispose(): void {
        this.geometry.dispose();
        this.surface.dispose();
        this.material.dispose();
        this.depth.dispose();
    }
}
