// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The shadow on the floor, as a small picture of it from above: what throws shadows is laid down on
// the floor, along the light and straight down, and blurred. Shadows are the softer the higher up it
// is that throws them; what stands on the floor darkens it all around where they touch.
//
// One look into the picture is all that a pixel of the floor takes, on machines of any kind.

import * as THREE from "three";
import { FullScreenQuad } from "three/examples/jsm/postprocessing/Pass.js";
import type { Casters } from "./casters";

// Red: what throws a shadow, less the higher up it is. Green: the same straight below. Blue: what
// throws a shadow, at any height.
const LAY_VERTEX = /* glsl */ `
    uniform vec4 square;
    uniform float level;
    uniform vec2 slant;
    varying float height;
    void main() {
        vec4 at = modelMatrix * vec4(position, 1.0);
        height = max(at.y - level, 0.0);
        gl_Position = vec4((at.xz - slant * height - square.xy) * square.z, 0.0, 1.0);
    }
`;

const LAY_FRAGMENT = /* glsl */ `
    uniform vec4 square;
    uniform float straight;
    varying float height;
    void main() {
        float up = height / square.w;
        float near = exp(-up * mix(2.4, 9.0, straight));
        gl_FragColor = mix(vec4(near, 0.0, 1.0, 1.0), vec4(0.0, near, 0.0, 1.0), straight);
    }
`;

const BLUR_VERTEX = /* glsl */ `
    varying vec2 place;
    void main() {
        place = uv;
        gl_Position = vec4(position.xy, 0.0, 1.0);
    }
`;

// Looks along a line, close together for what is near to the floor, wide apart for all else.
const BLUR_FRAGMENT = /* glsl */ `
    uniform sampler2D map;
    uniform vec2 along;
    varying vec2 place;
    void main() {
        vec3 sum = vec3(0.0);
        float total = 0.0;
        for (int i = -LOOKS; i <= LOOKS; i++) {
            float off = 4.0 * float(i) / float(LOOKS);
            float weight = exp(-0.16 * off * off);
            vec3 narrow = texture2D(map, place + 0.005 * off * along).rgb;
            vec3 wide = texture2D(map, place + 0.014 * off * along).rgb;
            sum += weight * vec3(narrow.rg, wide.b);
            total += weight;
        }
        gl_FragColor = vec4(sum / total, 1.0);
    }
`;

/** How dark the floor is, from 0 to 1: x by the lamp, y by what stands close. */
export const FOOTPRINT_GLSL = /* glsl */ `
    uniform sampler2D footprint;
    uniform vec4 footprintSquare;
    vec2 footprintAt(vec2 ground) {
        vec2 place = (ground - footprintSquare.xy) * footprintSquare.z;
        vec2 off = abs(place);
        float beyond = max(off.x, off.y);
        if (beyond >= 1.0) return vec2(0.0);
        vec3 seen = texture2D(footprint, 0.5 * place + 0.5).rgb;
        vec2 dark = min(vec2(max(1.25 * seen.r, seen.b), 1.4 * seen.g), 1.0);
        return dark * (1.0 - smoothstep(0.88, 1.0, beyond)); // what leaves the picture fades
    }
`;

