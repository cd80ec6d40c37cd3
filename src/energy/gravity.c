// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Weight: F = m g.

#include "base/memory.h"
#include "base/vec.h"
#include "energy/parts.h"

typedef struct GravityTerm {
    WfTerm term;
    int first_vertex, vertex_count;
    double* masses;
} GravityTerm;

static void gravity_destroy(const WeftAllocator* allocator, WfTerm* term) {
    wf_free(allocator, ((GravityTerm*)term)->masses);
    wf_free(allocator, term);
}

static void gravity_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    (void)term;
    *memory = *scratch = *partial = 0;
}

static void gravity_external(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion,
                             double* f) {
    const GravityTerm* t = (const GravityTerm*)term;
    (void)space;
    for (int i = 0; i < t->vertex_count; i++)
        wf_accumulate(f, t->first_vertex + i, t->masses[i], wf_load(motion->gravity, 0));
}

static const WfTermClass gravity_class = {
    .name = "gravity",
    .kind = WF_TERM_EXTERNAL,
    .role = WF_ROLE_GRAVITY,
    .destroy = gravity_destroy,
    .count = gravity_count,
    .external = gravity_external,
};

WfTerm* wf_gravity_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    GravityTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    t->term = (WfTerm){.type = &gravity_class, .cloth = parts->cloth};
    t->first_vertex = parts->first_vertex;
    t->vertex_count = parts->def->vertex_count;
    t->masses = wf_alloc(allocator, (size_t)t->vertex_count, sizeof(double));
    if (!t->masses) {
        wf_free(allocator, t);
        return NULL;
    }
    for (int i = 0; i < t->vertex_count; i++) t->masses[i] = parts->masses[i];
    return &t->term;
}
