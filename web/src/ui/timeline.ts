// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The bar under a result that is played: play and pause, a slider over time, speed, loop, close.
// It shows what it is told by `show` and `setTime`, and says what was asked for; it has no clock.

import "./timeline.css";

import type { Clip } from "../results/clip";

export interface TimelineActions {
    /** To a moment, in seconds; playing or not stays as it is. */
    seek(time: number): void;
    play(on: boolean): void;
    /** Back to the simulation. */
    close(): void;
    /** 1: as fast as in the world. */
    setSpeed(speed: number): void;
}

const SPEEDS = [0.1, 0.25, 0.5, 1];
const FAR = 10; // frames that Page up and Page down move

export class Timeline {
    readonly element: HTMLElement;

    private readonly playButton = makeButton("play", "Play");
    private readonly slider = document.createElement("input");
    private readonly seconds = document.createElement("span");
    private readonly frames = document.createElement("span");
    private readonly speeds = document.createElement("select");
    private readonly loopButton = makeButton("loop", "Loop");
    private readonly closeButton = makeButton("close", "Close result, back to the simulation");
    private clip: Clip | null = null;
    private time = 0;
    private playing = false;

    constructor(private readonly actions: TimelineActions) {
        const text = document.createElement("div");
        text.className = "timeline-text";
        text.append(this.seconds, " ", this.frames);
        this.fillSlider();
        this.fillSpeeds();
        this.loopButton.textContent = "Loop";
        this.closeButton.textContent = "\u00d7";
        this.listen();
        this.element = document.createElement("div");
        this.element.className = "timeline";
        this.element.setAttribute("role", "group");
        this.element.append(
            this.playButton,
            this.slider,
            text,
            this.speeds,
            this.loopButton,
            this.closeButton,
        );
        this.loop = true;
        this.hide();
    }

    /** Whether the end goes on with the start. Whoever moves the time asks for it. */
    get loop(): boolean {
        return this.loopButton.getAttribute("aria-pressed") === "true";
    }
    set loop(on: boolean) {
        this.loopButton.setAttribute("aria-pressed", String(on));
    }

    get speed(): number {
        return Number(this.speeds.value);
    }

    /** At the start of the clip, paused. Speed and loop stay as they were chosen. */
    show(clip: Clip): void {
        this.clip = clip;
        const still = clip.frameCount < 2;
        for (const part of [this.playButton, this.slider, this.speeds, this.loopButton])
            part.disabled = still;
        this.slider.max = String(clip.duration);
        this.element.setAttribute("aria-label", `Playback of ${clip.name}`);
        this.element.hidden = false;
        this.setTime(0, false);
    }

    hide(): void {
        this.clip = null;
        this.element.hidden = true;
    }

    /** Shows "1.23 / 4.00 s, frame 74 of 241". */
    setTime(time: number, playing: boolean): void {
        if (!this.clip) return;
        this.time = time;
        this.playing = playing;
        this.seconds.textContent = `${time.toFixed(2)} / ${this.clip.duration.toFixed(2)} s,`;
        this.frames.textContent = `frame ${this.clip.frameAt(time) + 1} of ${this.clip.frameCount}`;
        this.slider.value = String(time);
        this.slider.setAttribute(
            "aria-valuetext",
            `${this.seconds.textContent} ${this.frames.textContent}`,
        );
        this.playButton.classList.toggle("playing", playing);
        label(this.playButton, playing ? "Pause" : "Play");
    }

    private fillSlider(): void {
        this.slider.type = "range";
        this.slider.min = "0";
        this.slider.step = "any";
        label(this.slider, "Time");
    }

    private fillSpeeds(): void {
        label(this.speeds, "Speed");
        for (const speed of SPEEDS) this.speeds.add(new Option(`${speed}\u00d7`, String(speed)));
        this.speeds.value = "1";
    }

    private listen(): void {
        this.playButton.addEventListener("click", () => this.togglePlay());
        this.slider.addEventListener("input", () => this.actions.seek(Number(this.slider.value)));
        this.slider.addEventListener("keydown", (event) => this.moveByKey(event));
        this.speeds.addEventListener("change", () => this.actions.setSpeed(this.speed));
        this.loopButton.addEventListener("click", () => (this.loop = !this.loop));
        this.closeButton.addEventListener("click", () => this.actions.close());
    }

    private togglePlay(): void {
        // From the end there is nothing to play but the whole again.
        if (!this.playing && this.clip && this.time >= this.clip.duration) this.actions.seek(0);
        this.actions.play(!this.playing);
    }

    /** Keys go from frame to frame; what browsers do on their own is a hundredth of the whole. */
    private moveByKey(event: KeyboardEvent): void {
        if (!this.clip || event.ctrlKey || event.altKey || event.metaKey) return;
        const last = this.clip.frameCount - 1;
        const steps: Record<string, number> = {
            ArrowLeft: -1,
            ArrowDown: -1,
            ArrowRight: 1,
            ArrowUp: 1,
            PageDown: -FAR,
            PageUp: FAR,
            Home: -last,
            End: last,
        };
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        const frame = this.clip.frameAt(this.time) + step;
        this.actions.seek(this.clip.times[Math.min(Math.max(frame, 0), last)]);
    }
}

function makeButton(kind: string, title: string): HTMLButtonElement {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `timeline-${kind}`;
    label(button, title);
    return button;
}

function label(element: HTMLElement, text: string): void {
    element.title = text;
    element.setAttribute("aria-label", text);
}
