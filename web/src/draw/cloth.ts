// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One cloth as it is drawn: its surface in pieces, one for each look, its ropes, the lines of its mesh, the dots on its pins, and
// the bodies that it touches. Those of the cloth read the same buffers, which frames overwrite in
// place.

import * as THREE from "three";
import { BodyView, surroundingsOf } from "./bodies";
import { type ColourScale, fillColours } from "./colour";
import { MeshLines } from "./mesh-lines";
import { Outline } from "./outline";
import { PinDots } from "./pins";
import { power } from "./light/power";
import { hemThickness } from "./fabric/rim";
import { RopeView } from "./rope";
import { DEFAULT_LOOK, type Look, recoloured } from "../look";
import { findEdges, type BodyShape, type Frame, type Shape } from "../shape";
import { ClothSurface } from "./surface";

export type Surface = "fabric" | "smooth" | "wireframe";

/** How all cloth is shown, whatever it is made of. */
export interface Style {
    surface: Surface;
    /** Instead of what looks say; null for theirs. */
    colour: string | null;
}

const LAYERS = ["#39506b", "#8a8f98", "#c8a15a"]; // of garments over the first, where none has a look
const MOST_TINT = 40; // where the colour itself has none of a tone
const FAINT = 0.3; // opacity of the surface between the lines of the mesh

// As Box3.setFromArray does it, several times as fast: this runs in every frame.
function measureBox(positions: Float32Array, box: THREE.Box3): void {
    let x0 = Infinity,
        y0 = Infinity,
        z0 = Infinity;
    let x1 = -Infinity,
        y1 = -Infinity,
        z1 = -Infinity;
    for (let i = 0; i < positions.length; i += 3) {
        const x = positions[i]!,
            y = positions[i + 1]!,
            z = positions[i + 2]!;
        if (x < x0) x0 = x;
        if (x > x1) x1 = x;
        if (y < y0) y0 = y;
        if (y > y1) y1 = y;
        if (z < z0) z0 = z;
        if (z > z1) z1 = z;
    }
    box.min.set(x0, y0, z0);
    box.max.set(x1, y1, z1);
}

export class ClothView {
    readonly object: THREE.Object3D = new THREE.Group();
    readonly shape: Shape;
    /** Of the last frame; for picking. */
    readonly positions: Float32Array;
    /** Around the last frame. */
    readonly box = new THREE.Box3();
    /** Goes up with each change that shows. */
    version = 0;
    private readonly surface: ClothSurface;
    /** Whether it may be drawn rounder than it is. */
    private mayRound = true;
    /** What the cloth touches; null for nothing. */
    readonly bodies: BodyView | null;
    private readonly ropes: RopeView | null;
    private readonly pins: PinDots;
    private lines: MeshLines | null = null;
    private outline: Outline | null = null;
    private style: Style;
    private looks: readonly Look[];
    private hasField = false;

    /** `looks`: by the numbers that triangles have; empty where nobody knows. */
    constructor(shape: Shape, style: Style, looks: readonly Look[] = []) {
        this.shape = shape;
        this.style = { ...style };
        this.looks = looks;
        this.surface = new ClothSurface(shape);
        const { position } = this.surface;
        this.positions = (position.array as Float32Array).subarray(0, 3 * shape.vertexCount);
        this.ropes = shape.lines.length > 0 ? new RopeView(shape.lines, shape.vertexCount) : null;
        this.pins = new PinDots(position);
        this.object.add(this.surface.object, this.pins.object);
        if (this.ropes) this.object.add(this.ropes.object);
        const touched = (shape.bodies?.triangles.length ?? 0) > 0;
        this.bodies = touched ? new BodyView(shape.bodies!) : null;
        if (this.bodies) this.object.add(this.bodies.object);
        this.applyLook();
    }

    update(frame: Frame): void {
        this.applyShown();
        this.surface.update(frame.positions, frame.normals);
        measureBox(this.positions, this.box);
        this.ropes?.update(this.positions);
        if (frame.bodies) this.bodies?.update(frame.bodies);
        this.version++;
    }

    setStyle(style: Style): void {
        this.style = { ...style };
        this.applyLook();
    }

    /** What triangles are made of, by their numbers. */
    setLooks(looks: readonly Look[]): void {
        this.looks = looks;
        this.applyLook();
    }

    /** Colours for one number per vertex instead of the fabric's colour; null for the fabric. */
    showField(field: { values: Float32Array; scale: ColourScale } | null): void {
        const colours = this.surface.colour.array as Float32Array;
        const changed = this.hasField !== (field !== null);
        if (!field && !changed) return;
        this.hasField = field !== null;
        if (field) fillColours(colours, field.values, field.scale);
        if (field) this.surface.completeColours();
        if (changed) this.applyLook();
        if (field) this.ropes?.takeColours(colours);
        this.version++;
    }

    /** Not 0 for each vertex that is pinned; null for no dots. */
    markPins(pinned: Uint8Array | null): void {
        this.pins.mark(pinned);
        this.version++;
    }

