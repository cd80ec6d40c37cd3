// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The bar at the bottom: time, tools, scenes and files.

import "./tempo.css";
import { make, newId, setAttribute, setText } from "./dom";
import { icon, type IconName } from "./icons";
import type { PanelActions, Tool } from "./panel-types";
import "./tools.css";

export interface SceneName {
    id: string;
    title: string;
    /** Under which it is listed. */
    group: string;
}

/** What files can be opened. */
export const fileTypes = ".json,.glb,.pc2,.obj,.gltf,.bin,.ply,.stl,.fbx,image/*";

const tools: [Tool, IconName, string][] = [
    ["grab", "grab", "Grab the cloth (G)"],
    ["pin", "pin", "Pin and unpin (P)"],
    ["cut", "cut", "Cut the cloth (X)"],
    ["blow", "blow", "Blow on it (A)"],
    ["body", "body", "Move and turn bodies (B)"],
    ["orbit", "orbit", "Only turn the view (O)"],
];

function iconButton(name: IconName, label: string, action: () => void): HTMLButtonElement {
    const button = make("button", { type: "button", class: "icon-button" });
    button.append(icon(name));
    setName(button, label);
    button.addEventListener("click", action);
    return button;
}

// The name for screen readers is the tooltip without its key.
function setName(element: HTMLElement, label: string): void {
    setAttribute(element, "title", label);
    setAttribute(element, "aria-label", label.replace(/ \(.*\)$/, ""));
}

export class Toolbar {
    readonly element: HTMLElement;
    private readonly playButton: HTMLButtonElement;
    private readonly radios = new Map<Tool, HTMLInputElement>();
    private readonly sceneSelect = make("select", { "aria-label": "Scene", title: "Scene" });
    private readonly fileInput = make("input", { type: "file", accept: fileTypes, multiple: "" });
    /** What only a simulation has. */
    private readonly liveParts: HTMLElement[] = [];
    private readonly tempo = make("span", {
        class: "tempo",
        title: "How fast time passes in the scene, where that is slower than in the world",
    });
    private running = false;

    /** `more` are buttons of other parts of the page, put at the end. */
    constructor(
        private readonly actions: PanelActions,
        more: HTMLElement[] = [],
        private readonly record?: HTMLElement,
    ) {
        this.playButton = iconButton("play", "Play (space)", () => this.togglePlay());
        this.playButton.classList.add("play");
        const bar = make("div", { class: "toolbar glass", role: "group", "aria-label": "Cloth" });
        bar.append(this.makeActionRow(), this.makeSceneRow(more));
        this.element = make("div", { class: "toolbar-area" }, bar);
        // a click leaves the keyboard where it was, so that the space bar still means play
        bar.addEventListener("mousedown", (event) => {
            if ((event.target as Element).closest("button")) event.preventDefault();
        });
        this.setPlaying(false);
        this.setTool("grab");
    }

    private makeActionRow(): HTMLElement {
        this.liveParts.push(
            this.playButton,
            iconButton("step", "One step (.)", () => this.step()),
            iconButton("reset", "Reset (R)", () => this.actions.reset()),
            this.makeTools(),
        );
        const [play, step, reset, tools] = this.liveParts as [HTMLElement, ...HTMLElement[]];
        return make(
            "div",
            { class: "toolbar-row actions" },
            ...[play, step, reset, this.record, tools].filter((part) => part !== undefined),
            iconButton("frame", "All of it in the picture (F)", () => this.actions.frame()),
        );
    }

    private makeTools(): HTMLElement {
        const group = make("div", { class: "tools", role: "radiogroup", "aria-label": "Tool" });
        const name = newId("tool");
        for (const [tool, drawing, label] of tools) {
            const radio = make("input", { type: "radio", name, value: tool });
            setName(radio, label);
            radio.addEventListener("change", () => this.actions.setTool(tool));
            this.radios.set(tool, radio);
            group.append(make("label", { class: "icon-button tool" }, radio, icon(drawing)));
        }
        return group;
    }

    private makeSceneRow(more: HTMLElement[]): HTMLElement {
        this.fileInput.hidden = true;
        this.fileInput.addEventListener("change", () => this.filesChosen());
        this.sceneSelect.addEventListener("change", () => this.sceneChosen());
        const open = iconButton("open", "Open files", () => this.fileInput.click());
        const row = make("div", { class: "toolbar-row scenes" });
        this.tempo.hidden = true;
        row.append(this.sceneSelect, open, this.fileInput, this.tempo, ...more);
        return row;
    }

    private filesChosen(): void {
        const files = [...(this.fileInput.files ?? [])];
        this.fileInput.value = ""; // so that the same file can be opened again
        if (files.length > 0) this.actions.openFiles(files);
    }

    // Chosen with the mouse, the list gives the keyboard back to the page.
    private sceneChosen(): void {
        if (!this.sceneSelect.matches(":focus-visible")) this.sceneSelect.blur();
        this.actions.openScene(this.sceneSelect.value);
    }

    get playing(): boolean {
        return this.running;
    }

    setPlaying(on: boolean): void {
        this.running = on;
        this.playButton.replaceChildren(icon(on ? "pause" : "play"));
        setName(this.playButton, on ? "Pause (space)" : "Play (space)");
    }

    togglePlay(): void {
        this.setPlaying(!this.running);
        this.actions.play(this.running);
    }

    step(): void {
        this.setPlaying(false);
        this.actions.step();
    }

    setTool(tool: Tool): void {
        this.radios.get(tool)!.checked = true;
    }

    chooseTool(tool: Tool): void {
        if (this.radios.get(tool)!.disabled) return;
        this.setTool(tool);
        this.actions.setTool(tool);
    }

    /** Which tools make sense now: a recording cannot be pulled. */
    setTools(enabled: Tool[]): void {
        for (const [tool, radio] of this.radios) radio.disabled = !enabled.includes(tool);
    }

    /** How fast time passes, where that is to be said; else empty. */
    setTempo(factor: string): void {
        this.tempo.hidden = factor === "";
        setText(this.tempo, factor && `${factor}\nreal time`);
    }

    /** A recording has a time line, which plays and pauses it. */
    setRecording(on: boolean): void {
        for (const part of this.liveParts) part.hidden = on;
        this.setTools(on ? ["orbit"] : tools.map(([tool]) => tool));
    }

    /** The scenes to choose from. `current`: what is played, which need not be one of them, and may have
     *  another name than the one that it was made from. */
    setScenes(scenes: SceneName[], current: { id: string; title: string }): void {
        const groups = [...new Set(scenes.map(({ group }) => group))].map((label) => {
            const own = scenes.filter(({ group }) => group === label);
            const options = own.map(({ id, title }) => make("option", { value: id }, title));
            return make("optgroup", { label }, ...options);
        });
        this.sceneSelect.replaceChildren(...groups);
        const { id, title } = current;
        const listed = scenes.some((scene) => scene.id === id && scene.title === title);
        const value = listed ? id : "";
        if (!listed)
            this.sceneSelect.prepend(make("option", { value, disabled: "" }, title || "Scene"));
        this.sceneSelect.value = value;
    }
}
