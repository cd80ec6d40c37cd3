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
    /** Heights of the flat feet of those that have some. */
    feet?: number[];
    /** The height below which nothing falls, or null. */
    floor: number | null;
}

const NOTHING: Surroundings = { boxes: [], floor: null };
const BESIDE = 2; // times the cloth's size: what is farther off is yet to come, or gone
const SWING = 0.55; // of the way to the other side of a pin: air and damping take the rest
const WAFT = 0.2; // radians to which wind lifts what hangs
const FARTHEST = 3; // times its first size: a motion that goes farther does not fit the picture
const ENOUGH = 400; // vertices that tell as much as all of them
const MANY = 3000; // the same, where corners count
const FEW = 40; // pins
const HANGS = 0.7; // of its width: how far loose cloth hangs down from what it fell on
const SPARE = 0.06; // of what hangs: fabrics stretch
const SAG = 0.4; // of the cloth's length: what is held at both ends may be brought together
const ROUNDING = 1e-2; // of a millimetre: single precision
const SHADOW = 0.5; // of the height of all that is there: a floor as near as that is in the picture

/** Whether a body is near to a cloth within `cloth`; `reach`: times the cloth's size. */
export function isNear(cloth: THREE.Box3, body: THREE.Box3, reach = BESIDE): boolean {
    const size = cloth.min.distanceTo(cloth.max);
    return cloth
        .clone()
        .expandByScalar(reach * size)
        .intersectsBox(body);
}

// Places of a cloth, on a floor that lies there or would, and of the bodies near to it.
function roomAround(cloth: THREE.Vector3[], { boxes, floor }: Surroundings, lowest: number): Room {
    if (floor !== null) for (const place of cloth) place.y = Math.max(place.y, floor);
    const box = new THREE.Box3().setFromPoints(cloth);
    const near = boxes.filter((body) => isNear(box, body));
    return roomOfPlaces([...cloth, ...near.flatMap(corners)], floor ?? lowest);
}

/** Of what is there, above a floor. */
export function roomOfPlaces(places: THREE.Vector3[], floor: number): Room {
    const box = new THREE.Box3().setFromPoints(places);
    if (box.min.distanceTo(box.max) < 1e-3) {
        box.expandByScalar(0.5);
        places = corners(box);
    }
    const { x, z } = box.getCenter(new THREE.Vector3());
    if (box.min.y - floor < SHADOW * (box.max.y - box.min.y))
        places = [...places, new THREE.Vector3(x, floor, z)];
    return { box: new THREE.Box3().setFromPoints(places), places, floor };
}

// Towards corners, edges and sides of a cube.
const AROUND = Array.from(
    { length: 27 },
    (_, i) => new THREE.Vector3((i % 3) - 1, (Math.floor(i / 3) % 3) - 1, Math.floor(i / 9) - 1),
).filter((direction) => direction.length() > 0);

/** Those that are farthest out, which tell as much of a room as all. */
export function outermost(places: THREE.Vector3[]): THREE.Vector3[] {
    const found = AROUND.map((direction) => {
        const far = places.map((place) => place.dot(direction));
        return places[far.indexOf(Math.max(...far))]!;
    });
    return [...new Set(found)];
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
    const below = all.min.y - SPARE * all.min.distanceTo(all.max);
    return roomOfPlaces(places, floor === null ? below : Math.min(floor, all.min.y));
}

function isFinite({ min, max }: THREE.Box3): boolean {
    return Number.isFinite(max.distanceTo(min));
}

/** Where a floor lies, down to the millimetre: where furniture stands, if nothing is lower at the start; else
 *  below all that is there and all that cloth can get to. null where there is one. */
export function floorBelow(
    positions: Float32Array,
    pinned: Uint8Array | null,
    { boxes, feet = [], floor }: Surroundings,
): number | null {
    if (floor !== null) return null;
    const bodies = boxes.filter(isFinite).map(({ min }) => min.y);
    const foot = Math.min(...feet);
    const start = new THREE.Box3().setFromArray(positions).min.y;
    const stands = foot <= Math.min(start, ...bodies);
    const lowest = stands ? foot : Math.min(lowestOf(positions, pinned), ...bodies);
    return Math.floor(1000 * lowest + ROUNDING) / 1000;
}

/** The height to which a cloth can get, and some more. */
function lowestOf(positions: Float32Array, pinned: Uint8Array | null): number {
    const { min, max } = new THREE.Box3().setFromArray(positions);
    const pins = pinsOf(positions, pinned);
    if (pins.length === 0) {
        const more = HANGS * (wide(min, max) - (max.y - min.y));
        return min.y - Math.max(more, SPARE * min.distanceTo(max));
    }
    const top = Math.max(...pins.map(({ y }) => y));
    const hanging = pointsOf(positions, ENOUGH).map((at) => hangs(at, pins).y);
    const low = Math.min(min.y, ...hanging);
    return Math.min(low - SPARE * (top - low), top - SAG * min.distanceTo(max));
}

