// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where things lie close to each other, little of the light from all around gets there. How much, is
// told from depths: what throws shadows is drawn as depths alone, and each pixel looks around itself
// for what rises above its surface (scalable ambient obscurance, McGuire and others 2012). The
// surfaces look it up as they are drawn, and dim the studio by it, and the lamps a little.

import * as THREE from "three";
import { FullScreenQuad } from "three/examples/jsm/postprocessing/Pass.js";
import { pixelMaterial } from "../pixels";
import type { Casters } from "./casters";

// `pane`: first pixel and size of the part that is drawn.
const OCCLUSION_FRAGMENT = /* glsl */ `
    #include <common>
    uniform sampler2D depths;
    uniform vec4 pane;
    uniform mat4 unproject;
    uniform float reach;
    uniform float pixels;

    vec3 viewAt(vec2 pixel) {
        vec2 inside = clamp(pixel, pane.xy + 0.5, pane.xy + pane.zw - 0.5);
        float depth = texelFetch(depths, ivec2(inside), 0).r;
        vec4 at = unproject * vec4(2.0 * (inside - pane.xy) / pane.zw - 1.0, 2.0 * depth - 1.0, 1.0);
        return at.xyz / at.w;
    }

    vec3 shorter(vec3 a, vec3 b) { return abs(a.z) < abs(b.z) ? a : b; }

    void main() {
        vec2 here = gl_FragCoord.xy;
        gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0);
        if (texelFetch(depths, ivec2(here), 0).r >= 1.0) return;
        vec3 at = viewAt(here);
        gl_FragColor.g = -at.z;
        vec3 across = shorter(viewAt(here + vec2(1, 0)) - at, at - viewAt(here - vec2(1, 0)));
        vec3 along = shorter(viewAt(here + vec2(0, 1)) - at, at - viewAt(here - vec2(0, 1)));
        vec3 normal = normalize(cross(across, along));
        float disc = min(reach * pixels / -at.z, 0.25 * pane.w);
        float turn = PI2 * fract(52.9829189 * fract(dot(here, vec2(0.06711056, 0.00583715))));
        float sum = 0.0;
        for (int i = 0; i < LOOKS; i++) {
            float part = (float(i) + 0.5) / float(LOOKS);
            float angle = turn + part * 7.0 * PI2;
            vec3 towards = viewAt(here + disc * part * vec2(cos(angle), sin(angle))) - at;
            float square = dot(towards, towards),
                rise = dot(towards, normal) - 0.012 * reach - 0.0006 * -at.z;
            float fade = max(1.0 - square / (reach * reach), 0.0);
            sum += fade * fade * fade * max(rise * inversesqrt(square + 1e-12), 0.0);
        }
        gl_FragColor.r = max(1.0 - 4.0 * sum / float(LOOKS), 0.0);
    }
`;

// Along a line, only what is as far away.
const SMOOTH_FRAGMENT = /* glsl */ `
    uniform sampler2D map;
    uniform vec4 pane;
    uniform vec2 along;
    uniform float reach;
    void main() {
        vec2 own = texelFetch(map, ivec2(gl_FragCoord.xy), 0).rg;
        float sum = 0.0, total = 0.0;
        for (int i = -4; i <= 4; i++) {
            vec2 at = clamp(gl_FragCoord.xy + float(i) * along, pane.xy, pane.xy + pane.zw - 1.0);
            vec2 there = texelFetch(map, ivec2(at), 0).rg;
            float weight = exp(-0.1 * float(i * i)) *
                max(1.0 - abs(there.g - own.g) / (0.25 * reach), 0.0);
            sum += weight * there.r;
            total += weight;
        }
        gl_FragColor = vec4(total > 0.0 ? sum / total : own.r, own.g, 0.0, 1.0);
    }
`;

const shared = {
    occlusion: { value: null as THREE.Texture | null },
    /** Pixels of the picture of it per pixel that is drawn; 0 for none. */
    occlusionScale: { value: new THREE.Vector2() },
};

const LOOKUP_HEAD = /* glsl */ `
    #include <common>
    uniform sampler2D occlusion;
    uniform vec2 occlusionScale;
`;

const LOOKUP = /* glsl */ `
    #include <aomap_fragment>
    if (occlusionScale.x > 0.0) {
        float open = texture2D(occlusion, gl_FragCoord.xy * occlusionScale).r;
        reflectedLight.indirectDiffuse *= open;
        reflectedLight.indirectSpecular *= open;
        #ifdef USE_SHEEN
        sheenSpecularIndirect *= open;
        #endif
        reflectedLight.directDiffuse *= mix(1.0, open, 0.45);
        reflectedLight.directSpecular *= mix(1.0, open, 0.45);
    }
`;

