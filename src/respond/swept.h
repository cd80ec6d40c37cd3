// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The rows of the vertices that sweeps go over, packed for them. Sweeps ask how far vertices have
// moved since the residual was taken, and only what is swept moves: all other columns are left out.
// Numbers are float: what they miss is a part in ten million of what a sweep moves, and the next
// residual sees it. Four lanes hold x, y, z and something of no meaning.
//
// Vertices are cut into chunks in their order, and chunks that H joins get different colours, as in
// sparse/sweep.h: those of one colour are swept in parallel, and the bits do not depend on the
// number of threads.

#ifndef WF_RESPOND_SWEPT_H
#define WF_RESPOND_SWEPT_H

#include "base/simd.h"
#include "base/vec.h"
#include "respond/run.h"

enum { WF_SWEPT_CHUNK = 128 };  // vertices: a few microseconds of work; grids need three colours

static inline int wf_swept_chunks(int count) {
    return (count + WF_SWEPT_CHUNK - 1) / WF_SWEPT_CHUNK;
}

// Pack the rows of work->swept. False where they are more than there is room for.
bool wf_swept_pack(const WfRun* run);

// Before some sweeps: what has moved so far, and all that stays as it is while they go on.
void wf_swept_begin(const WfRun* run);

// (H moved) of the k-th swept vertex
static inline WfVec wf_swept_row(const WfSwept* swept, int k) {
    WfQuad sum = wf_quad_set(0);
    for (int e = swept->block_start[k]; e < swept->block_start[k + 1]; e++) {
        const float* b = swept->blocks + 9 * (long)e;
        WfQuad w = wf_quad_load(swept->moved + swept->block_slots[e]);
        WfQuad part = wf_quad_add(wf_quad_mul_lane(wf_quad_load(b), w, 0),
                                  wf_quad_mul_lane(wf_quad_load(b + 3), w, 1));
        sum = wf_quad_add(sum, wf_quad_add(part, wf_quad_mul_lane(wf_quad_load(b + 6), w, 2)));
    }
    for (int e = swept->scalar_start[k]; e < swept->scalar_start[k + 1]; e++)
        sum = wf_quad_add(sum, wf_quad_mul(wf_quad_set(swept->scalars[e]),
                                           wf_quad_load(swept->moved + swept->scalar_slots[e])));
    double out[3];
    wf_quad_widen(sum, out);
    return wf_load(out, 0);
}

// How far the k-th has moved, rounded.
static inline void wf_swept_move(const WfSwept* swept, int k, WfVec moved) {
    const double from[3] = {moved.x, moved.y, moved.z};
    wf_quad_store(swept->moved + 4 * (long)k, wf_quad_narrow(from));
}

#endif
