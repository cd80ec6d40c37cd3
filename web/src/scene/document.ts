// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene file and what the user changed in it. The result is a scene file again: what is on the
// screen can be saved, and `weft run` computes the same.

import type { Description } from "../sim/core";
import { writeByHand, type Beginning } from "./by-hand";
import { editShown, ownDetail } from "./details";
import type { Outfit } from "./garments";
import { madeOf, targetOf, type FabricEdits, type LookEdits, type Target } from "./targets";
import { isReference, methodOf, withMethod, type StepSettings } from "./methods";
import { editAllDetail } from "./mesh-detail";
import { mergeText } from "./places";
import { baseName, readScene, type Body, type Cloth, type Scene } from "./scene-file";
import { fittingHands, type HandState } from "../sim/hands";
import type { GivenFile, SceneText, Start } from "../sim/protocol";
import { gustTrack, keysOf, meanOf, windVector, type Wind } from "./wind";

/** What is not given is as the file has it. Fabrics are given by the values of the first cloth, and
 *  those of the others change in the same ratio. */
export interface Edits {
    method?: string;
    iterations?: number;
    substeps?: number;
    budget?: number;
    /** Milliseconds per step of every pane, of weft and its rival head to head. */
    versus?: number;
    dt?: number;
    stiffness?: number;
    bending?: number;
    density?: number;
    damping?: number;
    friction?: number;
    contact?: string;
    /** How halves meet, of scenes with a mirror. */
    closure?: string;
    stretch?: string;
    shear?: string;
    bend?: string;
    bend_by?: string;
    estimator?: string;
    wind?: number;
    direction?: number;
    gusts?: boolean;
    gravity?: number;
    /** Of the mesh, in times what the scene has. */
    detail?: number;
    /** By what all cloths are shown: one of `choices` of details.ts. */
    shown?: string;
    /** Of all cloths, by its name. */
    fabric?: string;
    /** Of single cloths and panels, whatever all have. */
    fabrics?: FabricEdits;
    /** What changed of their looks, of any. */
    looks?: LookEdits;
    /** Whether the floor that the page draws is one; see SceneDocument.floor. */
    floor?: boolean;
    /** From files of the user's own, as scenes have them. */
    bodies?: MeshBody[];
    /** What hands did: pins, moved bodies, cuts. No part of the text: whoever plays it does it again. */
    hands?: HandState;
    /** In place of that of the file, by hand; all other changes are made to it. */
    text?: string;
}

export interface MeshBody {
    kind: "mesh";
    name: string;
    file: string;
    place: { scale: number; move: [number, number, number] };
}

interface PatternFabrics {
    fabric: string;
    panels?: ({ name?: unknown; fabric?: unknown } | null)[];
}

/** What a text turned out to be, once it was read. */
export interface Known {
    scene: Scene | null;
    description: Description | null;
    floor: number | null;
    start: Start | null;
}

/** Kinds of bodies that may wear something. */
const WEARERS = ["mannequin", "mesh"];
/** Texts by hand that are remembered. */
const REMEMBERED = 20;

export class SceneDocument {
    edits: Edits = {};
    /** What the scene names. */
    files: GivenFile[] = [];
    /** What is worn, of scenes that the page made for it. */
    outfit: Outfit | null = null;
    /** How garments lie once they are put on, by `startKey`. */
    private readonly starts = new Map<string, GivenFile>();
    private readonly texts = new Map<string, Known>();

    /** `description`: of the scene as the file has it, once it is known. */
    constructor(
        readonly id: string,
        readonly file: string,
        readonly original: string,
        description: Description | null = null,
    ) {
        this.description = description;
    }

    /** As it is before other changes: of the file, or by hand. */
    get text(): string {
        return this.edits.text ?? this.original;
    }

    private get known(): Known {
        return this.knownOf(this.edits);
    }

