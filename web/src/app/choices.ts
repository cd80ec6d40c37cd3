// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the user chooses in the panel, and what comes of each choice.

import type { Style } from "../draw/cloth";
import type { Stage } from "../draw/stage";
import type { Edits } from "../scene/document";
import { targetOf, type Target } from "../scene/targets";
import type { FieldName } from "../shape";
import type { Value } from "../ui/panel-types";
import { complain } from "./complain";
import { asksForPicture, fabricEdits, PICTURE } from "./fabrics";
import type { Keeper } from "./keep/keeper";
import type { Live } from "./live";
import type { Opener } from "./opener";
import { choosePicture, takePicture } from "./files/print-picture";
import type { Replay } from "./record/replay";
import { savePicture, saveScene } from "./keep/save";
import type { View } from "./settings";
import { Trials } from "./trial";

export interface Owner {
    readonly live: Live;
    readonly stage: Stage;
    readonly opener: Opener;
    readonly keeper: Keeper;
    readonly view: View;
    readonly style: Style;
    readonly replay: Replay | null;
    /** Resolved once it is known what hands did. */
    whenHandsRest(): Promise<void>;
    select(target: Target): void;
    setSurface(name: string): void;
    follow(): void;
    showSettings(): void;
}

export class Choices {
    private readonly trials = new Trials();

    constructor(private readonly owner: Owner) {}

    change(id: string, value: Value): void {
        if (asksForPicture(id, value)) return void this.printPicture();
        if (this.changeView(id, value)) this.owner.showSettings();
        else this.changeScene(id, value);
        this.owner.keeper.note();
    }

    private changeScene(id: string, value: Value): void {
        switch (id) {
            case "save-scene":
                return this.saveScene();
            case "save-picture":
                return void this.savePicture();
            case "versus":
                return this.owner.live.setVersus(this.owner.live.versus ?? 4);
            case "copy-link":
                return void this.owner.keeper.copyLink();
            case "undo":
            case "redo":
                this.trials.stop();
                return void this.owner.whenHandsRest().then(() => this.owner.keeper[id]());
            case "restore":
                return this.owner.live.restore();
            case "method":
                return this.chooseMethod(String(value));
            case "quality":
                return this.chooseMethod(`q${value}`);
            case "garment":
                return this.owner.opener.changeOutfit({ patterns: String(value).split("+") });
            case "body":
                return this.owner.opener.changeOutfit({ body: String(value), mesh: undefined });
            case "clip":
                return this.owner.opener.changeOutfit({ clip: String(value) });
            case "halves":
                return this.owner.opener.changeOutfit({ halves: Boolean(value) || undefined });
            case "shown":
                return this.owner.live.edit({ shown: String(value) || undefined });
            case "floor":
                return this.owner.live.setFloor(Boolean(value));
            case "bend_by":
                // the number for bending is of another kind then
                return this.owner.live.edit({ bend_by: String(value), bending: undefined });
            default:
                return this.owner.live.edit(this.editsFor(id, value));
        }
    }

    /** Settings of fabrics act on what is selected. */
    private editsFor(id: string, value: Value): Edits {
        const { description, document } = this.owner.live;
        const edits =
            description &&
            document &&
            fabricEdits(id, value, description, document, this.owner.view.target);
        return edits ?? ({ [id]: value } as Edits);
    }

    private chooseMethod(method: string): void {
        const own = { iterations: undefined, substeps: undefined, budget: undefined };
        void this.tryMethod(method, (edits) => this.owner.live.edit({ method, ...own, ...edits }));
    }

    /** What is unstable is told of before it is played. */
    async tryMethod(method: string, play: (edits: Edits) => void): Promise<void> {
        const { document } = this.owner.live;
        const edits = document && (await this.trials.admit(document, method));
        if (edits && this.owner.live.document === document) play(edits);
        else this.owner.showSettings();
    }

    /** What is only seen, not simulated; false where it is something else. */
    private changeView(id: string, value: Value): boolean {
        switch (id) {
            case "panes":
                if (!this.owner.replay) this.owner.live.setPanes(Number(value));
                return true;
            case "surface":
                this.owner.setSurface(String(value));
                return true;
            case "pins":
                this.owner.view.pins = Boolean(value);
                this.owner.live.setStyle(this.owner.style, this.owner.view.pins);
                return true;
            case "labels":
                this.owner.view.labels = Boolean(value);
                return true;
            case "field":
                this.owner.view.field = value as FieldName;
                this.owner.live.setField(this.owner.view.field);
                this.owner.replay?.setField(this.owner.view.field);
                return true;
            case "target":
                this.owner.select(targetOf(String(value)));
                return true;
            case "follow":
                this.owner.view.follow = String(value);
                this.owner.follow();
                return true;
            case "speed":
                this.owner.view.speed = this.owner.live.player.speed = Number(value);
                return true;
            default:
                return false;
        }
    }

    private async printPicture(): Promise<void> {
        try {
            const picture = await choosePicture();
            const { document } = this.owner.live;
            if (!picture || !document) return this.owner.showSettings();
            await takePicture(document, picture);
            this.owner.live.edit(this.editsFor(PICTURE, picture.name));
        } catch (error) {
            complain(error);
        }
    }

    saveScene(): void {
        const { document, description } = this.owner.live;
        const counts = description?.cloths.map(({ vertices }) => vertices) ?? [];
        if (document) saveScene(document, counts);
    }

    private savePicture(): Promise<void> {
        const { stage, replay, live } = this.owner;
        return savePicture(stage, replay?.clip.name ?? live.document?.title ?? "");
    }
}
