// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Slices: a mesh cut by a plane, as rings that a tape could be laid around. The idea is told in
// slice.c.

#ifndef WF_GARMENT_SLICE_H
#define WF_GARMENT_SLICE_H

#include "base/vec.h"
#include "weft/weft.h"

// Points of the plane are origin + u across + v up; across, up and their cross product are of
// length 1.
typedef struct WfPlane {
    WfVec origin, across, up;
} WfPlane;

typedef struct WfFlat {
    double u, v;
} WfFlat;

// What one tape holds together.
typedef struct WfRing {
    double girth, area;  // of the convex hull
    WfFlat centre;       // of the hull's area
    WfFlat low, high;    // its box
    int hull_start, hull_count;
} WfRing;

typedef struct WfSlicer WfSlicer;

// `join` in metres: parts whose hulls overlap by more are one. The mesh is borrowed, finite, and
// its triangles name vertices that exist.
WeftResult wf_create_slicer(const double* positions, int vertex_count, const int* triangles,
                            int triangle_count, double join, const WeftAllocator* allocator,
                            WfSlicer** slicer, WeftError* error);
void wf_destroy_slicer(WfSlicer* slicer);

// Cut; the rings are good until the next cut, and sorted by area, the largest first.
WeftResult wf_slice(WfSlicer* slicer, const WfPlane* plane, WeftError* error);
int wf_ring_count(const WfSlicer* slicer);
const WfRing* wf_ring(const WfSlicer* slicer, int index);
const WfFlat* wf_ring_hull(const WfSlicer* slicer, const WfRing* ring);  // counter-clockwise

// One tape around several rings: those with `chosen`. Its hull is lost with the next cut or tape.
WfRing wf_tape(WfSlicer* slicer, const bool* chosen);

#endif
