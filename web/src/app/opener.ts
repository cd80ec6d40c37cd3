// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is opened: scenes, garments, and what addresses ask for.

import { SceneDocument, type Edits } from "../scene/document";
import { namedFiles } from "../scene/scene-file";
import { outfitDocument, patternsOf, readyFile, type Outfit } from "../scene/garments";
import { firstScene, isScene, sceneFiles, scenes } from "../scene/scenes";
import type { GivenFile } from "../sim/protocol";
import { errorsNow, toast } from "../ui/toast";
import { complain } from "./complain";
import { leftOutWords, openWithout, type Asked } from "./keep/left-out";
import { withoutPlace, type Address, type Link } from "./keep/link";
import type { Live } from "./live";
import type { Seen } from "./keep/moment";
import { later } from "./later";
import { firstEdits } from "./opening";
import { readPack, type Pack } from "./keep/pack";
import { bringPictures, isPicture } from "./files/print-picture";
import type { Replay } from "./record/replay";

export interface Owner {
    readonly live: Live;
    readonly replay: Replay | null;
    closeReplay(): void;
    setPlaying(on: boolean): void;
    takeSeen(seen: Seen): void;
    setColour(colour: string | null): void;
    lookAt(now?: boolean): void;
    undo(): void;
    /** What `weft view` was given. */
    openServed(): Promise<void>;
    /** How far it is on the way to a moment; null: it is there. */
    tellAhead(time: number | null, goal: number): void;
}

const SILENT = 1000; // ms that nothing is said

export class Opener {
    /** While it opens what an address asks for. */
    private visiting = true;
    /** Why what the address asks for was refused, while it is being opened; null: it is not. */
    private refusals: string[] | null = null;
    /** Whether what is shown is not what the address asked for, which then has to say so. */
    strays = false;
    /** On the way to a moment of which a fine picture is wanted: those before are not drawn. */
    hurries = false;
    private running = false;
    /** Fabrics that the user brought. */
    readonly fabrics: GivenFile[] = [];

    /** What was asked for by address. */
    link: Link;
    /** Closes the errors that are of what was shown before. */
    dropErrors: () => void = () => {};
    /** The scene that was opened last, shown or refused. */
    private opened: SceneDocument | null = null;
    /** What of the address was not understood. */
    private misread: string[];

    constructor(
        private readonly owner: Owner,
        { link, misread }: Address,
    ) {
        this.link = link;
        this.misread = misread;
    }

    /** What the address asks for. */
    async visit(): Promise<void> {
        this.visiting = true;
        this.dropErrors = errorsNow();
        this.tellMisread();
        const shown = await this.openLinked();
        const { link } = this;
        if (!shown && this.isEmpty && (link.scene || link.own)) await this.openFirst();
        if (link.open) await this.owner.openServed();
        if (link.time > 0) await this.runTo(link.time);
        if (link.near && !this.owner.replay) this.owner.lookAt(true);
        if (link.paused || link.time > 0) this.owner.setPlaying(false);
        this.visiting = false;
    }

    private tellMisread(): void {
        const { scene } = this.link;
        const misread = [...this.misread];
        if (scene !== null && !isScene(scene)) {
            misread.unshift(`scene "${scene}"`);
            this.link = { ...this.link, scene: null };
        }
        this.misread = [];
        this.strays = misread.length > 0;
        if (this.strays) toast(`Not understood in the address: ${misread.join(", ")}`, "error");
    }

    /** Whether nothing is shown, and nothing is on its way. */
    private get isEmpty(): boolean {
        const { description, isDressing, player } = this.owner.live;
        return !description && !isDressing && !player.waits;
    }

    /** What cannot be shown is told; a stage is not left empty for it. */
    private openFirst(): Promise<boolean> {
        this.link = { ...this.link, scene: null, own: null, edits: {}, methods: [] };
        this.owner.live.arrange([], this.link.field);
        this.strays = true;
        return this.openScene(firstScene, firstEdits(this.link));
    }

    private async openLinked(): Promise<boolean> {
        this.refusals = this.link.open ? null : []; // it is of what the server gives
        try {
            return (await this.openAsked(this.link)) || (await this.openLess());
        } catch (error) {
            complain(error);
            return false;
        } finally {
            this.refusals = null;
        }
    }

    private async openAsked({ scene, edits, own }: Link): Promise<boolean> {
        if (own && !this.link.open) return this.openPack(await readPack(own), scene, edits);
        const first = this.link.open ? {} : { ...firstEdits(this.link), ...edits };
        return this.openScene(scene ?? firstScene, first);
    }

    /** Whether the reason is told later: with what opens instead. */
    takeRefusal(reason: string): boolean {
        this.refusals?.push(reason);
        return this.refusals !== null;
    }

    /** The same scene, without what it refuses of the address. */
    private async openLess(): Promise<boolean> {
        const { link, opened } = this;
        const refusal = this.refusals?.at(-1);
        if (refusal === undefined || !opened) return false;
        const left = await openWithout(link, refusal, (asked) => this.tryWith(opened, link, asked));
        if (left) toast(leftOutWords(opened.title, left), "error");
        else toast(refusal, "error");
        return left !== null;
    }

