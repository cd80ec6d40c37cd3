// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What users put into a state, checked at the door. A value that is not a number, or absurd, is not
// taken: the state stays as it was, so that it can always be saved and loaded. The next step fails
// and says what was refused, once; a good value for the same thing before it withdraws the refusal.
// And what a step made of it: nothing that is not finite is ever handed out.

#ifndef WF_SIM_INPUT_H
#define WF_SIM_INPUT_H

#include "sim/state.h"

#define WF_LARGEST_PLACE 1e6     // m, as in meshes: beyond it doubles hold no micrometres
#define WF_LARGEST_SPEED 1e5     // m/s
#define WF_LARGEST_PRESSURE 1e7  // Pa
#define WF_LARGEST_WORLD 1e9     // m, of spaces: what is in them stays exact
#define WF_FARTHEST 1e9          // m, a fall of hours; what gets there was thrown

// Whether `count` values (of vertex, pin or body `index`) may be taken; where not, the refusal is
// kept for the next step.
bool wf_take_input(WeftState* state, WfInputKind kind, int index, const double* values, long count);
// The same for a rotation; and for a position with one, which is brought to length 1.
bool wf_take_turn(WeftState* state, WfInputKind kind, int index, const double rotation[4]);
bool wf_take_pose(WeftState* state, WfInputKind kind, int index, const double position[3],
                  const double rotation[4], WfPose* pose);
// The same for 3 values of every vertex.
bool wf_take_inputs(WeftState* state, WfInputKind kind, const double* values);
// The same for `each` values of `count` vertices from `first` on.
bool wf_take_vertices(WeftState* state, WfInputKind kind, int first, const double* values, int each,
                      int count);
// The same for numbers of a cloth that must be 0 to 1.
bool wf_take_scales(WeftState* state, int cloth, const double* values, int count);
// Refuse something, whatever its values.
void wf_refuse_input(WeftState* state, WfInputKind kind, int index, double value);
// Fail where something was refused since the last step, and forget it.
WeftResult wf_check_inputs(WeftState* state, WeftError* error);

// The first vertex of `count` whose place (or velocity) is not a number, or larger than `most`; -1:
// none.
int wf_find_lost(const double* x, int count, double most);
// Whether all that moves is finite.
bool wf_state_is_finite(const WeftState* state);
// Fail because `vertex` was lost in `stage` of a substep that began with velocities v, saying why
// as far as it can be known.
WeftResult wf_fail_lost(WeftState* state, const WfStep* step, int vertex, const double* v,
                        const char* stage);

#endif
