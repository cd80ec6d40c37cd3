// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The prefactored method: A = M + gamma^2 (sum k c c^T + bending) is constant, factored once, and
// all work is triangular solves. From the predicted positions x* = 2.5 x(n) - 2 x(n-1) + 0.5
// x(n-2):
//
//   repeat n   x <- x - A^-1 gradient(x), n times. A majorises every Hessian of the springs and
//              triangles, so no repetition raises Phi. Once is the thesis' linear model with the
//              vertex estimator; many are local-global iteration, and contract transverse motion by
//              beta/(1 + beta) each: beta-many for stiff cloth.
//   A k        one Newton step at x*, k conjugate gradient iterations with A as the preconditioner,
//              products matrix-free. Two to ten times closer at the same number of solves.
//   JAJ k      the same with block-Jacobi smoothing around A (newton.c).
//   A k + l    two Newton steps, and so on.
//
// Guard: a prediction and an iterate count only while Phi(x) <= Phi(x(n)) + 0.05 |h v|_M^2. A
// Newton step whose prediction fails begins at x(n): rare in motion, common near rest, where
// without it JAJ 4 at 2000 N/m never comes to rest, however strong the damping. An iterate that
// fails is replaced by the one solve from x(n), which cannot raise Phi: without it crumpled starts
// reached 11 times their energy, with it 2 % above. A single solve is left alone: there the guard
// fires in ordinary motion and slows it. Only a step that is far longer than the one before has it:
// lengths at random from 1 to 100 ms stretched a curtain 33 times.

#include <string.h>

#include "base/error.h"
#include "method/method.h"
#include "method/newton.h"
#include "method/quality.h"

static void constant_product(void* context, const double* p, double* q) {
    const WfStep* step = context;
    wf_scalar_product(&step->system->pattern, step->factor->matrix, &step->system->jobs, p, q);
}

static double constant_solve(void* context, const double* r, double* z) {
    wf_step_solve(context, r, z);
    return 0;
}

static void constant_diagonal(void* context, const double* layers, double* diagonal) {
    const WfStep* step = context;
    const WfPattern* pattern = &step->system->pattern;
    (void)layers;
    for (int i = 0; i < step->system->vertex_count; i++)
        diagonal[i] = step->factor->matrix[wf_pattern_find(pattern, i, i)];
}

// The same with contacts: the least of the quadratic around x that A makes.
static void respond_once(const WfStep* step) {
    WfQuadratic model = {.context = (void*)step,
                         .product = constant_product,
                         .precondition = constant_solve,
                         .fill_diagonal = constant_diagonal,
                         .pattern = &step->system->pattern,
                         .values = step->factor->matrix,
                         .x = step->work->x,
                         .gradient = step->work->gradient};
    WfRequest request = {.result = step->work->x};
    wf_step_respond(step, WF_PLAN_REPEAT, &model, &request);
}

// x <- x - A^-1 gradient(x)
static void solve_once(const WfStep* step) {
    const WfSystem* s = step->system;
    WfWork* work = step->work;
    WfVectors vectors = wf_step_vectors(step);
    double start = wf_now(s);
    wf_step_evaluate(step, work->x, 0, work->gradient);
    double evaluated = wf_now(s);
    step->report->times.force += evaluated - start;
    if (step->world) {
        respond_once(step);
        return;
    }
    wf_step_solve(step, work->gradient, work->direction);
    wf_vector_axpy(&vectors, -1, work->direction, work->x);
    step->report->times.solve += wf_now(s) - evaluated;
}

enum { LEAST_JAJ = 3 };   // fewer gain energy in stiff cloth
enum { MORE_STEPS = 4 };  // Newton steps of a substep in which cloth is hit hard,
enum { MOST_MORE = 8 };   // and of all substeps of a step

// Whether the last direction is so long, where something is touched, that another step is due.
static bool strays(const WfStep* step) {
    return step->world && wf_newton_reach(step) > step->stray;
}

static void take_newton_steps(const WfStep* step, double phi_limit) {
    const WeftStepDef* def = step->def;
    WfVectors vectors = wf_step_vectors(step);
    WfNewton newton = {
        .step = step,
        .preconditioner = def->scheme == WEFT_SCHEME_JAJ ? WF_PRECONDITION_JAJ : WF_PRECONDITION_A,
        .assembled = step->world != NULL,
        .choose_start = def->guard && def->start == WEFT_START_PREDICTED,
        .phi_limit = phi_limit,
    };
    for (int k = 0; k < WEFT_MAX_NEWTON && def->iterations[k] > 0; k++) {
        if (k > 0 && !wf_pace_allows(step->pace)) break;
        if (def->scheme == WEFT_SCHEME_JAJ) wf_pace_oblige(step->pace, LEAST_JAJ);
        newton.max_iterations = def->iterations[k];
        wf_newton_direction(&newton, step->work->x, NULL);
        wf_vector_axpy(&vectors, 1, step->work->direction, step->work->x);
        newton.choose_start = false;
    }
    // hit hard, cloth turns further than the linearisation is good for; no budget spares them
    int shared = MOST_MORE / def->substeps, more = shared < MORE_STEPS ? shared : MORE_STEPS;
    for (int k = 0; k < more && strays(step) && !wf_pace_is_over(step->pace); k++) {
        wf_newton_direction(&newton, step->work->x, NULL);
        wf_vector_axpy(&vectors, 1, step->work->direction, step->work->x);
    }
}

