// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The conventional implicit step as a good user of Eigen writes it.

#ifndef WEFT_BENCH_EIGEN_STEP_H
#define WEFT_BENCH_EIGEN_STEP_H

#include "net.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EigenStep EigenStep;

// How the matrix of a step is made, and how much of it.
typedef enum EigenFill {
    EIGEN_FILL_IN_PLACE,  // the first from triplets, then new values at known places
    EIGEN_FILL_TRIPLETS,  // each from triplets
    EIGEN_FILL_UPPER,     // in place, and only what is on and above the diagonal
} EigenFill;

typedef struct EigenReport {
    double force, build, solve, update, total;  // seconds
    int iterations;                             // of the conjugate gradients
} EigenReport;

// The net must live as long as the step. `now` is a clock in seconds. NULL for lack of memory.
EigenStep* create_eigen_step(const Net* net, EigenFill fill, double dt, const double gravity[3],
                             double tolerance, double (*now)(void* user));
void destroy_eigen_step(EigenStep* step);
// Back to the start of the net, at rest.
void reset_eigen_step(EigenStep* step);
// One step. False for lack of memory.
bool take_eigen_step(EigenStep* step, EigenReport* report);
const double* eigen_positions(const EigenStep* step);

#ifdef __cplusplus
}
#endif

#endif
