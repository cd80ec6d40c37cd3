// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The studio around the cloth: walls that shade from floor to ceiling, and softboxes, as a
// photographer would put them. It is a function of the direction one looks in, and is told twice:
// as a picture of all around, which surfaces mirror and are lit by, and as nine numbers per colour,
// which light them alone and cost next to nothing.

import * as THREE from "three";
import type { Theme } from "../../layout";

/** A lamp behind a rectangle of cloth. */
interface Softbox {
    towards: [number, number, number];
    /** Half of its width and height, where it is at a distance of 1. */
    size: [number, number];
    /** Radiance. */
    light: number;
    colour: string;
}

interface Walls {
    floor: string;
    middle: string;
    ceiling: string;
    light: [floor: number, middle: number, ceiling: number];
}

interface Studio {
    walls: Walls;
    softboxes: Softbox[];
    /** What a white ball has of it on average: 1 would be white. */
    level: number;
}

const KEY: Softbox = { towards: [-0.72, 1, 0.5], size: [0.6, 0.45], light: 5, colour: "#fff3e2" };
// upright strips, which stand in the flanks of folds that hang
const FILL: Softbox = { towards: [-1, 0.2, 0.3], size: [0.16, 1], light: 6, colour: "#f4f6ff" };
const FRONT: Softbox = { towards: [0.8, 0.25, 0.85], size: [0.13, 1], light: 7, colour: "#ffffff" };
const RIM: Softbox = { towards: [0.9, 0.35, -0.75], size: [0.22, 1], light: 5, colour: "#e6efff" };
const BACK: Softbox = { towards: [-0.8, 0.4, -0.9], size: [0.2, 0.8], light: 3, colour: "#eef3ff" };

const STUDIOS: Record<Theme, Studio> = {
    light: {
        walls: {
            floor: "#e8e4de",
            middle: "#dfe4ec",
            ceiling: "#f2f5fa",
            light: [0.26, 0.32, 0.6],
        },
        softboxes: [KEY, FILL, FRONT, RIM, BACK],
        level: 0.44,
    },
    dark: {
        walls: {
            floor: "#8d8680",
            middle: "#5d6878",
            ceiling: "#8b97a8",
            light: [0.3, 0.35, 0.5],
        },
        softboxes: [
            KEY,
            { ...FILL, light: 4 },
            { ...FRONT, light: 4.5 },
            { ...RIM, light: 7 },
            { ...BACK, light: 5 },
        ],
        level: 0.26,
    },
};

/** For three's CustomToneMapping: colours stay as given up to KNEE; what is brighter bends towards
 *  white instead of being cut off. */
const TONE_GLSL = /* glsl */ `
vec3 CustomToneMapping(vec3 color) {
    const float KNEE = 0.72;
    color *= toneMappingExposure;
    float peak = max(color.r, max(color.g, color.b));
    if (peak <= KNEE) return color;
    float range = 1.0 - KNEE;
    float bent = 1.0 - range * range / (peak - KNEE + range);
    float white = 1.0 - 1.0 / (0.15 * (peak - bent) + 1.0);
    return mix(color * bent / peak, vec3(bent), white);
}
`;

/** Before anything is drawn. */
export function useTones(renderer: THREE.WebGLRenderer): void {
    const chunks = THREE.ShaderChunk as Record<string, string>;
    chunks.tonemapping_pars_fragment = chunks.tonemapping_pars_fragment!.replace(
        /vec3 CustomToneMapping\( vec3 color \) \{[^}]*\}/,
        TONE_GLSL,
    );
    renderer.toneMapping = THREE.CustomToneMapping;
}

const WIDTH = 256; // of the picture of all around, in texels; twice its height
const EDGE = 0.25; // of a softbox's half size: over so much of it the light falls off

function smoothstep(low: number, high: number, x: number): number {
    const t = Math.min(Math.max((x - low) / (high - low), 0), 1);
    return t * t * (3 - 2 * t);
}

interface Box {
    axes: THREE.Matrix3;
    size: [number, number];
    colour: THREE.Color;
}

// The axes of a softbox: to its side, up, and towards it.
function placeBox({ towards, size, light, colour }: Softbox): Box {
    const z = new THREE.Vector3(...towards).normalize();
    const x = new THREE.Vector3(0, 1, 0).cross(z).normalize();
    const y = z.clone().cross(x);
    const axes = new THREE.Matrix3(x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z);
    return { axes, size, colour: new THREE.Color(colour).multiplyScalar(light) };
}

// How much of a softbox's light comes from a direction.
function boxCover({ axes, size }: Box, direction: THREE.Vector3, at: THREE.Vector3): number {
    at.copy(direction).applyMatrix3(axes);
    if (at.z <= 0) return 0;
    const across = Math.abs(at.x) / at.z / size[0],
        along = Math.abs(at.y) / at.z / size[1];
    const dim = (place: number) => 1 - smoothstep(1 - EDGE, 1 + EDGE, place);
    return dim(across) * dim(along);
}

