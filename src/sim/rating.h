// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The load that the softened stiffness of a cloth is made for, beside its weight (quality.h).

#ifndef WF_SIM_RATING_H
#define WF_SIM_RATING_H

#include "sim/state.h"

// Before a step: `ratings`, by what has lasted and by pressures as they are set now.
void wf_find_ratings(WeftState* state);
// Behind it: they last, and what the air did in it is learned.
void wf_keep_ratings(WeftState* state, double dt);

#endif
