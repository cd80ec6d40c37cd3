// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The preconditioners. A = M + gamma^2 (sum k c c^T + bending) is what H would be if every fibre
// were stiff in all directions: right along the fibres, far too stiff across them. J, the diagonal
// blocks of H, is right in the small and blind in the large. Their symmetric product
//
//     JAJ:  z = w J r;  z += A^-1 (r - H z);  z += w J (r - H z)
//
// needs a third to a tenth of J's iterations. It is positive definite for w <= 2/(vertices per
// element), and hinges have four: w = 1/2. (0.7 took 25 iterations instead of 10 at 5476 vertices.)

#include "method/newton.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "base/vec.h"
#include "contact/world.h"
#include "respond/layers.h"
#include "weft/weft_study.h"

static const double SMOOTHING = 0.5;

static void assembled_product(void* context, const double* p, double* q) {
    const WfStep* step = ((const WfNewton*)context)->step;
    wf_rows_product(&step->work->rows, &step->system->jobs, p, q);
    wf_step_add_outside(step, p, q);
    wf_step_filter(step, q);
}

static void free_product(void* context, const double* p, double* q) {
    wf_step_product(((const WfNewton*)context)->step, p, q);
}

static void product(const WfNewton* newton, const double* p, double* q) {
    if (newton->assembled)
        assembled_product((void*)newton, p, q);
    else
        wf_step_product(newton->step, p, q);
    if (newton->step->world) {
        WfTouch touch = wf_step_touch(newton->step);
        wf_layers_add(&touch, p, q);
        wf_step_filter(newton->step, q);
    }
}

typedef struct DiagonalJob {
    const float* inverses;
    const double* r;
    double *z, weight;
    bool add;
    double* partial;  // r.z of each block, where it is wanted
    int n;
} DiagonalJob;

enum { DIAGONAL_BLOCK = WF_VECTOR_BLOCK / 3 };

static WF_INLINE WfVec multiply(const float* inverse, WfVec v) {
    double m[6];
    for (int k = 0; k < 6; k++) m[k] = (double)inverse[k];
    return wf_sym_mul(m, v);
}

static void diagonal_block(void* context, int block) {
    const DiagonalJob* job = context;
    int first = block * DIAGONAL_BLOCK;
    int end = first + DIAGONAL_BLOCK < job->n ? first + DIAGONAL_BLOCK : job->n;
    for (int i = first; i < end; i++) {
        WfVec z = multiply(job->inverses + 6 * (long)i, wf_load(job->r, i));
        if (job->add)
            wf_accumulate(job->z, i, job->weight, z);
        else
            wf_store(job->z, i, wf_mul(job->weight, z));
    }
    if (!job->partial) return;
    long at = 3L * first;
    job->partial[block] = wf_simd_dot(job->r + at, job->z + at, 3 * (end - first));
}

static int diagonal_blocks(const WfStep* step) {
    return (step->system->vertex_count + DIAGONAL_BLOCK - 1) / DIAGONAL_BLOCK;
}

// z = weight J r, or z += weight J r
static void apply_diagonal(const WfStep* step, double weight, const double* r, double* z,
                           bool add) {
    int n = step->system->vertex_count;
    DiagonalJob job = {step->work->inverses, r, z, weight, add, NULL, n};
    wf_parallel(&step->system->jobs, diagonal_blocks(step), diagonal_block, &job);
    wf_plane_filter(&step->system->mirror, z);  // inverses are floats
}

static double dot(const WfStep* step, const double* r, const double* z) {
    WfVectors vectors = wf_step_vectors(step);
    return wf_vector_dot(&vectors, r, z);
}

// with r.z block by block, while both are at hand
static double precondition_j(void* context, const double* r, double* z) {
    const WfStep* step = ((const WfNewton*)context)->step;
    double *partial = step->work->partial, sum = 0;
    DiagonalJob job = {step->work->inverses, r, z, 1, false, partial, step->system->vertex_count};
    wf_parallel(&step->system->jobs, diagonal_blocks(step), diagonal_block, &job);
    for (int i = 0; i < diagonal_blocks(step); i++) sum += partial[i];
    wf_plane_filter(&step->system->mirror, z);  // inverses are floats
    return sum;
}

