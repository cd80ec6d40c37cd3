// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A = M + gamma^2 (linear + scales[portion] * majorants), factored, with pinned rows and columns
// taken out; and x = A^-1 b, as exact as asked for. Of a half with a mirror A is two matrices, one
// for motion along the plane and one for motion along its normal.
//
// The factor is float, and a solve leaves a relative error of some 1e-7 to 1e-6. What it really
// leaves is measured when a factor is made, by the residuals in double of three right-hand sides (a
// translation, noise, a slope). Where a step asks for more, each solve is refined, x <- x + A^-1 (b
// - A x) with the residual in double, until the corrections say that it is enough (step.c).

#ifndef WF_METHOD_FACTOR_H
#define WF_METHOD_FACTOR_H

#include "method/system.h"
#include "sparse/exchange.h"

typedef struct WfFactor {
    double gamma;
    double* scales;         // per portion
    double* matrix;         // A, on the system's pattern, pins and all
    unsigned char* fixed;   // the rows that were taken out
    float* values;          // the factor
    double* normal_matrix;  // A along the normal of a mirror; NULL: there is none
    double error;           // relative, of a solve
    bool made;
    int next_node;  // where to go on, while it is made in pieces
    double time;    // seconds that the factorisation took, in one piece
} WfFactor;

// Scratch to make factors with.
typedef struct WfFactorWork {
    WfCholeskyWork cholesky;
    float* slots;
    double *b, *x, *r;
} WfFactorWork;

WeftResult wf_factor_create(const WfSystem* system, WfFactor* factor);
void wf_factor_destroy(const WfSystem* system, WfFactor* factor);
size_t wf_factor_bytes(const WfSystem* system);  // of one, about
WeftResult wf_factor_create_work(const WfSystem* system, WfFactorWork* work);
void wf_factor_destroy_work(const WfSystem* system, WfFactorWork* work);

// The matrix is taken from another factor with the same settings, where `like` is one (it may be
// the same, and NULL).
void wf_factor_make(const WfSystem* system, double gamma, const double* scales,
                    const unsigned char* pinned, const WfFactor* like, const WfFactorWork* work,
                    WfFactor* factor);
// The same in `pieces` calls of about equal time, the last of which sets `made`. No threads.
void wf_factor_begin(const WfSystem* system, double gamma, const double* scales,
                     const unsigned char* pinned, const WfFactor* like, WfFactor* factor);
void wf_factor_advance(const WfSystem* system, int pieces, const WfFactorWork* work,
                       WfFactor* factor);

// Whether it was made for these settings (or begun).
bool wf_factor_fits(const WfSystem* system, const WfFactor* factor, double gamma,
                    const double* scales);
// Whether solves must be refined to leave no more than this relative error.
bool wf_factor_refines(const WfFactor* factor, double tolerance);

// What is factored, and how it is solved with: for those who exchange rows (exchange.h).
WfCholeskyInput wf_factor_input(const WfSystem* system, const WfFactor* factor);
WfSolve wf_factor_solver(const WfSystem* system, const WfFactor* factor, float* slots);
// q = A p.
void wf_factor_product(const WfSystem* system, const WfFactor* factor, const double* p, double* q);
// x = A^-1 b without refinement. exchange: rows that were pinned or released since; or NULL.
void wf_factor_solve(const WfSystem* system, const WfFactor* factor, const WfExchange* exchange,
                     float* slots, const double* b, double* x);

#endif
