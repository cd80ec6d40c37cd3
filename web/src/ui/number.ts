// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Numbers as people read them: three digits, and powers of ten only where zeros would pile up.

export function formatNumber(value: number): string {
    const size = Math.abs(value);
    if (size === 0 || !Number.isFinite(value)) return size === 0 ? "0" : "–";
    if (size >= 1e6 || size < 1e-3) return Number(value.toPrecision(2)).toExponential();
    return size >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
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
