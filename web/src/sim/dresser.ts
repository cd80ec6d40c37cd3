// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Puts on what a scene wears, in a worker of its own: what is played meanwhile goes on, and to stop
// is to end the worker.

import { crewSize } from "./crew";
import { Lane } from "./lane";
import type { GivenFile, Progress, SceneText, Start } from "./protocol";

/** Somebody stopped it. */
export class Stopped extends Error {
    constructor() {
        super("dressing was stopped");
    }
}

export class Dresser {
    private lane: Lane | null = null;

    get busy(): boolean {
        return this.lane !== null;
    }

    /** The text of a start file. Ends what was being put on before. `bare`: is shown who is dressed. */
    async dress(
        scene: SceneText,
        files: GivenFile[],
        progress: (progress: Progress) => void,
        bare?: (start: Start) => void,
    ): Promise<string> {
        this.stop();
        const lane = (this.lane = new Lane());
        lane.onProgress = progress;
        lane.setCrew(crewSize(2, null)); // beside what is played
        try {
            await lane.give(files);
            if (bare) await openBare(lane, scene).then(bare, () => {}); // dressing says why
            const start = await lane.request({ kind: "dress", ...scene });
            return start ?? "";
        } catch (error) {
            throw this.lane === lane ? error : new Stopped();
        } finally {
            lane.close();
            if (this.lane === lane) this.lane = null;
        }
    }

    stop(): void {
        const { lane } = this;
        this.lane = null;
        lane?.close();
    }
}

/** The bodies of a scene at its start, beside a crumb of cloth, without which there is no scene. */
function openBare(lane: Lane, { text, name }: SceneText): Promise<Start> {
    const { weft, bodies, motions } = JSON.parse(text) as Record<string, unknown>;
    const crumb = { kind: "grid", columns: 1, rows: 1, width: 0.01, height: 0.01 };
    const bare = { weft, bodies, motions, cloths: [{ mesh: crumb }] };
    return lane.request({ kind: "open", text: JSON.stringify(bare), name });
}
