// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The implicit method: Newton steps on Phi, their matrices assembled from 3x3 blocks, conjugate
// gradients preconditioned by block-Jacobi, or by block-Jacobi around the constant factor where the
// cloth is so stiff that it pays (or where `scheme` says so). The matrix-free method is the same
// with products by what the forces of each spring left behind (u, a, b of fibre.c): for large
// cloths and ropes less memory to hold, and less to read in every iteration.
//
// As it is used everywhere: one Newton step, at x(n) (start = previous), solved to a tolerance. At
// the predicted positions the same step is five times closer to the exact one. With
// newton_tolerance the step is solved to the end: the exact Hessian while it is positive definite,
// clamped where it is not, and a line search. That is the reference all other methods are held
// against.

#include <math.h>

#include "base/error.h"
#include "base/vec.h"
#include "method/method.h"
#include "method/newton.h"
#include "weft/weft_study.h"

static const double ROUNDING = 1e-14;  // of Phi: differences below it mean nothing

// |gamma^2 M g|: what the gradient would be if nothing held the cloth. Without gravity, the
// inertia.
static double weight_of(const WfStep* step) {
    const WfMotion* m = &step->motion;
    double g = wf_length(wf_load(m->gravity, 0)), sum = 0;
    for (int i = 0; i < step->system->vertex_count; i++) {
        double f = step->system->masses[i] * m->gamma * (g > 0 ? m->gamma * g : 1);
        sum += f * f;
    }
    return sqrt(sum);
}

// The largest of 1, 1/2, 1/4 ... at which Phi falls enough (Armijo); 0 where it does not fall at
// all.
static double line_search(const WfStep* step, double phi, double* trial) {
    const WfWork* work = step->work;
    WfVectors vectors = wf_step_vectors(step);
    double slope = wf_vector_dot(&vectors, work->gradient, work->direction);
    if (!(slope < 0)) return 0;
    for (double length = 1; length > 1e-6; length /= 2) {
        for (int i = 0; i < vectors.n; i++) trial[i] = work->x[i] + length * work->direction[i];
        double allowed = phi + 1e-4 * length * slope + ROUNDING * fabs(phi);
        if (wf_step_evaluate(step, trial, 0, NULL) <= allowed) return length;
    }
    return 0;
}

static void converge(const WfStep* step, WfNewton newton) {
    WfWork* work = step->work;
    WfVectors vectors = wf_step_vectors(step);
    double limit = step->def->newton_tolerance * weight_of(step);
    for (int k = 0; k < step->def->newton_steps; k++) {
        newton.exact = true;
        newton.choose_start = newton.choose_start && k == 0;
        double phi = wf_newton_direction(&newton, work->x, NULL);
        if (sqrt(wf_vector_dot(&vectors, work->gradient, work->gradient)) <= limit) return;
        double length = line_search(step, phi, work->trial);
        if (length == 0) {  // indefinite along the way, unseen by the conjugate gradients
            newton.exact = false;
            wf_newton_direction(&newton, work->x, NULL);
            length = line_search(step, phi, work->trial);
        }
        if (length == 0) break;
        wf_vector_axpy(&vectors, length, work->direction, work->x);
    }
    step->report->converged = false;
}

static const double LEAST_PART = 1e-6;

enum { MORE_STEPS = 4 };  // Newton steps where some were shortened

// A clamped Hessian is below the true one where springs are pressed: a long direction may lead far
// up. It is halved until Phi falls, or until it is as short as the linearisation is good for: what
// contacts push may well raise Phi. Returns the part that was taken.
static double advance(const WfStep* step, double phi) {
    WfWork* work = step->work;
    WfVectors vectors = wf_step_vectors(step);
    double reach = step->def->guard ? wf_newton_reach(step) : 0, length = 1;
    for (; length * reach > step->stray; length /= 2) {
        for (int i = 0; i < vectors.n; i++)
            work->trial[i] = work->x[i] + length * work->direction[i];
        if (wf_step_evaluate(step, work->trial, 0, NULL) <= phi + ROUNDING * fabs(phi)) break;
    }
    wf_vector_axpy(&vectors, length, work->direction, work->x);
    return length;
}

static WfPreconditioner preconditioner_of(WeftScheme scheme) {
    switch (scheme) {
        case WEFT_SCHEME_A:
            return WF_PRECONDITION_A;
        case WEFT_SCHEME_JAJ:
            return WF_PRECONDITION_JAJ;
        case WEFT_SCHEME_PLAIN:
            return WF_PRECONDITION_NONE;
        default:
            return WF_PRECONDITION_J;
    }
}

// Solves end by how much smaller the forces got. What the start of a taut line is off by is a huge
// one, beside which all others would be left as they are: the part that they are of all.
static double part_beside_lines(const WfStep* step) {
    WfWork* work = step->work;
    WfVectors vectors = wf_step_vectors(step);
    double square = step->motion.gamma * step->motion.gamma, *g = work->gradient;
    if (!step->ties || !wf_ties_have_lines(step->ties)) return 1;
    wf_step_evaluate(step, work->x, 0, g);
    double all = wf_vector_dot(&vectors, g, g);
    wf_ties_evaluate(step->ties, work->x, square, g);
    wf_step_filter(step, g);
    double others = wf_vector_dot(&vectors, g, g);
    return all > 0 ? fmax(fmin(sqrt(others / all), 1), LEAST_PART) : 1;
}

