// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Draws the pictures of README and documentation with the page itself, in a browser, and those of
// the page's own gallery: `make gallery`, or, of some alone, `npm run gallery -- FOLDER NAME...`,
// where "entries" are all of the gallery and "entries/flag" is one. Entries go where the page has
// them, whatever the folder; build the page again afterwards.

import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { gallery, galleryGroups } from "../src/scene/gallery";
import { launch, Viewer, Visit } from "../test/browser";
import { materialShots } from "./materials";

interface Shot {
    name: string;
    /** Of the page's address: docs/page.md. */
    query: string;
    width: number;
    height: number;
    /** Of the page's address, behind all. */
    hash?: string;
    /** As somebody sees it who comes for the first time; `touch`: on a phone. */
    first?: boolean;
    touch?: boolean;
    /** The group of the page's gallery that is shown. */
    group?: string;
    /** From 0 to 100. */
    quality?: number;
    /** Of the page's own gallery: where it is kept. */
    entry?: string;
}

const wide = { width: 1200, height: 520 };
const third = { width: 800, height: 600 };
const upright = { width: 480, height: 640 };

/** Every garment on the mannequin, of this fabric, standing and walking, with a mesh finer than that of
 *  the page. */
const garments: [string, string][] = [
    ["tshirt", "cotton_jersey"],
    ["skirt", "linen"],
    ["pleated_skirt", "wool_tropical"],
    ["trousers", "denim"],
    ["dress", "polyester_satin"],
    ["jacket", "wool_tropical"],
    ["cape", "wool_suiting"],
];

function garmentShots([garment, fabric]: [string, string]): Shot[] {
    const query = `?bare&scene=garment:${garment}&detail=1.5&methods=q4&near&fabric=${fabric}`;
    return [
        { name: `${garment}_stands`, query: `${query}&clip=a_pose&time=0.5`, ...upright },
        { name: `${garment}_walks`, query: `${query}&clip=walk&time=1.75`, ...upright },
    ];
}

const shots: Shot[] = [
    ...garments.flatMap(garmentShots),
    {
        name: "layers_walk",
        query: "?bare&scene=garment:tshirt,trousers,jacket&fabric=cotton_jersey,denim,wool_tropical&methods=q4&near&clip=walk&time=1.2",
        ...upright,
    },
    { name: "washing", query: "?bare&scene=washing&time=3.3", ...wide },
    {
        name: "compare",
        query: "?bare&scene=demo&methods=q1,q2,q4,implicit&field=distance&time=0.75",
        ...third,
    },
    {
        name: "stretch",
        query: "?bare&scene=washing&field=stretch&time=1.9&theme=dark&turn=-40,5",
        ...third,
    },
    {
        name: "sphere",
        query: "?bare&scene=rotating_sphere&time=1.9&near&turn=40,-6",
        ...third,
    },
    {
        name: "needles",
        query: "?bare&scene=needles&time=0.7&near&turn=10,1&fabric=cotton_jersey",
        ...third,
    },
    {
        name: "breathing",
        query: "?bare&scene=breathing&time=2.2&near&turn=0,4&fabric=cotton_jersey",
        ...third,
    },
    {
        name: "closing",
        query: "?bare&scene=closing&time=2.2&near&turn=-10,5&fabric=wool_tropical",
        ...wide,
    },
    {
        name: "sabre",
        query: "?bare&scene=sabre&time=1.7&near&turn=-25,4",
        ...third,
    },
    { name: "page", query: "?time=1.2&near", width: 1280, height: 960 },
    {
        name: "first_screen",
        query: "?detail=1",
        width: 1280,
        height: 800,
        first: true,
    },
    {
        name: "first_screen_phone",
        query: "?detail=1",
        width: 390,
        height: 844,
        first: true,
        touch: true,
    },
    ...(await materialShots()).map((shot) => ({ ...shot, ...upright, quality: 84 })),
    ...galleryGroups.map((group) => ({
        name: `group_${group.toLowerCase().replace(/\W+/g, "_")}`,
        query: "?scene=disc&paused",
        width: 960,
        height: 640,
        group,
        quality: 80,
    })),
];

/** Where the page has its pictures. */
const entryFolder = "src/scene/pictures";
/** Drawn larger than it is kept. */
const entrySize = { width: 640, height: 400 };
const entryScale = 0.75;
/** From 0 to 100. */
const entryQuality = 82;

for (const { id, query, picture } of gallery) {
    const name = `entries/${id}`;
    const entry = join(entryFolder, `${id}.webp`);
    shots.push({ name, query: `?bare&${query}&${picture}`, ...entrySize, entry });
}

const PATIENCE = 240000; // ms; without a graphics processor pictures take long

/** Without words, which would be too small to read. */
async function captureEntry(visit: Visit, path: string): Promise<void> {
    await visit.page.addStyleTag({ content: ".captions, .legend, .toasts { display: none }" });
    await visit.page.waitForTimeout(100);
    const session = await visit.page.context().newCDPSession(visit.page);
    const { data } = await session.send("Page.captureScreenshot", {
        format: "webp",
        quality: entryQuality,
        clip: { x: 0, y: 0, ...entrySize, scale: entryScale },
    });
    writeFileSync(path, Buffer.from(data, "base64"));
}

/** The gallery, at one of its groups. */
async function openGroup({ page }: Visit, group: string): Promise<void> {
    await page.keyboard.press("e");
    const section = page
        .locator("dialog section")
        .filter({ has: page.getByText(group, { exact: true }) });
    await section.evaluate((element) => element.scrollIntoView());
}

async function draw(browser: Browser, address: string, shot: Shot, folder: string) {
    const fine = shot.group ? "" : "&fine";
    const visit = await Visit.open(browser, `${address}${shot.query}${fine}${shot.hash ?? ""}`, {
        viewport: { width: shot.width, height: shot.height },
        deviceScaleFactor: 1,
        closed: shot.first,
        hasTouch: shot.touch,
    });
    visit.page.setDefaultTimeout(PATIENCE);
    await visit.ready();
    if (shot.group) await openGroup(visit, shot.group);
    if (shot.first) await visit.page.waitForFunction(() => window.weft!.live.player.time > 0.5);
    await visit.page.waitForTimeout(500); // for what fades in
    // what cannot be shown is told there, and something else is shown
    const told = await visit.page.locator(".toast.error p").allTextContents();
    if (told.length > 0) throw new Error(`${shot.name}: ${told.join("; ")}`);
    const path = shot.entry ?? join(folder, `${shot.name}.jpg`);
    if (shot.entry) await captureEntry(visit, path);
    else await visit.page.screenshot({ path, type: "jpeg", quality: shot.quality ?? 88 });
    await visit.close();
    if (visit.faults.length > 0) throw new Error(`${shot.name}: ${visit.faults.join("; ")}`);
    console.log(`${path}  ${Math.round(statSync(path).size / 1000)} kB`);
}

const folder = process.argv[2]!;
const only = process.argv.slice(3);
const wanted = ({ name }: Shot) => only.some((word) => `${name}/`.startsWith(`${word}/`));
mkdirSync(folder, { recursive: true });
mkdirSync(entryFolder, { recursive: true });
const [browser, viewer] = await Promise.all([launch(), Viewer.start()]);
try {
    for (const shot of shots)
        if (only.length === 0 || wanted(shot))
            await draw(browser, viewer.address, shot, folder).catch((error: Error) => {
                console.error(error.message); // the others are drawn all the same
                process.exitCode = 1;
            });
} finally {
    await browser.close();
    viewer.stop();
}
