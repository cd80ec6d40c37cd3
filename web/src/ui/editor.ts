// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// An editor of JSON, by CodeMirror. It is loaded when it is first wanted.

import {
    autocompletion,
    closeBrackets,
    closeBracketsKeymap,
    completionKeymap,
    type CompletionContext,
    type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import {
    bracketMatching,
    HighlightStyle,
    indentUnit,
    syntaxHighlighting,
    syntaxTree,
} from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, Transaction } from "@codemirror/state";
import {
    drawSelection,
    EditorView,
    highlightActiveLine,
    highlightActiveLineGutter,
    keymap,
    lineNumbers,
} from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { tags } from "@lezer/highlight";

/** What can be written at a place. */
export interface Word {
    label: string;
    /** "number, m". */
    detail: string;
    /** What it is. */
    info: string;
}

export interface EditorEvents {
    /** The user wrote something. */
    typed(): void;
    /** Ctrl and Enter. */
    apply(): void;
    /** Escape, then Tab would leave the editor. */
    left(): void;
    /** Keys of the object that is written in; or, of the value of a key, words for it. */
    words(spot: Spot, key: string | null): Word[];
}

/** Where something is: names of members and numbers in lists, from the outside inwards, and the
 *  member "kind" of every one of them that has one. */
export interface Spot {
    path: (string | number)[];
    kinds: (string | undefined)[];
}

/** Milliseconds. */
const PAUSE = 400;

/** Of the page, not of the user. */
const ours = Annotation.define<boolean>();

const colours = HighlightStyle.define([
    { tag: tags.propertyName, color: "var(--accent)" },
    { tag: tags.string, color: "var(--c2)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--c3)" },
]);

/** The text of a string in the tree. */
function plainText(state: EditorState, node: SyntaxNode | null): string | undefined {
    return node ? state.sliceDoc(node.from, node.to).replace(/^"|"$/g, "") : undefined;
}

function membersOf(object: SyntaxNode): SyntaxNode[] {
    return object.getChildren("Property");
}

/** Of objects: what their member "kind" says. */
function kindOf(state: EditorState, node: SyntaxNode): string | undefined {
    const member = membersOf(node).find(
        (property) => plainText(state, property.getChild("PropertyName")) === "kind",
    );
    return plainText(state, member?.getChild("String") ?? null);
}

/** The object around an offset; the text need not be whole. */
function spotOf(state: EditorState, offset: number): Spot {
    const spot: Spot = { path: [], kinds: [] };
    let node: SyntaxNode | null = syntaxTree(state).resolveInner(offset, -1);
    while (node && node.name !== "Object") node = node.parent;
    for (; node; node = node.parent) {
        const { parent } = node;
        if (parent?.name === "Array") {
            let index = 0;
            for (let other = node.prevSibling; other; other = other.prevSibling)
                if (!["[", ","].includes(other.name)) index++;
            spot.path.unshift(index);
        } else if (parent?.name === "Property" && node.name !== "PropertyName") {
            spot.path.unshift(plainText(state, parent.getChild("PropertyName")) ?? "");
        } else {
            continue;
        }
        spot.kinds.unshift(node.name === "Object" ? kindOf(state, node) : undefined);
    }
    return spot;
}

export class Editor {
    private readonly view: EditorView;
    private timer = 0;

    constructor(
        parent: HTMLElement,
        private readonly events: EditorEvents,
    ) {
        this.view = new EditorView({ parent, state: this.newState("") });
    }

