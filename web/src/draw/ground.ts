// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What lies behind and below the cloth: a backdrop that shades from top to bottom, and a pool of
// floor that takes the shadow and fades into the backdrop. Where somebody walks, dots on the floor
// stay where they are, so that one sees them walk.

import * as THREE from "three";
import type { Theme } from "../layout";
import { SOFT_SHADOW_GLSL } from "./light";
import { power } from "./power";

interface Tones {
    top: string;
    bottom: string;
    floor: string;
    /** How much of the floor's light a full shadow takes. */
    shadow: number;
    /** Between panes. */
    line: string;
}

const TONES: Record<Theme, Tones> = {
    light: { top: "#eef1f5", bottom: "#dbe0e7", floor: "#f3f5f8", shadow: 0.42, line: "#c3c9d2" },
    dark: { top: "#14171c", bottom: "#1d2127", floor: "#343a43", shadow: 0.62, line: "#3a404a" },
};

// By height in the pane, 0 to 1.
const BACKDROP_GLSL = /* glsl */ `
    uniform vec3 top;
    uniform vec3 bottom;
    vec3 backdrop(float height) { return mix(bottom, top, smoothstep(0.0, 1.0, height)); }
`;

const BACKDROP_VERTEX = /* glsl */ `
    varying float height;
    void main() {
        height = 0.5 * position.y + 0.5;
        gl_Position = vec4(position.xy, 1.0, 1.0);
    }
`;

const BACKDROP_FRAGMENT = /* glsl */ `
    #include <common>
    #include <dithering_pars_fragment>
    ${BACKDROP_GLSL}
    varying float height;
    void main() {
        gl_FragColor = vec4(backdrop(height), 1.0);
        #include <colorspace_fragment>
        #include <dithering_fragment>
    }
`;

const FLOOR_VERTEX = /* glsl */ `
    #include <common>
    #include <shadowmap_pars_vertex>
    varying vec2 place;
    varying vec2 ground;
    varying vec4 clip;
    void main() {
        #include <beginnormal_vertex>
        #include <defaultnormal_vertex>
        #include <begin_vertex>
        #include <project_vertex>
        #include <worldpos_vertex>
        #include <shadowmap_vertex>
        place = 2.0 * uv - 1.0;
        ground = (modelMatrix * vec4(position, 1.0)).xz;
        clip = gl_Position;
    }
`;

// The floor mixes in the backdrop by itself: blending would round off the dither, and the fade
// would show in steps.
const FLOOR_FRAGMENT = /* glsl */ `
    #include <common>
    #include <packing>
    #include <dithering_pars_fragment>
    #include <lights_pars_begin>
    #include <shadowmap_pars_fragment>
    #define SHADOW_SPREAD 9.0
    ${SOFT_SHADOW_GLSL}
    #include <shadowmask_pars_fragment>
    ${BACKDROP_GLSL}
    uniform vec3 floorColour;
    uniform float shadowDepth;
    uniform float dots;
    varying vec2 place;
    varying vec2 ground;
    varying vec4 clip;

    // How much of a pixel a dot covers; farther off than dots can be told apart, none.
    float dotted() {
        vec2 cell = ground / DOT_DISTANCE;
        float pixel = length(fwidth(cell));
        float off = length(fract(cell + 0.5) - 0.5);
        float cover = 1.0 - smoothstep(DOT_RADIUS - 0.5 * pixel, DOT_RADIUS + 0.5 * pixel, off);
        return dots * cover * (1.0 - smoothstep(0.1, 0.4, pixel));
    }

    void main() {
        float r = length(place);
        if (r >= 1.0) discard;
        float near = 1.0 - smoothstep(0.0, 1.0, r);
        float shade = shadowDepth * (1.0 - getShadowMask());
        // shadows are a little blue: the sky still sees them
        vec3 colour = floorColour * (1.0 - shade * vec3(1.0, 0.97, 0.92));
        colour *= 1.0 - DOT_DEPTH * dotted();
        vec3 behind = backdrop(0.5 + 0.5 * clip.y / clip.w);
        gl_FragColor = vec4(mix(behind, colour, near * near), 1.0);
        #include <colorspace_fragment>
        #include <dithering_fragment>
    }
`;

function makeBackdrop(): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({
        vertexShader: BACKDROP_VERTEX,
        fragmentShader: BACKDROP_FRAGMENT,
        uniforms: { top: { value: new THREE.Color() }, bottom: { value: new THREE.Color() } },
        depthTest: false,
        depthWrite: false,
        dithering: true,
        toneMapped: false,
    });
}

function makeFloor(): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({
        defines: {
            SHADOW_TAPS: power().floorTaps,
            DOT_DISTANCE: "0.25", // metres
            DOT_RADIUS: "0.032", // of that
            DOT_DEPTH: "0.16",
        },
        vertexShader: FLOOR_VERTEX,
        fragmentShader: FLOOR_FRAGMENT,
        uniforms: {
            ...THREE.UniformsUtils.clone(THREE.UniformsLib.lights),
            top: { value: new THREE.Color() },
            bottom: { value: new THREE.Color() },
            floorColour: { value: new THREE.Color() },
            shadowDepth: { value: 0 },
            dots: { value: 0 },
        },
        lights: true,
        // never hides a cloth
        depthWrite: false,
        dithering: true,
        toneMapped: false,
    });
}

export class Ground {
    readonly object = new THREE.Group();
    readonly line = new THREE.Color();
    private readonly backdrop = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), makeBackdrop());
    private readonly floor = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), makeFloor());

    constructor() {
        this.backdrop.frustumCulled = false;
        this.backdrop.renderOrder = -10;
        this.floor.renderOrder = -9;
        this.floor.receiveShadow = true;
        this.floor.rotation.x = -Math.PI / 2;
        this.object.add(this.backdrop, this.floor);
    }

    setTheme(theme: Theme): void {
        const tones = TONES[theme];
        for (const { material } of [this.backdrop, this.floor]) {
            material.uniforms.top!.value.set(tones.top);
            material.uniforms.bottom!.value.set(tones.bottom);
        }
        this.floor.material.uniforms.floorColour!.value.set(tones.floor);
        this.floor.material.uniforms.shadowDepth!.value = tones.shadow;
        this.line.set(tones.line);
    }

    get height(): number {
        return this.floor.position.y;
    }

    /** Below `middle` at `height`; out of sight at a distance of `radius`. */
    place(middle: THREE.Vector3, height: number, radius: number): void {
        this.floor.position.set(middle.x, height, middle.z);
        this.floor.scale.setScalar(radius);
    }

    setDots(on: boolean): void {
        this.floor.material.uniforms.dots!.value = on ? 1 : 0;
    }

    moveTo(height: number): void {
        this.floor.position.y = height;
    }

    dispose(): void {
        for (const mesh of [this.backdrop, this.floor]) {
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
    }
}
