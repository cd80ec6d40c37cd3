// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How cloth and ropes take light: three's physical material with sheen and anisotropy, and what
// cloth needs besides. Threads make the surface uneven; light shines through a little, or much;
// both sides are lit and shadowed alike, and each has its own colours; borders have hems.

import * as THREE from "three";
import { type Look, prints, type Weave } from "../../look";
import * as glsl from "./fabric-glsl";
import type { HemMap } from "./hem-map";
import { takeOcclusion } from "../light/occlusion";
import { pictureOf } from "../pictures";
import { power } from "../light/power";
import { LEVELS, threadMap, unevenMap } from "./thread-maps";
import { THREADS } from "./weaves";

const PLASTIC = 1.5; // index of refraction of what mirrors
const FLOAT_GLOSS = 1.9; // more of it for fibres side by side, which mirror inside too
const RELIEF = 1.4; // of a look whose relief is 1, times the slopes of the map
const DARKEST = 0.3; // of a side's colour: as dark a yarn of it may be
const WHOLE = 0.95; // cover of cloth that nobody sees through
const LAYER_DEPTH = 0.002; // metres from one layer to the next

/** What weaves have of streaks along warp and weft, of clouds, and of loose fibres. */
const UNEVEN: Record<Weave, [number, number, number, number]> = {
    plain: [0.1, 0.1, 0.05, 0.35],
    twill: [0.26, 0.07, 0.08, 0.35],
    satin: [0.03, 0.02, 0.015, 0],
    knit: [0.07, 0.02, 0.06, 0.4],
    pile: [0.02, 0.02, 0.2, 0.3],
    ripstop: [0.02, 0.02, 0.02, 0],
};

/** Of the warp on the right side of a weave whose two sides differ; 0.5 for the others. */
function warpShare(weave: Weave): number {
    return weave === "twill" ? 0.75 : weave === "satin" ? 0.875 : 0.5;
}

export interface YarnColours {
    /** From the front, and from behind. */
    warp: [THREE.Color, THREE.Color];
    weft: [THREE.Color, THREE.Color];
}

/** Of a side that shows `share` of the yarn on top, the colours of that yarn and of the other, so
 *  that the side has its colour from afar. `wanted`: of the other yarn, as far as there is room. */
function splitColour(side: THREE.Color, share: number, wanted: THREE.Color): THREE.Color[] {
    const own = side.toArray(),
        other = wanted.toArray();
    const room = own.map((x, k) => {
        const change = ((1 - share) / share) * (other[k]! - x);
        const limit = change > 0 ? (1 - DARKEST) * x : x - 1;
        return change === 0 ? 1 : limit / change;
    });
    const part = Math.min(1, ...room);
    const shown = side.clone().lerp(wanted, part);
    const top = side.clone().lerp(shown, (share - 1) / share);
    return [top, shown];
}

/** Colours of yarns, so that both sides from afar have the colours of the look. Where one side
 *  shows more of the warp, the yarns differ: what shows on the wrong side of denim is white. */
export function findYarns({ colour, reverse, weave }: Look): YarnColours {
    const front = new THREE.Color(colour),
        back = new THREE.Color(reverse);
    const share = warpShare(weave);
    if (share === 0.5) return { warp: [front, back], weft: [front, back] };
    // front = share warp + (1 - share) weft; back the other way round
    const unmixed = (1 - share) / (1 - 2 * share);
    const warp = clampColour(front.clone().lerp(back, unmixed)),
        weft = clampColour(back.clone().lerp(front, unmixed));
    const [warpFront, weftFront] = splitColour(front, share, weft);
    const [weftBack, warpBack] = splitColour(back, share, warp);
    return { warp: [warpFront!, warpBack!], weft: [weftFront!, weftBack!] };
}

function clampColour(colour: THREE.Color): THREE.Color {
    const [r, g, b] = colour.toArray().map((x) => Math.min(Math.max(x, 0), 1));
    return colour.setRGB(r!, g!, b!, THREE.LinearSRGBColorSpace);
}