    private newState(doc: string): EditorState {
        const apply = () => {
            clearTimeout(this.timer);
            this.events.apply();
            return true;
        };
        return EditorState.create({
            doc,
            extensions: [
                lineNumbers(),
                lintGutter(),
                highlightActiveLine(),
                highlightActiveLineGutter(),
                history(),
                drawSelection(),
                indentUnit.of("    "),
                json(),
                syntaxHighlighting(colours),
                bracketMatching(),
                closeBrackets(),
                autocompletion({ override: [(context) => this.complete(context)] }),
                search({ top: true }),
                keymap.of([
                    { key: "Mod-Enter", run: apply },
                    ...closeBracketsKeymap,
                    ...completionKeymap,
                    ...searchKeymap,
                    ...historyKeymap,
                    ...defaultKeymap,
                    { key: "Escape", run: () => (this.events.left(), true) },
                    indentWithTab,
                ]),
                EditorView.contentAttributes.of({ "aria-label": "Text of the scene, JSON" }),
                EditorView.updateListener.of((update) => {
                    const byUser = update.transactions.some((t) => !t.annotation(ours));
                    if (update.docChanged && byUser) this.typed();
                }),
            ],
        });
    }

    private typed(): void {
        this.events.typed();
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => this.events.apply(), PAUSE);
    }

    private complete(context: CompletionContext): CompletionResult | null {
        const word = context.matchBefore(/"[^"\n]*/);
        if (!word && !context.explicit) return null;
        const from = word ? word.from : context.pos;
        const before = context.state.sliceDoc(Math.max(0, from - 80), from);
        const key = /"([^"\n]*)"\s*:\s*$/.exec(before)?.[1] ?? null;
        const spot = spotOf(context.state, from);
        const options = this.events.words(spot, key).map(({ label, detail, info }) => ({
            label: `"${label}"`,
            detail,
            info,
            apply: (view: EditorView) => {
                const closed = view.state.sliceDoc(context.pos, context.pos + 1) === '"';
                const insert = `"${label}"${key === null ? ": " : ""}`;
                const to = context.pos + (closed ? 1 : 0);
                const anchor = from + insert.length;
                view.dispatch({ changes: { from, to, insert }, selection: { anchor } });
            },
        }));
        return options.length > 0 ? { from, options, validFor: /^"[^"\n]*$/ } : null;
    }

    get text(): string {
        return this.view.state.doc.toString();
    }

    get hasFocus(): boolean {
        return this.view.hasFocus;
    }

    /** Another scene: the editor's own undo does not go back before it. */
    begin(text: string): void {
        clearTimeout(this.timer);
        this.view.setState(this.newState(text));
    }

    /** The same scene with other settings. */
    update(text: string): void {
        this.exchange(text, [ours.of(true), Transaction.addToHistory.of(true)]);
    }

    /** As if the user wrote it. */
    write(text: string): void {
        this.exchange(text);
    }

    /** Only what differs. */
    private exchange(text: string, annotations?: Annotation<boolean>[]): void {
        const { text: old } = this;
        if (text === old) return;
        let start = 0;
        while (start < old.length && old[start] === text[start]) start++;
        let same = 0;
        const most = Math.min(old.length, text.length) - start;
        while (same < most && old[old.length - 1 - same] === text[text.length - 1 - same]) same++;
        const changes = {
            from: start,
            to: old.length - same,
            insert: text.slice(start, text.length - same),
        };
        this.view.dispatch({ changes, annotations });
    }

    /** Marks what is wrong; null: nothing is. */
    mark(fault: { from: number; to: number; message: string } | null): void {
        const length = this.view.state.doc.length;
        const within = (offset: number) => Math.min(Math.max(0, offset), length);
        const marks = fault
            ? [
                  {
                      from: within(fault.from),
                      to: within(Math.max(fault.to, fault.from + 1)),
                      severity: "error" as const,
                      message: fault.message,
                  },
              ]
            : [];
        this.view.dispatch(setDiagnostics(this.view.state, marks));
    }

    /** Brings a place into the picture. */
    show(from: number, to: number): void {
        this.view.dispatch({
            selection: { anchor: from, head: Math.min(to, this.view.state.doc.length) },
            effects: EditorView.scrollIntoView(from, { y: "center" }),
        });
    }

    focus(): void {
        this.view.focus();
    }
}
