// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Plays one scene by one or more methods, all in step and, where they are fast enough, in real time.
// The page asks for scenes and changes at any time; they are carried out between steps, and of
// several changes in a row only the last one.

import type { LibraryField, Numbers } from "./core";
import { crewSize } from "./crew";
import {
    handsToGo,
    isUntouched,
    sameHands,
    untouched,
    type HandStart,
    type HandState,
} from "./hands";
import { Flight, stretchLimit } from "./flight";
import { Lane, LaneEnded } from "./lane";
import type { PastRange } from "./past";
import type { RecordingState } from "./recorder";
import type { Advanced, Buffers, GivenFile, Opened, SceneText, Start, Touch } from "./protocol";
import { sameModel } from "./same-model";
import type { Shape } from "../shape";
import { patience } from "./watch";
import { wordsOf } from "./words";

/** More steps than this in a drawn frame are not made up for: time then runs slower. */
const MOST_STEPS = 8;
/** Milliseconds that a request may take, where its steps are known: changes wait for its end. */
const REQUEST_TIME = 250;
/** Milliseconds after a touch in which the cloth may be stretched further. */
const TOUCHED = 2000;

/** What a lane shows. */
export interface LaneFrame {
    buffers: Buffers;
    numbers: Numbers;
    /** Which steps can be gone to. */
    past: PastRange;
    recording: RecordingState | null;
    /** What is drawn from this frame on, where it is new because cloth was cut or torn. */
    shape: Shape | null;
    /** Milliseconds per step. */
    cost: number;
    /** Why it stands still, or null. */
    stopped: string | null;
    /** Not worth to be looked at: the cloth is flying apart. */
    wild: boolean;
}

export interface PlayerEvents {
    /** Shapes and settings are new; one for each lane. `by`: what asked for it; null: a reset. */
    opened(lanes: Opened[], by: Wanted | null): void;
    /** There is a new frame to draw. */
    frame(lanes: LaneFrame[]): void;
    /** A scene or a change was refused; what was played before goes on. `by`: what asked for it. */
    refused(reason: string, by: Wanted | null): void;
    /** The method of a lane failed; it stands still until a reset. `stretch`: the cloth flew apart,
     *  and an edge is as many times as long as at rest; else null. */
    stopped(lane: number, reason: string, stretch: number | null): void;
    /** A file begins with this: the texts to play it by, or null for those that were asked for. */
    started(start: Start, by: Wanted): SceneText[] | null;
    /** A touch cannot be, or a stroke of the knife ended; of the first lane. */
    touched(told: { reason: string } | { edges: number }): void;
    /** The worker of a lane is no more, and with it all that was played. `by`: what it was asked for;
     *  null: steps, or a reset. */
    ended(error: LaneEnded, lane: number, by: Wanted | null): void;
}

/** What is to be played. */
export interface Wanted {
    /** One lane each. */
    texts: SceneText[];
    /** From the start. */
    fresh: boolean;
    /** The file that the texts were made of, where it is new: what is wrong with it is told by its
     *  own lines. */
    file: SceneText | null;
    /** What the texts name. */
    files: GivenFile[];
    /** What hands did to it, which is done again where it begins anew; null: nothing. */
    hands: HandState | null;
    /** Where what hands did not do goes back to; null: not known. */
    start: HandStart | null;
}

export class Player {
    playing = true;
    /** Seconds of the scene per second. */
    speed = 1;
    field: LibraryField | null = null;
    /** How many threads to use; null: as many as the machine has. */
    threads: number | null = null;
    /** How long workers may be silent. */
    readonly patience = patience;

