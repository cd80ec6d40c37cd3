// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene that is simulated in the page, by one method or by several side by side.

import { ClothView, type Look } from "../draw/cloth";
import type { Description, LibraryChoice, LibraryField } from "../sim/core";
import { SceneDocument, type Edits } from "../scene/document";
import { distances, FieldScale } from "./fields";
import { firstMethods, isReference, methodOf, referenceMethod } from "../scene/methods";
import type { Sample } from "../ui/panel-types";
import { Player, type LaneFrame } from "../sim/player";
import type { Opened, SceneText, Touch } from "../sim/protocol";
import type { FieldName, Shape } from "../shape";

/** What a pane shows beside the cloth. */
export interface PaneNote {
    method: string;
    title: string;
    detail: string;
}

export interface LiveEvents {
    /** Another scene, or other settings. */
    changed(fresh: boolean): void;
    drawn(samples: Sample[]): void;
    refused(reason: string): void;
    stopped(reason: string): void;
}

/** What can be taken back when it is refused. */
interface Asked {
    document: SceneDocument;
    edits: Edits;
    paneMethods: string[];
    panes: number;
    field: FieldName;
}

const phases = ["predict", "force", "build", "factor", "solve", "update"];
const energies = ["kinetic", "gravity", "stretch", "bend"];

export class Live {
    readonly player: Player;
    document: SceneDocument | null = null;
    /** Of the first lane, as it is played now. */
    description: Description | null = null;
    choices: LibraryChoice[] = [];
    shape: Shape | null = null;
    views: ClothView[] = [];
    scale: FieldScale | null = null;
    panes = 1;
    paneMethods = [...firstMethods];
    field: FieldName = "none";

    private settle: (shown: boolean) => void = () => {};
    private good: Asked | null = null;
    private fresh = false;
    /** Told with the first frame, when there is something to look at: whether it is fresh. */
    private pendingChange: boolean | null = null;
    private apart: Float32Array[] = [];
    private notes: PaneNote[] = [];
    private lastFrames: LaneFrame[] = [];

    constructor(
        private look: Look,
        private showPins: boolean,
        private readonly events: LiveEvents,
    ) {
        this.player = new Player({
            opened: (lanes) => this.opened(lanes),
            frame: (lanes) => this.drawn(lanes),
            refused: (reason) => this.refused(reason),
            stopped: (lane, reason) => this.stopped(lane, reason),
        });
    }

    // -----------------------------------------------------------------------------------------
    // What is asked for

    /** Resolves when the scene is on the stage; false where it was refused. */
    open(document: SceneDocument): Promise<boolean> {
        this.document = document;
        this.fresh = true;
        this.player.show(this.texts(), true, { text: document.original, name: document.file });
        this.settle(false);
        return new Promise((resolve) => (this.settle = resolve));
    }

    edit(edits: Edits): void {
        if (!this.document) return;
        this.document.edits = { ...this.document.edits, ...edits };
        this.push();
    }

    /** As the file has it, from the start. */
    restore(): void {
        if (!this.document) return;
        this.document.edits = {};
        this.fresh = true;
        this.push();
    }

    reset(): void {
        this.player.reset();
    }

    /** Comparisons begin together, from the start. */
    setPanes(panes: number): void {
        if (panes === this.panes || panes < 1 || panes > 4) return;
        if (this.panes === 1) this.paneMethods[0] = this.document?.edits.method ?? "scene";
        this.panes = panes;
        this.fresh = true;
        this.push();
    }

    setPaneMethod(pane: number, method: string): void {
        this.paneMethods[pane] = method;
        this.push();
    }

    setField(field: FieldName): void {
        if (field === this.field) return;
        const lanes = this.texts().length;
        this.field = field;
        this.scale = field === "none" ? null : new FieldScale(field);
        this.player.field = isOfLibrary(field) ? field : null;
        if (this.texts().length === lanes) return this.player.redraw();
        this.fresh = true;
        this.push();
    }

    setLook(look: Look, showPins: boolean): void {
        this.look = look;
        this.showPins = showPins;
        for (const view of this.views) view.setLook(look);
        this.showFrames();
    }

    touch(touch: Touch): void {
        this.player.touch(touch);
        this.player.redraw(); // pins are seen at once, paused or not
    }

    /** One text per lane; a reference that no pane shows is the last one. */
    private texts(): SceneText[] {
        if (!this.document) return [];
        const ids = this.laneMethods();
        return ids.map((id) => this.document!.compose(id));
    }

    /** null: as edited. */
    private laneMethods(): (string | null)[] {
        const shown = this.panes === 1 ? [null] : this.paneMethods.slice(0, this.panes);
        return this.needsReference() ? [...shown, referenceMethod] : shown;
    }

    private methodOfPane(pane: number): string {
        if (this.panes > 1) return this.paneMethods[pane]!;
        return this.document?.edits.method ?? "scene";
    }

    private referencePane(): number {
        for (let pane = 0; pane < this.panes; pane++)
            if (isReference(this.methodOfPane(pane))) return pane;
        return -1;
    }

    private needsReference(): boolean {
        return this.field === "distance" && this.referencePane() < 0;
    }

    private push(): void {
        if (this.document) this.player.show(this.texts(), this.fresh);
    }

