// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft.wasm and its memory. The module is compiled for a memory that threads share. Where there is
// none to be had, the one byte that says so is changed: all else works in a memory of one's own.

export interface Module {
    code: WebAssembly.Module;
    memory: WebAssembly.Memory;
}

/** What a thread needs that helps: a stack in that memory, and its number. */
export interface Seat {
    module: Module;
    stack: number;
    seat: number;
}

/** In units of 64 kB, as cmake/web.cmake has them. */
const PAGES = { initial: 256, maximum: 32768 };

/** `shares`: whether to ask for shared memory; a host may refuse it. */
export async function compileModule(
    source: BufferSource | Response,
    shares = true,
): Promise<Module> {
    const memory = shares ? sharedMemory() : null;
    if (memory) {
        const streams = source instanceof Response;
        const code = await (streams
            ? WebAssembly.compileStreaming(source)
            : WebAssembly.compile(source));
        return { code, memory };
    }
    const bytes = source instanceof Response ? await source.arrayBuffer() : source;
    const code = await WebAssembly.compile(withOwnMemory(bytes));
    return { code, memory: new WebAssembly.Memory(PAGES) };
}

function sharedMemory(): WebAssembly.Memory | null {
    try {
        return new WebAssembly.Memory({ ...PAGES, shared: true });
    } catch {
        return null;
    }
}

const HEADER = 8; // bytes
const IMPORTS = 2; // the section
const FUNCTION = 0; // what is imported
const MEMORY = 2;
const OWN = 1; // of limits: not shared, with a maximum

/** A copy of the module whose memory is not to be shared. */
function withOwnMemory(source: BufferSource): Uint8Array<ArrayBuffer> {
    const given = ArrayBuffer.isView(source)
        ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
        : new Uint8Array(source);
    const bytes = given.slice();
    bytes[memoryLimits(bytes)] = OWN;
    return bytes;
}

/** Where the limits of the imported memory begin. Functions stand before it, or nothing does. */
function memoryLimits(bytes: Uint8Array): number {
    let at = HEADER;
    const number = () => {
        let value = 0;
        for (let shift = 0; ; shift += 7) {
            const byte = bytes[at++]!;
            value += (byte & 127) * 2 ** shift;
            if (byte < 128) return value;
        }
    };
    const skip = (count: number) => (at += count);
    while (bytes[at++] !== IMPORTS) skip(number());
    number(); // bytes of the section
    for (let left = number(); left > 0; left--) {
        skip(number()); // two names
        skip(number());
        const kind = bytes[at++];
        if (kind === MEMORY) return at;
        if (kind === FUNCTION) number();
    }
    throw new Error("the module imports no memory");
}
