// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Points of cloth that are bound to points of a body.

#ifndef WF_GARMENT_HOLD_H
#define WF_GARMENT_HOLD_H

#include "base/vec.h"
#include "weft/weft_garment.h"

typedef struct WfBody {
    int vertex_count, triangle_count;
    const double* positions;
    const int* triangles;
} WfBody;

// Bind points to where they are nearest to the body: binds[i].vertex is set, and says which of
// `positions` it is about. `facing`: NULL, or 3 per position, the direction that is outwards
// there. Points of the body that face otherwise do not count then, as far as there are others: the
// side of a wide shirt belongs to the trunk, though the arm is nearer.
WeftResult wf_bind_points(const WeftAllocator* allocator, const WfBody* body,
                          const double* positions, const double* facing, int count,
                          WeftBodyPoint* binds);
WfVec wf_bound_point(const WfBody* body, const WeftBodyPoint* bind);
// Have a point that is bound be at p exactly, which is not above its triangle where an edge is
// nearest: by weights beyond the corners. Slivers, which turn too easily, leave it as it is.
void wf_fit_bind(const WfBody* body, WfVec p, WeftBodyPoint* bind);

#endif
