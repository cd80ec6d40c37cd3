// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The page as a whole: what is on the stage, live or replayed, and who is told of it.

import { Vector3 } from "three";
import type { Following } from "../draw/chase";
import { onDouble } from "../draw/double";
import type { Style } from "../draw/cloth";
import { drawSwatch } from "../draw/swatch";
import { Legend } from "../draw/colour";
import { guessUnit, isMesh, metres, readMesh } from "../meshes/read-mesh";
import type { ReadMesh, Unit } from "../meshes/read-mesh";
import {
    baseName,
    namedFiles,
    neededFiles,
    readsFiles,
    renameFile,
    SceneDocument,
    sceneOfCloth,
    type Edits,
} from "../scene/document";
import { outfitDocument, patternsOf, readyFile, type Outfit } from "../scene/garments";
import { askMesh } from "../ui/ask-mesh";
import { ClothLabels } from "../ui/cloth-labels";
import { layoutInsets, onInsets } from "../ui/insets";
import { asksForPicture, fabricEdits, PICTURE } from "./fabrics";
import { choosePicture } from "./print-picture";
import { Keeper } from "./keeper";
import { readLink, withoutPlace, type Link } from "./link";
import { clothLabels } from "./labels";
import { asksForNothing, begin, firstEdits } from "./opening";
import { Live, type News } from "./live";
import { fabricFile, fabricName, kindOfText, wrongFileWords, type TextKind } from "./open";
import { methods } from "../scene/methods";
import { buildPage, type Page } from "../ui/page";
import type { Sample, Tool, Value } from "../ui/panel-types";
import type { Moment } from "./moment";
import { readPack, type Pack } from "./pack";
import { addedBoxes, giveMesh, placeBody, placeCloth } from "./place-body";
import { Replay } from "./replay";
import type { SceneText } from "./text";
import { isMotion, isResult, openResult, type ResultFile } from "../results/results";
import { targetOf, type Target } from "../scene/targets";
import { firstScene, sceneFiles, sceneList, scenes } from "../scene/scenes";
import type { GivenFile } from "../sim/protocol";
import { Trials } from "./trial";
import { Tempo, tempoText } from "../sim/tempo";
import { wordsOf } from "../sim/words";
import { detailWords, resultSections, sections, wholeWords, type View } from "./settings";
import type { FieldName } from "../shape";
import { Stage } from "../draw/stage";
import { currentTheme, onTheme, setTheme } from "../ui/theme";
import { PastLine } from "../ui/past-line";
import { Timeline } from "../ui/timeline";
import { VersusBar } from "../ui/versus";
import { ProgressCard } from "../ui/progress";
import { toast } from "../ui/toast";
import { Selecting } from "./select";
import { Hands } from "./touch";

const surfaces = ["fabric", "smooth", "wireframe"] as const;

export class App {
    readonly live: Live;
    readonly stage: Stage;
    readonly page: Page;
    private readonly hands: Hands;
    private readonly selecting: Selecting;
    private readonly timeline: Timeline;
    private readonly versusBar = new VersusBar({
        setBudget: (budget) => this.live.setVersus(budget),
        close: () => this.headToHead(null),
    });
    private readonly pastLine: PastLine;
    private readonly legend = new Legend();
    private readonly clothLabels = new ClothLabels();
    private readonly progress = new ProgressCard(() => this.stopDressing());
    /** What was asked for by address. */
    private link: Link;
    /** While it is opened. */
    private visiting = true;
    private served: SceneDocument | null = null;
    private readonly keeper: Keeper;
    private readonly view: View;
    private style: Style;
    /** What it offers is out of date once something else is played. */
    private lastTrouble: HTMLElement | null = null;
    /** Why a scene is not simulated by halves, as it was said last. */
    private toldWhole: string | null = null;
    /** Why a detail is not shown, likewise. */
    private toldDetail: string | null = null;
    /** Once it was opened. */
    private text: SceneText | null = null;
    /** Fabrics that the user brought. */
    private fabrics: GivenFile[] = [];
    replay: Replay | null = null;
    /** Pictures of fabrics. */
    readonly swatch = drawSwatch;
    private playing = true;
    private lastDraw = 0;
    private drawnOnce = false;
    private frameCount = 0;
    private rate = { since: 0, frames: 0 };
    private readonly tempo = new Tempo();
    private readonly trials = new Trials();
    /** Resolved when the first cloth is on the screen, run ahead as the link asks. */
    readonly ready: Promise<void>;
    private settle: () => void = () => {};

