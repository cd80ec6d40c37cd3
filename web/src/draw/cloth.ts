// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One cloth as it is drawn: its surface, its ropes, the lines of its mesh, the dots on its pins, and
// the bodies that it touches. Those of the cloth read the same buffers, which frames overwrite in
// place.

import * as THREE from "three";
import { BodyView } from "./bodies";
import { type ColourScale, fillColours } from "./colour";
import { Fabric } from "./fabric";
import { PinDots } from "./pins";
import { power } from "./power";
import { flatCorners, Refinement, timesFor } from "./refine";
import { RopeView } from "./rope";
import { followVertices, splitSeams, type Drawn } from "./seams";
import { findEdges, type Frame, type Shape } from "../shape";
import { threadDistance } from "./weave";

export interface Look {
    surface: "smooth" | "woven" | "wireframe";
    colour: string;
}

const GARMENT = 0.4; // metres: threads are finer than those of a sheet that fills the picture
const LAYERS = ["#39506b", "#8a8f98", "#c8a15a"]; // of garments over the first
const MOST_TINT = 40; // where the colour itself has none of a tone
const FAINT = 0.3; // opacity of the surface between the lines of the mesh

/** More triangles than the cloth has, where there are not too many. */
function refine({ triangles, uv, copied }: Drawn, vertexCount: number): Refinement {
    const count = vertexCount + copied.length;
    const same = Uint32Array.from({ length: count }, (_, v) => copied[v - vertexCount] ?? v);
    const mesh = { triangles, count, same, creased: false, corners: new Uint8Array() };
    mesh.corners = flatCorners(mesh, uv);
    return new Refinement(mesh, timesFor(triangles.length / 3, power().clothTriangles, 2));
}

function dynamic(count: number): THREE.BufferAttribute {
    const attribute = new THREE.BufferAttribute(new Float32Array(3 * count), 3);
    return attribute.setUsage(THREE.DynamicDrawUsage);
}

// Culling would need the bounds of each buffer anew in every frame; the cloth is in sight anyway.
function neverCull<T extends THREE.Object3D>(object: T): T {
    object.frustumCulled = false;
    return object;
}

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

function flatSize(uv: Float32Array): number {
    const low = [Infinity, Infinity],
        high = [-Infinity, -Infinity];
    for (let i = 0; i < uv.length; i++) {
        low[i % 2] = Math.min(low[i % 2]!, uv[i]!);
        high[i % 2] = Math.max(high[i % 2]!, uv[i]!);
    }
    return Math.max(high[0]! - low[0]!, high[1]! - low[1]!);
}

/** The lines of a mesh over a faint surface. The surface first goes into the depth buffer alone:
 * then only what is nearest shines through, and hidden lines stay hidden. */
class MeshLines {
    readonly object = new THREE.Group();
    private readonly geometry = new THREE.BufferGeometry();
    private readonly material = new THREE.LineBasicMaterial({
        transparent: true,
        opacity: 0.9,
        vertexColors: true,
        toneMapped: false,
    });
    private readonly depth = new THREE.MeshBasicMaterial({
        colorWrite: false,
        side: THREE.DoubleSide,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
    });

    constructor(surface: THREE.BufferGeometry, edges: Uint32Array) {
        this.geometry.setIndex(new THREE.BufferAttribute(edges, 1));
        for (const name of ["position", "color"])
            this.geometry.setAttribute(name, surface.getAttribute(name));
        const lines = neverCull(new THREE.LineSegments(this.geometry, this.material));
        lines.renderOrder = 2;
        const depth = neverCull(new THREE.Mesh(surface, this.depth));
        depth.renderOrder = -1;
        this.object.add(depth, lines);
    }

    setColour(colour: string | null): void {
        this.material.color.set(colour ?? "#c8c8c8");
        if (!colour) return;
        // neither so light nor so dark that thin lines get lost on the backdrop
        const { h, s, l } = this.material.color.getHSL({ h: 0, s: 0, l: 0 });
        this.material.color.setHSL(h, s, THREE.MathUtils.clamp(l, 0.38, 0.55));
    }

    dispose(): void {
        this.geometry.dispose();
        this.material.dispose();
        this.depth.dispose();
    }
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
    /** With vertices of seams once for each panel that they lie on. */
    private readonly drawn: Drawn;
    private readonly refined: Refinement;
    /** Whether it may be drawn rounder than it is, and whether it is. */
    private mayRound = true;
    private rounded = false;
    private readonly position: THREE.BufferAttribute;
    private readonly normal: THREE.BufferAttribute;
    private readonly colour: THREE.BufferAttribute;
    private readonly geometry = new THREE.BufferGeometry();
    private readonly fabric = new Fabric(THREE.DoubleSide);
    private readonly surface: THREE.Mesh;
    /** What the cloth touches; null for nothing. */
    readonly bodies: BodyView | null;
    private readonly ropes: RopeView | null;
    private readonly pins: PinDots;
    private lines: MeshLines | null = null;
    private look: Look;
    private hasField = false;