    private asked(): Asked {
        const { panes, field } = this;
        const document = this.document!;
        const edits = { ...document.edits };
        return { document, edits, paneMethods: [...this.paneMethods], panes, field };
    }

    // -----------------------------------------------------------------------------------------
    // What comes of it

    private opened(lanes: Opened[]): void {
        const document = this.document!;
        document.description ??= lanes[0]!.description;
        this.description = lanes[0]!.description;
        this.choices = lanes[0]!.choices;
        this.shape = lanes[0]!.shape;
        this.good = this.asked();
        this.makeViews(lanes.slice(0, this.panes));
        this.notes = [];
        this.pendingChange = this.fresh;
        this.fresh = false;
    }

    private makeViews(lanes: Opened[]): void {
        const same =
            this.views.length === lanes.length &&
            this.views.every((view, i) => sameShape(view.shape, lanes[i]!.shape));
        if (same) return;
        for (const view of this.views) view.dispose();
        this.views = lanes.map(({ shape }) => new ClothView(shape, this.look));
        this.apart = lanes.map(({ shape }) => new Float32Array(shape.vertexCount));
    }

    private refused(reason: string): void {
        const before = this.good;
        if (before) {
            this.document = before.document;
            this.document.edits = before.edits;
            this.paneMethods = before.paneMethods;
            this.panes = before.panes;
            this.field = before.field;
        }
        this.fresh = false;
        this.settle(false);
        this.events.refused(reason);
    }

    private stopped(lane: number, reason: string): void {
        const method = lane < this.panes ? this.methodOfPane(lane) : referenceMethod;
        const name = methodOf(method).step ? `${methodOf(method).label}: ` : "";
        this.events.stopped(name + reason);
    }

    private drawn(frames: LaneFrame[]): void {
        this.lastFrames = frames;
        this.showFrames();
        if (this.pendingChange !== null) {
            this.events.changed(this.pendingChange);
            this.settle(true);
        }
        this.pendingChange = null;
        this.events.drawn(frames.slice(0, this.panes).map((frame, i) => this.sample(frame, i)));
    }

    private showFrames(): void {
        const frames = this.lastFrames;
        if (frames.length < this.panes || this.views.length !== this.panes) return;
        this.views.forEach((view, i) => {
            const { buffers, numbers } = frames[i]!;
            view.update({ time: numbers.time!, ...buffers });
            view.markPins(this.showPins ? buffers.pinned : null);
        });
        const apart = this.measureDistances(frames);
        this.showFields(frames);
        this.notes = frames.slice(0, this.panes).map((frame, i) => this.note(frame, i, apart[i]!));
    }

    /** Root mean square distance of every pane to the reference, in metres; null without one. */
    private measureDistances(frames: LaneFrame[]): (number | null)[] {
        const shown = this.referencePane();
        const reference = frames[shown >= 0 ? shown : this.panes]?.buffers.positions;
        return this.apart.map((apart, i) => {
            const positions = frames[i]!.buffers.positions;
            if (!reference || reference.length !== positions.length) return null;
            return distances(positions, reference, apart);
        });
    }

    private showFields(frames: LaneFrame[]): void {
        const { scale, field } = this;
        const values = this.views.map((_, i) =>
            field === "distance" ? this.apart[i]! : frames[i]!.buffers.field,
        );
        scale?.follow(values);
        this.views.forEach((view, i) => {
            if (scale) view.showField(values[i]!, scale.colours);
            else view.showField(null, { low: 0, high: 1, map: "sequential" });
        });
    }

    private note(frame: LaneFrame, pane: number, apart: number | null): PaneNote {
        const method = this.methodOfPane(pane);
        const cost = `${frame.cost < 1 ? frame.cost.toFixed(2) : frame.cost.toFixed(1)} ms`;
        const reference = pane === this.referencePane();
        const distance =
            apart === null
                ? ""
                : reference
                  ? ", reference"
                  : `, ${(1000 * apart).toFixed(0)} mm off`;
        const detail = frame.stopped ? "stopped" : cost + distance;
        return { method, title: methodOf(method).label, detail };
    }

    paneNotes(): PaneNote[] {
        return this.notes;
    }

    private sample(frame: LaneFrame, lane: number): Sample {
        const numbers = frame.numbers;
        const list = (names: string[], factor: number) =>
            names.map((name): [string, number] => [name, factor * numbers[name]!]);
        return {
            lane,
            label: methodOf(this.methodOfPane(lane)).label,
            phases: list(phases, 1000),
            total: 1000 * numbers.total!,
            energies: list(energies, 1),
            stretch: numbers.max_stretch! - 1,
        };
    }

    /** What was drawn last, of a pane: its own until the next step is asked for. */
    buffersOf(pane: number): LaneFrame["buffers"] | null {
        return this.lastFrames[pane]?.buffers ?? null;
    }
}

function isOfLibrary(field: FieldName): field is LibraryField {
    return field === "stretch" || field === "curvature" || field === "speed";
}

function sameNumbers(a: Uint32Array, b: Uint32Array): boolean {
    return a.length === b.length && a.every((value, i) => value === b[i]);
}

function sameShape(a: Shape, b: Shape): boolean {
    return (
        a.vertexCount === b.vertexCount &&
        sameNumbers(a.triangles, b.triangles) &&
        sameNumbers(a.lines, b.lines)
    );
}
