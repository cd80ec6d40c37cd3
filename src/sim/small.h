// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Small steps of a state (small_steps/).

#ifndef WF_SIM_SMALL_H
#define WF_SIM_SMALL_H

#include "sim/state.h"

// The form of a model for small steps, where it has none yet.
WeftResult wf_model_small(const WeftModel* model, WfSmallForm* form);
// Whether they can take such a step of such a model; else what they have no form for, by name.
WeftResult wf_check_small(const WeftModel* model, const WeftStepDef* def, WeftError* error);
// Memory for them; allocates in a first step only.
WeftResult wf_ready_small(WeftState* state);
void wf_destroy_small(WeftState* state);
// Behind all that moves vertices in a substep but planes of bodies: they are brought within their
// max distances, and out of their backstops. Counts these in the report.
void wf_keep_leashes(WeftState* state, const WfStep* step, int index);
// Behind those planes: what was brought back has no velocity by that.
void wf_settle_leashes(WeftState* state, const WfStep* step, int index);
// All substeps of a step.
WeftResult wf_take_small_steps(WeftState* state, WfStep* step);

#endif
