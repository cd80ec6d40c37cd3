// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "mesh/stars.h"

#include "base/memory.h"

bool wf_stars_create(const WeftAllocator* allocator, int vertex_count, int triangle_count,
                     const int* triangles, WfStars* stars) {
    int n = vertex_count, count = 3 * triangle_count;
    *stars = (WfStars){.triangles = triangles,
                       .start = wf_alloc(allocator, (size_t)n + 2, sizeof(int)),
                       .halves = wf_alloc(allocator, (size_t)count, sizeof(int))};
    if (!stars->start || !stars->halves) {
        wf_stars_destroy(allocator, stars);
        return false;
    }
    // every start is one too far until its star is filled
    for (int h = 0; h < count; h++) stars->start[triangles[h] + 2]++;
    for (int v = 0; v < n; v++) stars->start[v + 2] += stars->start[v + 1];
    for (int h = 0; h < count; h++) stars->halves[stars->start[triangles[h] + 1]++] = h;
    return true;
}

void wf_stars_destroy(const WeftAllocator* allocator, WfStars* stars) {
    wf_free(allocator, stars->start);
    wf_free(allocator, stars->halves);
    *stars = (WfStars){0};
}
