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
    /** Vertices of each cloth: pins and cuts are of this mesh, and left out of another. Not given:
     *  whatever names vertices that are there. */
    counts?: number[];
}

/** How the simulated vertices begin. */
export interface HandStart {
    positions: ArrayLike<number>;
    pinned: ArrayLike<number>;
}

export const untouched: HandState = { carried: [0, 0, 0], bodies: [], pins: [], cuts: [] };

export function isUntouched({ carried, bodies, pins, cuts }: HandState): boolean {
    return carried.every((x) => x === 0) && bodies.length + pins.length + cuts.length === 0;
}

const DIGITS = 1e5; // 10 micrometres, and as fine a turn
const SAME = 1e-4; // metres

function rounded<T extends number[]>(numbers: T): T {
    return numbers.map((x) => Math.round(x * DIGITS) / DIGITS + 0) as T;
}

function same(a: unknown, b: unknown): boolean {
    return JSON.stringify(a) === JSON.stringify(b);
}

export function sameHands(a: HandState | undefined, b: HandState | undefined): boolean {
    const parts = ({ carried, bodies, pins, cuts }: HandState) => [carried, bodies, pins, cuts];
    return same(parts(a ?? untouched), parts(b ?? untouched));
}

function placeOf(start: HandStart, vertex: number): Point {
    return [0, 1, 2].map((k) => start.positions[3 * vertex + k]!) as Point;
}

/** Whether the scene itself has it so. */
function isUsual({ vertex, position }: HandState["pins"][number], start: HandStart): boolean {
    if (!start.pinned[vertex]) return position === null;
    const place = placeOf(start, vertex);
    return position !== null && Math.hypot(...place.map((x, k) => x - position[k]!)) < SAME;
}

function isAtHome({ move, turn }: HandState["bodies"][number]): boolean {
    return Math.hypot(...move) < SAME && Math.abs(turn[3]) > 1 - SAME * SAME;
}

/** As it is to be kept: in few digits, without what is as the scene has it; undefined: nothing is
 *  left. `start`: null where it is not known. */
export function keptHands(hands: HandState, start: HandStart | null): HandState | undefined {
    const kept: HandState = {
        ...hands,
        carried: rounded(hands.carried),
        bodies: hands.bodies
            .filter((body) => !isAtHome(body))
            .map(({ index, move, turn }) => ({ index, move: rounded(move), turn: rounded(turn) })),
        pins: hands.pins
            .filter((pin) => !start || !isUsual(pin, start))
            .map(({ vertex, position }) => ({ vertex, position: position && rounded(position) })),
    };
    return isUntouched(kept) ? undefined : kept;
}

/** What is of the mesh goes with it; the rest stays. */
export function fittingHands(hands: HandState, counts: number[]): HandState {
    const fits = !hands.counts || same(hands.counts, counts);
    return fits ? hands : { ...hands, pins: [], cuts: [] };
}

/** Whether what was cut then can be made of what is cut now: cloth does not grow together. */
export function cutsGoOn(now: HandState = untouched, wanted: HandState = untouched): boolean {
    return same(now.cuts, wanted.cuts.slice(0, now.cuts.length));
}

/** What is to be done so that it is as wanted; null: nothing. What nobody wants goes back to where
 *  the scene has it. */
export function handsToGo(
    now: HandState,
    wanted: HandState,
    start: HandStart | null,
): HandState | null {
    const home = { move: [0, 0, 0] as Point, turn: [0, 0, 0, 1] as Turn };
    const left = <T>(all: T[], key: (one: T) => number, others: T[]) =>
        all.filter((one) => !others.some((other) => key(other) === key(one)));
    const fresh = <T>(all: T[], others: T[]) =>
        all.filter((one) => !others.some((other) => same(one, other)));
    const before = keptHands(now, null) ?? untouched;
    const bodies = left(before.bodies, ({ index }) => index, wanted.bodies);
    const pins = left(before.pins, ({ vertex }) => vertex, wanted.pins);
    const toGo: HandState = {
        ...wanted,
        bodies: [
            ...fresh(wanted.bodies, before.bodies),
            ...bodies.map(({ index }) => ({ index, ...home })),
        ],
        pins: [
            ...fresh(wanted.pins, before.pins),
            ...pins.map(({ vertex }) => ({
                vertex,
                position: start?.pinned[vertex] ? placeOf(start, vertex) : null,
            })),
        ],
        cuts: wanted.cuts.slice(now.cuts.length),
    };
    const { carried, ...rest } = toGo;
    const done = isUntouched({ ...rest, carried: [0, 0, 0] }) && same(carried, before.carried);
    return done ? null : toGo;
}

/** Which of them is different, in the user's words. */
export function handWords(a: HandState = untouched, b: HandState = untouched): string[] {
    const words: string[] = [];
    if (!same(a.pins, b.pins)) words.push("pin");
    if (!same([a.bodies, a.carried], [b.bodies, b.carried])) words.push("move of a body");
    if (!same(a.cuts, b.cuts)) words.push("cut");
    return words;
}

function areNumbers(list: unknown, count: number): boolean {
    return Array.isArray(list) && list.length === count && list.every(Number.isFinite);
}

/** Whether it is what hands did, wherever it comes from. */
export function isHands(value: unknown): value is HandState {
    const { carried, bodies, pins, cuts } = (value ?? {}) as Partial<HandState>;
    return (
        areNumbers(carried, 3) &&
        [bodies, pins, cuts].every(Array.isArray) &&
        bodies!.every(
            ({ index, move, turn }) =>
                Number.isInteger(index) && areNumbers(move, 3) && areNumbers(turn, 4),
        ) &&
        pins!.every(
            ({ vertex, position }) =>
                Number.isInteger(vertex) && (position === null || areNumbers(position, 3)),
        ) &&
        cuts!.every(
            ({ time, cloth, vertices }) =>
                Number.isFinite(time) &&
                Number.isInteger(cloth) &&
                Array.isArray(vertices) &&
                vertices.every(Number.isInteger),
        )
    );
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
export function writeHands(hands: HandState, firsts: number[]): number[] {
    const counts = firsts.slice(1).map((end, cloth) => end - firsts[cloth]!);
    const { carried, bodies, pins, cuts } = fittingHands(hands, counts);
    const fitting = cuts.filter(({ cloth, vertices }) => {
        const count = firsts[cloth + 1]! - firsts[cloth]!;
        return count >= 0 && vertices.every((v) => v >= 0 && v < count);
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
