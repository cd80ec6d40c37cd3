// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pins that are carried: by a body, or along an arc. Between the ends of a substep a pin goes
// straight like everything else; a turn therefore cuts the substeps.

#ifndef WF_SIM_CARRY_H
#define WF_SIM_CARRY_H

#include "sim/state.h"

int wf_count_carried(const WeftState* state);
// List the pins, where they are, and where they go in this step.
void wf_ready_pins(WeftState* state);
// Their goals at the end of substep `index` of `count`.
void wf_place_pins(WeftState* state, int index, int count);
// The step was taken: arcs are at their end.
void wf_end_arcs(WeftState* state);
// Pins of bodies stay where they are now in the frames of these.
void wf_carry_from_here(WeftState* state);
// Put the pins of a body where its frame says.
void wf_place_carried(WeftState* state, int body);
// Into how many parts each substep of a resolved def must be cut because pins turn.
int wf_carry_parts(const WeftState* state, const WeftStepDef* def);

#endif