    /** With the text of these changes. */
    knownOf(edits: Edits): Known {
        const text = edits.text ?? this.original;
        let known = this.texts.get(text);
        if (!known) {
            known = { scene: readScene(text), description: null, floor: null, start: null };
            this.texts.set(text, known);
            const [oldest] = [...this.texts.keys()].filter((other) => other !== this.original);
            if (this.texts.size > REMEMBERED) this.texts.delete(oldest!);
        }
        return known;
    }

    /** null where the text is no scene: then the reader of scenes says why. */
    private get scene(): Scene | null {
        return this.known.scene;
    }

    /** Of the scene as its text has it, once it is known. */
    get description(): Description | null {
        return this.known.description;
    }

    set description(description: Description | null) {
        this.known.description = description;
    }

    /** Where the page draws a floor, metres; null: not known yet, or the scene has one itself. */
    get floor(): number | null {
        return this.known.floor;
    }

    set floor(floor: number | null) {
        this.known.floor = floor;
    }

    /** As the text has it, once it is known. */
    get start(): Start | null {
        return this.known.start;
    }

    set start(start: Start | null) {
        this.known.start = start;
    }

    /** Puts a text in the place of all other changes, but for whether there is a floor and for what
     *  hands did. Whether the
     *  motion can go on with it: it begins as the one before. */
    write(text: string): boolean {
        const before = { ...this.edits };
        const { floor, hands } = before;
        this.edits = { text, ...(floor !== undefined && { floor }), ...(hands && { hands }) };
        return this.goesOnFrom(before);
    }

    /** Whether the text begins as that of other changes does, which is known: the motion can go on. */
    goesOnFrom(edits: Edits): boolean {
        const before = this.knownOf(edits);
        const composed = edits.bodies ? this.withBodies(before.scene, edits) : before.scene;
        if (beginning(composed) !== beginning(this.scene)) return false;
        this.floor ??= before.floor;
        this.start ??= before.start;
        return true;
    }

    private withBodies(scene: Scene | null, { bodies = [] }: Edits): Scene | null {
        const added: Body[] = bodies.map((body) => ({ ...body }));
        return scene && { ...scene, bodies: [...(scene.bodies ?? []), ...added] };
    }

    /** The file with all changes, for one method. */
    compose(methodId: string | null): SceneText {
        const { rival } = methodOf(methodId ?? this.edits.method ?? "scene");
        return { ...this.composeText(methodId), ...(rival && { rival }) };
    }

    /** The same to be saved, with what hands did; and what of that scenes have no words for. `counts`:
     *  vertices of each cloth, as it is simulated now. */
    composeSaved(counts: number[]): { text: string; unsaid: string[] } {
        const { text } = this.compose(null);
        const hands = this.edits.hands && fittingHands(this.edits.hands, counts);
        const scene = hands ? readScene(text) : null;
        if (!hands || !scene) return { text, unsaid: [] };
        const unsaid = writeByHand(scene, hands, beginningOf(counts, this.known));
        return { text: mergeText(text, scene), unsaid };
    }

    private composeText(methodId: string | null): SceneText {
        const untouched =
            Object.keys(this.edits).every((key) => key === "text" || key === "hands") &&
            methodId === null &&
            !this.hasFloor;
        if ((untouched && !this.starts.has(this.startKey)) || !this.scene)
            return { text: this.text, name: this.file };
        const scene = this.edited(methodId);
        this.editStart(scene);
        this.addFloor(scene);
        return { text: mergeText(this.text, scene), name: this.file };
    }

    /** The text with all changes but for what the page knows and adds by itself: how garments begin,
     *  and the floor. Whoever writes by hand sees this. */
    get written(): string {
        return this.scene ? mergeText(this.text, this.edited(null)) : this.text;
    }

    private edited(methodId: string | null): Scene {
        const scene = structuredClone(this.scene!);
        this.editCloths(scene);
        editShown(scene, this.edits.shown, (cloth) => this.isRope(cloth));
        this.editBodies(scene);
        if (this.edits.contact !== undefined) scene.contact = this.edits.contact;
        // the rival keeps no cloth from cloth: head to head, neither does weft
        if (this.edits.versus !== undefined && scene.contact === "all") scene.contact = "bodies";
        if (this.edits.closure !== undefined && this.hasMirror)
            scene.mirror = { ...mirrorOf(scene), closure: this.edits.closure };
        this.editAir(scene);
        this.editStep(scene, methodId);
        return scene;
    }