    /** Whether it may be drawn with more triangles than it has; those that are shown are enough
     *  where they are more than are simulated, or where all are to be seen. */
    setRound(may: boolean): void {
        this.mayRound = may;
        this.applyShown();
        this.version++;
    }

    /** The border of what is selected, edges of two vertices each; null for nothing. */
    setOutline(edges: number[] | null): void {
        this.outline?.dispose();
        this.outline = edges && new Outline(this.surface.position, edges);
        if (this.outline) this.object.add(this.outline.object);
        this.version++;
    }

    dispose(): void {
        this.outline?.dispose();
        this.object.removeFromParent();
        this.surface.dispose();
        this.ropes?.dispose();
        this.bodies?.dispose();
        this.pins.dispose();
        this.lines?.dispose();
    }

    /** Whether it is shown with what fabrics have. */
    private get isWorn(): boolean {
        return this.style.surface === "fabric" && !this.hasField;
    }

    /** After the ladder gave something up, or took it back. */
    takePower(): void {
        this.surface.object.traverse((part) => (part.receiveShadow = power().shadows));
        this.bodies?.takePower();
        this.applyLook();
    }

    private applyShown(): void {
        const round = this.mayRound && power().round && this.style.surface !== "wireframe";
        this.surface.setShown(round, this.isWorn);
    }

    /** The colour of the cloth, times this: garments that are worn together are told apart. */
    private fillTints(): void {
        const tints = this.surface.colour.array as Float32Array;
        tints.fill(1);
        const layers = this.looks.length > 0 ? [] : (this.shape.layers ?? []);
        const own = new THREE.Color(this.style.colour ?? DEFAULT_LOOK.colour);
        for (let layer = 1; layer + 1 < layers.length; layer++) {
            const { r, g, b } = new THREE.Color(LAYERS[(layer - 1) % LAYERS.length]);
            const tint = [r / own.r, g / own.g, b / own.b].map((x) => Math.min(x, MOST_TINT));
            for (let v = layers[layer]!; v < layers[layer + 1]!; v++) tints.set(tint, 3 * v);
        }
        this.surface.completeColours();
    }

    private lookOf(number: number): Look {
        return this.looks[number] ?? this.looks[0] ?? DEFAULT_LOOK;
    }

    // A colour that was asked for is that of the cloth, and of the innermost garment.
    private lookToWear(number: number): Look {
        const look = this.lookOf(number);
        const { colour } = this.style;
        const { layers, triangleLooks, triangles } = this.shape;
        const first = triangles[3 * Math.max(0, triangleLooks?.indexOf(number) ?? 0)] ?? 0;
        const inner = !layers || layers.length < 3 || first < layers[1]!;
        return colour && inner ? recoloured(look, colour) : look;
    }

    private applyLook(): void {
        const wire = this.style.surface === "wireframe" && this.shape.triangles.length > 0;
        if (!this.hasField) this.fillTints();
        for (const [number, { fabric }] of this.surface.pieces) {
            if (this.hasField) fabric.wearValues();
            else if (this.isWorn) fabric.wear(this.lookToWear(number), this.surface.hemMap());
            else fabric.wearPlain(this.lookToWear(number));
        }
        for (const piece of this.surface.pieces.values()) piece.takeLook(wire ? FAINT : null);
        this.applyShown();
        const { triangleLooks } = this.shape;
        this.surface.setThickness((t) => hemThickness(this.lookOf(triangleLooks?.[t] ?? 0)));
        const colour = this.hasField ? null : this.lookToWear(0).colour;
        this.ropes?.setColour(colour);
        this.showLines(wire, colour);
        this.version++;
    }

    private showLines(on: boolean, colour: string | null): void {
        if (on && !this.lines) {
            const { triangles, vertexCount } = this.shape;
            const { position, colour, drawn } = this.surface;
            const edges = findEdges(triangles, vertexCount);
            this.lines = new MeshLines(position, colour, drawn.triangles, edges);
            this.object.add(this.lines.object);
        }
        if (!this.lines) return;
        this.lines.object.visible = on;
        this.lines.setColour(colour);
    }
}

/** Bodies without any cloth: one vertex of it is in the middle of the tallest, where it is not seen. */
export function bareView(bodies: BodyShape, places: Float32Array, style: Style): ClothView {
    const height = ({ min, max }: THREE.Box3) => max.y - min.y;
    const { boxes } = surroundingsOf(bodies, places);
    const tallest = boxes.sort((a, b) => height(b) - height(a))[0] ?? new THREE.Box3();
    const shape: Shape = {
        vertexCount: 1,
        triangles: new Uint32Array(),
        lines: new Uint32Array(),
        uv: new Float32Array(2),
        bodies,
    };
    const view = new ClothView(shape, style);
    const positions = Float32Array.from(tallest.getCenter(new THREE.Vector3()).toArray());
    view.update({ time: 0, positions, normals: Float32Array.of(0, 1, 0), bodies: places });
    return view;
}
