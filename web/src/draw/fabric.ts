// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How cloth and ropes take light: three's physical material with sheen, and what thin cloth needs
// besides. Light shines through a little; both sides are lit and shadowed alike; the back has a
// tone of its own; threads or strands make the surface uneven.

import * as THREE from "three";
import { FACING_GLSL, GRAZED_SHADOW_GLSL, SHADOW_VERTEX_GLSL, SOFT_SHADOW_GLSL } from "./light";
import { power } from "./power";
import { WEAVE_GLSL, WEAVE_THREADS, weaveTexture } from "./weave";

export type Pattern = "plain" | "woven" | "strands";

const SEE_THROUGH = 0.32; // of the light that falls on the other side

const VERTEX_HEAD = /* glsl */ `
    uniform float weaveScale;
    varying vec2 vWeave;
    ${FACING_GLSL}
`;

const VERTEX_SHADOW = /* glsl */ `
    ${SHADOW_VERTEX_GLSL}
    vWeave = uv * weaveScale;
`;

const FRAGMENT_HEAD = /* glsl */ `
    #include <shadowmap_pars_fragment>
    #define SHADOW_SPREAD 1.0
    ${FACING_GLSL}
    ${SOFT_SHADOW_GLSL}
    ${GRAZED_SHADOW_GLSL}

    uniform float backTone;
    uniform float seeThrough;
    varying vec2 vWeave;

    void directOnCloth(const in IncidentLight light, const in vec3 position, const in vec3 normal,
                       const in vec3 eye, const in vec3 coat, const in PhysicalMaterial material,
                       inout ReflectedLight reflected) {
        RE_Direct_Physical(light, position, normal, eye, coat, material, reflected);
        float behind = saturate(-dot(normal, light.direction));
        reflected.directDiffuse +=
            seeThrough * behind * light.color * BRDF_Lambert(material.diffuseColor);
    }
    #undef RE_Direct
    #define RE_Direct directOnCloth

    // Tilt a normal by the slopes along u and v. Screen derivatives say where u and v run.
    vec3 tilt(vec3 normal, vec2 slope, vec3 position, vec2 uv) {
        vec3 px = dFdx(position), py = dFdy(position);
        vec2 ux = dFdx(uv), uy = dFdy(uv);
        float turn = ux.x * uy.y - ux.y * uy.x < 0.0 ? -1.0 : 1.0;
        vec3 alongU = turn * (px * uy.y - py * ux.y);
        vec3 alongV = turn * (py * ux.x - px * uy.x);
        vec3 side = slope.x * alongU * inversesqrt(max(dot(alongU, alongU), 1e-30)) +
                    slope.y * alongV * inversesqrt(max(dot(alongV, alongV), 1e-30));
        return normalize(normal - side);
    }

    #ifdef WOVEN
    ${WEAVE_GLSL}
    #endif

    #ifdef STRANDS
    // Three strands laid around each other. u goes once around, v along, in the same measure.
    void strandsAt(vec2 place, out vec2 slope, out vec3 tint) {
        float strand = 3.0 * place.x + 2.0 * place.y;
        float seen = 1.0 - smoothstep(0.25, 0.7, fwidth(3.0 * place.x) + fwidth(2.0 * place.y));
        float across = 2.0 * (fract(strand) - 0.5);
        float flank = across * (1.0 - smoothstep(0.8, 1.0, abs(across)));
        slope = seen * 1.3 * flank * vec2(-0.83, -0.55);
        float groove = smoothstep(0.35, 1.0, abs(across));
        tint = vec3(mix(0.85, 1.0 - 0.5 * groove, seen));
    }
    #endif
`;

const FRAGMENT_COLOUR = /* glsl */ `
    #include <color_fragment>
    vec2 slope = vec2(0.0);
    vec3 tint = vec3(1.0);
    #ifdef WOVEN
    weaveAt(vWeave, slope, tint);
    #endif
    #ifdef STRANDS
    strandsAt(vWeave, slope, tint);
    #endif
    diffuseColor.rgb *= tint;
    if (!gl_FrontFacing) {
        float grey = dot(diffuseColor.rgb, vec3(0.2126, 0.7152, 0.0722));
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.9 * grey + 0.02), backTone);
    }
`;

// At the rim of a fold the smooth normal may point away from the eye: there it is laid on its side,
// lest the rim be lit as if from within.
const FRAGMENT_NORMAL = /* glsl */ `
    #include <normal_fragment_maps>
    vec3 towardsEye = normalize(vViewPosition);
    normal = normalize(normal - min(dot(normal, towardsEye) - 0.02, 0.0) * towardsEye);
    #if defined(WOVEN) || defined(STRANDS)
    normal = tilt(normal, slope, -vViewPosition, vWeave);
    #endif
`;

/** The material of cloth and ropes. Vertex colours multiply the colour: white for none. */
export class Fabric extends THREE.MeshPhysicalMaterial {
    private readonly own = {
        weave: { value: null as THREE.Texture | null },
        weaveScale: { value: 1 },
        backTone: { value: 0 },
        seeThrough: { value: SEE_THROUGH },
    };
    private pattern: Pattern = "plain";

    constructor(side: THREE.Side) {
        super({
            side,
            vertexColors: true,
            roughness: 0.85,
            specularIntensity: 0.25,
            sheen: power().sheen ? 1 : 0,
            sheenRoughness: 0.45,
            dithering: true,
            // for the lines of a mesh, which are to be in front
            polygonOffsetFactor: 1,
            polygonOffsetUnits: 1,
        });
        this.defines = { ...this.defines, SHADOW_TAPS: String(Math.max(1, power().clothTaps)) };
        this.onBeforeCompile = (shader) => this.extend(shader);
    }

    private extend(shader: THREE.WebGLProgramParametersWithUniforms): void {
        Object.assign(shader.uniforms, this.own);
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", `#include <common>${VERTEX_HEAD}`)
            .replace("#include <shadowmap_vertex>", VERTEX_SHADOW);
        shader.fragmentShader = shader.fragmentShader
            .replace("#include <shadowmap_pars_fragment>", FRAGMENT_HEAD)
            .replace("#include <color_fragment>", FRAGMENT_COLOUR)
            .replace("#include <normal_fragment_maps>", FRAGMENT_NORMAL);
    }

    /** `distance`: of threads, metres of the flat shape. Ropes have their own measure: 1. */
    setPattern(pattern: Pattern, distance: number): void {
        this.own.weaveScale.value = pattern === "woven" ? 1 / (WEAVE_THREADS * distance) : 1;
        if (pattern === this.pattern) return;
        this.pattern = pattern;
        const defines = this.defines as Record<string, string>;
        delete defines.WOVEN;
        delete defines.STRANDS;
        if (pattern === "woven") defines.WOVEN = "";
        if (pattern === "strands") defines.STRANDS = "";
        if (pattern === "woven") this.own.weave.value = weaveTexture();
        // ropes are too thick for it
        this.own.seeThrough.value = pattern === "strands" ? 0 : SEE_THROUGH;
        this.needsUpdate = true;
    }

    /** The colour of the cloth; null leaves it to vertex colours, which sheen and back spare. */
    setFabricColour(colour: string | null): void {
        this.color.set(colour ?? "#ffffff");
        this.sheenColor.copy(this.color).lerp(new THREE.Color(1, 1, 1), 0.25);
        this.sheenColor.multiplyScalar(colour ? 0.45 : 0.04);
        this.own.backTone.value = colour ? 0.22 : 0;
        // the colours of a scale stay those of its legend
        if (this.toneMapped !== (colour !== null)) this.needsUpdate = true;
        this.toneMapped = colour !== null;
    }
}