    /** The same with more changes, which are not kept. */
    composeWith(edits: Edits, methodId: string | null): SceneText {
        const before = this.edits;
        this.edits = { ...before, ...edits };
        try {
            return this.compose(methodId);
        } finally {
            this.edits = before;
        }
    }

    /** The file as it is, but for the detail of its meshes, and how garments begin where that is
     *  known. */
    get opening(): SceneText {
        const asItIs = !this.starts.has(this.startKey) && this.detail === 1;
        if (asItIs || !this.scene) return { text: this.text, name: this.file };
        const scene = structuredClone(this.scene);
        this.editStart(scene);
        editAllDetail(scene, this.detail);
        return { text: mergeText(this.text, scene), name: this.file };
    }

    /** Which fabrics the scene has now: what sliders change starts from there, unless they were used
     *  already. */
    learnFabrics(now: Description, edits: Edits): void {
        const keys = ["stiffness", "bending", "density", "damping", "friction"] as const;
        if (!this.description || edits.text !== this.edits.text) return;
        if (keys.some((key) => edits[key] !== undefined)) return;
        const cloths = this.description.cloths.map((cloth, i) => ({
            ...cloth,
            fabric: now.cloths[i]?.fabric ?? cloth.fabric,
        }));
        this.description = { ...this.description, cloths };
    }

    /** As its text says, which may have been written anew. */
    get title(): string {
        return this.scene?.name || this.id;
    }

    /** Has it been given another name than the file has? */
    get renamed(): boolean {
        return this.title !== (this.knownOf({}).scene?.name || this.id);
    }

    private get detail(): number {
        return this.edits.detail ?? 1;
    }

    /** Ropes have no surface to show. */
    private isRope(cloth: number): boolean {
        const described = this.description?.cloths[cloth];
        return described
            ? described.triangles === 0
            : this.scene?.cloths[cloth]?.mesh.kind === "rope";
    }

    /** Whether something has a surface. */
    get hasSurface(): boolean {
        return this.scene?.cloths.some((_, cloth) => !this.isRope(cloth)) ?? false;
    }

    /** By what the scene itself shows its cloth; null: as it is simulated. */
    get ownDetail(): { label: string; title: string } | null {
        return ownDetail(this.scene);
    }

    /** Whether bodies wear what there is. */
    get isWorn(): boolean {
        return this.scene?.cloths.some(({ mesh }) => mesh.kind === "pattern") ?? false;
    }

    /** Whether garments have to be put on first. */
    get isUndressed(): boolean {
        const known = this.starts.has(this.startKey) || (this.detail === 1 && this.scene?.start);
        return this.isWorn && !known;
    }

    /** What it depends on how garments lie: they, their bodies, the detail of the mesh. */
    private get startKey(): string {
        const worn = this.scene?.cloths.map(({ mesh, place }) => ({ mesh, place }));
        const wearers = this.scene?.bodies?.filter(({ kind }) => WEARERS.includes(String(kind)));
        return JSON.stringify([this.detail, worn, wearers, this.scene?.motions]);
    }

    /** How garments lie, as it was found for the scene with the detail that it has now. */
    keepStart(text: string): void {
        const name = `${this.file.replace(/\.json$/i, "")}.start-${this.starts.size + 1}.json`;
        const given = { name, bytes: new TextEncoder().encode(text) };
        this.starts.set(this.startKey, given);
        this.files = [...this.files, given];
    }

    /** Without how garments lie, which can be found again. */
    get givenFiles(): GivenFile[] {
        const found = [...this.starts.values()];
        return this.files.filter((file) => !found.includes(file));
    }

    private editStart(scene: Scene): void {
        const start = this.starts.get(this.startKey);
        if (start) scene.start = start.name;
        else if (this.detail !== 1) delete scene.start;
    }

