// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What cloth needs besides three's physical material, as pieces of its shaders. Places are metres
// of the flat shape: u along the warp, v along the weft.

import { FOLD, REACH } from "./hem-map";
import {
    FACING_GLSL,
    GRAZED_SHADOW_GLSL,
    SHADOW_VERTEX_GLSL,
    SOFT_SHADOW_GLSL,
} from "../light/light";
import { LEVELS, STEEPEST } from "./thread-maps";

const float = (x: number): string => x.toFixed(5);

export const VERTEX_HEAD = /* glsl */ `
    attribute vec4 warp;
    attribute float layer;
    uniform float layerDepth;
    varying vec4 vWarp;
    varying vec2 vPlace;
    ${FACING_GLSL}
`;

export const VERTEX_SHADOW = /* glsl */ `
    ${SHADOW_VERTEX_GLSL}
    vPlace = uv;
    vWarp = vec4(mat3(modelViewMatrix) * warp.xyz, warp.w);
`;

// What is worn over something else lies over it also where both are drawn rounder than they are. Depths
// alone change: places move along the rays of sight, towards who looks at the outer side.
export const VERTEX_PROJECT = /* glsl */ `
    #include <project_vertex>
    vec3 sight = normalize(mvPosition.xyz);
    float outside = clamp(-10.0 * dot(transformedNormal, sight), -1.0, 1.0);
    gl_Position = projectionMatrix *
                  vec4(mvPosition.xyz - layerDepth * layer * outside * sight, 1.0);
`;

// Defines: THREADS for a weave, SHEER for cloth that one sees through, PRINT 1 to 3 for stripes,
// checks and a picture, HEMS for hems and seams, STRANDS for ropes.
export const FRAGMENT_HEAD = /* glsl */ `
    #include <shadowmap_pars_fragment>
    #define SHADOW_SPREAD 1.0
    ${FACING_GLSL}
    ${SOFT_SHADOW_GLSL}
    ${GRAZED_SHADOW_GLSL}

    uniform vec3 warpColours[2]; // from the front and from behind
    uniform vec3 weftColours[2];
    uniform float seeThrough;
    varying vec4 vWarp;
    varying vec2 vPlace;

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

    #ifdef THREADS
    uniform sampler2D threads;
    uniform sampler2D uneven;
    uniform float tiles; // of the map of threads, per metre
    uniform float mapSize;
    uniform float relief;
    uniform float shade; // how much darker deep places are
    uniform float kept[${LEVELS}]; // mean square of the slopes that a mip level has
    uniform vec4 unevenness; // streaks along warp and weft, clouds, loose fibres

    float keptAt(float level) {
        int i = int(clamp(level, 0.0, ${float(LEVELS - 1.001)}));
        return mix(kept[i], kept[i + 1], clamp(level - float(i), 0.0, 1.0));
    }
    #endif

    #ifdef SHEER
    uniform float cover; // share of what is behind that threads cover
    uniform float threadsPerMetre;

    // Coverage by the gaps between threads where they can be seen, else by the mean. Who looks
    // along the cloth looks through more threads.
    float coverAt(float cosine) {
        float mean = 1.0 - pow(1.0 - cover, 1.0 / max(cosine, 0.14));
        vec2 place = vPlace * threadsPerMetre;
        vec2 pixel = fwidth(place);
        vec2 across = abs(fract(place) - 0.5);
        float edge = 0.5 * (1.0 - sqrt(1.0 - cover));
        vec2 gaps = smoothstep(edge - 0.5 * pixel, edge + 0.5 * pixel, across);
        float seen = 1.0 - smoothstep(0.15, 0.45, max(pixel.x, pixel.y));
        return mix(mean, max(1.0 - gaps.x * gaps.y, mean - cover), seen);
    }
    #endif

    #ifdef PRINT
    uniform vec3 printColour;
    uniform vec2 printSize; // of one repeat: across, and along the warp

    // 1 on half of a repeat, 0 on the other, between where a pixel sees both.
    float stripe(float place) {
        float pixel = fwidth(place);
        float band = 2.0 * abs(fract(place) - 0.5);
        float sharp = smoothstep(0.5 - pixel, 0.5 + pixel, band);
        return mix(sharp, 0.5, smoothstep(0.4, 1.0, pixel));
    }
    #if PRINT == 3
    uniform sampler2D picture;
    #endif
    #endif

    #ifdef HEMS
    uniform sampler2D hems;
    uniform vec4 hemBox; // where it begins, and 1 / its size

    // Distances to the border and to the next seam, metres.
    vec2 hemsAt(vec2 place) {
        return ${float(REACH)} * texture2D(hems, (place - hemBox.xy) * hemBox.zw).rg;
    }

    float line(float distance, float wide) {
        return exp(-distance * distance / (wide * wide));
    }

    // How high hems and seams stand out, metres; pixel: metres that a pixel sees.
    float hemHeight(vec2 d, float pixel) {
        float soft = max(0.0007, 0.7 * pixel);
        float fold = 1.0 - smoothstep(${float(FOLD)} - soft, ${float(FOLD)} + soft, d.x);
        float groove = line(d.y, max(0.0016, pixel)) * min(1.0, 0.0016 / pixel);
        return 0.0005 * fold - 0.0011 * groove;
    }

    // Light that stitches and folds take away.
    float hemShade(vec2 d, float pixel) {
        float wide = max(0.0006, 0.6 * pixel);
        float fade = min(1.0, 0.0011 / wide);
        float run = abs(fract((vPlace.x + vPlace.y) / 0.0032) - 0.5);
        float stitches = mix(smoothstep(0.12, 0.22, run), 0.7, smoothstep(0.0008, 0.0016, pixel));
        float fold = line(d.x - ${float(FOLD)}, wide) * stitches;
        float seam = line(d.y, max(0.0009, 0.6 * pixel)) * min(1.0, 0.0014 / pixel);
        return 1.0 - 0.4 * fade * fold - 0.45 * seam;
    }
    #endif

    // Tilt a normal by the slopes along two directions that lie in the surface.
    vec3 tilt(vec3 normal, vec2 slope, vec3 alongU, vec3 alongV) {
        return normalize(normal - slope.x * alongU - slope.y * alongV);
    }

    #ifdef STRANDS
    // Three strands laid around each other. u goes once around, v along, in the same measure.
    void strandsAt(vec2 place, out vec2 slope, out float tint) {
        float strand = 3.0 * place.x + 2.0 * place.y;
        float seen = 1.0 - smoothstep(0.25, 0.7, fwidth(3.0 * place.x) + fwidth(2.0 * place.y));
        float across = 2.0 * (fract(strand) - 0.5);
        float flank = across * (1.0 - smoothstep(0.8, 1.0, abs(across)));
        slope = seen * 1.3 * flank * vec2(-0.83, -0.55);
        float groove = smoothstep(0.35, 1.0, abs(across));
        tint = mix(0.85, 1.0 - 0.5 * groove, seen);
    }

    // Where u and v run, by what changes from pixel to pixel.
    void findDirections(vec3 position, vec2 uv, out vec3 alongU, out vec3 alongV) {
        vec3 px = dFdx(position), py = dFdy(position);
        vec2 ux = dFdx(uv), uy = dFdy(uv);
        float turn = ux.x * uy.y - ux.y * uy.x < 0.0 ? -1.0 : 1.0;
        alongU = turn * (px * uy.y - py * ux.y);
        alongV = turn * (py * ux.x - px * uy.x);
        alongU *= inversesqrt(max(dot(alongU, alongU), 1e-30));
        alongV *= inversesqrt(max(dot(alongV, alongV), 1e-30));
    }
    #endif
`;

