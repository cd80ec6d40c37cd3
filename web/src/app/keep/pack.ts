// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is the user's own, as bytes: a scene of theirs with its files, or what they brought to one of
// the project's. Small packs go into the address; others are kept by this browser.

import type { MeshBody, SceneDocument } from "../../scene/document";
import { namedFiles } from "../../scene/scene-file";
import type { Outfit } from "../../scene/garments";
import { isHands, type HandState } from "../../sim/hands";
import type { GivenFile } from "../../sim/protocol";
import { fromLetters, toLetters } from "./edit-words";
import { isReady, sceneWord } from "./moment";
import { isPicture } from "../files/print-picture";
import { keepBytes, keptBytes, nameOf } from "./storage";

export interface Pack {
    /** Without it, and without an outfit: the scene that the address names. */
    scene?: { id: string; file: string; text: string };
    outfit?: Outfit;
    bodies?: MeshBody[];
    /** Instead of that of the scene. */
    text?: string;
    hands?: HandState;
    files: GivenFile[];
}

/** Letters that an address may take: what is longer, messengers and servers cut off. */
export const MOST_LETTERS = 30000;
/** That all browsers take, for what is kept nowhere else. */
const MOST_OF_BROWSERS = 500000;

/** null: the address can name all of it. */
export function packOf(document: SceneDocument): Pack | null {
    const { bodies, text, hands } = document.edits;
    const own = sceneWord(document) === null;
    const brought = new Set(bodies?.map(({ file }) => file));
    const pictures = document.files.filter(({ name }) => isPicture(name));
    const named = pictures.length > 0 ? namedFiles(document.compose(null).text) : [];
    for (const { name } of pictures) if (named.includes(name)) brought.add(name);
    if (!own && brought.size === 0 && text === undefined && !hands) return null;
    const files = document.givenFiles.filter(
        (file) => brought.has(file.name) || (own && !isReady(file)),
    );
    const { id, file, original, outfit } = document;
    return {
        ...(own && !outfit && { scene: { id, file, text: original } }),
        ...(own && outfit && { outfit }),
        ...(bodies && { bodies }),
        ...(text !== undefined && { text }),
        ...(hands && { hands }),
        files,
    };
}

/** Of what the server gives anew whenever it is asked: the rest may be newer then. */
export function handsOf({ edits: { hands } }: SceneDocument): Pack | null {
    return hands ? { hands, files: [] } : null;
}

/** The length of the text in four bytes, the text, the files one behind the other. */
function toBytes({ files, ...rest }: Pack): Uint8Array<ArrayBuffer> {
    const listed = files.map(({ name, bytes }) => ({ name, size: bytes.length }));
    const text = new TextEncoder().encode(JSON.stringify({ ...rest, files: listed }));
    const parts = [new Uint8Array(4), text, ...files.map(({ bytes }) => bytes)];
    const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    new DataView(all.buffer).setUint32(0, text.length, true);
    return all;
}

function fromBytes(all: Uint8Array<ArrayBuffer>): Pack {
    const length = new DataView(all.buffer, all.byteOffset).getUint32(0, true);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(all.subarray(4, 4 + length));
    const { files, ...rest } = JSON.parse(text) as Omit<Pack, "files"> & {
        files: { name: string; size: number }[];
    };
    let at = 4 + length;
    const given = files.map(({ name, size }) => {
        const bytes = all.slice(at, (at += size));
        if (bytes.length !== size) throw new Error("cut off");
        return { name, bytes };
    });
    if (!(rest.bodies ?? []).every(isBody)) throw new Error("not a body");
    if (rest.hands && !isHands(rest.hands)) throw new Error("not what hands do");
    return { ...rest, files: given };
}

function isBody({ file, place }: MeshBody): boolean {
    const numbers: unknown[] = [place.scale, ...place.move];
    return typeof file === "string" && numbers.length === 4 && numbers.every(Number.isFinite);
}

async function through(
    bytes: Uint8Array<ArrayBuffer>,
    stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
    const out = new Blob([bytes]).stream().pipeThrough(stream);
    return new Uint8Array(await new Response(out).arrayBuffer());
}

/** For an address: the letters of it, or the name that it is kept by. `unkept`: there are too many letters,
 *  and the browser keeps nothing, so that an address too long for others has them; or nothing has. */
export interface Packed {
    packed?: string;
    kept?: string;
    unkept?: "long" | "lost";
}

export async function writePack(pack: Pack): Promise<Packed> {
    const bytes = await through(toBytes(pack), new CompressionStream("deflate-raw"));
    const letters = (4 * bytes.length) / 3;
    if (letters <= MOST_LETTERS) return { packed: toLetters(bytes) };
    const kept = nameOf(bytes);
    try {
        await keepBytes(kept, bytes);
        return { kept };
    } catch {
        if (letters > MOST_OF_BROWSERS) return { kept, unkept: "lost" };
        return { packed: toLetters(bytes), unkept: "long" };
    }
}

/** Fails with a sentence where there is no such pack. */
export async function readPack(own: { packed?: string; kept?: string }): Promise<Pack> {
    const bytes = own.packed ? decode(own.packed) : await keptBytes(own.kept ?? "");
    if (!bytes)
        throw new Error(
            "The scene of this address is not kept by this browser: another one made it, or this one keeps nothing",
        );
    try {
        return fromBytes(await through(bytes, new DecompressionStream("deflate-raw")));
    } catch {
        throw new Error("The address is not whole: the scene in it cannot be read");
    }
}

function decode(letters: string): Uint8Array<ArrayBuffer> {
    try {
        return fromLetters(letters);
    } catch {
        return new Uint8Array(); // told as what is not whole
    }
}
