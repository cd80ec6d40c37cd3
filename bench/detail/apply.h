// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#ifndef WEFT_BENCH_DETAIL_APPLY_H
#define WEFT_BENCH_DETAIL_APPLY_H

#include "bench.h"

// What it takes to show 20,000 vertices. Returns an exit code.
int run_apply(const BenchOptions* options, Report* report);

#endif
