// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The light of the stage: one soft light from above that casts shadows, a weak one from behind that
// draws edges, and the studio all around.

import * as THREE from "three";
import type { Theme } from "../../layout";
import { power } from "./power";
import { studioHarmonics, StudioPictures } from "./studio";

export const TOWARDS_KEY = new THREE.Vector3(-0.72, 1, 0.5).normalize();
const TOWARDS_RIM = new THREE.Vector3(0.7, 0.5, -0.9).normalize();

/** Three's own filter takes five samples, which show as grain. This one takes more, and may look
 * further around: define SHADOW_TAPS and SHADOW_SPREAD, and include it after the shadow chunk. */
export const SOFT_SHADOW_GLSL = /* glsl */ `
    #if defined(USE_SHADOWMAP) && defined(SHADOWMAP_TYPE_PCF)
    float softShadow(sampler2DShadow map, vec2 size, float intensity, float bias, float radius,
                     vec4 coord) {
        vec3 place = coord.xyz / coord.w;
        place.z += bias;
        if (any(lessThan(place.xy, vec2(0.0))) || any(greaterThan(place, vec3(1.0)))) return 1.0;
        float turn = PI2 * interleavedGradientNoise(gl_FragCoord.xy);
        vec2 reach = SHADOW_SPREAD * radius / size;
        float sum = 0.0;
        for (int i = 0; i < SHADOW_TAPS; i++) {
            vec2 around = vogelDiskSample(i, SHADOW_TAPS, turn) * reach;
            sum += texture(map, vec3(place.xy + around, place.z));
        }
        return mix(1.0, sum / float(SHADOW_TAPS), intensity);
    }
    #define getShadow softShadow
    #endif
`;

/** For what is seen from both sides, at the head of both shaders. */
export const FACING_GLSL = /* glsl */ `
    varying float vFacing;
`;

/** The shadow is looked up off the surface, towards the light: three goes along the normal, which is
 * into the shadow where the light meets the back. The third row of the shadow's matrix points away
 * from the light. Stands for the shadow chunk of vertices. */
export const SHADOW_VERTEX_GLSL = /* glsl */ `
    #include <shadowmap_vertex>
    #if defined(USE_SHADOWMAP) && NUM_DIR_LIGHT_SHADOWS > 0
    mat4 toLight = directionalShadowMatrix[0];
    vec3 away = vec3(toLight[0][2], toLight[1][2], toLight[2][2]);
    vec3 lit = dot(shadowWorldNormal, away) > 0.0 ? -shadowWorldNormal : shadowWorldNormal;
    vFacing = dot(shadowWorldNormal, normalize(away));
    vDirectionalShadowCoord[0] = toLight * vec4(
        worldPosition.xyz + lit * directionalLightShadows[0].shadowNormalBias, 1.0);
    #endif
`;

/** Where light only grazes a surface, its shadow on itself is chance, and there is little light to
 * take away. After SOFT_SHADOW_GLSL. */
export const GRAZED_SHADOW_GLSL = /* glsl */ `
    #ifdef getShadow
    float grazedShadow(sampler2DShadow map, vec2 size, float intensity, float bias, float radius,
                       vec4 coord) {
        float shadow = softShadow(map, size, intensity, bias, radius, coord);
        return mix(1.0, shadow, smoothstep(0.04, 0.22, abs(vFacing)));
    }
    #undef getShadow
    #define getShadow grazedShadow
    #endif
`;

/** Texels of its map that the edge of a shadow is wide, to both sides. */
const SOFTNESS = 7;

/** Of the light that meets a surface: what each of the lamps gives, and the studio. */
const INTENSITIES: Record<Theme, { key: number; rim: number }> = {
    light: { key: 2.5, rim: 0.5 },
    dark: { key: 2.6, rim: 0.9 },
};

export class Lighting {
    readonly object = new THREE.Group();
    private readonly key = new THREE.DirectionalLight(0xfff4e6, 1);
    private readonly rim = new THREE.DirectionalLight(0xdfe9ff, 1);
    /** The studio where it is not mirrored. */
    private readonly ambient = new THREE.LightProbe();
    private readonly pictures: StudioPictures;
    private theme: Theme = "light";

    constructor(
        renderer: THREE.WebGLRenderer,
        private readonly scene: THREE.Scene,
    ) {
        this.pictures = new StudioPictures(renderer);
        const shadow = this.key.shadow;
        this.key.castShadow = power().shadows;
        shadow.mapSize.setScalar(power().shadowSize);
        shadow.radius = SOFTNESS;
        shadow.bias = -0.0002;
        this.object.add(this.key, this.key.target, this.rim, this.rim.target, this.ambient);
    }

    setTheme(theme: Theme): void {
        this.theme = theme;
        this.key.intensity = INTENSITIES[theme].key;
        this.rim.intensity = INTENSITIES[theme].rim;
        this.ambient.sh = studioHarmonics(theme);
        this.surround();
    }

    /** By the picture of the studio where the machine affords it, else by its harmonics alone. */
    private surround(): void {
        const mirrored = power().environment;
        this.scene.environment = mirrored ? this.pictures.of(this.theme) : null;
        this.ambient.intensity = mirrored ? 0 : 1;
    }

    /** Light up a ball. The floor is not in the map: its shadow is a picture of its own. */
    fit(middle: THREE.Vector3, radius: number): void {
        const away = 2 * radius;
        this.key.target.position.copy(middle);
        this.key.position.copy(middle).addScaledVector(TOWARDS_KEY, away);
        this.rim.target.position.copy(middle);
        this.rim.position.copy(middle).addScaledVector(TOWARDS_RIM, away);
        const camera = this.key.shadow.camera;
        camera.left = camera.bottom = -radius;
        camera.right = camera.top = radius;
        camera.near = 0.4 * away;
        camera.far = 1.6 * away;
        camera.updateProjectionMatrix();
        // the filter looks as far around as its radius: so far the surface must stand off itself
        const texel = (2 * radius) / power().shadowSize;
        this.key.shadow.normalBias = (SOFTNESS + 0.7) * texel;
    }

    /** After effects were given up or taken back, or a context was. */
    takePower(): void {
        this.key.castShadow = power().shadows;
        this.surround();
    }

    dispose(): void {
        this.key.dispose();
        this.rim.dispose();
        this.pictures.dispose();
    }
}
