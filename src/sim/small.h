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
// Memory for them; allocates where no step had it before.
WeftResult wf_ready_small(const WeftModel* model, WfScratch* scratch);
void wf_destroy_small(const WeftAllocator* allocator, WfScratch* scratch);
// All substeps of a step.
WeftResult wf_take_small_steps(WeftState* state, WfStep* step);

#endif
