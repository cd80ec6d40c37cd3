// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Relaxation: a Newton step H d = -gradient, solved by a few sweeps over the vertices,
//
//     d_i = H_ii^-1 (-gradient_i - sum_j H_ij d_j)
//
// from "nearly explicit" with one sweep to the implicit step with many. It is a choice of three
// things: the sweep (Gauss-Seidel in place, or Jacobi), the Jacobian that makes H (fibre.c) and the
// number of sweeps; methods of the literature are presets of it:
//
//     Kim 2006              Gauss-Seidel, smoothed Jacobian of one-sided springs, any number
//     Kang and others 2000  Jacobi, scalar Jacobian, two
//     Kang and Cho 2002     Jacobi, axial Jacobian, any number; odd ones are unstable
//
// They linearise at x(n) (start previous) and begin with d = h v(n), which is the velocity form of
// the papers: v*_i = (I + h^2/m sum J)^-1 (v_i + h F_i/m + h^2/m sum J_ij v*_j), v* = v at first.
// At the predicted positions (start predicted) d begins with zero: gravity and the motion so far
// are in the prediction, and a few sweeps have less to do.

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "method/method.h"
#include "sparse/sweep.h"
#include "weft/weft_study.h"

// d = h v, at rest where a vertex is pinned
static void start_direction(const WfStep* step, double* d) {
    const WfMotion* m = &step->motion;
    long n = 3L * m->vertex_count;
    for (long i = 0; i < n; i++) d[i] = m->h * m->v[i];
    wf_step_filter(step, d);
}

// The right-hand side with what ties between far vertices have at the last sweep.
static void renew_right(const WfStep* step) {
    WfWork* work = step->work;
    wf_sweep_end(&work->sweep, work->direction);
    memcpy(work->r, work->gradient, 3 * (size_t)step->system->vertex_count * sizeof(double));
    wf_step_add_outside(step, work->direction, work->r);
    wf_step_filter(step, work->r);
    wf_sweep_begin(&work->sweep, -1, work->r, work->direction);
}

static void take_sweeps(const WfStep* step, int count) {
    WfSweep* sweep = &step->work->sweep;
    bool outside = wf_step_has_outside(step);
    for (int k = 0; k < count && wf_pace_go_on(step->pace); k++) {
        if (outside) renew_right(step);
        if (step->def->sweep == WEFT_SWEEP_GAUSS_SEIDEL)
            wf_sweep_gauss_seidel(sweep);
        else
            wf_sweep_jacobi(sweep);
        step->report->sweep_count++;
    }
}

// The gradient at x, and H by the Jacobian that `want` names, ready for sweeps. Returns Phi(x).
static double linearise(const WfStep* step, unsigned want) {
    WfWork* work = step->work;
    double start = wf_now(step->system);
    double phi = wf_step_evaluate(step, work->x, WF_WANT_LINEARISE | want, work->gradient);
    double evaluated = wf_now(step->system);
    wf_step_blocks(step);
    wf_step_invert_diagonal(step, work->blocks.diagonal);
    wf_sweep_fill(&work->sweep, &work->blocks, work->linear, work->inverses);
    step->report->times.force += evaluated - start;
    step->report->times.build += wf_now(step->system) - evaluated;
    return phi;
}

static void row_product(void* context, const double* p, double* q) {
    const WfStep* step = context;
    wf_rows_product(&step->work->rows, &step->system->jobs, p, q);
    wf_step_add_outside(step, p, q);
}

static void beyond(void* context, const double* p, double* q) {
    wf_step_add_outside(context, p, q);
}

static void fill_diagonal(void* context, const double* layers, double* diagonal) {
    const WfStep* step = context;
    (void)layers;
    for (int i = 0; i < step->system->vertex_count; i++) {
        const double* d = step->work->blocks.diagonal + 6 * (long)i;
        diagonal[i] = d[0] + d[3] + d[5];
    }
}

// With contacts: sweeps that settle every vertex on its contacts, in place, from d on.
static void take_touching_sweeps(const WfStep* step, int sweeps) {
    WfWork* work = step->work;
    WfQuadratic model = {.context = (void*)step,
                         .product = row_product,
                         .fill_diagonal = fill_diagonal,
                         .rows = &work->rows,
                         .inverses = work->inverses,
                         .beyond = wf_step_has_outside(step) ? beyond : NULL,
                         .x = work->x,
                         .gradient = work->gradient};
    WfRequest request = {.ahead = work->direction, .sweeps = sweeps, .result = work->direction};
    int before = step->pace->done;
    wf_rows_fill(&work->rows, &step->system->jobs, &work->blocks, work->linear);
    wf_step_respond(step, WF_PLAN_RELAXATION, &model, &request);
    step->report->sweep_count += step->pace->done - before;
    for (long i = 0; i < 3L * step->system->vertex_count; i++) work->direction[i] -= work->x[i];
}