    private lanes: Lane[] = [];
    /** Loads while the page is being put together. */
    private spare: Lane | null = new Lane();
    private texts: SceneText[] = [];
    /** Known to be done, or to be done where it begins anew. */
    private byHand: HandState = untouched;
    private frames: LaneFrame[] = [];
    private flights: Flight[] = [];
    private touched = -Infinity;
    private holding = false;
    private dt = 1 / 60;
    private wanted: Wanted | null = null;
    /** Since when workers prepare what was asked for, as performance.now() says it; null: they do not. */
    preparesSince: number | null = null;
    private resetWanted = false;
    private rewindWanted: { step: number; exact: boolean } | null = null;
    private drawWanted = false;
    private singleSteps = 0;
    /** Seconds of the scene from one picture to the next, at most: a video has them all. */
    mostBetween = Infinity;
    /** Seconds that the scene is behind the clock. */
    private behind = 0;
    private lastTick = 0;
    private busy = false;

    constructor(private readonly events: PlayerEvents) {}

    /** Takes the place of what was asked for before and not begun yet. */
    show(wanted: Wanted): void {
        wanted.fresh ||= this.wanted?.fresh ?? false;
        wanted.file ??= this.wanted?.file ?? null;
        this.wanted = wanted;
    }

    reset(): void {
        this.resetWanted = true;
    }

    /** Which steps can be gone to, and where it stands; null: nothing is played. */
    get past(): PastRange | null {
        if (this.frames.length === 0) return null;
        const ranges = this.frames.map(({ past }) => past);
        return {
            first: Math.max(...ranges.map(({ first }) => first)),
            now: ranges[0]!.now,
            last: Math.min(...ranges.map(({ last }) => last)),
        };
    }

    /** To a step that was taken; not `exact`: to one close by that is there at once. */
    rewind(step: number, exact: boolean): void {
        this.rewindWanted = { step, exact };
    }

    stepBack(): void {
        const from = this.rewindWanted?.step ?? this.past?.now ?? 0;
        this.rewind(from - 1, true);
    }

    /** One step more, playing or not. A key held down does not pile up more than can be taken. */
    stepOnce(): void {
        const { past } = this;
        if (past && past.now < past.last && !this.playing)
            return this.rewind((this.rewindWanted?.step ?? past.now) + 1, true);
        this.singleSteps = Math.min(this.singleSteps + 1, MOST_STEPS);
    }

    /** Draw again without a step, in another colour say. */
    redraw(): void {
        this.drawWanted = true;
    }

    touch(touch: Touch): void {
        this.touched = performance.now();
        if (touch.kind === "grab" || touch.kind === "blow") this.holding = true;
        if (touch.kind === "drop" || touch.kind === "calm") this.holding = false;
        for (const lane of this.lanes) lane.touch(touch);
    }

    /** What hands did since the start, to the first lane; null: nothing is played. */
    async hands(): Promise<HandState | null> {
        return this.lanes[0]?.request({ kind: "hands" }) ?? null;
    }

    /** Does it again, to all lanes: right behind an opening or a reset, before they take steps. */
    async setHands(hands: HandState): Promise<void> {
        await Promise.all(this.lanes.map((lane) => lane.request({ kind: "setHands", hands })));
    }

    /** What they did by now, as it is to be done again. */
    keepHands(hands: HandState | undefined): void {
        this.byHand = hands ?? untouched;
    }

    /** All lanes to what hands did. Not `others`: only those that lost it. */
    private async doAgain(start: HandStart | null, others: boolean): Promise<void> {
        const wanted = this.byHand;
        const again = async (lane: Lane) => {
            const now = await lane.request({ kind: "hands" });
            const hands = others || isUntouched(now) ? handsToGo(now, wanted, start) : null;
            if (!hands) return;
            this.touched = performance.now(); // it may stretch the cloth
            await lane.request({ kind: "setHands", hands });
        };
        await Promise.all(this.lanes.map(again));
    }

    /** Record the first lane from now on; or forget what was recorded. */
    async record(on: boolean): Promise<void> {
        await this.lanes[0]?.request({ kind: "record", on });
        this.redraw();
    }

    /** Null: nothing is recorded. */
    get recording(): RecordingState | null {
        return this.frames[0]?.recording ?? null;
    }

