// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft: the study of methods. What tools, benches and those who compare methods need beside weft.h:
// all that can be chosen by name, the ranges of numbers, the methods of the literature, the
// constant matrix and its factor. Part of the core library; results and errors as in weft.h.

#ifndef WEFT_WEFT_STUDY_H
#define WEFT_WEFT_STUDY_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

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
WEFT_API WeftResult weft_solve(const WeftModel* model, WeftState* state, const WeftStepDef* step,
                               const double* b, double* x);

#ifdef __cplusplus
}
#endif

#endif
