// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The section of fabrics in the settings: which cloth or panel is meant, what it is made of, and the
// sliders, which act on that alone.

import drapes from "../scene/drapes.json";
import type { SceneDocument, Edits } from "../scene/document";
import { sliderFabric } from "../scene/document";
import {
    fabricsOf,
    isFabricSlider,
    isThere,
    keyOf,
    madeOf,
    numbersFor,
    panelsOf,
    targetOf,
    textOfFabric,
    type Target,
} from "../scene/targets";
import type { Description, FabricNumbers, LibraryChoice, SceneLook } from "../sim/core";
import { drawSwatch } from "../draw/fabric/swatch";
import { prints, shares, type Look, type Print, type PrintKind } from "../look";
import type { Choice, FabricChoice, FabricOption, Item, Section, Value } from "../ui/panel-types";
import { formatNumber } from "../ui/number";
import { choice, readable, slider } from "./items";

/** What a laboratory would measure of a fabric: docs/fabric.md says how it was simulated. */
interface Drape {
    /** 0 to 1. */
    drape_coefficient: number;
    folds: number;
    /** Warp, weft. */
    bending_length_mm: number[];
}

const measured = drapes as Record<string, Drape | undefined>;
/** Of prints. */
const DARK = "#2b3a55";
const LIGHT = "#f4f1ea";

const PICTURE_SIZE = 0.2; // metres across, where nobody said so yet
/** The picture of a print: its value is the name of the file. */
export const PICTURE = "look-print-file";

/** Whether a setting asks for a picture, whose name is then to be set as PICTURE. */
export function asksForPicture(id: string, value: Value): boolean {
    return id === PICTURE || (id === "look-print" && value === "picture");
}

/** What is offered where a fabric has no name. */
const OWN = "";

function percent(part: number): string {
    return `${(100 * part).toFixed(0)}\u00a0%`;
}

function pair([warp, weft]: [number, number], unit: string): string {
    const both = warp === weft ? [warp] : [warp, weft];
    return `${both.map(formatNumber).join(", ")} ${unit}`;
}

/** The numbers of a fabric, in the units that textile people use. */
export function factsOf(name: string, numbers: FabricNumbers): [string, string][] {
    const drape = measured[name];
    const facts: [string, string][] = [
        ["Weight", `${formatNumber(1000 * numbers.density!)} g/m²`],
        ["Thickness", `${formatNumber(1000 * numbers.thickness!)} mm`],
        ["Stretch (warp, weft)", pair(numbers.stretch, "N/m")],
        ["Shear", `${formatNumber(numbers.shear!)} N/m`],
        ["Bending", `${formatNumber(1e6 * numbers.bend!)} µN m`],
        ["Friction", formatNumber(numbers.friction!)],
    ];
    if (drape)
        facts.push(
            ["Drape coefficient", `${percent(drape.drape_coefficient)}, ${drape.folds} folds`],
            [
                "Bending length",
                pair(
                    drape.bending_length_mm.map((mm) => Number(mm.toFixed(1))) as [number, number],
                    "mm",
                ),
            ],
        );
    return facts;
}

function briefOf(name: string, { density }: FabricNumbers): string {
    const drape = measured[name];
    const weight = `${formatNumber(1000 * density!)} g/m²`;
    return drape ? `${weight} · drape ${percent(drape.drape_coefficient)}` : weight;
}

/** Of a cloth in the picture: what makes it fall as it does. */
export function tellingNumbers({ fabric, numbers }: SceneLook): string {
    const drape = fabric ? measured[fabric] : undefined;
    const weight = `${formatNumber(1000 * numbers.density!)} g/m²`;
    if (!drape) return `${weight}, bending ${formatNumber(1e6 * numbers.bend!)} µN m`;
    const [warp, weft] = drape.bending_length_mm as [number, number];
    const length = `bending length ${((warp + weft) / 2).toFixed(0)} mm`;
    return `${weight}, ${length}, drape ${percent(drape.drape_coefficient)}`;
}

function optionOf(
    value: string,
    label: string,
    made: { numbers: FabricNumbers; look: Look },
    text: string,
    group: string,
): FabricOption {
    return {
        value,
        label,
        group,
        text,
        brief: briefOf(value, made.numbers),
        facts: factsOf(value, made.numbers),
        source: "",
        look: JSON.stringify(made.look),
    };
}

