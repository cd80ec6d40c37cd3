// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Conventional springs: E = k/2 (|x_j - x_i| - L)^2 along the edges of the mesh, or along the
// springs that the mesh brings (a grid's threads and diagonals). Membrane stiffness in N/m and
// spring constant are the same number on a square grid, whatever its spacing: springs of constant k
// at distance d, each d long, carry k per width and strain.
//
// One-sided springs (Choi and Ko's type 1) do not push: cloth that is pressed buckles, and what is
// left of its resistance is bending. Bend springs (their type 2) join next neighbours and are
// symmetric, of one constant for all.

#include "energy/fibre.h"

static const WfTermClass spring_class = {
    .name = "spring", .role = WF_ROLE_STRETCH, WF_FIBRE_CONVENTIONAL};
static const WfTermClass one_sided_class = {
    .name = "one-sided spring", .role = WF_ROLE_STRETCH, WF_FIBRE_CONVENTIONAL};
static const WfTermClass bend_spring_class = {
    .name = "bend spring", .role = WF_ROLE_BEND, WF_FIBRE_CONVENTIONAL};

// Warp and weft stiffness mix by the spring's direction.
static double spring_stiffness(const WeftFabric* fabric, const WfRestSpring* spring) {
    if (spring->kind == WEFT_SPRING_SHEAR) return fabric->shear;
    return fabric->stretch_warp * spring->warp + fabric->stretch_weft * (1 - spring->warp);
}

static void set_spring(const WfClothParts* parts, WfFibreTerm* t, int e, const int ends[2],
                       double length, double stiffness) {
    t->vertices[2 * (long)e] = parts->first_vertex + ends[0];
    t->vertices[2 * (long)e + 1] = parts->first_vertex + ends[1];
    t->stiffness[e] = stiffness;
    t->length[e] = length;
}

int wf_spring_count(const WfRest* rest, bool bend) {
    int count = 0;
    for (int s = 0; s < rest->spring_count; s++)
        count += (rest->springs[s].kind == WEFT_SPRING_BEND) == bend;
    return count;
}

WfTerm* wf_fibre_springs(const WeftAllocator* allocator, const WfTermClass* type,
                         const WfClothParts* parts) {
    const WfRest* rest = parts->rest;
    WfFibreTerm* t =
        wf_fibre_create(allocator, type, parts, WF_FIBRE_SPRING, wf_spring_count(rest, false),
                        parts->def->fabric.stretch_damping);
    if (!t) return NULL;
    for (int s = 0, e = 0; s < rest->spring_count; s++) {
        const WfRestSpring* spring = &rest->springs[s];
        if (spring->kind == WEFT_SPRING_BEND) continue;
        const int ends[2] = {spring->a, spring->b};
        set_spring(parts, t, e++, ends, spring->length,
                   spring_stiffness(&parts->def->fabric, spring) *
                       wf_share_scale(parts, parts->def->stretch_scale, ends, 2));
    }
    t->term.softens = true;
    return wf_fibre_finish(allocator, parts, t);
}

WfTerm* wf_spring_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    WfTerm* term = wf_fibre_springs(allocator, &spring_class, parts);
    if (term) ((WfFibreTerm*)term)->gives = true;
    return term;
}

WfTerm* wf_one_sided_spring_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    WfTerm* term = wf_fibre_springs(allocator, &one_sided_class, parts);
    if (term) ((WfFibreTerm*)term)->one_sided = true;
    return term;
}

// Those of the mesh, or where it has none, between the two corners across every hinge.
WfTerm* wf_bend_spring_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    const WfRest* rest = parts->rest;
    int own = wf_spring_count(rest, true), hinges = own > 0 ? 0 : parts->topology->hinge_count;
    double k = parts->def->fabric.bend_spring;
    WfFibreTerm* t = wf_fibre_create(allocator, &bend_spring_class, parts, WF_FIBRE_SPRING,
                                     own + hinges, parts->def->fabric.bend_damping);
    if (!t) return NULL;
    for (int s = 0, e = 0; s < rest->spring_count && own > 0; s++) {
        const int ends[2] = {rest->springs[s].a, rest->springs[s].b};
        if (rest->springs[s].kind == WEFT_SPRING_BEND)
            set_spring(parts, t, e++, ends, rest->springs[s].length,
                       k * wf_share_scale(parts, parts->def->bend_scale, ends, 2));
    }
    for (int h = 0; h < hinges; h++) {
        const double *i = rest->hinges[h].opposite[0], *j = rest->hinges[h].opposite[1];
        const int* ends = parts->topology->hinges[h].opposite;
        set_spring(parts, t, h, ends, wf_flat_length(i[0] - j[0], i[1] - j[1]),
                   k * rest->hinges[h].bend * wf_mean_scale(parts->def->bend_scale, ends, 2));
    }
    t->term.is_explicit = parts->def->bend == WEFT_BEND_EXPLICIT;
    return wf_fibre_finish(allocator, parts, t);
}
