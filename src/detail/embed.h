// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A mesh while it is bound to another one.

#ifndef WF_DETAIL_EMBED_H
#define WF_DETAIL_EMBED_H

#include "detail/bins.h"
#include "weft/weft_mesh.h"

// Which side of the coarse mesh the shown one faces.
typedef enum WfFacing {
    WF_FACING_ANY,
    WF_FACING_ALONG,
    WF_FACING_AGAINST,
    WF_FACING_BEHIND,
} WfFacing;

typedef struct WfEmbedding {
    const WeftMesh *coarse, *shown;
    WfBins bins;                      // of the coarse mesh
    double *normals, *shown_normals;  // 3 per vertex
    WfFacing facing;
} WfEmbedding;

// Where a shown vertex is bound.
typedef struct WfPlace {
    int triangle;  // -1: none so far
    double far;    // m, times what is wrong with it
    double facing;
    double w[3];  // of the nearest point of the triangle
} WfPlace;

// Take a triangle for p, with its normal, where it is better than the best so far.
void wf_try_triangle(const WfEmbedding* e, WfFacing facing, int triangle, WfVec p, WfVec normal,
                     WfPlace* best);

// Layers of cloth that lie on each other and face alike: neighbours in the shown mesh belong to
// places that are near to each other along the coarse one. False for lack of memory.
bool wf_sort_layers(const WeftAllocator* allocator, const WfEmbedding* e, WfPlace* places);

#endif