    constructor(shape: Shape, look: Look) {
        this.shape = shape;
        this.look = { ...look };
        this.drawn = splitSeams(shape);
        this.refined = refine(this.drawn, shape.vertexCount);
        const { count } = this.refined;
        this.position = dynamic(count);
        this.normal = dynamic(count);
        this.colour = dynamic(count);
        this.positions = (this.position.array as Float32Array).subarray(0, 3 * shape.vertexCount);
        this.surface = neverCull(new THREE.Mesh(this.geometry, this.fabric));
        this.surface.castShadow = true;
        this.surface.receiveShadow = power().clothTaps > 0;
        this.surface.visible = shape.triangles.length > 0;
        this.ropes = shape.lines.length > 0 ? new RopeView(shape.lines, shape.vertexCount) : null;
        this.pins = new PinDots(this.position);
        this.fillGeometry();
        this.object.add(this.surface, this.pins.object);
        if (this.ropes) this.object.add(this.ropes.object);
        const touched = (shape.bodies?.triangles.length ?? 0) > 0;
        this.bodies = touched ? new BodyView(shape.bodies!) : null;
        if (this.bodies) this.object.add(this.bodies.object);
        this.applyLook();
    }

    update(frame: Frame): void {
        this.applyRound();
        this.positions.set(frame.positions);
        (this.normal.array as Float32Array).set(frame.normals);
        this.complete(this.position, this.normal);
        measureBox(this.positions, this.box);
        this.ropes?.update(this.positions);
        if (frame.bodies) this.bodies?.update(frame.bodies);
        this.version++;
    }

    setLook(look: Look): void {
        this.look = { ...look };
        this.applyLook();
    }

    /** Colours for one number per vertex instead of the fabric's colour; null for the fabric. */
    showField(field: { values: Float32Array; scale: ColourScale } | null): void {
        const colours = this.colour.array as Float32Array;
        const changed = this.hasField !== (field !== null);
        if (!field && !changed) return;
        this.hasField = field !== null;
        if (field) fillColours(colours, field.values, field.scale);
        else this.fillTints(colours);
        this.complete(this.colour);
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
        this.applyRound();
    }

    dispose(): void {
        this.object.removeFromParent();
        this.geometry.dispose();
        this.fabric.dispose();
        this.ropes?.dispose();
        this.bodies?.dispose();
        this.pins.dispose();
        this.lines?.dispose();
    }

    /** Vertices that follow others: copies, and those between, where they are drawn. */
    private complete(...attributes: THREE.BufferAttribute[]): void {
        const { length } = this.positions;
        const own = length + 3 * this.drawn.copied.length;
        for (const attribute of attributes) {
            const numbers = attribute.array as Float32Array;
            followVertices(numbers.subarray(0, own), this.drawn.copied);
            attribute.clearUpdateRanges();
            if (!this.rounded) attribute.addUpdateRange(0, own);
            attribute.needsUpdate = true;
        }
        if (!this.rounded) return;
        if (attributes.includes(this.colour))
            this.refined.mix(attributes[0]!.array as Float32Array, 3);
        else
            this.refined.round(
                this.position.array as Float32Array,
                this.normal.array as Float32Array,
            );
    }

    private applyRound(): void {
        const on = this.mayRound && power().round && this.look.surface !== "wireframe";
        if (on === this.rounded) return;
        this.rounded = on;
        this.geometry.setIndex(
            new THREE.BufferAttribute((on ? this.refined : this.drawn).triangles, 1),
        );
        this.complete(this.position, this.normal);
        this.complete(this.colour);
        this.version++;
    }

    private fillGeometry(): void {
        const { triangles } = this.drawn;
        const uv = new Float32Array(2 * this.refined.count);
        uv.set(this.drawn.uv);
        this.refined.mix(uv, 2);
        this.geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
        this.geometry.setAttribute("position", this.position);
        this.geometry.setAttribute("normal", this.normal);
        this.geometry.setAttribute("color", this.colour);
        this.geometry.setAttribute("uv", new THREE.BufferAttribute(uv, 2));
    }

    /** The colour of the cloth, times this: garments that are worn together are told apart. */
    private fillTints(tints: Float32Array): void {
        tints.fill(1);
        const { layers = [] } = this.shape;
        const own = new THREE.Color(this.look.colour);
        for (let layer = 1; layer + 1 < layers.length; layer++) {
            const { r, g, b } = new THREE.Color(LAYERS[(layer - 1) % LAYERS.length]);
            const tint = [r / own.r, g / own.g, b / own.b].map((x) => Math.min(x, MOST_TINT));
            for (let v = layers[layer]!; v < layers[layer + 1]!; v++) tints.set(tint, 3 * v);
        }
        this.complete(this.colour);
    }

    private applyLook(): void {
        const wire = this.look.surface === "wireframe" && this.shape.triangles.length > 0;
        const colour = this.hasField ? null : this.look.colour;
        if (colour) this.fillTints(this.colour.array as Float32Array);
        // threads would be taken for values
        const woven = this.look.surface === "woven" && !this.hasField;
        // panels lie side by side: how large all of them are tells nothing
        const size = this.shape.cornerUv ? GARMENT : flatSize(this.shape.uv);
        this.fabric.setPattern(woven ? "woven" : "plain", threadDistance(size));
        this.fabric.setFabricColour(colour);
        this.fabric.opacity = wire ? FAINT : 1;
        if (this.fabric.transparent !== wire) this.fabric.needsUpdate = true;
        this.fabric.transparent = wire;
        this.fabric.polygonOffset = wire; // else what it lies on would come through at steep folds
        this.surface.renderOrder = wire ? 1 : 0;
        this.ropes?.setColour(colour);
        this.showLines(wire, colour);
        this.applyRound();
        this.version++;
    }

    private showLines(on: boolean, colour: string | null): void {
        if (on && !this.lines) {
            const { triangles, vertexCount } = this.shape;
            this.lines = new MeshLines(this.geometry, findEdges(triangles, vertexCount));
            this.object.add(this.lines.object);
        }
        if (!this.lines) return;
        this.lines.object.visible = on;
        this.lines.setColour(colour);
    }
}
