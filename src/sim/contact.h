// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The contact of a step: bodies on their way, what is near, what would still pass through.

#ifndef WF_SIM_CONTACT_H
#define WF_SIM_CONTACT_H

#include "sim/state.h"

// Memory, in a first step.
WeftResult wf_ready_contact(WeftState* state);
void wf_destroy_contact(WeftState* state);
size_t wf_contact_bytes(const WeftState* state);
// Into how many parts each substep of a resolved def must be cut because a body near the cloth is
// fast or turns, or cloth passes by a thin one: within a substep cloth cannot slide around a body
// further than about its size, nor follow a turn.
int wf_contact_parts(const WeftState* state, const WeftStepDef* def);
// The same because cloths fly at each other.
int wf_closing_parts(const WeftState* state, const WeftStepDef* def);
// Bodies on their way in substep `index` of `count`, and what is near: sets step->world where
// something is.
WeftResult wf_find_contacts(WeftState* state, WfStep* step, int index, int count);
// Add the pins inside of round bodies and planes to the tangles of the report. Nothing brings them
// out: pins go where they are told to. (Those in boxes and meshes cross their surfaces.)
void wf_count_pins_inside(WeftState* state);
// Look for what touches and crosses in the next step.
void wf_look_again(WeftState* state);
// Of a vertex's four loads: is there any?
static inline bool wf_is_loaded(const double load[4]) {
    return load[0] != 0 || load[1] != 0 || load[2] != 0 || load[3] != 0;
}
// Stop what the solve would let pass through. Fails for lack of memory.
WeftResult wf_defend_step(WeftState* state, const WfStep* step);
// Before and behind the update of velocities: what the last defence moved gains no energy, nor does
// what a solve stopped in place of a refused iterate. False where there is neither.
bool wf_gain_begin(WeftState* state, const WfStep* step);
void wf_gain_end(WeftState* state, const WfStep* step);
// m/s: nothing that cloth could follow is faster. Who goes further in a step was put there.
static const double WF_JUMP_SPEED = 50;
// Whether a body goes further in a step than anything could follow: it counts as placed there.
bool wf_body_jumps(const WeftState* state, int body, double dt);
// Put those where they go. Returns how many.
int wf_place_jumpers(WeftState* state, double dt);
// m/s: that of the fastest body which does not jump, in the step to come.
double wf_fastest_body(const WeftState* state, double dt);
// Whether any vertex is faster than that, m/s.
bool wf_is_fast(const WeftState* state, double speed);
// Slow cloth that was thrown by something that is no longer as fast. Whether there is any.
bool wf_slow_thrown(WeftState* state, double dt);
// Bodies have arrived; one of them.
void wf_end_bodies(WeftState* state);
void wf_end_body(WeftState* state, int body);

#endif