    constructor(canvas: HTMLCanvasElement) {
        this.link = readLink(location.search, location.hash);
        if (this.link.theme) setTheme(this.link.theme);
        this.style = { surface: this.link.surface, colour: this.link.colour };
        const panes = Math.max(1, this.link.methods.length);
        this.view = {
            panes,
            surface: this.link.surface,
            field: this.link.field,
            speed: this.link.speed,
            pins: this.link.pins && !this.link.bare,
            labels: !this.link.bare,
            follow: this.link.follow,
            target: null,
        };
        this.ready = new Promise((resolve) => (this.settle = resolve));
        this.live = this.makeLive(); // its worker loads while the stage is built
        this.stage = new Stage(canvas, this.link.fine);
        this.keeper = this.makeKeeper();
        this.page = this.buildPage();
        this.timeline = this.makeTimeline();
        this.pastLine = this.makePastLine();
        this.hands = new Hands(this.stage, canvas, (touch) => this.live.touch(touch), complain);
        onDouble(canvas, (x, y) => {
            if (this.hands.tool === "grab" || this.hands.tool === "orbit") this.stage.focus(x, y);
        });
        this.selecting = new Selecting(
            this.stage,
            canvas,
            this.live,
            () => this.hands.tool === "grab" && !this.replay,
            (target) => this.select(target),
        );
        if (this.link.bare) document.documentElement.classList.add("bare");
        document.body.append(this.legend.element, this.clothLabels.element);
        onInsets(() => this.fitInsets());
        onTheme((theme) => this.stage.setTheme(theme));
        this.stage.setTheme(currentTheme());
        this.fitInsets();
        void this.visit().then(() => {
            if (asksForNothing(this.link)) begin(this.stage);
            this.settle();
        });
        requestAnimationFrame((now) => this.tick(now));
    }

    // -----------------------------------------------------------------------------------------
    // Putting together

    private makeLive(): Live {
        const live = new Live(this.style, this.view.pins, {
            changed: (news) => this.changed(news),
            drawn: (samples) => this.drawn(samples),
            refused: (reason, asked) => this.refused(reason, asked),
            trouble: (reason, back) => this.trouble(reason, back),
            ended: (reason, again) => this.ended(reason, again),
            touched: (told) => this.hands.told(told),
            dressing: (progress, name) => {
                if (progress)
                    this.progress.show(`Dressing: ${name}`, progress.stage, progress.part);
                else this.progress.hide();
            },
        });
        live.mostThreads = this.link.threads;
        live.player.speed = this.link.speed;
        live.arrange(this.link.methods, this.link.field);
        return live;
    }

    private makeKeeper(): Keeper {
        return new Keeper({
            moment: () => this.moment(),
            take: (moment) => this.take(moment),
            visit: (link) => this.visitOther(link),
            viewpoint: () => this.stage.viewpoint,
            link: () => this.link,
            isServed: (document) => document === this.served,
            told: () => this.page.panel.setHistory(this.keeper.undoWords, this.keeper.redoWords),
        });
    }

    private buildPage(): Page {
        const page = buildPage(
            {
                play: (on) => this.play(on),
                step: () => this.step(),
                stepBack: () => this.stepBack(),
                reset: () => this.reset(),
                setTool: (tool: Tool) => this.hands.choose(tool),
                openScene: (id) => void this.openScene(id),
                openGallery: () => void this.openGallery(),
                openAdd: () => void this.openAdd(),
                openFiles: (files) => void this.openFiles(files),
                change: (id, value) => this.change(id, value),
                turn: (right, up) => this.stage.turn(right, up),
                zoom: (factor) => this.stage.zoom(factor),
                frame: () => this.stage.frameAgain(),
                handKey: (event) => this.hands.key(event),
            },
            (pane, method) =>
                void this.tryMethod(method, (edits) => {
                    if (edits.dt) this.live.edit(edits);
                    this.live.setPaneMethod(pane, method);
                    this.keeper.note();
                }),
        );
        page.labels.setOptions(
            methods.map(({ id, label, short }) => ({ value: id, label, short })),
        );
        page.toolbar.setPlaying(true);
        page.text.onOpen = () => void this.openText();
        if (page.text.open) page.text.onOpen();
        return page;
    }

