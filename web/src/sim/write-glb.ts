// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A GLB out of the module, as the tool writes it: frames go in, bytes come out in pieces.

/** What is needed of the module; see Core. */
export interface GlbHost {
    call(name: string, ...numbers: number[]): number;
    memory(): ArrayBuffer;
    withTexts<T>(texts: string[], use: (place: [number, number]) => T): T;
    error(): Error;
    /** Told of bytes of a file that is written, and where in it they go. */
    onWrite: (place: number, bytes: Uint8Array) => void;
}

export interface GlbFrames {
    /** Of cloth and bodies. */
    vertexCount: number;
    frameCount: number;
    /** Frames per second. */
    rate: number;
}

const PIECE = 1 << 20; // bytes

/** A file in memory that grows and of which parts are written again. */
class Pieces {
    readonly list: Uint8Array<ArrayBuffer>[] = [];
    private size = 0;

    write(place: number, bytes: Uint8Array): void {
        for (let done = 0; done < bytes.length;) {
            const at = place + done;
            const index = Math.floor(at / PIECE);
            while (this.list.length <= index) this.list.push(new Uint8Array(PIECE));
            const part = bytes.subarray(done, done + PIECE - (at % PIECE));
            this.list[index]!.set(part, at % PIECE);
            done += part.length;
        }
        this.size = Math.max(this.size, place + bytes.length);
    }

    get blob(): Blob {
        const whole = new Blob(this.list);
        return whole.slice(0, this.size, "model/gltf-binary");
    }
}

/** `read`: puts the positions of a frame, of the cloth, then of the bodies. */
export function writeGlb(
    host: GlbHost,
    { vertexCount, frameCount, rate }: GlbFrames,
    read: (frame: number, to: Float32Array) => void,
): Blob {
    const pieces = new Pieces();
    const check = (good: number) => {
        if (!good) throw host.error();
    };
    const room = host.call("malloc", 12 * vertexCount);
    if (room === 0) throw new Error("out of memory");
    host.onWrite = (place, bytes) => pieces.write(place, bytes);
    try {
        check(
            host.withTexts(["recording.glb"], ([path]) =>
                host.call("play_begin_glb", path, frameCount, rate),
            ),
        );
        for (let i = 0; i < frameCount; i++) {
            read(i, new Float32Array(host.memory(), room, 3 * vertexCount));
            check(host.call("play_put_glb", room));
        }
        check(host.call("play_end_glb"));
        return pieces.blob;
    } finally {
        host.onWrite = () => {};
        host.call("free", room);
        host.call("play_record", 0);
    }
}
