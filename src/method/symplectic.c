// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Symplectic Euler: v' = v + h M^-1 F(x, v), x' = x + h v'. Stable for h < 2/sqrt(lambda_max) only;
// the number of substeps follows from a bound on lambda_max where the user does not set it.

#include "base/vec.h"
#include "method/step.h"

static void mass_product(void* context, const double* p, double* q) {
    const WfStep* step = context;
    for (int i = 0; i < step->system->vertex_count; i++)
        wf_store(q, i, wf_mul(step->system->masses[i], wf_load(p, i)));
}

static double mass_solve(void* context, const double* r, double* z) {
    const WfStep* step = context;
    for (int i = 0; i < step->system->vertex_count; i++)
        wf_store(z, i, wf_mul(1 / step->system->masses[i], wf_load(r, i)));
    return 0;
}

static void mass_diagonal(void* context, const double* layers, double* diagonal) {
    const WfStep* step = context;
    (void)layers;
    for (int i = 0; i < step->system->vertex_count; i++) diagonal[i] = step->system->masses[i];
}

// Contacts: nearest to where the forces lead, in the sense of the masses.
static void respond(const WfStep* step) {
    WfQuadratic model = {.context = (void*)step,
                         .product = mass_product,
                         .precondition = mass_solve,
                         .fill_diagonal = mass_diagonal,
                         .x = step->work->x};
    WfRequest request = {.result = step->work->x};
    wf_step_respond(step, WF_PLAN_SYMPLECTIC, &model, &request);
}

void wf_method_symplectic(const WfStep* step) {
    const WfSystem* s = step->system;
    const WfMotion* m = &step->motion;
    WfWork* work = step->work;
    double start = wf_now(s), *f = work->gradient;
    for (long i = 0; i < 3L * s->vertex_count; i++) f[i] = 0;
    for (int t = 0; t < s->term_count; t++) {
        const WfTerm* term = s->terms[t];
        const WfTermSpace* space = &work->spaces[t];
        if (term->type->begin) term->type->begin(term, space, m);
        if (term->type->external) term->type->external(term, space, m, f);
        if (term->type->evaluate) term->type->evaluate(term, space, m->x, WF_WANT_FORCE, 1, f);
        if (term->type->damp) term->type->damp(term, space, m->x, m->v, 1, f);
    }
    double forced = wf_now(s);
    for (int i = 0; i < s->vertex_count; i++) {
        WfVec v = wf_madd(wf_load(m->v, i), m->h / s->masses[i], wf_load(f, i));
        WfVec x = m->pinned[i] ? wf_load(m->goal, i) : wf_madd(wf_load(m->x, i), m->h, v);
        wf_store(work->x, i, x);
    }
    step->report->times.force += forced - start;
    step->report->times.update += wf_now(s) - forced;
    if (step->world) respond(step);
}
