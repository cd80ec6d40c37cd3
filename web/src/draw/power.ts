// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How much drawing the machine can do. Where there is no graphics processor, or a weak one, cloth
// that moves is worth more than fine shadows.

/** What is decided once, at the start. */
export interface Power {
    antialias: boolean;
    /** Texels along a side of the shadow's map. */
    shadowSize: number;
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
    /** Gleams that are long across threads. */
    anisotropy: boolean;
    /** Seeing through cloth that is thin. */
    translucency: boolean;
    /** Rims and hems along borders. */
    thickness: boolean;
    /** Pixels per pixel of the screen, at the start. */
    sharpness: number;
}

const STRONG: Power = {
    antialias: true,
    shadowSize: 2048,
    clothTaps: 8,
    footprint: 512,
    occlusion: 1,
    environment: true,
    sheen: true,
    round: true,
    clothTriangles: 120000,
    bodyTriangles: 120000,
    threads: true,
    anisotropy: true,
    translucency: true,
    thickness: true,
    sharpness: 1,
};
const WEAK: Power = {
    antialias: false,
    shadowSize: 512,
    clothTaps: 0,
    footprint: 96,
    occlusion: 0,
    environment: false,
    sheen: false,
    round: true,
    clothTriangles: 16000,
    bodyTriangles: 4000,
    threads: true,
    anisotropy: false,
    translucency: true,
    thickness: false,
    sharpness: 0.7,
};

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

let chosen = STRONG;

/** As findPower found it. */
export function power(): Power {
    return chosen;
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
    chosen = SOFTWARE.test(renderer) && !fine ? WEAK : STRONG;
    return null;
}

const SLOW = 45; // ms between drawn frames
const FAST = 22;
const LEAST = 0.5;
const PATIENCE = 8; // frames in a row

/** Sharpness that gives way where frames take too long, and comes back where they do not. */
export class Pace {
    private slow = 0;
    private fast = 0;
    private last = 0;
    /** Where it was too much before, it is not tried again. */
    private most = 1;

    constructor(
        public sharpness: number,
        private readonly fixed: boolean,
    ) {}

    /** Call it with every frame that is drawn; `busy`: one was drawn the time before, too. */
    frame(now: number, busy: boolean): void {
        const took = now - this.last;
        this.last = now;
        if (!busy || this.fixed) return;
        this.slow = took > SLOW ? this.slow + 1 : 0;
        this.fast = took < FAST ? this.fast + 1 : 0;
        if (this.slow >= PATIENCE && this.sharpness > LEAST) this.change(0.85, true);
        if (this.fast >= 10 * PATIENCE && this.sharpness < this.most) this.change(1.15, false);
    }

    private change(factor: number, tooMuch: boolean): void {
        if (tooMuch) this.most = Math.min(this.most, 0.95 * this.sharpness);
        this.sharpness = Math.min(Math.max(LEAST, this.sharpness * factor), this.most);
        this.slow = this.fast = 0;
    }
}