    private makeTimeline(): Timeline {
        const timeline = new Timeline({
            seek: (time) => this.replay?.seek(time),
            play: (on) => this.play(on),
            close: () => this.closeReplay(),
            setSpeed: (speed) => {
                if (this.replay) this.replay.speed = speed;
            },
        });
        this.page.dock.prepend(timeline.element, this.versusBar.element);
        return timeline;
    }

    private makePastLine(): PastLine {
        const line = new PastLine({
            goTo: (step, exact) => this.live.player.rewind(step, exact),
            back: () => this.stepBack(),
            forward: () => this.step(),
        });
        this.page.dock.prepend(line.element);
        return line;
    }

    /** What the address asks for. */
    private async visit(): Promise<void> {
        const { link } = this;
        this.visiting = true;
        const shown = await this.openLinked(link);
        // what cannot be shown is told; a stage is not left empty for it
        const empty = !this.live.description && !this.live.isDressing;
        if (!shown && empty && (link.scene || link.own)) await this.openScene(firstScene);
        if (link.open) await this.openServed();
        if (link.time > 0) await this.runTo(link.time);
        if (link.near && !this.replay) this.lookAt();
        if (link.paused || link.time > 0) this.setPlaying(false);
        this.visiting = false;
    }

    private async openLinked({ scene, edits, own }: Link): Promise<boolean> {
        try {
            if (own) return await this.openPack(await readPack(own), scene, edits);
            const first = firstEdits(this.link);
            return await this.openScene(scene ?? firstScene, { ...first, ...edits });
        } catch (error) {
            complain(error);
            return false;
        }
    }

    private openPack(pack: Pack, id: string | null, others: Edits): Promise<boolean> {
        const { scene, outfit, bodies, text, files } = pack;
        const edits = { ...others, ...(bodies && { bodies }), ...(text && { text }) };
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
        if (this.replay) return this.replay.seek(time);
        const { player, description } = this.live;
        if (!description) return;
        player.playing = false;
        let steps = Math.round((time - player.time) / description.step.dt);
        for (; steps > 0; steps -= 2) await player.runAhead(Math.min(2, steps));
    }

    private fitInsets(): void {
        if (!this.link.bare) this.stage.setInsets(layoutInsets());
    }

    // -----------------------------------------------------------------------------------------
    // Scenes and results

    private async openGallery(): Promise<void> {
        const { showGallery } = await import("./gallery");
        showGallery(this.live.document?.id ?? "", (query) => {
            const { bare, fine, threads, theme } = this.link;
            this.setPlaying(true);
            this.visitOther({ ...readLink(query), bare, fine, threads, theme });
        });
    }

    private async openText(): Promise<void> {
        const { SceneText } = await import("./text");
        this.text ??= new SceneText(this.page.text, this.live);
        this.text.show();
    }

    private async openAdd(): Promise<void> {
        if (this.replay || !this.live.description) return;
        const { askPart, addPart } = await import("./add");
        const part = await askPart(this.live);
        if (part) addPart(this.live, part);
    }

    /** What an address asks for, in the page as it is. */
    private visitOther(link: Link): void {
        this.link = link;
        this.takeSeen(link);
        this.live.arrange(link.methods, link.field);
        void this.visit();
    }

    /** `own`: files beside those of the project. */
    private async openScene(
        id: string,
        edits: Edits = {},
        own: GivenFile[] = [],
    ): Promise<boolean> {
        const patterns = patternsOf(id);
        if (patterns) return this.openOutfit({ patterns }, edits, own);
        const scene = scenes.find((scene) => scene.id === id) ?? scenes[0]!;
        if (scene.id !== id) toast(`There is no scene "${id}"`, "error");
        const document = new SceneDocument(scene.id, `${scene.id}.json`, scene.text);
        document.edits = edits;
        document.files = [...(await sceneFiles(scene.text)), ...own];
        return this.openDocument(document);
    }

