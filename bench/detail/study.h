// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#ifndef WEFT_BENCH_DETAIL_STUDY_H
#define WEFT_BENCH_DETAIL_STUDY_H

#include "bench.h"

// Does more to learn from help, and how coarse may the coarse cloth be? Returns an exit code.
int run_study(const BenchOptions* options, Report* report);

#endif
