// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where a text stops being JSON, and what was expected there. Browsers say so in words of their own,
// and not all of them say where.

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

export interface SyntaxFault {
    /** Both from 1. */
    line: number;
    column: number;
    text: string;
}

class Scanner {
    private at = 0;

    constructor(private readonly text: string) {}

    private match(pattern: RegExp): boolean {
        pattern.lastIndex = this.at;
        const found = pattern.exec(this.text);
        if (found) this.at += found[0].length;
        return found !== null;
    }

    private take(character: string): boolean {
        this.match(SPACE);
        if (this.text[this.at] !== character) return false;
        this.at++;
        return true;
    }

    /** What is missing where the scan stopped; null after a whole value. */
    private value(): string | null {
        this.match(SPACE);
        if (this.take("{")) return this.members("}", () => this.member());
        if (this.take("[")) return this.members("]", () => this.value());
        if (this.text[this.at] === '"')
            return this.match(STRING) ? null : "a text that ends, in its line";
        return this.match(SCALAR) ? null : "a value";
    }

    private members(end: string, one: () => string | null): string | null {
        if (this.take(end)) return null;
        for (;;) {
            const missing = one();
            if (missing) return missing;
            if (this.take(end)) return null;
            if (!this.take(",")) return `"," or "${end}"`;
        }
    }

    private member(): string | null {
        this.match(SPACE);
        if (!this.match(STRING)) return "a key in quotes";
        return this.take(":") ? this.value() : '":"';
    }

    fault(): SyntaxFault | null {
        const missing = this.value() ?? (this.match(SPACE) && this.atEnd() ? null : "the end");
        if (!missing) return null;
        const lines = this.text.slice(0, this.at).split("\n");
        const column = [...lines[lines.length - 1]!].length + 1;
        const found = this.atEnd() ? "the end of the text" : JSON.stringify(this.text[this.at]);
        return { line: lines.length, column, text: `expected ${missing}, not ${found}` };
    }

    private atEnd(): boolean {
        return this.at >= this.text.length;
    }
}

/** null where the text is JSON after all. */
export function findFault(text: string): SyntaxFault | null {
    try {
        return new Scanner(text).fault();
    } catch {
        return { line: 1, column: 1, text: "lists and objects are nested too deep" };
    }
}