    /** What is not said is as it was worn last. */
    private async openOutfit(
        change: Partial<Outfit>,
        edits: Edits,
        own: GivenFile[] = [],
    ): Promise<boolean> {
        const worn = this.visiting ? null : this.live.document?.outfit;
        const outfit = { ...(worn ?? this.link.outfit), ...change };
        const files = [...own, ...(this.live.document?.files ?? [])];
        const document = await outfitDocument(outfit, files, edits);
        const brought = edits.bodies?.map(({ file }) => file) ?? [];
        document.files.push(...own.filter(({ name }) => brought.includes(name)));
        return this.openDocument(document);
    }

    /** Somebody else wears it, or does something else. */
    private changeOutfit(change: Partial<Outfit>): void {
        const { document } = this.live;
        if (!document?.outfit) return;
        const { bodies, floor, ...kept } = document.edits;
        void this.openOutfit(change, kept);
    }

    private stopDressing(): void {
        this.live.stopDressing();
        this.changed("settings");
    }

    private openDocument(document: SceneDocument): Promise<boolean> {
        this.closeReplay();
        const known = document.files.map(({ name }) => name);
        document.files.push(...this.fabrics.filter(({ name }) => !known.includes(name)));
        if (!this.visiting) this.link = withoutPlace(this.link);
        return this.live.open(document);
    }

