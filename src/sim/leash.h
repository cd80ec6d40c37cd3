// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What leash.c and small_leash.c have in common.

#ifndef WF_SIM_LEASH_H
#define WF_SIM_LEASH_H

#include "sim/state.h"

static const double WF_RECOVERY = 0.5;     // m/s: what is beyond is brought back at least as fast
static const double WF_KEPT_LEASH = 1e-6;  // m, beyond: what floats round

// The centre of a backstop with its skin at s.
WfVec wf_backstop_centre(const WfSkinPoint* skin, WfVec s, WfVec normal);
// Normals of a skin at the two ends of a substep of h from one part of the step to another; false
// where there is none. What turns faster than a backstop follows has the last one twice.
bool wf_backstop_normals(const WfSkinPoint* skin, double before, double after, double h,
                         WfVec normals[2]);

#endif
