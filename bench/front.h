// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The second part of `swing`: what closeness to the motion costs.

#ifndef WEFT_BENCH_FRONT_H
#define WEFT_BENCH_FRONT_H

#include "bench.h"

// Adds rows, ratios and notes. Returns an exit code.
int run_front(const BenchOptions* options, Report* report);

#endif