function wide(min: THREE.Vector3, max: THREE.Vector3): number {
    return Math.max(max.x - min.x, max.z - min.z);
}

export function corners({ min, max }: THREE.Box3): THREE.Vector3[] {
    return [0, 1, 2, 3, 4, 5, 6, 7].map(
        (i) =>
            new THREE.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
    );
}

/** Where only a box is known: what lies flat will hang down nearly as far as it is wide. */
export function roomOfBox(min: THREE.Vector3, max: THREE.Vector3, around = NOTHING): Room {
    const box = new THREE.Box3(min.clone(), max.clone());
    const width = wide(min, max),
        height = max.y - min.y;
    const hanging = box.clone();
    if (height < 0.5 * width) {
        const { z } = box.getCenter(new THREE.Vector3());
        hanging.min.y = Math.min(min.y, max.y - HANGS * width);
        hanging.min.z = z - 0.25 * width;
        hanging.max.z = z + 0.25 * width;
    } else {
        const aside = 0.3 * Math.min(height, width);
        hanging.min.z -= aside;
        hanging.max.z += aside;
    }
    const lowest = hanging.min.y - SPARE * min.distanceTo(max);
    return roomAround([...corners(box), ...corners(hanging)], around, lowest);
}

/** So many of them, or all. */
export function pointsOf(
    positions: Float32Array,
    most = MANY,
    which: (vertex: number) => boolean = () => true,
): THREE.Vector3[] {
    const found: number[] = [];
    for (let v = 0; v < positions.length / 3; v++) if (which(v)) found.push(v);
    // odd: meshes may have left and right by turns
    const step = Math.ceil(found.length / most) | 1;
    return found
        .filter((_, i) => i % step === 0 || i === found.length - 1)
        .map((v) => new THREE.Vector3().fromArray(positions, 3 * v));
}

function pinsOf(positions: Float32Array, pinned: Uint8Array | null): THREE.Vector3[] {
    return pinned ? pointsOf(positions, FEW, (v) => pinned[v] !== 0) : [];
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

// The lowest place above x, z that is as far from each pin as this part of the cloth is, or less far;
// null where one holds it back from there.
function below(
    x: number,
    z: number,
    at: THREE.Vector3,
    pins: THREE.Vector3[],
): THREE.Vector3 | null {
    let y = -Infinity;
    for (const pin of pins) {
        const left = pin.distanceToSquared(at) - (pin.x - x) ** 2 - (pin.z - z) ** 2;
        if (left < -1e-9) return null;
        y = Math.max(y, pin.y - Math.sqrt(Math.max(left, 0)));
    }
    return new THREE.Vector3(x, y, z);
}

/** Where this part of a cloth may hang: below the nearest pin, or below where it is. */
function hangs(at: THREE.Vector3, pins: THREE.Vector3[]): THREE.Vector3 {
    const pin = nearest(pins, at);
    const own = below(at.x, at.z, at, pins) ?? at;
    const under = below(pin.x, pin.z, at, pins);
    return under && under.y < own.y ? under : own;
}

/** Each vertex may hang from the pins, be lifted by wind, and swing past them. */
export function roomOfCloth(
    positions: Float32Array,
    pinned: Uint8Array | null,
    around = NOTHING,
): Room {
    const pins = pinsOf(positions, pinned);
    const box = new THREE.Box3().setFromArray(positions);
    if (pins.length === 0) return roomOfBox(box.min, box.max, around);
    const held = new THREE.Box3().setFromPoints(pins);
    const places = corners(box);
    for (const at of pointsOf(positions, ENOUGH)) {
        const low = hangs(at, pins),
            top = nearest(pins, at).y;
        const y = top - (top - low.y) * Math.cos(WAFT),
            aside = (top - low.y) * Math.sin(WAFT);
        places.push(low);
        places.push(new THREE.Vector3(low.x, y, low.z + aside));
        places.push(new THREE.Vector3(low.x, y, low.z - aside));
        // no further to a side where pins hold it back
        const past = held.clampPoint(at, new THREE.Vector3()).sub(at);
        places.push(
            past
                .multiplyScalar(1 + SWING)
                .add(at)
                .setY(Math.min(at.y, top)),
        );
    }
    return roomAround(places, around, lowestOf(positions, pinned));
}