/** For the onBeforeCompile of three's materials: they are dimmed where things lie close. */
export function takeOcclusion(shader: THREE.WebGLProgramParametersWithUniforms): void {
    Object.assign(shader.uniforms, shared);
    shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", LOOKUP_HEAD)
        .replace("#include <aomap_fragment>", LOOKUP);
}

/** What both passes have. */
function paneUniforms(): Record<string, THREE.IUniform> {
    return { pane: { value: new THREE.Vector4() }, reach: { value: 1 } };
}

export class Occlusion {
    private depths: THREE.WebGLRenderTarget | null = null;
    private targets: THREE.WebGLRenderTarget[] = [];
    private readonly depth = new THREE.MeshBasicMaterial({
        side: THREE.DoubleSide,
        colorWrite: false,
    });
    private readonly looking = pixelMaterial(
        OCCLUSION_FRAGMENT,
        {
            ...paneUniforms(),
            depths: { value: null },
            unproject: { value: new THREE.Matrix4() },
            pixels: { value: 1 },
        },
        { LOOKS: 16 },
    );
    private readonly smoothing = pixelMaterial(SMOOTH_FRAGMENT, {
        ...paneUniforms(),
        map: { value: null },
        along: { value: new THREE.Vector2() },
    });
    private readonly quad = new FullScreenQuad();

    constructor(private readonly renderer: THREE.WebGLRenderer) {}

    /** Nothing is dimmed from now on. */
    clear(): void {
        shared.occlusionScale.value.set(0, 0);
        shared.occlusion.value = null;
    }

    /** For a picture of this size in pixels; `scale`: pixels of this one for each of those. */
    private resize(width: number, height: number, scale: number): void {
        const wide = Math.max(Math.round(scale * width), 1),
            high = Math.max(Math.round(scale * height), 1);
        shared.occlusionScale.value.set(1 / width, 1 / height);
        if (this.depths?.width === wide && this.depths.height === high) return;
        this.freeTargets();
        this.depths = new THREE.WebGLRenderTarget(wide, high, {
            depthTexture: new THREE.DepthTexture(wide, high, THREE.UnsignedIntType),
        });
        this.targets = [0, 1].map(
            () =>
                new THREE.WebGLRenderTarget(wide, high, {
                    depthBuffer: false,
                    format: THREE.RGFormat,
                    type: THREE.HalfFloatType,
                }),
        );
    }

    /** Looks around all pixels of a pane, which has its viewport set; `reach`: metres. */
    draw(casters: Casters, camera: THREE.PerspectiveCamera, reach: number, scale: number): void {
        const { renderer } = this;
        const size = renderer.getDrawingBufferSize(new THREE.Vector2());
        this.resize(size.x, size.y, scale);
        const pane = renderer.getCurrentViewport(new THREE.Vector4()).multiplyScalar(scale).round();
        for (const target of [this.depths!, ...this.targets]) {
            target.viewport.copy(pane);
            target.scissor.copy(pane);
            target.scissorTest = true;
        }
        renderer.setRenderTarget(this.depths);
        casters.draw(renderer, camera, this.depth);
        const { uniforms } = this.looking;
        uniforms.depths!.value = this.depths!.depthTexture;
        uniforms.unproject!.value.copy(camera.projectionMatrixInverse);
        uniforms.pixels!.value = (camera.projectionMatrix.elements[5]! * pane.w) / 2;
        for (const material of [this.looking, this.smoothing]) {
            material.uniforms.pane!.value.copy(pane);
            material.uniforms.reach!.value = reach;
        }
        this.pass(this.looking, this.targets[0]!);
        this.smooth(this.targets[0]!, this.targets[1]!, 1, 0);
        this.smooth(this.targets[1]!, this.targets[0]!, 0, 1);
        renderer.setRenderTarget(null);
        shared.occlusion.value = this.targets[0]!.texture;
    }

    private smooth(
        from: THREE.WebGLRenderTarget,
        to: THREE.WebGLRenderTarget,
        x: number,
        y: number,
    ): void {
        this.smoothing.uniforms.map!.value = from.texture;
        this.smoothing.uniforms.along!.value.set(x, y);
        this.pass(this.smoothing, to);
    }

    private pass(material: THREE.ShaderMaterial, target: THREE.WebGLRenderTarget): void {
        this.quad.material = material;
        this.renderer.setRenderTarget(target);
        this.quad.render(this.renderer);
    }

    private freeTargets(): void {
        this.depths?.depthTexture?.dispose();
        for (const target of [this.depths, ...this.targets]) target?.dispose();
        this.depths = null;
        this.targets = [];
    }

    /** What went down with a context is made anew. */
    dispose(): void {
        this.clear();
        this.freeTargets();
        for (const material of [this.depth, this.looking, this.smoothing]) material.dispose();
        this.quad.dispose();
    }
}
