// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Local space: the frame that a state's positions are in, and how it moves in the world.
//
// A step is the same in every frame that goes evenly and does not turn. So it is taken in the one
// that has the space's origin for its own all through the step, and the space's axes at its end:
// there, what the state knows of the past is turned back by as much as the space turns on, and is
// faster by as much as the space is slower. With R the space's rotation, p its place, u = (p' -
// p)/dt its velocity in the step, and all that has ' of the end of the step:
//
//     Q = R'^T R          turn of what stands, seen from the end of the step
//     d = R'^T (u' - u)   change of the space's velocity
//
//     x  <- Q x,   x1 <- Q x1 + h d,   x2 <- Q x2 + 2 h d,   v <- Q v - d,   v1 <- Q v1 - d
//
// Bodies and pins begin the step at Q times where they stand, and end it where they shall be. That
// is the motion in the world, but for rounding: no Coriolis and no centrifugal force by formula,
// which would know nothing of BDF2. A share of inertia is a share of Q or of d. Of a space that
// goes on evenly, Q and d are nothing, whatever its speed; where it is 1e6 m away, p is rounded to
// 1e-10 m, and d with it.

#ifndef WF_SIM_SPACE_H
#define WF_SIM_SPACE_H

#include "sim/state.h"

extern const WfSpace WF_NO_SPACE;  // the world

// Whether the state has a space of its own; else nothing of this costs anything.
bool wf_has_space(const WeftState* state);

// How the space goes in a step by `asked`, into state->ride, and gravity and wind in its axes, into
// `local`. Changes nothing else. Fails where a mirror forbids it.
WeftResult wf_space_plan(WeftState* state, const WeftStepDef* asked, WeftStepDef* local);
// Let the past feel it. False where there is nothing to feel, and nothing was changed.
bool wf_space_begin(WeftState* state);
// The step was taken.
void wf_space_end(WeftState* state);

// The axes of the world in those of the step; NULL: the same.
const double* wf_world_axes(WeftState* state);

// `part` of the way of a body through a step; of a point that goes from one place to another and
// turns along with the space, and by a unit quaternion within it (NULL: not at all).
WfPose wf_body_between(const WeftState* state, int body, double part);
WfVec wf_point_between(const WeftState* state, WfVec from, WfVec to, const double turn[4],
                       double part);
// The same, straight in a space that does not turn.
WfVec wf_line_between(const WeftState* state, WfVec from, WfVec to, double part);

// The velocity of the air in substep `index` of `count`, into scratch->airflow, where it is not the
// same everywhere; else NULL comes back.
const double* wf_find_airflow(WeftState* state, const WeftStepDef* def, int index, int count);

#endif
