// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Symplectic Euler: v' = v + h M^-1 F(x, v), x' = x + h v'. Stable for h < 2/sqrt(lambda_max) only;
// the number of substeps follows from a bound on lambda_max where the user does not set it.

#include <math.h>

#include "base/error.h"
#include "base/vec.h"
#include "method/method.h"
#include "method/range.h"
#include "weft/weft_study.h"

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

static void solve(const WfStep* step) {
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
    if (step->ties) wf_ties_evaluate(step->ties, m->x, 1, f);
    wf_plane_filter(&s->mirror, f);
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

// ---------------------------------------------------------------------------------------------
// The class

// Symplectic Euler with stiffness lambda and damping c is stable while h^2 lambda + 2 h c < 4. The
// bounds are on the safe side; cloth that is stretched is stiffer than at rest.
static double stable_substeps(const WfSystem* s, double dt) {
    double lambda = s->stiffness_bound, c = s->damping_bound;
    double limit = 4 / (c + sqrt(c * c + 4 * lambda));
    return fmax(1, ceil(dt / (0.9 * limit)));
}

static unsigned needs(const WeftStepDef* def, bool touches) {
    (void)def, (void)touches;
    return 0;
}

static WeftResult check(const WfSystem* s, const WeftStepDef* asked, const WeftStepDef* resolved,
                        WeftError* error) {
    (void)resolved;
    if (s->predicting)
        return wf_fail(
            error, WEFT_ERROR_COMBINATION,
            "cloth %d: the %s acts as at the end of the step, and an explicit step as at "
            "its start, so that it gains energy; take estimator none",
            s->predicting->cloth, s->predicting->type->name);
    if (asked->substeps == 0 && stable_substeps(s, asked->dt) > WF_MOST_SUBSTEPS)
        return wf_fail(
            error, WEFT_ERROR_COMBINATION,
            "stiffness and damping of this cloth ask for %.0f explicit substeps in %g s, "
            "%d at most are taken; lower stretch_damping, set substeps, or take an "
            "implicit method",
            stable_substeps(s, asked->dt), asked->dt, WF_MOST_SUBSTEPS);
    return WEFT_OK;
}

static void resolve(const WfSystem* s, WeftStepDef* def) {
    if (!def->substeps) def->substeps = (int)fmin(stable_substeps(s, def->dt), WF_MOST_SUBSTEPS);
}

static WfCostKind cost(const WeftStepDef* def) {
    (void)def;
    return WF_COST_IMPLICIT;  // nothing to choose: never asked for by a budget
}

const WfMethod wf_symplectic = {.name = "symplectic",
                                .is_explicit = true,
                                .damps_to_rest = true,
                                .start = WEFT_START_PREDICTED,
                                .needs = needs,
                                .check = check,
                                .resolve = resolve,
                                .cost = cost,
                                .solve = solve};