/** As the scene has it comes first. What is chosen shows its numbers as they are now. */
function fabricChoice(
    now: Description,
    library: LibraryChoice[],
    document: SceneDocument,
    target: Target,
): FabricChoice {
    const given = madeOf(document.start?.description ?? now, target);
    const own = given.fabric ? `As the scene: ${readable(given.fabric)}` : "As the scene has it";
    const options = [optionOf(OWN, own, given, "", "")];
    for (const { name, numbers, look, text } of fabricsOf(library))
        if (numbers && look)
            options.push(optionOf(name, readable(name), { numbers, look }, text, "Fabrics"));
    const value = chosenFabric(document.edits, target);
    const made = madeOf(now, target);
    const at = Math.max(
        0,
        options.findIndex((option) => option.value === value),
    );
    const { label, text, group } = options[at]!;
    options[at] = optionOf(value, label, made, text, group);
    const swatch = async (of: string) => {
        const option = options.find((option) => option.value === of);
        return option ? drawSwatch(JSON.parse(option.look) as Look) : null;
    };
    return { kind: "fabric", id: "fabric", label: "Fabric", value, options, swatch };
}

/** By its name; OWN: none was chosen. */
function chosenFabric(edits: Edits, target: Target): string {
    const keys = target ? [keyOf(target), keyOf({ ...target, panel: null })] : [];
    const edit = keys.map((key) => edits.fabrics?.[key]).find((found) => found !== undefined);
    return edit?.base ?? edits.fabric ?? OWN;
}

/** Which cloth, or which panel of it; null where there is but one. */
function targetChoice(now: Description, names: string[], target: Target): Choice | null {
    const options = now.cloths.flatMap((_, cloth) => {
        const name = names[cloth] || `Cloth ${cloth + 1}`;
        const panels = panelsOf(now, cloth).map((panel) => ({
            value: keyOf({ cloth, panel }),
            label: `${name}: ${readable(panel)}`,
        }));
        return [{ value: keyOf({ cloth, panel: null }), label: name }, ...panels];
    });
    if (options.length < 2) return null;
    const title = "A click on the cloth chooses it, too";
    const all = { value: "", label: now.cloths.length > 1 ? "All cloth" : "All of it", title };
    return choice("target", "Change", target ? keyOf(target) : "", [
        all,
        ...options.slice(now.cloths.length > 1 ? 0 : 1),
    ]);
}

function lookItems({ look }: { look: Look }): Item[] {
    const items: Item[] = [
        { kind: "colour", id: "look-colour", label: "Colour", value: look.colour },
        choice(
            "look-print",
            "Print",
            look.print.kind,
            prints.map((kind) => ({ value: kind, label: readable(kind) })),
        ),
    ];
    if (look.print.kind === "none") return items;
    if (look.print.kind !== "picture")
        items.push({
            kind: "colour",
            id: "look-print-colour",
            label: "Colour of the print",
            value: look.print.colour,
        });
    else
        items.push({
            kind: "button",
            id: PICTURE,
            label: `Another picture than ${look.print.file}`,
        });
    const size = { min: 0.002, max: 1, log: true, title: "Of one repeat, across" };
    items.push(slider("look-print-size", "Size of the print", "m", look.print.size, size));
    return items;
}

export function fabricSection(
    now: Description,
    library: LibraryChoice[],
    document: SceneDocument,
    target: Target,
): Section {
    const chosen = target && isThere(now, target) ? target : null;
    const made = madeOf(now, chosen);
    const fabric = sliderFabric(now, chosen);
    const items: Item[] = [
        fabricChoice(now, library, document, chosen),
        ...lookItems(made),
        slider("stiffness", "Stiffness", fabric.rope ? "N" : "N/m", fabric.stiffness, {
            min: 10,
            max: 20000,
            log: true,
        }),
        slider(
            "bending",
            "Bending",
            fabric.rope ? "N m²" : fabric.springs ? "N/m" : "N m",
            fabric.bending,
            { min: fabric.springs ? 0.01 : 1e-7, max: fabric.springs ? 100 : 1e-2, log: true },
        ),
        slider("density", "Density", fabric.rope ? "kg/m" : "kg/m²", fabric.density, {
            min: fabric.rope ? 0.002 : 0.02,
            max: 2,
            log: true,
        }),
        slider("damping", "Damping", "1/s", fabric.damping, {
            min: 0.05,
            max: 10,
            log: true,
            off: "none",
        }),
    ];
    const which = targetChoice(now, document.clothNames, chosen);
    if (which) items.unshift(which);
    if (now.bodies > 0 || now.contact === "all")
        items.push(slider("friction", "Friction", "", fabric.friction, { min: 0, max: 1 }));
    return { id: "fabric", title: "Fabric", open: true, items };
}

