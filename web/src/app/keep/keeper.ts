// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Keeps what the user did: in a history to go back and forth in, and in the address, so that a
// reload, a link and the buttons of the browser bring it back.

import type { Viewpoint } from "../../draw/camera/viewpoint";
import type { SceneDocument } from "../../scene/document";
import { wordsOf } from "../../sim/words";
import { toast } from "../../ui/toast";
import { History } from "./history";
import { readAddress, writeLink, type Address, type Link } from "./link";
import { difference, linkOf, type Moment } from "./moment";
import { handsOf, packOf, writePack, type Packed } from "./pack";

export interface Owner {
    /** How it is now; null while something is on its way. */
    moment(): Moment | null;
    /** How it is now, or will be. */
    asked(): Moment | null;
    take(moment: Moment): void;
    /** What another address asks for. */
    visit(address: Address): void;
    /** Where the user moved the camera to; null: nowhere. */
    viewpoint(): Viewpoint | null;
    /** What was asked for by address. */
    link(): Link;
    /** Whether the address asked for something else than what is shown. */
    strays(): boolean;
    /** Whether the server gives what is shown, as it is there then. */
    isServed(document: SceneDocument): boolean;
    saveScene(): void;
    /** What can be undone and redone is new. */
    told(): void;
}

/** Milliseconds between looks at how it is; an address is written once two of them see the same. */
const LOOK = 400;

/** Of entries of the browser's history that this page made. */
const ours = `${performance.timeOrigin}`;

export class Keeper {
    private readonly history = new History<Moment>(difference);
    private readonly entries = new Map<string, Moment>();
    private lastLook = 0;
    private seen = "";
    private written: { text: string; document: SceneDocument } | null = null;
    /** What is packed of the user's own, once it is ready. */
    private own = { key: [] as unknown[], link: null as Packed | null, ready: true };
    private toldUnkept = false;

    constructor(private readonly owner: Owner) {
        window.addEventListener("popstate", (event) => this.wentBack(event.state));
        window.addEventListener("beforeunload", (event) => {
            if (this.own.link?.unkept === "lost") event.preventDefault(); // the browser asks
        });
    }

    // -----------------------------------------------------------------------------------------
    // Undo and redo

    /** After whatever the user did. `single`: one change, however soon after another one. */
    note(single = false): void {
        this.noteMoment(this.owner.moment(), single);
    }

    private noteMoment(moment: Moment | null, single = false): void {
        if (!moment) return;
        if (this.entry && this.written?.document === moment.chosen.document)
            this.entries.set(this.entry, moment);
        if (this.history.note(moment, performance.now(), single)) this.owner.told();
    }

    /** What was asked for did not come about. */
    refused(): void {
        const moment = this.owner.moment();
        if (moment) this.history.takeBack(moment);
        this.owner.told();
    }

    /** What is still on its way can be undone, too. */
    undo(): void {
        this.noteMoment(this.owner.asked());
        this.go(this.history.undo());
    }

    redo(): void {
        this.noteMoment(this.owner.asked());
        this.go(this.history.redo());
    }

    private go(moment: Moment | null): void {
        if (!moment) return;
        this.owner.take(moment);
        this.owner.told();
    }

    /** What undo would change; null: there is nothing to undo. */
    get undoWords(): string | null {
        return this.history.undoWords;
    }

    get redoWords(): string | null {
        return this.history.redoWords;
    }

    // -----------------------------------------------------------------------------------------
    // Address

    /** To be called whenever the page draws. */
    tick(now: number): void {
        if (now - this.lastLook < LOOK) return;
        this.lastLook = now;
        const moment = this.owner.moment();
        if (!moment || this.isPacking(moment)) return;
        const text = this.addressOf(moment);
        const still = text === this.seen;
        this.seen = text;
        if (still && text !== this.written?.text) this.write(moment, text);
    }