/** The light from all around, linear: rows from the floor up, three numbers per texel; scaled so
 *  that a white ball has `level` of it. */
export function paintStudio(theme: Theme, width = WIDTH): Float32Array {
    const { walls, softboxes, level } = STUDIOS[theme];
    const boxes = softboxes.map(placeBox);
    const tones = [walls.floor, walls.middle, walls.ceiling].map((tone, i) =>
        new THREE.Color(tone).multiplyScalar(walls.light[i]!),
    );
    const direction = new THREE.Vector3(),
        at = new THREE.Vector3(),
        sum = new THREE.Color();
    const texels = new Float32Array((3 * width * width) / 2);
    eachDirection(width, direction, (i) => {
        const up = direction.y;
        sum.lerpColors(tones[1]!, tones[up < 0 ? 0 : 2]!, smoothstep(0, 1, Math.abs(up)));
        for (const box of boxes) {
            const cover = boxCover(box, direction, at);
            sum.r += cover * box.colour.r;
            sum.g += cover * box.colour.g;
            sum.b += cover * box.colour.b;
        }
        sum.toArray(texels, 3 * i);
    });
    const factor = level / averageLight(texels, width);
    return texels.map((value) => factor * value);
}

/** Calls it for each texel of a picture of all around, with the direction and its solid angle. */
function eachDirection(
    width: number,
    direction: THREE.Vector3,
    use: (texel: number, solidAngle: number) => void,
): void {
    const height = width / 2;
    for (let y = 0, i = 0; y < height; y++) {
        const polar = Math.PI * (1 - (y + 0.5) / height);
        const solidAngle = (2 * Math.PI ** 2 * Math.sin(polar)) / (width * height);
        for (let x = 0; x < width; x++, i++) {
            // as three looks into such pictures
            const angle = 2 * Math.PI * ((x + 0.5) / width - 0.5);
            const flat = Math.sin(polar);
            direction.set(Math.cos(angle) * flat, Math.cos(polar), Math.sin(angle) * flat);
            use(i, solidAngle);
        }
    }
}

function averageLight(texels: Float32Array, width: number): number {
    let sum = 0;
    eachDirection(width, new THREE.Vector3(), (i, solidAngle) => {
        sum += (solidAngle * (texels[3 * i]! + texels[3 * i + 1]! + texels[3 * i + 2]!)) / 3;
    });
    return sum / (4 * Math.PI);
}

/** As spherical harmonics. */
export function studioHarmonics(theme: Theme): THREE.SphericalHarmonics3 {
    const width = 64; // what is smooth needs no more
    const texels = paintStudio(theme, width);
    const harmonics = new THREE.SphericalHarmonics3();
    const direction = new THREE.Vector3(),
        colour = new THREE.Vector3();
    const basis: number[] = new Array<number>(9).fill(0);
    eachDirection(width, direction, (i, solidAngle) => {
        THREE.SphericalHarmonics3.getBasisAt(direction, basis);
        colour.fromArray(texels, 3 * i);
        harmonics.coefficients.forEach((sum, k) =>
            sum.addScaledVector(colour, basis[k]! * solidAngle),
        );
    });
    return harmonics;
}

function studioPicture(theme: Theme): THREE.DataTexture {
    const light = paintStudio(theme);
    const texels = new Uint16Array((4 * light.length) / 3);
    for (let i = 0; i < light.length / 3; i++) {
        for (let k = 0; k < 3; k++)
            texels[4 * i + k] = THREE.DataUtils.toHalfFloat(light[3 * i + k]!);
        texels[4 * i + 3] = THREE.DataUtils.toHalfFloat(1);
    }
    const picture = new THREE.DataTexture(
        texels,
        WIDTH,
        WIDTH / 2,
        THREE.RGBAFormat,
        THREE.HalfFloatType,
    );
    picture.mapping = THREE.EquirectangularReflectionMapping;
    picture.magFilter = picture.minFilter = THREE.LinearFilter;
    picture.needsUpdate = true;
    return picture;
}

/** Pictures of the studio as surfaces of any roughness mirror it, made when first asked for. */
export class StudioPictures {
    private readonly made = new Map<Theme, THREE.WebGLRenderTarget>();

    constructor(private readonly renderer: THREE.WebGLRenderer) {}

    of(theme: Theme): THREE.Texture {
        const known = this.made.get(theme);
        if (known) return known.texture;
        const generator = new THREE.PMREMGenerator(this.renderer);
        const picture = studioPicture(theme);
        const target = generator.fromEquirectangular(picture);
        picture.dispose();
        generator.dispose();
        this.made.set(theme, target);
        return target.texture;
    }

    /** With the context they are in; later they are made anew. */
    dispose(): void {
        for (const target of this.made.values()) target.dispose();
        this.made.clear();
    }
}
