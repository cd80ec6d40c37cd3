// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What can be set, as the panel shows it, from what the scene is now.

import type { Description, LibraryChoice } from "../sim/core";
import type { SceneDocument, Edits } from "../scene/document";
import { choices as details } from "../scene/details";
import { bodies, clips, garments, mayClose, type Outfit } from "../scene/garments";
import { methods } from "../scene/methods";
import type { Target } from "../scene/targets";
import type { Item, Section } from "../ui/panel-types";
import { fabricSection } from "./fabrics";
import { capital, choice, readable, slider } from "./items";
import { DETAIL } from "./keep/link";
import type { FieldName } from "../shape";

export interface View {
    panes: number;
    surface: string;
    field: FieldName;
    speed: number;
    pins: boolean;
    /** Names of fabrics in the picture, where there are several. */
    labels: boolean;
    follow: string;
    /** What settings of fabrics act on. */
    target: Target;
}

function compareSection(view: View): Section {
    const panes = [
        { value: "1", label: "One method" },
        { value: "2", label: "Two side by side" },
        { value: "3", label: "Three" },
        { value: "4", label: "Four" },
    ];
    const items: Item[] = [choice("panes", "Show", String(view.panes), panes)];
    items.push({
        kind: "button",
        id: "versus",
        label: "Head to head with XPBD",
        title: "The same scene within the same milliseconds, by position-based dynamics",
    });
    return { id: "compare", title: "Compare", open: view.panes > 1, items };
}

function scheduleItems(now: Description, edits: Edits): Item[] {
    const step = now.step;
    const budget = step.budget_ms;
    const gradients = step.method === "implicit" || step.method === "matrix_free";
    const items: Item[] = [];
    if (step.method === "prefactored" && !(budget > 0))
        items.push(
            slider("quality", "Quality", "", step.quality, {
                min: 1,
                max: 8,
                whole: true,
                title: "How much to spend on a step, from one solve to the dearest schedule",
            }),
        );
    items.push(
        slider("iterations", "Iterations", "", edits.iterations ?? step.iterations[0] ?? 0, {
            min: 1,
            max: gradients ? 200 : 32,
            whole: true,
            log: gradients,
            off: "auto",
            title: "Solves, sweeps or, of conjugate gradients, the most that are taken",
        }),
        slider("substeps", "Substeps", "", Number(step.substeps), {
            min: 1,
            max: 16,
            whole: true,
            off: "auto",
        }),
        slider("budget", "Time budget", "ms", budget, {
            min: 0.1,
            max: 16,
            log: true,
            off: "none",
            title: "Milliseconds that a step may take; the library spends them as well as it can",
        }),
    );
    return items;
}

function libraryChoice(library: LibraryChoice[], group: string, label: string, value: string) {
    const options = library
        .filter((line) => line.group === group)
        .map((line) => ({ value: line.name, label: readable(line.name), title: line.text }));
    return choice(group, label, value, options);
}

/** The floor is the page's: scenes that have one of their own need none. */
function floorToggle(document: SceneDocument): Item {
    const title = document.touches
        ? "The floor that is drawn holds cloth. It is the page's, not the scene's: " +
          "a saved scene has it only while this is on"
        : 'Contact is "none": nothing touches anything, and cloth falls through the floor';
    const disabled = !document.touches;
    return {
        kind: "toggle",
        id: "floor",
        label: "Floor",
        value: document.hasFloor,
        title,
        disabled,
    };
}

function methodSection(
    now: Description,
    library: LibraryChoice[],
    document: SceneDocument,
    view: View,
): Section {
    const { edits } = document;
    const items: Item[] = [];
    if (view.panes === 1) {
        const options = methods.map(({ id, label, title }) => ({ value: id, label, title }));
        items.push(choice("method", "Method", edits.method ?? "scene", options));
        items.push(...scheduleItems(now, edits));
    }
    items.push(
        slider("dt", "Time step", "s", now.step.dt, { min: 0.001, max: 0.05, log: true }),
        libraryChoice(library, "contact", "Contact", now.contact),
    );
    if (document.hasMirror && !document.outfit) items.push(closureChoice(now));
    if (document.floor !== null) items.push(floorToggle(document));
    return { id: "method", title: "Method", open: true, items };
}

/** Why all of a scene is simulated that was to be by halves; null where that is not so. */
export function wholeWords({ mirror, findings }: Description): string | null {
    const found = findings.find((words) => words.startsWith(NO_MIRROR));
    return mirror === "none" && found ? capital(found.slice(NO_MIRROR.length)) : null;
}

const NO_MIRROR = "no mirror, ";

function halvesToggle(now: Description, { halves = false }: Outfit): Item {
    return {
        kind: "toggle",
        id: "halves",
        label: "By halves",
        value: halves,
        title:
            "One half is simulated and the other is its mirror image, in about half of the time. " +
            "What one hand does, another does on the other side",
        hint: (halves && wholeWords(now)) || undefined,
    };
}

const closures = [
    { value: "open", label: "Open", title: "Fronts that meet are kept from each other" },
    { value: "zip", label: "Zip", title: "Fronts that meet do so edge to edge" },
    { value: "button", label: "Buttons", title: "Of fronts that meet, one lies over the other" },
];

function closureChoice(now: Description): Item {
    const disabled = now.mirror === "none";
    return { ...choice("closure", "Closure", now.closure, closures), disabled };
}

