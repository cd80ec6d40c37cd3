// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the steps cost and what came out of them, as small charts of the last few seconds.

import { make, setText } from "./dom";
import { Drawer } from "./drawer";
import { formatSteady } from "./number";
import type { Sample } from "./panel-types";
import { Plot, type Line } from "./plot";
import { onTheme } from "./theme";

const length = 240;
const drawPause = 100;
/** Texts change slower than curves, and are means of this many samples. */
const textPause = 300;
const meanLength = 30;

/** The samples of one drawn frame, by lane. */
interface Row {
    frame: number;
    samples: (Sample | undefined)[];
}

function makeToggle(): HTMLButtonElement {
    const button = make("button", { type: "button", class: "readout" });
    const name = make("span", { class: "spoken" }, "Charts ");
    button.append(name, make("span", { class: "fps" }, "– fps"), make("span", { class: "ms" }));
    return button;
}

function mean(values: (number | null)[]): number {
    const known = values.slice(-meanLength).filter((value) => value !== null);
    return known.reduce((sum, value) => sum + value, 0) / known.length;
}

function lastOf(values: (number | null)[]): number {
    return values.findLast((value) => value !== null) ?? NaN;
}

function sumOf(parts: [string, number][]): number {
    return parts.reduce((sum, [, value]) => sum + value, 0);
}

export class Charts extends Drawer {
    private readonly time = new Plot({ title: "Step", wide: true, least: 1, length, spikes: 0.02 });
    private readonly energy = new Plot({
        title: "Energy",
        wide: true,
        least: 0.01,
        length,
        hint: "Gravity is counted from the first step that is shown.",
    });
    private readonly rate = new Plot({ title: "Frames", least: 60, length });
    private readonly stretch = new Plot({ title: "Largest stretch", least: 1, length });
    private readonly plots = [this.time, this.energy, this.rate, this.stretch];

    private rows: Row[] = [];
    private rates: number[] = [];
    private rateCount = 0;
    /** The energy of gravity at the start, by lane; its zero is anywhere. */
    private ground: number[] = [];
    /** The first frame that axes have room for. */
    private since = 0;
    private drawTimer = 0;
    private textTime = 0;

    constructor() {
        const element = make("section", { class: "charts glass", "aria-label": "Charts" });
        super(element, makeToggle(), "the charts (C)");
        element.append(make("div", { class: "drawer-body" }, ...this.plots.map((p) => p.element)));
        onTheme(() => this.forgetColors());
    }

    /** Takes what a lane did for a frame. Frames are numbered upwards. */
    push(sample: Sample, frame: number): void {
        let row = this.rows.at(-1);
        if (!row || row.frame !== frame) {
            row = { frame, samples: [] };
            this.rows.push(row);
            if (this.rows.length > length) this.rows.shift();
        }
        row.samples[sample.lane] = sample;
        this.ground[sample.lane] ??= sample.energies.find(([kind]) => kind === "gravity")?.[1] ?? 0;
        this.drawSoon();
    }

    setFps(fps: number): void {
        this.rates.push(fps);
        this.rateCount++;
        if (this.rates.length > length) this.rates.shift();
        this.drawSoon();
    }

    /** Forgets the samples, as for another scene. */
    clear(): void {
        this.rows = [];
        this.ground = [];
        this.freshAxes();
    }

    /** Other settings: curves go on, but axes are for what is to come. */
    freshAxes(): void {
        this.since = (this.rows.at(-1)?.frame ?? -1) + 1;
        for (const plot of this.plots) plot.resetAxis();
        this.drawSoon();
    }

    /** Of a recording, nothing is known but how fast it is drawn. */
    setLive(live: boolean): void {
        for (const plot of this.plots) plot.element.hidden = !live && plot !== this.rate;
    }

    override setOpen(open: boolean): void {
        super.setOpen(open);
        if (open) this.drawSoon();
    }

    private forgetColors(): void {
        for (const plot of this.plots) plot.forgetColors();
        this.drawSoon();
    }

    private drawSoon(): void {
        this.drawTimer ||= window.setTimeout(() => {
            this.drawTimer = 0;
            this.draw();
        }, drawPause);
    }

    private draw(): void {
        const now = performance.now();
        const withTexts = now - this.textTime >= textPause;
        if (withTexts) this.textTime = now;
        const lanes = this.laneCount();
        if (withTexts) this.showReadout(lanes);
        if (!this.open) return;
        const x = this.rows.map(({ frame }) => frame);
        this.drawRate(withTexts);
        this.drawPlot(this.time, x, this.timeLines(lanes), withTexts, lanes === 1);
        this.drawPlot(this.energy, x, this.energyLines(lanes), withTexts);
        this.drawPlot(this.stretch, x, this.stretchLines(lanes), withTexts);
        if (withTexts) this.showTitles(lanes);
    }