    /** Whether the page adds a floor. Not where nothing touches anything; and not by itself where the
     *  scene asks for the bits of `weft run`, which has no such floor. */
    get hasFloor(): boolean {
        const wanted = this.edits.floor ?? this.scene?.same_bits !== true;
        return wanted && this.floor !== null && this.touches;
    }

    /** Whether one half is to be simulated; the reader of scenes decides whether it can be. */
    get hasMirror(): boolean {
        return this.scene?.mirror !== undefined && mirrorOf(this.scene).kind !== "none";
    }

    /** Whether cloth is kept from bodies. */
    get touches(): boolean {
        return (this.edits.contact ?? this.scene?.contact ?? "bodies") !== "none";
    }

    private editBodies(scene: Scene): void {
        const added: Body[] = (this.edits.bodies ?? []).map((body) => ({ ...body }));
        if (added.length > 0) scene.bodies = [...(scene.bodies ?? []), ...added];
    }

    private addFloor(scene: Scene): void {
        if (!this.hasFloor) return;
        const floor = { kind: "plane", name: "floor", place: this.floorPlace() };
        scene.bodies = [...(scene.bodies ?? []), floor];
    }

    private floorPlace(): { move: number[] } {
        return { move: [0, this.floor!, 0] };
    }

    private editCloths(scene: Scene): void {
        scene.cloths.forEach((cloth, i) => {
            this.editFabric(cloth, i);
            this.editOwnFabrics(cloth, i);
            for (const key of ["stretch", "shear", "bend", "bend_by", "estimator"] as const)
                if (this.edits[key] !== undefined) cloth[key] = this.edits[key];
        });
        editAllDetail(scene, this.detail);
    }

    private editFabric(cloth: Cloth, index: number): void {
        const { stiffness, bending, density, damping, friction } = this.edits;
        const fabrics = this.description?.cloths.map((described) => described.fabric);
        const old = fabrics?.[index];
        if (this.edits.fabric !== undefined) cloth.fabric = this.edits.fabric;
        if (!old || !fabrics) return;
        const changes: Record<string, unknown> = {};
        const first = sliderFabric(this.description!, null, this.edits.bend_by);
        const scale = (keys: string[], wanted: number | undefined, before: number) => {
            if (wanted === undefined || before === 0) return;
            for (const key of keys) changes[key] = times(old[key]!, wanted / before);
        };
        scale(["stretch", "shear", "rope_stretch"], stiffness, first.stiffness);
        scale(["bend", "bend_spring", "rope_bend"], bending, first.bending);
        scale(["density", "rope_density"], density, first.density);
        if (damping !== undefined) changes.mass_damping = damping;
        if (friction !== undefined) changes.friction = friction;
        if (Object.keys(changes).length > 0) cloth.fabric = { ...this.fabricOf(cloth), ...changes };
    }

    /** What single cloths and panels were given. */
    private editOwnFabrics(cloth: Cloth, index: number): void {
        for (const [panel, fabric] of editsOf(this.edits.fabrics, index)) {
            if (panel === null) cloth.fabric = fabric;
            else cloth.panels = { ...cloth.panels, [panel]: fabric };
        }
        for (const [panel, look] of editsOf(this.edits.looks, index)) {
            const made = panel === null ? this.fabricOf(cloth) : this.panelFabric(cloth, panel);
            const changed = { ...made, look: { ...(made.look as object | undefined), ...look } };
            if (panel === null) cloth.fabric = changed;
            else cloth.panels = { ...cloth.panels, [panel]: changed };
        }
    }

    /** What a cloth is made of, as an object: its own, or that of its pattern. */
    private fabricOf({ fabric, mesh }: Cloth): Record<string, unknown> {
        const own = fabric ?? (mesh.kind === "pattern" ? this.pattern(mesh.file).fabric : "");
        return typeof own === "string" ? namedFabric(own) : { ...own };
    }

