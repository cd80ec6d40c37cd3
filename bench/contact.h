// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The parts of `contact`. Each adds rows, ratios and notes, and returns an exit code.

#ifndef WEFT_BENCH_CONTACT_H
#define WEFT_BENCH_CONTACT_H

#include "bench.h"

// The scenes of scenes/ in which something touches; ended by NULL.
extern const char* const contact_scenes[];

int run_contact_scenes(const BenchOptions* options, Report* report);   // at three densities
int run_contact_rest(const BenchOptions* options, Report* report);     // does cloth come to rest?
int run_contact_drape(const BenchOptions* options, Report* report);    // against ARCSim
int run_contact_methods(const BenchOptions* options, Report* report);  // every method
int run_contact_density(const BenchOptions* options, Report* report);  // up to 160,801 vertices
int run_contact_body(const BenchOptions* options, Report* report);     // bodies that deform

// A row of the drape: 0 with 4225 vertices, 1 with 6400; how many times as long ARCSim takes.
int add_contact_drape(const BenchOptions* options, int which, double* ratio, Report* report);

#endif