    private addressOf(moment: Moment): string {
        const { document } = moment.chosen;
        const served = this.owner.isServed(document);
        const link = { ...linkOf(moment, this.owner.link()), ...this.owner.viewpoint() };
        if (served) link.scene = null;
        link.own = this.own.link;
        const { query, hash } = writeLink(link);
        return `${query}${hash}`;
    }

    /** The first one is there already: what is not changed keeps its address. */
    private write(moment: Moment, text: string): void {
        const { document } = moment.chosen;
        const another = this.written !== null && this.written.document !== document;
        const changed = this.history.undoWords !== null || this.owner.viewpoint() !== null;
        const asGiven = this.written === null && !this.owner.strays() && !changed;
        const url = asGiven ? location.href : `${location.pathname}${text}`;
        const name = another || !this.entry ? `${ours}-${this.entries.size}` : this.entry;
        this.entries.set(name, moment);
        this.written = { text, document };
        try {
            if (another) window.history.pushState({ entry: name }, "", url);
            else window.history.replaceState({ entry: name }, "", url);
        } catch {
            // the browser takes no address so long, or not so many of them
        }
    }

    /** The browser's own, where this page made it. */
    private get entry(): string | null {
        const state = window.history.state as { entry?: string } | null;
        return state?.entry && this.entries.has(state.entry) ? state.entry : null;
    }

    private wentBack(state: { entry?: string } | null): void {
        const moment = this.entries.get(state?.entry ?? "");
        if (!moment) return this.owner.visit(readAddress(location.search, location.hash));
        this.written = { text: "", document: moment.chosen.document };
        this.noteMoment(this.owner.asked());
        const known = this.history.goTo(moment);
        this.owner.take(moment);
        if (known) this.owner.told();
        else this.note();
    }

    /** What is the user's own is packed once; meanwhile the address waits. */
    private isPacking({ chosen }: Moment): boolean {
        const { document, edits } = chosen;
        const key = [document, edits.bodies, edits.text, edits.hands, document.files];
        if (key.some((part, i) => part !== this.own.key[i])) void this.pack(document, key);
        return !this.own.ready;
    }

    private async pack(document: SceneDocument, key: unknown[]): Promise<void> {
        const pack = this.owner.isServed(document) ? handsOf(document) : packOf(document);
        const own: Keeper["own"] = { key, link: null, ready: pack === null };
        this.own = own;
        if (!pack) return;
        try {
            own.link = await writePack(pack);
        } finally {
            own.ready = true;
        }
        if (own.link.unkept && own === this.own) this.tellUnkept(own.link.unkept);
    }

    private tellUnkept(how: "long" | "lost"): void {
        if (this.toldUnkept) return;
        this.toldUnkept = true;
        const where =
            how === "long"
                ? "in the address alone, which others may cut off"
                : "lost once the page is left";
        toast(`This browser keeps nothing for pages: what you brought is ${where}`, "error", [
            { label: "Save scene", act: () => this.owner.saveScene() },
        ]);
    }

    // -----------------------------------------------------------------------------------------
    // Links

    async copyLink(): Promise<void> {
        const moment = this.owner.moment();
        if (!moment || this.isPacking(moment)) return void toast("The link is not ready yet");
        const text = this.addressOf(moment);
        this.write(moment, text);
        const url = new URL(text || location.pathname, location.href).href;
        try {
            await copy(url);
            toast(this.wordsOfLink());
        } catch (error) {
            toast(`The link could not be copied (${wordsOf(error)}): take it from the address`);
        }
    }

    private wordsOfLink(): string {
        const { kept, unkept } = this.own.link ?? {};
        if (unkept === "lost")
            return "Link copied, without what you brought: this browser keeps nothing for pages";
        if (unkept === "long")
            return "Link copied. It is so long that others may cut it off: save the scene to give it to them";
        if (kept)
            return (
                "Link copied. It opens in this browser only: what you brought is too large for an " +
                "address. Save the scene to give it to others"
            );
        return "Link copied";
    }
}

async function copy(text: string): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        copyByHand(text); // where the page is not trusted with the clipboard
    }
}

function copyByHand(text: string): void {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (!done) throw new Error("the browser does not allow it");
}
