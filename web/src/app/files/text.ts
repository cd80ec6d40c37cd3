// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The text of the scene beside the view. Settings change the text, and what is written there is the
// scene as soon as the reader of scenes takes it; until then the old one goes on, and the editor
// says at its place what is wrong. Loaded when the text is first opened.

import type { SceneDocument } from "../../scene/document";
import { keysAt, valuesAt, type SceneSpot, type SceneWord } from "../../scene/keys";
import { offsetOf, samePlace } from "../../scene/places";
import { findFault } from "../../sim/json-fault";
import { Editor } from "../../ui/editor";
import type { TextDrawer } from "../../ui/text-drawer";
import { errorsNow, toast } from "../../ui/toast";
import type { Live } from "../live";

/** "flag.json:3:7: message"; a name may have colons. */
const PLACE = /^(.*?):(\d+):(\d+): ([^]*)$/;

export class SceneText {
    private readonly editor: Editor;
    private document: SceneDocument | null = null;
    /** What the user wrote is not the scene yet. */
    private written = false;
    /** Closes the errors that are of the text before. */
    private dropErrors: () => void = () => {};
    /** What was asked for by hand, until it is there or refused. */
    private asked = false;
    /** What was written and is not the scene yet, of scenes that are not shown. */
    private readonly drafts = new WeakMap<SceneDocument, string>();

    constructor(
        private readonly drawer: TextDrawer,
        private readonly live: Live,
        private readonly undo: () => void,
    ) {
        this.editor = new Editor(drawer.body, {
            typed: () => {
                this.written = true;
                drawer.tell("…");
            },
            apply: () => this.apply(),
            left: () => drawer.toggle.focus(),
            words: (spot, key) => this.words(spot, key),
        });
        window.addEventListener("beforeunload", (event) => {
            if (this.draft !== null) event.preventDefault(); // the browser asks
        });
        this.show();
    }

    private words(spot: SceneSpot, key: string | null): SceneWord[] {
        if (key === null) return keysAt(spot);
        if (key !== "fabric" && key !== "base") return valuesAt(spot, key);
        return this.live.choices
            .filter(({ group }) => group === "fabric")
            .map(({ name, text }) => ({ label: name, detail: "fabric", info: text }));
    }

    /** The scene or its settings may be others now. */
    show(): void {
        const { document } = this.live;
        if (!document) return;
        if (document !== this.document) {
            this.keepDraft();
            this.begin(document);
        } else if (this.asked && this.live.player.prepares) {
            return; // what is there was asked for before
        } else if (this.asked || !this.written) {
            if (this.asked && this.editor.text === document.written) {
                this.written = false;
                this.dropErrors();
            }
            this.asked = false;
            if (this.written) return;
            this.editor.update(document.written);
        } else {
            return;
        }
        this.editor.mark(null);
        this.tellGood();
    }

    /** What is written and is not the scene yet; null: nothing. */
    private get draft(): string | null {
        const { text } = this.editor;
        return this.written && text !== this.document?.written ? text : null;
    }

    private keepDraft(): void {
        const { document, draft } = this;
        if (!document || draft === null) return;
        this.drafts.set(document, draft);
        toast(
            `What you were writing in the text of "${document.title}" is kept: undo brings it back`,
            "info",
            [{ label: "Undo", act: this.undo }],
        );
    }

    private begin(document: SceneDocument): void {
        this.document = document;
        this.written = this.asked = false;
        this.editor.begin(document.written);
        const draft = this.drafts.get(document);
        this.drafts.delete(document);
        if (draft !== undefined) this.editor.write(draft);
    }

    private tellGood(): void {
        this.drawer.tell(
            "This is what is played. What you write here counts after a moment, or at once with Ctrl and Enter.",
        );
    }

    private apply(): void {
        const { text } = this.editor;
        const fault = findFault(text);
        if (fault) return this.mark(text, fault.line, fault.column, fault.text);
        if (text === this.live.document?.written) {
            this.written = false;
            this.editor.mark(null);
            return this.tellGood();
        }
        this.asked = true;
        this.dropErrors = errorsNow();
        this.live.write(text);
    }

    /** Whether the reason is of what was written here; it is shown at its place. `asked`: the text
     *  that was refused. */
    refused(reason: string, asked: string | undefined): boolean {
        if (!this.asked) return false;
        this.asked = false;
        const found = PLACE.exec(reason);
        if (!found || asked === undefined) {
            this.editor.mark(null);
            this.drawer.tell(`${reason} The scene goes on as it was.`, true);
            return true;
        }
        const [, , line, column, message] = found;
        if (asked === this.editor.text) this.mark(asked, Number(line), Number(column), message!);
        else
            this.markRange(
                samePlaceOf(this.editor.text, asked, Number(line), Number(column)),
                message!,
            );
        return true;
    }

    private mark(text: string, line: number, column: number, message: string): void {
        this.markRange(samePlaceOf(text, text, line, column), message);
    }

    private markRange([from, to]: [number, number], message: string): void {
        const line = this.editor.text.slice(0, from).split("\n").length;
        this.editor.mark({ from, to, message });
        const end = /[.?!]$/.test(message) ? "" : ".";
        this.drawer.tell(`Line ${line}: ${message}${end} The scene goes on as it was.`, true);
    }

    /** Something was put in: it is shown. */
    point(words: string): void {
        const from = this.editor.text.lastIndexOf(words);
        if (from >= 0) this.editor.show(from, from + words.length);
    }

    focus(): void {
        this.editor.focus();
    }
}

/** One character where the text is not JSON. */
function samePlaceOf(text: string, other: string, line: number, column: number): [number, number] {
    const offset = offsetOf(other, line, column);
    try {
        JSON.parse(text);
        JSON.parse(other);
        return firstLine(text, samePlace(text, other, offset));
    } catch {
        return [offset, offset + 1];
    }
}

/** A list or an object is marked by its first line. */
function firstLine(text: string, [from, to]: [number, number]): [number, number] {
    const end = text.indexOf("\n", from);
    return [from, end < 0 ? to : Math.min(to, end)];
}
