// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Terms that reach across a mirror (mesh/half.h). An ordinary term between a few vertices of the
// own side and their images, wrapped so that it acts on the vertices of the half: with P x the
// positions of vertices and images, every image S x_i of a vertex, S the reflection,
//
//     E = E'(P x)/2    F = P^T F'/2    K = P^T K' P/2
//
// The wrapped term may be linear; wrapped it is one with a matrix of 3x3 blocks, for its scalar
// matrix becomes two: along the plane a vertex and its image move alike, along the normal against
// each other. The majorant is that along the plane, and `normal_majorant` the other.

#ifndef WF_ENERGY_ACROSS_H
#define WF_ENERGY_ACROSS_H

#include "base/plane.h"
#include "energy/parts.h"

// Who acts: per vertex of the wrapped term, the row of the model, and whether it is an image. The
// arrays are copied.
typedef struct WfAcross {
    int count;
    const int* rows;
    const signed char* sides;  // below 0: an image
    const WfPlane* plane;
} WfAcross;

// Takes over `inner`, also where it fails: NULL for lack of memory.
WfTerm* wf_across_create(const WeftAllocator* allocator, const WfAcross* across, WfTerm* inner);

// What a small step needs of one (small_steps/): its elements are those of `inner`, between points
// of their own.
typedef struct WfAcrossView {
    const WfTerm* inner;
    int count;
    const int* rows;
    const signed char* sides;  // 1, in the plane 0, of an image -1
    WfVec point, normal;       // of the plane
} WfAcrossView;
WfAcrossView wf_across_view(const WfTerm* term);

#endif
