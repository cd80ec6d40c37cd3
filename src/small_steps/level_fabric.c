// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What cloth is made of, at every vertex: its area A times the mean k of the stiffness of warp and
// weft, by the energy k e^2 A that its terms have where it is stretched by e both ways.

#include "base/vec.h"
#include "energy/element.h"
#include "energy/fibre.h"
#include "small_steps/levels.h"

// k A of a spring of any direction: half of what it resists both ways with.
static double spring_share(const WfFibreTerm* t, int e) {
    return t->stiffness[e] * t->length[e] * t->length[e] / 2;
}

// Fibres along warp and weft; shear is soft beside them.
static double triangle_share(const WfFibreTerm* t, int e) {
    const double* k = t->stiffness + (long)t->fibres * e;
    return (k[0] + k[1]) / 2;
}

// Lays a triangle flat by the coefficients of its fibres: S = a1 e1 + a2 e2 and U = b1 e1 + b2 e2
// are to be the axes.
static void lay_flat(const int* v, const float* c, double* x) {
    double a1 = (double)c[0], a2 = (double)c[1], b1 = (double)c[2], b2 = (double)c[3];
    double by = 1 / (a1 * b2 - a2 * b1);
    wf_store(x, v[0], (WfVec){0, 0, 0});
    wf_store(x, v[1], (WfVec){by * b2, -by * a2, 0});
    wf_store(x, v[2], (WfVec){-by * b1, by * a1, 0});
}

static double strain_share(const WfElementTerm* t, int e, double* x) {
    const WfTermSpace space = {0};
    float axes[8], elastic[8];
    t->term.type->local_numbers(&t->term, e, axes);
    lay_flat(t->vertices + 3L * e, axes, x);
    t->term.type->local_begin(&t->term, &space, x, e, elastic);
    return (1 / (double)elastic[0] + 1 / (double)elastic[2]) / 2;
}

static void add_share(const int* vertices, int count, double share, double* out) {
    for (int a = 0; a < count; a++) out[vertices[a]] += share / count;
}

static void add_fibres(const WfFibreTerm* t, double* shares) {
    if (t->shape == WF_FIBRE_HINGE || t->shape == WF_FIBRE_ROPE_HINGE) return;
    for (int e = 0; e < t->element_count; e++) {
        double share = t->shape == WF_FIBRE_SPRING ? spring_share(t, e) : triangle_share(t, e);
        add_share(t->vertices + (long)t->arity * e, t->arity, share, shares);
    }
}

static void add_strains(const WfElementTerm* t, double* x, double* shares) {
    for (int e = 0; e < t->element_count; e++)
        add_share(t->vertices + 3L * e, 3, strain_share(t, e, x), shares);
}

void wf_levels_fabric(int term_count, WfTerm* const* terms, double* x, double* shares) {
    for (int t = 0; t < term_count; t++) {
        if (terms[t]->type->role != WF_ROLE_STRETCH) continue;
        if (terms[t]->type->local == WF_LOCAL_FIBRES)
            add_fibres((const WfFibreTerm*)terms[t], shares);
        if (terms[t]->type->local == WF_LOCAL_STRAIN)
            add_strains((const WfElementTerm*)terms[t], x, shares);
    }
}
