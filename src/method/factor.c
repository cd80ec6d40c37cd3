// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "method/factor.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/plane.h"

// ---------------------------------------------------------------------------------------------
// Life

WeftResult wf_factor_create(const WfSystem* s, WfFactor* factor) {
    size_t n = (size_t)s->vertex_count;
    *factor = (WfFactor){0};
    factor->scales = wf_alloc(&s->allocator, (size_t)s->portion_count, sizeof(double));
    factor->matrix = wf_alloc(&s->allocator, (size_t)s->pattern.start[n], sizeof(double));
    factor->fixed = wf_alloc(&s->allocator, n, 1);
    factor->values = wf_alloc(&s->allocator, wf_cholesky_value_count(&s->cholesky), sizeof(float));
    bool good = factor->scales && factor->matrix && factor->fixed && factor->values;
    if (wf_system_is_half(s)) {
        factor->normal_matrix =
            wf_alloc(&s->allocator, (size_t)s->pattern.start[n], sizeof(double));
        good = good && factor->normal_matrix;
    }
    if (good) return WEFT_OK;
    wf_factor_destroy(s, factor);
    return WEFT_ERROR_MEMORY;
}

void wf_factor_destroy(const WfSystem* s, WfFactor* factor) {
    wf_free(&s->allocator, factor->scales);
    wf_free(&s->allocator, factor->matrix);
    wf_free(&s->allocator, factor->fixed);
    wf_free(&s->allocator, factor->values);
    wf_free(&s->allocator, factor->normal_matrix);
    *factor = (WfFactor){0};
}

size_t wf_factor_bytes(const WfSystem* s) {
    return wf_cholesky_value_count(&s->cholesky) * sizeof(float) +
           (size_t)s->pattern.start[s->vertex_count] * sizeof(double);
}

WeftResult wf_factor_create_work(const WfSystem* s, WfFactorWork* work) {
    size_t n = 3 * (size_t)s->vertex_count;
    *work = (WfFactorWork){0};
    WeftResult result = wf_cholesky_create_work(&s->allocator, &s->cholesky, &work->cholesky);
    work->slots = wf_alloc(&s->allocator, wf_solve_scratch_count(&s->cholesky), sizeof(float));
    work->b = wf_alloc(&s->allocator, n, sizeof(double));
    work->x = wf_alloc(&s->allocator, n, sizeof(double));
    work->r = wf_alloc(&s->allocator, n, sizeof(double));
    if (!result && work->slots && work->b && work->x && work->r) return WEFT_OK;
    wf_factor_destroy_work(s, work);
    return WEFT_ERROR_MEMORY;
}

void wf_factor_destroy_work(const WfSystem* s, WfFactorWork* work) {
    wf_cholesky_destroy_work(&s->allocator, &work->cholesky);
    wf_free(&s->allocator, work->slots);
    wf_free(&s->allocator, work->b);
    wf_free(&s->allocator, work->x);
    wf_free(&s->allocator, work->r);
    *work = (WfFactorWork){0};
}

// ---------------------------------------------------------------------------------------------
// Measuring

// A translation, noise, a slope: right-hand sides as large as the masses.
static void test_sides(const WfSystem* s, const WfFactor* factor, double* b) {
    unsigned noise = 1;
    for (int i = 0; i < s->vertex_count; i++) {
        double mass = factor->fixed[i] ? 0 : s->masses[i];
        noise = noise * 1664525u + 1013904223u;
        b[3 * (size_t)i] = mass;
        b[3 * (size_t)i + 1] = mass * ((double)(noise >> 8) / (1 << 23) - 1);
        b[3 * (size_t)i + 2] = mass * i / s->vertex_count;
    }
    wf_plane_filter(&s->mirror, b);
}

// r = b - A x on free rows
static void find_residual(const WfSystem* s, const WfFactor* factor, const WfFactorWork* work) {
    wf_factor_product(s, factor, work->x, work->r);
    for (int i = 0; i < s->vertex_count; i++)
        for (size_t k = 3 * (size_t)i; k < 3 * (size_t)i + 3; k++)
            work->r[k] = factor->fixed[i] ? 0 : work->b[k] - work->r[k];
    wf_plane_filter(&s->mirror, work->r);
}

// The largest of |a| / |b| over the three sides.
static double largest_ratio(const double* a, const double* b, size_t n) {
    double squares[3] = {0}, sizes[3] = {0}, largest = 0;
    for (size_t i = 0; i < n; i++) {
        squares[i % 3] += a[i] * a[i];
        sizes[i % 3] += b[i] * b[i];
    }
    for (int d = 0; d < 3; d++)
        if (sizes[d] > 0) largest = fmax(largest, sqrt(squares[d] / sizes[d]));
    return largest;
}

// The error of x is A^-1 (b - A x), near enough.
static void measure(const WfSystem* s, const WfFactorWork* work, WfFactor* factor) {
    test_sides(s, factor, work->b);
    wf_factor_solve(s, factor, NULL, work->slots, work->b, work->x);
    find_residual(s, factor, work);
    wf_factor_solve(s, factor, NULL, work->slots, work->r, work->r);
    factor->error = largest_ratio(work->r, work->x, 3 * (size_t)s->vertex_count);
}

// Floats are never better than that, whatever a factor with many pins seems to reach.
static const double FLOAT_ERROR = 1e-6;