static void guard(const WfStep* step, double phi_limit) {
    WfWork* work = step->work;
    double start = wf_now(step->system);
    double phi = wf_step_evaluate(step, work->x, 0, NULL);
    step->report->times.update += wf_now(step->system) - start;
    if (phi <= phi_limit) return;
    wf_step_start(step, WEFT_START_PREVIOUS, work->x);
    solve_once(step);
    step->report->guard_count++;
}

static void solve(const WfStep* step) {
    const WeftStepDef* def = step->def;
    bool repeat = def->scheme == WEFT_SCHEME_REPEAT;
    bool guarded = def->guard && (!(repeat && def->iterations[0] == 1) || step->grows);
    double start = wf_now(step->system);
    double phi_limit = guarded ? wf_step_limit(step) : 0;
    step->report->times.force += wf_now(step->system) - start;
    wf_step_start(step, def->start, step->work->x);
    if (repeat)
        for (int k = 0; k < def->iterations[0] && wf_pace_go_on(step->pace); k++) solve_once(step);
    else
        take_newton_steps(step, phi_limit);
    if (guarded) guard(step, phi_limit);
}

// ---------------------------------------------------------------------------------------------
// The class

// Newton's matrix is assembled where something may be touched.
static unsigned needs(const WeftStepDef* def, bool touches) {
    bool rows = touches && def->scheme != WEFT_SCHEME_REPEAT;
    bool inverses = def->scheme == WEFT_SCHEME_JAJ;
    return WF_NEED_FACTOR | (rows ? WF_NEED_BLOCKS | WF_NEED_ROWS : 0u) |
           (inverses ? WF_NEED_INVERSES : 0u);
}

static WeftResult check(const WfSystem* s, const WeftStepDef* asked, const WeftStepDef* resolved,
                        WeftError* error) {
    if (asked->scheme == WEFT_SCHEME_J || asked->scheme == WEFT_SCHEME_PLAIN)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "schemes J and plain make no use of the factor; take the implicit method "
                       "with them, or scheme A or JAJ");
    if (asked->jacobian != WEFT_JACOBIAN_CLAMPED)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "the prefactored method has its own Jacobian; leave it clamped, or take "
                       "relaxation, the implicit or the matrix-free method");
    bool more = resolved->scheme != WEFT_SCHEME_REPEAT || resolved->iterations[0] > 1;
    if (more && !s->has_nonlinear)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "with linear models only, one solve is the exact step, and more change "
                       "nothing; leave scheme and iterations to quality, or take estimator none");
    for (int k = 0; k < WEFT_MAX_NEWTON && resolved->scheme == WEFT_SCHEME_JAJ; k++)
        if (resolved->iterations[k] > 0 && resolved->iterations[k] < LEAST_JAJ)
            return wf_fail(error, WEFT_ERROR_COMBINATION,
                           "JAJ with %d iterations gains energy in stiff cloth; take at least %d, "
                           "or scheme A",
                           resolved->iterations[k], LEAST_JAJ);
    return WEFT_OK;
}

static void resolve(const WfSystem* s, WeftStepDef* def) {
    const WfLevel* level = wf_level_of(s, def->quality);
    if (!def->substeps) def->substeps = level->substeps;
    if (def->scheme == WEFT_SCHEME_AUTO) {
        // linear models: one solve is all there is
        const WfLevel* by = s->has_nonlinear ? level : wf_level(1);
        def->scheme = s->has_nonlinear ? level->scheme : WEFT_SCHEME_REPEAT;
        if (!def->iterations[0]) memcpy(def->iterations, by->iterations, sizeof def->iterations);
    }
    if (!def->iterations[0]) def->iterations[0] = def->scheme == WEFT_SCHEME_REPEAT ? 1 : 4;
}

static WfCostKind cost(const WeftStepDef* def) {
    return def->scheme == WEFT_SCHEME_REPEAT ? WF_COST_REPEAT
           : def->scheme == WEFT_SCHEME_JAJ  ? WF_COST_JAJ
                                             : WF_COST_A;
}

const WfMethod wf_prefactored = {.name = "prefactored",
                                 .has_ladder = true,
                                 .softens = true,
                                 .damps_to_rest = true,
                                 .conjugate = true,
                                 .start = WEFT_START_PREDICTED,
                                 .needs = needs,
                                 .check = check,
                                 .resolve = resolve,
                                 .cost = cost,
                                 .solve = solve};
