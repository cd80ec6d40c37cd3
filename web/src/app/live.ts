// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene that is simulated in the page, by one method or by several side by side.

import { surroundingsOf } from "../draw/bodies";
import { bareView, ClothView, type Style } from "../draw/cloth";
import type { Look } from "../look";
import { floorBelow } from "../draw/camera/room";
import type { Description, LibraryChoice, LibraryField } from "../sim/core";
import { SceneDocument, type Edits } from "../scene/document";
import { Tried, type Chosen } from "./tried";
import { distances, FieldScale } from "./fields";
import {
    firstMethods,
    isReference,
    methodOf,
    referenceMethod,
    versusMethods,
} from "../scene/methods";
import type { Sample } from "../ui/panel-types";
import { Dresser } from "../sim/dresser";
import {
    cutsGoOn,
    keptHands,
    sameHands,
    untouched,
    type HandStart,
    type HandState,
} from "../sim/hands";
import type { LaneEnded } from "../sim/lane";
import { Player, type LaneFrame, type Wanted } from "../sim/player";
import type { Opened, Progress, SceneText, Start, Touch } from "../sim/protocol";
import { addedBoxes } from "./files/place-body";
import { fabricChoices } from "./files/open";
import { endedWords, flownWords, refusedWords, slowWords, undressedWords } from "./troubles";
import { Versus } from "./versus";
import type { BodyShape, FieldName, Shape } from "../shape";

/** What a pane shows beside the cloth. */
export interface PaneNote {
    method: string;
    title: string;
    detail: string;
}

/** What is new on the stage: another scene, the same from its start, settings only, or the mesh of
 *  cloth that was torn. */
export type News = "scene" | "start" | "settings" | "mesh";

export interface LiveEvents {
    changed(news: News): void;
    drawn(samples: Sample[]): void;
    /** `asked`: the text that was. */
    refused(reason: string, asked?: string): void;
    /** Something goes wrong, and `back` says what to go back to; null: there is nothing. */
    trouble(reason: string, back: string | null): void;
    /** What was played is no more; `again`: something else begins. */
    ended(reason: string, again: boolean): void;
    /** What hands asked for cannot be, and why; or how many edges a stroke of the knife cut. */
    touched(told: { reason: string } | { edges: number }): void;
    /** Garments are being put on, of a scene of this name; null: they are, or it was given up. */
    dressing(progress: Progress | null, name: string): void;
    /** Who is dressed is there to be looked at; nothing else is. */
    waits(view: ClothView): void;
}

interface Asked extends Wanted {
    chosen: Chosen;
}

/** What is put on, and what is to be asked for once it is. */
interface Dressing {
    document: SceneDocument;
    detail: number | undefined;
    fresh: boolean;
    opens: boolean;
}

/** Milliseconds: of a step that takes longer, the page says so. */
const SLOW = 2000;
const phases = ["predict", "force", "build", "factor", "solve", "update"];
const contactPhases = ["body", "self", "respond", "defend"];
const energies = ["kinetic", "gravity", "stretch", "bend"];
/** Where XPBD plays: few projections leave stretch that its cloth never pulls by. */
const outerEnergies = ["kinetic", "gravity"];

