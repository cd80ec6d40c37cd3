// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Wind as settings have it, and as scenes have it.

export interface Wind {
    speed: number;
    /** Degrees, where it blows to. */
    direction: number;
    gusts: boolean;
}

/** Times and vectors, where a value goes from key to key. */
export function keysOf(value: unknown): number[][] | null {
    const keys = (value as { keys?: number[][] } | null | undefined)?.keys;
    return Array.isArray(keys) && keys.length > 0 ? keys : null;
}

export function meanOf(keys: number[][]): number[] {
    return [1, 2, 3].map((k) => keys.reduce((sum, key) => sum + key[k]!, 0) / keys.length);
}

export function windVector(speed: number, degrees: number): number[] {
    const angle = (degrees * Math.PI) / 180;
    const round = (number: number) => Math.round(1e4 * number) / 1e4;
    return [round(speed * Math.cos(angle)), 0, round(speed * Math.sin(angle))];
}

/** Wind that comes and goes for some minutes, the same every time. */
export function gustTrack(speed: number, degrees: number): { keys: number[][] } {
    const keys: number[][] = [];
    let random = 1;
    const next = () => (random = (random * 16807) % 2147483647) / 2147483647;
    for (let time = 0; time < 300; time += 0.5 + 0.8 * next()) {
        const strength = speed * (0.2 + 1.3 * next());
        const turned = degrees + 50 * (next() - 0.5);
        keys.push([Math.round(1000 * time) / 1000, ...windVector(strength, turned)]);
    }
    return { keys };
}
