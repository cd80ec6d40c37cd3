// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The surface of a cloth as arrays for the graphics processor, in this order: the vertices that are
// shown, copies of those on seams, vertices between them where it is drawn rounder than it is, and
// the points of its rim. Frames overwrite the first; the others follow.

import * as THREE from "three";
import { findSides, type HemMap, makeHemMap, type Side } from "./fabric/hem-map";
import { Piece } from "./piece";
import { power } from "./light/power";
import { flatCorners, Refinement, timesFor } from "./refine";
import { Rim } from "./fabric/rim";
import { type Drawn, followVertices, splitSeams } from "./fabric/seams";
import type { Shape } from "../shape";
import { Warps } from "./fabric/warps";

function dynamic(count: number): THREE.BufferAttribute {
    const attribute = new THREE.BufferAttribute(new Float32Array(3 * count), 3);
    return attribute.setUsage(THREE.DynamicDrawUsage);
}

function refine({ triangles, uv, copied }: Drawn, vertexCount: number): Refinement {
    const count = vertexCount + copied.length;
    const same = Uint32Array.from({ length: count }, (_, v) =>
        v < vertexCount ? v : copied[v - vertexCount]!,
    );
    const mesh = { triangles, count, same, creased: false, corners: new Uint8Array(count) };
    mesh.corners = flatCorners(mesh, uv);
    return new Refinement(mesh, timesFor(triangles.length / 3, power().clothTriangles, 2));
}

/** Parts of sides, where edges are halved. */
function refineSides(sides: Side[], refined: Refinement): Side[] {
    const chains = refined.chains(sides.map((side) => [side.drawnFrom, side.drawnTo]));
    return sides.flatMap((side, i) =>
        chains[i]!.slice(1).map((drawnTo, k) => ({
            ...side,
            drawnFrom: chains[i]![k]!,
            drawnTo,
        })),
    );
}

export class ClothSurface {
    readonly object = new THREE.Group();
    /** By the numbers of looks that triangles have. */
    readonly pieces = new Map<number, Piece>();
    /** With vertices of seams once for each panel that they lie on. */
    readonly drawn: Drawn;
    readonly position: THREE.BufferAttribute;
    readonly colour: THREE.BufferAttribute;
    /** Goes up with each change of the positions. */
    version = 0;
    private readonly normal: THREE.BufferAttribute;
    private readonly refined: Refinement;
    private readonly warps: Warps;
    /** Along the borders of the mesh as it is, and rounded. */
    private readonly rims: [Rim, Rim];
    private readonly place: THREE.BufferAttribute;
    /** How many garments lie between it and the body, and one more; 0: nobody wears it. */
    private readonly layer: THREE.BufferAttribute;
    private hems: HemMap | null | undefined;
    private rounded = false;
    private worn = false;
    private rimmed = false;

    constructor(private readonly shape: Shape) {
        this.drawn = splitSeams(shape);
        this.refined = refine(this.drawn, shape.vertexCount);
        const { borders } = findSides(shape, this.drawn);
        const between = this.refined.count;
        const coarse = new Rim(borders, between),
            fine = new Rim(refineSides(borders, this.refined), between);
        const count = between + Math.max(coarse.count, fine.count);
        this.rims = [coarse, fine];
        this.position = dynamic(count);
        this.normal = dynamic(count);
        this.colour = dynamic(count);
        this.warps = new Warps(this.drawn, count);
        this.place = new THREE.BufferAttribute(new Float32Array(2 * count), 2);
        (this.place.array as Float32Array).set(this.drawn.uv);
        this.refined.mix(this.place.array as Float32Array, 2);
        this.layer = new THREE.BufferAttribute(new Float32Array(count), 1);
        this.fillLayers(this.layer.array as Float32Array);
        this.makePieces();
        this.layTriangles();
    }

    /** Three numbers per vertex that is shown. */
    update(positions: Float32Array, normals: Float32Array): void {
        (this.position.array as Float32Array).set(positions);
        (this.normal.array as Float32Array).set(normals);
        this.completePlaces();
    }

    /** Call it when colours of vertices that are shown have changed. */
    completeColours(): void {
        const colours = this.colour.array as Float32Array;
        this.follow(this.colour);
        if (this.rounded) this.refined.mix(colours, 3);
        this.rim?.copy(colours, 3);
    }