    /** The same of a panel of a garment: its own, or that of the cloth. */
    private panelFabric(cloth: Cloth, name: string): Record<string, unknown> {
        const { panels = [] } = this.pattern(cloth.mesh.file);
        const own = cloth.panels?.[name] ?? panels.find((panel) => panel?.name === name)?.fabric;
        if (typeof own === "object" && own !== null) return { ...own };
        return typeof own === "string" && own !== "" ? namedFabric(own) : this.fabricOf(cloth);
    }

    /** What a pattern says of its fabrics; those of other forms than our own say nothing. */
    private pattern(name: unknown): PatternFabrics {
        const file = this.files.find((given) => given.name === name);
        const text = file ? new TextDecoder().decode(file.bytes) : "{}";
        const { fabric, panels } = JSON.parse(text) as Record<string, unknown>;
        return {
            fabric: typeof fabric === "string" ? fabric : "",
            panels: Array.isArray(panels) ? (panels as PatternFabrics["panels"]) : [],
        };
    }

    /** For choices: what cloths are called, where they have names. */
    get clothNames(): string[] {
        const cloths = this.scene?.cloths ?? [];
        return cloths.map(({ mesh }) =>
            mesh.kind === "pattern" ? baseName(String(mesh.file)).replace(/\.json$/i, "") : "",
        );
    }

    private editAir(scene: Scene): void {
        const { wind, direction, gusts, gravity } = this.edits;
        if (gravity !== undefined) scene.gravity = [0, -gravity, 0];
        if (wind === undefined && direction === undefined && gusts === undefined) return;
        const air = this.wind();
        scene.wind = air.gusts
            ? gustTrack(air.speed, air.direction)
            : windVector(air.speed, air.direction);
    }

    /** The wind with all changes. One that comes and goes is taken by its mean. */
    wind(): Wind {
        const { wind, direction, gusts } = this.edits;
        const keys = keysOf(this.scene?.wind);
        const mean = keys ? meanOf(keys) : (this.description?.wind ?? [0, 0, 0]);
        const speed = Math.hypot(mean[0]!, mean[2]!);
        const angle = speed > 0 ? (Math.atan2(mean[2]!, mean[0]!) * 180) / Math.PI : 90;
        return {
            speed: wind ?? speed,
            direction: direction ?? Math.round(angle),
            gusts: gusts ?? keys !== null,
        };
    }

    private editStep(scene: Scene, methodId: string | null): void {
        const { method, iterations, substeps, budget, dt } = this.edits;
        const chosen = methodOf(methodId ?? method ?? "scene");
        const step = withMethod(scene.step ?? {}, chosen);
        if (chosen.step) delete scene.matrices; // a model for every method
        if (dt !== undefined) step.dt = dt;
        if (methodId !== null && this.edits.versus !== undefined && !isReference(methodId))
            step.budget_ms = this.edits.versus;
        if (methodId === null) {
            if (substeps !== undefined) setOrDelete(step, "substeps", substeps);
            if (budget !== undefined) setOrDelete(step, "budget_ms", budget);
            if (iterations !== undefined) setIterations(step, iterations);
        }
        if (scene.step || Object.keys(step).length > 0) scene.step = step;
    }
}

/** What hands need to know of how a scene begins. */
function beginningOf(counts: number[], { start, description }: Known): Beginning {
    const cloths = description?.cloths ?? [];
    const total = counts.reduce((sum, count) => sum + count, 0);
    const seen = cloths.every(({ shown, vertices }) => shown === vertices);
    return {
        counts,
        cloth: start && seen && start.pinned.length === total ? start : null,
        middles: start ? middlesOf(start) : [],
    };
}

function middlesOf({ bodyShape, bodies }: Start): [number, number, number][] {
    return Array.from({ length: bodyShape.starts.length - 1 }, (_, i) => {
        const places = bodies.subarray(3 * bodyShape.starts[i]!, 3 * bodyShape.starts[i + 1]!);
        const middle = (k: number) => {
            const along = places.filter((_, at) => at % 3 === k);
            const low = along.reduce((a, b) => Math.min(a, b), Infinity);
            const high = along.reduce((a, b) => Math.max(a, b), -Infinity);
            return (low + high) / 2;
        };
        return [middle(0), middle(1), middle(2)];
    });
}