/** What the user asks for takes a while to come about, and may be refused: `document`, `panes`,
 *  `paneMethods` and `field` are what was asked for last, `shown` is what is played. */
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
    /** For steps; null: as many as the machine has. The rival has one, and so has weft beside it. */
    mostThreads: number | null = null;

    private settle: (shown: boolean) => void = () => {};
    private shown: Chosen | null = null;
    private lastAsked: Asked | null = null;
    /** Told with the first frame, when there is something to look at. */
    private news: News | null = null;
    private readonly tried = new Tried();
    private readonly dresser = new Dresser();
    private dressing: Dressing | null = null;
    /** Whether it was said that what is shown takes long. */
    private toldSlow = false;
    /** What is measured of a comparison with the rival. */
    readonly measured = new Versus();
    private apart: Float32Array[] = [];
    private notes: PaneNote[] = [];
    private lastFrames: LaneFrame[] = [];
    private torn = false;

    constructor(
        private style: Style,
        private showPins: boolean,
        private readonly events: LiveEvents,
    ) {
        this.player = new Player({
            opened: (lanes, by) => this.opened(lanes, by as Asked | null),
            frame: (lanes) => this.drawn(lanes),
            refused: (reason, by) => this.refused(reason, by as Asked | null),
            stopped: (lane, reason, stretch) => this.stopped(lane, reason, stretch),
            touched: (told) => this.events.touched(told),
            started: (start, by) => this.started(start, by as Asked),
            ended: (error, lane, by) => this.ended(error, lane, by as Asked | null),
        });
    }

    // -----------------------------------------------------------------------------------------
    // What is asked for

    /** Resolves when the scene is on the stage; false where it was refused. */
    open(document: SceneDocument): Promise<boolean> {
        const { versus } = this;
        const goesOn = this.panes === 2 && this.paneMethods[1] === versusMethods[1];
        if (versus !== null && goesOn) document.edits = { ...document.edits, versus };
        this.document = document;
        this.settle(false);
        const shown = new Promise<boolean>((resolve) => (this.settle = resolve));
        this.ask(true, true);
        return shown;
    }

    edit(edits: Edits): void {
        if (!this.document) return;
        this.document.edits = { ...this.document.edits, ...edits };
        this.ask(false);
    }

    /** The text of the scene, by hand: the motion goes on where it begins as before. */
    write(text: string): void {
        if (!this.document || text === this.document.written) return;
        const goesOn = this.document.write(text);
        this.ask(!goesOn, !goesOn);
    }

    /** As the file has it, from the start. */
    restore(): void {
        if (!this.document) return;
        this.document.edits = {};
        this.ask(true);
    }

    reset(): void {
        if (this.player.empty) this.ask(true);
        else this.player.reset();
    }

    /** To what worked before what is shown now, from the start. */
    goBack(): void {
        const before = this.shown && this.tried.before(this.shown);
        if (!before) return;
        this.takeBack(before);
        this.ask(true);
    }

    /** What the user chose; null while something else is on its way. */
    get chosen(): Chosen | null {
        const settled = this.document !== null && this.shown?.document === this.document;
        return settled && !this.dressing ? this.choose() : null;
    }

    /** The same, there already or still on its way. */
    get asked(): Chosen | null {
        return this.document && this.choose();
    }

    /** What was chosen at another time: the motion goes on, but where it has to begin anew. */
    goTo(chosen: Chosen): void {
        const before = this.document && this.choose();
        this.takeBack(chosen);
        if (before?.document !== chosen.document) return void this.open(chosen.document);
        const told = (one: Chosen) => JSON.stringify([one.edits, laneMethods(one)]);
        if (told(before) === told(chosen)) return;
        const { document, edits } = chosen;
        const heals = !cutsGoOn(before.edits.hands, edits.hands);
        const others = before.edits.bodies !== edits.bodies;
        if (others && document.start) this.findFloor(document, document.start);
        this.ask(others || heals || laneMethods(before).length !== laneMethods(chosen).length);
    }

    /** The floor holds cloth, or does not: what lies below it already begins anew. */
    setFloor(on: boolean): void {
        const { document } = this;
        if (!document) return;
        document.edits = { ...document.edits, floor: on };
        const lowest = Math.min(...this.views.map((view) => view.box.min.y));
        this.ask(on && document.floor !== null && !(lowest > document.floor));
    }

    /** Other bodies, from the start. */
    setBodies(bodies: NonNullable<Edits["bodies"]>): void {
        const { document } = this;
        if (!document?.start) return;
        document.edits = { ...document.edits, bodies };
        this.findFloor(document, document.start);
        this.ask(true);
    }

    private findFloor(document: SceneDocument, start: Start): void {
        const around = surroundingsOf(start.bodyShape, start.bodies);
        around.boxes.push(...addedBoxes(document));
        document.floor = floorBelow(start.positions, start.pinned, around);
    }

    /** Comparisons begin together, from the start. */
    setPanes(panes: number): void {
        if (panes === this.panes || panes < 1 || panes > 4) return;
        if (this.versus !== null) this.leaveVersus();
        if (this.panes === 1) this.paneMethods[0] = this.document?.edits.method ?? "scene";
        this.panes = panes;
        this.ask(true);
    }

    /** For what is opened next: a pane for each of several methods, and what colours show. */
    arrange(methods: string[], field: FieldName): void {
        this.panes = Math.max(1, methods.length);
        methods.forEach((method, pane) => (this.paneMethods[pane] = method));
        if (field !== this.field) this.takeField(field);
    }

    /** Milliseconds per step that weft and its rival have, head to head; null: something else is
     *  shown. */
    get versus(): number | null {
        return this.document?.edits.versus ?? null;
    }

    /** Ends it by null. The budget changes while it goes on. */
    setVersus(budget: number | null): void {
        if (!this.document) return;
        const begins = this.versus === null || budget === null;
        if (begins) this.panes = budget === null ? 1 : 2;
        if (budget === null) this.leaveVersus();
        else this.document.edits = { ...this.document.edits, versus: budget };
        if (budget !== null && begins) this.paneMethods.splice(0, 2, ...versusMethods);
        this.measured.clear();
        this.ask(begins);
    }

    private leaveVersus(): void {
        const { versus, ...kept } = this.document!.edits;
        this.document!.edits = kept;
        this.paneMethods = [...firstMethods];
    }

    setPaneMethod(pane: number, method: string): void {
        this.paneMethods[pane] = method;
        this.ask(false);
    }

    setField(field: FieldName): void {
        if (field === this.field) return;
        const before = this.document ? laneMethods(this.choose()) : [];
        this.takeField(field);
        if (!this.document) return;
        // a reference that no pane shows comes or goes
        if (laneMethods(this.choose()).length !== before.length) return this.ask(true);
        for (const chosen of [this.shown, this.lastAsked?.chosen]) if (chosen) chosen.field = field;
        this.player.redraw();
    }

    private takeField(field: FieldName): void {
        this.field = field;
        this.scale = field === "none" ? null : new FieldScale(field);
        this.player.field = isOfLibrary(field) ? field : null;
    }

    setStyle(style: Style, showPins: boolean): void {
        this.style = style;
        this.showPins = showPins;
        for (const view of this.views) view.setStyle(style);
        this.showFrames();
    }

    touch(touch: Touch): void {
        this.player.touch(touch);
        this.player.redraw(); // pins are seen at once, paused or not
    }

    /** Whether what weft is compared with plays along, which cannot go back. */
    get playsRival(): boolean {
        const { shown } = this;
        return (
            shown !== null &&
            laneMethods(shown).some((id) => methodOf(id ?? shown.edits.method ?? "scene").rival)
        );
    }

    /** Why there is nothing to go back to, whatever was played; null: there may be. */
    get whyNoPast(): string | null {
        return this.playsRival ? "XPBD keeps no past to go back to" : null;
    }

    /** What hands did, as it is to be. */
    get byHand(): HandState {
        return this.document?.edits.hands ?? untouched;
    }

    /** Takes over what hands did by now; whether that is new. */
    async readHands(): Promise<boolean> {
        const { shown } = this;
        const told = await this.player.hands().catch(() => null); // whoever plays says why
        if (!told || !shown || this.shown !== shown || this.document !== shown.document)
            return false;
        const counts = this.description!.cloths.map(({ vertices }) => vertices);
        const hands = keptHands({ ...told, counts }, this.handStart);
        if (sameHands(hands, shown.edits.hands)) return false;
        this.player.keepHands(hands);
        for (const of of [this.document!, shown, this.lastAsked?.chosen])
            if (of) of.edits = withHands(of.edits, hands);
        if (this.lastAsked) this.lastAsked.hands = hands ?? null;
        return true;
    }

    /** Without what hands did, from the start. */
    forgetHands(): void {
        if (!this.document) return;
        this.document.edits = withHands(this.document.edits, undefined);
        this.ask(true);
    }

    /** How simulated vertices begin; null: not known, or others are shown. */
    private get handStart(): HandStart | null {
        const { description, document } = this;
        const start = document?.start;
        if (!start || !description || this.hasDetail()) return null;
        return start.pinned.length === simulatedVertices(description) ? start : null;
    }

    /** `opens`: what is wrong with the file is told by its own lines. */
    private ask(fresh: boolean, opens = false): void {
        if (!this.document) return;
        this.player.threads = this.versus === null ? this.mostThreads : 1;
        if (this.document.isUndressed) return this.dress(this.document, fresh, opens);
        this.endDressing();
        if (this.isOtherText(this.document)) fresh = true;
        opens ||= fresh && this.document.start === null;
        const chosen = this.choose();
        const { files, opening } = chosen.document;
        const file = opens ? opening : null;
        const { hands = null } = chosen.edits;
        const start = this.handStart;
        this.lastAsked = { texts: textsOf(chosen), fresh, file, files, hands, start, chosen };
        this.player.show(this.lastAsked);
    }

    /** Whether what is played cannot go on with the text that it has now. */
    private isOtherText(document: SceneDocument): boolean {
        const { shown } = this;
        if (shown?.document !== document || shown.edits.text === document.edits.text) return false;
        return !document.goesOnFrom(shown.edits);
    }

    /** What its bodies wear is put on first; what is played goes on meanwhile. */
    private dress(document: SceneDocument, fresh: boolean, opens: boolean): void {
        const { detail } = document.edits;
        const { dressing } = this;
        if (dressing?.document === document && dressing.detail === detail) {
            dressing.fresh ||= fresh;
            dressing.opens ||= opens;
            return;
        }
        this.dressing = { document, detail, fresh, opens };
        void this.putOn(this.dressing);
    }

    private async putOn(dressing: Dressing): Promise<void> {
        const { document } = dressing;
        const tell = (progress: Progress) => this.events.dressing(progress, document.title);
        tell({ part: 0, stage: "" });
        try {
            const bare = this.shown ? undefined : (start: Start) => this.showBare(start);
            const { opening, files } = document;
            const start = await this.dresser.dress(opening, files, tell, bare);
            if (this.dressing !== dressing) return;
            document.keepStart(start);
            this.ask(dressing.fresh, dressing.opens);
        } catch (error) {
            if (this.dressing !== dressing) return;
            this.endDressing();
            this.giveUpDressing(undressedWords(error, document.title));
        }
    }

    /** Who is dressed, before anything is played. */
    private showBare({ bodyShape, bodies }: Start): void {
        if (this.shown || !this.dressing || bodies.length === 0) return;
        this.views.forEach((view) => view.dispose());
        const view = bareView(bodyShape, bodies, this.style);
        this.views = [view];
        this.events.waits(view);
    }

    /** `words`: why; null: somebody stopped it. What was played goes on, or begins again where its
     *  worker was ended meanwhile. */
    private giveUpDressing(words: string | null): void {
        if (this.shown) this.takeBack(this.shown);
        this.settle(false);
        if (this.shown && this.player.empty && !this.player.waits) this.ask(true);
        if (words !== null) this.events.refused(words);
    }

    private endDressing(): void {
        if (!this.dressing) return;
        this.dressing = null;
        this.dresser.stop();
        this.events.dressing(null, "");
    }

    get isDressing(): boolean {
        return this.dressing !== null;
    }

    /** What was being put on is not any more; what is shown stays. */
    stopDressing(): void {
        if (!this.dressing) return;
        this.endDressing();
        this.giveUpDressing(null);
    }

    private choose(): Chosen {
        const { panes, field } = this;
        const document = this.document!;
        const edits = { ...document.edits };
        return { document, edits, paneMethods: [...this.paneMethods], panes, field };
    }

    // -----------------------------------------------------------------------------------------
    // What comes of it

    /** A file was opened: where its floor is, is known from now on. */
    private started(start: Start, { chosen }: Asked): SceneText[] {
        Object.assign(chosen.document.knownOf(chosen.edits), {
            start,
            description: start.description,
        });
        this.findFloor(chosen.document, start);
        return textsOf(chosen);
    }

    private opened(lanes: Opened[], by: Asked | null): void {
        const shown = by?.chosen ?? this.shown!;
        const count = simulatedVertices(lanes[0]!.description);
        const before = this.description && simulatedVertices(this.description);
        // cloth that is torn begins anew where its model does
        const mended = this.torn && lanes[0]!.shape.vertexCount === count;
        const restarted = !by || by.fresh || count !== before || mended;
        this.torn &&= !mended;
        const known =
            shown.document === this.shown?.document &&
            shown.edits.bodies === this.shown.edits.bodies;
        this.news = !known ? "scene" : restarted ? "start" : "settings";
        shown.document.knownOf(shown.edits).description ??= lanes[0]!.description;
        shown.document.learnFabrics(lanes[0]!.description, shown.edits);
        this.description = lanes[0]!.description;
        this.choices = lanes[0]!.choices.concat(
            fabricChoices(shown.document.files, lanes[0]!.choices, this.description.looks),
        );
        this.shape = lanes[0]!.shape;
        this.shown = shown;
        this.toldSlow = false;
        this.measured.clear();
        this.lastFrames = []; // of another shape, perhaps
        this.scale = this.scale && new FieldScale(this.scale.field);
        this.makeViews(lanes.slice(0, shown.panes));
        this.views.forEach((view) => view.setRound(this.isRound));
    }

    /** Whether the page chooses how round cloth is drawn: neither the scene nor the user does. */
    private get isRound(): boolean {
        const { edits, document } = this.shown!;
        return edits.shown === undefined && document.ownDetail === null;
    }

    private looks(): Look[] {
        return this.description?.looks.map(({ look }) => look) ?? [];
    }

    private makeViews(lanes: Opened[]): void {
        const same =
            this.views.length === lanes.length &&
            this.views.every((view, i) => sameShape(view.shape, lanes[i]!.shape));
        const looks = this.looks();
        if (same) {
            for (const view of this.views) view.setLooks(looks);
            return;
        }
        for (const view of this.views) view.dispose();
        this.views = lanes.map(({ shape }) => new ClothView(shape, this.style, looks));
        this.apart = lanes.map(({ shape }) => new Float32Array(shape.vertexCount));
    }

    /** Takes back what was asked for, unless something else was asked for since. */
    private refused(reason: string, by: Asked | null): void {
        if (by && by === this.lastAsked) {
            if (this.shown) this.takeBack(this.shown);
            this.settle(false);
        }
        const words = refusedWords(reason, by?.chosen ?? this.shown);
        this.events.refused(words, (by?.file ?? by?.texts[0])?.text);
    }

    private takeBack({ document, edits, paneMethods, panes, field }: Chosen): void {
        this.document = document;
        document.edits = { ...edits };
        this.paneMethods = [...paneMethods];
        this.panes = panes;
        if (field !== this.field) this.takeField(field);
        this.player.redraw();
    }

    private stopped(lane: number, reason: string, stretch: number | null): void {
        const method = this.methodOfLane(lane);
        const name = methodOf(method).step ? `${methodOf(method).label}: ` : "";
        this.tried.failed(this.shown!);
        const words =
            stretch === null ? name + reason : flownWords(method, this.description!, stretch);
        this.events.trouble(words, this.tried.backWords(this.shown!));
    }

    private methodOfLane(lane: number): string {
        const shown = this.shown!;
        return lane < shown.panes ? methodOfPane(shown, lane) : referenceMethod;
    }

    /** What worked before is played again from its start, unless something newer was asked for. */
    private ended(error: LaneEnded, lane: number, by: Asked | null): void {
        const failing = by?.chosen ?? this.shown!;
        // the way back in time says nothing against the settings
        const backInTime = error.during === "rewind";
        if (!backInTime) this.tried.failed(failing);
        const steps = backInTime || error.during === "advance";
        const words = endedWords(error, failing, steps ? this.methodOfLane(lane) : null);
        // what is being put on was asked for since
        if (this.player.waits || this.isDressing) return this.events.ended(words, true);
        if (by) this.settle(false);
        const before = backInTime
            ? failing
            : (this.tried.before(failing) ?? this.tried.plain(failing));
        if (before) {
            this.takeBack(before);
            this.ask(true);
        }
        const back = before ? ` ${this.tried.returnWords(before, failing)}` : "";
        this.events.ended(words + back, before !== null);
    }

    /** Cloth that was torn has other vertices from this frame on. */
    private takeShapes(frames: LaneFrame[]): void {
        frames.forEach(({ shape }, i) => {
            if (!shape) return;
            this.torn = true;
            if (i === 0) this.shape = shape;
            if (i >= this.views.length) return;
            this.views[i]!.dispose();
            this.views[i] = new ClothView(shape, this.style, this.looks());
            this.views[i].setRound(this.isRound);
            this.apart[i] = new Float32Array(shape.vertexCount);
            this.news ??= "mesh";
        });
    }

    private drawn(frames: LaneFrame[]): void {
        this.lastFrames = frames;
        this.takeShapes(frames);
        this.showFrames();
        if (this.news !== null) {
            this.events.changed(this.news);
            if (this.news !== "mesh" && this.shown!.document === this.document) this.settle(true);
        }
        this.news = null;
        this.learn(frames);
        const samples = this.views.map((_, i) => this.sample(frames[i]!, i));
        this.events.drawn(samples.filter((_, i) => !frames[i]!.wild));
    }

    /** What took a step works, until it fails; what takes long is said once. */
    private learn(frames: LaneFrame[]): void {
        if (frames.some(({ stopped, cost }) => stopped !== null || cost === 0)) return;
        this.tried.worked(this.shown!);
        const lane = frames.findIndex(({ cost }) => cost > SLOW);
        if (lane < 0 || this.toldSlow) return;
        this.toldSlow = true;
        const hidden = lane >= this.shown!.panes;
        const words = slowWords(this.methodOfLane(lane), frames[lane]!.cost, hidden);
        this.events.trouble(words, hidden ? null : this.tried.backWords(this.shown!));
    }

    private showFrames(): void {
        const frames = this.lastFrames;
        // while buffers are with the workers, a newer frame is on its way
        if (frames.length === 0 || frames.some(isAway)) return;
        this.views.forEach((view, i) => {
            const { buffers, numbers, wild } = frames[i]!;
            if (wild) return; // what was cloth last stays
            view.update({ time: numbers.time!, ...buffers });
            view.markPins(this.showPins ? buffers.pinned : null);
        });
        const apart = this.measureDistances(frames);
        if (this.versus !== null) this.measured.push(frames, apart);
        this.showFields(frames);
        this.notes = this.views.map((_, i) => this.note(frames[i]!, i, apart[i]!));
    }

    /** Root mean square distance of every pane to the reference, in metres; null without one. */
    private measureDistances(frames: LaneFrame[]): (number | null)[] {
        const pane = referencePane(this.shown!);
        const reference = frames[pane >= 0 ? pane : this.views.length]?.buffers.positions;
        return this.apart.map((apart, i) => {
            const positions = frames[i]!.buffers.positions;
            if (!reference || reference.length !== positions.length) return null;
            return distances(positions, reference, apart);
        });
    }

    private showFields(frames: LaneFrame[]): void {
        const { scale } = this;
        const values = this.views.map((_, i) =>
            scale?.field === "distance" ? this.apart[i]! : frames[i]!.buffers.field,
        );
        scale?.follow(values.filter((_, i) => !frames[i]!.wild));
        this.views.forEach((view, i) => {
            if (!frames[i]!.wild)
                view.showField(scale && { values: values[i]!, scale: scale.colours });
        });
    }

    private note(frame: LaneFrame, pane: number, apart: number | null): PaneNote {
        const method = methodOfPane(this.shown!, pane);
        const cost = `${frame.cost < 1 ? frame.cost.toFixed(2) : frame.cost.toFixed(1)} ms`;
        const reference = pane === referencePane(this.shown!);
        const distance =
            apart === null
                ? ""
                : reference
                  ? ", reference"
                  : `, ${(1000 * apart).toFixed(0)} mm off`;
        const known = this.shown!.edits.versus === undefined ? null : this.measured.words(pane);
        const detail = frame.stopped ? "stopped" : (known ?? cost + distance);
        return { method, title: methodOf(method).label, detail };
    }

    /** That took part in the last steps of the first pane. */
    get threads(): number {
        return this.lastFrames[0]?.numbers.threads ?? 1;
    }

    paneNotes(): PaneNote[] {
        return this.notes;
    }

    private sample(frame: LaneFrame, lane: number): Sample {
        const numbers = frame.numbers;
        const list = (names: string[], factor: number) =>
            names.map((name): [string, number] => [name, factor * numbers[name]!]);
        const times = list(phases, 1000);
        const contact = contactPhases.reduce((sum, name) => sum + 1000 * numbers[name]!, 0);
        return {
            lane,
            label: methodOf(methodOfPane(this.shown!, lane)).label,
            phases: this.touches() ? [...times, ["contact", contact]] : times,
            detail: this.hasDetail() ? 1000 * numbers.detail! : null,
            total: 1000 * numbers.total!,
            energies: list(this.playsRival ? outerEnergies : energies, 1),
            stretch: numbers.max_stretch! - 1,
        };
    }

    /** Whether anything is kept from passing through something. */
    private touches(): boolean {
        const { contact, bodies } = this.description!;
        return contact === "all" || (contact === "bodies" && bodies > 0);
    }

    /** Whether more is shown than is simulated. */
    private hasDetail(): boolean {
        return this.description!.cloths.some(({ shown, vertices }) => shown !== vertices);
    }

    /** What the scene itself has: without the floor that the page adds, which is the last body. */
    get sceneShape(): Shape | null {
        const { shape } = this;
        if (!shape?.bodies || !this.shown?.document.hasFloor) return shape;
        const { triangles, starts, planes } = shape.bodies;
        const end = starts[starts.length - 2]!;
        const bodies = {
            triangles: triangles.filter((vertex) => vertex < end),
            starts: starts.slice(0, -1),
            planes: planes.slice(0, -1),
        };
        return { ...shape, bodies };
    }

    /** What was drawn last, of a pane; null while it is with the worker for the next step. */
    buffersOf(pane: number): LaneFrame["buffers"] | null {
        const frame = this.lastFrames[pane];
        return frame && !isAway(frame) ? frame.buffers : null;
    }
}

