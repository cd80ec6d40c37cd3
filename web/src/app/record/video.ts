// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A video of a canvas, frame by frame: each one is stamped with the time that it is told, however
// long it took to draw. Loaded when wanted.

import {
    BufferTarget,
    CanvasSource,
    getFirstEncodableVideoCodec,
    Output,
    QUALITY_HIGH,
    WebMOutputFormat,
} from "mediabunny";

const LONGEST_SIDE = 1920; // pixels
const WAITING = 4; // frames that may wait for the encoder

/** Even, as codecs want it. */
function sizeFor({ width, height }: HTMLCanvasElement): [number, number] {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
    return [width, height].map((side) => 2 * Math.max(1, Math.round((scale * side) / 2))) as [
        number,
        number,
    ];
}

export interface Caption {
    text: string;
    /** Of the canvas, 0 to 1: the middle of its upper edge. */
    x: number;
    y: number;
}

export class Video {
    readonly ending = "webm";
    bytes = 0;
    frames = 0;
    private waiting = 0;
    private failure: unknown = null;
    private readonly copy = document.createElement("canvas");
    private readonly target = new BufferTarget();
    private readonly output = new Output({ format: new WebMOutputFormat(), target: this.target });
    private readonly source: CanvasSource;

    /** Null where no encoder can make it. */
    static async begin(canvas: HTMLCanvasElement): Promise<Video | null> {
        if (typeof VideoEncoder === "undefined") return null;
        const [width, height] = sizeFor(canvas);
        const codec = await getFirstEncodableVideoCodec(["vp9", "vp8", "av1"], { width, height });
        if (!codec) return null;
        const video = new Video(codec, width, height);
        await video.output.start();
        return video;
    }

    private constructor(codec: "vp9" | "vp8" | "av1" | string, width: number, height: number) {
        Object.assign(this.copy, { width, height });
        this.source = new CanvasSource(this.copy, {
            codec: codec as "vp9",
            bitrate: QUALITY_HIGH,
            onEncodedPacket: (packet) => (this.bytes += packet.byteLength),
        });
        this.output.addVideoTrack(this.source);
    }

    /** The encoder has no room for another frame now. */
    get full(): boolean {
        return this.waiting >= WAITING;
    }

    /** What a canvas shows, which was drawn in this task. */
    add(canvas: HTMLCanvasElement, seconds: number, duration: number, captions: Caption[]): void {
        if (this.failure) throw this.failure;
        this.draw(canvas, captions);
        this.frames++;
        this.waiting++;
        this.source
            .add(seconds, duration)
            .catch((error: unknown) => (this.failure = error))
            .finally(() => this.waiting--);
    }

    // The size of a video stays, whatever becomes of the window.
    private draw(canvas: HTMLCanvasElement, captions: Caption[]): void {
        const { width, height } = this.copy;
        const context = this.copy.getContext("2d", { alpha: false })!;
        const scale = Math.min(width / canvas.width, height / canvas.height);
        const [w, h] = [scale * canvas.width, scale * canvas.height];
        context.fillStyle = "#000000";
        context.fillRect(0, 0, width, height);
        context.drawImage(canvas, (width - w) / 2, (height - h) / 2, w, h);
        const size = Math.max(12, Math.round(height / 36));
        context.font = `600 ${size}px system-ui, sans-serif`;
        context.textAlign = "center";
        for (const { text, x, y } of captions) {
            const wide = context.measureText(text).width + size;
            const [left, top] = [(width - w) / 2 + x * w, (height - h) / 2 + y * h + size / 2];
            context.fillStyle = "rgb(255 255 255 / 0.85)";
            context.fillRect(left - wide / 2, top, wide, 1.6 * size);
            context.fillStyle = "#171b20";
            context.fillText(text, left, top + 1.15 * size);
        }
    }

    async end(): Promise<Blob> {
        await this.output.finalize();
        if (this.failure) throw this.failure;
        return new Blob([this.target.buffer!], { type: "video/webm" });
    }
}
