// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Sparse Cholesky solvers of other libraries, for comparison with ours: CHOLMOD and Eigen, each
// with its own ordering, one symmetric positive definite matrix and three right-hand sides.

#ifndef WEFT_BENCH_DIRECT_H
#define WEFT_BENCH_DIRECT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Row by row, both halves, columns ascending.
typedef struct DirectMatrix {
    int n;
    const int *start, *index;
    const double* values;
} DirectMatrix;

typedef struct DirectInfo {
    const char* name;     // "cholmod supernodal, metis"
    bool is_cholmod;      // else Eigen
    bool is_float;        // else double
    long long nonzeros;   // of L, the diagonal included
    double factor_bytes;  // numbers and row indices
} DirectInfo;

typedef struct Direct Direct;

int direct_count(void);
// `which` from 0. Copies the matrix. NULL for lack of memory.
Direct* create_direct(int which, const DirectMatrix* matrix);
void destroy_direct(Direct* direct);
DirectInfo direct_info(const Direct* direct);

// In this order, each as often as wanted; false where the library refuses. Analysis includes the
// ordering. A solve leaves its result in place, and takes the sides all at once or one by one.
bool analyse_direct(Direct* direct);
bool factor_direct(Direct* direct);
void set_direct_sides(Direct* direct, const double* b);  // 3 per row
bool solve_direct(Direct* direct, bool one_by_one);
void get_direct_solution(const Direct* direct, double* x);

// The BLAS that CHOLMOD uses, as far as it can be told: "OpenBLAS 0.3.21"; set to one thread.
const char* direct_blas(void);

#ifdef __cplusplus
}
#endif

#endif
