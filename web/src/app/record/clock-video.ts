// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A video where the browser lets a page encode no frames: the browser films the canvas itself, by
// the clock on the wall. Pauses of the scene are left out.

const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

export class ClockVideo {
    bytes = 0;
    readonly full = false;
    readonly ending: string;
    private readonly pieces: Blob[] = [];

    /** Null where the browser cannot. */
    static begin(canvas: HTMLCanvasElement): ClockVideo | null {
        if (typeof MediaRecorder === "undefined" || !canvas.captureStream) return null;
        const mimeType = KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
        if (!mimeType) return null;
        const stream = canvas.captureStream(30);
        return new ClockVideo(new MediaRecorder(stream, { mimeType, videoBitsPerSecond: 8e6 }));
    }

    private constructor(private readonly recorder: MediaRecorder) {
        this.ending = recorder.mimeType.includes("mp4") ? "mp4" : "webm";
        recorder.ondataavailable = ({ data }) => {
            this.pieces.push(data);
            this.bytes += data.size;
        };
        recorder.start(1000);
    }

    setPlaying(on: boolean): void {
        if (on && this.recorder.state === "paused") this.recorder.resume();
        if (!on && this.recorder.state === "recording") this.recorder.pause();
    }

    end(): Promise<Blob> {
        return new Promise((resolve) => {
            this.recorder.onstop = () => {
                for (const track of this.recorder.stream.getTracks()) track.stop();
                resolve(new Blob(this.pieces, { type: this.recorder.mimeType }));
            };
            this.recorder.stop();
        });
    }
}
