// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Each library at its best: what can be allocated beforehand is, the numbers lie as the library
// likes them (columns of a dense matrix), and the sides are solved together or one by one,
// whichever the caller finds faster.

#include "direct.h"

#include <cholmod.h>
#include <dlfcn.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>

struct Direct {
    virtual ~Direct() = default;
    virtual bool analyse() = 0;
    virtual bool factor() = 0;
    virtual void set_sides(const double* b) = 0;
    virtual bool solve(bool one_by_one) = 0;
    virtual void get_solution(double* x) const = 0;

    DirectInfo info{};
};

namespace {

// ---------------------------------------------------------------------------------------------
// CHOLMOD

enum class Form { ll, ldl, supernodal };

class Cholmod : public Direct {
   public:
    Cholmod(const DirectMatrix& matrix, Form form, int ordering);
    ~Cholmod() override;
    bool analyse() override;
    bool factor() override;
    void set_sides(const double* b) override;
    bool solve(bool one_by_one) override;
    void get_solution(double* x) const override;

   private:
    // right-hand sides, solutions and workspace for a number of columns at once
    struct Sides {
        cholmod_dense right{};
        cholmod_dense *solution = nullptr, *y = nullptr, *e = nullptr;
    };
    bool solve_sides(Sides& sides);

    cholmod_common common_{};
    std::vector<int> start_, index_;  // the upper half, column by column
    std::vector<double> values_, right_;
    cholmod_sparse matrix_{};
    cholmod_factor* factor_ = nullptr;
    Sides together_, single_[3];
    bool one_by_one_ = false;
};

Cholmod::Cholmod(const DirectMatrix& matrix, Form form, int ordering) : start_(1, 0) {
    // of a symmetric matrix the upper half of column j is row j up to the diagonal
    for (int j = 0; j < matrix.n; j++) {
        for (int e = matrix.start[j]; e < matrix.start[j + 1]; e++)
            if (matrix.index[e] <= j) {
                index_.push_back(matrix.index[e]);
                values_.push_back(matrix.values[e]);
            }
        start_.push_back(int(index_.size()));
    }
    right_.resize(3 * size_t(matrix.n));
    cholmod_start(&common_);
    common_.nmethods = 1;
    common_.method[0].ordering = ordering;
    common_.supernodal = form == Form::supernodal ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
    common_.final_ll = form == Form::ll;
    matrix_.nrow = matrix_.ncol = size_t(matrix.n);
    matrix_.nzmax = index_.size();
    matrix_.p = start_.data();
    matrix_.i = index_.data();
    matrix_.x = values_.data();
    matrix_.stype = 1;
    matrix_.itype = CHOLMOD_INT;
    matrix_.xtype = CHOLMOD_REAL;
    matrix_.dtype = CHOLMOD_DOUBLE;
    matrix_.sorted = matrix_.packed = 1;
    for (int c = -1; c < 3; c++) {
        cholmod_dense& right = c < 0 ? together_.right : single_[c].right;
        right.nrow = right.d = matrix_.nrow;
        right.ncol = c < 0 ? 3 : 1;
        right.nzmax = right.nrow * right.ncol;
        right.x = right_.data() + (c > 0 ? size_t(c) * right.nrow : 0);
        right.xtype = CHOLMOD_REAL;
        right.dtype = CHOLMOD_DOUBLE;
    }
}

Cholmod::~Cholmod() {
    for (int c = -1; c < 3; c++) {
        Sides& sides = c < 0 ? together_ : single_[c];
        cholmod_free_dense(&sides.solution, &common_);
        cholmod_free_dense(&sides.y, &common_);
        cholmod_free_dense(&sides.e, &common_);
    }
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
}

bool Cholmod::analyse() {
    cholmod_free_factor(&factor_, &common_);
    factor_ = cholmod_analyze(&matrix_, &common_);
    info.nonzeros = (long long)common_.lnz;
    return factor_ && common_.status == CHOLMOD_OK;
}

bool Cholmod::factor() {
    if (!cholmod_factorize(&matrix_, factor_, &common_) || common_.status != CHOLMOD_OK)
        return false;
    double count = double(info.nonzeros);
    info.factor_bytes = factor_->is_super
                            ? 8.0 * double(factor_->xsize) + 4.0 * double(factor_->ssize)
                            : 12 * count;
    return true;
}

void Cholmod::set_sides(const double* b) {
    size_t n = matrix_.nrow;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < 3; c++) right_[c * n + i] = b[3 * i + c];
}

bool Cholmod::solve_sides(Sides& sides) {
    return cholmod_solve2(CHOLMOD_A, factor_, &sides.right, nullptr, &sides.solution, nullptr,
                          &sides.y, &sides.e, &common_);
}

bool Cholmod::solve(bool one_by_one) {
    one_by_one_ = one_by_one;
    if (!one_by_one) return solve_sides(together_);
    return solve_sides(single_[0]) && solve_sides(single_[1]) && solve_sides(single_[2]);
}

void Cholmod::get_solution(double* x) const {
    size_t n = matrix_.nrow;
    for (size_t c = 0; c < 3; c++) {
        const cholmod_dense* solution = one_by_one_ ? single_[c].solution : together_.solution;
        const double* column = static_cast<double*>(solution->x) + (one_by_one_ ? 0 : c * n);
        for (size_t i = 0; i < n; i++) x[3 * i + c] = column[i];
    }
}

// ---------------------------------------------------------------------------------------------
// Eigen