    /** Why it is refused; "": it is shown; null: something else was asked for meanwhile. */
    private async tryWith(
        document: SceneDocument,
        { edits }: Link,
        asked: Asked,
    ): Promise<string | null> {
        const own = Object.entries(document.edits).filter(([key]) => !(key in edits));
        document.edits = { ...Object.fromEntries(own), ...asked.edits };
        this.link = { ...this.link, ...asked };
        this.strays = true;
        this.owner.live.arrange(asked.methods, this.link.field);
        const before = this.refusals!.length;
        if (await this.owner.live.open(document)) return "";
        return this.refusals!.slice(before).at(-1) ?? null;
    }

    private openPack(pack: Pack, id: string | null, others: Edits): Promise<boolean> {
        const { outfit, bodies, text, hands, files } = pack;
        const nameless = text && id === null && !pack.scene && !outfit;
        const scene = nameless ? { id: "own", file: "own.json", text } : pack.scene;
        const edits = {
            ...others,
            ...(bodies && { bodies }),
            ...(text && !nameless && { text }),
            ...(hands && { hands }),
        };
        if (outfit)
            return this.openOutfit({ mesh: undefined, halves: undefined, ...outfit }, edits, files);
        if (!scene) return this.openScene(id ?? firstScene, edits, files);
        const document = new SceneDocument(scene.id, scene.file, scene.text);
        const ready = namedFiles(scene.text)
            .filter((name) => !files.some((file) => file.name === name))
            .flatMap((name) => readyFile(name) ?? []);
        document.edits = edits;
        document.files = [...files, ...ready];
        return this.openDocument(document);
    }

    /** In small pieces, so that the charts have something to show. */
    private async runTo(time: number): Promise<void> {
        if (this.owner.replay) return this.owner.replay.seek(time);
        const { player, description } = this.owner.live;
        if (!description) return;
        player.playing = false;
        let steps = Math.round((time - player.time) / description.step.dt);
        this.hurries = this.link.fine;
        const begun = performance.now();
        this.running = true;
        for (; steps > 0 && this.running; steps -= 2) {
            await player.runAhead(Math.min(2, steps));
            if (performance.now() - begun > SILENT) this.owner.tellAhead(player.time, time);
        }
        this.stopRunning();
        this.hurries = false;
    }

    /** What is on its way to a moment stays where it is. */
    stopRunning(): void {
        this.running = false;
        this.owner.tellAhead(null, 0);
    }

    /** What an address asks for, in the page as it is. */
    visitOther(link: Link, misread: string[] = []): void {
        this.link = link;
        this.misread = misread;
        this.owner.takeSeen(link);
        this.owner.setColour(link.colour);
        this.owner.live.arrange(link.methods, link.field);
        void this.visit();
    }

    /** `own`: files beside those of the project. */
    async openScene(id: string, edits: Edits = {}, own: GivenFile[] = []): Promise<boolean> {
        const patterns = patternsOf(id);
        if (patterns) return this.openOutfit({ patterns }, edits, own);
        const scene = scenes.find((scene) => scene.id === id);
        if (!scene) throw new Error(`There is no scene "${id}"`);
        const again = () => void this.openScene(id, edits, own);
        const files = await later(scene.title, () => sceneFiles(scene.text), again);
        if (!files) return false;
        const document = new SceneDocument(scene.id, `${scene.id}.json`, scene.text);
        document.edits = edits;
        document.files = [...files, ...own];
        return this.openDocument(document);
    }

    /** What is not said is as it was worn last. */
    async openOutfit(
        change: Partial<Outfit>,
        edits: Edits,
        own: GivenFile[] = [],
    ): Promise<boolean> {
        const worn = this.visiting ? null : this.owner.live.document?.outfit;
        const outfit = { ...(worn ?? this.link.outfit), ...change };
        const files = [...own, ...(this.owner.live.document?.files ?? [])];
        const document = await outfitDocument(outfit, files, edits);
        const brought = edits.bodies?.map(({ file }) => file) ?? [];
        const wanted = ({ name }: GivenFile) => brought.includes(name) || isPicture(name);
        document.files.push(...own.filter(wanted));
        return this.openDocument(document);
    }

    /** Somebody else wears it, or does something else. */
    changeOutfit(change: Partial<Outfit>): void {
        const { document } = this.owner.live;
        if (!document?.outfit) return;
        const { bodies, floor, text, hands, ...kept } = document.edits;
        void this.openOutfit(change, kept);
        if (text !== undefined || hands)
            toast(
                `${text === undefined ? "Pins, moved bodies and cuts" : "What you wrote"} ` +
                    "stayed with what was worn before",
                "info",
                [{ label: "Undo", act: () => this.owner.undo() }],
            );
    }

    async openDocument(document: SceneDocument): Promise<boolean> {
        this.owner.closeReplay();
        const known = document.files.map(({ name }) => name);
        document.files.push(...this.fabrics.filter(({ name }) => !known.includes(name)));
        if (!this.visiting) {
            this.link = withoutPlace(this.link);
            this.dropErrors = errorsNow();
        }
        await bringPictures(document);
        this.opened = document;
        return this.owner.live.open(document);
    }
}