/** What a scene begins with, apart from what may change while it moves. */
const changing = {
    scene: ["step", "gravity", "wind", "winds", "air_density", "duration", "name", "detail"],
    model: ["contact", "pair_frictions", "ordering", "matrices", "same_bits"],
    cloth: ["fabric", "scales", "stretch", "shear", "explicit_shear", "bend", "bend_by"],
    limits: ["rope_strain", "estimator", "stretch_limit", "tethers", "tear_load", "detail", "name"],
};

/** Scenes of the same beginning go on with each other's motion. */
function beginning(scene: Scene | null): string {
    const without = (object: object, keys: string[]) =>
        Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
    if (!scene) return "";
    const cloths = scene.cloths.map((cloth) =>
        without(cloth, [...changing.cloth, ...changing.limits]),
    );
    return JSON.stringify({ ...without(scene, [...changing.scene, ...changing.model]), cloths });
}

/** A scene of one mesh of the user's as the cloth, among the bodies of another scene. */
export function sceneOfCloth(
    name: string,
    mesh: { file: string; place: MeshBody["place"] },
    among: SceneDocument | null,
): string {
    const composed = among ? readScene(among.compose(null).text) : null;
    const bodies = (composed?.bodies ?? []).filter((body) => body.name !== "floor");
    const scene = {
        weft: 1,
        name,
        contact: "all",
        ...(composed?.motions ? { motions: composed.motions } : {}),
        ...(bodies.length > 0 ? { bodies } : {}),
        cloths: [{ mesh: { kind: "obj", file: mesh.file }, place: mesh.place }],
    };
    return JSON.stringify(scene, null, 4);
}

/** Of one cloth: panel or null for all of it, and what was changed; all of it first. */
function editsOf<T>(edits: Record<string, T> | undefined, cloth: number): [string | null, T][] {
    const own: [string | null, T][] = [];
    for (const [key, edit] of Object.entries(edits ?? {})) {
        const target = targetOf(key);
        if (target?.cloth === cloth) own.push([target.panel, edit]);
    }
    return own.sort(([a], [b]) => Number(a !== null) - Number(b !== null));
}

function namedFabric(name: string): Record<string, unknown> {
    return name === "" ? {} : { base: name };
}

/** As an object, which it may be, or the name of its kind. */
function mirrorOf({ mirror }: Scene): Record<string, unknown> {
    return typeof mirror === "string" ? { kind: mirror } : { ...(mirror as object | null) };
}

function times(value: number | number[], factor: number): number | number[] {
    return Array.isArray(value) ? value.map((part) => part * factor) : value * factor;
}

/** What the sliders show: values of a cloth or a panel, or of ropes where there are no triangles. What
 *  bends it says which of them is the bending; it may have been changed since. */
export function sliderFabric(description: Description, target: Target, bendBy?: string) {
    const cloth = description.cloths[target?.cloth ?? 0]!;
    const fabric = target ? madeOf(description, target).numbers : cloth.fabric;
    const rope = cloth.triangles === 0;
    const springs = (bendBy ?? cloth.bend_by) === "springs" && !rope;
    return {
        rope,
        springs,
        stiffness: rope ? fabric.rope_stretch! : fabric.stretch[0],
        bending: rope ? fabric.rope_bend! : springs ? fabric.bend_spring! : fabric.bend!,
        density: rope ? fabric.rope_density! : fabric.density!,
        damping: fabric.mass_damping!,
        friction: fabric.friction!,
    };
}

function setOrDelete(step: StepSettings, key: string, value: number): void {
    if (value > 0) step[key] = value;
    else delete step[key];
}

/** Iterations of a fixed schedule; conjugate gradients take a limit instead. */
function setIterations(step: StepSettings, count: number): void {
    const gradients = step.method === "implicit" || step.method === "matrix_free";
    if (gradients) setOrDelete(step, "max_iterations", count);
    else if (count > 0) step.iterations = [count];
    else delete step.iterations;
}
