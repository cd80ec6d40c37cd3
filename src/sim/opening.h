// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth that gave way under pressure, and opens again (opening.c).

#ifndef WF_SIM_OPENING_H
#define WF_SIM_OPENING_H

#include "sim/state.h"

// WfScratch.spokes.
struct WfSpoke* wf_opening_layout(const WeftModel* model, WfArena* arena);
// Before each substep: how much more than at first each vertex carries, into scratch->firming.
void wf_opening_begin(WeftState* state);
// After each substep: for how long each vertex has been pressed, and by what pulls beside it, and
// whether some of them will push harder (state->opens). Overwrites work.r, z and p.
void wf_opening_end(WeftState* state, const WfStep* step);

#endif
