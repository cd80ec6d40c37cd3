// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// All that lies over the canvas, put together.

import { PaneLabels } from "./captions";
import { Charts } from "./charts";
import { make } from "./dom";
import { shareRoom, small } from "./drawers";
import { installDrop } from "./drop";
import { galleryButton } from "./gallery-button";
import { addCover } from "./insets";
import { installKeys } from "./keys";
import { Panel } from "./panel";
import type { PanelActions } from "./panel-types";
import { RecordControl } from "./record";
import { TextDrawer } from "./text-drawer";
import { closeToast } from "./toast";
import { Toolbar } from "./toolbar";

export interface Page {
    toolbar: Toolbar;
    panel: Panel;
    charts: Charts;
    text: TextDrawer;
    record: RecordControl;
    labels: PaneLabels;
    /** Holds toolbar and settings; what is put before the toolbar lies above it. */
    dock: HTMLElement;
}

/** The settings are a sheet at the bottom; as in style.css. */
const narrow = matchMedia("(max-width: 640px)");
function closeTopmost({ panel, charts, text }: Page): void {
    if (closeToast() || !small.matches) return;
    panel.setOpen(false);
    charts.setOpen(false);
    text.setOpen(false);
}

function connectKeys(page: Page, actions: PanelActions): void {
    const { toolbar, panel, charts, text } = page;
    installKeys({
        togglePlay: () => toolbar.togglePlay(),
        step: () => toolbar.step(),
        stepBack: () => actions.stepBack(),
        reset: () => actions.reset(),
        chooseTool: (tool) => toolbar.chooseTool(tool),
        toggleSettings: () => panel.setOpen(!panel.open),
        toggleCharts: () => charts.setOpen(!charts.open),
        openGallery: () => actions.openGallery(),
        toggleRecord: () => page.record.toggle(),
        toggleText: () => text.setOpen(!text.open),
        close: () => closeTopmost(page),
        change: (id, value) => actions.change(id, value),
        turn: (right, up) => actions.turn(right, up),
        zoom: (factor) => actions.zoom(factor),
        frame: () => actions.frame(),
        handKey: (event) => actions.handKey(event),
    });
}

/** Puts toolbar, settings, charts, captions, keys and file drop on the page. */
export function buildPage(
    actions: PanelActions,
    onChoosePane?: (pane: number, value: string) => void,
): Page {
    const panel = new Panel((id, value) => actions.change(id, value));
    const charts = new Charts();
    const text = new TextDrawer(() => actions.openAdd());
    const record = new RecordControl();
    const more = [text.toggle, charts.toggle, panel.toggle];
    const toolbar = new Toolbar(actions, more, record.element);
    const entrance = galleryButton(() => actions.openGallery());
    const labels = new PaneLabels(entrance, onChoosePane);
    const dock = make("div", { class: "dock" }, toolbar.element, panel.element, text.element);
    dock.append(record.line);
    const page = { toolbar, panel, charts, text, record, labels, dock };
    document.body.append(entrance, labels.element, charts.element, dock);
    addCover(dock, () => "bottom");
    addCover(panel.element, () => (narrow.matches ? "bottom" : "right"));
    addCover(text.element, () => (narrow.matches ? "bottom" : "left"));
    addCover(charts.element, () => (narrow.matches ? "top" : "left"));
    shareRoom({ settings: panel, charts, text });
    installDrop((files) => actions.openFiles(files));
    connectKeys(page, actions);
    return page;
}
