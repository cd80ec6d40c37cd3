// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One conventional implicit Euler step with Eigen's conjugate gradients, for comparison with ours:
//
//     (M + h^2 K(x)) d = h M v + h^2 F(x),   x' = x + d,   v' = d / h
//
// K is the clamped stiffness of the springs and the constant one of the hinges; rows and columns of
// pinned vertices are left out. The same system, tolerance, preconditioner (3x3 blocks of the
// diagonal) and first guess (to where the motion so far points) as WEFT_METHOD_IMPLICIT with order
// 1 and WEFT_START_PREVIOUS, on one thread.
//
// Written to be fast within what Eigen offers. Masses and bending do not change: they are entered
// once, and a step copies them and adds its springs at places found beforehand. Bending couples x
// with x only, so that pairs which only a hinge joins have three entries, not nine. The full matrix
// (Lower | Upper) is what Eigen's manual advises; half of it (Upper) is the fastest on one thread.

#include "eigen_step.h"

#include <Eigen/Dense>
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <algorithm>
#include <new>
#include <vector>
#include "weft/weft_study.h"

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Triplet = Eigen::Triplet<double>;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// The inverses of the 3x3 blocks of the diagonal, in the shape Eigen wants a preconditioner.
class BlockJacobi {
   public:
    using StorageIndex = Matrix::StorageIndex;
    enum { ColsAtCompileTime = Eigen::Dynamic, MaxColsAtCompileTime = Eigen::Dynamic };

    Eigen::Index rows() const { return 3 * Eigen::Index(inverses_.size()); }
    Eigen::Index cols() const { return rows(); }
    Eigen::ComputationInfo info() const { return Eigen::Success; }

    template <class M>
    BlockJacobi& analyzePattern(const M&) {
        return *this;
    }

    template <class M>
    BlockJacobi& factorize(const M& matrix) {
        inverses_.resize(size_t(matrix.cols() / 3));
        for (Eigen::Index block = 0; block < matrix.cols() / 3; block++) {
            Matrix3d diagonal = Matrix3d::Zero();
            for (int c = 0; c < 3; c++)
                for (typename M::InnerIterator entry(matrix, 3 * block + c); entry; ++entry) {
                    Eigen::Index row = entry.row() - 3 * block;
                    if (row >= 3) break;
                    if (row >= 0) diagonal(row, c) = diagonal(c, row) = entry.value();
                }
            inverses_[size_t(block)] = diagonal.inverse();
        }
        return *this;
    }

    template <class M>
    BlockJacobi& compute(const M& matrix) {
        return factorize(matrix);
    }

    template <class Right, class Result>
    void _solve_impl(const Right& b, Result& x) const {
        for (Eigen::Index i = 0; i < Eigen::Index(inverses_.size()); i++)
            x.template segment<3>(3 * i).noalias() =
                inverses_[size_t(i)] * b.template segment<3>(3 * i);
    }

    template <class Right>
    const Eigen::Solve<BlockJacobi, Right> solve(const Eigen::MatrixBase<Right>& b) const {
        return Eigen::Solve<BlockJacobi, Right>(*this, b.derived());
    }

   private:
    std::vector<Matrix3d> inverses_;
};

using FullSolver = Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, BlockJacobi>;
using HalfSolver = Eigen::ConjugateGradient<Matrix, Eigen::Upper, BlockJacobi>;

// h^2 times force and stiffness of a spring
struct SpringTerm {
    Vector3d force;  // on the first vertex
    Matrix3d block;  // of the diagonal; the others are its negative
};

SpringTerm evaluate(const Spring& spring, const VectorXd& x, double scale) {
    Vector3d w = x.segment<3>(3 * spring.vertices[1]) - x.segment<3>(3 * spring.vertices[0]);
    double l = w.norm(), k = scale * spring.stiffness, t = std::max(1 - spring.length / l, 0.0);
    Vector3d u = w / l;
    SpringTerm term;
    term.force = k * (l - spring.length) * u;
    term.block = (k * (1 - t)) * (u * u.transpose());
    term.block.diagonal().array() += k * t;
    return term;
}

}  // namespace

struct EigenStep {
    EigenStep(const Net* net, EigenFill fill, double h, const double* g, double tolerance,
              double (*now)(void*));

    void reset();
    void take(EigenReport* report);

    const Net* net;
    EigenFill fill;
    double h;
    Vector3d gravity;
    double (*now)(void*);

