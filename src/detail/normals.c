// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What renderers take of a shown mesh.

#include "mesh/normals.h"
#include "base/parallel.h"
#include "detail/operator.h"

typedef struct Copy {
    const WeftDetail* detail;
    const double* positions;
    float *floats, *normals;
} Copy;

static void store_floats(float* to, int i, WfVec v) {
    to[3 * (long)i] = (float)v.x;
    to[3 * (long)i + 1] = (float)v.y;
    to[3 * (long)i + 2] = (float)v.z;
}

static void copy_vertices(void* context, int first, int end) {
    const Copy* c = context;
    for (int i = first; i < end && c->floats; i++)
        store_floats(c->floats, i, wf_load(c->positions, i));
    for (int i = first; i < end && c->normals; i++) {
        WfVec n = wf_star_normal(&c->detail->stars, c->positions, i);
        bool flat = !(wf_dot(n, n) > 0);
        store_floats(c->normals, i, flat ? (WfVec){0, 1, 0} : n);
    }
}

void weft_copy_detail(const WeftDetail* detail, const double* positions, const WeftJobs* jobs,
                      float* floats, float* normals) {
    Copy copy = {detail, positions, floats, normals};
    wf_parallel_items(jobs, detail->count, copy_vertices, &copy);
}
