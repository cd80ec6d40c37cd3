// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The ways to take a step that `swing` compares.

#ifndef WEFT_BENCH_METHOD_H
#define WEFT_BENCH_METHOD_H

#include "eigen_step.h"
#include "weft/weft_study.h"

enum { MAX_METHODS = 40, MAX_FRONT_METHODS = 256 };

typedef enum MethodRole {
    ROLE_CONVERGED,   // solved to the end: what the others of its order approximate
    ROLE_FINE,        // short steps: the motion itself
    ROLE_FLOOR,       // shorter still: how well the motion itself is known
    ROLE_ROW,         // measured
    ROLE_EIGEN,       // measured, and not ours
    ROLE_PROJECTIVE,  // projective dynamics on CHOLMOD, likewise
    ROLE_BULLET,      // Bullet's soft body, likewise
} MethodRole;

typedef struct Method {
    char name[48];
    MethodRole role;
    WeftStepDef step;  // of comparators: substeps and iterations[0]
    WeftEstimator estimator;
    WeftStretch stretch;
    EigenFill fill;  // ROLE_EIGEN
} Method;

// All of them, references first; returns how many.
int list_methods(Method methods[MAX_METHODS]);

// What the front of cost and error is made of, but for Bullet: the ladder of the prefactored method
// with and without stiffness to order, the implicit method, projective dynamics. The first is the
// conventional step. Returns how many.
int list_front_methods(Method methods[MAX_FRONT_METHODS]);
// A step that is solved to the end; and of so many short ones: the motion itself.
Method converged_method(int order);
Method motion_itself(int substeps);

#endif
