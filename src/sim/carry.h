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
// Pins that go faster than anything could follow (WF_JUMP_SPEED): where all pins of a piece of
// cloth do, it is put there with them; else they go as far as that, and on in the next step.
// Returns how many jump.
int wf_place_jumping_pins(WeftState* state, double dt);
// The step was taken: pins that did not get to their goals still have them,
void wf_keep_goals(WeftState* state);
// and arcs are at their end.
void wf_end_arcs(WeftState* state);
// What carries a pin, or its image in a mirror.
WfCarry wf_carry_of(const WeftState* state, int row, bool image);
// Pins of bodies stay where they are now in the frames of these.
void wf_carry_from_here(WeftState* state);
// A row with its past, as something that went from one pose to another.
void wf_bring_row(WeftState* state, int row, const WfPose* from, const WfPose* to);
// Put the pins of a body, which was at `from`, where its frame says; with them the pieces of cloth
// that have no other pins.
void wf_place_carried(WeftState* state, int body, const WfPose* from);
// Into how many parts each substep of a resolved def must be cut because pins turn.
int wf_carry_parts(const WeftState* state, const WeftStepDef* def);

#endif
