// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Preconditioned conjugate gradients, matrix-free: the caller gives the products.

#ifndef WF_SPARSE_CG_H
#define WF_SPARSE_CG_H

#include "base/parallel.h"

typedef struct WfCg {
    WfVectors vectors;
    void* context;
    void (*product)(void* context, const double* p, double* q);         // q = A p
    double (*precondition)(void* context, const double* r, double* z);  // z = B r; returns r.z
    bool (*go_on)(void* context);  // asked before each iteration; NULL: always
    double tolerance;              // stop when |r| <= tolerance |b|
    int max_iterations;            // or after so many
    double *r, *z, *p, *q;         // scratch, vectors.n doubles each
} WfCg;

typedef struct WfCgResult {
    int iterations;
    double residual;          // |r| / |b|
    bool converged;           // the tolerance was reached
    bool negative_curvature;  // stopped where p.Ap <= 0 or r.Br <= 0: not positive definite
} WfCgResult;

// Solve A d = b from the d given. Where d is known to be zero, say so: it saves a product.
WfCgResult wf_cg_solve(const WfCg* cg, const double* b, double* d, bool zero_start);

#endif
