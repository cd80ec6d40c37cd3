// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sparse/cholesky.c against CHOLMOD and Eigen: same solutions, and the fill as it must be.

#include <cholmod.h>

#include <Eigen/SparseCholesky>
#include <vector>

#include "sparse_test.h"

using Columns = Eigen::Matrix<double, Eigen::Dynamic, 3>;

// A square cloth of side x side vertices with second neighbours, renamed at random.
struct Cloth {
    int n;
    WfPattern pattern;
    std::vector<double> values, b, x;
    TestSystem system;

    Cloth(int side, double beta) : n(side * side), x(3 * static_cast<size_t>(n)) {
        int* names = random_names(n);
        pattern = grid_pattern(side, side, GRID_TWELVE, names);
        free(names);
        double* made = cloth_values(&pattern, beta);
        values.assign(made, made + pattern.start[n]);
        free(made);
        double* sides = random_sides(n);
        b.assign(sides, sides + 3 * n);
        free(sides);
        system = system_of(&pattern);
        CHECK(wf_cholesky_factor(&system.cholesky, values.data(), nullptr, system.factor) == -1);
        wf_cholesky_solve(&system.cholesky, system.factor, b.data(), x.data(), system.scratch);
    }
    Cloth(const Cloth&) = delete;
    Cloth& operator=(const Cloth&) = delete;
    ~Cloth() {
        release_system(&system);
        WeftAllocator allocator = wf_allocator(nullptr);
        wf_pattern_destroy(&allocator, &pattern);
    }

    // The largest difference to a solution by columns, over the largest entry.
    double difference(const double* other) const {
        double most = 0, size = 0;
        for (int i = 0; i < n; i++) {
            for (int d = 0; d < 3; d++) {
                most = fmax(most, fabs(other[d * n + i] - x[3 * i + d]));
                size = fmax(size, fabs(x[3 * i + d]));
            }
        }
        return most / size;
    }
};

// The upper half as CHOLMOD takes it: by columns, which are the rows of a symmetric matrix.
static cholmod_sparse* upper_half(const Cloth& cloth, cholmod_common* common) {
    size_t n = static_cast<size_t>(cloth.n), room = cloth.values.size();
    cholmod_sparse* A = cholmod_allocate_sparse(n, n, room, 1, 1, 1, CHOLMOD_REAL, common);
    int *start = static_cast<int*>(A->p), *index = static_cast<int*>(A->i), count = 0;
    double* value = static_cast<double*>(A->x);
    for (int j = 0; j < cloth.n; j++) {
        start[j] = count;
        for (int e = cloth.pattern.start[j]; e < cloth.pattern.start[j + 1]; e++) {
            if (cloth.pattern.index[e] > j) continue;
            index[count] = cloth.pattern.index[e];
            value[count++] = cloth.values[static_cast<size_t>(e)];
        }
    }
    start[cloth.n] = count;
    return A;
}

static cholmod_dense* right_sides(const Cloth& cloth, cholmod_common* common) {
    size_t n = static_cast<size_t>(cloth.n);
    cholmod_dense* B = cholmod_allocate_dense(n, 3, n, CHOLMOD_REAL, common);
    for (int i = 0; i < cloth.n; i++)
        for (int d = 0; d < 3; d++)
            static_cast<double*>(B->x)[d * cloth.n + i] = cloth.b[static_cast<size_t>(3 * i + d)];
    return B;
}

// CHOLMOD in our order: the non-zeros of its L all lie in our envelope.
static void check_cholmod(int side) {
    Cloth cloth(side, 100);
    cholmod_common common;
    cholmod_start(&common);
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_GIVEN;
    common.postorder = 0;
    common.supernodal = CHOLMOD_SIMPLICIAL;
    common.final_ll = 1;
    cholmod_sparse* A = upper_half(cloth, &common);
    cholmod_dense* B = right_sides(cloth, &common);
    cholmod_factor* L = cholmod_analyze_p(A, cloth.system.order, nullptr, 0, &common);
    CHECK(cholmod_factorize(A, L, &common) && common.status == CHOLMOD_OK);
    cholmod_dense* X = cholmod_solve(CHOLMOD_A, L, B, &common);
    CHECK_BELOW(cloth.difference(static_cast<double*>(X->x)), 1e-10);
    double ours = static_cast<double>(wf_cholesky_value_count(&cloth.system.cholesky));
    CHECK(ours >= common.lnz);
    CHECK_BELOW(ours, 1.3 * common.lnz);  // few holes
    cholmod_free_dense(&X, &common);
    cholmod_free_factor(&L, &common);
    cholmod_free_dense(&B, &common);
    cholmod_free_sparse(&A, &common);
    cholmod_finish(&common);
}

using Matrix = Eigen::SparseMatrix<double>;

static Eigen::Map<const Matrix> matrix_of(const Cloth& cloth) {
    return Eigen::Map<const Matrix>(cloth.n, cloth.n, cloth.pattern.start[cloth.n],
                                    cloth.pattern.start, cloth.pattern.index, cloth.values.data());
}

// Three interleaved right-hand sides as columns.
static Columns columns_of(const std::vector<double>& sides, int n) {
    return Eigen::Map<const Eigen::Matrix<double, 3, Eigen::Dynamic>>(sides.data(), 3, n)
        .transpose();
}

static void check_eigen(int side) {
    Cloth cloth(side, 100);
    Eigen::SimplicialLLT<Matrix> llt(matrix_of(cloth));
    CHECK(llt.info() == Eigen::Success);
    Columns X = llt.solve(columns_of(cloth.b, cloth.n));
    CHECK_BELOW(cloth.difference(X.data()), 1e-10);
}

// The residual of a stiff system is that of rounding: Eigen's is no smaller.
static void stiff_residual_is_no_worse() {
    Cloth cloth(33, 1e5);
    Eigen::SimplicialLLT<Matrix> llt(matrix_of(cloth));
    Columns B = columns_of(cloth.b, cloth.n), X = llt.solve(B);
    double ours = (matrix_of(cloth) * columns_of(cloth.x, cloth.n) - B).norm() / B.norm();
    double theirs = (matrix_of(cloth) * X - B).norm() / B.norm();
    CHECK_BELOW(ours, 2 * theirs);
}

static void cholmod_169() { check_cholmod(13); }
static void cholmod_1089() { check_cholmod(33); }
static void cholmod_5476() { check_cholmod(74); }
static void eigen_169() { check_eigen(13); }
static void eigen_1089() { check_eigen(33); }
static void eigen_5476() { check_eigen(74); }

TEST_MAIN(CASE(cholmod_169), CASE(cholmod_1089), CASE(cholmod_5476), CASE(eigen_169),
          CASE(eigen_1089), CASE(eigen_5476), CASE(stiff_residual_is_no_worse))
