// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Impulses of the last defence: of all ends in which no known pair closes, the one nearest to what
// the solve gave, in the metric of the masses. What slides goes on sliding, what parts parts.

#ifndef WF_CONTACT_IMPULSE_H
#define WF_CONTACT_IMPULSE_H

#include "base/plane.h"
#include "contact/contact.h"

// A pair that would have met asks of the ends for  n . sum weights[k] x1[vertices[k]] >= target.
typedef struct WfImpulse {
    int count, vertices[4];  // of cloth that can be moved
    double weights[4];
    WfVec normal;
    int by;         // 1 + the body that it is with; 0: cloth
    double target;  // m, with all that cannot be moved on this side
    double give;    // 1/kg: how far apart a unit impulse brings the pair
    double size;    // of the impulse so far, never negative
} WfImpulse;

typedef struct WfImpulses {
    WfImpulse* all;
    int count, capacity;
    bool failed;     // lack of memory
    WfPlane mirror;  // vertices in it are pushed along it
    WeftAllocator allocator;
} WfImpulses;

void wf_impulses_destroy(WfImpulses* impulses);
// One more, copied; its `give` is measured here. False where it cannot be of use: nothing can be
// moved, all that can has next to no share in it, or memory is lacking.
bool wf_add_impulse(WfImpulses* impulses, const WfImpulse* impulse, const double* masses);
// Sweeps over all of them until none is short of its target by more than `slack` m, or there were
// enough. Changes x1; marks whom it has moved with `mark` in `marks`.
void wf_apply_impulses(WfImpulses* impulses, const double* masses, double slack, double* x1,
                       int mark, int* marks);

#endif
