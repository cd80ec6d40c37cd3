// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The last defence: nothing that was outside at the start of a substep is inside at its end.

#ifndef WF_CONTACT_DEFEND_H
#define WF_CONTACT_DEFEND_H

#include "contact/world.h"

#define WF_KEPT 0.1   // of the thickness: nearer is an impact,
#define WF_CLOSE 0.1  // and as near to that as this part of it may be one
#define WF_HIT ((1 + WF_CLOSE) * WF_KEPT)

typedef struct WfDefence {
    int impacts;  // pairs that would have passed through each other
    int zones;    // vertices that were moved as one with what they hit
    bool slowed;  // cloth moved less than it would have, as there were too many pairs
    int left;     // pairs that could not be stopped: between bodies or pins that meet
} WfDefence;

// Change the ends of the ways, x1, until none passes through another. Vertices that were changed
// are marked in world->moved.
WfDefence wf_defend(WfWorld* world, double* x1);

#endif
