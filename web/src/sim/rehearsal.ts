// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene that is run out of sight, as fast as it goes, to see whether its cloth flies apart; and the
// longest step with which it does not.

import { Flight, stretchLimit } from "./flight";
import { Lane, LaneEnded } from "./lane";
import type { Buffers, GivenFile, SceneText } from "./protocol";

export interface Run {
    /** Seconds of the scene after which the cloth flew apart; null: it did not. */
    apart: number | null;
    /** Seconds of the scene that were run; 0: not one step was done in time. */
    reached: number;
}

/** What was found about a scene with steps of `dt` seconds. */
export interface Finding {
    dt: number;
    apart: Run["apart"];
    reached: Run["reached"];
    /** The step with which it does not fly apart; null: none was found. */
    stable: number | null;
}

const SECONDS = 1.5; // of the scene: what flies apart mostly does so at once
const PATIENCE = 5000; // milliseconds for a run
const ALL = 15000; // milliseconds for the search
const HALVINGS = 5;
const LONGER = 1.5; // times as long as it took to fly apart must go well

export class Rehearsal {
    private lane: Lane | null = null;
    private stopped = false;
    private dt = 0;

    constructor(private readonly files: GivenFile[]) {}

    /** `textOf`: the scene with other steps, in seconds; null: as it is. Throws what is wrong with the
     *  scene; null where it was stopped. A worker that hangs or breaks down reached nothing. */
    async find(textOf: (dt: number | null) => SceneText): Promise<Finding | null> {
        const end = performance.now() + ALL;
        try {
            const { apart, reached } = await this.run(textOf(null), SECONDS);
            const dt = this.dt;
            let stable: number | null = null;
            for (let i = 1; apart !== null && stable === null && i <= HALVINGS; i++) {
                if (this.stopped || performance.now() > end) break;
                const shorter = dt / 2 ** i;
                const seconds = LONGER * apart + 0.2;
                const run = await this.run(textOf(shorter), seconds);
                if (run.apart === null && run.reached >= LONGER * apart) stable = shorter;
            }
            return this.stopped ? null : { dt, apart, reached, stable };
        } catch (error) {
            if (this.stopped) return null;
            if (!(error instanceof LaneEnded)) throw error;
            return { dt: this.dt, apart: null, reached: 0, stable: null };
        } finally {
            this.stop();
        }
    }

    stop(): void {
        this.stopped = true;
        this.lane?.close();
        this.lane = null;
    }

    private async run(scene: SceneText, seconds: number): Promise<Run> {
        const lane = (this.lane ??= new Lane());
        await lane.give(this.files);
        await lane.request({ kind: "open", ...scene });
        const { description, shape } = await lane.request({ kind: "enter" });
        const flight = new Flight(stretchLimit(description, shape));
        this.dt = description.step.dt;
        const end = performance.now() + PATIENCE;
        const steps = Math.ceil(seconds / this.dt - 1e-6);
        let buffers: Buffers | undefined;
        let i = 0;
        for (; i < steps && performance.now() < end; i++) {
            const transfer = buffers ? Object.values(buffers).map((array) => array.buffer) : [];
            const request = { kind: "advance" as const, steps: 1, field: null, buffers };
            const step = lane.request(request, transfer).catch((error: unknown) => {
                if (this.lane === lane && lane.ended) throw error;
                return null; // the step itself failed
            });
            const answer = await Promise.race([step, pause(end - performance.now())]);
            if (answer === "late") return this.giveUp(i * this.dt);
            const reached = (i + 1) * this.dt;
            if (!answer || flight.judge(answer.numbers, false) !== null)
                return { apart: reached, reached };
            buffers = answer.buffers;
        }
        return { apart: null, reached: i * this.dt };
    }

    /** A step does not come back: its worker is of no use any more. */
    private giveUp(reached: number): Run {
        const { lane } = this;
        this.lane = null;
        lane?.close();
        return { apart: null, reached };
    }
}

function pause(time: number): Promise<"late"> {
    return new Promise((resolve) => setTimeout(() => resolve("late"), Math.max(0, time)));
}
