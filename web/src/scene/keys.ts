// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What can be written in a scene, out of its documentation, whose tables a test holds against those
// of the reader. Loaded with the editor.

import documentation from "../../../docs/scene.md?raw";

export interface SceneWord {
    label: string;
    /** "number, m", or of which kind a value is. */
    detail: string;
    /** What it is. */
    info: string;
}

interface Key {
    name: string;
    detail: string;
    info: string;
    /** Of one of several words. */
    values: string[];
}

/** Where something is in a scene: names of members and numbers in lists; `kinds` has the "kind" of
 *  every object on the way, as far as it is written. */
export interface SceneSpot {
    path: (string | number)[];
    kinds: (string | undefined)[];
}

function plain(markdown: string): string {
    return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
}

function keyOf(row: string): Key[] {
    const [, name, type, unit, fallback, range, info] = row.split("|");
    const key = /`([a-z_]+)`/.exec(name ?? "")?.[1];
    if (!key || info === undefined) return [];
    const parts = [type!.trim(), unit!.trim(), fallback!.trim() && `default ${fallback!.trim()}`];
    const values = [...range!.matchAll(/"([^"]+)"/g)].map(([, value]) => value!);
    const detail = plain(parts.filter((part) => part !== "").join(", "));
    return [{ name: key, detail, info: plain(info.replace(/\|?\s*$/, "").trim()), values }];
}

/** Tables by their headings. */
const tables = new Map(
    documentation.split(/^## /m).map((section): [string, Key[]] => {
        const [heading = "", ...lines] = section.split("\n");
        return [heading.trim(), lines.filter((line) => line.startsWith("| `")).flatMap(keyOf)];
    }),
);

/** By which table an object is written. */
const tablesOfLists: Record<string, string> = {
    cloths: "cloth",
    pins: "pin",
    winds: "wind",
    attachments: "attachment",
    cuts: "cut",
    pair_frictions: "pair friction",
    scales: "scales",
    sides: "side",
};
const withKinds = ["mesh", "bodies"];

function tableOf({ path, kinds }: SceneSpot): Key[] {
    if (path.length === 0) return tables.get("scene") ?? [];
    const names = path.filter((part) => typeof part === "string");
    const name = names.at(-1)!;
    if (path.length === 2 && path[0] === "motions") return tables.get("motion") ?? [];
    if (withKinds.includes(name)) {
        const family = name === "bodies" ? "body" : "mesh";
        const kind = kinds.at(-1);
        return tables.get(`${family}, ${kind}`) ?? [kindKey(family)];
    }
    return tables.get(tablesOfLists[name] ?? name) ?? [];
}

/** What is asked first of something that has many kinds. */
function kindKey(family: string): Key {
    const kinds = [...tables.keys()].filter((name) => name.startsWith(`${family}, `));
    const values = kinds.map((name) => name.slice(family.length + 2));
    return { name: "kind", detail: "required", info: `Which kind of ${family} it is.`, values };
}

/** Keys of the object at a spot. */
export function keysAt(spot: SceneSpot): SceneWord[] {
    return tableOf(spot).map(({ name, detail, info }) => ({ label: name, detail, info }));
}

/** Words that the value of a key may be. */
export function valuesAt(spot: SceneSpot, key: string): SceneWord[] {
    const family = spot.path.includes("bodies") ? "body" : "mesh";
    const found =
        key === "kind" &&
        withKinds.includes(String(spot.path.findLast((p) => typeof p === "string")))
            ? kindKey(family)
            : tableOf(spot).find(({ name }) => name === key);
    return (found?.values ?? []).map((label) => ({ label, detail: key, info: "" }));
}
