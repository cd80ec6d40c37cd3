// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft: the study of methods. What tools, benches and those who compare methods need beside weft.h:
// settings of defs that an engine leaves alone, all that can be chosen by name, the ranges of
// numbers, the methods of the literature, the constant matrix and its factor. Part of the core
// library; results and errors as in weft.h.

#ifndef WEFT_WEFT_STUDY_H
#define WEFT_WEFT_STUDY_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Settings of cloth (WeftClothDef)

// How the stretch of ropes is measured, l over L.
typedef enum WeftStrain {
    WEFT_STRAIN_ENGINEERING,  // l/L - 1
    WEFT_STRAIN_GREEN,        // ((l/L)^2 - 1)/2; not for the prefactored method
    WEFT_STRAIN_LOGARITHMIC,  // ln(l/L); not for the prefactored method
} WeftStrain;

// Other ways to write shear. The prefactored method takes only the first.
typedef enum WeftShear {
    WEFT_SHEAR_DIAGONALS,  // A/2 k ((|S+| - 1)^2 + (|S-| - 1)^2), S+- = (Su +- Sv)/sqrt 2
    WEFT_SHEAR_PRODUCT,    // A/2 k (Su . Sv)^2
    WEFT_SHEAR_AREA,       // A/4 k (g - 1)^2 where threads cross, g the square of the area ratio
} WeftShear;

// The linear models replace |w| - L by |w - w*|, where w* is the edge (or axis) as it is expected
// after the step, at rest length. The matrix is then constant. NONE keeps the conventional energy,
// which every method takes; the prefactored method then predicts by itself.
typedef enum WeftEstimator {
    WEFT_ESTIMATOR_NONE,      // conventional: no prediction inside the model
    WEFT_ESTIMATOR_PREVIOUS,  // the direction of the last step; damps all turning
    WEFT_ESTIMATOR_ROTATION,  // the last direction, turned on: a w(n) + b w(n-1)
    WEFT_ESTIMATOR_VERTEX,    // from vertices that move on: a x(n) + b x(n-1) + c x(n-2)
} WeftEstimator;

// Choose an estimator with the weights of order 1 or 2: ROTATION (1, 0) or (1.5, -0.5); VERTEX
// (2, -1, 0) or (2.5, -2, 0.5). Other weights: set estimator_weights by hand.
WEFT_API void weft_set_estimator(WeftClothDef* def, WeftEstimator estimator, int order);

// ---------------------------------------------------------------------------------------------
// Settings of steps (WeftStepDef)

// How solves are spent: the scheme of the prefactored method, or what preconditions the conjugate
// gradients of the implicit and the matrix-free one (A, JAJ, J or none).
typedef enum WeftScheme {
    WEFT_SCHEME_AUTO,    // prefactored: as `quality` says; implicit: JAJ for stiff cloth, else J
    WEFT_SCHEME_REPEAT,  // x <- x - A^-1 gradient(x), iterations[0] times; once is the linear model
    WEFT_SCHEME_A,       // Newton at the predicted positions, conjugate gradients with A
    WEFT_SCHEME_JAJ,     // the same with smoothing around A: dearer, converges faster; 3 at least
    WEFT_SCHEME_J,       // the same with block-Jacobi alone; implicit and matrix-free only
    WEFT_SCHEME_PLAIN,   // the same with no preconditioner; implicit and matrix-free only
} WeftScheme;

// Relaxation: how a sweep goes over the vertices.
typedef enum WeftSweep {
    WEFT_SWEEP_GAUSS_SEIDEL,  // in place: every vertex sees the neighbours that went before
    WEFT_SWEEP_JACOBI,        // all at once, from the values of the last sweep
} WeftSweep;

// The derivative of a spring's force (length l, rest length L, direction u) that relaxation, the
// implicit and the matrix-free method take for their matrix.
typedef enum WeftJacobian {
    WEFT_JACOBIAN_CLAMPED,    // k (t I + (1 - t) u u^T), t = max(1 - L/l, 0): always positive. Of
                              // one-sided springs, the smoothed one
    WEFT_JACOBIAN_EXACT,      // t = 1 - L/l, negative where the spring is pressed
    WEFT_JACOBIAN_ONE_SIDED,  // exact where l > L, else zero (Choi and Ko)
    WEFT_JACOBIAN_SMOOTHED,   // and fading out from l = L to l = 0.8 L (Kim)
    WEFT_JACOBIAN_AXIAL,      // k u u^T (Kang's second method)
    WEFT_JACOBIAN_SCALAR,     // k I (Desbrun, Kang's first method)
} WeftJacobian;

// Where the first Newton step of a solve is taken.
typedef enum WeftStart {
    WEFT_START_AUTO,       // previous for relaxation, which gains energy otherwise; else predicted
    WEFT_START_PREDICTED,  // 2.5 x(n) - 2 x(n-1) + 0.5 x(n-2): closer at the same cost
    WEFT_START_PREVIOUS,   // x(n), as textbooks have it
} WeftStart;

// ---------------------------------------------------------------------------------------------
// Settings of models (WeftModelDef)

