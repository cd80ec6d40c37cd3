// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Halves of a cloth that meet in the plane of a mirror, or lie over each other there (WeftClosure).

#ifndef WF_SIM_CLOSURE_H
#define WF_SIM_CLOSURE_H

#include "sim/state.h"

// Along the normal, the third direction, and the front.
typedef struct WfZoneBox {
    double low[3], high[3];
} WfZoneBox;

// Zip: rows that have got to the other side go back into the plane, and are at rest across it.
void wf_close_rows(WeftState* state);
// Button: images that have got to this side are shown behind this half, and those beside them, so
// that nothing crosses.
void wf_show_overlap(WeftState* state);

#endif
