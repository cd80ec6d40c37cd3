// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Numbers as people read them: three digits, and powers of ten only where zeros would pile up.

export function formatNumber(value: number): string {
    const size = Math.abs(value);
    if (size === 0 || !Number.isFinite(value)) return size === 0 ? "0" : "–";
    if (size >= 1e6 || size < 1e-3) return Number(value.toPrecision(2)).toExponential();
    return size >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

/** A number as people type it: "1500", "1,5", "1/240", "1e-4 N m", "4 ms" where seconds are meant;
 *  null where it is none. */
export function readNumber(text: string, unit: string): number | null {
    const plain = text.trim().replace("\u2212", "-").replace(",", ".");
    const found = /^([-+]?[\d.]+(?:e[-+]?\d+)?)(?:\s*\/\s*([\d.]+))?\s*(.*)$/i.exec(plain);
    if (!found) return null;
    const [, number, divisor, rest] = found;
    const factor = rest === "" || rest === unit ? 1 : rest === `m${unit}` && unit ? 1e-3 : NaN;
    const value = (factor * Number(number)) / Number(divisor ?? 1);
    return Number.isFinite(value) ? value : null;
}

export function withUnit(text: string, unit: string): string {
    return unit ? `${text} ${unit}` : text;
}

/** A changing number: zeros at its end stay, so that it does not dance. */
export function formatSteady(value: number): string {
    if (!Number.isFinite(value)) return "–";
    const size = Math.abs(value);
    const text = size.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
    return value < 0 && Number(text) > 0 ? `−${text}` : text;
}
