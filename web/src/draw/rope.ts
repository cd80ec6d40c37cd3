// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Ropes as round tubes. Segments that follow each other make a chain; a smooth curve goes through
// its vertices, with rings around it. Which vertices a ring hangs on never changes, so that a frame
// only moves rings.

import * as THREE from "three";
import { DEFAULT_LOOK, type Look } from "../look";
import { Fabric } from "./fabric/fabric";

// too thick to be seen through
const rope = (colour: string): Look => ({
    ...DEFAULT_LOOK,
    colour,
    reverse: colour,
    translucency: 0,
});

const SIDES = 10;
const PER_RING = SIDES + 1; // the seam is there twice, once for each end of the texture
const CAP = [0.5, 0.95, Math.PI / 2]; // angles of the rings that round off an end

interface Chain {
    vertices: number[];
    closed: boolean;
}

/** Vertices in the order of the ropes. Chains end where a rope ends or where ropes meet. */
export function findChains(lines: Uint32Array, vertexCount: number): Chain[] {
    const around: number[][] = Array.from({ length: vertexCount }, () => []);
    const segmentCount = lines.length / 2;
    for (let s = 0; s < segmentCount; s++)
        for (const v of [lines[2 * s]!, lines[2 * s + 1]!]) around[v]!.push(s);
    const used = new Uint8Array(segmentCount);
    const chains: Chain[] = [];
    const walk = (start: number, first: number) => {
        const vertices = [start];
        for (let s: number | undefined = first, v = start; s !== undefined;) {
            used[s] = 1;
            v = lines[2 * s]! === v ? lines[2 * s + 1]! : lines[2 * s]!;
            vertices.push(v);
            s = around[v]!.length === 2 ? around[v]!.find((other) => !used[other]) : undefined;
        }
        const closed = vertices.length > 3 && vertices[vertices.length - 1] === start;
        chains.push({ vertices, closed });
    };
    for (let v = 0; v < vertexCount; v++)
        if (around[v]!.length !== 2) for (const s of around[v]!) if (!used[s]) walk(v, s);
    // what is left are loops
    for (let s = 0; s < segmentCount; s++) if (!used[s]) walk(lines[2 * s]!, s);
    return chains;
}

// Few long ropes may be smooth; thousands of short segments are small on the screen anyway.
function ringsPerSegment(segmentCount: number): number {
    return segmentCount <= 1000 ? 4 : segmentCount <= 6000 ? 2 : 1;
}

/** Rings by number: four vertices that the curve passes, where between the middle two, which end
 * (-1, 0, 1) is rounded off, and by what angle. */
interface Rings {
    count: number;
    vertices: Uint32Array;
    at: Float32Array;
    end: Int8Array;
    cap: Float32Array;
    /** First ring of each chain, and the count behind the last. */
    starts: Uint32Array;
}

function layRings(chains: Chain[], perSegment: number): Rings {
    const vertices: number[] = [],
        at: number[] = [],
        end: number[] = [],
        cap: number[] = [];
    const starts = [0];
    for (const { vertices: chain, closed } of chains) {
        const last = chain.length - 1;
        const neighbour = (i: number) => {
            if (closed) return chain[(i + last) % last]!;
            return chain[Math.min(Math.max(i, 0), last)]!;
        };
        const ring = (segment: number, t: number, side: number, angle: number) => {
            for (let k = -1; k <= 2; k++) vertices.push(neighbour(segment + k));
            at.push(t);
            end.push(side);
            cap.push(angle);
        };
        if (!closed) for (const angle of [...CAP].reverse()) ring(0, 0, -1, angle);
        for (let s = 0; s < last; s++)
            for (let k = 0; k < perSegment; k++) ring(s, k / perSegment, 0, 0);
        ring(last - 1, 1, 0, 0);
        if (!closed) for (const angle of CAP) ring(last - 1, 1, 1, angle);
        starts.push(at.length);
    }
    return {
        count: at.length,
        vertices: Uint32Array.from(vertices),
        at: Float32Array.from(at),
        end: Int8Array.from(end),
        cap: Float32Array.from(cap),
        starts: Uint32Array.from(starts),
    };
}

function joinRings(rings: Rings): Uint32Array {
    const index: number[] = [];
    for (let c = 0; c + 1 < rings.starts.length; c++)
        for (let r = rings.starts[c]!; r + 1 < rings.starts[c + 1]!; r++)
            for (let k = 0; k < SIDES; k++) {
                const a = r * PER_RING + k,
                    b = a + PER_RING;
                index.push(a, a + 1, b, a + 1, b + 1, b);
            }
    return Uint32Array.from(index);
}

