// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/cg.c: solutions, stopping, warm starts, and what it says of matrices that are not
// positive definite.

#include "sparse/cg.h"

#include "sparse/blocks.h"
#include "sparse_test.h"

// A dense symmetric matrix and a diagonal preconditioner, counting the calls.
typedef struct Problem {
    int n;
    double* A;
    double* inverse;  // preconditioner; 1 where NULL
    int products;
} Problem;

static void dense_multiply(void* context, const double* p, double* q) {
    Problem* problem = context;
    problem->products++;
    for (int i = 0; i < problem->n; i++) {
        q[i] = 0;
        for (int j = 0; j < problem->n; j++) q[i] += problem->A[i * problem->n + j] * p[j];
    }
}

static double scale_diagonal(void* context, const double* r, double* z) {
    const Problem* problem = context;
    double sum = 0;
    for (int i = 0; i < problem->n; i++) {
        z[i] = problem->inverse ? problem->inverse[i] * r[i] : r[i];
        sum += r[i] * z[i];
    }
    return sum;
}

static const WeftJobs one_thread = {.thread_count = 1};

enum { MAX_N = 60 };

static WfCgResult solve(Problem* problem, const double* b, double* d, bool zero_start,
                        double tolerance, int max_iterations) {
    double scratch[4][MAX_N] = {{0}}, partial[1];
    WfCg cg = {.vectors = {&one_thread, problem->n, partial},
               .context = problem,
               .product = dense_multiply,
               .precondition = scale_diagonal,
               .tolerance = tolerance,
               .max_iterations = max_iterations,
               .r = scratch[0],
               .z = scratch[1],
               .p = scratch[2],
               .q = scratch[3]};
    problem->products = 0;
    return wf_cg_solve(&cg, b, d, zero_start);
}

// G^T G + shift, at random
static double* random_spd(int n, double shift) {
    double *G = malloc((size_t)(n * n) * 8 + 1), *A = calloc((size_t)(n * n) + 1, 8);
    for (int i = 0; i < n * n; i++) G[i] = random_unit();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) A[i * n + j] += G[k * n + i] * G[k * n + j];
            if (i == j) A[i * n + j] += shift;
        }
    free(G);
    return A;
}

static double residual(const Problem* problem, const double* b, const double* d) {
    double rr = 0, bb = 0;
    for (int i = 0; i < problem->n; i++) {
        double r = b[i];
        for (int j = 0; j < problem->n; j++) r -= problem->A[i * problem->n + j] * d[j];
        rr += r * r;
        bb += b[i] * b[i];
    }
    return sqrt(rr / bb);
}

static void random_systems(void) {
    for (int round = 0; round < 30; round++) {
        int n = 1 + random_below(MAX_N);
        double b[MAX_N], d[MAX_N], inverse[MAX_N];
        Problem problem = {.n = n, .A = random_spd(n, 0.5)};
        for (int i = 0; i < n; i++) b[i] = random_unit();
        for (int jacobi = 0; jacobi < 2; jacobi++) {
            for (int i = 0; i < n; i++) inverse[i] = 1 / problem.A[i * n + i];
            problem.inverse = jacobi ? inverse : NULL;
            WfCgResult result = solve(&problem, b, d, true, 1e-10, 1000);
            CHECK(result.converged && !result.negative_curvature);
            CHECK_BELOW(result.residual, 1.0001e-10);
            CHECK_BELOW(residual(&problem, b, d), 1e-9);
            CHECK(result.iterations == problem.products && result.iterations <= 4 * n);
        }
        free(problem.A);
    }
}

// As many iterations as different eigenvalues.
static void three_eigenvalues_take_three_iterations(void) {
    double A[MAX_N * MAX_N] = {0}, b[MAX_N], d[MAX_N];
    for (int i = 0; i < MAX_N; i++) {
        A[i * MAX_N + i] = 1 + 10 * (i % 3);
        b[i] = 1 + random_unit() / 2;
    }
    Problem problem = {.n = MAX_N, .A = A};
    WfCgResult result = solve(&problem, b, d, true, 1e-12, 100);
    CHECK(result.converged && result.iterations == 3);
    for (int i = 0; i < MAX_N; i++) CHECK_NEAR(d[i], b[i] / A[i * MAX_N + i], 1e-12);
}

// The exact inverse as the preconditioner: one iteration.
static void exact_preconditioner(void) {
    double A[16] = {2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 7};
    double inverse[4] = {1.0 / 2, 1.0 / 3, 1.0 / 5, 1.0 / 7}, b[4] = {1, 2, 3, 4}, d[4];
    Problem problem = {.n = 4, .A = A, .inverse = inverse};
    WfCgResult result = solve(&problem, b, d, true, 1e-14, 10);
    CHECK(result.converged && result.iterations == 1);
    CHECK_NEAR(d[3], 4.0 / 7, 1e-15);
}

static void nothing_to_solve(void) {
    double A[4] = {2, 1, 1, 2}, b[2] = {0, 0}, d[2] = {9, 9};
    Problem problem = {.n = 2, .A = A};
    WfCgResult result = solve(&problem, b, d, true, 1e-6, 10);
    CHECK(result.converged && result.iterations == 0 && result.residual == 0);
    CHECK(d[0] == 0 && d[1] == 0 && problem.products == 0);
    problem.n = 0;
    result = solve(&problem, b, d, true, 1e-6, 10);
    CHECK(result.converged && result.iterations == 0);
}

