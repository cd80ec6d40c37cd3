// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Icons as strokes on a square of 24 units. They take the colour of the text around them.

interface Drawing {
    lines?: string;
    filled?: string;
}

const drawings = {
    play: {
        filled: "M8 5.2v13.6a.7.7 0 0 0 1.1.6l10-6.8a.7.7 0 0 0 0-1.2l-10-6.8A.7.7 0 0 0 8 5.2z",
    },
    pause: { filled: "M7 5h3.4v14H7zM13.6 5H17v14h-3.4z" },
    step: {
        filled: "M5 6.2v11.6a.6.6 0 0 0 .9.5l8.6-5.8a.6.6 0 0 0 0-1l-8.6-5.8a.6.6 0 0 0-.9.5z",
        lines: "M18.5 5.5v13",
    },
    back: {
        filled: "M19 6.2v11.6a.6.6 0 0 1-.9.5l-8.6-5.8a.6.6 0 0 1 0-1l8.6-5.8a.6.6 0 0 1 .9.5z",
        lines: "M5.5 5.5v13",
    },
    reset: { lines: "M4.5 4.5v5h5M5 9.3A8 8 0 1 1 4 13" },
    grab: {
        lines:
            "M8 12.5V6.8a1.5 1.5 0 0 1 3 0V11M11 10.5V5a1.5 1.5 0 0 1 3 0v6" +
            "M14 10.8V6.5a1.5 1.5 0 0 1 3 0V12M17 11V9a1.5 1.5 0 0 1 3 0v5.5" +
            "c0 3.6-2.6 6-6.2 6h-.9c-2.1 0-3.6-.8-4.8-2.5" +
            "l-3.8-5.3a1.5 1.5 0 0 1 2.3-1.9L8 12.5",
    },
    pin: { lines: "M8.5 3.5h7M9.5 3.5v6.2L6 14h12l-3.5-4.3V3.5M12 14v6.5" },
    cut: {
        lines:
            "M8.6 15.4L19 4.5M15.4 15.4L5 4.5M9.6 17.6a2.6 2.6 0 1 1-5.2 0a2.6 2.6 0 0 1 5.2 0z" +
            "M19.6 17.6a2.6 2.6 0 1 1-5.2 0a2.6 2.6 0 0 1 5.2 0z",
    },
    blow: {
        lines:
            "M3.5 9h10.2a2.6 2.6 0 1 0-2.5-3.3M3.5 12.5h14.3a2.6 2.6 0 1 1-2.5 3.3" +
            "M3.5 16h7.2a2 2 0 1 1-1.9 2.6",
    },
    body: {
        lines:
            "M16.2 12a4.2 4.2 0 1 1-8.4 0a4.2 4.2 0 0 1 8.4 0zM9.8 4.4L12 2.2l2.2 2.2" +
            "M9.8 19.6l2.2 2.2l2.2-2.2M4.4 9.8L2.2 12l2.2 2.2M19.6 9.8l2.2 2.2l-2.2 2.2",
    },
    orbit: {
        lines:
            "M14.6 16.3C18.3 15.8 21 14 21 12c0-2.5-4-4.5-9-4.5S3 9.5 3 12c0 1.9 2.3 3.5 5.6 4.2" +
            "M6.6 13.4l2.6 2.9l-3.1 2.2M12 3.2v5.4M12 15.4v5.4",
    },
    frame: {
        lines:
            "M4 9V5a1 1 0 0 1 1-1h4M15 4h4a1 1 0 0 1 1 1v4M20 15v4a1 1 0 0 1-1 1h-4" +
            "M9 20H5a1 1 0 0 1-1-1v-4M14.5 12a2.5 2.5 0 1 1-5 0a2.5 2.5 0 0 1 5 0z",
    },
    record: {
        lines: "M20.5 12a8.5 8.5 0 1 1-17 0a8.5 8.5 0 0 1 17 0z",
        filled: "M16 12a4 4 0 1 1-8 0a4 4 0 0 1 8 0z",
    },
    stop: { filled: "M7 7h10v10H7z" },
    open: {
        lines:
            "M3.5 18.5v-12a1 1 0 0 1 1-1h5l2.2 2.5h7.8a1 1 0 0 1 1 1v9.5a1 1 0 0 1-1 1h-15" +
            "a1 1 0 0 1-1-1z",
    },
    text: { lines: "M9 5L4 12l5 7M15 5l5 7-5 7" },
    gallery: {
        lines: "M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z",
    },
    settings: {
        lines:
            "M4 7h8M17 7h3M4 17h3M12 17h8M17 7a2.5 2.5 0 1 1-5 0a2.5 2.5 0 0 1 5 0z" +
            "M12 17a2.5 2.5 0 1 1-5 0a2.5 2.5 0 0 1 5 0z",
    },
    help: {
        lines:
            "M9 9.2a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1-1.4 2.1M12 17.4v.2" +
            "M21 12a9 9 0 1 1-18 0a9 9 0 0 1 18 0z",
    },
    theme: {
        lines: "M20.5 12a8.5 8.5 0 1 1-17 0a8.5 8.5 0 0 1 17 0z",
        filled: "M12 3.5a8.5 8.5 0 0 1 0 17z",
    },
    undo: { lines: "M8.5 4.5L4 9l4.5 4.5M4.5 9H14a5.5 5.5 0 0 1 0 11h-4" },
    redo: { lines: "M15.5 4.5L20 9l-4.5 4.5M19.5 9H10a5.5 5.5 0 0 0 0 11h4" },
    link: {
        lines:
            "M10 14a4 4 0 0 0 5.8.2l3.4-3.4a4 4 0 0 0-5.7-5.7l-1.3 1.3" +
            "M14 10a4 4 0 0 0-5.8-.2l-3.4 3.4a4 4 0 0 0 5.7 5.7l1.3-1.3",
    },
    close: { lines: "M6 6l12 12M18 6L6 18" },
} satisfies Record<string, Drawing>;

export type IconName = keyof typeof drawings;

const svg = "http://www.w3.org/2000/svg";

function path(d: string, kind: string): SVGPathElement {
    const element = document.createElementNS(svg, "path");
    element.setAttribute("d", d);
    element.setAttribute("class", kind);
    return element;
}

/** The icon, hidden from screen readers: the button around it carries the name. */
export function icon(name: IconName): SVGSVGElement {
    const drawing: Drawing = drawings[name];
    const element = document.createElementNS(svg, "svg");
    element.setAttribute("viewBox", "0 0 24 24");
    element.setAttribute("class", "icon");
    element.setAttribute("aria-hidden", "true");
    if (drawing.filled) element.append(path(drawing.filled, "filled"));
    if (drawing.lines) element.append(path(drawing.lines, "lines"));
    return element;
}