/** Thick enough to be seen, thin enough to bend as the segments do. */
function chooseRadius(lines: Uint32Array, chains: Chain[], positions: Float32Array): number {
    let total = 0;
    for (let i = 0; i < lines.length; i += 2) {
        const a = 3 * lines[i]!,
            b = 3 * lines[i + 1]!;
        total += Math.hypot(
            positions[b]! - positions[a]!,
            positions[b + 1]! - positions[a + 1]!,
            positions[b + 2]! - positions[a + 2]!,
        );
    }
    const segment = (2 * total) / lines.length,
        chain = total / chains.length;
    return Math.min(Math.max(0.9 * segment, chain / 250), Math.max(chain / 110, 0.1 * segment));
}

function dynamic(itemCount: number, size: number): THREE.BufferAttribute {
    const attribute = new THREE.BufferAttribute(new Float32Array(itemCount * size), size);
    return attribute.setUsage(THREE.DynamicDrawUsage);
}

const CIRCLE = Array.from({ length: PER_RING }, (_, k) => {
    const angle = (2 * Math.PI * k) / SIDES;
    return [Math.cos(angle), Math.sin(angle)] as const;
});

export class RopeView {
    readonly object: THREE.Mesh;
    private readonly lines: Uint32Array;
    private readonly chains: Chain[];
    private readonly rings: Rings;
    private readonly position: THREE.BufferAttribute;
    private readonly normal: THREE.BufferAttribute;
    private readonly uv: THREE.BufferAttribute;
    private readonly colour: THREE.BufferAttribute;
    private readonly material = new Fabric(THREE.FrontSide, true);
    // A direction across the start of each chain, kept from frame to frame: tubes do not spin.
    private readonly across: Float32Array;
    private radius = 0;
    private readonly middle = new THREE.Vector3();
    private readonly along = new THREE.Vector3();
    private readonly sideways = new THREE.Vector3();
    private readonly upwards = new THREE.Vector3();

    constructor(lines: Uint32Array, vertexCount: number) {
        this.lines = lines;
        this.chains = findChains(lines, vertexCount);
        this.rings = layRings(this.chains, ringsPerSegment(lines.length / 2));
        this.across = new Float32Array(3 * this.chains.length);
        const corners = this.rings.count * PER_RING;
        this.position = dynamic(corners, 3);
        this.normal = dynamic(corners, 3);
        this.uv = dynamic(corners, 2);
        this.colour = dynamic(corners, 3);
        (this.colour.array as Float32Array).fill(1);
        const geometry = new THREE.BufferGeometry();
        geometry.setIndex(new THREE.BufferAttribute(joinRings(this.rings), 1));
        geometry.setAttribute("position", this.position);
        geometry.setAttribute("normal", this.normal);
        geometry.setAttribute("uv", this.uv);
        geometry.setAttribute("color", this.colour);
        this.object = new THREE.Mesh(geometry, this.material);
        this.object.castShadow = this.object.receiveShadow = true;
        this.object.frustumCulled = false;
    }

    update(positions: Float32Array): void {
        const first = this.radius === 0;
        if (first) this.radius = chooseRadius(this.lines, this.chains, positions);
        for (let c = 0; c < this.chains.length; c++) this.moveChain(c, positions);
        this.position.needsUpdate = true;
        this.normal.needsUpdate = true;
        if (first) this.layTexture();
    }

    /** The colour of the rope; null for the colours of a field. */
    setColour(colour: string | null): void {
        if (colour) this.material.wearPlain(rope(colour));
        else this.material.wearValues();
        if (!colour) return;
        (this.colour.array as Float32Array).fill(1);
        this.colour.needsUpdate = true;
    }

    /** Three numbers per vertex of the model. */
    takeColours(colours: Float32Array): void {
        const to = this.colour.array as Float32Array;
        const { vertices, at, count } = this.rings;
        for (let r = 0, i = 0; r < count; r++) {
            const a = 3 * vertices[4 * r + 1]!,
                b = 3 * vertices[4 * r + 2]!,
                t = at[r]!;
            for (let k = 0; k < PER_RING; k++)
                for (let j = 0; j < 3; j++, i++)
                    to[i] = colours[a + j]! * (1 - t) + colours[b + j]! * t;
        }
        this.colour.needsUpdate = true;
    }

    dispose(): void {
        this.object.geometry.dispose();
        this.material.dispose();
    }

