// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Forces of pins and contacts, where a step keeps them (WeftStepDef.forces).

#ifndef WF_SIM_FORCES_H
#define WF_SIM_FORCES_H

#include "sim/state.h"

// Memory, where it is asked for the first time, and nothing yet of this step.
WeftResult wf_forces_begin(WeftState* state, const WeftStepDef* def);
void wf_forces_destroy(WeftState* state);
// What `impulse` has at vertices that nothing claims goes to those that are claimed, piece by
// piece.
void wf_share_leftover(const WeftState* state, const WfStep* step);
// Behind the solve of a substep, before anything else changes what it found;
void wf_forces_solved(WeftState* state, const WfStep* step);
// and at its end.
void wf_forces_end(WeftState* state, const WfStep* step);

#endif
