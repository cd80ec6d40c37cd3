// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A dress on a mannequin that walks: what of the body it hides, and how it goes on in another mesh.

#ifndef WEFT_BENCH_RENDER_WORN_H
#define WEFT_BENCH_RENDER_WORN_H

#include "bench.h"

// garments: the folder of the pattern. Both return an exit code.
int run_hidden(const char* garments, bool quick, Report* report);
int run_worn_switches(const char* garments, bool quick, Report* report);

#endif