    VectorXd x, x1, x2, v;          // of all vertices
    std::vector<int> row;           // first row of a vertex; -1: pinned
    std::vector<SpringTerm> terms;  // of the springs
    VectorXd right, guess;          // of free vertices
    Matrix matrix;
    std::vector<Triplet> constants, triplets;
    VectorXd constant_values;        // of the matrix without springs
    std::vector<int> spring_places;  // 12 per spring: the columns of its four blocks; -1: none
    FullSolver full;
    HalfSolver half;

   private:
    void enter(std::vector<Triplet>& list, int i, int j, double value) const;
    void enter_constants();
    void enter_springs();
    void find_places();
    void evaluate_springs();
    void make_right();
    void fill_in_place();
    void make_guess();
    void move(const VectorXd& d);
};

EigenStep::EigenStep(const Net* cloth, EigenFill how, double dt, const double* g, double tolerance,
                     double (*clock)(void*))
    : net(cloth), fill(how), h(dt), gravity(g[0], g[1], g[2]), now(clock) {
    int count = 0;
    for (int i = 0; i < net->vertex_count; i++) row.push_back(net->pinned[i] ? -1 : 3 * count++);
    right.resize(3 * count);
    guess.resize(3 * count);
    terms.resize(size_t(net->spring_count));
    matrix.resize(3 * count, 3 * count);
    full.setTolerance(tolerance);
    full.setMaxIterations(1000);
    half.setTolerance(tolerance);
    half.setMaxIterations(1000);
    reset();
    enter_constants();
    if (fill != EIGEN_FILL_TRIPLETS) find_places();
}

void EigenStep::reset() {
    x = Eigen::Map<const VectorXd>(net->positions, 3 * net->vertex_count);
    x1 = x2 = x;
    v = VectorXd::Zero(x.size());
}

void EigenStep::enter(std::vector<Triplet>& list, int i, int j, double value) const {
    if (i <= j || fill != EIGEN_FILL_UPPER) list.emplace_back(i, j, value);
}

// Masses and bending, as triplets.
void EigenStep::enter_constants() {
    for (int i = 0; i < net->vertex_count; i++)
        for (int c = 0; c < 3 && row[size_t(i)] >= 0; c++)
            enter(constants, row[size_t(i)] + c, row[size_t(i)] + c, net->masses[i]);
    for (int e = 0; e < net->hinge_count; e++) {
        const Hinge& hinge = net->hinges[e];
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++) {
                int i = row[size_t(hinge.vertices[a])], j = row[size_t(hinge.vertices[b])];
                double k = h * h * hinge.stiffness * hinge.weights[a] * hinge.weights[b];
                for (int c = 0; c < 3 && i >= 0 && j >= 0; c++) enter(constants, i + c, j + c, k);
            }
    }
}

void EigenStep::enter_springs() {
    for (int e = 0; e < net->spring_count; e++)
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++) {
                const Spring& spring = net->springs[e];
                int i = row[size_t(spring.vertices[a])], j = row[size_t(spring.vertices[b])];
                double sign = a == b ? 1 : -1;
                for (int c = 0; c < 9 && i >= 0 && j >= 0; c++)
                    enter(triplets, i + c % 3, j + c / 3,
                          sign * terms[size_t(e)].block(c % 3, c / 3));
            }
}

// The pattern with all entries, the constant ones filled in, and where springs add theirs.
void EigenStep::find_places() {
    for (SpringTerm& term : terms) term.block.setZero();
    triplets = constants;
    enter_springs();
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    constant_values = Eigen::Map<VectorXd>(matrix.valuePtr(), matrix.nonZeros());
    const int *outer = matrix.outerIndexPtr(), *inner = matrix.innerIndexPtr();
    for (int e = 0; e < net->spring_count; e++)
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                for (int c = 0; c < 3; c++) {
                    int i = row[size_t(net->springs[e].vertices[a])];
                    int j = row[size_t(net->springs[e].vertices[b])];
                    // rows i, i + 1, i + 2 of a column lie side by side
                    int place = -1;
                    if (i >= 0 && j >= 0 && (i <= j || fill != EIGEN_FILL_UPPER))
                        place = int(
                            std::lower_bound(inner + outer[j + c], inner + outer[j + c + 1], i) -
                            inner);
                    spring_places.push_back(place);
                }
}

