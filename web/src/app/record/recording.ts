// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the user records of what is played: a video of the canvas, or the moving mesh as a GLB.
//
// A video has the time of the scene, thirty frames of each second: where drawing or encoding take
// longer, the scene waits, so that it plays smoothly afterwards. Pauses are left out.

import type { Stage } from "../../draw/stage";
import { wordsOf } from "../../sim/words";
import type { Page } from "../../ui/page";
import type { RecordKind } from "../../ui/record";
import { toast } from "../../ui/toast";
import { ClockVideo } from "./clock-video";
import { complain } from "../complain";
import { later } from "../later";
import type { Live } from "../live";
import type { Replay } from "./replay";
import { fileStem, save } from "../keep/save";
import type { Caption, Video } from "./video";

export interface Recordable {
    readonly live: Live;
    readonly stage: Stage;
    readonly page: Page;
    readonly replay: Replay | null;
}

const FRAME = 1 / 30; // seconds
const JUMP = 0.5; // seconds: more at once is not played, but gone to
const MOST_BYTES = 256 * 1024 * 1024;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

function clock(seconds: number): string {
    const whole = Math.floor(seconds);
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export class Recording {
    private video: Video | ClockVideo | null = null;
    private glb = false;
    /** A file is being made. */
    private busy = false;
    private name = "";
    /** Of the video: how long it is, when its last frame was, and the time of what is shown. */
    private seconds = 0;
    private lastFrame = -Infinity;
    private lastTime = 0;

    constructor(
        private readonly of: Recordable,
        private readonly canvas: HTMLCanvasElement,
    ) {
        const { record } = of.page;
        record.onBegin = (kind) => void this.begin(kind).catch((error) => this.failed(error));
        record.onStop = () => void this.stop();
        record.refuses = (kind) => this.refuses(kind);
    }

    private refuses(kind: RecordKind): string | null {
        const { replay, live } = this.of;
        if (this.busy) return "A file is being made";
        if (kind === "video") return null;
        if (replay) return "This is a recording already";
        const { past } = live.player;
        if (kind === "past" && live.whyNoPast) return live.whyNoPast;
        if (!past || (kind === "past" && past.last <= past.first)) return "Nothing was played yet";
        return null;
    }

    /** Whether time has to wait, as the encoder has no room. */
    get holds(): boolean {
        return this.video?.full ?? false;
    }

    /** Seconds from one picture to the next, at most. */
    get mostBetween(): number {
        return this.video && !(this.video instanceof ClockVideo) ? FRAME : Infinity;
    }

    private get time(): number {
        return this.of.replay?.time ?? this.of.live.player.time;
    }

    private async begin(kind: RecordKind): Promise<void> {
        const { replay, live, page } = this.of;
        this.name = fileStem(replay?.clip.name ?? live.document?.title ?? "");
        if (kind === "past") return this.makeFile("The last seconds", () => live.player.glb(true));
        if (kind === "video") return this.beginVideo();
        await live.player.record(true);
        this.glb = true;
        page.record.show("Mesh 0:00");
    }

    private failed(error: unknown): void {
        this.giveUp();
        complain(error);
    }

    private giveUp(): void {
        this.busy = false;
        this.endVideo();
    }

    private async beginVideo(): Promise<void> {
        this.busy = true;
        this.of.page.record.show("Video…", false);
        const again = () => void this.beginVideo().catch((error) => this.failed(error));
        const part = await later("What makes videos", () => import("./video"), again);
        if (!part) return this.giveUp();
        this.film(true);
        this.video = (await part.Video.begin(this.canvas)) ?? ClockVideo.begin(this.canvas);
        this.seconds = 0;
        this.lastFrame = -Infinity;
        this.lastTime = this.time;
        this.of.live.player.mostBetween = this.mostBetween;
        this.busy = false;
        if (this.video) return;
        throw new Error(
            "This browser cannot make videos. A recording as animated mesh works here.",
        );
    }

    /** To be called behind every picture. */
    tick(playing: boolean): void {
        if (this.video) this.tickVideo(this.video, playing);
        else if (this.glb) this.tickGlb();
    }

    private tickVideo(video: Video | ClockVideo, playing: boolean): void {
        const { replay, live, page } = this.of;
        const { time } = this;
        const passed = time - this.lastTime;
        const gone = passed < 0 || passed > JUMP ? FRAME : passed;
        if (playing && passed !== 0) this.seconds += gone / (replay?.speed ?? live.player.speed);
        this.lastTime = time;
        if (video instanceof ClockVideo) video.setPlaying(playing);
        else if (playing && this.seconds - this.lastFrame > 0.99 * FRAME) this.addFrame(video);
        page.record.show(`Video ${clock(this.seconds)}, ${megabytes(video.bytes)}`);
        if (video.bytes > MOST_BYTES) void this.stop("The video ended: it has 256 MB.");
    }

    private addFrame(video: Video): void {
        if (video.full) return;
        try {
            if (video.frames === 0) this.of.stage.render();
            video.add(this.canvas, this.seconds, FRAME, this.captions());
            this.lastFrame = this.seconds;
        } catch (error) {
            this.failed(error);
        }
    }

    /** What is written over panes, which is no part of the canvas. */
    private captions(): Caption[] {
        const { live, stage, replay } = this.of;
        if (replay || live.views.length < 2) return [];
        const { clientWidth, clientHeight } = this.canvas;
        const notes = live.paneNotes().slice(0, live.views.length);
        return notes.map(({ title, detail }, pane) => {
            const { x, y, width } = stage.paneRect(pane);
            const text = [title, detail].filter(Boolean).join(": ");
            return { text, x: (x + width / 2) / clientWidth, y: y / clientHeight };
        });
    }

    private tickGlb(): void {
        const { live, page } = this.of;
        const state = live.player.recording;
        if (live.player.empty) return this.lose();
        if (!state) return;
        page.record.show(`Mesh ${clock(state.seconds)}, ${megabytes(state.bytes)}`);
        if (state.ended === null) return;
        this.glb = false;
        page.record.show(null);
        toast(state.ended, "error", [
            { label: `Save its ${clock(state.seconds)}`, act: () => void this.saveGlb() },
        ]);
    }

    // The worker that kept it is no more, and the page has said why.
    private lose(): void {
        this.glb = false;
        this.of.page.record.show(null);
        toast("What was recorded is lost with it.", "error");
    }

    /** Ends what is recorded and saves it; `why`: it ended by itself. */
    async stop(why?: string): Promise<void> {
        const { video } = this;
        if (why) toast(why, "error");
        if (this.glb) return this.saveGlb();
        if (!video) return;
        this.endVideo();
        if (!(video instanceof ClockVideo) && video.frames === 0)
            return void toast("Nothing was played: there is no video to save.", "error");
        await this.makeFile("Video", () => video.end(), video.ending);
    }

    /** On machines that draw fewer pixels than there are, a video has all of them. */
    private film(on: boolean): void {
        this.of.stage.filmed = on;
        this.of.stage.render();
    }

    private endVideo(): void {
        this.video = null;
        this.film(false);
        this.of.live.player.mostBetween = Infinity;
        this.of.page.record.show(null);
    }

    private saveGlb(): Promise<void> {
        this.glb = false;
        return this.makeFile("Mesh", () => this.of.live.player.glb(false));
    }

    private async makeFile(what: string, make: () => Promise<Blob>, ending = "glb"): Promise<void> {
        this.busy = true;
        this.of.page.record.show(`${what}: making the file…`, false);
        try {
            save(await make(), `${this.name}.${ending}`);
        } catch (error) {
            toast(`Nothing was saved: ${wordsOf(error)}`, "error");
        } finally {
            this.busy = false;
            this.of.page.record.show(null);
        }
    }
}
