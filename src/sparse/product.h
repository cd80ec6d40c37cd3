// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Rows of a product with a scalar matrix, three columns interleaved: kernels for every machine and
// for some, of the same bits (product_kernel.h).

#ifndef WF_SPARSE_PRODUCT_H
#define WF_SPARSE_PRODUCT_H

#include "sparse/pattern.h"

typedef struct WfScalarJob {
    const WfPattern* pattern;
    const double *values, *p;
    double* q;
} WfScalarJob;

typedef struct WfProductKernel {
    void (*scalar_rows)(const WfScalarJob* job, int first, int end);  // q = A p
} WfProductKernel;

extern const WfProductKernel wf_product_plain;
const WfProductKernel* wf_product_wide(void);  // faster where the machine can

#endif
