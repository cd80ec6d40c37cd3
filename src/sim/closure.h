// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Halves of a cloth that meet in the plane of a mirror (WEFT_CLOSURE_ZIP).

#ifndef WF_SIM_CLOSURE_H
#define WF_SIM_CLOSURE_H

#include "sim/state.h"

// Zip: rows that have got to the other side go back into the plane, and are at rest across it.
void wf_close_rows(WeftState* state);

#endif
