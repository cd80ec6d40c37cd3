// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The gallery with the entries of the project. Loaded when it is first opened.

import { gallery, galleryGroups, pictureOf } from "../scene/gallery";
import { openGallery } from "../ui/gallery";

/** `current`: the scene that is shown; `open` is told the words of an address. */
export function showGallery(current: string, open: (query: string) => void): void {
    const isCurrent = (query: string) => new URLSearchParams(query).get("scene") === current;
    openGallery(
        galleryGroups.map((title) => ({
            title,
            cards: gallery
                .filter(({ group }) => group === title)
                .map((entry) => ({
                    title: entry.title,
                    line: entry.line,
                    picture: pictureOf(entry),
                    current: isCurrent(entry.query),
                    choose: () => open(entry.query),
                })),
        })),
    );
}
