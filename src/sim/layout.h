// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth that starts pressed to a point. No force says where any of it should go, and all of its
// pairs touch, more than a step could look at.

#ifndef WF_SIM_LAYOUT_H
#define WF_SIM_LAYOUT_H

#include "sim/state.h"

// Lay pieces of cloth that are pressed to a point out around it, along their flat shape, u along x
// and v against z: small, but as large as their contacts need. Pins stay, and so do velocities.
// What is one with its image in a mirror is laid out beside its plane.
void wf_lay_out(WeftState* state);

#endif
