// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The ways to take a step that `swing` compares.

#ifndef WEFT_BENCH_METHOD_H
#define WEFT_BENCH_METHOD_H

#include "eigen_step.h"
#include "weft/weft.h"

enum { MAX_METHODS = 40 };

typedef enum MethodRole {
    ROLE_CONVERGED,  // solved to the end: what the others of its order approximate
    ROLE_FINE,       // short steps: the motion itself
    ROLE_FLOOR,      // shorter still: how well the motion itself is known
    ROLE_ROW,        // measured
    ROLE_EIGEN,      // measured, and not ours
} MethodRole;

typedef struct Method {
    char name[32];
    MethodRole role;
    WeftStepDef step;
    WeftEstimator estimator;
    EigenFill fill;  // ROLE_EIGEN
} Method;

// All of them, references first; returns how many.
int list_methods(Method methods[MAX_METHODS]);

#endif
