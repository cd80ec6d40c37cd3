// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Normals of vertices: the mean of the triangles around each, by their area.

#ifndef WF_MESH_NORMALS_H
#define WF_MESH_NORMALS_H

#include <string.h>

#include "base/vec.h"
#include "mesh/stars.h"

// Of length 1; zero where there are no triangles. `normals` has 3 numbers per vertex.
static inline void wf_find_normals(int vertex_count, const double* x, int triangle_count,
                                   const int* triangles, double* normals) {
    memset(normals, 0, 3 * (size_t)vertex_count * sizeof *normals);
    for (long t = 0; t < triangle_count; t++) {
        const int* v = triangles + 3 * t;
        WfVec a = wf_load(x, v[0]);
        WfVec n = wf_cross(wf_sub(wf_load(x, v[1]), a), wf_sub(wf_load(x, v[2]), a));
        for (int k = 0; k < 3; k++) wf_accumulate(normals, v[k], 1, n);
    }
    for (int i = 0; i < vertex_count; i++) wf_store(normals, i, wf_unit(wf_load(normals, i)));
}

// The same of one vertex alone.
static inline WfVec wf_star_normal(const WfStars* stars, const double* x, int vertex) {
    WfVec sum = {0, 0, 0}, at = wf_load(x, vertex);
    for (int s = stars->start[vertex]; s < stars->start[vertex + 1]; s++) {
        int h = stars->halves[s];
        WfVec b = wf_sub(wf_load(x, wf_half_to(stars, h)), at);
        sum = wf_add(sum, wf_cross(b, wf_sub(wf_load(x, wf_half_opposite(stars, h)), at)));
    }
    return wf_unit(sum);
}

#endif
