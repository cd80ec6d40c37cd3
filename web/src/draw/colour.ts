// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Colours for numbers. Both maps are paths through OKLab, a space in which equal distances look
// equally different: lightness climbs evenly, so that the maps also read in grey and to eyes that
// tell few hues apart.

import { Color, SRGBColorSpace } from "three";

export interface ColourScale {
    low: number;
    high: number;
    map: "sequential" | "diverging";
}

type Rgb = [number, number, number];
/** Lightness 0 to 1, chroma (0 is grey), hue in degrees. */
type Tone = [number, number, number];

const LEVELS = 256;

// From night blue over teal to a light yellow.
const SEQUENTIAL: Tone[] = [
    [0.28, 0.11, 292],
    [0.41, 0.125, 262],
    [0.54, 0.1, 222],
    [0.67, 0.125, 172],
    [0.79, 0.165, 132],
    [0.92, 0.17, 104],
];
// Blue for less than nothing, red for more; nothing is almost white.
const DIVERGING: Tone[] = [
    [0.4, 0.15, 262],
    [0.63, 0.13, 250],
    [0.84, 0.055, 240],
    [0.96, 0.005, 90],
    [0.84, 0.07, 45],
    [0.65, 0.165, 32],
    [0.43, 0.165, 22],
];

// The matrices are those that define OKLab.
function linearFromLab(l: number, a: number, b: number): Rgb {
    const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const rgb = [
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
    ];
    return rgb.map((x) => Math.min(Math.max(x, 0), 1)) as Rgb;
}

// Straight lines in OKLab between the tones: no hue comes up that none of them has.
function between(tones: Tone[], at: number): Rgb {
    const place = at * (tones.length - 1);
    const i = Math.min(Math.floor(place), tones.length - 2);
    const t = place - i;
    const lab = [tones[i]!, tones[i + 1]!].map(([l, chroma, hue]) => {
        const angle = (hue * Math.PI) / 180;
        return [l, chroma * Math.cos(angle), chroma * Math.sin(angle)];
    });
    const mixed = [0, 1, 2].map((k) => lab[0]![k]! * (1 - t) + lab[1]![k]! * t);
    return linearFromLab(mixed[0]!, mixed[1]!, mixed[2]!);
}

function makeTable(tones: Tone[]): Float32Array {
    const table = new Float32Array(3 * LEVELS);
    for (let i = 0; i < LEVELS; i++) table.set(between(tones, i / (LEVELS - 1)), 3 * i);
    return table;
}

// Linear light, as shaders want it.
const TABLES = { sequential: makeTable(SEQUENTIAL), diverging: makeTable(DIVERGING) };

const NOT_A_NUMBER = 0.2; // grey

/** Write the colours of `values`, three numbers of linear light each, to `colours`. */
export function fillColours(colours: Float32Array, values: Float32Array, scale: ColourScale): void {
    const table = TABLES[scale.map];
    const count = Math.min(values.length, colours.length / 3);
    const range = scale.high - scale.low;
    const factor = range > 0 ? (LEVELS - 1) / range : 0;
    for (let i = 0; i < count; i++) {
        const place = (values[i]! - scale.low) * factor + 0.5;
        const known = place === place;
        const from = 3 * Math.floor(Math.min(Math.max(place, 0), LEVELS - 1));
        colours[3 * i] = known ? table[from]! : NOT_A_NUMBER;
        colours[3 * i + 1] = known ? table[from + 1]! : NOT_A_NUMBER;
        colours[3 * i + 2] = known ? table[from + 2]! : NOT_A_NUMBER;
    }
}

/** The colour at 0 (low) to 1 (high) for CSS. */
export function cssColour(map: ColourScale["map"], at: number): string {
    const i = 3 * Math.round(Math.min(Math.max(at, 0), 1) * (LEVELS - 1));
    const table = TABLES[map];
    const colour = new Color(table[i]!, table[i + 1]!, table[i + 2]!);
    return `#${colour.getHexString(SRGBColorSpace)}`;
}

function cssGradient(map: ColourScale["map"]): string {
    const stops: string[] = [];
    for (let i = 0; i <= 16; i++) stops.push(cssColour(map, i / 16));
    return `linear-gradient(to right, ${stops.join(", ")})`;
}

// Two or three digits say enough beside a bar of colour.
function shortNumber(x: number): string {
    if (x === 0) return "0";
    const size = Math.abs(x);
    if (size >= 10000 || size < 0.001) return x.toExponential(1).replace("e+", "e");
    const digits = Math.min(Math.max(1 - Math.floor(Math.log10(size)), 0), 4);
    return String(Number(x.toFixed(digits))).replace("-", "\u2212");
}

function makePart(name: string): HTMLElement {
    const element = document.createElement("div");
    element.className = name;
    return element;
}

/** A bar of the colours in use with the numbers at its ends and in the middle. */
export class Legend {
    readonly element = makePart("legend");
    private readonly title = makePart("title");
    private readonly bar = makePart("bar");
    private readonly numbers = ["low", "middle", "high"].map(makePart);

    constructor() {
        this.element.setAttribute("role", "img");
        this.element.append(this.title, this.bar, ...this.numbers);
        this.hide();
    }

    /** The numbers of the scale are in the unit. */
    show(title: string, unit: string, scale: ColourScale): void {
        const numbers = [scale.low, (scale.low + scale.high) / 2, scale.high];
        const texts = numbers.map(shortNumber);
        this.title.textContent = unit ? `${title} (${unit})` : title;
        this.bar.style.background = cssGradient(scale.map);
        this.numbers.forEach((element, i) => (element.textContent = texts[i]!));
        this.element.setAttribute("aria-label", `${title}: ${texts[0]} to ${texts[2]} ${unit}`);
        this.element.hidden = false;
    }

    hide(): void {
        this.element.hidden = true;
    }
}