    private async openFiles(files: File[]): Promise<void> {
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
    private async openServed(): Promise<void> {
        try {
            const list = (await (await fetch("open/list.json")).json()) as {
                files: { name: string; url: string }[];
            };
            const read = list.files.map(async ({ name, url }) => {
                const response = await fetch(url);
                if (!response.ok) throw new Error(`${name}: ${response.statusText}`);
                return { name, bytes: await response.arrayBuffer() };
            });
            const { document } = this.live;
            await this.openBytes(await Promise.all(read), false);
            if (this.live.document === document) return; // a result
            this.served = this.live.document;
            if (Object.keys(this.link.edits).length > 0) this.live.edit(this.link.edits);
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
            for (const file of of("scene")) if (!(await this.openSceneFile(file, files))) return;
            if (patterns.length > 0 && !(await this.openPatterns(patterns))) return;
            for (const file of of("fabric")) this.openFabric(given(file));
            if (ask && isMeshToAsk(rest)) await this.openMesh(rest);
            else if (rest.length > 0) this.openResults(rest);
        } catch (error) {
            complain(error);
        }
    }

    /** Several are layers, from the skin outwards. */
    private openPatterns(patterns: ResultFile[]): Promise<boolean> {
        const own = patterns.map(given);
        return this.openOutfit({ patterns: own.map(({ name }) => name) }, {}, own);
    }

    /** It becomes a choice, of this scene and others, and is put on the first cloth. */
    private openFabric({ name, bytes }: GivenFile): void {
        const { document, choices, description } = this.live;
        if (!document || !description) return;
        const own = this.fabrics.map(fabricName);
        const taken = [...choices, ...own.map((name) => ({ name }))].map(({ name }) => name);
        const others = document.files.map(({ name }) => name);
        const file = fabricFile(name, bytes, [...taken, ...others]);
        this.closeReplay();
        this.fabrics.push(file);
        document.files = [...document.files, file];
        const single = description.cloths.length === 1;
        const target = this.view.target ?? (single ? null : { cloth: 0, panel: null });
        const edits = fabricEdits("fabric", fabricName(file), description, document, target);
        if (edits) this.live.edit(edits);
        toast(
            `${name} is a fabric: put on ${single ? "the cloth" : "one cloth"}, and a choice now`,
        );
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
        return this.openDocument(document);
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
            wear: this.live.document?.outfit != null,
        });
        if (!use) return;
        if (use.use === "look") return this.openResults([file]);
        const scale = metres[use.unit as Unit];
        if (use.use === "body") this.addBody(mesh, scale);
        else if (use.use === "wearer") await this.dressMesh(mesh, scale);
        else await this.openCloth(mesh, scale);
    }

    private addBody(mesh: ReadMesh, scale: number): void {
        const { document } = this.live;
        if (!document?.start) throw new Error("There is no scene to put it in: open one first");
        this.closeReplay();
        const before = document.edits.bodies ?? [];
        const { given, box } = giveMesh(mesh, scale, document.files);
        const [x, y, z] = placeBody(box, document.start, addedBoxes(document));
        document.files = [...document.files, given];
        const place = { scale, move: [round(x), round(y), round(z)] as [number, number, number] };
        const body = { kind: "mesh" as const, name: mesh.name, file: given.name, place };
        this.live.setBodies([...before, body]);
        toast(`${mesh.name} stands in the scene, ${sizeWords(box)} high`);
    }

    /** It stands on the floor, and wears what was worn last. */
    private async dressMesh(mesh: ReadMesh, scale: number): Promise<void> {
        const { given, box } = giveMesh(mesh, scale, this.live.document?.files ?? []);
        const middle = box.getCenter(new Vector3());
        const move: [number, number, number] = [
            round(-middle.x),
            round(-box.min.y),
            round(-middle.z),
        ];
        const body = { kind: "mesh" as const, name: mesh.name, file: given.name };
        const worn = { ...body, place: { scale, move } };
        await this.openOutfit({ mesh: worn }, {}, [given]);
    }

    private async openCloth(mesh: ReadMesh, scale: number): Promise<void> {
        const among = this.live.document;
        const { given, box } = giveMesh(mesh, scale, among?.files ?? []);
        const place = { scale, move: placeCloth(box, among).toArray() };
        const text = sceneOfCloth(mesh.name, { file: given.name, place }, among);
        const document = new SceneDocument(mesh.name, sceneName(mesh.name), text);
        document.files = [...(among?.files ?? []), given];
        await this.openDocument(document);
    }

    private openResults(files: ResultFile[]): void {
        const other = files.find((file) => !isResult(file.name));
        if (other) throw new Error(wrongFileWords(other.name));
        // a point cache knows no seconds: on the mesh of a scene it goes by the scene's steps
        const dt = files.length === 1 ? this.live.description?.step.dt : undefined;
        const clip = openResult(files, this.live.sceneShape, dt ? 1 / dt : 60);
        this.closeReplay();
        this.replay = new Replay(clip, this.style);
        this.replay.setField(this.view.field);
        this.replay.speed = this.timeline.speed;
        this.live.player.playing = false;
        this.hands.enabled = false;
        this.stage.setPanes(1);
        this.stage.setView(0, this.replay.view);
        const { moments, floor } = this.replay.firstSeconds();
        this.stage.frameMotion(moments, floor);
        this.follow();
        this.timeline.show(clip);
        this.page.toolbar.setRecording(true);
        this.page.toolbar.setScenes(sceneList, clip.name);
        this.page.charts.setLive(false);
        this.page.charts.clear();
        this.page.labels.set([], []);
        this.setPlaying(true);
        this.showSettings();
    }

    private closeReplay(): void {
        if (!this.replay) return;
        this.replay.dispose();
        this.replay = null;
        this.timeline.hide();
        this.hands.enabled = true;
        this.page.toolbar.setRecording(false);
        this.page.charts.setLive(true);
        this.setPlaying(true);
        this.changed("scene");
    }

    // -----------------------------------------------------------------------------------------
    // Undo, redo, addresses

    private moment(): Moment | null {
        const { chosen } = this.live;
        const { surface, speed, pins, follow } = this.view;
        return chosen && { chosen, seen: { surface, speed, pins, follow } };
    }

    private take({ chosen, seen }: Moment): void {
        this.closeReplay();
        if (chosen.document !== this.live.document) this.link = withoutPlace(this.link);
        this.takeSeen(seen);
        this.live.goTo(chosen);
        this.changed("settings");
    }

    private takeSeen({ surface, speed, pins, follow }: Moment["seen"]): void {
        Object.assign(this.view, { surface, speed, pins: pins && !this.link.bare, follow });
        this.live.player.speed = speed;
        this.setSurface(surface);
        this.follow();
    }

    // -----------------------------------------------------------------------------------------
    // What the user asks for

    private play(on: boolean): void {
        this.playing = on;
        if (this.replay) this.replay.playing = on;
        else this.live.player.playing = on;
    }

    private setPlaying(on: boolean): void {
        this.play(on);
        this.page.toolbar.setPlaying(on);
    }

    private step(): void {
        this.setPlaying(false);
        if (this.replay) this.replay.step();
        else this.live.player.stepOnce();
    }

    private stepBack(): void {
        this.setPlaying(false);
        if (this.replay) this.replay.stepBack();
        else this.live.player.stepBack();
    }

    private reset(): void {
        if (this.replay) return this.replay.seek(0);
        this.hands.forget();
        this.live.reset();
    }

    private change(id: string, value: Value): void {
        if (asksForPicture(id, value)) return void this.printPicture();
        if (this.changeView(id, value)) this.showSettings();
        else this.changeScene(id, value);
        this.keeper.note();
    }

    private changeScene(id: string, value: Value): void {
        switch (id) {
            case "save-scene":
                return this.saveScene();
            case "save-picture":
                return void this.savePicture();
            case "versus":
                return this.headToHead(this.live.versus ?? 4);
            case "copy-link":
                return void this.keeper.copyLink();
            case "undo":
                return this.keeper.undo();
            case "redo":
                return this.keeper.redo();
            case "restore":
                return this.live.restore();
            case "method":
                return this.chooseMethod(String(value));
            case "quality":
                return this.chooseMethod(`q${value}`);
            case "garment":
                return this.changeOutfit({ patterns: String(value).split("+") });
            case "body":
                return this.changeOutfit({ body: String(value), mesh: undefined });
            case "clip":
                return this.changeOutfit({ clip: String(value) });
            case "halves":
                return this.changeOutfit({ halves: Boolean(value) || undefined });
            case "shown":
                return this.live.edit({ shown: String(value) || undefined });
            case "floor":
                return this.live.setFloor(Boolean(value));
            case "bend_by":
                // the number for bending is of another kind then
                return this.live.edit({ bend_by: String(value), bending: undefined });
            default:
                return this.live.edit(this.editsFor(id, value));
        }
    }

    /** Settings of fabrics act on what is selected. */
    private editsFor(id: string, value: Value): Edits {
        const { description, document } = this.live;
        const edits =
            description &&
            document &&
            fabricEdits(id, value, description, document, this.view.target);
        return edits ?? ({ [id]: value } as Edits);
    }

    /** Weft and XPBD within so many milliseconds per step; null: no longer. */
    headToHead(budget: number | null): void {
        this.live.setVersus(budget);
    }

    /** What settings of fabrics act on from now on. */
    private select(target: Target): void {
        this.view.target = target;
        this.selecting.show(target);
        this.showSettings();
    }

    private chooseMethod(method: string): void {
        const own = { iterations: undefined, substeps: undefined, budget: undefined };
        void this.tryMethod(method, (edits) => this.live.edit({ method, ...own, ...edits }));
    }

    /** What is unstable is told of before it is played. */
    private async tryMethod(method: string, play: (edits: Edits) => void): Promise<void> {
        const { document } = this.live;
        const edits = document && (await this.trials.admit(document, method));
        if (edits && this.live.document === document) play(edits);
        else this.showSettings();
    }

    /** What is only seen, not simulated; false where it is something else. */
    private changeView(id: string, value: Value): boolean {
        switch (id) {
            case "panes":
                if (!this.replay) this.live.setPanes(Number(value));
                return true;
            case "surface":
                this.setSurface(String(value));
                return true;
            case "pins":
                this.view.pins = Boolean(value);
                this.live.setStyle(this.style, this.view.pins);
                return true;
            case "labels":
                this.view.labels = Boolean(value);
                return true;
            case "field":
                this.view.field = value as FieldName;
                this.live.setField(this.view.field);
                this.replay?.setField(this.view.field);
                return true;
            case "target":
                this.select(targetOf(String(value)));
                return true;
            case "follow":
                this.view.follow = String(value);
                this.follow();
                return true;
            case "speed":
                this.view.speed = this.live.player.speed = Number(value);
                return true;
            default:
                return false;
        }
    }

    private setSurface(name: string): void {
        const now = surfaces.indexOf(this.style.surface);
        const next = surfaces[(now + 1) % surfaces.length]!;
        this.style.surface = name === "next" ? next : (surfaces.find((s) => s === name) ?? next);
        this.view.surface = this.style.surface;
        this.live.setStyle(this.style, this.view.pins);
        this.replay?.setStyle(this.style);
    }

    private saveScene(): void {
        const document = this.live.document;
        if (!document) return;
        const { text, name } = document.compose(null);
        const files = document.files.filter((file) => namedFiles(text).includes(file.name));
        // downloads lie side by side
        const flat = files.reduce((text, file) => renameFile(text, file.name), text);
        save(new Blob([flat], { type: "application/json" }), name);
        for (const { name, bytes } of files) save(new Blob([bytes as BlobPart]), baseName(name));
    }

    private async printPicture(): Promise<void> {
        try {
            const name = await choosePicture();
            if (name) this.live.edit(this.editsFor(PICTURE, name));
            else this.showSettings();
        } catch (error) {
            complain(error);
        }
    }

    private async savePicture(): Promise<void> {
        const { innerWidth, innerHeight } = window;
        const shown = this.replay?.clip.name ?? this.live.document?.id ?? "weft";
        try {
            const blob = await this.stage.capture(2 * innerWidth, 2 * innerHeight);
            save(blob, `${shown.replace(/\.[^.]*$/, "")}.png`);
        } catch (error) {
            complain(error);
        }
    }

    // -----------------------------------------------------------------------------------------
    // What comes of it

    private changed(news: News): void {
        if (this.replay) return;
        const { live, stage } = this;
        this.view.panes = live.panes;
        this.view.field = live.field;
        stage.setPanes(live.views.length);
        live.views.forEach((view, pane) => stage.setView(pane, view));
        if (news === "mesh") return;
        if (live.versus === null) this.versusBar.hide();
        else this.versusBar.show(live.versus);
        this.lastTrouble?.remove();
        this.lastTrouble = null;
        if (news !== "settings") this.beginAgain();
        else this.page.charts.freshAxes();
        if (news === "scene") {
            this.view.target = null;
            this.lookAt();
        }
        this.tellWhole();
        this.tellDetail();
        this.text?.show();
        this.page.toolbar.setScenes(sceneList, live.document?.id ?? "");
        this.showSettings();
        this.keeper.note();
    }

    /** Of garments, the switch says it. */
    private tellWhole(): void {
        const { description, document } = this.live;
        const why = description && !document?.outfit ? wholeWords(description) : null;
        if (why && why !== this.toldWhole) toast(why);
        this.toldWhole = why;
    }

    private tellDetail(): void {
        const { description } = this.live;
        const why = description && detailWords(description);
        if (why && why !== this.toldDetail) toast(why, "error");
        this.toldDetail = why;
    }

    private beginAgain(): void {
        this.hands.forget();
        this.page.charts.clear();
        this.stage.tidyRoom();
    }

    private lookAt(): void {
        const cloth = this.live.views[0];
        if (!cloth) return;
        const around = cloth.bodies?.surroundings();
        const worn = this.live.document?.isWorn ?? false;
        // what is worn does not fall or swing, and goes where its body goes
        if (worn && around) this.stage.frameMotion([[cloth.box, ...around.boxes]], around.floor);
        else this.stage.frameCloth(cloth.positions, this.live.buffersOf(0)?.pinned ?? null, around);
        this.follow();
        this.stage.turn(...this.link.turn);
        this.stage.zoom(this.link.zoom);
        this.stage.shift(this.link.shift);
    }

    /** Somebody who walks is followed from the first step. */
    private follow(): void {
        const { follow } = this.view;
        const worn = !this.replay && (this.live.document?.isWorn ?? false);
        this.stage.setDots(worn);
        this.stage.setFollowing(worn && follow === "auto" ? "always" : (follow as Following));
    }

    private showSettings(): void {
        const { live, view } = this;
        if (this.replay) return this.page.panel.show(resultSections(view));
        if (!live.description || !live.document) return;
        this.page.panel.show(sections(live.description, live.choices, live.document, view));
    }

    private refused(reason: string, asked?: string): void {
        if (!this.text?.refused(reason, asked)) toast(reason, "error");
        this.keeper.refused();
        this.changed("settings");
    }

    private trouble(reason: string, back: string | null): void {
        const actions = back ? [{ label: back, act: () => this.live.goBack() }] : [];
        this.lastTrouble?.remove();
        this.lastTrouble = toast(reason, "error", actions);
    }

    private ended(reason: string, again: boolean): void {
        this.lastTrouble?.remove();
        toast(reason, "error");
        this.hands.forget();
        if (!again) this.setPlaying(false);
        this.keeper.refused();
        this.showSettings();
    }

    private drawn(samples: Sample[]): void {
        this.frameCount++;
        for (const sample of samples) this.page.charts.push(sample, this.frameCount);
    }

    // -----------------------------------------------------------------------------------------
    // Drawing

    private tick(now: number): void {
        const passed = Math.min(0.25, (now - this.lastDraw) / 1000);
        this.lastDraw = now;
        if (this.replay) this.tickReplay(this.replay, passed);
        else this.live.player.tick(now);
        if (this.frameCount > 0 || this.replay) this.draw(now);
        this.showNotes();
        this.showClothLabels();
        const { past, time } = this.live.player;
        this.pastLine.show(this.playing || this.replay ? null : past, time);
        this.countFrames(now);
        this.keeper.tick(now);
        requestAnimationFrame((next) => this.tick(next));
    }

    private draw(now: number): void {
        this.stage.renderIfNeeded(now);
        if (!this.drawnOnce) performance.mark("weft-first-picture");
        this.drawnOnce = true;
    }

    private tickReplay(replay: Replay, passed: number): void {
        replay.loop = this.timeline.loop;
        replay.tick(passed);
        if (this.playing !== replay.playing) this.setPlaying(replay.playing);
        this.timeline.setTime(replay.time, replay.playing);
    }

    private showNotes(): void {
        this.versusBar.setVerdict(this.live.measured.verdict(this.live.versus ?? 0), this.lastDraw);
        const scale = this.replay ? this.replay.scale : this.live.scale;
        if (scale) this.legend.show(...scale.legend);
        else this.legend.hide();
        if (this.replay || this.live.views.length < 2) return this.page.labels.set([], []);
        const notes = this.live.paneNotes().slice(0, this.live.views.length);
        const rects = notes.map((_, pane) => this.stage.paneRect(pane));
        // what is asked for, so that keys go on from there
        const asked = this.live.paneMethods;
        const labels = notes.map((note, pane) => ({ ...note, value: asked[pane]! }));
        this.page.labels.set(rects, labels);
    }

    private showClothLabels(): void {
        const shown = this.view.labels && !this.replay && this.live.views.length === 1;
        this.clothLabels.set(shown ? clothLabels(this.live, this.stage) : []);
    }

    private countFrames(now: number): void {
        this.rate.frames++;
        const passed = now - this.rate.since;
        if (passed < 500) return;
        this.page.charts.setFps((1000 * this.rate.frames) / passed);
        this.rate = { since: now, frames: 0 };
        const { player } = this.live;
        this.tempo.look(now, player.time, player.playing && !player.empty && !this.replay);
        this.page.toolbar.setTempo(tempoText(this.tempo.factor, player.speed));
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

function describeMesh({ triangles, min, max }: ReadMesh): string {
    const sizes = max.map((high, k) => Number((high - min[k]!).toPrecision(3)));
    const count = (triangles.length / 3).toLocaleString("en");
    return `${count} triangles, ${sizes.join(" × ")} (width, height, depth)`;
}

function sizeWords({ min, max }: { min: { y: number }; max: { y: number } }): string {
    const height = max.y - min.y;
    return height < 1 ? `${(100 * height).toPrecision(3)} cm` : `${height.toPrecision(3)} m`;
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

function complain(error: unknown): void {
    toast(wordsOf(error), "error");
}

function save(blob: Blob, name: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
