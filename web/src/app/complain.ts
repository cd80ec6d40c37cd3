// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

import { wordsOf } from "../sim/words";
import { toast } from "../ui/toast";

/** What went wrong, for the user. */
export function complain(error: unknown): void {
    toast(wordsOf(error), "error");
}