export const FRAGMENT_COLOUR = /* glsl */ `
    #include <color_fragment>
    int side = gl_FrontFacing ? 0 : 1;
    vec2 slope = vec2(0.0);
    float onTop = 0.5; // whether it is the warp
    float light = 1.0;
    float fuzz = 0.0;
    #ifdef THREADS
        vec2 inTile = vPlace * tiles;
        vec2 dx = dFdx(inTile), dy = dFdy(inTile);
        float level = 0.6 + 0.5 * log2(max(0.5 * mapSize * mapSize * (dot(dx, dx) + dot(dy, dy)), 1e-9));
        vec4 texel = texture2D(threads, inTile, 0.6);
        vec4 loose = texture2D(uneven, inTile * 1.37);
        vec4 slow = texture2D(uneven, vPlace * 3.1);
        slope = relief * ${float(STEEPEST)} * (2.0 * texel.rg - 1.0);
        onTop = gl_FrontFacing ? texel.a : 1.0 - texel.a;
        light = mix(1.0, 2.0 * texel.b, shade);
        light *= 1.0 + dot(unevenness.xyz, 2.0 * slow.rgb - 1.0);
        fuzz = unevenness.w * (loose.a - 0.2);
    #endif
    vec3 warpColour = warpColours[side], weftColour = weftColours[side];
    #if defined(PRINT) && PRINT < 3
        warpColour = mix(warpColour, printColour, stripe(vPlace.y / printSize.x));
        weftColour = mix(weftColour, printColour,
            stripe(PRINT == 1 ? vPlace.y / printSize.x : vPlace.x / printSize.y));
    #endif
    vec3 yarn = mix(weftColour, warpColour, onTop);
    #if defined(PRINT) && PRINT == 3
        vec4 printed = texture2D(picture, vec2(-vPlace.y, vPlace.x) / printSize);
        // what is printed on one side hardly comes through
        yarn = mix(yarn, printed.rgb, (gl_FrontFacing ? 1.0 : 0.12) * printed.a);
    #endif
    yarn = mix(yarn, min(yarn * 1.35 + 0.02, 1.0), fuzz);
    #ifdef STRANDS
        strandsAt(vPlace, slope, light);
    #endif
    float layers = 1.0;
    #ifdef HEMS
        vec2 hem = hemsAt(vPlace);
        float pixel = 0.7 * length(vec4(dFdx(vPlace), dFdy(vPlace)));
        light *= hemShade(hem, pixel);
        layers += 2.0 * (1.0 - smoothstep(${float(FOLD)} - 0.0004, ${float(FOLD)} + 0.0004, hem.x));
        layers += 1.0 - smoothstep(0.006, 0.0068, hem.y);
    #endif
    diffuseColor.rgb *= yarn * light;
    #ifdef SHEER
        float facing = abs(dot(normalize(vNormal), normalize(vViewPosition)));
        diffuseColor.a *= 1.0 - pow(1.0 - coverAt(facing), layers);
    #endif
`;