    /** `rounded`: with the vertices between; `worn`: with all that the material of a fabric needs. */
    setShown(rounded: boolean, worn: boolean): void {
        const rimmed = worn && power().thickness;
        if (rounded === this.rounded && worn === this.worn && rimmed === this.rimmed) return;
        this.rounded = rounded;
        this.worn = worn;
        this.rimmed = rimmed;
        this.layTriangles();
        this.completePlaces();
        this.completeColours();
    }

    /** Of the rim at each triangle's border, metres. */
    setThickness(thickness: (triangle: number) => number): void {
        for (const rim of this.rims) rim.setThickness(({ triangle }) => thickness(triangle));
        if (this.rim) this.completePlaces();
    }

    /** Null where no hems are drawn. */
    hemMap(): HemMap | null {
        if (!power().thickness) return null;
        if (this.hems === undefined) this.hems = makeHemMap(this.shape, this.drawn);
        return this.hems;
    }

    dispose(): void {
        for (const piece of this.pieces.values()) piece.dispose();
        this.hems?.dispose();
    }

    /** The rim that is shown. */
    private get rim(): Rim | null {
        return this.rimmed ? this.rims[this.rounded ? 1 : 0] : null;
    }

    private fillLayers(numbers: Float32Array): void {
        const { layers = [], vertexCount } = this.shape,
            { copied } = this.drawn;
        for (let i = 0; i + 1 < layers.length; i++) numbers.fill(i + 1, layers[i], layers[i + 1]);
        followVertices(numbers.subarray(0, vertexCount + copied.length), copied, 1);
        this.refined.mix(numbers, 1);
    }

    private makePieces(): void {
        const attributes = {
            position: this.position,
            normal: this.normal,
            color: this.colour,
            warp: this.warps.attribute,
            uv: this.place,
            layer: this.layer,
        };
        for (const look of new Set(this.shape.triangleLooks ?? [0])) {
            const piece = new Piece(attributes, () => this.version);
            piece.object.receiveShadow = power().shadows;
            piece.object.visible = this.drawn.triangles.length > 0;
            this.pieces.set(look, piece);
            this.object.add(piece.object);
        }
    }

    // All triangles that are drawn, each to the piece that has its look.
    private layTriangles(): void {
        const { triangles } = this.rounded ? this.refined : this.drawn;
        const parts = new Map<number, number[]>();
        for (const look of this.pieces.keys()) parts.set(look, []);
        const per = triangles.length / this.drawn.triangles.length;
        for (let t = 0; t < triangles.length / 3; t++)
            this.partOf(parts, Math.floor(t / per)).push(
                triangles[3 * t]!,
                triangles[3 * t + 1]!,
                triangles[3 * t + 2]!,
            );
        this.rim?.eachPart((triangle, part) => this.partOf(parts, triangle).push(...part));
        this.rim?.place(this.place.array as Float32Array);
        this.place.needsUpdate = true;
        this.rim?.copy(this.layer.array as Float32Array, 1);
        this.layer.needsUpdate = true;
        for (const [look, part] of parts)
            this.pieces.get(look)!.setTriangles(Uint32Array.from(part));
    }

    private partOf(parts: Map<number, number[]>, triangle: number): number[] {
        return parts.get(this.shape.triangleLooks?.[triangle] ?? 0)!;
    }

    // Copies; and what is to be sent where no vertices between are drawn.
    private follow(attribute: THREE.BufferAttribute): void {
        const own = 3 * (this.shape.vertexCount + this.drawn.copied.length);
        followVertices((attribute.array as Float32Array).subarray(0, own), this.drawn.copied, 3);
        attribute.clearUpdateRanges();
        if (!this.rounded) {
            attribute.addUpdateRange(0, own);
            if (this.rim) attribute.addUpdateRange(3 * this.refined.count, 3 * this.rim.count);
        }
        attribute.needsUpdate = true;
    }

    private completePlaces(): void {
        const positions = this.position.array as Float32Array,
            normals = this.normal.array as Float32Array;
        this.follow(this.position);
        this.follow(this.normal);
        if (this.rounded) this.refined.round(positions, normals);
        if (this.worn) {
            const warps = this.warps.attribute.array as Float32Array;
            this.warps.update(positions);
            if (this.rounded) this.refined.mix(warps, 4);
            this.rim?.update(positions, normals);
            this.rim?.copy(warps, 4);
        }
        this.version++;
    }
}
