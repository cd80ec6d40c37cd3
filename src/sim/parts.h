// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Into how many parts the substeps of a step are cut, and what such a step takes at least.

#ifndef WF_SIM_PARTS_H
#define WF_SIM_PARTS_H

#include "sim/state.h"

// Long steps, fast bodies, cloths that hit each other and pins that turn cut the substeps, budget or
// not: without, cloth is torn, and what follows takes longer. With a budget the parts count as its
// substeps.
void wf_cut_substeps(const WeftState* state, WeftStepDef* def);

#endif
