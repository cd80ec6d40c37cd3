// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene file and what the user changed in it. The result is a scene file again: what is on the
// screen can be saved, and `weft run` computes the same.

import type { Description } from "../sim/core";
import { methodOf, withMethod, type StepSettings } from "./methods";
import type { SceneText } from "../sim/protocol";

/** What is not given is as the file has it. Fabrics are given by the values of the first cloth, and
 *  those of the others change in the same ratio. */
export interface Edits {
    method?: string;
    quality?: number;
    iterations?: number;
    substeps?: number;
    budget?: number;
    dt?: number;
    stiffness?: number;
    bending?: number;
    density?: number;
    damping?: number;
    stretch?: string;
    shear?: string;
    bend?: string;
    bend_by?: string;
    estimator?: string;
    wind?: number;
    direction?: number;
    gusts?: boolean;
    gravity?: number;
    detail?: number;
}

interface Mesh {
    columns?: number;
    rows?: number;
    edge?: number;
    segments?: number;
    kind?: string;
}

interface Cloth {
    mesh: Mesh;
    fabric?: Record<string, unknown>;
    [key: string]: unknown;
}

export interface Scene {
    name?: string;
    cloths: Cloth[];
    step?: StepSettings;
    [key: string]: unknown;
}

/** Keys of a scene whose change needs no new model. */
const stepKeys = ["step", "gravity", "wind", "air_density", "duration", "name"];

export class SceneDocument {
    /** null where the text is no scene: then the reader of scenes says why. */
    private readonly scene: Scene | null;
    edits: Edits = {};

    /** `description`: of the scene as the file has it, once it is known. */
    constructor(
        readonly id: string,
        readonly file: string,
        readonly original: string,
        public description: Description | null = null,
    ) {
        this.scene = readScene(original);
    }

    /** The file with all changes, for one method. */
    compose(methodId: string | null): SceneText {
        const untouched = Object.keys(this.edits).length === 0 && methodId === null;
        if (untouched || !this.scene) return { text: this.original, name: this.file };
        const scene = structuredClone(this.scene);
        this.editCloths(scene);
        this.editAir(scene);
        this.editStep(scene, methodId);
        return { text: JSON.stringify(scene, null, 4), name: this.file };
    }

    private editCloths(scene: Scene): void {
        scene.cloths.forEach((cloth, i) => {
            this.editFabric(cloth, i);
            for (const key of ["stretch", "shear", "bend", "bend_by", "estimator"] as const)
                if (this.edits[key] !== undefined) cloth[key] = this.edits[key];
            editDetail(cloth.mesh, this.edits.detail ?? 1);
        });
    }

    private editFabric(cloth: Cloth, index: number): void {
        const { stiffness, bending, density, damping } = this.edits;
        const fabrics = this.description?.cloths.map((described) => described.fabric);
        const old = fabrics?.[index];
        if (!old || !fabrics) return;
        const fabric: Record<string, unknown> = { ...cloth.fabric };
        const first = firstFabric(this.description!);
        const scale = (keys: string[], wanted: number | undefined, before: number) => {
            if (wanted === undefined || before === 0) return;
            for (const key of keys) fabric[key] = times(old[key]!, wanted / before);
        };
        scale(["stretch", "shear", "rope_stretch"], stiffness, first.stiffness);
        scale(["bend", "bend_spring", "rope_bend"], bending, first.bending);
        scale(["density", "rope_density"], density, first.density);
        if (damping !== undefined) fabric.mass_damping = damping;
        cloth.fabric = fabric;
    }

    private editAir(scene: Scene): void {
        const { wind, direction, gusts, gravity } = this.edits;
        if (gravity !== undefined) scene.gravity = [0, -gravity, 0];
        if (wind === undefined && direction === undefined && gusts === undefined) return;
        const before = windOf(this.description);
        const speed = wind ?? before.speed;
        const angle = direction ?? before.direction;
        scene.wind = gusts ? gustTrack(speed, angle) : windVector(speed, angle);
    }

    private editStep(scene: Scene, methodId: string | null): void {
        const { method, quality, iterations, substeps, budget, dt } = this.edits;
        const chosen = methodOf(methodId ?? method ?? "scene");
        const step = withMethod(scene.step ?? {}, chosen);
        if (chosen.step) delete scene.matrices; // a model for every method
        if (dt !== undefined) step.dt = dt;
        if (methodId === null) {
            if (quality !== undefined) setQuality(step, quality);
            if (substeps !== undefined) setOrDelete(step, "substeps", substeps);
            if (budget !== undefined) setOrDelete(step, "budget_ms", budget);
            if (iterations !== undefined) setIterations(step, iterations);
        }
        scene.step = step;
    }
}