    /** What was recorded, or, `past`, what can be gone back to. */
    async glb(past: boolean): Promise<Blob> {
        const lane = this.lanes[0];
        if (!lane) throw new Error("Nothing is played.");
        return lane.request({ kind: "glb", past });
    }

    async hash(lane: number): Promise<string> {
        return this.lanes[lane]!.request({ kind: "hash" });
    }

    /** Nothing is played: not yet, or no longer. */
    get empty(): boolean {
        return this.lanes.length === 0;
    }

    /** Something was asked for that has not begun yet. */
    get waits(): boolean {
        return this.wanted !== null;
    }

    /** The same, or it is not there yet. */
    get prepares(): boolean {
        return this.waits || this.preparesSince !== null;
    }

    get time(): number {
        return this.frames[0]?.numbers.time ?? 0;
    }

    /** To be called whenever the page draws. */
    tick(now: number): void {
        const passed = Math.min(0.25, (now - this.lastTick) / 1000);
        this.lastTick = now;
        if (this.playing) this.behind += passed * this.speed;
        else this.behind = 0;
        if (!this.busy) void this.work();
    }

    /** Take `count` steps as fast as possible, for pictures and tests. */
    async runAhead(count: number): Promise<void> {
        while (this.busy) await new Promise((resolve) => setTimeout(resolve, 1));
        this.busy = true;
        try {
            await this.advance(count);
        } catch (error) {
            this.failed(error);
        } finally {
            this.busy = false;
        }
    }

    private async work(): Promise<void> {
        this.busy = true;
        try {
            const wanted = this.wanted;
            this.wanted = null;
            if (wanted) await this.take(wanted);
            else if (this.resetWanted) await this.restart();
            else if (this.rewindWanted) await this.goTo(this.rewindWanted);
            else await this.advanceIfDue();
        } catch (error) {
            this.failed(error);
        } finally {
            this.busy = false;
        }
    }

    private failed(error: unknown): void {
        if (!this.lanes.some((lane) => lane.ended)) this.events.refused(wordsOf(error), null);
        else this.giveUp(error, null);
    }

    /** What one lane lost, all have: they begin together again. */
    private giveUp(error: unknown, by: Wanted | null): void {
        const lane = this.lanes.findIndex((lane) => lane.ended);
        for (const each of this.lanes) each.close();
        this.lanes = [];
        this.frames = [];
        this.resetWanted = false;
        const ended = error instanceof LaneEnded ? error : new LaneEnded(wordsOf(error), "advance");
        this.events.ended(ended, Math.max(0, lane), by);
    }

    // -----------------------------------------------------------------------------------------
    // Scenes

    private async take(wanted: Wanted): Promise<void> {
        // lanes begin together, and nothing goes on from a cloth that flew apart
        wanted.fresh ||= wanted.texts.length !== this.lanes.length || this.frames.some(isStopped);
        this.preparesSince = performance.now();
        try {
            const { byHand } = this;
            const opened = await (wanted.fresh ? this.openLanes(wanted) : this.changeLanes(wanted));
            this.texts = wanted.texts;
            this.singleSteps = 0;
            const others = wanted.fresh || !sameHands(byHand, wanted.hands ?? untouched);
            this.byHand = wanted.hands ?? untouched;
            await this.doAgain(wanted.start, others);
            this.preparesSince = null;
            await this.begin(opened, wanted);
        } catch (error) {
            // what was asked for since then may rely on a start from here
            if (this.wanted) this.wanted.fresh ||= wanted.fresh;
            if (this.lanes.some((lane) => lane.ended)) return this.giveUp(error, wanted);
            this.events.refused(describeEnd(error), wanted);
        } finally {
            this.preparesSince = null;
        }
    }