static double precondition_a(void* context, const double* r, double* z) {
    const WfStep* step = ((const WfNewton*)context)->step;
    wf_step_solve(step, r, z);
    return dot(step, r, z);
}

// left = r - H z
static void remainder_of(const WfNewton* newton, const double* r, const double* z, double* left) {
    WfVectors vectors = wf_step_vectors(newton->step);
    product(newton, z, left);
    wf_vector_xpay(&vectors, r, -1, left);
}

static double precondition_jaj(void* context, const double* r, double* z) {
    const WfNewton* newton = context;
    const WfStep* step = newton->step;
    WfVectors vectors = wf_step_vectors(step);
    double* left = step->work->t;
    apply_diagonal(step, SMOOTHING, r, z, false);
    remainder_of(newton, r, z, left);
    wf_step_solve(step, left, left);
    wf_vector_axpy(&vectors, 1, left, z);
    remainder_of(newton, r, z, left);
    apply_diagonal(step, SMOOTHING, left, z, true);
    return dot(step, r, z);
}

static double precondition_none(void* context, const double* r, double* z) {
    const WfStep* step = ((const WfNewton*)context)->step;
    memcpy(z, r, 3 * (size_t)step->system->vertex_count * sizeof *z);
    return dot(step, r, z);
}

static bool go_on(void* context) { return wf_pace_go_on(((const WfNewton*)context)->step->pace); }

static void build(const WfNewton* newton) {
    WfWork* work = newton->step->work;
    bool inverses = newton->preconditioner == WF_PRECONDITION_J ||
                    newton->preconditioner == WF_PRECONDITION_JAJ;
    if (newton->assembled) wf_step_assemble(newton->step);
    if (!inverses || newton->step->world) return;  // with layers, they come later
    double* blocks = newton->assembled ? work->blocks.diagonal : work->p;  // and q behind it
    if (!newton->assembled) wf_step_diagonal(newton->step, blocks);
    wf_step_invert_diagonal(newton->step, blocks);
}

static double (*const preconditioners[])(void*, const double*, double*) = {
    precondition_j, precondition_a, precondition_jaj, precondition_none};

static WfCgResult solve(const WfNewton* newton, const double* b, const double* guess) {
    const WfStep* step = newton->step;
    WfWork* work = step->work;
    WfCg cg = {
        .vectors = wf_step_vectors(step),
        .context = (void*)newton,
        .product = newton->assembled ? assembled_product : free_product,
        .precondition = preconditioners[newton->preconditioner],
        .go_on = go_on,
        .tolerance = newton->tolerance,
        .max_iterations = newton->max_iterations,
        .r = work->r,
        .z = work->z,
        .p = work->p,
        .q = work->q,
    };
    if (guess) {
        for (int i = 0; i < cg.vectors.n; i++) work->direction[i] = -guess[i];
        wf_step_filter(step, work->direction);
    }
    return wf_cg_solve(&cg, b, work->direction, !guess);
}

// ---------------------------------------------------------------------------------------------
// With contacts: the same quadratic, in displacements from x(n)

// The largest sum of a row of a diagonal block: no eigenvalue is larger.
static double bound_block(const double m[6]) {
    double x = fabs(m[0]) + fabs(m[1]) + fabs(m[2]), y = fabs(m[1]) + fabs(m[3]) + fabs(m[4]);
    return fmax(fmax(x, y), fabs(m[2]) + fabs(m[4]) + fabs(m[5]));
}

