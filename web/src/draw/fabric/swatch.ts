// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Small pictures of fabrics for lists: a piece of cloth in folds, by the same material and light as
// on the stage, drawn beside it.

import * as THREE from "three";
import type { Look } from "../../look";
import type { Theme } from "../../layout";
import { Fabric } from "./fabric";
import { Lighting } from "../light/light";
import { useTones } from "../light/studio";
import { Warps } from "./warps";

const SIZE = 192; // pixels, for 96 of a screen that has two per pixel
const WIDE = 0.075; // metres of cloth that are seen
const CELLS = 56;
const IDLE = 2000; // ms after which the drawing context is given back

// Folds that lean to the right, a deep one beside two shallow ones.
function depthOfFold(x: number, y: number): number {
    const across = (2 * Math.PI * (x - 0.45 * y)) / WIDE;
    const deep = 0.0078 * Math.cos(across + 0.5 * Math.sin(across));
    return deep + 0.0024 * Math.cos(2.2 * across + (40 * y) / WIDE / 6);
}

function makeFolds(): THREE.BufferGeometry {
    const plane = new THREE.PlaneGeometry(1.5 * WIDE, 1.5 * WIDE, CELLS, CELLS);
    const position = plane.getAttribute("position") as THREE.BufferAttribute;
    const uv = new Float32Array(2 * position.count);
    for (let i = 0; i < position.count; i++) {
        const x = position.getX(i),
            y = position.getY(i);
        uv.set([y, -x], 2 * i); // the warp hangs
        position.setZ(i, depthOfFold(x, y));
    }
    plane.computeVertexNormals();
    const triangles = Uint32Array.from(plane.getIndex()!.array);
    const warps = new Warps({ triangles, uv, copied: new Uint32Array() }, position.count);
    warps.update(position.array as Float32Array);
    plane.setAttribute("warp", warps.attribute);
    plane.setAttribute("uv", new THREE.BufferAttribute(uv, 2));
    const white = new Float32Array(3 * position.count).fill(1);
    plane.setAttribute("color", new THREE.BufferAttribute(white, 3));
    return plane;
}

class SwatchStage {
    private readonly renderer: THREE.WebGLRenderer;
    private readonly scene = new THREE.Scene();
    private readonly camera = new THREE.PerspectiveCamera(24, 1, 0.01, 1);
    private readonly lighting: Lighting;
    private readonly folds = makeFolds();
    private readonly fabric = new Fabric(THREE.DoubleSide);

    constructor() {
        this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
        this.renderer.debug.checkShaderErrors = import.meta.env.DEV;
        useTones(this.renderer);
        this.renderer.setSize(SIZE, SIZE, false);
        this.lighting = new Lighting(this.renderer, this.scene);
        this.lighting.fit(new THREE.Vector3(), WIDE);
        this.camera.position.z = WIDE / 2 / Math.tan(THREE.MathUtils.degToRad(12));
        this.scene.add(this.lighting.object, new THREE.Mesh(this.folds, this.fabric));
    }

    draw(look: Look, theme: Theme): HTMLCanvasElement {
        this.lighting.setTheme(theme);
        this.fabric.wear(look, null);
        this.renderer.render(this.scene, this.camera);
        return copyOf(this.renderer.domElement);
    }

    dispose(): void {
        this.folds.dispose();
        this.fabric.dispose();
        this.lighting.dispose();
        this.renderer.dispose();
        this.renderer.forceContextLoss();
    }
}

function copyOf(picture: HTMLCanvasElement): HTMLCanvasElement {
    const copy = document.createElement("canvas");
    copy.width = copy.height = SIZE;
    copy.getContext("2d")!.drawImage(picture, 0, 0);
    return copy;
}

const drawn = new Map<string, Promise<HTMLCanvasElement>>();
let stage: SwatchStage | null = null;
let waiting = 0;
let before: Promise<unknown> = Promise.resolve();

function giveBack(): void {
    if (waiting > 0) return;
    stage?.dispose();
    stage = null;
}

// One after the other, and what the page has to do in between.
function drawInTurn(look: Look, theme: Theme): Promise<HTMLCanvasElement> {
    waiting++;
    const picture = before.then(async () => {
        await new Promise((resolve) => setTimeout(resolve));
        try {
            stage ??= new SwatchStage();
            return stage.draw(look, theme);
        } finally {
            waiting--;
            if (waiting === 0) setTimeout(giveBack, IDLE);
        }
    });
    before = picture.catch(() => {});
    return picture;
}

/** A picture of a fabric, 192 pixels square, a canvas of its own for each who asks; what one sees
 *  through shows what lies below it. Fails where the browser gives no drawing context. */
export async function drawSwatch(look: Look, theme: Theme = "light"): Promise<HTMLCanvasElement> {
    const key = theme + JSON.stringify(look);
    let picture = drawn.get(key);
    if (!picture) {
        picture = drawInTurn(look, theme);
        drawn.set(key, picture);
        picture.catch(() => drawn.delete(key));
    }
    return copyOf(await picture);
}