// Slopes that are too small to be seen are roughness instead.
export const FRAGMENT_ROUGHNESS = /* glsl */ `
    #include <roughnessmap_fragment>
    #ifdef THREADS
        float far = pow4(roughnessFactor);
        float near = max(far - relief * relief * keptAt(level), 0.4 * far);
        roughnessFactor = sqrt(sqrt(near));
    #endif
`;

// At the rim of a fold the smooth normal may point away from the eye: there it is laid on its side,
// lest the rim be lit as if from within.
export const FRAGMENT_NORMAL = /* glsl */ `
    #include <normal_fragment_maps>
    vec3 towardsEye = normalize(vViewPosition);
    normal = normalize(normal - min(dot(normal, towardsEye) - 0.02, 0.0) * towardsEye);
    #if defined(STRANDS)
        vec3 alongU, alongV;
        findDirections(-vViewPosition, vPlace, alongU, alongV);
        normal = tilt(normal, slope, alongU, alongV);
    #elif defined(THREADS) || defined(USE_ANISOTROPY)
        vec3 alongWarp = vWarp.xyz - dot(vWarp.xyz, normal) * normal;
        alongWarp *= inversesqrt(max(dot(alongWarp, alongWarp), 1e-12));
        vec3 alongWeft = faceDirection * vWarp.w * cross(normal, alongWarp);
        normal = tilt(normal, slope, alongWarp, alongWeft);
    #endif
    #ifdef HEMS
        float height = hemHeight(hem, pixel);
        vec3 px = dFdx(-vViewPosition), py = dFdy(-vViewPosition);
        vec3 acrossX = cross(py, normal), acrossY = cross(normal, px);
        float area = dot(px, acrossX);
        vec3 climb = sign(area) * (dFdx(height) * acrossX + dFdy(height) * acrossY);
        normal = normalize(abs(area) * normal - climb);
    #endif
`;

// Fibres along the warp mirror like a comb: highlights are long across them.
export const FRAGMENT_MATERIAL = /* glsl */ `
    #include <lights_physical_fragment>
    #if defined(USE_ANISOTROPY) && !defined(STRANDS)
        material.anisotropyT = anisotropyVector.x > 0.0 ? alongWeft : alongWarp;
        material.anisotropyB = anisotropyVector.x > 0.0 ? alongWarp : alongWeft;
    #endif
`;

// Of the light all around, cloth lets through what falls on its other side.
export const FRAGMENT_AMBIENT = /* glsl */ `
    #include <lights_fragment_maps>
    #if defined(RE_IndirectDiffuse) && defined(USE_ENVMAP) && defined(ENVMAP_TYPE_PMREM)
        iblIrradiance = mix(iblIrradiance, getIBLIrradiance(-geometryNormal), 0.5 * seeThrough);
    #endif
`;

// Of cloth that one sees through, some of the light goes on: texels of the shadow's map are left
// out in a fixed order. Both sides take others, lest two layers be as pale as one.
export const SHADOW_HEAD = /* glsl */ `
    #include <common>
    uniform float cover;
    bool letsThrough() {
        vec2 cell = mod(floor(gl_FragCoord.xy), 4.0);
        vec2 coarse = mod(cell, 2.0), fine = floor(cell / 2.0);
        float order = 4.0 * (2.0 * abs(coarse.x - coarse.y) + coarse.y) +
                      2.0 * abs(fine.x - fine.y) + fine.y;
        if (!gl_FrontFacing) order = 15.0 - order;
        return (order + 0.5) / 16.0 > cover;
    }
`;