    /** New scenes are opened before old ones are given up, so that a failure changes nothing. */
    private async openLanes(wanted: Wanted): Promise<Opened[]> {
        const lanes = wanted.texts.map((_, i) => this.lanes[i] ?? this.takeLane());
        for (const lane of lanes) lane.setCrew(crewSize(lanes.length, this.threads));
        try {
            // right behind each other: the worker takes them in turn
            const given = lanes.map((lane) => lane.give(wanted.files));
            await Promise.all([...given, this.openTexts(lanes, wanted)]);
        } catch (error) {
            for (const lane of lanes.slice(this.lanes.length)) lane.close();
            throw error;
        }
        for (const lane of this.lanes.slice(lanes.length)) lane.close();
        this.lanes = lanes;
        lanes[0]!.onTouched = (told) => this.events.touched(told);
        return Promise.all(lanes.map((lane) => lane.request({ kind: "enter" })));
    }

    /** What is wrong with a file is told by its own lines; how it begins may change the texts. */
    private async openTexts(lanes: Lane[], wanted: Wanted): Promise<void> {
        const { file } = wanted;
        let opened: string | null = null;
        if (file) {
            const start = await lanes[0]!.request({ kind: "open", ...file });
            wanted.texts = this.events.started(start, wanted) ?? wanted.texts;
            opened = file.text;
        }
        const open = async ({ text, name, rival }: SceneText, i: number) => {
            if (i > 0 || rival || text !== opened)
                await lanes[i]!.request({ kind: "open", text, name, rival });
        };
        await Promise.all(wanted.texts.map(open));
    }

    private takeLane(): Lane {
        const lane = this.spare ?? new Lane();
        this.spare = null;
        return lane;
    }

    private async changeLanes({ texts, files }: Wanted): Promise<Opened[]> {
        const before = this.texts;
        try {
            await Promise.all(this.lanes.map((lane) => lane.give(files)));
            return await this.changeTo(texts);
        } catch (error) {
            if (!this.lanes.some((lane) => lane.ended)) await this.putBack(before);
            throw error;
        }
    }

    private changeTo(texts: SceneText[]): Promise<Opened[]> {
        return Promise.all(
            this.lanes.map((lane, i) => {
                const stepsOnly = sameModel(texts[i]!.text, this.texts[i]!.text);
                return lane.request({ kind: "change", stepsOnly, ...texts[i]! });
            }),
        );
    }

    /** Some lanes may have taken what others refused. */
    private async putBack(texts: SceneText[]): Promise<void> {
        await Promise.all(
            this.lanes.map((lane, i) =>
                lane.request({ kind: "change", stepsOnly: false, ...texts[i]! }),
            ),
        );
    }

    /** All lanes to the same step, where the first one goes. */
    private async goTo({ step, exact }: { step: number; exact: boolean }): Promise<void> {
        this.rewindWanted = null;
        if (this.lanes.length === 0) return;
        const { first, last } = this.past!;
        const goal = Math.min(Math.max(step, first), last);
        const frame = await this.rewindLane(0, goal, exact);
        const others = this.lanes.slice(1);
        this.frames = [
            frame,
            ...(await Promise.all(
                others.map((_, i) => this.rewindLane(i + 1, frame.past.now, true)),
            )),
        ];
        this.singleSteps = 0;
        for (const flight of this.flights) flight.forget();
        this.events.frame(this.frames);
    }

    private async rewindLane(index: number, step: number, exact: boolean): Promise<LaneFrame> {
        const { cost } = this.frames[index]!;
        const answer = await this.lanes[index]!.request({
            kind: "rewind",
            step,
            exact,
            field: this.field,
        });
        return frameOf(answer, { cost, stopped: null, wild: false });
    }

    private async restart(): Promise<void> {
        this.resetWanted = false;
        this.rewindWanted = null;
        this.singleSteps = 0;
        if (this.lanes.length === 0) return;
        const opened = await Promise.all(this.lanes.map((lane) => lane.request({ kind: "reset" })));
        await this.doAgain(null, true);
        await this.begin(opened, null);
    }

