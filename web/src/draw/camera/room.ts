// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How much room a cloth needs that is yet to fall and swing, among the bodies that it touches.

import * as THREE from "three";

export interface Room {
    box: THREE.Box3;
    /** Places that the picture shall have in it; corners of the box mostly stay empty. */
    places: THREE.Vector3[];
    /** The height of the floor. */
    floor: number;
}

/** What is there beside the cloth. */
export interface Surroundings {
    /** One for each body that has bounds. */
    boxes: THREE.Box3[];
    /** The height below which nothing falls, or null. */
    floor: number | null;
}

const NOTHING: Surroundings = { boxes: [], floor: null };
const BESIDE = 2; // times the cloth's size: what is farther off is yet to come, or gone
const SWING = 0.55; // of the way to the other side of a pin: air and damping take the rest
const WAFT = 0.42; // radians to which wind lifts what hangs
const BREATH = 0.05; // of the size, on all sides
const FARTHEST = 3; // times its first size: a motion that goes farther does not fit the picture
const ENOUGH = 400; // vertices, or pins, that tell as much as all of them

// The places of a cloth and of the bodies near to it, none of them below the floor.
function placesAmong(places: THREE.Vector3[], { boxes, floor }: Surroundings): THREE.Vector3[] {
    const box = new THREE.Box3().setFromPoints(places);
    const reach = box.clone().expandByScalar(BESIDE * box.min.distanceTo(box.max));
    const near = boxes.filter((body) => reach.intersectsBox(body));
    const all = [...places, ...near.flatMap(corners)];
    if (floor === null) return all;
    for (const place of all) place.y = Math.max(place.y, floor);
    const below = corners(box).map((corner) => corner.setY(floor));
    return [...all, ...below];
}

// Grown about the middle, so that nothing touches the edge of the picture.
function roomAround(cloth: THREE.Vector3[], around: Surroundings): Room {
    const places = placesAmong(cloth, around);
    const box = new THREE.Box3().setFromPoints(places);
    const middle = box.getCenter(new THREE.Vector3());
    if (box.getSize(new THREE.Vector3()).length() < 1e-3) box.expandByScalar(0.5);
    for (const place of places) place.lerp(middle, -2 * BREATH);
    const lowest = box.min.y;
    box.setFromPoints([...places, box.min, box.max]);
    // the floor lies just below, however wide the cloth is
    box.min.y = Math.min(box.min.y, lowest - BREATH * (box.max.y - lowest));
    if (around.floor !== null) box.min.y = around.floor;
    return { box, places, floor: box.min.y };
}

/** Of a motion that is known: what is there at several moments. What goes away is followed there,
 *  not all of it shown. */
export function roomOfBoxes(moments: THREE.Box3[][], floor: number | null): Room {
    const all = new THREE.Box3();
    const places: THREE.Vector3[] = [];
    let size = 0;
    for (const boxes of moments) {
        const wider = all.clone();
        for (const box of boxes) if (isFinite(box)) wider.union(box);
        const length = wider.getSize(new THREE.Vector3()).length();
        if (size > 0 && length > FARTHEST * size) break;
        size ||= length;
        all.copy(wider);
        places.push(...boxes.filter(isFinite).flatMap(corners));
    }
    const below = Math.min(all.min.y, floor ?? Infinity);
    return roomAround(places, { boxes: [], floor: below > all.min.y - size ? floor : null });
}

function isFinite({ min, max }: THREE.Box3): boolean {
    return Number.isFinite(max.distanceTo(min));
}

/** Where a floor lies below all that is there, down to the millimetre; null where there is one. */
export function floorBelow(
    positions: Float32Array,
    pinned: Uint8Array | null,
    around: Surroundings,
): number | null {
    if (around.floor !== null) return null;
    const room = roomOfCloth(positions, pinned, around);
    const bodies = around.boxes.filter(isFinite).map(({ min }) => min.y);
    return Math.floor(1000 * Math.min(room.box.min.y, ...bodies)) / 1000;
}

export function corners({ min, max }: THREE.Box3): THREE.Vector3[] {
    return [0, 1, 2, 3, 4, 5, 6, 7].map(
        (i) =>
            new THREE.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
    );
}

/** Where only a box is known: what lies flat will hang down as far as it is wide. */
export function roomOfBox(min: THREE.Vector3, max: THREE.Vector3, around = NOTHING): Room {
    const box = new THREE.Box3(min.clone(), max.clone());
    const size = box.getSize(new THREE.Vector3());
    const wide = Math.max(size.x, size.z);
    const middle = box.getCenter(new THREE.Vector3());
    const hanging = box.clone();
    if (size.y < 0.5 * wide) {
        hanging.min.y = Math.min(min.y, max.y - wide);
        hanging.min.z = middle.z - 0.25 * wide;
        hanging.max.z = middle.z + 0.25 * wide;
    } else {
        hanging.min.z -= 0.3 * size.y;
        hanging.max.z += 0.3 * size.y;
    }
    return roomAround([...corners(box), ...corners(hanging)], around);
}

function pointsOf(positions: Float32Array, which: (vertex: number) => boolean): THREE.Vector3[] {
    const points: THREE.Vector3[] = [];
    for (let v = 0; v < positions.length / 3; v++)
        if (which(v)) points.push(new THREE.Vector3().fromArray(positions, 3 * v));
    const step = Math.ceil(points.length / ENOUGH);
    return points.filter((_, i) => i % step === 0 || i === points.length - 1);
}

function nearest(points: THREE.Vector3[], to: THREE.Vector3): THREE.Vector3 {
    let found = points[0]!,
        least = Infinity;
    for (const point of points) {
        const distance = point.distanceToSquared(to);
        if (distance < least) [found, least] = [point, distance];
    }
    return found;
}

/** Each vertex may hang below the nearest pin, be lifted by wind, and swing past the pins. */
export function roomOfCloth(
    positions: Float32Array,
    pinned: Uint8Array | null,
    around = NOTHING,
): Room {
    const pins = pinned ? pointsOf(positions, (v) => pinned[v] !== 0) : [];
    const box = new THREE.Box3().setFromArray(positions);
    if (pins.length === 0) return roomOfBox(box.min, box.max, around);
    const held = new THREE.Box3().setFromPoints(pins);
    const places = corners(box);
    for (const at of pointsOf(positions, () => true)) {
        const pin = nearest(pins, at),
            length = pin.distanceTo(at);
        const down = pin.y - length * Math.cos(WAFT),
            aside = length * Math.sin(WAFT);
        places.push(new THREE.Vector3(pin.x, pin.y - length, pin.z));
        places.push(new THREE.Vector3(pin.x, down, pin.z + aside));
        places.push(new THREE.Vector3(pin.x, down, pin.z - aside));
        // no further to a side where pins hold it back
        const past = held.clampPoint(at, new THREE.Vector3()).sub(at);
        places.push(
            past
                .multiplyScalar(1 + SWING)
                .add(at)
                .setY(Math.min(at.y, pin.y)),
        );
    }
    return roomAround(places, around);
}
