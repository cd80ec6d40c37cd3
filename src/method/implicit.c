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

#include "base/vec.h"
#include "method/newton.h"

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

void wf_method_implicit(const WfStep* step) {
    const WeftStepDef* def = step->def;
    WfWork* work = step->work;
    WfNewton newton = {.step = step,
                       .preconditioner = preconditioner_of(def->scheme),
                       .assembled = def->method == WEFT_METHOD_IMPLICIT,
                       .tolerance = def->tolerance,
                       .max_iterations = def->max_iterations};
    wf_step_start(step, def->start, work->x);
    newton.choose_start = def->guard && def->start == WEFT_START_PREDICTED;
    if (newton.choose_start) newton.phi_limit = wf_step_limit(step);
    if (def->newton_tolerance > 0) {
        converge(step, newton);
        return;
    }
    WfVectors vectors = wf_step_vectors(step);
    for (int k = 0; k < def->newton_steps; k++) {
        if (k > 0 && !wf_pace_allows(step->pace)) break;
        const double* guess = NULL;
        if (k == 0 && def->start == WEFT_START_PREVIOUS) {
            // warm start: to where the motion so far points
            guess = work->t;
            wf_step_start(step, WEFT_START_PREDICTED, work->t);
            wf_vector_axpy(&vectors, -1, work->x, work->t);
        }
        wf_newton_direction(&newton, work->x, guess);
        wf_vector_axpy(&vectors, 1, work->direction, work->x);
        newton.choose_start = false;
    }
}