template <class Solver>
class EigenDirect : public Direct {
   public:
    using Matrix = typename Solver::MatrixType;
    using Scalar = typename Matrix::Scalar;
    using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, 3>;

    explicit EigenDirect(const DirectMatrix& matrix) : matrix_(matrix.n, matrix.n) {
        std::vector<Eigen::Triplet<Scalar>> entries;
        for (int i = 0; i < matrix.n; i++)
            for (int e = matrix.start[i]; e < matrix.start[i + 1]; e++)
                entries.emplace_back(i, matrix.index[e], Scalar(matrix.values[e]));
        matrix_.setFromTriplets(entries.begin(), entries.end());
        right_ = solution_ = Dense::Zero(matrix.n, 3);
        info.is_float = sizeof(Scalar) == sizeof(float);
    }

    bool analyse() override {
        solver_.analyzePattern(matrix_);
        return true;
    }

    bool factor() override {
        solver_.factorize(matrix_);
        if (solver_.info() != Eigen::Success) return false;
        // what is kept of LDL^T is without the diagonal
        const auto& kept = solver_.matrixL().nestedExpression();
        bool diagonal = kept.nonZeros() > 0 && kept.innerIndexPtr()[0] == 0;
        info.nonzeros = kept.nonZeros() + (diagonal ? 0 : kept.cols());
        info.factor_bytes = double(info.nonzeros) * double(sizeof(Scalar) + sizeof(int));
        return true;
    }

    void set_sides(const double* b) override {
        for (Eigen::Index i = 0; i < right_.rows(); i++)
            for (int c = 0; c < 3; c++) right_(i, c) = Scalar(b[3 * i + c]);
    }

    bool solve(bool one_by_one) override {
        if (!one_by_one) solution_ = solver_.solve(right_);
        for (int c = 0; c < 3 && one_by_one; c++) solution_.col(c) = solver_.solve(right_.col(c));
        return true;
    }

    void get_solution(double* x) const override {
        for (Eigen::Index i = 0; i < solution_.rows(); i++)
            for (int c = 0; c < 3; c++) x[3 * i + c] = double(solution_(i, c));
    }

   private:
    Matrix matrix_;
    Solver solver_;
    Dense right_, solution_;
};

template <class Scalar>
using Llt =
    Eigen::SimplicialLLT<Eigen::SparseMatrix<Scalar>, Eigen::Lower, Eigen::AMDOrdering<int>>;
template <class Scalar>
using Ldlt =
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<Scalar>, Eigen::Lower, Eigen::AMDOrdering<int>>;

// ---------------------------------------------------------------------------------------------

template <Form form, int ordering>
Direct* make_cholmod(const DirectMatrix& matrix) {
    return new Cholmod(matrix, form, ordering);
}

template <class Solver>
Direct* make_eigen(const DirectMatrix& matrix) {
    return new EigenDirect<Solver>(matrix);
}

const struct {
    const char* name;
    bool is_cholmod;
    Direct* (*make)(const DirectMatrix&);
} solvers[] = {
    {"cholmod ll, amd", true, make_cholmod<Form::ll, CHOLMOD_AMD>},
    {"cholmod ll, metis", true, make_cholmod<Form::ll, CHOLMOD_METIS>},
    {"cholmod ldl, amd", true, make_cholmod<Form::ldl, CHOLMOD_AMD>},
    {"cholmod ldl, metis", true, make_cholmod<Form::ldl, CHOLMOD_METIS>},
    {"cholmod supernodal, amd", true, make_cholmod<Form::supernodal, CHOLMOD_AMD>},
    {"cholmod supernodal, metis", true, make_cholmod<Form::supernodal, CHOLMOD_METIS>},
    {"eigen llt, amd", false, make_eigen<Llt<double>>},
    {"eigen ldlt, amd", false, make_eigen<Ldlt<double>>},
    {"eigen llt float, amd", false, make_eigen<Llt<float>>},
    {"eigen ldlt float, amd", false, make_eigen<Ldlt<float>>},
};

}  // namespace

int direct_count(void) { return int(sizeof solvers / sizeof *solvers); }

Direct* create_direct(int which, const DirectMatrix* matrix) {
    try {
        Direct* direct = solvers[which].make(*matrix);
        direct->info.name = solvers[which].name;
        direct->info.is_cholmod = solvers[which].is_cholmod;
        return direct;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void destroy_direct(Direct* direct) { delete direct; }

DirectInfo direct_info(const Direct* direct) { return direct->info; }

bool analyse_direct(Direct* direct) {
    try {
        return direct->analyse();
    } catch (const std::bad_alloc&) {
        return false;
    }
}

bool factor_direct(Direct* direct) {
    try {
        return direct->factor();
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void set_direct_sides(Direct* direct, const double* b) { direct->set_sides(b); }

bool solve_direct(Direct* direct, bool one_by_one) {
    try {
        return direct->solve(one_by_one);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void get_direct_solution(const Direct* direct, double* x) { direct->get_solution(x); }

const char* direct_blas(void) {
    static char text[64];
    // which BLAS is found is decided when the program starts
    auto config = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_config"));
    auto threads = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
    if (threads) threads(1);
    if (!config) return "not OpenBLAS";
    std::snprintf(text, sizeof text, "%s", config());
    // "OpenBLAS 0.3.21 NO_LAPACKE ...": name and version
    char* second = std::strchr(text, ' ');
    if (char* third = second ? std::strchr(second + 1, ' ') : nullptr) *third = 0;
    return text;
}