    private moveChain(chain: number, positions: Float32Array): void {
        const { starts, end, cap } = this.rings;
        this.sideways.fromArray(this.across, 3 * chain);
        for (let r = starts[chain]!; r < starts[chain + 1]!; r++) {
            this.followCurve(r, positions);
            this.carryAlong();
            if (r === starts[chain]!) this.sideways.toArray(this.across, 3 * chain);
            this.placeRing(r, end[r]! * Math.sin(cap[r]!), Math.cos(cap[r]!));
        }
    }

    // Place and direction of a Catmull-Rom curve.
    private followCurve(ring: number, x: Float32Array): void {
        const t = this.rings.at[ring]!,
            tt = t * t,
            ttt = tt * t;
        const w0 = (-t + 2 * tt - ttt) / 2,
            w1 = (2 - 5 * tt + 3 * ttt) / 2;
        const w2 = (t + 4 * tt - 3 * ttt) / 2,
            w3 = (ttt - tt) / 2;
        const d0 = (-1 + 4 * t - 3 * tt) / 2,
            d1 = (-10 * t + 9 * tt) / 2;
        const d2 = (1 + 8 * t - 9 * tt) / 2,
            d3 = (3 * tt - 2 * t) / 2;
        const v = this.rings.vertices;
        const a = 3 * v[4 * ring]!,
            b = 3 * v[4 * ring + 1]!;
        const c = 3 * v[4 * ring + 2]!,
            d = 3 * v[4 * ring + 3]!;
        this.middle.set(
            w0 * x[a]! + w1 * x[b]! + w2 * x[c]! + w3 * x[d]!,
            w0 * x[a + 1]! + w1 * x[b + 1]! + w2 * x[c + 1]! + w3 * x[d + 1]!,
            w0 * x[a + 2]! + w1 * x[b + 2]! + w2 * x[c + 2]! + w3 * x[d + 2]!,
        );
        this.along.set(
            d0 * x[a]! + d1 * x[b]! + d2 * x[c]! + d3 * x[d]!,
            d0 * x[a + 1]! + d1 * x[b + 1]! + d2 * x[c + 1]! + d3 * x[d + 1]!,
            d0 * x[a + 2]! + d1 * x[b + 2]! + d2 * x[c + 2]! + d3 * x[d + 2]!,
        );
        this.along.normalize();
    }

    // Turn the last ring's sideways the least that makes it square to the rope.
    private carryAlong(): void {
        const { along, sideways } = this;
        sideways.addScaledVector(along, -sideways.dot(along));
        if (sideways.lengthSq() < 1e-6) {
            const flat = Math.abs(along.y) < 0.8;
            sideways.set(flat ? 0 : 1, flat ? 1 : 0, 0);
            sideways.addScaledVector(along, -sideways.dot(along));
        }
        sideways.normalize();
        this.upwards.crossVectors(along, sideways);
    }

    // `forth`: along the rope in radii, for the rings of a rounded end; `wide`: their radius.
    private placeRing(ring: number, forth: number, wide: number): void {
        const x = this.position.array as Float32Array,
            n = this.normal.array as Float32Array;
        const { middle, along, sideways, upwards, radius } = this;
        let i = 3 * ring * PER_RING;
        for (let k = 0; k < PER_RING; k++, i += 3) {
            const a = wide * CIRCLE[k]![0],
                b = wide * CIRCLE[k]![1];
            n[i] = a * sideways.x + b * upwards.x + forth * along.x;
            n[i + 1] = a * sideways.y + b * upwards.y + forth * along.y;
            n[i + 2] = a * sideways.z + b * upwards.z + forth * along.z;
            x[i] = middle.x + radius * n[i]!;
            x[i + 1] = middle.y + radius * n[i + 1]!;
            x[i + 2] = middle.z + radius * n[i + 2]!;
        }
    }

    // Once around is 1 in u, and as long along the rope is 1 in v. Measured once: strands stretch
    // with the rope.
    private layTexture(): void {
        const x = this.position.array as Float32Array,
            uv = this.uv.array as Float32Array;
        const size = 2 * Math.PI * this.radius;
        const stride = 3 * PER_RING;
        for (let c = 0; c < this.chains.length; c++) {
            let length = 0;
            for (let r = this.rings.starts[c]!; r < this.rings.starts[c + 1]!; r++) {
                const i = stride * r;
                if (r > this.rings.starts[c]!)
                    length += Math.hypot(
                        x[i]! - x[i - stride]!,
                        x[i + 1]! - x[i + 1 - stride]!,
                        x[i + 2]! - x[i + 2 - stride]!,
                    );
                for (let k = 0; k < PER_RING; k++) {
                    uv[2 * (r * PER_RING + k)] = k / SIDES;
                    uv[2 * (r * PER_RING + k) + 1] = length / size;
                }
            }
        }
        this.uv.needsUpdate = true;
    }
}