    private drawPlot(plot: Plot, x: number[], lines: Line[], withTexts: boolean, stacked = false) {
        const from = x.findIndex((frame) => frame >= this.since);
        plot.draw(x, lines, stacked, from < 0 ? x.length : from);
        if (withTexts) plot.showTexts(lines);
    }

    private drawRate(withTexts: boolean): void {
        const first = this.rateCount - this.rates.length;
        const x = this.rates.map((_, i) => first + i);
        this.rate.draw(x, [{ name: "fps", values: this.rates, text: "" }], false);
        if (withTexts) this.rate.setValue(this.rateText());
    }

    // Lanes report when they are done, so that the newest frames may lack some.
    private laneCount(): number {
        return Math.max(0, ...this.rows.slice(-meanLength).map(({ samples }) => samples.length));
    }

    private newest(lane: number): Sample | undefined {
        return this.rows.findLast(({ samples }) => samples[lane])?.samples[lane];
    }

    private values(lane: number, value: (sample: Sample) => number | undefined): Line["values"] {
        return this.rows.map(({ samples }) => {
            const sample = samples[lane];
            return (sample && value(sample)) ?? null;
        });
    }

    /** One line per lane; `text` says what is written for its values. */
    private laneLines(
        lanes: number,
        value: (sample: Sample, lane: number) => number,
        text: (values: Line["values"]) => string,
    ): Line[] {
        return Array.from({ length: lanes }, (_, lane) => {
            const values = this.values(lane, (sample) => value(sample, lane));
            return { name: this.newest(lane)?.label ?? "", values, text: text(values) };
        });
    }

    /** One line per part of the only lane: phases of the step, kinds of energy. */
    private partLines(
        parts: (sample: Sample) => [string, number][],
        text: (values: Line["values"]) => string,
    ): Line[] {
        const newest = this.newest(0);
        return (newest ? parts(newest) : []).map(([name]) => {
            const values = this.values(0, (s) => parts(s).find(([other]) => other === name)?.[1]);
            return { name, values, text: text(values) };
        });
    }

    private timeLines(lanes: number): Line[] {
        const text = (values: Line["values"]) => formatSteady(mean(values));
        if (lanes === 1) return this.partLines((sample) => sample.phases, text);
        return this.laneLines(lanes, (sample) => sample.total, text);
    }

    private energyLines(lanes: number): Line[] {
        const text = (values: Line["values"]) => formatSteady(lastOf(values));
        if (lanes === 1) return this.partLines((sample) => this.grounded(sample), text);
        return this.laneLines(lanes, (sample) => sumOf(this.grounded(sample)), text);
    }

    private stretchLines(lanes: number): Line[] {
        const text = (values: Line["values"]) => `${formatSteady(lastOf(values))} %`;
        return this.laneLines(lanes, (sample) => sample.stretch * 100, text);
    }

    private grounded(sample: Sample): [string, number][] {
        const ground = this.ground[sample.lane] ?? 0;
        return sample.energies.map(([kind, value]) => [
            kind,
            kind === "gravity" ? value - ground : value,
        ]);
    }

    private rateText(): string {
        const fps = this.rates.at(-1);
        return fps === undefined ? "– fps" : `${Math.round(fps)} fps`;
    }

    /** What is spent on showing it, beside the steps. */
    private detailText(lanes: number): string {
        if (lanes !== 1 || (this.newest(0)?.detail ?? null) === null) return "";
        return ` + detail ${formatSteady(mean(this.values(0, ({ detail }) => detail ?? undefined)))} ms`;
    }

    /** Milliseconds of the only lane; several have their own in the legend. */
    private stepText(lanes: number): string {
        if (lanes !== 1) return "";
        return `${formatSteady(mean(this.values(0, (sample) => sample.total)))} ms`;
    }

    private showReadout(lanes: number): void {
        setText(this.toggle.querySelector(".fps")!, this.rateText());
        setText(this.toggle.querySelector(".ms")!, this.stepText(lanes));
    }

    private showTitles(lanes: number): void {
        const only = lanes === 1 ? this.newest(0) : undefined;
        this.time.setValue(only ? this.stepText(lanes) + this.detailText(lanes) : "ms");
        const elastic = this.newest(0)?.energies.some(([kind]) => kind === "stretch") ?? true;
        const unit = elastic ? "J" : "J, without that of stretch";
        this.energy.setValue(only ? `${formatSteady(sumOf(this.grounded(only)))} ${unit}` : unit);
        this.stretch.setValue(only ? `${formatSteady(only.stretch * 100)} %` : "");
    }
}
