// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

/** What went wrong, as a sentence; anything can be thrown. */
export function wordsOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
