// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Delaunay triangulation of grid points, with edges that must be in it.

#ifndef WF_MESH_DELAUNAY_H
#define WF_MESH_DELAUNAY_H

#include "mesh/exact.h"
#include "weft/weft.h"

// Counter-clockwise; next[k] is the triangle across the edge opposite to vertex[k], or -1.
typedef struct WfTriangle {
    int vertex[3];
    int next[3];
} WfTriangle;

typedef struct WfDelaunay {
    int point_count, triangle_count;
    WfPoint* points;       // borrowed
    const int* successor;  // borrowed: vertex v is bound to successor[v]; -1 where it is free
    WfTriangle* triangles;
    int* star;              // a triangle at every point, -1 at points that are not in
    int* work;              // scratch: two numbers per triangle
    unsigned char* queued;  // scratch: per triangle
} WfDelaunay;

// Triangulate the points in the given order; `order` leaves out the last four points, which are the
// corners of a square around all others, counter-clockwise. Of points at the same place only the
// first one is in; *twins (two points, or -1) names the last such pair in which both are bound.
WeftResult wf_delaunay_create(const WeftAllocator* allocator, WfPoint* points, int point_count,
                              const int* successor, const int* order, WfDelaunay* delaunay,
                              int* twins, WeftError* error);
void wf_delaunay_destroy(const WeftAllocator* allocator, WfDelaunay* delaunay);

// Make the edge from a to b. False where a bound vertex or edge is in the way: then blocked[0] is
// the vertex on the edge and blocked[1] is -1, or the two are the ends of the edge that is crossed.
bool wf_delaunay_bind(WfDelaunay* delaunay, int a, int b, int* blocked);

// Flip until every edge is Delaunay, but for the bound ones.
void wf_delaunay_restore(WfDelaunay* delaunay);

// The corner of triangle t at which vertex v is.
static inline int wf_corner_of(const WfTriangle* t, int v) {
    return t->vertex[0] == v ? 0 : t->vertex[1] == v ? 1 : 2;
}

static inline bool wf_delaunay_bound(const WfDelaunay* delaunay, int a, int b) {
    return delaunay->successor[a] == b || delaunay->successor[b] == a;
}

#endif