// In which order the rows of the constant matrix are eliminated: it decides how many numbers its
// factor has, hence what a solve costs, and changes results by rounding only.
typedef enum WeftOrdering {
    WEFT_ORDERING_AUTO,     // nested dissection
    WEFT_ORDERING_NATURAL,  // as the vertices are numbered
    WEFT_ORDERING_CUTHILL_MCKEE,
    WEFT_ORDERING_REVERSE_CUTHILL_MCKEE,
    WEFT_ORDERING_MINIMUM_DEGREE,
    WEFT_ORDERING_NESTED_DISSECTION,  // parts that minimum degree orders as well are left to it
} WeftOrdering;

// Which matrices a model is made for. Fewer need less memory and time to create; steps that need
// more are refused.
typedef enum WeftMatrices {
    WEFT_MATRICES_ALL,     // every method
    WEFT_MATRICES_BLOCKS,  // no constant factor: implicit without A and JAJ, relaxation
    WEFT_MATRICES_NONE,    // symplectic and matrix-free without A and JAJ
} WeftMatrices;

// ---------------------------------------------------------------------------------------------
// What can be chosen

// One line for each thing a user can choose, for listings. index from 0; NULL past the end.
typedef struct WeftChoice {
    const char* group;  // "method", "stretch", "estimator", "scheme", ...
    const char* name;   // as scenes and the tool spell it
    const char* text;   // what it is, in a line
} WeftChoice;
WEFT_API const WeftChoice* weft_choice(int index);
// What quality level `quality` stands for, as a line: "order 2, 2 substeps, A 4".
WEFT_API const char* weft_quality_text(int quality);

// What a number of a step def may be.
typedef struct WeftRange {
    const char* name;  // of the field
    const char* unit;  // or NULL
    double low, high;
    bool above, below;  // `low` itself, `high` itself is not allowed
    bool whole;         // an int, else a double
} WeftRange;
// index from 0; NULL past the end.
WEFT_API const WeftRange* weft_step_range(int index);

// ---------------------------------------------------------------------------------------------
// Methods of the literature

// As settings of ours.
typedef enum WeftPreset {
    WEFT_PRESET_SCALABLE,  // Kim 2006: Gauss-Seidel in place, smoothed Jacobian; iterations kept
    WEFT_PRESET_KANG_1,    // Kang and others 2000: two Jacobi sweeps, scalar Jacobian
    WEFT_PRESET_KANG_2,    // Kang and Cho 2002: Jacobi, axial Jacobian; iterations kept
    WEFT_PRESET_DESBRUN,   // Desbrun and others 1999: scalar Jacobian, solved by the factor
    WEFT_PRESET_CHOI_KO,   // Choi and Ko 2002: implicit, block-Jacobi; for one-sided springs
} WeftPreset;

// Set what the preset stands for: method, order 1, one substep, start previous, real stiffness, no
// guard, as published. All else stays; where iterations are kept and none are set, they are 1
// and 2.
WEFT_API void weft_use_preset(WeftStepDef* def, WeftPreset preset);

// ---------------------------------------------------------------------------------------------
// Matrices

// Memory that solving a step takes, in model and state together: matrix, its pattern and factor, or
// what springs keep instead, preconditioner, vectors of the iteration.
WEFT_API size_t weft_solver_bytes(const WeftModel* model, const WeftStepDef* step);

// The constant matrix A = M + gamma^2 K of a prefactored step, one row per vertex, and its factor
// A = L L^T: for those who study it, or solve with it themselves.
typedef struct WeftFactorInfo {
    WeftOrdering ordering;   // as used, never auto
    long long matrix_count;  // non-zeros of A, both halves
    long long factor_count;  // of L, the diagonal included
    long long stored_count;  // numbers kept of L: some zeros make dense blocks
    double flops;            // multiply-adds of a factorisation
    // seconds; 0 without a clock
    double order_time;     // for ordering
    double analysis_time;  // for what else is made once
    double factor_time;    // for the factorisation that was prepared last; 0 without one
} WeftFactorInfo;

WEFT_API WeftFactorInfo weft_factor_info(const WeftModel* model);
// order[k]: the vertex that is eliminated as number k.
WEFT_API const int* weft_elimination_order(const WeftModel* model);
// The rows, by number of elimination and from the diagonal down, in which column `column` of L has
// numbers; rows has room for all vertices. Returns how many.
WEFT_API int weft_factor_column(const WeftModel* model, int column, int* rows);
// The matrix for steps by `step`, pinned rows and all: row i has columns index[start[i]] to
// index[start[i + 1] - 1]. values has room for matrix_count numbers, or is NULL.
WEFT_API WeftResult weft_get_matrix(const WeftModel* model, const WeftStepDef* step,
                                    const int** start, const int** index, double* values,
                                    WeftError* error);

// x = A^-1 b with the constant matrix of steps by `step` (weft_get_matrix) and the state's pins, of
// whom x is zero; 3 numbers per vertex that is simulated each, b and x not the same. As exact as
// solve_tolerance says. Fails for steps that need no factor. Where a new factor is in the making
// beside the steps, this goes on with it, as a step does.
WEFT_API WeftResult weft_solve(WeftState* state, const WeftStepDef* step, const double* b,
                               double* x);

#ifdef __cplusplus
}
#endif

#endif
