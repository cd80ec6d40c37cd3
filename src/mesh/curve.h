// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The sides of an outline as evenly spaced points.

#ifndef WF_MESH_CURVE_H
#define WF_MESH_CURVE_H

#include "weft/weft.h"

// A point of the boundary; the side it is on, or begins.
typedef struct WfBoundaryPoint {
    double u, v;
    int loop, side;
} WfBoundaryPoint;

typedef struct WfBoundary {
    int count;
    WfBoundaryPoint* points;  // loop after loop, in the direction given
    int* successor;           // per point: the next one of its loop
} WfBoundary;

// Refuses, naming the side: numbers that are not finite or above 1e6 m, sides without length, loops
// that are too short, an edge that is not positive or makes more than `most` points.
WeftResult wf_boundary_create(const WeftAllocator* allocator, const WeftOutlineDef* def, int most,
                              WfBoundary* boundary, WeftError* error);
void wf_boundary_destroy(const WeftAllocator* allocator, WfBoundary* boundary);

// The point of a side at t from 0 to 1, for a side that begins at `start`.
void wf_side_point(const double start[2], const WeftSide* side, double t, double point[2]);
double wf_side_length(const double start[2], const WeftSide* side);

// "side 3 of the outline", "side 0 of hole 2": room for the words, and the same pointer back.
typedef struct WfSideName {
    char text[64];
} WfSideName;
const char* wf_name_side(int loop, int side, WfSideName* name);

#endif
