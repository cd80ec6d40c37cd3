// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// JSON for the reader of scenes: parsed by the browser, handed over as a tree of nodes in the
// module's memory, laid out as web/core/json/jansson.h has it.

import { findFault, type SyntaxFault } from "./json-fault";

enum Type {
    Object,
    Array,
    String,
    Integer,
    Real,
    True,
    False,
    Null,
}

const NODE = 32;
const offsets = { type: 0, count: 4, number: 8, string: 16, key: 20, first: 24 };

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

function typeOf(value: Json): Type {
    if (value === null) return Type.Null;
    if (Array.isArray(value)) return Type.Array;
    switch (typeof value) {
        case "boolean":
            return value ? Type.True : Type.False;
        case "number":
            return Number.isSafeInteger(value) ? Type.Integer : Type.Real;
        case "string":
            return Type.String;
        default:
            return Type.Object;
    }
}

function childrenOf(value: Json): [string | null, Json][] {
    if (Array.isArray(value)) return value.map((item) => [null, item]);
    if (value !== null && typeof value === "object") return Object.entries(value);
    return [];
}

/** The tree as bytes, with pointers for a block that starts at `base`. */
class TreeWriter {
    private nodes: { key: string | null; value: Json; first: number; count: number }[] = [];
    private strings: Uint8Array[] = [];
    private stringBytes = 0;
    private encoder = new TextEncoder();

    constructor(root: Json) {
        this.nodes.push({ key: null, value: root, first: 0, count: 0 });
        // breadth first, so that the children of a node stand next to each other
        for (let i = 0; i < this.nodes.length; i++) {
            const node = this.nodes[i]!;
            const children = childrenOf(node.value);
            node.first = this.nodes.length;
            node.count = children.length;
            for (const [key, value] of children)
                this.nodes.push({ key, value, first: 0, count: 0 });
        }
    }

    private addString(text: string): { offset: number; length: number } {
        const bytes = this.encoder.encode(text);
        const offset = this.nodes.length * NODE + this.stringBytes;
        this.strings.push(bytes);
        this.stringBytes += bytes.length + 1;
        return { offset, length: bytes.length };
    }

    /** The nodes, with places for their texts after them. */
    private nodeFields() {
        return this.nodes.map((node) => ({
            ...node,
            keyAt: node.key === null ? null : this.addString(node.key),
            textAt: typeof node.value === "string" ? this.addString(node.value) : null,
        }));
    }

    /** Allocates the block by `allocate` and fills it; 0 where there is no memory. */
    write(memory: () => ArrayBuffer, allocate: (bytes: number) => number): number {
        const fields = this.nodeFields();
        const base = allocate(fields.length * NODE + this.stringBytes);
        if (base === 0) return 0;
        const view = new DataView(memory());
        fields.forEach((node, i) => {
            const at = base + i * NODE;
            const count = node.textAt ? node.textAt.length : node.count;
            view.setInt32(at + offsets.type, typeOf(node.value), true);
            view.setInt32(at + offsets.count, count, true);
            view.setFloat64(at + offsets.number, Number(node.value) || 0, true);
            view.setUint32(at + offsets.string, node.textAt ? base + node.textAt.offset : 0, true);
            view.setUint32(at + offsets.key, node.keyAt ? base + node.keyAt.offset : 0, true);
            view.setUint32(at + offsets.first, base + node.first * NODE, true);
        });
        const bytes = new Uint8Array(memory());
        let at = base + fields.length * NODE;
        for (const text of this.strings) {
            bytes.set(text, at);
            bytes[at + text.length] = 0;
            at += text.length + 1;
        }
        return base;
    }
}

/** Parse a text into a tree in memory; its address, or what is wrong with it. */
export function parseIntoMemory(
    text: string,
    memory: () => ArrayBuffer,
    allocate: (bytes: number) => number,
): number | SyntaxFault {
    let root: Json;
    try {
        root = JSON.parse(text) as Json;
    } catch (error) {
        return findFault(text) ?? { line: 1, column: 1, text: String(error) };
    }
    return new TreeWriter(root).write(memory, allocate);
}
