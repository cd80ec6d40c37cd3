// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The ways to take a step that the page offers, as settings of a scene's `step`.

export type StepSettings = Record<string, unknown>;

export interface MethodOption {
    id: string;
    label: string;
    /** Where there is little room. */
    short: string;
    title: string;
    /** Whether it is stable depends on the scene and on the time step. */
    conditional?: boolean;
    /** What replaces the scene's own settings; null: the scene's own. */
    step: StepSettings | null;
    /** Not weft, but what it is compared with. */
    rival?: boolean;
}

const converged = { newton_steps: 12, newton_tolerance: 1e-4, tolerance: 1e-5 };

function prefactored(quality: number, words: string): MethodOption {
    return {
        id: `q${quality}`,
        label: `Prefactored, quality ${quality}`,
        short: `Quality ${quality}`,
        title: words,
        step: { method: "prefactored", quality },
    };
}

function preset(id: string, label: string, title: string): MethodOption {
    return { id, label, short: label, title, conditional: true, step: { preset: id } };
}

export const methods: MethodOption[] = [
    { id: "scene", label: "As the scene says", short: "Scene's own", title: "", step: null },
    prefactored(1, "One solve with the constant factor: the cheapest step"),
    prefactored(2, "Two substeps of one solve"),
    prefactored(3, "Two iterations"),
    prefactored(4, "Four iterations: the default"),
    prefactored(5, "Two substeps of four iterations"),
    prefactored(6, "Two substeps of eight iterations"),
    prefactored(7, "Four substeps"),
    prefactored(8, "Eight substeps: closest to the motion, dearest"),
    {
        id: "timed",
        label: "Prefactored, within a time budget",
        short: "Time budget",
        title: "As many substeps and iterations as fit; without a budget, quality 4",
        step: { method: "prefactored" },
    },
    {
        id: "implicit",
        label: "Implicit, one Newton step",
        short: "Implicit",
        title: "The conventional method: a new system of equations in every step",
        step: { method: "implicit" },
    },
    {
        id: "converged",
        label: "Implicit, converged",
        short: "Converged",
        title: "Newton to the end: the reference",
        step: { method: "implicit", ...converged },
    },
    {
        id: "relaxation",
        label: "Relaxation, 4 sweeps",
        short: "Relaxation",
        conditional: true,
        title: "A few sweeps over the vertices instead of a solve",
        step: { method: "relaxation", iterations: [4] },
    },
    {
        id: "matrix_free",
        label: "Matrix-free",
        short: "Matrix-free",
        title: "Implicit, no matrix stored",
        step: { method: "matrix_free" },
    },
    {
        id: "symplectic",
        label: "Symplectic (explicit)",
        short: "Symplectic",
        conditional: true,
        title: "As many short steps as it takes to be stable",
        step: { method: "symplectic" },
    },
    preset("scalable", "Kim 2006", "Relaxation, Gauss-Seidel, smoothed Jacobian"),
    preset("kang_1", "Kang 2000", "Two Jacobi sweeps, scalar Jacobian"),
    preset("kang_2", "Kang and Cho 2002", "Jacobi, axial Jacobian"),
    preset("desbrun", "Desbrun 1999", "Scalar Jacobian, solved by the constant factor"),
    preset("choi_ko", "Choi and Ko 2002", "Implicit, block-Jacobi"),
    {
        id: "xpbd",
        label: "XPBD, small steps (for comparison)",
        short: "XPBD",
        title: "Position-based dynamics, Macklin and others 2016 and 2019: not a method of weft",
        step: {},
        rival: true,
    },
];

/** Weft and its rival, within a time budget. */
export const versusMethods = ["timed", "xpbd"];

/** What panes show until somebody chooses: the default beside what it is held against. */
export const firstMethods = ["q4", "implicit", "q1", "relaxation"];
/** Held against where no pane shows an implicit method. */
export const referenceMethod = "converged";

export function methodOf(id: string): MethodOption {
    return methods.find((method) => method.id === id) ?? methods[0]!;
}

export function isReference(id: string): boolean {
    return id === "implicit" || id === "converged";
}

/** Settings that belong to a method; the others (dt, stretch_tolerance ...) are kept on a switch. */
const own = [
    "preset",
    "method",
    "quality",
    "order",
    "substeps",
    "scheme",
    "iterations",
    "budget_ms",
    "sweep",
    "jacobian",
    "start",
    "newton_steps",
    "newton_tolerance",
    "tolerance",
    "max_iterations",
];

export function withMethod(step: StepSettings, method: MethodOption): StepSettings {
    if (!method.step) return { ...step };
    const kept = Object.entries(step).filter(([key]) => !own.includes(key));
    return { ...Object.fromEntries(kept), ...method.step };
}
