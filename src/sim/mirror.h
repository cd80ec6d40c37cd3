// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Models with a mirror: what users have is the whole cloth, what is simulated is one half of it
// (mesh/half.h). All of sim/ below the public functions knows the half alone, as rows; vertices are
// those of users.

#ifndef WF_SIM_MIRROR_H
#define WF_SIM_MIRROR_H

#include "base/plane.h"
#include "mesh/half.h"
#include "weft/weft.h"

// The cloth as users see it. Without a mirror the arrays are those of the model.
typedef struct WfShown {
    int vertex_count, triangle_count, edge_count;
    const int *first_vertex, *triangles, *edges;
    const double *edge_lengths, *masses, *layer;
    int* rows;           // per vertex; NULL: the same numbers
    signed char* sides;  // per vertex: below 0, it is the image of its row
    int* of_rows;        // per row: its vertex on the own side
    WeftClosure closure;
    WfVec front;  // from where a closure is seen; of length 1, along the plane
} WfShown;

static inline int wf_row_of(const WfShown* shown, int vertex) {
    return shown->rows ? shown->rows[vertex] : vertex;
}
static inline int wf_vertex_of(const WfShown* shown, int row) {
    return shown->of_rows && row >= 0 ? shown->of_rows[row] : row;
}
static inline bool wf_is_image(const WfShown* shown, int vertex) {
    return shown->sides && shown->sides[vertex] < 0;
}

// The halves of all cloths, while a model is made.
typedef struct WfHalves {
    WfHalf* all;
    WeftClothDef* defs;  // of the halves
} WfHalves;

// Refuses what is not symmetric.
WeftResult wf_halves_create(const WeftAllocator* allocator, const WeftModelDef* def,
                            WfHalves* halves, WeftError* error);
void wf_halves_destroy(const WeftAllocator* allocator, int cloth_count, WfHalves* halves);

// Refuses a plane without a normal.
WeftResult wf_check_mirror(const WeftMirror* mirror, WeftError* error);
WfPlane wf_mirror_plane(const WeftMirror* mirror);
// Refuses gravity and wind that are not along the plane.
WeftResult wf_check_weather(const WfPlane* plane, const WeftStepDef* step, WeftError* error);

#endif