function withHands({ hands: _, ...others }: Edits, hands: HandState | undefined): Edits {
    return hands ? { ...others, hands } : others;
}

function simulatedVertices({ cloths }: Description): number {
    return cloths.reduce((sum, { vertices }) => sum + vertices, 0);
}

function methodOfPane({ panes, paneMethods, edits }: Chosen, pane: number): string {
    return panes > 1 ? paneMethods[pane]! : (edits.method ?? "scene");
}

/** The first pane with an implicit method, or -1. */
function referencePane(chosen: Chosen): number {
    for (let pane = 0; pane < chosen.panes; pane++)
        if (isReference(methodOfPane(chosen, pane))) return pane;
    return -1;
}

function textsOf(chosen: Chosen): SceneText[] {
    return laneMethods(chosen).map((id) => chosen.document.compose(id));
}

/** One per lane, null: as edited. A reference that no pane shows is the last one. */
function laneMethods(chosen: Chosen): (string | null)[] {
    const { panes, paneMethods, field } = chosen;
    const shown = panes === 1 ? [null] : paneMethods.slice(0, panes);
    const hidden = field === "distance" && referencePane(chosen) < 0;
    return hidden ? [...shown, referenceMethod] : shown;
}

/** Arrays that were handed over are empty. */
function isAway({ buffers }: LaneFrame): boolean {
    return buffers.positions.length === 0;
}

