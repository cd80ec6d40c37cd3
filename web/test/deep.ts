// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

import { test } from "vitest";
import { long } from "./browser";

/** A test of what others pass as well, in less detail: `make test-long` has it. */
export const deep = test.skipIf(!long);
