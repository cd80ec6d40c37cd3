// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/cholesky.c and sparse/solve.c against CHOLMOD and Eigen: same solutions, to floats
// and refined to doubles, and as many numbers in L as there must be.

#include <cholmod.h>

#include <Eigen/SparseCholesky>
#include <vector>

#include "sparse_test.h"

using Columns = Eigen::Matrix<double, Eigen::Dynamic, 3>;
using Matrix = Eigen::SparseMatrix<double>;

// A factored matrix, a solution in float, and one refined; takes over the pattern.
struct Problem {
    int n;
    WfPattern pattern;
    std::vector<double> values, b, x, refined;
    TestSystem system;

    Problem(WfPattern taken, double beta, const int* order = nullptr)
        : n(taken.n), pattern(taken), x(3 * static_cast<size_t>(n)) {
        double* made = cloth_values(&pattern, beta);
        values.assign(made, made + pattern.start[n]);
        free(made);
        double* sides = random_sides(n);
        b.assign(sides, sides + 3 * n);
        free(sides);
        system = system_in_order(&pattern, order);
        CHECK(factor_system(&system, values.data(), nullptr) == -1);
        solve_system(&system, b.data(), x.data());
        refined = x;
        refine(&system, values.data(), nullptr, 3, b.data(), refined.data());
    }
    Problem(const Problem&) = delete;
    Problem& operator=(const Problem&) = delete;
    ~Problem() {
        release_system(&system);
        WeftAllocator allocator = wf_allocator(nullptr);
        wf_pattern_destroy(&allocator, &pattern);
    }

    // The largest difference of one of ours to a solution by columns, over the largest entry.
    double difference(const std::vector<double>& ours, const double* other) const {
        double most = 0, size = 0;
        for (int i = 0; i < n; i++) {
            for (int d = 0; d < 3; d++) {
                double x_id = ours[static_cast<size_t>(3 * i + d)];
                most = fmax(most, fabs(other[d * n + i] - x_id));
                size = fmax(size, fabs(x_id));
            }
        }
        return most / size;
    }

    void check(const double* other) const {
        CHECK_BELOW(difference(x, other), 2e-5);
        CHECK_BELOW(difference(refined, other), 1e-10);
    }
};

// ---------------------------------------------------------------------------------------------
// CHOLMOD

// The upper half as CHOLMOD takes it: by columns, which are the rows of a symmetric matrix.
static cholmod_sparse* upper_half(const Problem& p, cholmod_common* common) {
    size_t n = static_cast<size_t>(p.n), room = p.values.size();
    cholmod_sparse* A = cholmod_allocate_sparse(n, n, room, 1, 1, 1, CHOLMOD_REAL, common);
    int *start = static_cast<int*>(A->p), *index = static_cast<int*>(A->i), count = 0;
    double* value = static_cast<double*>(A->x);
    for (int j = 0; j < p.n; j++) {
        start[j] = count;
        for (int e = p.pattern.start[j]; e < p.pattern.start[j + 1]; e++) {
            if (p.pattern.index[e] > j) continue;
            index[count] = p.pattern.index[e];
            value[count++] = p.values[static_cast<size_t>(e)];
        }
    }
    start[p.n] = count;
    return A;
}

static cholmod_dense* right_sides(const Problem& p, cholmod_common* common) {
    size_t n = static_cast<size_t>(p.n);
    cholmod_dense* B = cholmod_allocate_dense(n, 3, n, CHOLMOD_REAL, common);
    for (int i = 0; i < p.n; i++)
        for (int d = 0; d < 3; d++)
            static_cast<double*>(B->x)[d * p.n + i] = p.b[static_cast<size_t>(3 * i + d)];
    return B;
}

// In the order that we were given: as many numbers in L, and the same solution.
static void check_cholmod(const Problem& p, int kind) {
    cholmod_common common;
    cholmod_start(&common);
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_GIVEN;
    common.postorder = kind == CHOLMOD_SUPERNODAL;
    common.supernodal = kind;
    common.final_ll = 1;
    cholmod_sparse* A = upper_half(p, &common);
    cholmod_dense* B = right_sides(p, &common);
    cholmod_factor* L = cholmod_analyze_p(A, p.system.order, nullptr, 0, &common);
    CHECK(static_cast<double>(p.system.cholesky.nodes.fill) == common.lnz);
    CHECK(cholmod_factorize(A, L, &common) && common.status == CHOLMOD_OK);
    cholmod_dense* X = cholmod_solve(CHOLMOD_A, L, B, &common);
    p.check(static_cast<double*>(X->x));
    cholmod_free_dense(&X, &common);
    cholmod_free_factor(&L, &common);
    cholmod_free_dense(&B, &common);
    cholmod_free_sparse(&A, &common);
    cholmod_finish(&common);
}

// ---------------------------------------------------------------------------------------------
// Eigen

static Eigen::Map<const Matrix> matrix_of(const Problem& p) {
    return Eigen::Map<const Matrix>(p.n, p.n, p.pattern.start[p.n], p.pattern.start,
                                    p.pattern.index, p.values.data());
}

// Three interleaved right-hand sides as columns.
static Columns columns_of(const std::vector<double>& sides, int n) {
    return Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>>(sides.data(), 3, n)
        .transpose();
}