function isOfLibrary(field: FieldName): field is LibraryField {
    return field === "stretch" || field === "curvature" || field === "speed";
}

function sameNumbers<T extends Uint32Array | Float32Array | Uint8Array>(a: T, b: T): boolean {
    return a.length === b.length && a.every((value, i) => value === b[i]);
}

const NO_PLACES = new Float32Array();
const NO_LOOKS = new Uint8Array();

function sameShape(a: Shape, b: Shape): boolean {
    return (
        a.vertexCount === b.vertexCount &&
        sameNumbers(a.triangles, b.triangles) &&
        sameNumbers(a.lines, b.lines) &&
        sameNumbers(a.uv, b.uv) &&
        sameNumbers(a.cornerUv ?? NO_PLACES, b.cornerUv ?? NO_PLACES) &&
        sameNumbers(a.triangleLooks ?? NO_LOOKS, b.triangleLooks ?? NO_LOOKS) &&
        sameBodies(a.bodies, b.bodies)
    );
}

function sameBodies(a: BodyShape | undefined, b: BodyShape | undefined): boolean {
    if (!a || !b) return a === b;
    return (
        sameNumbers(a.triangles, b.triangles) &&
        sameNumbers(a.starts, b.starts) &&
        sameNumbers(a.planes, b.planes)
    );
}
