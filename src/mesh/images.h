// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Images of vertices in a mirror, found. The idea is told in images.c.

#ifndef WF_MESH_IMAGES_H
#define WF_MESH_IMAGES_H

#include "base/plane.h"

// Half edges by the vertex that they start from: h = 3 t + k goes from corner k of triangle t to
// the next.
typedef struct WfStars {
    const int* triangles;
    int *start, *halves;  // halves[start[v]] up to halves[start[v + 1] - 1]
} WfStars;

bool wf_stars_create(const WeftAllocator* allocator, const WeftClothDef* cloth, WfStars* stars);
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

// images: per vertex, -1 where there is none. What is pressed together is also compared by its flat
// shape, to `rest_tolerance` m, if there is a choice. `cloth` has passed wf_check_cloth.
WeftResult wf_match_images(const WeftAllocator* allocator, const WeftClothDef* cloth,
                           const WfPlane* mirror, const WfStars* stars, double tolerance,
                           double rest_tolerance, int* images);

#endif
