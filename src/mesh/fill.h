// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Points for the inside of an outline.

#ifndef WF_MESH_FILL_H
#define WF_MESH_FILL_H

#include "mesh/exact.h"
#include "weft/weft.h"

// A shape by its boundary: point v of the boundary is followed by point successor[v].
typedef struct WfShape {
    const WfPoint* points;
    const int* successor;
    int count;
    double spacing;  // wanted edge length, in steps of the grid
    uint32_t seed;
    int most;  // refuse to find room for more than about this many points
} WfShape;

// Points inside the shape, about one per vertex that a mesh of such edges has there, none close to
// the boundary. The array has room for `lead` more points before them and `trail` after them;
// *count counts only the new ones.
WeftResult wf_fill_shape(const WeftAllocator* allocator, const WfShape* shape, int lead, int trail,
                         WfPoint** points, int* count, WeftError* error);

#endif