/** Just far enough to be edited, or asked what it needs; null where it is not even that. */
export function readScene(text: string): Scene | null {
    try {
        const scene = JSON.parse(text) as Partial<Scene> | null;
        const good =
            Array.isArray(scene?.cloths) &&
            scene.cloths.every((cloth) => typeof cloth?.mesh === "object" && cloth.mesh !== null);
        return good ? (scene as Scene) : null;
    } catch {
        return null;
    }
}

/** The page reads no mesh files. */
export function readsFiles(text: string): boolean {
    return readScene(text)?.cloths.some((cloth) => cloth.mesh.kind === "obj") ?? false;
}

/** Whether only the settings of steps differ, so that the model can be kept. */
export function sameModel(a: string, b: string): boolean {
    return modelText(a) === modelText(b);
}

function modelText(text: string): string {
    const scene = JSON.parse(text) as Scene;
    for (const key of stepKeys) delete scene[key];
    return JSON.stringify(scene);
}

function times(value: number | number[], factor: number): number | number[] {
    return Array.isArray(value) ? value.map((part) => part * factor) : value * factor;
}

/** What the sliders show: values of the first cloth, or of its ropes where it has no triangles. */
export function firstFabric(description: Description) {
    const cloth = description.cloths[0]!;
    const fabric = cloth.fabric;
    const rope = cloth.triangles === 0;
    const springs = cloth.bend_by === "springs" && !rope;
    return {
        rope,
        springs,
        stiffness: rope ? fabric.rope_stretch! : fabric.stretch[0],
        bending: rope ? fabric.rope_bend! : springs ? fabric.bend_spring! : fabric.bend!,
        density: rope ? fabric.rope_density! : fabric.density!,
        damping: fabric.mass_damping!,
    };
}

export function windOf(description: Description | null): { speed: number; direction: number } {
    const [x, , z] = description?.wind ?? [0, 0, 0];
    const speed = Math.hypot(x!, z!);
    return { speed, direction: speed > 0 ? (Math.atan2(z!, x!) * 180) / Math.PI : 90 };
}

function windVector(speed: number, degrees: number): number[] {
    const angle = (degrees * Math.PI) / 180;
    const round = (number: number) => Math.round(1e4 * number) / 1e4;
    return [round(speed * Math.cos(angle)), 0, round(speed * Math.sin(angle))];
}

/** Wind that comes and goes for some minutes, the same every time. */
function gustTrack(speed: number, degrees: number): { keys: number[][] } {
    const keys: number[][] = [];
    let random = 1;
    const next = () => (random = (random * 16807) % 2147483647) / 2147483647;
    for (let time = 0; time < 300; time += 0.5 + 0.8 * next()) {
        const strength = speed * (0.2 + 1.3 * next());
        const turned = degrees + 50 * (next() - 0.5);
        keys.push([Math.round(1000 * time) / 1000, ...windVector(strength, turned)]);
    }
    return { keys };
}

function editDetail(mesh: Mesh, detail: number): void {
    if (detail === 1) return;
    const defaults: Mesh = mesh.kind === "grid" ? { columns: 32, rows: 32 } : {};
    const all = { ...defaults, ...mesh };
    for (const key of ["columns", "rows", "segments"] as const)
        if (all[key] !== undefined) mesh[key] = Math.max(1, Math.round(all[key] * detail));
    if (!["grid", "rope"].includes(mesh.kind ?? "")) mesh.edge = (mesh.edge ?? 0.03) / detail;
}

function setOrDelete(step: StepSettings, key: string, value: number): void {
    if (value > 0) step[key] = value;
    else delete step[key];
}

/** A quality stands for all of these. */
function setQuality(step: StepSettings, quality: number): void {
    for (const key of ["order", "substeps", "scheme", "iterations", "preset"]) delete step[key];
    step.method = "prefactored";
    step.quality = quality;
}

/** Iterations of a fixed schedule; conjugate gradients take a limit instead. */
function setIterations(step: StepSettings, count: number): void {
    const gradients = step.method === "implicit" || step.method === "matrix_free";
    if (gradients) setOrDelete(step, "max_iterations", count);
    else if (count > 0) step.iterations = [count];
    else delete step.iterations;
}
