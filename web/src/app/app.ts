// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The page as a whole: what is on the stage, live or replayed, and who is told of it.

import { Legend } from "../draw/colour";
import type { Following } from "../draw/camera/chase";
import type { Style } from "../draw/cloth";
import { onDouble } from "../draw/camera/double";
import { CAPTION } from "../draw/panes";
import { Stage } from "../draw/stage";
import { drawSwatch } from "../draw/fabric/swatch";
import { isResult, openResult, type ResultFile } from "../results/results";
import { methods } from "../scene/methods";
import { sceneList } from "../scene/scenes";
import { fittingHands, isUntouched } from "../sim/hands";
import type { Target } from "../scene/targets";
import { Tempo, tempoText } from "../sim/tempo";
import { ClothLabels } from "../ui/cloth-labels";
import { layoutInsets, onInsets } from "../ui/insets";
import { buildPage, type Page } from "../ui/page";
import type { Sample, Tool, Value } from "../ui/panel-types";
import { PastLine } from "../ui/past-line";
import { ProgressCard } from "../ui/progress";
import { currentTheme, onTheme, setTheme } from "../ui/theme";
import { Timeline } from "../ui/timeline";
import { errorsNow, toast } from "../ui/toast";
import { VersusBar } from "../ui/versus";
import { Choices } from "./choices";
import { complain } from "./complain";
import { Files } from "./files/files";
import { Keeper } from "./keep/keeper";
import { clothLabels } from "./labels";
import { readAddress, readLink, withoutPlace, type Link } from "./keep/link";
import { later } from "./later";
import { Live, type News } from "./live";
import type { Moment } from "./keep/moment";
import type { Chosen } from "./tried";
import { wrongFileWords } from "./files/open";
import { Opener } from "./opener";
import { asksForNothing, begin } from "./opening";
import { Recording } from "./record/recording";
import { Replay } from "./record/replay";
import { Selecting } from "./hands/select";
import { detailWords, resultSections, sections, wholeWords, type View } from "./settings";
import type { SceneText } from "./files/text";
import { Hands } from "./hands/touch";

const surfaces = ["fabric", "smooth", "wireframe"] as const;

