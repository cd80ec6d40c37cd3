// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A render mesh of which vertices at the very same place are one, followed by the middles of its
// rigid parts.

#ifndef WF_RENDER_WELD_H
#define WF_RENDER_WELD_H

#include "base/vec.h"
#include "weft/weft_render.h"

static inline WfVec wf_load_floats(const float* a, int i) {
    const float* v = a + 3 * (long)i;
    return (WfVec){(double)v[0], (double)v[1], (double)v[2]};
}

typedef struct WfWeld {
    int count, part_count;
    int* of;            // per render vertex
    double* positions;  // 3 per vertex, then per part
    int triangle_count;
    int* triangles;  // without those that have two corners at one place
} WfWeld;

// False for lack of memory; destroy it in any case.
bool wf_weld_create(const WeftAllocator* allocator, const WeftBindingDef* def, WfWeld* weld);
void wf_weld_destroy(const WeftAllocator* allocator, WfWeld* weld);

#endif
