// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A worker that helps another one: the same module on the same memory, with a stack of its own. It
// works until it is ended.

import { Core } from "./core";
import type { Seat } from "./module";

self.onmessage = (event: MessageEvent<Seat>) => {
    void Core.help(event.data);
};