// A start that is not zero counts, even where the right-hand side is zero.
static void warm_start(void) {
    double A[4] = {2, 1, 1, 2}, b[2] = {3, 3}, d[2] = {1, 1};
    Problem problem = {.n = 2, .A = A};
    WfCgResult result = solve(&problem, b, d, false, 1e-12, 10);
    CHECK(result.converged && result.iterations == 0 && problem.products == 1);
    CHECK(d[0] == 1 && d[1] == 1);
    d[0] = 1.001;
    result = solve(&problem, b, d, false, 1e-2, 10);
    CHECK(result.converged && result.iterations == 0 && d[0] == 1.001);
    result = solve(&problem, b, d, false, 1e-12, 10);
    CHECK(result.converged && result.iterations > 0);
    CHECK_NEAR(d[0], 1, 1e-11);
}

// A fixed number of iterations, as the ladder asks for: tolerance 0 never stops before.
static void fixed_iterations(void) {
    double b[20], d[20], last = 1e300;
    Problem problem = {.n = 20, .A = random_spd(20, 1)};
    for (int i = 0; i < 20; i++) b[i] = random_unit();
    for (int k = 1; k < 12; k++) {
        WfCgResult result = solve(&problem, b, d, true, 0, k);
        CHECK(result.iterations == k && !result.converged && !result.negative_curvature);
        CHECK_NEAR(result.residual, residual(&problem, b, d), 1e-10);
        // the energy norm of the error falls: 1/2 d.Ad - b.d
        double energy = 0;
        for (int i = 0; i < 20; i++) {
            double Ad = 0;
            for (int j = 0; j < 20; j++) Ad += problem.A[i * 20 + j] * d[j];
            energy += d[i] * (Ad / 2 - b[i]);
        }
        CHECK(energy < last);
        last = energy;
    }
    free(problem.A);
}

static void too_few_iterations(void) {
    double b[20], d[20];
    Problem problem = {.n = 20, .A = random_spd(20, 0.01)};
    for (int i = 0; i < 20; i++) b[i] = random_unit();
    WfCgResult result = solve(&problem, b, d, true, 1e-10, 3);
    CHECK(!result.converged && result.iterations == 3 && result.residual > 1e-10);
    free(problem.A);
}

static void indefinite_matrix(void) {
    double A[4] = {1, 0, 0, -1}, b[2] = {0.1, 1}, d[2];
    Problem problem = {.n = 2, .A = A};
    WfCgResult result = solve(&problem, b, d, true, 1e-10, 10);
    CHECK(result.negative_curvature && !result.converged);
    CHECK(isfinite(d[0]) && isfinite(d[1]));
}

static void indefinite_preconditioner(void) {
    double A[4] = {1, 0, 0, 1}, inverse[2] = {-1, 1}, b[2] = {1, 0}, d[2];
    Problem problem = {.n = 2, .A = A, .inverse = inverse};
    WfCgResult result = solve(&problem, b, d, true, 1e-10, 10);
    CHECK(result.negative_curvature && !result.converged && result.iterations == 0);
}

static void not_a_number(void) {
    double A[4] = {(double)NAN, 0, 0, 1}, b[2] = {1, 1}, d[2];
    Problem problem = {.n = 2, .A = A};
    WfCgResult result = solve(&problem, b, d, true, 1e-10, 10);
    CHECK(!result.converged && result.iterations <= 1);
}

// Rows of zeros, as pinned vertices leave them: where the right-hand side is zero there too, the
// answer is.
static void filtered_rows(void) {
    double A[9] = {2, 0, 1, 0, 0, 0, 1, 0, 2}, b[3] = {1, 0, 1}, d[3];
    Problem problem = {.n = 3, .A = A};
    WfCgResult result = solve(&problem, b, d, true, 1e-12, 10);
    CHECK(result.converged && d[1] == 0);
    CHECK_NEAR(d[0], 1.0 / 3, 1e-12);
}

// Scaling a problem scales its solution and changes nothing else: the tolerance is relative.
static void scale_free(void) {
    double b[20], small[20], d[20], e[20];
    Problem problem = {.n = 20, .A = random_spd(20, 0.5)};
    for (int i = 0; i < 20; i++) small[i] = 0x1p-30 * (b[i] = random_unit());
    WfCgResult one = solve(&problem, b, d, true, 1e-6, 100);
    WfCgResult two = solve(&problem, small, e, true, 1e-6, 100);
    CHECK(one.iterations == two.iterations);
    for (int i = 0; i < 20; i++) CHECK(e[i] == 0x1p-30 * d[i]);
    free(problem.A);
}

TEST_MAIN(CASE(random_systems), CASE(three_eigenvalues_take_three_iterations),
          CASE(exact_preconditioner), CASE(nothing_to_solve), CASE(warm_start),
          CASE(fixed_iterations), CASE(too_few_iterations), CASE(indefinite_matrix),
          CASE(indefinite_preconditioner), CASE(not_a_number), CASE(filtered_rows),
          CASE(scale_free))