void EigenStep::evaluate_springs() {
    for (int e = 0; e < net->spring_count; e++)
        terms[size_t(e)] = evaluate(net->springs[e], x, h * h);
}

// right = h M v + h^2 F(x)
void EigenStep::make_right() {
    VectorXd all(x.size());
    for (int i = 0; i < net->vertex_count; i++)
        all.segment<3>(3 * i) = net->masses[i] * (h * v.segment<3>(3 * i) + h * h * gravity);
    for (int e = 0; e < net->spring_count; e++) {
        const int* ends = net->springs[e].vertices;
        all.segment<3>(3 * ends[0]) += terms[size_t(e)].force;
        all.segment<3>(3 * ends[1]) -= terms[size_t(e)].force;
    }
    for (int e = 0; e < net->hinge_count; e++) {
        const Hinge& hinge = net->hinges[e];
        Vector3d bend = Vector3d::Zero();
        for (int a = 0; a < 4; a++) bend += hinge.weights[a] * x.segment<3>(3 * hinge.vertices[a]);
        for (int a = 0; a < 4; a++)
            all.segment<3>(3 * hinge.vertices[a]) -=
                (h * h * hinge.stiffness * hinge.weights[a]) * bend;
    }
    for (int i = 0; i < net->vertex_count; i++)
        if (row[size_t(i)] >= 0) right.segment<3>(row[size_t(i)]) = all.segment<3>(3 * i);
}

void EigenStep::fill_in_place() {
    Eigen::Map<VectorXd>(matrix.valuePtr(), matrix.nonZeros()) = constant_values;
    double* values = matrix.valuePtr();
    for (int e = 0; e < net->spring_count; e++)
        for (int c = 0; c < 12; c++) {
            int place = spring_places[size_t(12 * e + c)];
            if (place < 0) continue;
            bool same = c < 3 || c >= 9;  // blocks 00 and 11
            int length = same && fill == EIGEN_FILL_UPPER ? c % 3 + 1 : 3;
            const double* column = terms[size_t(e)].block.data() + 3 * (c % 3);
            for (int i = 0; i < length; i++) values[place + i] += same ? column[i] : -column[i];
        }
}

// 2.5 x(n) - 2 x(n-1) + 0.5 x(n-2), less x(n)
void EigenStep::make_guess() {
    for (int i = 0; i < net->vertex_count; i++)
        if (row[size_t(i)] >= 0)
            guess.segment<3>(row[size_t(i)]) =
                1.5 * x.segment<3>(3 * i) - 2 * x1.segment<3>(3 * i) + 0.5 * x2.segment<3>(3 * i);
}

void EigenStep::move(const VectorXd& d) {
    x2.swap(x1);
    x1 = x;
    for (int i = 0; i < net->vertex_count; i++) {
        if (row[size_t(i)] < 0) continue;
        Vector3d di = d.segment<3>(row[size_t(i)]);
        x.segment<3>(3 * i) += di;
        v.segment<3>(3 * i) = di / h;
    }
}

void EigenStep::take(EigenReport* report) {
    double start = now(nullptr);
    evaluate_springs();
    make_right();
    double forced = now(nullptr);
    if (fill == EIGEN_FILL_TRIPLETS) {
        triplets = constants;
        enter_springs();
        matrix.setFromTriplets(triplets.begin(), triplets.end());
    } else
        fill_in_place();
    bool upper = fill == EIGEN_FILL_UPPER;
    upper ? void(half.compute(matrix)) : void(full.compute(matrix));
    double built = now(nullptr);
    make_guess();
    VectorXd d = upper ? VectorXd(half.solveWithGuess(right, guess))
                       : VectorXd(full.solveWithGuess(right, guess));
    double solved = now(nullptr);
    move(d);
    double end = now(nullptr);
    *report = EigenReport{forced - start, built - forced,
                          solved - built, end - solved,
                          end - start,    int(upper ? half.iterations() : full.iterations())};
}

EigenStep* create_eigen_step(const Net* net, EigenFill fill, double dt, const double gravity[3],
                             double tolerance, double (*now)(void* user)) {
    try {
        return new EigenStep(net, fill, dt, gravity, tolerance, now);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void destroy_eigen_step(EigenStep* step) { delete step; }

void reset_eigen_step(EigenStep* step) { step->reset(); }

bool take_eigen_step(EigenStep* step, EigenReport* report) {
    try {
        step->take(report);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

const double* eigen_positions(const EigenStep* step) { return step->x.data(); }