// x += d after the sweeps; d begins with h v where the step is `moving`.
static void take_newton_step(const WfStep* step, int sweeps, bool moving) {
    WfWork* work = step->work;
    WfVectors vectors = wf_step_vectors(step);
    double start = wf_now(step->system);
    if (moving) start_direction(step, work->direction);
    if (step->world) {
        if (!moving) memset(work->direction, 0, (size_t)vectors.n * sizeof(double));
        take_touching_sweeps(step, sweeps);
    } else {
        wf_sweep_begin(&work->sweep, -1, work->gradient, moving ? work->direction : NULL);
        take_sweeps(step, sweeps);
        wf_sweep_end(&work->sweep, work->direction);
    }
    wf_vector_axpy(&vectors, 1, work->direction, work->x);
    step->report->newton_steps++;
    if (!step->world) step->report->times.solve += wf_now(step->system) - start;
}

// ---------------------------------------------------------------------------------------------
// The guard. Few sweeps leave an error that may feed on itself, and what it gains shows in the
// energy (wf_step_gain). (The limit of the prefactored method, Phi(x') <= Phi(x(n)) + 0.05 |h v|^2,
// let one sweep at beta 10 gain 100 J.) Sweeps that gain give way to others from x(n) with the
// scalar Jacobian, which is above every true one: a viscous step, stable at any stiffness. They are
// Gauss-Seidel's, whatever the others were: Jacobi's may rise where triangles or hinges join more
// than two vertices.

static const double GAIN = 0.05;  // of the kinetic energies before and after, allowed in a step
enum { GUARD_SWEEPS = 2 };

static bool gains(const WfStep* step, double phi_start) {
    double began = wf_now(step->system);
    double phi = wf_step_evaluate(step, step->work->x, 0, NULL);
    WfGained gained = wf_step_gain(step, step->work->x, phi - phi_start);
    step->report->times.update += wf_now(step->system) - began;
    return !(gained.energy <= GAIN * gained.kinetic);
}

static void step_safely(const WfStep* step) {
    WfStep safe = *step;
    WeftStepDef def = *step->def;
    WfPace own = {0};  // these sweeps do not count
    safe.pace = &own;
    safe.def = &def;
    def.sweep = WEFT_SWEEP_GAUSS_SEIDEL;
    wf_step_start(step, WEFT_START_PREVIOUS, step->work->x);
    linearise(step, WF_WANT_SCALAR);
    take_newton_step(&safe, GUARD_SWEEPS, false);
    step->report->guard_count++;
}

// ---------------------------------------------------------------------------------------------

static double phi_at_start(const WfStep* step) {
    wf_step_start(step, WEFT_START_PREVIOUS, step->work->trial);
    return wf_step_evaluate(step, step->work->trial, 0, NULL);
}

static void solve(const WfStep* step) {
    const WeftStepDef* def = step->def;
    bool predicted = def->start == WEFT_START_PREDICTED;
    unsigned jacobian = wf_step_jacobian(step);
    double phi_start = def->guard && predicted ? phi_at_start(step) : HUGE_VAL;
    wf_step_start(step, def->start, step->work->x);
    for (int k = 0; k < WEFT_MAX_NEWTON && def->iterations[k] > 0; k++) {
        if (k > 0 && !wf_pace_allows(step->pace)) break;
        double phi = linearise(step, jacobian);
        if (k == 0 && predicted && !(phi <= phi_start)) {  // worse than no prediction
            wf_step_start(step, WEFT_START_PREVIOUS, step->work->x);
            phi = linearise(step, jacobian);
            predicted = false;
        }
        if (k == 0 && !predicted) phi_start = phi;
        take_newton_step(step, def->iterations[k], k == 0 && !predicted);
    }
    if (def->guard && gains(step, phi_start)) step_safely(step);
}

// ---------------------------------------------------------------------------------------------
// The class. Few sweeps move slowly what is far from rest: slow motion does not mean rest here.

static unsigned needs(const WeftStepDef* def, bool touches) {
    (void)def;
    return WF_NEED_BLOCKS | WF_NEED_SWEEPS | WF_NEED_INVERSES | (touches ? WF_NEED_ROWS : 0u);
}

static WeftResult check(const WfSystem* s, const WeftStepDef* asked, const WeftStepDef* resolved,
                        WeftError* error) {
    (void)s, (void)resolved;
    if (asked->scheme != WEFT_SCHEME_AUTO)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "relaxation solves nothing, so that no scheme applies; leave it auto");
    return WEFT_OK;
}

enum { DEFAULT_SWEEPS = 4 };

static void resolve(const WfSystem* s, WeftStepDef* def) {
    (void)s;
    if (!def->substeps) def->substeps = 1;
    if (!def->iterations[0]) def->iterations[0] = DEFAULT_SWEEPS;
}

static WfCostKind cost(const WeftStepDef* def) {
    (void)def;
    return WF_COST_SWEEP;
}

const WfMethod wf_relaxation = {.name = "relaxation",
                                .takes_sweeps = true,
                                .start = WEFT_START_PREVIOUS,
                                .needs = needs,
                                .check = check,
                                .resolve = resolve,
                                .cost = cost,
                                .solve = solve};