static void check_eigen(const Problem& p) {
    Eigen::SimplicialLLT<Matrix> llt(matrix_of(p));
    CHECK(llt.info() == Eigen::Success);
    Columns X = llt.solve(columns_of(p.b, p.n));
    p.check(X.data());
}

// ---------------------------------------------------------------------------------------------
// Which matrices

static void check_all(const Problem& p) {
    check_cholmod(p, CHOLMOD_SIMPLICIAL);
    check_cholmod(p, CHOLMOD_SUPERNODAL);
    check_eigen(p);
}

// A cloth with second neighbours, renamed at random.
static WfPattern renamed_grid(int w, int h) {
    int* names = random_names(w * h);
    WfPattern pattern = grid_pattern(w, h, GRID_TWELVE, names);
    free(names);
    return pattern;
}

static void check_grid(int w, int h, double beta) { check_all(Problem(renamed_grid(w, h), beta)); }

static void one_vertex() { check_all(Problem(pattern_of(1, 0, nullptr), 1)); }
static void no_pair() { check_all(Problem(pattern_of(12, 0, nullptr), 1)); }
static void grid_169() { check_grid(13, 13, 100); }
static void grid_1089() { check_grid(33, 33, 100); }
static void grid_5476() { check_grid(74, 74, 100); }
static void long_grid() { check_grid(300, 12, 100); }
static void soft_grid() { check_grid(40, 40, 0.1); }
static void stiff_grid() { check_grid(40, 40, 16000); }

// Whatever the order, the fill is the one of that order.
static void any_order() {
    for (int k = 0; k < 4; k++) {
        WeftAllocator allocator = wf_allocator(nullptr);
        WfPattern pattern = renamed_grid(17, 15);
        int* order = random_names(pattern.n);
        if (k == 1) CHECK(wf_order_rcm(&allocator, &pattern, order) == WEFT_OK);
        if (k == 2) CHECK(wf_order_minimum_degree(&allocator, &pattern, order) == WEFT_OK);
        if (k == 3)
            CHECK(wf_order_nested(&allocator, &pattern, nullptr, nullptr, order) == WEFT_OK);
        check_all(Problem(pattern, 10, order));
        free(order);
    }
}

static void irregular() {
    for (int k = 1; k <= 8; k++) check_all(Problem(scattered_pattern(100 * k, 150 * k), 10));
    for (int k = 1; k <= 8; k++) check_all(Problem(scattered_pattern(150, 50 * k * k), 10));
}

// Hubs that are joined to many others, as buttons and seams are.
static void hubs() {
    std::vector<int> pairs;
    for (int i = 0; i + 1 < 900; i++) pairs.insert(pairs.end(), {i, i + 1});
    for (int h = 0; h < 900; h += 90)
        for (int k = 0; k < 60; k++) pairs.insert(pairs.end(), {h, random_below(900)});
    check_all(Problem(pattern_of(900, static_cast<int>(pairs.size() / 2), pairs.data()), 10));
}

// Grids of all sizes beside each other, and vertices that are joined to nothing.
static void several_components() {
    std::vector<int> pairs;
    int n = 7;
    for (int side = 2; side < 25; side += 3) {
        WfPattern grid = grid_pattern(side, side + 1, GRID_SIX, nullptr);
        for (int i = 0; i < grid.n; i++)
            for (int e = grid.start[i]; e < grid.start[i + 1]; e++)
                pairs.insert(pairs.end(), {n + i, n + grid.index[e]});
        n += grid.n + 1;
        WeftAllocator allocator = wf_allocator(nullptr);
        wf_pattern_destroy(&allocator, &grid);
    }
    check_all(Problem(pattern_of(n, static_cast<int>(pairs.size() / 2), pairs.data()), 100));
}

// With subtrees: more than one thread works on it.
static void large_grid() {
    Problem p(renamed_grid(120, 110), 100);
    CHECK(p.system.cholesky.nodes.subtree_count >= 16);
    check_cholmod(p, CHOLMOD_SUPERNODAL);
}

static void vertices_100000() {
    Problem p(grid_pattern(400, 250, GRID_TWELVE, nullptr), 100);
    check_cholmod(p, CHOLMOD_SUPERNODAL);
}

// ---------------------------------------------------------------------------------------------
// Residuals

static double residual(const Problem& p, const Columns& X, const Columns& B) {
    return (matrix_of(p) * X - B).norm() / B.norm();
}

// At the stiffness of real cloth, refined solves leave no more than rounding: Eigen's, in double
// all the way, no less.
static void stiff_residual_is_no_worse() {
    for (double beta : {100.0, 16000.0, 1e5}) {
        Problem p(renamed_grid(33, 33), beta);
        Eigen::SimplicialLLT<Matrix> llt(matrix_of(p));
        Columns B = columns_of(p.b, p.n), X = llt.solve(B);
        double ours = residual(p, columns_of(p.refined, p.n), B), theirs = residual(p, X, B);
        CHECK_BELOW(ours, 2 * theirs);
        if (beta <= 16000) CHECK_BELOW(ours, 1e-12);
    }
}

TEST_MAIN(CASE(one_vertex), CASE(no_pair), CASE(grid_169), CASE(grid_1089), CASE(grid_5476),
          CASE(long_grid), CASE(soft_grid), CASE(stiff_grid), CASE(any_order), CASE(irregular),
          CASE(hubs), CASE(several_components), CASE(large_grid), SLOW_CASE(vertices_100000),
          CASE(stiff_residual_is_no_worse))
