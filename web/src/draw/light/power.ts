// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How much drawing the machine can do. Where there is no graphics processor, or a weak one, cloth
// that moves is worth more than fine shadows.

import { Ladder, Pace, STRONG_RUNGS, WEAK_RUNGS, WEAK_START } from "./ladder";

/** What is drawn, and how. What rungs of the ladder name changes as it has it (ladder.ts); all else
 *  is decided once, at the start. */
export interface Power {
    antialias: boolean;
    /** Texels along a side of the shadow's map. */
    shadowSize: number;
    /** Whether cloth and bodies throw shadows on each other, where there are looks. */
    shadows: boolean;
    /** Looks into that map per pixel. Cloth in a coarse map would be speckled by its own shadow: 0
     *  for none. */
    clothTaps: number;
    /** Texels along a side of the picture of the shadow on the floor. */
    footprint: number;
    /** Where things lie close to each other: pixels of its picture per pixel, 0 for none. */
    occlusion: number;
    /** Whether surfaces mirror the studio, or are lit by it alone. */
    environment: boolean;
    /** The soft gleam of fibres, at grazing angles. */
    sheen: boolean;
    /** Whether what has few triangles is drawn with more, and how many of cloth and of bodies. */
    round: boolean;
    clothTriangles: number;
    bodyTriangles: number;
    /** Threads and what is uneven, by maps. */
    threads: boolean;
    /** Texels along a side of the map of a weave. */
    threadTexels: number;
    /** At most so many looks into a map that is seen at a slant. Some software takes one for each of its
     *  texels then, which are endless where it is seen from the edge. */
    slantTaps: number;
    /** Gleams that are long across threads. */
    anisotropy: boolean;
    /** Seeing through cloth that is thin. */
    translucency: boolean;
    /** Rims and hems along borders. */
    thickness: boolean;
    /** Pixels per pixel of the screen. */
    sharpness: number;
}

export const STRONG: Power = {
    antialias: true,
    shadowSize: 2048,
    shadows: true,
    clothTaps: 14,
    footprint: 512,
    occlusion: 1,
    environment: true,
    sheen: true,
    round: true,
    clothTriangles: 120000,
    bodyTriangles: 120000,
    threads: true,
    threadTexels: 512,
    slantTaps: 8,
    anisotropy: true,
    translucency: true,
    thickness: true,
    sharpness: 1,
};
export const WEAK: Power = {
    antialias: false,
    shadowSize: 512,
    shadows: false,
    clothTaps: 0,
    footprint: 96,
    occlusion: 0,
    environment: false,
    sheen: false,
    round: true,
    clothTriangles: 16000,
    bodyTriangles: 4000,
    threads: true,
    threadTexels: 256,
    slantTaps: 1,
    anisotropy: false,
    translucency: true,
    thickness: false,
    sharpness: 1,
};

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

let ladder = new Ladder(STRONG, STRONG_RUNGS, 0);
let software = false;

/** As findPower found it, less what was given up since. */
export function power(): Power {
    return ladder.power;
}

/** For the stage, which tells it how long frames take. */
export function makePace(fine: boolean): Pace {
    return new Pace(ladder, fine);
}

/** Whether there is no graphics processor: steps and pictures share the cores. */
export function drawsInSoftware(): boolean {
    return software;
}

/** Asks a small context for the name of its renderer. Returns null, or where there is no WebGL 2 what
 *  the browser says about that. `fine`: as strong as any. */
export function findPower(fine: boolean): string | null {
    const canvas = document.createElement("canvas");
    let reason = "";
    canvas.addEventListener("webglcontextcreationerror", (event) => {
        reason = (event as WebGLContextEvent).statusMessage;
    });
    const context = canvas.getContext("webgl2");
    if (!context) return reason;
    const name = context.getExtension("WEBGL_debug_renderer_info");
    const renderer = String(
        context.getParameter(name ? name.UNMASKED_RENDERER_WEBGL : context.RENDERER),
    );
    context.getExtension("WEBGL_lose_context")?.loseContext();
    software = SOFTWARE.test(renderer);
    const weak = software && !fine;
    ladder = weak ? new Ladder(WEAK, WEAK_RUNGS, WEAK_START) : new Ladder(STRONG, STRONG_RUNGS, 0);
    return null;
}
