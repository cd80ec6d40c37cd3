// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is shown of cloth that is torn: it has more vertices than before. Such cloth is shown as it
// is simulated, so that vertices and triangles are those of the state's model.

#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/scene_parts.h"
#include "io/show.h"

bool wf_show_tears(const WeftShow* show) { return wf_scene_tears(show->scene); }

// Arrays per vertex.
typedef struct Arrays {
    int* corners;
    double *weights, *positions;
    float *floats, *normals;
} Arrays;

static void release(const WeftAllocator* a, const Arrays* arrays) {
    wf_free(a, arrays->corners);
    wf_free(a, arrays->weights);
    wf_free(a, arrays->positions);
    wf_free(a, arrays->floats);
    wf_free(a, arrays->normals);
}

static bool allocate(const WeftAllocator* a, size_t vertices, Arrays* arrays) {
    *arrays = (Arrays){.corners = wf_alloc(a, 3 * vertices, sizeof(int)),
                       .weights = wf_alloc(a, 3 * vertices, sizeof(double)),
                       .positions = wf_alloc(a, 3 * vertices, sizeof(double)),
                       .floats = wf_alloc(a, 3 * vertices, sizeof(float)),
                       .normals = wf_alloc(a, 3 * vertices, sizeof(float))};
    return arrays->corners && arrays->weights && arrays->positions && arrays->floats &&
           arrays->normals;
}

WeftResult weft_update_show(WeftShow* show, const WeftState* state, WeftError* error) {
    const WeftModel* model = weft_state_model(state);
    const WeftAllocator* a = &show->allocator;
    int count = weft_vertex_count(model);
    Arrays fresh,
        old = {show->corners, show->weights, show->positions, show->floats, show->normals};
    if (count == show->cloths[show->cloth_count].coarse_vertex) return WEFT_OK;
    for (int c = 0; c < show->cloth_count; c++) wf_assert(!show->cloths[c].detail);
    if (!allocate(a, (size_t)count, &fresh)) {
        release(a, &fresh);
        return wf_fail_memory(error);
    }
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) fresh.corners[3 * (long)i + k] = i;
        fresh.weights[3 * (long)i] = 1;
    }
    memcpy(fresh.positions, weft_positions(state), 3 * (size_t)count * sizeof(double));
    memcpy(show->triangles, weft_triangles(model),
           3 * (size_t)weft_triangle_count(model) * sizeof(int));
    for (int c = 0; c <= show->cloth_count; c++)
        show->cloths[c].vertex = show->cloths[c].coarse_vertex = weft_first_vertex(model, c);
    show->corners = fresh.corners, show->weights = fresh.weights;
    show->positions = fresh.positions;
    show->floats = fresh.floats, show->normals = fresh.normals;
    release(a, &old);
    return WEFT_OK;
}
