// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What throws shadows, once more in a scene of its own: drawn there without light and without what
// stands around, for shadows on the floor and for what lies close to each other.

import * as THREE from "three";

export class Casters {
    private readonly scene = new THREE.Scene();
    private readonly meshes: THREE.Mesh[] = [];

    /** All that throws shadows and hides what is behind it. */
    take(object: THREE.Object3D | null): void {
        let count = 0;
        object?.traverseVisible((part) => {
            if (!(part instanceof THREE.Mesh) || !part.castShadow || isClear(part.material)) return;
            const mesh = this.mesh(count++);
            mesh.geometry = part.geometry;
            mesh.matrix.copy(part.matrixWorld);
            mesh.visible = true;
        });
        for (const mesh of this.meshes.slice(count)) mesh.visible = false;
    }

    /** To the target that is set. */
    draw(renderer: THREE.WebGLRenderer, camera: THREE.Camera, material: THREE.Material): void {
        for (const mesh of this.meshes) mesh.material = material;
        renderer.render(this.scene, camera);
    }

    private mesh(i: number): THREE.Mesh {
        const known = this.meshes[i];
        if (known) return known;
        const mesh = new THREE.Mesh();
        mesh.frustumCulled = false;
        mesh.matrixAutoUpdate = false;
        this.meshes.push(mesh);
        this.scene.add(mesh);
        return mesh;
    }
}

function isClear(material: THREE.Material | THREE.Material[]): boolean {
    return [material].flat().every(({ transparent }) => transparent);
}
