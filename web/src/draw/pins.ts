// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Dots on the pinned vertices, of one size on the screen. They share the cloth's positions, so that
// a frame costs them nothing.

import * as THREE from "three";

const DIAMETER = 9; // CSS pixels, with the ring
const MANY = 24; // dots in a row: smaller, lest they become a line
const MANY_DIAMETER = 6;

const VERTEX = /* glsl */ `
    uniform float size;
    void main() {
        vec4 place = modelViewMatrix * vec4(position, 1.0);
        // a little nearer to the eye, lest the cloth cut the dot in half
        gl_Position = projectionMatrix * vec4(0.985 * place.xyz, 1.0);
        gl_PointSize = size;
    }
`;

const FRAGMENT = /* glsl */ `
    uniform float size;
    uniform vec3 colour;
    void main() {
        float pixel = 2.0 / size;
        float r = length(2.0 * gl_PointCoord - 1.0);
        float inside = 1.0 - smoothstep(1.0 - 1.5 * pixel, 1.0, r);
        float ring = smoothstep(0.6 - 0.75 * pixel, 0.6 + 0.75 * pixel, r);
        gl_FragColor = vec4(mix(colour, vec3(1.0), ring), inside);
        #include <colorspace_fragment>
    }
`;

export class PinDots {
    readonly object: THREE.Points;
    private readonly geometry = new THREE.BufferGeometry();
    private readonly material: THREE.ShaderMaterial;
    private diameter = DIAMETER;

    constructor(position: THREE.BufferAttribute) {
        this.geometry.setAttribute("position", position);
        this.material = new THREE.ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
            uniforms: { size: { value: DIAMETER }, colour: { value: new THREE.Color("#d4452f") } },
            transparent: true,
            depthWrite: false,
            toneMapped: false,
        });
        this.object = new THREE.Points(this.geometry, this.material);
        this.object.frustumCulled = false;
        this.object.renderOrder = 3;
        this.object.visible = false;
        this.object.onBeforeRender = (renderer) => {
            this.material.uniforms.size!.value = this.diameter * renderer.getPixelRatio();
        };
    }

    /** Not 0 for each vertex that is pinned. */
    mark(pinned: Uint8Array | null): void {
        const marked: number[] = [];
        pinned?.forEach((on, v) => {
            if (on) marked.push(v);
        });
        this.object.visible = marked.length > 0;
        this.diameter = marked.length > MANY ? MANY_DIAMETER : DIAMETER;
        const index = this.geometry.getIndex();
        // the buffer is kept where it is long enough: pins come and go one by one
        if (index && marked.length <= index.count) {
            (index.array as Uint32Array).set(marked);
            index.needsUpdate = true;
        } else if (marked.length > 0) {
            const room = new Uint32Array(marked.length + 16);
            room.set(marked);
            this.geometry.setIndex(new THREE.BufferAttribute(room, 1));
        }
        this.geometry.setDrawRange(0, marked.length);
    }

    dispose(): void {
        this.geometry.dispose();
        this.material.dispose();
    }
}
