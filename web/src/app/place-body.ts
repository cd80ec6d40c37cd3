// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where a body from a file goes in a scene: below cloth that falls, in front of cloth that hangs.

import * as THREE from "three";
import { surroundingsOf } from "../draw/bodies";
import { objOf, type ReadMesh } from "../meshes/read-mesh";
import type { MeshBody, SceneDocument } from "../scene/document";
import type { GivenFile, Start } from "../sim/protocol";

const GAP = 0.02; // metres

/** Bounds of the meshes that were written here; in the units of the file. */
const bounds = new WeakMap<GivenFile, THREE.Box3>();

/** The mesh as a file that a scene can name, and its box in metres. */
export function giveMesh(
    mesh: ReadMesh,
    scale: number,
    others: GivenFile[],
): { given: GivenFile; box: THREE.Box3 } {
    const stem = mesh.name.replace(/\.[^.]*$/, "");
    let name = `${stem}.obj`;
    for (let i = 2; others.some((other) => other.name === name); i++) name = `${stem}-${i}.obj`;
    const given = { name, bytes: new TextEncoder().encode(objOf(mesh)) };
    const box = new THREE.Box3(new THREE.Vector3(...mesh.min), new THREE.Vector3(...mesh.max));
    bounds.set(given, box.clone());
    box.min.multiplyScalar(scale);
    box.max.multiplyScalar(scale);
    return { given, box };
}

/** How to move a cloth of this box: above the bodies of a scene, or as it is where there are none. */
export function placeCloth(box: THREE.Box3, among: SceneDocument | null): THREE.Vector3 {
    const around = new THREE.Box3();
    const { start } = among ?? {};
    if (start)
        for (const body of surroundingsOf(start.bodyShape, start.bodies).boxes) around.union(body);
    for (const body of among?.edits.bodies ?? []) {
        const file = among!.files.find(({ name }) => name === body.file);
        if (file) around.union(boxOf(file, body));
    }
    const move = new THREE.Vector3();
    if (around.isEmpty() || !around.intersectsBox(box)) return move;
    // a garment that is made for a body is where it belongs
    if (around.containsPoint(box.getCenter(new THREE.Vector3()))) return move;
    return move.setY(around.max.y + GAP - box.min.y);
}

/** Around a body as it stands in the scene. */
export function boxOf(file: GivenFile, { place }: MeshBody): THREE.Box3 {
    const box = bounds.get(file)?.clone() ?? new THREE.Box3();
    const scaled = (corner: THREE.Vector3) => corner.multiplyScalar(place.scale);
    scaled(box.min);
    scaled(box.max);
    return box.translate(new THREE.Vector3(...place.move));
}

/** How to move a body of this box, already in metres, at the start of a scene. */
export function placeBody(box: THREE.Box3, start: Start, floor: number | null): THREE.Vector3 {
    const cloth = new THREE.Box3().setFromArray(start.positions);
    const around = surroundingsOf(start.bodyShape, start.bodies);
    const middle = cloth.getCenter(new THREE.Vector3());
    const own = box.getCenter(new THREE.Vector3());
    const held = start.pinned.some((pinned) => pinned !== 0);
    const ground = around.floor ?? null;
    const below = cloth.min.y - GAP - box.max.y;
    const fits = ground === null || box.min.y + below >= ground - 1e-9;
    const move = new THREE.Vector3(middle.x - own.x, 0, middle.z - own.z);
    if (!held && fits) {
        // as high as it may stand: the floor of the page goes below it
        move.y = ground !== null ? Math.min(below, ground - box.min.y) : below;
        if (ground !== null) move.y = Math.max(move.y, ground - box.min.y);
    } else {
        move.y = (ground ?? floor ?? cloth.min.y) - box.min.y;
        move.z = cloth.max.z + GAP - box.min.z;
    }
    // not into what stands there already
    const placed = box.clone().translate(move);
    for (const other of around.boxes)
        if (placed.intersectsBox(other)) {
            const right = other.max.x + GAP - placed.min.x;
            move.x += right;
            placed.translate(new THREE.Vector3(right, 0, 0));
        }
    return move;
}
