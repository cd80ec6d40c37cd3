// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The triangles of a cloth that have one look, as one object. All pieces of a cloth share the
// arrays of its vertices.

import * as THREE from "three";
import { orderByDepth } from "./depth-order";
import { Fabric } from "./fabric/fabric";

const TURNED = 0.9998; // the cosine of an angle by which the camera may turn before all is sorted

export class Piece {
    readonly object: THREE.Mesh;
    readonly fabric = new Fabric(THREE.DoubleSide);
    private readonly geometry = new THREE.BufferGeometry();
    private triangles = new Uint32Array();
    private scratch = new Uint32Array();
    private readonly seenFrom = new THREE.Vector3();
    private sortedVersion = -1;
    private wasTransparent = false;

    /** `versionOf`: goes up with each change of the positions. */
    constructor(
        attributes: Record<string, THREE.BufferAttribute>,
        private readonly versionOf: () => number,
    ) {
        for (const [name, attribute] of Object.entries(attributes))
            this.geometry.setAttribute(name, attribute);
        this.object = new THREE.Mesh(this.geometry, this.fabric);
        // bounds would be needed anew in every frame; the cloth is in sight anyway
        this.object.frustumCulled = false;
        this.object.castShadow = true;
        this.object.onBeforeRender = (_renderer, _scene, camera) => this.sort(camera);
    }

    setTriangles(triangles: Uint32Array): void {
        this.triangles = triangles.slice();
        this.scratch = new Uint32Array();
        this.sortedVersion = -1;
        const index = new THREE.BufferAttribute(this.triangles, 1);
        this.geometry.setIndex(index.setUsage(THREE.DynamicDrawUsage));
    }

    /** Call it when the fabric has another look. `faint`: behind the lines of a mesh. */
    takeLook(faint: number | null): void {
        const { fabric, object } = this;
        const wire = faint !== null;
        fabric.opacity = faint ?? 1;
        fabric.transparent ||= wire;
        if (fabric.transparent !== this.wasTransparent) fabric.needsUpdate = true;
        this.wasTransparent = fabric.transparent;
        fabric.polygonOffset = wire; // else what it lies on would come through at steep folds
        fabric.setLayered(!wire);
        object.renderOrder = wire ? 1 : 0;
        if (fabric.isSheer && fabric.shadow) object.customDepthMaterial = fabric.shadow;
        else delete object.customDepthMaterial;
    }

    dispose(): void {
        this.geometry.dispose();
        this.fabric.dispose();
    }

    private sort(camera: THREE.Camera): void {
        if (!this.fabric.isSheer) return;
        const direction = camera.getWorldDirection(new THREE.Vector3());
        const version = this.versionOf();
        if (version === this.sortedVersion && direction.dot(this.seenFrom) > TURNED) return;
        this.sortedVersion = version;
        this.seenFrom.copy(direction);
        if (this.scratch.length === 0) this.scratch = new Uint32Array(this.triangles.length);
        const positions = this.geometry.getAttribute("position").array as Float32Array;
        orderByDepth(this.triangles, this.scratch, positions, direction.toArray());
        this.geometry.getIndex()!.needsUpdate = true;
    }
}
