// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Files of the user's own: each is opened as what it is.

import { Vector3 } from "three";
import { describeMesh, guessUnit, isMesh, metres, readMesh } from "../../meshes/read-mesh";
import type { ReadMesh, Unit } from "../../meshes/read-mesh";
import { isMotion, isResult, type ResultFile } from "../../results/results";
import { SceneDocument, sceneOfCloth } from "../../scene/document";
import { namedFiles, neededFiles, readsFiles } from "../../scene/scene-file";
import { readyFile } from "../../scene/garments";
import type { Target } from "../../scene/targets";
import type { Description } from "../../sim/core";
import type { GivenFile } from "../../sim/protocol";
import { askMesh } from "../../ui/ask-mesh";
import { toast } from "../../ui/toast";
import { complain } from "../complain";
import { fabricEdits, PICTURE } from "../fabrics";
import type { Live } from "../live";
import { fabricFile, fabricName, kindOfText, wrongFileWords, type TextKind } from "./open";
import type { Opener } from "../opener";
import { readPack } from "../keep/pack";
import { isPicture, takePicture } from "./print-picture";
import { addedBoxes, giveMesh, placeBody, placeCloth } from "./place-body";

export interface Owner {
    readonly live: Live;
    /** What settings of fabrics act on. */
    readonly target: Target;
    closeReplay(): void;
    openResults(files: ResultFile[]): void;
}

export class Files {
    /** What the server gives, as it was opened. */
    served: SceneDocument | null = null;

    constructor(
        private readonly owner: Owner,
        private readonly opener: Opener,
    ) {}

    async open(files: File[]): Promise<void> {
        const read = files.map(async (file) => ({
            name: file.name,
            bytes: await file.arrayBuffer(),
        }));
        try {
            await this.openBytes(await Promise.all(read));
        } catch (error) {
            complain(error); // a folder was dropped, say
        }
    }

    /** What `weft view` was given. */
    async openServed(): Promise<void> {
        try {
            const list = (await (await fetch("open/list.json")).json()) as {
                files: { name: string; url: string }[];
            };
            const read = list.files.map(async ({ name, url }) => {
                const response = await fetch(url);
                if (!response.ok) throw new Error(`${name}: ${response.statusText}`);
                return { name, bytes: await response.arrayBuffer() };
            });
            const { document } = this.owner.live;
            await this.openBytes(await Promise.all(read), false);
            if (this.owner.live.document === document) return; // a result
            this.served = this.owner.live.document;
            const { edits, own } = this.opener.link;
            const hands = own ? (await readPack(own)).hands : undefined;
            const changes = { ...edits, ...(hands && { hands }) };
            if (Object.keys(changes).length > 0) this.owner.live.edit(changes);
        } catch (error) {
            complain(error);
        }
    }

    /** By their names: a scene with the files that it names, a mesh to make something of, or a
     *  result, with a scene beside a point cache as its mesh. */
    private async openBytes(files: ResultFile[], ask = true): Promise<void> {
        const json = files.filter(({ name }) => /\.json$/i.test(name));
        const named = new Set(json.flatMap(({ bytes }) => namedFiles(textOf(bytes))));
        const texts = json.filter(({ name }) => !named.has(name));
        const of = (kind: TextKind) =>
            texts.filter(({ bytes }) => kindOfText(textOf(bytes)) === kind);
        const patterns = of("pattern");
        const rest = files.filter((file) => !json.includes(file) && !named.has(file.name));
        try {
            for (const { name } of of("other")) toast(wrongFileWords(name), "error");
            const scenes = of("scene");
            const shown = scenes.pop();
            if (shown) tellLeftOut("scene", shown, scenes);
            if (shown && !(await this.openSceneFile(shown, files))) return;
            if (patterns.length > 0 && !(await this.openPatterns(patterns))) return;
            for (const file of of("fabric")) this.openFabric(given(file));
            // those beside a mesh are its textures
            if (rest.length > 0 && rest.every(({ name }) => isPicture(name))) {
                const picture = rest.pop()!;
                tellLeftOut("picture", picture, rest);
                return await this.openPicture(given(picture));
            }
            if (ask && isMeshToAsk(rest)) await this.openMesh(rest);
            else if (rest.length > 0) this.owner.openResults(rest);
        } catch (error) {
            complain(error);
        }
    }

    /** Several are layers, from the skin outwards. */
    private openPatterns(patterns: ResultFile[]): Promise<boolean> {
        const own = patterns.map(given);
        return this.opener.openOutfit({ patterns: own.map(({ name }) => name) }, {}, own);
    }

    /** It becomes a choice, of this scene and others, and is put on the first cloth. */
    private openFabric({ name, bytes }: GivenFile): void {
        const { document, choices, description } = this.owner.live;
        if (!document || !description) return;
        const own = this.opener.fabrics.map(fabricName);
        const taken = [...choices, ...own.map((name) => ({ name }))].map(({ name }) => name);
        const others = document.files.map(({ name }) => name);
        const file = fabricFile(name, bytes, [...taken, ...others]);
        this.owner.closeReplay();
        this.opener.fabrics.push(file);
        document.files = [...document.files, file];
        const cloth = this.change("fabric", fabricName(file), document, description);
        toast(`${name} is a fabric: put on ${cloth}, and a choice now`);
    }

    /** It is printed. */
    private async openPicture(picture: GivenFile): Promise<void> {
        const { document, description } = this.owner.live;
        if (!document || !description) return;
        await takePicture(document, picture);
        this.owner.closeReplay();
        const cloth = this.change(PICTURE, picture.name, document, description);
        toast(`${picture.name} is a picture: printed on ${cloth}`);
    }

