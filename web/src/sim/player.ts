// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Plays one scene by one or more methods, all in step and, where they are fast enough, in real time.
// The page asks for scenes and changes at any time; they are carried out between steps, and of
// several changes in a row only the last one.

import type { LibraryField, Numbers } from "./core";
import { Lane } from "./lane";
import type { Buffers, Opened, SceneText, Touch } from "./protocol";
import { sameModel } from "./same-model";
import { wordsOf } from "./words";

/** More steps than this in a drawn frame are not made up for: time then runs slower. */
const MOST_STEPS = 8;
/** Beyond this stretch it is not cloth any more. */
const TORN = 100;

/** What a lane shows. */
export interface LaneFrame {
    buffers: Buffers;
    numbers: Numbers;
    /** Milliseconds per step. */
    cost: number;
    /** Why it stands still, or null. */
    stopped: string | null;
}

export interface PlayerEvents {
    /** Shapes and settings are new; one for each lane. `by`: what asked for it; null: a reset. */
    opened(lanes: Opened[], by: Wanted | null): void;
    /** There is a new frame to draw. */
    frame(lanes: LaneFrame[]): void;
    /** A scene or a change was refused; what was played before goes on. `by`: what asked for it. */
    refused(reason: string, by: Wanted | null): void;
    /** The method of a lane failed; it stands still until a reset. */
    stopped(lane: number, reason: string): void;
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
}

export class Player {
    playing = true;
    /** Seconds of the scene per second. */
    speed = 1;
    field: LibraryField | null = null;

    private lanes: Lane[] = [];
    /** Loads while the page is being put together. */
    private spare: Lane | null = new Lane();
    private texts: SceneText[] = [];
    private frames: LaneFrame[] = [];
    private dt = 1 / 60;
    private wanted: Wanted | null = null;
    private resetWanted = false;
    private drawWanted = false;
    private singleSteps = 0;
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

    /** One step more, playing or not. A key held down does not pile up more than can be taken. */
    stepOnce(): void {
        this.singleSteps = Math.min(this.singleSteps + 1, MOST_STEPS);
    }

    /** Draw again without a step, in another colour say. */
    redraw(): void {
        this.drawWanted = true;
    }

    touch(touch: Touch): void {
        for (const lane of this.lanes) lane.touch(touch);
    }

    async hash(lane: number): Promise<string> {
        return this.lanes[lane]!.request({ kind: "hash" });
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
            else await this.advanceIfDue();
        } catch (error) {
            this.events.refused(wordsOf(error), null);
        } finally {
            this.busy = false;
        }
    }

    // -----------------------------------------------------------------------------------------
    // Scenes

    private async take(wanted: Wanted): Promise<void> {
        const { texts, file } = wanted;
        // lanes begin together, and nothing goes on from a cloth that flew apart
        wanted.fresh ||= texts.length !== this.lanes.length || this.frames.some(isStopped);
        try {
            const opened = await (wanted.fresh
                ? this.openLanes(texts, file)
                : this.changeLanes(texts));
            this.texts = texts;
            this.singleSteps = 0;
            await this.begin(opened, wanted);
        } catch (error) {
            // what was asked for since then may rely on a start from here
            if (this.wanted) this.wanted.fresh ||= wanted.fresh;
            this.events.refused(wordsOf(error), wanted);
        }
    }

    /** New scenes are opened before old ones are given up, so that a failure changes nothing. */
    private async openLanes(texts: SceneText[], file: SceneText | null): Promise<Opened[]> {
        const lanes = texts.map((_, i) => this.lanes[i] ?? this.takeLane());
        try {
            if (file && file.text !== texts[0]!.text)
                await lanes[0]!.request({ kind: "open", ...file });
            await Promise.all(texts.map((text, i) => lanes[i]!.request({ kind: "open", ...text })));
        } catch (error) {
            for (const lane of lanes.slice(this.lanes.length)) lane.close();
            throw error;
        }
        for (const lane of this.lanes.slice(texts.length)) lane.close();
        this.lanes = lanes;
        return Promise.all(lanes.map((lane) => lane.request({ kind: "enter" })));
    }

    private takeLane(): Lane {
        const lane = this.spare ?? new Lane();
        this.spare = null;
        return lane;
    }

    private async changeLanes(texts: SceneText[]): Promise<Opened[]> {
        const before = this.texts;
        try {
            return await this.changeTo(texts);
        } catch (error) {
            await this.putBack(before);
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

    private async restart(): Promise<void> {
        this.resetWanted = false;
        this.singleSteps = 0;
        if (this.lanes.length === 0) return;
        const opened = await Promise.all(this.lanes.map((lane) => lane.request({ kind: "reset" })));
        await this.begin(opened, null);
    }

    private async begin(opened: Opened[], by: Wanted | null): Promise<void> {
        this.dt = opened[0]!.description.step.dt;
        this.behind = 0;
        this.frames = this.frames
            .slice(0, opened.length)
            .map((frame) => ({ ...frame, stopped: null }));
        this.events.opened(opened, by);
        await this.advance(0);
    }

    // -----------------------------------------------------------------------------------------
    // Steps

    private async advanceIfDue(): Promise<void> {
        if (this.lanes.length === 0) return;
        const due = Math.min(MOST_STEPS, Math.floor(this.behind / this.dt));
        const steps = Math.max(due, this.singleSteps > 0 ? 1 : 0);
        if (steps === 0 && !this.drawWanted) return;
        if (due > 0) this.behind = Math.min(this.behind - due * this.dt, this.dt);
        this.singleSteps = due > 0 ? 0 : Math.max(0, this.singleSteps - 1);
        this.drawWanted = false;
        await this.advance(steps);
    }

    private async advance(steps: number): Promise<void> {
        this.frames = await Promise.all(this.lanes.map((_, i) => this.advanceLane(i, steps)));
        this.events.frame(this.frames);
    }

    private async advanceLane(index: number, steps: number): Promise<LaneFrame> {
        const old = this.frames[index];
        if (old?.stopped) return old;
        const buffers = old?.buffers;
        const transfer = buffers ? Object.values(buffers).map((array) => array.buffer) : [];
        try {
            const answer = await this.lanes[index]!.request(
                { kind: "advance", steps, field: this.field, buffers },
                transfer,
            );
            const cost = steps > 0 ? answer.wall / steps : (old?.cost ?? 0);
            const stopped = describeFlight(answer.numbers);
            if (stopped) this.events.stopped(index, stopped);
            return { buffers: answer.buffers, numbers: answer.numbers, cost, stopped };
        } catch (error) {
            const stopped = wordsOf(error);
            this.events.stopped(index, stopped);
            return this.still(index, stopped);
        }
    }

    /** The lane as it was before its last step failed. */
    private async still(index: number, stopped: string): Promise<LaneFrame> {
        const answer = await this.lanes[index]!.request({
            kind: "advance",
            steps: 0,
            field: this.field,
        });
        return { buffers: answer.buffers, numbers: answer.numbers, cost: 0, stopped };
    }
}

function isStopped({ stopped }: LaneFrame): boolean {
    return stopped !== null;
}

function describeFlight(numbers: Numbers): string | null {
    const stretch = numbers.max_stretch!;
    if (stretch < TORN) return null;
    return "the cloth flew apart: take shorter steps, more substeps or another method";
}
