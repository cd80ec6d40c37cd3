// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bodies as triangles: what is touched of boxes, hulls and meshes, what is drawn of all.

#ifndef WF_CONTACT_SHAPE_H
#define WF_CONTACT_SHAPE_H

#include "base/memory.h"
#include "base/vec.h"
#include "weft/weft.h"

typedef struct WfShape {
    double* positions;
    int *triangles, vertex_count, triangle_count;
} WfShape;

// Room for so many; false for lack of memory, and then nothing is left allocated.
bool wf_shape_allocate(const WeftAllocator* allocator, int vertices, int triangles, WfShape* shape);
void wf_shape_destroy(const WeftAllocator* allocator, WfShape* shape);
void wf_shape_add_vertex(WfShape* shape, WfVec x);
void wf_shape_add_triangle(WfShape* shape, int a, int b, int c);

// Two spheres on the y axis and all between them, in facets: where they are, and how large. Neither
// is inside of the other, unless they are the same.
WeftResult wf_round_shape(const WeftAllocator* allocator, const double ends[2],
                          const double radii[2], WfShape* shape);
WeftResult wf_box_shape(const WeftAllocator* allocator, const double size[3], WfShape* shape);
// A square of 20 m.
WeftResult wf_plane_shape(const WeftAllocator* allocator, WfShape* shape);
WeftResult wf_mesh_shape(const WeftAllocator* allocator, const WeftBodyDef* def, WfShape* shape);

#endif
