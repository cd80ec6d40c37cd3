// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One chart: a title with the current value, the curves, and a legend with a value for each.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { AxisRange } from "./axis-range";
import { make, setText } from "./dom";
import { formatNumber } from "./number";

export interface Line {
    name: string;
    values: (number | null)[];
    /** The current value, for the legend. */
    text: string;
}

export interface PlotOptions {
    title: string;
    /** The least upper end of the axis. */
    least: number;
    /** Whether it takes a whole row where charts stand side by side. */
    wide?: boolean;
    /** How many samples wide. */
    length: number;
    /** The part of the samples that may leave the chart: lone spikes are not worth flat curves. */
    spikes?: number;
    hint?: string;
}

const height = 62;
const axisWidth = 34;
const colorCount = 7;
/** Hexadecimal, appended to a colour. */
const areaOpacity = "d0";
const font = "10px system-ui, sans-serif";

function cssColor(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function lineColor(index: number): string {
    return cssColor(`--c${index % colorCount}`);
}

/** Each line on top of those before it. */
function stack(lines: Line[]): Line[] {
    const sums: number[] = [];
    return lines.map((line) => {
        const values = line.values.map((value, i) => {
            if (value === null) return null;
            return (sums[i] = (sums[i] ?? 0) + value);
        });
        return { ...line, values };
    });
}

/** The lowest and the highest value from a sample on, but for a part of the highest. */
function extent(lines: Line[], from: number, spikes: number): [number, number] {
    let low = 0,
        high = 0;
    for (const { values } of lines) {
        const known = values
            .slice(from)
            .filter((value) => value !== null)
            .sort((a, b) => a - b);
        if (known.length === 0) continue;
        low = Math.min(low, known[0]);
        high = Math.max(high, known[Math.floor((known.length - 1) * (1 - spikes))]);
    }
    return [low, high];
}

export class Plot {
    readonly element: HTMLElement;
    private readonly value = make("span", { class: "value" });
    private readonly body = make("div", { class: "plot-body", "aria-hidden": "true" });
    private readonly legend = make("ul", { class: "plot-legend" });
    private readonly range: AxisRange;
    private chart: uPlot | undefined;
    private shape = "";
    private last = 0;

    constructor(private readonly options: PlotOptions) {
        const title = make("h3", {}, options.title);
        const header = make("div", { class: "plot-header" }, title, this.value);
        this.element = make("div", { class: "plot" }, header, this.body, this.legend);
        this.element.classList.toggle("wide", options.wide ?? false);
        if (options.hint) this.element.title = options.hint;
        this.range = new AxisRange(options.least);
        new ResizeObserver(() => this.resize()).observe(this.body);
    }

    setValue(text: string): void {
        setText(this.value, text);
    }

    /** Other values are to come: the axis begins anew. */
    resetAxis(): void {
        this.range.reset();
    }

    /** Shows the lines, over the numbers of their samples. `from`: the first sample that the axis has
     *  room for; those before it may leave the chart. */
    draw(x: number[], lines: Line[], stacked: boolean, from = 0): void {
        const shape = JSON.stringify([stacked, ...lines.map(({ name }) => name)]);
        if (shape !== this.shape) {
            this.shape = shape;
            this.makeChart(lines, stacked);
        }
        const drawn = stacked ? stack(lines) : lines;
        this.range.follow(...extent(drawn, from, this.options.spikes ?? 0));
        this.last = x.at(-1) ?? 0;
        this.chart?.setData([x, ...drawn.map(({ values }) => values)]);
    }

    /** Writes the current values under the curves. */
    showTexts(lines: Line[]): void {
        const texts = this.legend.querySelectorAll(".value");
        lines.forEach(({ text }, i) => texts[i] && setText(texts[i], text));
    }

    /** Takes the colours of the theme anew with the next drawing. */
    forgetColors(): void {
        this.shape = "";
    }

    private makeChart(lines: Line[], stacked: boolean): void {
        this.chart?.destroy();
        this.chart = new uPlot(this.chartOptions(lines, stacked), undefined, this.body);
        this.makeLegend(lines);
    }

    private makeLegend(lines: Line[]): void {
        const items = lines.map(({ name, text }, i) => {
            const swatch = make("span", {
                class: "swatch",
                style: `--color: var(--c${i % colorCount})`,
            });
            const label = make("span", { class: "name" }, name);
            return make("li", {}, swatch, label, make("span", { class: "value" }, text));
        });
        this.legend.replaceChildren(...items);
        this.legend.hidden = lines.length < 2;
        this.legend.classList.toggle(
            "long",
            lines.some(({ name }) => name.length > 8),
        );
    }

    private chartOptions(lines: Line[], stacked: boolean): uPlot.Options {
        const bands = lines.slice(1).map((_, i) => ({
            series: [i + 2, i + 1] as [number, number],
            fill: lineColor(i + 1) + areaOpacity,
        }));
        return {
            width: Math.max(1, this.body.clientWidth),
            height,
            padding: [5, 1, 5, 0],
            cursor: { show: false },
            legend: { show: false },
            scales: {
                x: { time: false, range: () => [this.last - this.options.length + 1, this.last] },
                y: { range: () => [this.range.min, this.range.max] },
            },
            axes: [{ show: false }, this.axis()],
            series: [{}, ...lines.map((_, i) => this.series(i, lines.length, stacked))],
            bands: stacked ? bands : [],
        };
    }

    private axis(): uPlot.Axis {
        return {
            size: axisWidth,
            gap: 4,
            font,
            stroke: cssColor("--muted"),
            grid: { stroke: cssColor("--line"), width: 1 },
            ticks: { show: false },
            splits: () => this.range.ticks,
            values: (_, ticks) => ticks.map(formatNumber),
        };
    }

    private series(index: number, count: number, stacked: boolean): uPlot.Series {
        const color = lineColor(index);
        const points = { show: false };
        // the lowest area of a stack is filled down to zero, those above as bands
        if (stacked) return { width: 0, points, ...(index === 0 && { fill: color + areaOpacity }) };
        return { stroke: color, width: 1.5, points, ...(count === 1 && { fill: color + "33" }) };
    }

    private resize(): void {
        const width = this.body.clientWidth;
        if (width > 0) this.chart?.setSize({ width, height });
    }
}