const SILENT = 1500; // ms that nothing is said about preparations
const LOST =
    "The browser took the graphics processor away from this page. The cloth is drawn again as soon as it gives it back; " +
    "if it does not, reload the page.";

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
    private readonly recording: Recording;
    private readonly legend = new Legend();
    private readonly clothLabels = new ClothLabels();
    private readonly progress = new ProgressCard(() => this.stopWaiting());
    readonly opener = new Opener(this, readAddress(location.search, location.hash));
    private readonly files = new Files(this, this.opener);
    private readonly choices = new Choices(this);
    readonly keeper: Keeper;
    readonly view: View;
    readonly style: Style;
    /** What it offers is out of date once something else is played. */
    private lastTrouble: HTMLElement | null = null;
    private endOpening = (): void => {};
    /** While there is no picture. */
    private lostPicture: HTMLElement | null = null;
    /** Why a scene is not simulated by halves, as it was said last. */
    private toldWhole: string | null = null;
    /** Why a detail is not shown, likewise. */
    private toldDetail: string | null = null;
    private noDetail: HTMLElement | null = null;
    /** Whether pins and cuts are left out, likewise. */
    private toldHands = false;
    /** Once it was opened. */
    private text: SceneText | null = null;
    replay: Replay | null = null;
    /** Pictures of fabrics. */
    readonly swatch = drawSwatch;
    private handsRead = Promise.resolve();
    private playing = true;
    private lastDraw = 0;
    private drawnOnce = false;
    private frameCount = 0;
    private prepares = false;
    private rate = { since: 0, frames: 0 };
    private readonly tempo = new Tempo();
    /** Resolved when the first cloth is on the screen, run ahead as the link asks. */
    readonly ready: Promise<void>;
    private settle: () => void = () => {};

    constructor(canvas: HTMLCanvasElement) {
        if (this.link.theme) setTheme(this.link.theme);
        this.style = { surface: this.link.surface, colour: this.link.colour };
        const panes = Math.max(1, this.link.methods.length);
        this.view = {
            panes,
            surface: this.link.surface,
            field: this.link.field,
            speed: this.link.speed,
            pins: this.link.pins && !this.link.bare,
            labels: this.link.labels && !this.link.bare,
            follow: this.link.follow,
            target: null,
        };
        this.ready = new Promise((resolve) => (this.settle = resolve));
        this.live = this.makeLive(); // its worker loads while the stage is built
        this.stage = new Stage(canvas, this.link.fine);
        this.stage.onLost = (lost) => this.tellLost(lost);
        this.keeper = this.makeKeeper();
        this.page = this.buildPage();
        this.timeline = this.makeTimeline();
        this.pastLine = this.makePastLine();
        this.recording = new Recording(this, canvas);
        this.hands = new Hands(
            this.stage,
            canvas,
            (touch) => this.live.touch(touch),
            complain,
            () => this.readHands(),
        );
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
        void this.opener.visit().then(() => {
            if (asksForNothing(this.link)) this.endOpening = begin(this.stage);
            this.settle();
        });
        requestAnimationFrame((now) => this.tick(now));
    }

    /** What was asked for by address. */
    private get link(): Link {
        return this.opener.link;
    }

    /** What settings of fabrics act on. */
    get target(): Target {
        return this.view.target;
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
            waits: (view) => {
                this.stage.setPanes(1);
                this.stage.setView(0, view);
                this.stage.frameNow();
                this.page.toolbar.setScenes(sceneList, this.live.document!);
            },
        });
        live.mostThreads = this.link.threads;
        live.player.speed = this.link.speed;
        live.arrange(this.link.methods, this.link.field);
        return live;
    }

    private makeKeeper(): Keeper {
        return new Keeper({
            moment: () => this.momentOf(this.live.chosen),
            asked: () => this.momentOf(this.live.asked),
            take: (moment) => this.take(moment),
            visit: ({ link, misread }) => this.opener.visitOther(link, misread),
            viewpoint: () => this.stage.viewpoint,
            link: () => this.link,
            strays: () => this.opener.strays,
            isServed: (document) => document === this.files.served,
            saveScene: () => this.choices.saveScene(),
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
                void this.choices.tryMethod(method, (edits) => {
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

    private fitInsets(): void {
        if (!this.link.bare) this.stage.setInsets(layoutInsets());
    }

    // -----------------------------------------------------------------------------------------
    // Scenes and results

    private async openGallery(): Promise<void> {
        const again = () => void this.openGallery();
        const part = await later("The gallery", () => import("./gallery"), again);
        part?.showGallery(this.live.document?.id ?? "", (query) => {
            const { bare, fine, threads, theme } = this.link;
            this.setPlaying(true);
            this.opener.visitOther({ ...readLink(query), bare, fine, threads, theme });
        });
    }

    private async openText(): Promise<void> {
        const again = () => void this.openText();
        const part = await later("The editor", () => import("./files/text"), again);
        if (!part) return this.page.text.tell("The editor could not be loaded.", true);
        this.text ??= new part.SceneText(this.page.text, this.live, () => this.undo());
        this.text.show();
    }

    private async openAdd(): Promise<void> {
        if (this.replay || !this.live.description) return;
        const again = () => void this.openAdd();
        const form = await later("The form", () => import("./files/add"), again);
        const part = await form?.askPart(this.live);
        if (part) form!.addPart(this.live, part);
    }

    private openScene(id: string): Promise<boolean> {
        return this.opener.openScene(id);
    }

    private openFiles(files: File[]): Promise<void> {
        return this.files.open(files);
    }

    undo(): void {
        this.keeper.undo();
    }

    openServed(): Promise<void> {
        return this.files.openServed();
    }

    /** For garments, or for a moment that an address asked for. */
    private stopWaiting(): void {
        this.opener.stopRunning();
        this.live.stopDressing();
        this.changed("settings");
    }

    tellAhead(time: number | null, goal: number): void {
        if (time === null) return this.progress.hide();
        const words = `${time.toFixed(1)} of ${goal.toFixed(1)} s`;
        this.progress.show("On the way to a moment", words, time / goal);
    }

    openResults(files: ResultFile[]): void {
        const other = files.find((file) => !isResult(file.name));
        if (other) throw new Error(wrongFileWords(other.name));
        // a point cache knows no seconds: on the mesh of a scene it goes by the scene's steps
        const dt = files.length === 1 ? this.live.description?.step.dt : undefined;
        const clip = openResult(files, this.live.sceneShape, dt ? 1 / dt : 60);
        this.closeReplay();
        errorsNow()();
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
        this.page.toolbar.setScenes(sceneList, { id: "", title: clip.name });
        this.page.charts.setLive(false);
        this.page.charts.clear();
        this.page.labels.set([], []);
        this.setPlaying(true);
        this.showSettings();
    }

    closeReplay(): void {
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

    private momentOf(chosen: Chosen | null): Moment | null {
        const { surface, speed, pins, labels, follow } = this.view;
        return chosen && { chosen, seen: { surface, speed, pins, labels, follow } };
    }

    private take({ chosen, seen }: Moment): void {
        this.closeReplay();
        if (chosen.document !== this.live.document) {
            this.opener.link = withoutPlace(this.link);
            this.opener.dropErrors = errorsNow();
        }
        this.takeSeen(seen);
        this.live.goTo(chosen);
        this.letGo();
        this.changed("settings");
    }

    /** Each thing that hands did is a step of its own. */
    private readHands(): void {
        this.handsRead = this.live.readHands().then((fresh) => {
            if (fresh) this.keeper.note(true);
        });
    }

    whenHandsRest(): Promise<void> {
        this.hands.rest();
        return this.handsRead;
    }

    private letGo(): void {
        this.hands.forget(this.live.byHand.carried);
    }

    takeSeen({ surface, speed, pins, labels, follow }: Moment["seen"]): void {
        const { bare } = this.link;
        const marks = { pins: pins && !bare, labels: labels && !bare };
        Object.assign(this.view, { surface, speed, ...marks, follow });
        this.live.player.speed = speed;
        this.setSurface(surface);
        this.follow();
    }

    // -----------------------------------------------------------------------------------------
    // What the user asks for

    get isPlaying(): boolean {
        return this.playing;
    }

    private play(on: boolean): void {
        const { past } = this.live.player;
        // it goes on from then, without what hands did since
        if (on && !this.replay && past && past.now < past.last) this.readHands();
        this.playing = on;
        if (this.replay) this.replay.playing = on;
        else this.live.player.playing = on;
    }

    setPlaying(on: boolean): void {
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
        this.letGo();
        this.live.reset();
        if (!isUntouched(this.live.byHand)) this.tellKept();
    }

    /** What hands did is a part of the scene, and stays. */
    private tellKept(): void {
        toast("Pins, moved bodies and cuts by hand are kept", "info", [
            { label: "Begin without them", act: () => this.live.forgetHands() },
        ]);
    }

    private change(id: string, value: Value): void {
        this.choices.change(id, value);
    }

    /** Weft and XPBD within so many milliseconds per step; null: no longer. */
    headToHead(budget: number | null): void {
        this.live.setVersus(budget);
    }

    /** What settings of fabrics act on from now on. */
    select(target: Target): void {
        this.view.target = target;
        this.selecting.show(target);
        this.showSettings();
    }

    setSurface(name: string): void {
        const now = surfaces.indexOf(this.style.surface);
        const next = surfaces[(now + 1) % surfaces.length]!;
        this.style.surface = name === "next" ? next : (surfaces.find((s) => s === name) ?? next);
        this.view.surface = this.style.surface;
        this.live.setStyle(this.style, this.view.pins);
        this.replay?.setStyle(this.style);
    }

    /** Of the first cloth; null: as its fabric has it. */
    setColour(colour: string | null): void {
        this.style.colour = colour;
        this.live.setStyle(this.style, this.view.pins);
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
            this.endOpening();
            this.opener.dropErrors();
            this.view.target = null;
            this.lookAt();
        }
        this.tellWhole();
        this.tellDetail();
        this.tellHands();
        this.text?.show();
        this.page.toolbar.setScenes(sceneList, live.document ?? { id: "", title: "" });
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
        if (why === this.toldDetail) return;
        this.noDetail?.remove();
        this.noDetail = why ? toast(why, "error") : null;
        this.toldDetail = why;
    }

    /** Pins and cuts name vertices: those of another mesh are others. */
    private tellHands(): void {
        const { description, byHand } = this.live;
        const counts = description?.cloths.map(({ vertices }) => vertices) ?? [];
        const lost = fittingHands(byHand, counts) !== byHand;
        if (lost && !this.toldHands)
            toast("Pins and cuts by hand are of the mesh before, and come back with it");
        this.toldHands = lost;
    }

    private beginAgain(): void {
        this.letGo();
        this.page.charts.clear();
        this.stage.restart();
    }

    /** `now`: at what is there, whatever it may become. */
    lookAt(now = false): void {
        const cloth = this.live.views[0];
        if (!cloth) return;
        const around = cloth.bodies?.surroundings();
        const pinned = this.live.buffersOf(0)?.pinned ?? null;
        // what is worn does not fall or swing, and goes where its body goes
        if (now || this.live.document?.isWorn) this.stage.frameNow();
        else this.stage.frameCloth(cloth.positions, pinned, around);
        this.follow();
        this.stage.lookFrom(...this.link.turn);
        this.stage.zoom(this.link.zoom);
        this.stage.shift(this.link.shift);
    }

    /** Somebody who walks is followed from the first step. */
    follow(): void {
        const { follow } = this.view;
        const worn = !this.replay && (this.live.document?.isWorn ?? false);
        this.stage.setDots(worn);
        this.stage.setFollowing(worn && follow === "auto" ? "always" : (follow as Following));
    }

    showSettings(): void {
        const { live, view } = this;
        if (this.replay) return this.page.panel.show(resultSections(view));
        if (!live.description || !live.document) return;
        this.page.panel.show(sections(live.description, live.choices, live.document, view));
    }

    private refused(reason: string, asked?: string): void {
        if (this.opener.takeRefusal(reason)) return;
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
        this.letGo();
        if (!again) this.setPlaying(false);
        this.keeper.refused();
        this.showSettings();
    }

    private tellLost(lost: boolean): void {
        this.lostPicture?.remove();
        this.lostPicture = lost
            ? toast(LOST, "error", [{ label: "Reload the page", act: () => location.reload() }])
            : null;
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
        const { recording } = this;
        if (recording.holds) {
            // time waits for the video
        } else if (this.replay)
            this.tickReplay(this.replay, Math.min(passed, recording.mostBetween));
        else this.live.player.tick(now);
        // an empty studio, while the first garments are put on
        const shown = this.frameCount > 0 || this.replay || this.live.isDressing;
        if (shown && !this.opener.hurries) this.draw(now);
        if (!this.opener.hurries) recording.tick(this.isPlaying);
        this.showNotes();
        this.showClothLabels();
        this.showPreparing();
        const { past, time } = this.live.player;
        const still = this.playing || this.replay ? null : past;
        this.pastLine.show(still, time, this.live.whyNoPast);
        this.countFrames(now);
        this.keeper.tick(now);
        requestAnimationFrame((next) => this.tick(next));
    }

    /** Nothing can be done about it, but to wait. */
    private showPreparing(): void {
        const { document, isDressing, player } = this.live;
        const since = isDressing ? null : player.preparesSince;
        const prepares = since !== null && performance.now() - since > SILENT;
        if (prepares === this.prepares) return;
        this.prepares = prepares;
        if (prepares) this.progress.show(`Preparing: ${document!.title}`, "", null, false);
        else if (!isDressing) this.progress.hide();
    }

    private draw(now: number): void {
        this.stage.time = this.replay?.time ?? this.live.player.time;
        this.stage.renderIfNeeded(now);
        if (this.frameCount === 0 && !this.replay) return;
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
        this.stage.setCaptionRoom(CAPTION + this.page.labels.lowered);
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