// Smoothing sees the layers, too. Sweeps without rows take all vertices at once: half a step is
// safe then.
static void fill_diagonal(void* context, const double* layers, double* diagonal) {
    const WfNewton* newton = context;
    const WfStep* step = newton->step;
    double factor = newton->assembled ? 1 : 2, *blocks = step->work->blocks.diagonal;
    if (!newton->assembled) {
        blocks = step->work->p;  // and q behind it
        wf_step_diagonal(step, blocks);
    }
    for (int i = 0; i < step->system->vertex_count; i++)
        diagonal[i] = factor * bound_block(blocks + 6 * (long)i);
    if (newton->preconditioner == WF_PRECONDITION_A) return;
    for (int i = 0; i < step->system->vertex_count; i++)
        for (int k = 0; k < 6; k += k == 0 ? 3 : 2) blocks[6 * (long)i + k] += layers[i];
    wf_step_invert_diagonal(step, blocks);
}

static void beyond(void* context, const double* p, double* q) {
    wf_step_add_outside(((const WfNewton*)context)->step, p, q);
}

static WfResponse respond(const WfNewton* newton, const double* x) {
    const WfStep* step = newton->step;
    WfWork* work = step->work;
    bool ends = newton->tolerance > 0;  // solved to a tolerance
    WfPlanKind plan = !newton->assembled ? WF_PLAN_MATRIX_FREE
                      : ends             ? WF_PLAN_IMPLICIT
                                         : WF_PLAN_SCHEDULE;
    bool solves = newton->preconditioner == WF_PRECONDITION_A;
    WfQuadratic model = {.context = (void*)newton,
                         .product = newton->assembled ? assembled_product : free_product,
                         .precondition = preconditioners[newton->preconditioner],
                         .weak = newton->preconditioner == WF_PRECONDITION_J ||
                                 newton->preconditioner == WF_PRECONDITION_NONE,
                         .fill_diagonal = fill_diagonal,
                         .rows = newton->assembled ? &work->rows : NULL,
                         .inverses = solves ? NULL : work->inverses,
                         .beyond = newton->assembled && wf_step_has_outside(step) ? beyond : NULL,
                         .x = x,
                         .gradient = work->gradient};
    WfRequest request = {.iterations = newton->max_iterations,
                         .tolerance = newton->tolerance,
                         .result = work->direction};
    WfResponse response = wf_step_respond(step, plan, &model, &request);
    for (long i = 0; i < 3L * step->system->vertex_count; i++) work->direction[i] -= x[i];
    return response;
}

double wf_newton_direction(const WfNewton* newton, double* x, const double* guess) {
    const WfStep* step = newton->step;
    WeftStepReport* report = step->report;
    WfWork* work = step->work;
    long n = 3L * step->system->vertex_count;
    unsigned want = WF_WANT_LINEARISE | (newton->exact ? WF_WANT_EXACT : wf_step_jacobian(step));

    double start = wf_now(step->system);
    double phi = wf_step_evaluate(step, x, want, work->gradient);
    if (newton->choose_start && !(phi <= newton->phi_limit)) {
        wf_step_start(step, WEFT_START_PREVIOUS, x);
        phi = wf_step_evaluate(step, x, want, work->gradient);
    }
    double evaluated = wf_now(step->system);
    build(newton);
    double built = wf_now(step->system);
    WfCgResult cg = {0};
    if (step->world) {
        WfResponse response = respond(newton, x);
        cg.residual = response.residual;
        cg.converged = response.converged;
    } else {
        // solve for -d, so that the right-hand side is the gradient as it stands
        cg = solve(newton, work->gradient, guess);
        for (long i = 0; i < n; i++) work->direction[i] = -work->direction[i];
    }
    double solved = wf_now(step->system);

    report->times.force += evaluated - start;
    report->times.build += built - evaluated;
    if (!step->world) report->times.solve += solved - built;
    report->cg_iterations += cg.iterations;
    report->newton_steps++;
    report->residual = cg.residual;
    if (newton->exact && cg.negative_curvature) {  // clamped, then
        WfNewton clamped = *newton;
        clamped.exact = false;
        return wf_newton_direction(&clamped, x, guess);
    }
    if (newton->tolerance > 0 && !cg.converged) report->converged = false;
    return phi;
}

double wf_newton_reach(const WfStep* step) {
    double most = 0;
    for (long i = 0; i < 3L * step->system->vertex_count; i++)
        most = fmax(most, fabs(step->work->direction[i]));
    return most;
}