/** Who wears what, and what they do; each change is dressed anew. */
function outfitSection(outfit: Outfit, now: Description): Section {
    const { patterns, body, clip, mesh } = outfit;
    const worn = patterns.join("+");
    const options = garments.map(({ file, label }) => ({ value: file, label }));
    if (!options.some(({ value }) => value === worn))
        options.unshift({ value: worn, label: patterns.join(", ") });
    const items: Item[] = [choice("garment", "Garment", worn, options)];
    if (mesh) {
        const own = { value: mesh.file, label: mesh.name };
        items.push(choice("body", "Body", mesh.file, [own, ...bodies]));
    } else {
        items.push(choice("body", "Body", body, bodies), choice("clip", "Motion", clip, clips));
    }
    items.push(halvesToggle(now, outfit));
    if (outfit.halves && mayClose(outfit)) items.push(closureChoice(now));
    return { id: "outfit", title: "Garment", open: true, items };
}

const modelLabels = {
    stretch: "Stretch model",
    shear: "Shear model",
    bend: "Bending model",
    bend_by: "Bending elements",
    estimator: "Linear model",
} as const;

function modelSection(now: Description, library: LibraryChoice[]): Section {
    const cloth = now.cloths[0]!;
    const items = Object.entries(modelLabels).map(([group, label]) =>
        libraryChoice(library, group, label, cloth[group as keyof typeof modelLabels]),
    );
    return { id: "model", title: "Model", open: false, items };
}

function airSection(now: Description, document: SceneDocument): Section {
    const wind = document.wind();
    const items: Item[] = [
        slider("wind", "Wind", "m/s", wind.speed, { min: 0, max: 20 }),
        slider("direction", "Direction", "°", wind.direction, {
            min: -180,
            max: 180,
            whole: true,
            title: "Where the wind blows to, seen from above: 0 to the right, 90 to the front",
        }),
        { kind: "toggle", id: "gusts", label: "Gusts", value: wind.gusts },
        slider("gravity", "Gravity", "m/s²", -now.gravity[1]!, { min: 0, max: 20 }),
    ];
    return { id: "air", title: "Air and gravity", open: false, items };
}

/** Why a detail is not shown; null: nothing is wrong. */
export function detailWords({ findings }: Description): string | null {
    const found = findings.find((words) => words.startsWith(NO_DETAIL));
    return found ? capital(found.slice(NO_DETAIL.length)) : null;
}

const NO_DETAIL = "no detail, ";

const automatic = {
    value: "",
    label: "Automatic",
    title: "Drawn round, with more triangles, where the machine has time for it",
};

/** By what the cloth is shown; what the scene has itself comes first. */
function detailChoice(now: Description, document: SceneDocument): Item {
    const own = document.ownDetail;
    const words = detailWords(now);
    const [plain, ...others] = details.map(({ value, label, title }) => ({ value, label, title }));
    const first = own ? { ...own, value: "", ...(words && { title: words }) } : null;
    const options = [first ?? automatic, plain!, ...others];
    const value = document.edits.shown ?? "";
    const known = options.some((option) => option.value === value);
    return choice("shown", "Detail", known ? value : "", options);
}

function lookSection(edits: Edits, view: View): Section {
    const surfaces = [
        { value: "fabric", label: "Fabric" },
        { value: "smooth", label: "Smooth" },
        { value: "wireframe", label: "Wireframe" },
    ];
    const fields = [
        { value: "none", label: "Fabric" },
        { value: "stretch", label: "Stretch" },
        { value: "curvature", label: "Curvature" },
        { value: "speed", label: "Speed" },
        { value: "distance", label: "Distance to implicit" },
    ];
    const items: Item[] = [
        choice("surface", "Surface", view.surface, surfaces),
        choice("field", "Colour", view.field, fields),
        { kind: "toggle", id: "pins", label: "Show pins", value: view.pins },
        { kind: "toggle", id: "labels", label: "Labels of fabrics", value: view.labels },
        choice("follow", "Camera", view.follow, followings),
        slider("detail", "Mesh detail", "×", edits.detail ?? 1, { ...DETAIL, log: true }),
        slider("speed", "Speed of time", "×", view.speed, { min: 0.05, max: 1, log: true }),
    ];
    return { id: "look", title: "Look", open: true, items };
}

/** Beside the surface, where there is one. */
function withDetail(look: Section, now: Description, document: SceneDocument): Section {
    if (document.hasSurface) look.items.splice(1, 0, detailChoice(now, document));
    return look;
}

const followings = [
    { value: "auto", label: "Follows what leaves the picture" },
    { value: "always", label: "Follows always" },
    { value: "never", label: "Stays" },
];

const savePicture: Item = { kind: "button", id: "save-picture", label: "Save picture" };

function fileSection(): Section {
    const items: Item[] = [
        { kind: "button", id: "save-scene", label: "Save scene", title: "As a file to keep" },
        savePicture,
        { kind: "button", id: "restore", label: "Restore scene", title: "As its file has it" },
    ];
    return { id: "files", title: "Files", open: false, items };
}

export function sections(
    now: Description,
    library: LibraryChoice[],
    document: SceneDocument,
    view: View,
): Section[] {
    const { edits } = document;
    return [
        ...(document.outfit ? [outfitSection(document.outfit, now)] : []),
        compareSection(view),
        methodSection(now, library, document, view),
        fabricSection(now, library, document, view.target),
        withDetail(lookSection(edits, view), now, document),
        airSection(now, document),
        modelSection(now, library),
        fileSection(),
    ];
}

/** Of a result that was computed elsewhere, only the look can be set. */
export function resultSections(view: View): Section[] {
    const fields = ["none", "stretch", "speed"];
    const field = fields.includes(view.field) ? view.field : "none";
    const look = lookSection({}, { ...view, field });
    look.items = look.items
        .filter(({ id }) => id === "surface" || id === "field" || id === "follow")
        .map((item) =>
            item.kind === "choice" && item.id === "field"
                ? { ...item, options: item.options.filter(({ value }) => fields.includes(value)) }
                : item,
        );
    return [look, { ...fileSection(), items: [savePicture] }];
}
