// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The parts of `garments`. Each adds rows, ratios and notes, and returns an exit code.

#ifndef WEFT_BENCH_GARMENTS_GARMENTS_H
#define WEFT_BENCH_GARMENTS_GARMENTS_H

#include "bench.h"

int run_wardrobe(const BenchOptions* options, Report* report);      // every garment, worn on a walk
int run_batch(const BenchOptions* options, Report* report);         // varied and broken patterns
int run_step_phases(const BenchOptions* options, Report* report);   // what a step of a walk takes
int run_panel_meshes(const BenchOptions* options, Report* report);  // triangles, against gmsh

#endif
