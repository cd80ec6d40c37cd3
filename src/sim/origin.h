// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a model that can be torn was made from, and what torn models are made from. A torn model
// follows from the one that was whole, from its own triangles and from which vertex each of its own
// was at first: nothing depends on the order of cuts, so that states are restored to the same bits.

#ifndef WF_SIM_ORIGIN_H
#define WF_SIM_ORIGIN_H

#include "base/memory.h"
#include "sim/model.h"

// A def with arrays of its own, but for bodies: it has none.
typedef struct WfOrigin {
    WeftModelDef def;
    WeftClothDef* cloths;
    void** arrays;  // all that was allocated for them
    int array_count, array_capacity;
    unsigned char* held;  // per vertex: threads hold it, and it is never split
    // of a torn one, per vertex, where cloth has a skin: its piece was cut off from all pins and
    // all vertices with a max distance of 0, and its maps of animation are those of free cloth
    unsigned char* let_go;
} WfOrigin;

// Whether a def asks for models that can be torn.
bool wf_is_tearable(const WeftModelDef* def);
// Refuses what cannot be torn, where a def asks for it.
WeftResult wf_refuse_tearing(const WeftModelDef* def, WeftError* error);

WeftResult wf_origin_create(const WeftAllocator* allocator, const WeftModelDef* def,
                            WfOrigin** origin);
// The def of a torn model. first: of each cloth, and one more. from: per vertex, the one it was at
// first. triangles: of all cloths. All numbered through. It borrows from `whole`.
WeftResult wf_origin_tear(const WeftAllocator* allocator, const WfOrigin* whole, const int* first,
                          const int* from, const int* triangles, WfOrigin** torn);
void wf_origin_destroy(const WeftAllocator* allocator, WfOrigin* origin);

#endif