/** The material of cloth and ropes. Vertex colours multiply the colours: white for none. */
export class Fabric extends THREE.MeshPhysicalMaterial {
    private readonly own = {
        warpColours: { value: [new THREE.Color(), new THREE.Color()] },
        weftColours: { value: [new THREE.Color(), new THREE.Color()] },
        seeThrough: { value: 0 },
        threads: { value: null as THREE.Texture | null },
        uneven: { value: null as THREE.Texture | null },
        tiles: { value: 1 },
        mapSize: { value: 1 },
        relief: { value: 0 },
        shade: { value: 1 },
        kept: { value: new Float32Array(LEVELS) as Float32Array },
        unevenness: { value: new THREE.Vector4() },
        cover: { value: 1 },
        threadsPerMetre: { value: 1 },
        printColour: { value: new THREE.Color() },
        printSize: { value: new THREE.Vector2(1, 1) },
        picture: { value: null as THREE.Texture | null },
        hems: { value: null as THREE.Texture | null },
        hemBox: { value: new THREE.Vector4() },
        layerDepth: { value: LAYER_DEPTH },
    };
    /** Draws what the light does not get through; for shadows. */
    readonly shadow: THREE.MeshDepthMaterial | null;

    constructor(side: THREE.Side, strands = false) {
        super({
            side,
            vertexColors: true,
            forceSinglePass: true,
            dithering: true,
            // for the lines of a mesh, which are to be in front
            polygonOffsetFactor: 1,
            polygonOffsetUnits: 1,
        });
        this.defines = { ...this.defines, SHADOW_TAPS: String(Math.max(1, power().clothTaps)) };
        if (strands) this.defines.STRANDS = "";
        this.onBeforeCompile = (shader) => this.extend(shader);
        this.shadow = strands ? null : this.makeShadow();
    }

    /** Whether what is worn over something else is kept over it; lines that lie in the cloth want all of it
     *  where it is. */
    setLayered(on: boolean): void {
        this.own.layerDepth.value = on ? LAYER_DEPTH : 0;
    }

    /** Whether one sees through it, so that what lies behind is to be drawn first. */
    get isSheer(): boolean {
        return this.defines?.SHEER !== undefined;
    }

    private extend(shader: THREE.WebGLProgramParametersWithUniforms): void {
        Object.assign(shader.uniforms, this.own);
        takeOcclusion(shader);
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", `#include <common>${glsl.VERTEX_HEAD}`)
            .replace("#include <project_vertex>", glsl.VERTEX_PROJECT)
            .replace("#include <shadowmap_vertex>", glsl.VERTEX_SHADOW);
        shader.fragmentShader = shader.fragmentShader
            .replace("#include <shadowmap_pars_fragment>", glsl.FRAGMENT_HEAD)
            .replace("#include <color_fragment>", glsl.FRAGMENT_COLOUR)
            .replace("#include <roughnessmap_fragment>", glsl.FRAGMENT_ROUGHNESS)
            .replace("#include <normal_fragment_maps>", glsl.FRAGMENT_NORMAL)
            .replace("#include <lights_physical_fragment>", glsl.FRAGMENT_MATERIAL)
            .replace("#include <lights_fragment_maps>", glsl.FRAGMENT_AMBIENT);
    }

    private makeShadow(): THREE.MeshDepthMaterial {
        const material = new THREE.MeshDepthMaterial({ side: THREE.DoubleSide });
        material.onBeforeCompile = (shader) => {
            shader.uniforms.cover = this.own.cover;
            shader.fragmentShader = shader.fragmentShader
                .replace("#include <common>", glsl.SHADOW_HEAD)
                .replace("void main() {", "void main() { if (letsThrough()) discard;");
        };
        return material;
    }

    /** Threads, colours and all. `hems`: null for none. */
    wear(look: Look, hems: HemMap | null): void {
        const can = power();
        this.takeLobes(look);
        this.takeColours(look);
        this.takePrint(look);
        if (can.threads && look.thread > 0) this.takeThreads(look);
        const sheer = can.translucency && look.opacity < WHOLE;
        this.own.cover.value = sheer ? Math.max(look.opacity, 0.02) : 1;
        this.own.threadsPerMetre.value = 1 / Math.max(look.thread, 1e-5);
        this.own.hems.value = hems?.texture ?? null;
        if (hems) this.own.hemBox.value.copy(hems.box);
        this.transparent = sheer;
        this.depthWrite = !sheer;
        this.define({
            THREADS: can.threads && look.thread > 0 ? "" : undefined,
            SHEER: sheer ? "" : undefined,
            PRINT: this.printDefine(look),
            HEMS: hems ? "" : undefined,
        });
    }

