// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Ropes: vertices in a row, and one thread through them.

#include <math.h>

#include "base/error.h"
#include "mesh/mesh.h"

WeftRopeDef weft_default_rope_def(void) { return (WeftRopeDef){.length = 1, .segments = 50}; }

static WeftResult check_rope(const WeftRopeDef* def, WeftError* error) {
    if (!(def->length > 0 && isfinite(def->length)))
        return wf_fail(error, WEFT_ERROR_INPUT, "a rope of %g m has no length", def->length);
    if (def->segments < 1)
        return wf_fail(error, WEFT_ERROR_INPUT, "a rope of %d segments has no vertices",
                       def->segments);
    if (def->segments >= WF_MAX_MESH_VERTICES)
        return wf_fail(error, WEFT_ERROR_INPUT, "a rope of %d segments has more than %d vertices",
                       def->segments, WF_MAX_MESH_VERTICES);
    return WEFT_OK;
}

WeftResult weft_make_rope(const WeftRopeDef* def, const WeftAllocator* allocator, WeftMesh* mesh,
                          WeftError* error) {
    *mesh = (WeftMesh){0};
    WeftResult result = check_rope(def, error);
    if (result) return result;
    int vertices = def->segments + 1;
    result = wf_mesh_create(mesh, allocator, vertices, 0, 0, error);
    if (!result) result = wf_mesh_add_threads(mesh, 1, vertices, error);
    if (result) return result;
    mesh->threads[0] = (WeftThread){.kind = WEFT_THREAD_ROPE, .count = vertices};
    for (int i = 0; i < vertices; i++) {
        mesh->positions[3 * (long)i] = def->length * i / def->segments;  // y and z are zero
        mesh->thread_vertices[i] = i;
    }
    return WEFT_OK;
}