    private async begin(opened: Opened[], by: Wanted | null): Promise<void> {
        this.dt = opened[0]!.description.step.dt;
        this.behind = 0;
        this.frames = this.frames
            .slice(0, opened.length)
            .map((frame) => ({ ...frame, cost: 0, stopped: null, wild: false }));
        this.flights = opened.map(
            ({ description, shape }) => new Flight(stretchLimit(description, shape)),
        );
        this.events.opened(opened, by);
        await this.advance(0);
    }

    // -----------------------------------------------------------------------------------------
    // Steps

    private async advanceIfDue(): Promise<void> {
        if (this.lanes.length === 0) return;
        const due = Math.min(this.affordable(), Math.floor(this.behind / this.dt));
        const steps = Math.max(due, this.singleSteps > 0 ? 1 : 0);
        if (steps === 0 && !this.drawWanted) return;
        if (due > 0) this.behind = Math.min(this.behind - due * this.dt, this.dt);
        this.singleSteps = due > 0 ? 0 : Math.max(0, this.singleSteps - 1);
        this.drawWanted = false;
        await this.advance(steps);
    }

    /** Steps for one request: a single one where it is not known what they take. */
    private affordable(): number {
        const cost = Math.max(...this.frames.map((frame) => frame.cost));
        if (!(cost > 0)) return 1;
        const most = Math.min(MOST_STEPS, Math.round(this.mostBetween / this.dt));
        return Math.max(1, Math.min(most, Math.floor(REQUEST_TIME / cost)));
    }

    private async advance(steps: number): Promise<void> {
        if (this.lanes.length === 0) return;
        this.frames = await Promise.all(this.lanes.map((_, i) => this.advanceLane(i, steps)));
        this.events.frame(this.frames);
    }

    private async advanceLane(index: number, steps: number): Promise<LaneFrame> {
        const old = this.frames[index];
        if (old?.stopped) return { ...old, shape: null };
        const buffers = old?.buffers;
        const transfer = buffers ? Object.values(buffers).map((array) => array.buffer) : [];
        try {
            const answer = await this.lanes[index]!.request(
                { kind: "advance", steps, field: this.field, buffers },
                transfer,
            );
            const cost = steps > 0 ? answer.wall / steps : (old?.cost ?? 0);
            const stopped = steps > 0 ? this.judge(index, answer.numbers) : null;
            const wild = stopped !== null || this.flights[index]!.suspicious;
            return frameOf(answer, { cost, stopped, wild });
        } catch (error) {
            if (this.lanes[index]!.ended) throw error;
            const stopped = wordsOf(error);
            this.events.stopped(index, stopped, null);
            return this.still(index, stopped);
        }
    }

    private judge(index: number, numbers: Numbers): string | null {
        const byHand = this.holding || performance.now() < this.touched + TOUCHED;
        const stretch = this.flights[index]!.judge(numbers, byHand);
        if (stretch === null) return null;
        const words = "the cloth flew apart";
        this.events.stopped(index, words, stretch);
        return words;
    }

    /** The lane as it was before its last step failed. */
    private async still(index: number, stopped: string): Promise<LaneFrame> {
        const answer = await this.lanes[index]!.request({
            kind: "advance",
            steps: 0,
            field: this.field,
        });
        return frameOf(answer, { cost: 0, stopped, wild: false });
    }
}

function frameOf(
    { buffers, numbers, past, recording, shape }: Advanced,
    rest: Pick<LaneFrame, "cost" | "stopped" | "wild">,
): LaneFrame {
    return { buffers, numbers, past, recording, shape: shape ?? null, ...rest };
}

function isStopped({ stopped }: LaneFrame): boolean {
    return stopped !== null;
}

/** Of a worker that was new and had nothing to lose yet. */
function describeEnd(error: unknown): string {
    if (!(error instanceof LaneEnded)) return wordsOf(error);
    const why =
        error.seconds > 0 ? `there was ${error.message}` : `it broke down (${error.message})`;
    return `The scene could not be made ready: ${why}`;
}