bool wf_factor_refines(const WfFactor* factor, double tolerance) {
    return tolerance < fmax(factor->error, FLOAT_ERROR);
}

// ---------------------------------------------------------------------------------------------
// Making

// False where `like` is of no use.
static bool take_matrix(const WfSystem* s, double gamma, const double* scales, const WfFactor* like,
                        WfFactor* factor) {
    if (!like || !like->made || !wf_factor_fits(s, like, gamma, scales)) return false;
    if (like == factor) return true;
    size_t count = (size_t)s->pattern.start[s->vertex_count];
    memcpy(factor->matrix, like->matrix, count * sizeof(double));
    if (factor->normal_matrix)
        memcpy(factor->normal_matrix, like->normal_matrix, count * sizeof(double));
    return true;
}

void wf_factor_begin(const WfSystem* s, double gamma, const double* scales,
                     const unsigned char* pinned, const WfFactor* like, WfFactor* factor) {
    if (!take_matrix(s, gamma, scales, like, factor)) {
        wf_system_matrix(s, gamma, scales, factor->matrix);
        if (factor->normal_matrix) wf_system_normal_matrix(s, gamma, scales, factor->normal_matrix);
    }
    factor->gamma = gamma;
    factor->made = false;
    factor->next_node = 0;
    memcpy(factor->scales, scales, (size_t)s->portion_count * sizeof *scales);
    memcpy(factor->fixed, pinned, (size_t)s->vertex_count);
}

// Masses are positive and majorants not negative, so the matrix is positive definite.
static void finish(const WfSystem* s, int failed, const WfFactorWork* work, WfFactor* factor) {
    wf_assert(failed < 0);
    (void)failed;
    measure(s, work, factor);
    factor->made = true;
}

WfCholeskyInput wf_factor_input(const WfSystem* s, const WfFactor* factor) {
    return (WfCholeskyInput){.values = factor->matrix,
                             .fixed = factor->fixed,
                             .normal_values = factor->normal_matrix,
                             .normal_fixed = s->mirror.contains};
}

void wf_factor_advance(const WfSystem* s, int pieces, const WfFactorWork* work, WfFactor* factor) {
    WfCholeskyInput input = wf_factor_input(s, factor);
    int failed =
        wf_cholesky_factor_some(&s->cholesky, &input, factor->next_node, s->cholesky.flops / pieces,
                                &work->cholesky, factor->values, &factor->next_node);
    if (factor->next_node == s->cholesky.nodes.count) finish(s, failed, work, factor);
}

void wf_factor_make(const WfSystem* s, double gamma, const double* scales,
                    const unsigned char* pinned, const WfFactor* like, const WfFactorWork* work,
                    WfFactor* factor) {
    wf_factor_begin(s, gamma, scales, pinned, like, factor);
    WfCholeskyInput input = wf_factor_input(s, factor);
    double start = wf_now(s);
    int failed =
        wf_cholesky_factor(&s->cholesky, &s->jobs, &input, &work->cholesky, factor->values);
    factor->time = wf_now(s) - start;
    finish(s, failed, work, factor);
}

bool wf_factor_fits(const WfSystem* s, const WfFactor* factor, double gamma, const double* scales) {
    return factor->values && factor->gamma == gamma &&
           memcmp(factor->scales, scales, (size_t)s->portion_count * sizeof *scales) == 0;
}

// Where A differs along the normal, of what is across.
static void add_normal_product(const WfSystem* s, const WfFactor* factor, const double* p,
                               double* q) {
    const WfPattern* pattern = &s->pattern;
    WfVec n = s->mirror.normal;
    for (int k = 0; k < s->across_count; k++) {
        int i = s->across[k];
        double sum = 0;
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
            double more = factor->normal_matrix[e] - factor->matrix[e];
            if (more != 0) sum += more * wf_dot(n, wf_load(p, pattern->index[e]));
        }
        wf_accumulate(q, i, sum, n);
    }
}

void wf_factor_product(const WfSystem* s, const WfFactor* factor, const double* p, double* q) {
    wf_scalar_product(&s->pattern, factor->matrix, &s->jobs, p, q);
    if (factor->normal_matrix) add_normal_product(s, factor, p, q);
}

WfSolve wf_factor_solver(const WfSystem* s, const WfFactor* factor, float* slots) {
    bool half = wf_system_is_half(s);
    bool turned = s->mirror.normal.x != 1;  // else the frame is that of space
    return (WfSolve){.cholesky = &s->cholesky,
                     .kernel = s->kernel,
                     .jobs = &s->jobs,
                     .factor = factor->values,
                     .slots = slots,
                     .has_normal = half,
                     .frame = half && turned ? s->mirror_frame : NULL};
}

void wf_factor_solve(const WfSystem* s, const WfFactor* factor, const WfExchange* exchange,
                     float* slots, const double* b, double* x) {
    WfSolve solve = wf_factor_solver(s, factor, slots);
    double solution[WF_MAX_COLUMNS][3];
    if (!exchange) {
        wf_solve(&solve, b, x);
        return;
    }
    double scale = wf_solve_load(&solve, b);
    wf_solve_forward(&solve);
    wf_exchange_apply(exchange, &solve, solution);
    wf_solve_backward(&solve);
    wf_exchange_finish(exchange, &solve, solution);
    wf_solve_store(&solve, scale, x);
}
