// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a piece of dense cloth depends on. A patch is a coarse triangle with the coarse vertices
// around it, and the shown vertices that it decides on: those in it, each of one patch alone.
//
// Everything is seen in the frame of the triangle, so that neither where it is nor how it is turned
// matters: the places and velocities of the vertices around it, relative to its own, and the ways
// of gravity and of its motion. The frame is that of its warp and weft, turned alike where they are
// not square to each other.

#ifndef WF_DETAIL_PATCH_H
#define WF_DETAIL_PATCH_H

#include "base/vec.h"
#include "mesh/stars.h"
#include "weft/weft_detail.h"

enum {
    WF_MOST_AROUND = 16,
    WF_MOST_VECTORS = 2 * WF_MOST_AROUND + 2,
    WF_MOST_FEATURES = 3 * WF_MOST_VECTORS
};

typedef struct WfPatches {
    int count;          // coarse triangles
    int* triangles;     // 3 per patch
    WfStars stars;      // of coarse vertices
    double* flat;       // 4 per patch: from edges in space to warp and weft
    int* around_start;  // per patch, and one more
    int* around;        // coarse vertices; the triangle's own first
    int* own_start;
    int* own;         // shown vertices,
    double* weights;  // and for each 3: how much it has of the corners of the triangle
    // Those that lie in no triangle, as those of ropes: 4 each, itself and its corners.
    int loose_count;
    int* loose;
    double* loose_weights;  // 3 each
} WfPatches;

typedef struct WfCoarse {
    const double *positions, *velocities;  // 3 per vertex; velocities may be NULL: none
    WfVec down;                            // where gravity goes, of length 1; 0: nowhere
} WfCoarse;

typedef struct WfPatchFrame {
    WfVec origin, u, v, n;
} WfPatchFrame;

WeftResult wf_patches_create(const WeftAllocator* allocator, const WeftMesh* coarse,
                             const WeftRefinement* map, WfPatches* patches);
void wf_patches_destroy(const WeftAllocator* allocator, WfPatches* patches);

static inline int wf_around_count(const WfPatches* p, int patch) {
    return p->around_start[patch + 1] - p->around_start[patch];
}
static inline int wf_own_count(const WfPatches* p, int patch) {
    return p->own_start[patch + 1] - p->own_start[patch];
}
static inline int wf_feature_count(const WfPatches* p, int patch) {
    return 6 * wf_around_count(p, patch) + 6;
}

// Of its triangle at rest; 0 where it has none.
double wf_patch_area(const WfPatches* patches, int patch);
WfPatchFrame wf_patch_frame(const WfPatches* patches, int patch, const double* positions);
static inline WfVec wf_into_frame(const WfPatchFrame* f, WfVec v) {
    return (WfVec){wf_dot(f->u, v), wf_dot(f->v, v), wf_dot(f->n, v)};
}
static inline WfVec wf_out_of_frame(const WfPatchFrame* f, WfVec v) {
    return wf_madd(wf_madd(wf_mul(v.x, f->u), v.y, f->v), v.z, f->n);
}
// Where the k-th own vertex lies in the triangle.
static inline WfVec wf_lies_at(const WfPatches* p, int patch, int k, const double* positions) {
    const int* v = p->triangles + 3 * (long)patch;
    const double* w = p->weights + 3 * ((long)p->own_start[patch] + k);
    WfVec sum = wf_mul(w[0], wf_load(positions, v[0]));
    return wf_madd(wf_madd(sum, w[1], wf_load(positions, v[1])), w[2], wf_load(positions, v[2]));
}
// Numbers of about the same size, wf_feature_count of them: all along u, all along v, all along n.
void wf_patch_features(const WfPatches* patches, int patch, const WfCoarse* coarse,
                       const WfPatchFrame* frame, float* features);

#endif