static void take_step(const WfStep* step, bool assembled) {
    const WeftStepDef* def = step->def;
    WfWork* work = step->work;
    WfNewton newton = {.step = step,
                       .preconditioner = preconditioner_of(def->scheme),
                       .assembled = assembled,
                       .tolerance = def->tolerance,
                       .max_iterations = def->max_iterations};
    wf_step_start(step, def->start, work->x);
    newton.choose_start = def->guard && def->start == WEFT_START_PREDICTED;
    if (newton.choose_start) newton.phi_limit = wf_step_limit(step).most;
    if (def->newton_tolerance > 0) {
        converge(step, newton);
        return;
    }
    WfVectors vectors = wf_step_vectors(step);
    bool shortened = false;
    // what a line has caught is turned and stretched at once, further than one linearisation sees
    int steps = def->newton_steps + (step->ties && wf_ties_have_lines(step->ties) ? 1 : 0);
    for (int k = 0; k < steps + (shortened ? MORE_STEPS : 0); k++) {
        if (k > 0 && !wf_pace_allows(step->pace)) break;
        const double* guess = NULL;
        if (k == 0 && def->start == WEFT_START_PREVIOUS) {
            // warm start: to where the motion so far points
            guess = work->t;
            wf_step_start(step, WEFT_START_PREDICTED, work->t);
            wf_vector_axpy(&vectors, -1, work->x, work->t);
        }
        newton.tolerance = def->tolerance * part_beside_lines(step);
        double phi = wf_newton_direction(&newton, work->x, guess);
        if (step->grows) {
            double length = line_search(step, phi, work->trial);
            if (length == 0 && step->world) length = 1;  // against the forces of contacts
            wf_vector_axpy(&vectors, length, work->direction, work->x);
        } else if (advance(step, phi) < 1) {
            shortened = true;
            step->report->guard_count++;
        }
        newton.choose_start = false;
    }
}

// ---------------------------------------------------------------------------------------------
// The classes

static unsigned preconditioner_needs(const WeftStepDef* def) {
    bool factor = def->scheme == WEFT_SCHEME_A || def->scheme == WEFT_SCHEME_JAJ;
    bool inverses = def->scheme == WEFT_SCHEME_J || def->scheme == WEFT_SCHEME_JAJ;
    return (factor ? WF_NEED_FACTOR : 0u) | (inverses ? WF_NEED_INVERSES : 0u);
}

static unsigned needs_assembled(const WeftStepDef* def, bool touches) {
    (void)touches;
    return preconditioner_needs(def) | WF_NEED_BLOCKS | WF_NEED_ROWS;
}

static unsigned needs_free(const WeftStepDef* def, bool touches) {
    (void)touches;
    return preconditioner_needs(def);
}

static WeftResult check(const WfSystem* s, const WeftStepDef* asked, const WeftStepDef* resolved,
                        WeftError* error) {
    (void)s, (void)resolved;
    if (asked->scheme == WEFT_SCHEME_REPEAT)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "scheme repeat belongs to the prefactored method; the implicit one takes "
                       "scheme J, A or JAJ");
    return WEFT_OK;
}

// JAJ costs about five iterations of J and saves more from beta = 50 on (lambda is about 16 k/m).
static WeftScheme pick_preconditioner(const WfSystem* s, double h) {
    bool stiff = s->stiffness_bound * h * h > 16 * 50;
    bool factor = s->matrices == WEFT_MATRICES_ALL && !s->unmajorised && s->has_nonlinear;
    return stiff && factor ? WEFT_SCHEME_JAJ : WEFT_SCHEME_J;
}

static void resolve_assembled(const WfSystem* s, WeftStepDef* def) {
    if (!def->substeps) def->substeps = 1;
    if (def->scheme == WEFT_SCHEME_AUTO)
        def->scheme = pick_preconditioner(s, def->dt / def->substeps);
}

static void resolve_free(const WfSystem* s, WeftStepDef* def) {
    (void)s;
    if (!def->substeps) def->substeps = 1;
    if (def->scheme == WEFT_SCHEME_AUTO) def->scheme = WEFT_SCHEME_J;
}

static WfCostKind cost_assembled(const WeftStepDef* def) {
    (void)def;
    return WF_COST_IMPLICIT;
}

static WfCostKind cost_free(const WeftStepDef* def) {
    (void)def;
    return WF_COST_FREE;
}

static void solve_assembled(const WfStep* step) { take_step(step, true); }
static void solve_free(const WfStep* step) { take_step(step, false); }

const WfMethod wf_implicit = {.name = "implicit",
                              .damps_to_rest = true,
                              .conjugate = true,
                              .start = WEFT_START_PREDICTED,
                              .needs = needs_assembled,
                              .check = check,
                              .resolve = resolve_assembled,
                              .cost = cost_assembled,
                              .solve = solve_assembled};

const WfMethod wf_matrix_free = {.name = "matrix_free",
                                 .damps_to_rest = true,
                                 .conjugate = true,
                                 .start = WEFT_START_PREDICTED,
                                 .needs = needs_free,
                                 .check = check,
                                 .resolve = resolve_free,
                                 .cost = cost_free,
                                 .solve = solve_free};
