// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Coming to rest. Cloth that touches something, while nothing around it moves, loses motion below
// the step's rest_speed (step.c: update); when all of it has been slower for half a second and ten
// steps, in balance, and not because the last defence held it, it sleeps: steps leave it where it
// is, until a body, a pin, other forces or the user wakes it.
//
// In balance is what forces, contacts included, would hardly set in motion, whatever its speed: few
// iterations move slowly what is far from rest. Cloth that is slow and out of balance keeps the
// little motion it has.

#ifndef WF_SIM_REST_H
#define WF_SIM_REST_H

#include "sim/state.h"

// Before a step: does nothing around the cloth move in it? Sets state->still.
void wf_rest_begin(WeftState* state, const WeftStepDef* def);
// Whether the cloth sleeps through this step.
bool wf_rest_sleeps(const WeftState* state, const WeftStepDef* def);
// Whether slow motion dies away in this step; not while crossed cloth is pulled apart, slowly.
bool wf_rest_calms(const WeftState* state);
#define WF_EXPLICIT_FRICTION 0.3  // m/s^2: what slows cloth then in explicit and small steps
// After a step: for how long all has been slow and in balance. Overwrites the work's vectors.
void wf_rest_end(WeftState* state, const WfStep* step);
// Awake, and with no memory of rest.
void wf_wake(WeftState* state);

#endif
