// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a state remembers of its motion, before a substep and behind it.

#ifndef WF_SIM_HISTORY_H
#define WF_SIM_HISTORY_H

#include "method/step.h"
#include "sim/state.h"

// The history that a substep of this length and order takes. Fails where the probe found no
// acceleration that is a number.
WeftResult wf_ready_history(WeftState* state, const WfStep* step);
// The weights of x~ and v~: how much of the last places and of those before.
void wf_set_weights(double weights[2], bool second, double b);
// update.c: velocities and history, from where the substep has put the vertices.
void wf_update_motion(WeftState* state, const WfStep* step);
// step.c: what the method makes of a substep.
void wf_solve_substep(const WfStep* step);

#endif
