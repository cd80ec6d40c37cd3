// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The parts of `scalable`.

#ifndef WEFT_BENCH_SCALABLE_H
#define WEFT_BENCH_SCALABLE_H

#include "bench.h"
#include "sheet.h"
#include "weft/weft_study.h"

enum { SHEET_SIDE = 80, QUICK_SHEET_SIDE = 20 };

// Symplectic Euler that never bothers to solve anything against relaxation: from which stiffness on
// do sweeps pay? Returns an exit code.
int run_explicit(const BenchOptions* options, Report* report);

// Falls by the presets; sweeps: of those that are asked for a number.
Fall preset_fall(const char* name, WeftPreset preset, int sweeps);
Fall symplectic_fall(int substeps);
Fall quality_fall(int quality);
// Several times over, in turn; between the least and the most rounds until there is enough.
int take_falls(const Sheet* sheet, Fall* falls, int count, int least, int most);

#endif
