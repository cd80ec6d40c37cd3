// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Distances from one vertex along the cloth as it is at rest, again and again from other vertices.
// They spread as those to pins do (way.h, which has the picture), and cross seams, since triangles
// are laid flat by the lengths of their sides. On flat cloth they are straight.

#ifndef WF_MESH_GEODESIC_H
#define WF_MESH_GEODESIC_H

#include "mesh/way.h"

// A triangle at one of its vertices, v: the other two, and its sides.
typedef struct WfWedge {
    int b, c;
    double vb, vc, bc;
} WfWedge;

typedef struct WfGeodesic {
    int vertex_count;
    int *start, *near;     // per vertex: its neighbours,
    double* near_lengths;  // and how far they are
    int* star_start;       // per vertex: its triangles
    WfWedge* star;

    // Of the last march.
    double* distance;  // per vertex; HUGE_VAL: not reached
    int reached;       // vertices, nearest first, that are as near as was asked for
    int* order;
    unsigned char* done;  // scratch: the distance is final;
    int touched;          // vertices that have one, in
    int* touch;
    int heap_count, *heap, *place;  // those to come, the nearest on top
} WfGeodesic;

// The mesh is not needed later on. WEFT_ERROR_MEMORY without memory.
WeftResult wf_geodesic_create(const WeftAllocator* allocator, const WfWayMesh* mesh,
                              WfGeodesic* geodesic);
void wf_geodesic_destroy(const WeftAllocator* allocator, WfGeodesic* geodesic);
// From a vertex to all within a radius, but not to or through those that are at least as far as
// their limit (NULL: none has one).
void wf_geodesic_march(WfGeodesic* geodesic, int from, double radius, const double* limits);

#endif
