// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The sides of an outline as evenly spaced points.

#ifndef WF_MESH_CURVE_H
#define WF_MESH_CURVE_H

#include "weft/weft_mesh.h"

enum { WF_CURVE_SAMPLES = 512 };  // edges are even to about one part in so many

// A side by its length.
typedef struct WfCurve {
    double start[2];
    const WeftSide* side;
    double length[WF_CURVE_SAMPLES + 1];  // from the start, at evenly spaced t; of straight sides,
                                          // the last one only
    double turn;                          // rad, by which it turns in all
} WfCurve;

// Side `side` of a loop.
void wf_curve_create(WfCurve* curve, const WeftLoop* loop, int side);
static inline double wf_curve_length(const WfCurve* curve) {
    return curve->length[WF_CURVE_SAMPLES];
}
// The point at a part of the length, 0 to 1.
void wf_curve_at(const WfCurve* curve, double part, double point[2]);
// How many edges of about this length a part of the curve takes; one at least.
double wf_curve_edges(const WfCurve* curve, double part, double edge);

// Where the points of a side shall be: parts of its length, increasing from 0, without the end.
typedef struct WfSideParts {
    int count;
    const double* parts;
} WfSideParts;

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

// `outside`: the points of the sides of loop 0; NULL: evenly spaced, as those of holes are.
// Refuses, naming the side: numbers that are not finite or above 1e6 m, sides without length, loops
// that are too short, an edge that is not positive or makes more than `most` points.
WeftResult wf_boundary_create(const WeftAllocator* allocator, const WeftOutlineDef* def,
                              const WfSideParts* outside, int most, WfBoundary* boundary,
                              WeftError* error);
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
