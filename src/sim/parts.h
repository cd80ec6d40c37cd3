// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Into how many parts the substeps of a step are cut, and what such a step takes at least.

#ifndef WF_SIM_PARTS_H
#define WF_SIM_PARTS_H

#include "sim/state.h"

// Long steps, fast bodies, cloths that hit each other and pins that turn cut the substeps, budget
// or not: without, cloth is torn, and what follows takes longer. With a budget the parts count as
// its substeps. `hurry`: in as many at least.
void wf_cut_substeps(const WeftState* state, WeftStepDef* def, int hurry);

// More iterations of A, where a body that moves carries cloth along. For steps whose iterations are
// left to the quality: a budget decides by itself.
void wf_follow_bodies(const WeftState* state, WeftStepDef* def);

// Into how many parts, 1 to 4, because cloth moves fast within itself (hurry.c). Only where
// substeps are left to the quality does it count: a budget decides by itself, and what is set by
// hand stays. Measures `strains`.
int wf_hurry_parts(WeftState* state, const WeftStepDef* def);
// After a step: the strains that last follow those that were measured.
void wf_hurry_end(WeftState* state, double dt);

#endif