    /** A look without threads, print and hems, that one does not see through. */
    wearPlain(look: Look): void {
        this.takeLobes(look);
        this.takeColours(look);
        this.own.cover.value = 1;
        this.transparent = false;
        this.depthWrite = true;
        this.define({});
    }

    /** White, for vertex colours that stand for values: nothing else may colour it. */
    wearValues(): void {
        this.takeLobes({
            roughness: 0.85,
            specular: 0.25,
            sheen: 0,
            anisotropy: 0,
            translucency: 0.3,
        });
        for (const side of [0, 1] as const) {
            this.own.warpColours.value[side]!.set("#ffffff");
            this.own.weftColours.value[side]!.set("#ffffff");
        }
        this.own.cover.value = 1;
        this.transparent = false;
        this.depthWrite = true;
        this.define({}, false);
    }

    override dispose(): void {
        this.shadow?.dispose();
        super.dispose();
    }

    // Programs are made anew only where they differ. The colours of a scale stay those of its legend.
    private define(wanted: Record<string, string | undefined>, toneMapped = true): void {
        if (this.toneMapped !== toneMapped) this.needsUpdate = true;
        this.toneMapped = toneMapped;
        const defines = this.defines as Record<string, string>;
        for (const name of ["THREADS", "SHEER", "PRINT", "HEMS"]) {
            if (defines[name] === wanted[name]) continue;
            this.needsUpdate = true;
            if (wanted[name] === undefined) delete defines[name];
            else defines[name] = wanted[name];
        }
    }

    private takeLobes(
        look: Pick<Look, "roughness" | "specular" | "sheen" | "anisotropy" | "translucency"> &
            Partial<Look>,
    ): void {
        const can = power();
        this.roughness = look.roughness;
        this.specularIntensity = look.specular;
        this.ior = PLASTIC + FLOAT_GLOSS * Math.abs(look.anisotropy);
        this.sheen = can.sheen ? look.sheen : 0;
        this.sheenColor.set(look.sheen_colour ?? "#ffffff");
        this.sheenRoughness = look.sheen_roughness ?? 0.5;
        this.anisotropy = can.anisotropy ? Math.abs(look.anisotropy) : 0;
        this.anisotropyRotation = look.anisotropy < 0 ? Math.PI : 0;
        this.own.seeThrough.value = look.translucency;
    }

    private takeColours(look: Look): void {
        const { warp, weft } = findYarns(look);
        for (const side of [0, 1] as const) {
            this.own.warpColours.value[side]!.copy(warp[side]);
            this.own.weftColours.value[side]!.copy(weft[side]);
        }
    }

    private takeThreads(look: Look): void {
        const { own } = this;
        const map = threadMap(look.weave);
        own.threads.value = map.texture;
        own.uneven.value = unevenMap();
        own.tiles.value = 1 / (THREADS * look.thread);
        own.mapSize.value = map.size;
        own.relief.value = RELIEF * look.relief;
        own.shade.value = Math.min(1, 0.35 + look.relief);
        own.kept.value = map.kept;
        own.unevenness.value.fromArray(UNEVEN[look.weave]);
    }

    private printDefine({ print }: Look): string | undefined {
        const kind = prints.indexOf(print.kind);
        const missing = print.kind === "picture" && !pictureOf(print.file);
        return kind <= 0 || missing || !(print.size > 0) ? undefined : String(kind);
    }

    private takePrint({ print }: Look): void {
        this.own.printColour.value.set(print.colour);
        const texture = print.kind === "picture" ? pictureOf(print.file) : null;
        this.own.picture.value = texture;
        const image = texture?.image as ImageBitmap | undefined;
        const form = image ? image.height / image.width : 1;
        this.own.printSize.value.set(print.size, print.size * form);
    }
}
