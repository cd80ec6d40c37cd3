// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Points of cloth that are bound to points of a body.

#ifndef WF_GARMENT_HOLD_H
#define WF_GARMENT_HOLD_H

#include "weft/weft_garment.h"

typedef struct WfBody {
    int vertex_count, triangle_count;
    const double* positions;
    const int* triangles;
} WfBody;

// Bind points to where they are nearest to the body: binds[i].vertex is set, and says which of
// `positions` it is about.
WeftResult wf_bind_points(const WeftAllocator* allocator, const WfBody* body,
                          const double* positions, int count, WeftBodyPoint* binds);

#endif
