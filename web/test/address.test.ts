// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what becomes of addresses that ask for what there is not: all of it is told, the rest is shown.

import { describe, expect, test } from "vitest";
import { leftOutWords, openWithout, partsOf, type Asked } from "../src/app/keep/left-out";
import { readAddress, readLink, writeLink } from "../src/app/keep/link";
import { patternsOf } from "../src/scene/garments";
import { isScene } from "../src/scene/scenes";
import { versusMethods } from "../src/scene/methods";

describe("words that are not understood", () => {
    test.each([
        ["?zoom=0&turn=abc", ['turn "abc"', 'zoom "0"']],
        ["?zoom=-2&shift=1,2,3,4", ['shift "1,2,3,4"', 'zoom "-2"']],
        ["?methods=banana,q9", ['methods "banana,q9"']],
        ["?edits=%7B%7B", ['edits "{{"']],
        ["?edits=wind:abc;x:1;method:q9", ['edits "wind:abc"', 'edits "x:1"', 'edits "method:q9"']],
        ["?time=-5", ["time -5 (the least is 0)"]],
        ["?field=x&surface=y&theme=pink", ['field "x"', 'surface "y"', 'theme "pink"']],
        ["?body=horse&clip=fly&pins=2", ['body "horse"', 'clip "fly"', 'pins "2"']],
        ["?colour=red&closure=glue&shown=x", ['colour "red"', 'closure "glue"', 'shown "x"']],
        ["?versus=bullet&threads=many", ['versus "bullet"', 'threads "many"']],
    ])("%s: are named, and are as if not there", (query, misread) => {
        const address = readAddress(query);
        expect([...address.misread].sort()).toEqual([...misread].sort());
        expect(address.link).toEqual(readLink(""));
        expect(writeLink(address.link).query).toBe("");
    });

    test("leave the others, up to their bounds", () => {
        const of = (query: string) => readAddress(query);
        expect(of("?scene=demo&detail=1e9").link.edits).toEqual({ detail: 2 });
        expect(of("?detail=1e9").misread).toEqual(["detail 1000000000 (the most is 2)"]);
        expect(of("?edits=wind:3;detail:0").link.edits).toEqual({ wind: 3, detail: 0.25 });
        expect(of("?time=1e9").link.time).toBe(600);
        expect(of("?methods=q1,q2,q3,q4,q5").misread).toEqual(['methods "q5" (the most are 4)']);
        expect(of("?field=&surface=&utm_source=x&pins=shown").misread).toEqual([]);
    });
});

test("scenes and garments are known by their names, layers with or without garment: each", () => {
    expect(patternsOf("garment:dress,garment:cape")).toEqual(["dress.json", "cape.json"]);
    expect(patternsOf("garment:dress,cape")).toEqual(["dress.json", "cape.json"]);
    expect(["demo", "garment:dress", "banana", "garment:banana"].map(isScene)).toEqual([
        true,
        true,
        false,
        false,
    ]);
});

describe("what a scene refuses", () => {
    /** A scene that has reasons against what is asked for. */
    const scene = (reasons: (asked: Asked) => string) => {
        const tried: Asked[] = [];
        const open = async (asked: Asked) => {
            tried.push(asked);
            return reasons(asked);
        };
        return { tried, open };
    };
    const noRival = ({ methods }: Asked) =>
        methods.includes("xpbd") ? "XPBD plays no bodies that deform" : "";

    test("is left out alone, at the first try where the reason names it", async () => {
        const { tried, open } = scene(noRival);
        const asked = { edits: { versus: 4, wind: 3 }, methods: versusMethods };
        const left = await openWithout(asked, noRival(asked), open);
        expect(left).toEqual([{ words: "XPBD head to head", reason: noRival(asked) }]);
        expect(tried).toEqual([{ edits: { wind: 3 }, methods: [] }]);
        expect(leftOutWords("Breathing", left!)).toBe(
            "Breathing opens without XPBD head to head: XPBD plays no bodies that deform",
        );
    });

    test("of two methods leaves the other one", async () => {
        const { tried, open } = scene(noRival);
        await openWithout({ edits: {}, methods: ["q1", "xpbd"] }, "XPBD cannot", open);
        expect(tried).toEqual([{ edits: { method: "q1" }, methods: [] }]);
    });

    test("twice is left out twice", async () => {
        const reasons = ({ edits, methods }: Asked) =>
            noRival({ edits, methods }) || (edits.dt === 99 ? "the step is too long" : "");
        const { open } = scene(reasons);
        const asked = { edits: { wind: 3, dt: 99 }, methods: ["q1", "q2", "xpbd"] };
        const left = await openWithout(asked, reasons(asked), open);
        expect(left!.map(({ words }) => words)).toEqual(["XPBD", "time step 99"]);
    });

    test("whatever is asked for goes with all of it; without anything, there is nothing to try", async () => {
        const { open, tried } = scene(({ edits }) => (Object.keys(edits).length > 0 ? "no" : ""));
        const left = await openWithout({ edits: { wind: 3, dt: 1 }, methods: [] }, "no", open);
        expect(left!.map(({ words }) => words)).toEqual(["wind 3, time step 1"]);
        expect(tried).toHaveLength(3);
        expect(await openWithout({ edits: {}, methods: [] }, "no", open)).toBe(null);
        expect(partsOf({ edits: { fabric: "banana" }, methods: [] }, "")[0]!.words).toBe(
            "fabric banana",
        );
    });
});