    /** Of the cloth that is selected, or else of the first one. Returns which, in words. */
    private change(id: string, name: string, scene: SceneDocument, now: Description): string {
        const single = now.cloths.length === 1;
        const target = this.owner.target ?? (single ? null : { cloth: 0, panel: null });
        const edits = fabricEdits(id, name, now, scene, target);
        if (edits) this.owner.live.edit(edits);
        return single ? "the cloth" : "one cloth";
    }

    private openSceneFile({ name, bytes }: ResultFile, along: ResultFile[]): Promise<boolean> {
        const text = textOf(bytes);
        const names = namedFiles(text);
        const files = names.flatMap((wanted) => {
            const file = along.find((other) => other.name === wanted);
            return file ? given(file) : (readyFile(wanted) ?? []);
        });
        const missing = neededFiles(text).find(
            (wanted) => !files.some((file) => file.name === wanted),
        );
        if (readsFiles(text) && (missing || neededFiles(text).length === 0))
            throw new Error(
                `${name} names ${missing ?? "a mesh file"}, which is not here: choose both ` +
                    "files together, or drop them together on the page",
            );
        const document = new SceneDocument(name, name, text);
        document.files = files;
        return this.opener.openDocument(document);
    }

    /** A mesh of others: what it is to be is asked. */
    private async openMesh(files: ResultFile[]): Promise<void> {
        const file = files.find(({ name }) => isMesh(name))!;
        const mesh = await readMesh(
            file,
            files.filter((other) => other !== file),
        );
        const use = await askMesh({
            name: file.name,
            detail: describeMesh(mesh),
            units: unitNames,
            unit: guessUnit(mesh),
            look: isResult(file.name),
            wear: this.owner.live.document?.outfit != null,
        });
        if (!use) return;
        if (use.use === "look") return this.owner.openResults([file]);
        const scale = metres[use.unit as Unit];
        if (use.use === "body") this.addBody(mesh, scale);
        else if (use.use === "wearer") await this.dressMesh(mesh, scale);
        else await this.openCloth(mesh, scale);
    }

    private addBody(mesh: ReadMesh, scale: number): void {
        const { document } = this.owner.live;
        if (!document?.start) throw new Error("There is no scene to put it in: open one first");
        this.owner.closeReplay();
        const before = document.edits.bodies ?? [];
        const { given, box } = giveMesh(mesh, scale, document.files);
        const [x, y, z] = placeBody(box, document.start, addedBoxes(document));
        document.files = [...document.files, given];
        const place = { scale, move: [round(x), round(y), round(z)] as [number, number, number] };
        const body = { kind: "mesh" as const, name: mesh.name, file: given.name, place };
        this.owner.live.setBodies([...before, body]);
        toast(`${mesh.name} stands in the scene, ${sizeWords(box)}`);
    }

    /** It stands on the floor, and wears what was worn last. */
    private async dressMesh(mesh: ReadMesh, scale: number): Promise<void> {
        const { given, box } = giveMesh(mesh, scale, this.owner.live.document?.files ?? []);
        const middle = box.getCenter(new Vector3());
        const move: [number, number, number] = [
            round(-middle.x),
            round(-box.min.y),
            round(-middle.z),
        ];
        const body = { kind: "mesh" as const, name: mesh.name, file: given.name };
        const worn = { ...body, place: { scale, move } };
        await this.opener.openOutfit({ mesh: worn }, {}, [given]);
    }

    private async openCloth(mesh: ReadMesh, scale: number): Promise<void> {
        const among = this.owner.live.document;
        const { given, box } = giveMesh(mesh, scale, among?.files ?? []);
        const place = { scale, move: placeCloth(box, among).toArray() };
        const text = sceneOfCloth(mesh.name, { file: given.name, place }, among);
        const document = new SceneDocument(mesh.name, sceneName(mesh.name), text);
        document.files = [...(among?.files ?? []), given];
        await this.opener.openDocument(document);
    }
}

const unitNames = [
    { value: "m", label: "metres" },
    { value: "cm", label: "centimetres" },
    { value: "mm", label: "millimetres" },
];

/** One mesh, with the files that it takes along: not a result, nor frames of one. */
function isMeshToAsk(files: ResultFile[]): boolean {
    const meshes = files.filter(({ name }) => isMesh(name));
    return meshes.length === 1 && !files.some(isMotion);
}

function sizeWords({ min, max }: { min: { y: number }; max: { y: number } }): string {
    const height = max.y - min.y;
    if (height < 5e-4) return "flat";
    return height < 1
        ? `${(100 * height).toPrecision(3)} cm high`
        : `${height.toPrecision(3)} m high`;
}

function sceneName(name: string): string {
    return `${name.replace(/\.[^.]*$/, "")}.json`;
}

function round(metres: number): number {
    return Math.round(1e4 * metres) / 1e4;
}

function given({ name, bytes }: ResultFile): GivenFile {
    return { name, bytes: new Uint8Array(bytes) };
}

function textOf(bytes: ArrayBuffer): string {
    return new TextDecoder().decode(bytes);
}

function tellLeftOut(what: string, taken: ResultFile, others: ResultFile[]): void {
    if (others.length === 0) return;
    const names = others.map(({ name }) => name).join(", ");
    const were = others.length > 1 ? "were" : "was";
    toast(`One ${what} at a time: ${taken.name} is taken, ${names} ${were} left out`);
}
