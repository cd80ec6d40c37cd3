// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The kernels of products. Included by product_plain.c and product_wide.c, which say how functions
// are declared: KERNEL (inlined) and BODY.

#include "base/three.h"
#include "sparse/product.h"

// inner, a constant: there is something in memory behind all numbers of p that the row asks for.
KERNEL WfThree scalar_row(const int* index, const double* value, int count, const double* p,
                          const bool inner) {
    WfThree sum = wf_three_zero();
    for (int e = 0; e < count; e++) {
        const double* w = p + 3 * (long)index[e];
        WfThree v = inner ? wf_three_load_inner(w) : wf_three_load(w);
        sum = wf_three_add(sum, wf_three_mul(value[e], v));
    }
    return sum;
}

// Columns ascend, and each row has its diagonal: the last of a row tells.
BODY void scalar_rows(const WfScalarJob* job, int first, int end) {
    const int *start = job->pattern->start, *index = job->pattern->index, n = job->pattern->n;
    const double *values = job->values, *p = job->p;
    double* q = job->q;
    for (int i = first; i < end; i++) {
        int e = start[i], count = start[i + 1] - e;
        bool inner = index[e + count - 1] < n - 1;
        wf_three_store(q + 3 * (long)i, inner ? scalar_row(index + e, values + e, count, p, true)
                                              : scalar_row(index + e, values + e, count, p, false));
    }
}
