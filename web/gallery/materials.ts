// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One picture for each kind of material: the dress of the first screen, made of it.

import { deflateSync } from "node:zlib";
import { writeEdits } from "../src/app/keep/edit-words";
import { writePack } from "../src/app/keep/pack";
import type { Print } from "../src/look";

export interface MaterialShot {
    name: string;
    query: string;
    hash?: string;
}

const WORN = "?bare&scene=garment:dress&near&time=1.2&turn=-12,-4&zoom=0.66&shift=0.06,0.24,0.11";
const CLOSE = "?bare&scene=garment:dress&near&time=1.2&turn=-12,-4&zoom=0.17&shift=0.06,0.32,0.11";

const worn: [string, string][] = [
    ["satin", "polyester_satin"],
    ["silk", "silk_charmeuse"],
    ["chiffon", "silk_chiffon"],
    ["denim", "denim"],
    ["wool", "wool_suiting"],
    ["jersey", "cotton_jersey"],
    ["canvas", "canvas"],
];
const close: [string, string][] = [
    ["denim", "denim"],
    ["knit", "cotton_jersey"],
];

// -------------------------------------------------------------------------------------------------
// Prints

const SIZE = 256; // pixels

// A flower of five petals and a bud, over each other's edges: the picture repeats.
function isPetal(x: number, y: number, size: number): boolean {
    const wrap = (d: number) => d - Math.round(d);
    const [u, v] = [wrap(x), wrap(y)];
    const angle = Math.atan2(v, u),
        reach = size * (0.62 + 0.38 * Math.abs(Math.cos(2.5 * angle)));
    return Math.hypot(u, v) < reach;
}

function colourAt(x: number, y: number): number[] {
    if (isPetal(x - 0.3, y - 0.32, 0.045) || isPetal(x - 0.78, y - 0.76, 0.03))
        return [242, 201, 96];
    if (isPetal(x - 0.3, y - 0.32, 0.2)) return [232, 112, 104];
    if (isPetal(x - 0.78, y - 0.76, 0.13)) return [246, 240, 228];
    if (isPetal(x - 0.8, y - 0.22, 0.06) || isPetal(x - 0.24, y - 0.8, 0.05))
        return [122, 158, 126];
    return [31, 46, 74];
}

function chunk(kind: string, data: Buffer): Buffer {
    const table = (byte: number) => {
        for (let k = 0; k < 8; k++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
        return byte >>> 0;
    };
    const body = Buffer.concat([Buffer.from(kind), data]);
    let sum = 0xffffffff;
    for (const byte of body) sum = (table((sum ^ byte) & 255) ^ (sum >>> 8)) >>> 0;
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE((sum ^ 0xffffffff) >>> 0);
    return Buffer.concat([length, body, check]);
}

function flowers(): Uint8Array<ArrayBuffer> {
    const rows = Array.from({ length: SIZE }, (_, y) => [
        0, // no filter
        ...Array.from({ length: SIZE }, (_, x) => colourAt(x / SIZE, y / SIZE)).flat(),
    ]);
    const head = Buffer.alloc(13);
    head.writeUInt32BE(SIZE, 0);
    head.writeUInt32BE(SIZE, 4);
    head.set([8, 2], 8);
    return new Uint8Array(
        Buffer.concat([
            Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
            chunk("IHDR", head),
            chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
            chunk("IEND", Buffer.alloc(0)),
        ]),
    );
}

function printed(fabric: string, colour: string, print: Partial<Print>): string {
    const whole: Print = { kind: "none", colour: "#ffffff", size: 0.02, file: "", ...print };
    const look = { colour, reverse: colour, print: whole };
    return writeEdits({ fabric, looks: { "0": look } });
}

/** All of them. */
export async function materialShots(): Promise<MaterialShot[]> {
    const flower = { name: "flowers.png", bytes: flowers() };
    const { packed } = await writePack({ files: [flower] });
    const prints: [string, string, string?][] = [
        [
            "stripes",
            printed("cotton_poplin", "#f2f0ea", { kind: "stripes", colour: "#27406b", size: 0.03 }),
        ],
        [
            "checks",
            printed("wool_tropical", "#8d2f2f", { kind: "checks", colour: "#20302c", size: 0.05 }),
        ],
        [
            "picture",
            printed("cotton_poplin", "#1f2e4a", { kind: "picture", size: 0.14, file: flower.name }),
            `#own=${packed}`,
        ],
    ];
    return [
        ...worn.map(([name, fabric]) => ({
            name: `material_${name}`,
            query: `${WORN}&fabric=${fabric}`,
        })),
        ...close.map(([name, fabric]) => ({
            name: `material_${name}_close`,
            query: `${CLOSE}&fabric=${fabric}`,
        })),
        ...prints.map(([name, edits, hash]) => ({
            name: `print_${name}`,
            query: `${WORN}&edits=${edits}`,
            hash,
        })),
    ];
}
