// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#ifndef WEFT_BENCH_BUDGET_CONTACT_H
#define WEFT_BENCH_BUDGET_CONTACT_H

#include "bench.h"

// The part `contact`: scenes with contact at 4, 8 and 16 ms per step, and without a budget.
int run_budget_contact(const BenchOptions* options, Report* report);

#endif
