// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Conventional springs: E = k/2 (|x_j - x_i| - L)^2 along the edges of the mesh, or along the
// springs that the mesh brings (a grid's threads and diagonals). Membrane stiffness in N/m and
// spring constant are the same number on a square grid, whatever its spacing: springs of constant k
// at distance d, each d long, carry k per width and strain.

#include "energy/fibre.h"

static const WfTermClass spring_class = {
    .name = "spring", .role = WF_ROLE_STRETCH, WF_FIBRE_CONVENTIONAL};

// Warp and weft stiffness mix by the spring's direction.
static double spring_stiffness(const WeftFabric* fabric, const WfRestSpring* spring) {
    if (spring->kind == WEFT_SPRING_SHEAR) return fabric->shear;
    return fabric->stretch_warp * spring->warp + fabric->stretch_weft * (1 - spring->warp);
}

WfTerm* wf_fibre_springs(const WeftAllocator* allocator, const WfTermClass* type,
                         const WfClothParts* parts) {
    const WfRest* rest = parts->rest;
    WfFibreTerm* t = wf_fibre_create(allocator, type, parts, WF_FIBRE_SPRING, rest->spring_count,
                                     parts->def->fabric.stretch_damping);
    if (!t) return NULL;
    for (int s = 0; s < rest->spring_count; s++) {
        const WfRestSpring* spring = &rest->springs[s];
        t->vertices[2 * (long)s] = parts->first_vertex + spring->a;
        t->vertices[2 * (long)s + 1] = parts->first_vertex + spring->b;
        t->stiffness[s] = spring_stiffness(&parts->def->fabric, spring);
        t->length[s] = spring->length;
    }
    t->term.softens = true;
    return wf_fibre_finish(allocator, parts, t);
}

WfTerm* wf_spring_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    return wf_fibre_springs(allocator, &spring_class, parts);
}
