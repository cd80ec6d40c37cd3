// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A Newton step on Phi: H d = -gradient, by conjugate gradients. Shared by the implicit method and
// the ladder of the prefactored one; they differ in where products and preconditioner come from.

#ifndef WF_METHOD_NEWTON_H
#define WF_METHOD_NEWTON_H

#include "method/step.h"
#include "sparse/cg.h"

typedef enum WfPreconditioner {
    WF_PRECONDITION_J,    // inverse diagonal blocks of H
    WF_PRECONDITION_A,    // the constant factor
    WF_PRECONDITION_JAJ,  // smooth with J, solve with A, smooth with J
    WF_PRECONDITION_NONE,
} WfPreconditioner;

typedef struct WfNewton {
    const WfStep* step;
    WfPreconditioner preconditioner;
    bool assembled;  // products by 3x3 blocks, else matrix-free
    bool exact;      // unclamped H; where it proves indefinite, the step is redone clamped
    double tolerance;
    int max_iterations;
    // A prediction may be worse than none: near rest it doubles what jitter there is, and stiff
    // cloth never comes to rest. With choose_start, x goes back to x(n) where Phi(x) is above
    // phi_limit (wf_step_limit).
    bool choose_start;
    double phi_limit;
} WfNewton;

// The direction from x: work->direction = -H^-1 gradient, work->gradient the gradient. `guess` (or
// NULL) is where to begin. Returns Phi(x).
double wf_newton_direction(const WfNewton* newton, double* x, const double* guess);

// How far the last direction moves a vertex along an axis at most. Beyond `stray` of the step the
// linearisation says little.
double wf_newton_reach(const WfStep* step);

#endif
