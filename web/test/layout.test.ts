// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards how what lies over the picture shares the window: captions leave the button of the gallery
// free, and drawers leave room for the picture.

import { expect, test, vi } from "vitest";

vi.hoisted(() => {
    const list = () => ({ matches: false, addEventListener: () => {} });
    vi.stubGlobal("window", { addEventListener: () => {} });
    vi.stubGlobal("matchMedia", list);
    vi.stubGlobal("ResizeObserver", class {});
});
import { spansBeside, type Span } from "../src/ui/captions";
import { fitting } from "../src/ui/drawers";

const BUTTON = { right: 116, bottom: 46 };

/** Two by two in a window of this size. */
function four(width: number, height: number): Span[] {
    const [x, y] = [width / 2, height / 2];
    return [
        { left: 0, right: x, top: 0 },
        { left: x, right: width, top: 0 },
        { left: 0, right: x, top: y },
        { left: x, right: width, top: y },
    ];
}

test("captions of panes of any size leave the button at the top left free", () => {
    for (let width = 360; width <= 1600; width += 20) {
        const whole = four(width, 650);
        const spans = spansBeside(whole, BUTTON);
        spans.forEach(({ left, right, top }, i) => {
            expect(left >= BUTTON.right || top >= BUTTON.bottom).toBe(true);
            expect(right - left).toBeGreaterThanOrEqual(170);
            expect(left).toBeGreaterThanOrEqual(whole[i]!.left);
            expect(right).toBeLessThanOrEqual(whole[i]!.right);
        });
        // side by side, they are as high
        expect(spans[0]!.top === spans[1]!.top).toBe(true);
        expect(spans.slice(2)).toEqual(whole.slice(2));
    }
});

test("a wide pane has its caption in the middle all the same", () => {
    const [first] = spansBeside(four(1600, 650), BUTTON);
    expect((first!.left + first!.right) / 2).toBe(400);
});

test("drawers that were opened first go where the window is too small for all", () => {
    const all = ["charts", "settings", "text"];
    expect(fitting(all, 1600)).toEqual(all);
    expect(fitting(all, 1200)).toEqual(["settings", "text"]);
    expect(fitting(all, 1000)).toEqual(["text"]);
    expect(fitting(["charts", "settings"], 920)).toEqual(["charts", "settings"]);
    expect(fitting(["settings"], 320)).toEqual(["settings"]);
    expect(fitting([], 320)).toEqual([]);
});