// ---------------------------------------------------------------------------------------------
// What comes of it

/** The edits that a setting of this section asks for; null where it is no setting of fabrics. */
export function fabricEdits(
    id: string,
    value: Value,
    now: Description,
    { edits }: SceneDocument,
    target: Target,
): Edits | null {
    if (id === "fabric") return chooseFabric(String(value), edits, target);
    if (id.startsWith("look-")) return changeLook(id, value, now, edits, target);
    if (!isFabricSlider(id)) return null;
    const own = Object.keys(edits.fabrics ?? {}).map(targetOf);
    const targets = target ? [target] : own.filter((each) => each !== null);
    const fabrics = { ...edits.fabrics };
    for (const each of targets) {
        const made = madeOf(now, each);
        const numbers = numbersFor(made.numbers, id, Number(value), sliderFabric(now, each));
        fabrics[keyOf(each)] = { ...(fabrics[keyOf(each)] ?? textOfFabric(made)), ...numbers };
    }
    if (target) return { fabrics };
    return { [id]: Number(value), ...(targets.length > 0 && { fabrics }) };
}

/** Its own numbers and its own look, whatever was set before. */
function chooseFabric(name: string, edits: Edits, target: Target): Edits {
    const sliders = {
        stiffness: undefined,
        bending: undefined,
        density: undefined,
        damping: undefined,
        friction: undefined,
    };
    if (!target)
        return { ...sliders, fabric: name || undefined, fabrics: undefined, looks: undefined };
    const key = keyOf(target);
    const base = name ? { [key]: { base: name } } : {};
    return {
        fabrics: filled({ ...without(edits.fabrics, key), ...base }),
        looks: filled(without(edits.looks, key)),
    };
}

function without<T>(edits: Record<string, T> | undefined, key: string): Record<string, T> {
    const { [key]: _, ...others } = edits ?? {};
    return others;
}

function filled<T extends object>(edits: T): T | undefined {
    return Object.keys(edits).length > 0 ? edits : undefined;
}

/** Of all cloths where no target is chosen. */
function changeLook(
    id: string,
    value: Value,
    now: Description,
    edits: Edits,
    target: Target,
): Edits {
    const targets = target ? [target] : now.cloths.map((_, cloth) => ({ cloth, panel: null }));
    const looks = { ...edits.looks };
    for (const each of targets) {
        const change = lookChange(id, value, madeOf(now, each).look);
        looks[keyOf(each)] = { ...looks[keyOf(each)], ...change };
    }
    return { looks };
}

function isLight(colour: string): boolean {
    const [red, green, blue] = shares(colour);
    return 0.3 * red! + 0.59 * green! + 0.11 * blue! > 140 / 255;
}

/** A print that was not there is of a colour that is seen on the cloth. */
export function printOf({ colour, print }: Pick<Look, "colour" | "print">, kind: PrintKind): Print {
    const fresh = print.kind === "none" && isLight(print.colour) === isLight(colour);
    return { ...print, kind, ...(fresh && { colour: isLight(colour) ? DARK : LIGHT }) };
}

/** A picture in the place of stripes or of nothing is as large as one can see it. */
function pictured(print: Print, file: string): Print {
    const size = print.kind === "picture" ? print.size : Math.max(print.size, PICTURE_SIZE);
    return { ...print, kind: "picture", file, size };
}

function lookChange(id: string, value: Value, { colour, print }: Look): Partial<Look> {
    switch (id) {
        case "look-colour":
            return { colour: String(value), reverse: String(value) };
        case "look-print":
            return { print: printOf({ colour, print }, String(value) as PrintKind) };
        case PICTURE:
            return { print: pictured(print, String(value)) };
        case "look-print-colour":
            return { print: { ...print, colour: String(value) } };
        default:
            return { print: { ...print, size: Number(value) } };
    }
}
