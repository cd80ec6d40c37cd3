// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What lies behind and below the cloth: a backdrop, lit where the cloth is and darker towards the
// corners, and a pool of floor that takes the shadow and fades into it. Where somebody walks, dots on the floor
// stay where they are, so that one sees them walk.

import * as THREE from "three";
import type { Theme } from "../layout";
import { FOOTPRINT_GLSL, type Footprint } from "./light/footprint";

interface Tones {
    top: string;
    bottom: string;
    floor: string;
    /** How much of the floor's light a full shadow takes, and what stands on it. */
    shadow: number;
    contact: number;
    /** What the backdrop loses towards its corners. */
    dim: number;
    /** Between panes. */
    line: string;
}

const TONES: Record<Theme, Tones> = {
    light: {
        top: "#f1f3f6",
        bottom: "#d9dee5",
        floor: "#f4f5f7",
        shadow: 0.4,
        contact: 0.55,
        dim: 0.14,
        line: "#c3c9d2",
    },
    dark: {
        top: "#23282f",
        bottom: "#1c2026",
        floor: "#3a4048",
        shadow: 0.62,
        contact: 0.75,
        dim: 0.5,
        line: "#3a404a",
    },
};

// By the place in the pane, -1 to 1.
const BACKDROP_GLSL = /* glsl */ `
    uniform vec3 top;
    uniform vec3 bottom;
    uniform float dim;
    vec3 backdrop(vec2 place) {
        vec2 off = place - vec2(-0.1, 0.15);
        return mix(bottom, top, 0.5 * place.y + 0.5) * (1.0 - dim * min(0.45 * dot(off, off), 1.0));
    }
`;

const BACKDROP_VERTEX = /* glsl */ `
    varying vec2 place;
    void main() {
        place = position.xy;
        gl_Position = vec4(position.xy, 1.0, 1.0);
    }
`;

const BACKDROP_FRAGMENT = /* glsl */ `
    #include <common>
    #include <dithering_pars_fragment>
    ${BACKDROP_GLSL}
    varying vec2 place;
    void main() {
        gl_FragColor = vec4(backdrop(place), 1.0);
        #include <colorspace_fragment>
        #include <dithering_fragment>
    }
`;

const FLOOR_VERTEX = /* glsl */ `
    varying vec2 place;
    varying vec2 ground;
    varying vec4 clip;
    void main() {
        vec4 at = modelMatrix * vec4(position, 1.0);
        gl_Position = projectionMatrix * viewMatrix * at;
        // behind all things, in front of the backdrop, which need not be drawn there
        gl_Position.z = 0.99999 * gl_Position.w;
        place = 2.0 * uv - 1.0;
        ground = at.xz;
        clip = gl_Position;
    }
`;

// The floor mixes in the backdrop by itself: blending would round off the dither, and the fade
// would show in steps.
const FLOOR_FRAGMENT = /* glsl */ `
    #include <common>
    #include <dithering_pars_fragment>
    ${FOOTPRINT_GLSL}
    ${BACKDROP_GLSL}
    uniform vec3 floorColour;
    uniform float shadow;
    uniform float contact;
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
        vec2 dark = footprintAt(ground);
        // shadows of the lamp are a little blue: the studio still sees them
        vec3 colour = floorColour * (1.0 - shadow * dark.x * vec3(1.0, 0.97, 0.92));
        colour *= 1.0 - contact * dark.y;
        if (dots > 0.0) colour *= 1.0 - DOT_DEPTH * dotted();
        vec3 behind = backdrop(clip.xy / clip.w);
        gl_FragColor = vec4(mix(behind, colour, near * near), 1.0);
        #include <colorspace_fragment>
        #include <dithering_fragment>
    }
`;

function backdropUniforms() {
    return {
        top: { value: new THREE.Color() },
        bottom: { value: new THREE.Color() },
        dim: { value: 0 },
    };
}

function makeBackdrop(): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({
        vertexShader: BACKDROP_VERTEX,
        fragmentShader: BACKDROP_FRAGMENT,
        uniforms: backdropUniforms(),
        depthWrite: false,
        dithering: true,
        toneMapped: false,
    });
}

function makeFloor({ uniforms }: Footprint): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({
        defines: {
            DOT_DISTANCE: "0.25", // metres
            DOT_RADIUS: "0.032", // of that
            DOT_DEPTH: "0.16",
        },
        vertexShader: FLOOR_VERTEX,
        fragmentShader: FLOOR_FRAGMENT,
        uniforms: {
            ...uniforms,
            ...backdropUniforms(),
            floorColour: { value: new THREE.Color() },
            shadow: { value: 0 },
            contact: { value: 0 },
            dots: { value: 0 },
        },
        dithering: true,
        toneMapped: false,
    });
}

export class Ground {
    readonly object = new THREE.Group();
    readonly line = new THREE.Color();
    private readonly backdrop = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), makeBackdrop());
    private readonly floor: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;

    constructor(footprint: Footprint) {
        this.floor = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), makeFloor(footprint));
        this.backdrop.frustumCulled = false;
        this.floor.renderOrder = -10;
        this.backdrop.renderOrder = -9;
        this.floor.rotation.x = -Math.PI / 2;
        this.object.add(this.backdrop, this.floor);
    }

    setTheme(theme: Theme): void {
        const tones = TONES[theme];
        for (const { material } of [this.backdrop, this.floor]) {
            material.uniforms.top!.value.set(tones.top);
            material.uniforms.bottom!.value.set(tones.bottom);
            material.uniforms.dim!.value = tones.dim;
        }
        const { floorColour, shadow, contact } = this.floor.material.uniforms;
        floorColour!.value.set(tones.floor);
        shadow!.value = tones.shadow;
        contact!.value = tones.contact;
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
