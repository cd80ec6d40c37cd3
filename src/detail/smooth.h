// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A curved triangle through three corners, square to their normals.

#ifndef WF_DETAIL_SMOOTH_H
#define WF_DETAIL_SMOOTH_H

#include "base/vec.h"

typedef struct WfSmoothTriangle {
    WfVec corners[3];
    WfVec sides[6];  // near corner k: towards the next one, then towards the one before
    WfVec middle;
} WfSmoothTriangle;

// Corners and their normals, of length 1 or zero, which leaves the surface flat there.
WfSmoothTriangle wf_smooth_triangle(const WfVec x[3], const WfVec n[3]);
// Its point at weights that sum to 1. Beyond its border it goes on as flat as its corners lie.
WfVec wf_smooth_at(const WfSmoothTriangle* smooth, const double w[3]);

// The same for one point alone.
static inline WfVec wf_smooth_point(const WfVec x[3], const WfVec n[3], const double w[3]) {
    WfSmoothTriangle smooth = wf_smooth_triangle(x, n);
    return wf_smooth_at(&smooth, w);
}

// Three vectors, mixed by weights: points of a flat triangle, and the normals that the heights of
// a refinement are along. Those are not brought to length 1, so that heights are linear.
static inline WfVec wf_blend(const WfVec v[3], const double w[3]) {
    return wf_madd(wf_madd(wf_mul(w[0], v[0]), w[1], v[1]), w[2], v[2]);
}

#endif