export class Footprint {
    /** For FOOTPRINT_GLSL. */
    readonly uniforms = {
        footprint: { value: null as THREE.Texture | null },
        /** The middle, one over half of the side, and the height by which shadows grow soft. */
        footprintSquare: { value: new THREE.Vector4(0, 0, 1, 1) },
    };
    private readonly scratch: THREE.WebGLRenderTarget;
    private readonly targets: THREE.WebGLRenderTarget[] = [];
    /** What each pane's picture shows. */
    private readonly shown: string[] = [];
    private readonly camera = new THREE.Camera();
    private readonly quad = new FullScreenQuad();
    private readonly laying = new THREE.ShaderMaterial({
        vertexShader: LAY_VERTEX,
        fragmentShader: LAY_FRAGMENT,
        uniforms: {
            square: { value: new THREE.Vector4() },
            level: { value: 0 },
            slant: { value: new THREE.Vector2() },
            straight: { value: 0 },
        },
        side: THREE.DoubleSide,
        depthTest: false,
        depthWrite: false,
        blending: THREE.CustomBlending,
        blendEquation: THREE.MaxEquation,
        toneMapped: false,
    });
    private readonly blurring = new THREE.ShaderMaterial({
        vertexShader: BLUR_VERTEX,
        fragmentShader: BLUR_FRAGMENT,
        uniforms: { map: { value: null }, along: { value: new THREE.Vector2() } },
        depthTest: false,
        depthWrite: false,
        toneMapped: false,
    });

    /** `texels`: along a side. */
    constructor(private readonly texels: number) {
        this.scratch = this.makeTarget();
        this.blurring.defines.LOOKS = texels > 256 ? 14 : 4; // as far apart as a texel, or nearly
    }

    private makeTarget(): THREE.WebGLRenderTarget {
        return new THREE.WebGLRenderTarget(this.texels, this.texels, { depthBuffer: false });
    }

    /** Lay out the picture for a ball that has light: `level` is the floor, `towards` the lamp. */
    fit(ball: THREE.Sphere, level: number, towards: THREE.Vector3): void {
        const { center, radius } = ball;
        const slant = new THREE.Vector2(towards.x, towards.z).divideScalar(towards.y);
        const shift = slant.clone().multiplyScalar(-Math.max(center.y - level, 0));
        const half = 1.35 * radius + shift.length() / 2;
        const { square } = this.laying.uniforms as { square: { value: THREE.Vector4 } };
        square.value.set(center.x + shift.x / 2, center.z + shift.y / 2, 1 / half, radius);
        this.uniforms.footprintSquare.value.copy(square.value);
        this.laying.uniforms.level!.value = level;
        this.laying.uniforms.slant!.value.copy(slant);
        this.shown.fill("");
    }

    /** The picture for a pane; `state` says what is there: the same is not drawn again. */
    draw(renderer: THREE.WebGLRenderer, casters: Casters, pane: number, state: string): void {
        const target = (this.targets[pane] ??= this.makeTarget());
        this.uniforms.footprint.value = target.texture;
        if (this.shown[pane] === state) return;
        this.shown[pane] = state;
        const { slant, straight } = this.laying.uniforms;
        const along = (slant!.value as THREE.Vector2).clone();
        const colour = renderer.getClearColor(new THREE.Color()),
            alpha = renderer.getClearAlpha();
        renderer.setClearColor(0, 0);
        renderer.setRenderTarget(target);
        straight!.value = 0;
        casters.draw(renderer, this.camera, this.laying);
        renderer.autoClear = false;
        straight!.value = 1;
        slant!.value.set(0, 0);
        casters.draw(renderer, this.camera, this.laying);
        slant!.value.copy(along);
        this.blur(renderer, target);
        renderer.autoClear = true;
        renderer.setRenderTarget(null);
        renderer.setClearColor(colour, alpha);
    }

    private blur(renderer: THREE.WebGLRenderer, target: THREE.WebGLRenderTarget): void {
        const { map, along } = this.blurring.uniforms;
        this.quad.material = this.blurring;
        const passes = [
            [target, this.scratch, 1, 0],
            [this.scratch, target, 0, 1],
        ] as const;
        for (const [from, to, x, y] of passes) {
            map!.value = from.texture;
            along!.value.set(x, y);
            renderer.setRenderTarget(to);
            this.quad.render(renderer);
        }
    }

    /** What went down with a context is drawn anew. */
    dispose(): void {
        this.scratch.dispose();
        for (const target of this.targets) target.dispose();
        this.shown.length = 0;
        this.laying.dispose();
        this.blurring.dispose();
        this.quad.dispose();
    }
}
