// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is around a vertex.

#ifndef WF_MESH_STARS_H
#define WF_MESH_STARS_H

#include "weft/weft.h"

// Half edges by the vertex that they start from: h = 3 t + k goes from corner k of triangle t to
// the next.
typedef struct WfStars {
    const int* triangles;
    int *start, *halves;  // halves[start[v]] up to halves[start[v + 1] - 1]
} WfStars;

// `triangles` must outlive them.
bool wf_stars_create(const WeftAllocator* allocator, int vertex_count, int triangle_count,
                     const int* triangles, WfStars* stars);
void wf_stars_destroy(const WeftAllocator* allocator, WfStars* stars);

static inline int wf_half_to(const WfStars* stars, int h) {
    return stars->triangles[h % 3 == 2 ? h - 2 : h + 1];
}
static inline int wf_half_opposite(const WfStars* stars, int h) {
    return stars->triangles[h % 3 == 0 ? h + 2 : h - 1];
}
// The half edge from a to b, or -1.
static inline int wf_find_half(const WfStars* stars, int a, int b) {
    for (int i = stars->start[a]; i < stars->start[a + 1]; i++)
        if (wf_half_to(stars, stars->halves[i]) == b) return stars->halves[i];
    return -1;
}

#endif
