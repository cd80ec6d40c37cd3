// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Parts of the page that are loaded when they are first wanted.

import { toast } from "../ui/toast";

/** null: it could not be loaded, which is told, with a button that tries `again`. */
export async function later<T>(
    what: string,
    load: () => Promise<T>,
    again: () => void,
): Promise<T | null> {
    try {
        return await load();
    } catch {
        toast(`${what} could not be loaded. Is there a connection?`, "error", [
            { label: "Try again", act: again },
        ]);
        return null;
    }
}
