// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What hands did to a scene, so that it can be kept and done again: as plain data, and as the
// numbers that the module has of it (play_hands in web/core/play.h).

type Point = [number, number, number];
type Turn = [number, number, number, number];

export interface HandState {
    /** How far what holds the cloth was moved, and all bodies with it, in metres. */
    carried: Point;
    /** Bodies that were moved by themselves: what the scene has at x is at `turn` x + `move`; `turn`
     *  is a unit quaternion. */
    bodies: { index: number; move: Point; turn: Turn }[];
    /** By vertex of the simulated cloth, numbered through; null: it was let go. */
    pins: { vertex: number; position: Point | null }[];
    /** As the key "cuts" of a scene has them: vertices of one cloth, each joined with the next by an
     *  edge; when they were cut, in seconds. */
    cuts: { time: number; cloth: number; vertices: number[] }[];
}

export const untouched: HandState = { carried: [0, 0, 0], bodies: [], pins: [], cuts: [] };

export function isUntouched({ carried, bodies, pins, cuts }: HandState): boolean {
    return carried.every((x) => x === 0) && bodies.length + pins.length + cuts.length === 0;
}

/** `firsts`: the first vertex of each cloth, and the number of all. */
export function readHands(numbers: Iterable<number>, firsts: number[]): HandState {
    const list = [...numbers];
    let at = 0;
    const take = (count: number) => list.slice(at, (at += count));
    const many = <T>(one: () => T): T[] => Array.from({ length: take(1)[0] ?? 0 }, one);
    return {
        carried: take(3) as Point,
        bodies: many(() => ({
            index: take(1)[0]!,
            move: take(3) as Point,
            turn: take(4) as Turn,
        })),
        pins: many(() => {
            const [vertex, held] = take(2);
            const position = take(3) as Point;
            return { vertex: vertex!, position: held ? position : null };
        }),
        cuts: many(() => {
            const [time, count] = take(2);
            const vertices = take(count!);
            const cloth = firsts.findLastIndex((first) => first <= vertices[0]!);
            return { time: time!, cloth, vertices: vertices.map((v) => v - firsts[cloth]!) };
        }),
    };
}

/** The same back. Cuts that name vertices that are not there are left out: the mesh is another. */
export function writeHands({ carried, bodies, pins, cuts }: HandState, firsts: number[]): number[] {
    const fitting = cuts.filter(({ cloth, vertices }) => {
        const count = firsts[cloth + 1]! - firsts[cloth]!;
        return vertices.every((v) => v < count);
    });
    return [
        ...carried,
        bodies.length,
        ...bodies.flatMap(({ index, move, turn }) => [index, ...move, ...turn]),
        pins.length,
        ...pins.flatMap(({ vertex, position }) => [
            vertex,
            position ? 1 : 0,
            ...(position ?? [0, 0, 0]),
        ]),
        fitting.length,
        ...fitting.flatMap(({ time, cloth, vertices }) => [
            time,
            vertices.length,
            ...vertices.map((v) => v + firsts[cloth]!),
        ]),
    ];
}
