// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Conjugate gradients for A d = b with preconditioner B, as in Hestenes and Stiefel:
//
//     r = b - A d;  z = B r;  p = z
//     repeat:  a = r.z / p.Ap;  d += a p;  r -= a A p;  z = B r;  p = z + (r.z / old r.z) p
//
// Stops at |r| <= tolerance |b|: relative, so that it does not depend on units or mesh size. Large
// vectors are read from memory each time, so that steps which read the same ones are taken
// together: d += a p waits for the next p.

#include "sparse/cg.h"

#include <math.h>
#include <string.h>

WfCgResult wf_cg_solve(const WfCg* cg, const double* b, double* d, bool zero_start) {
    const WfVectors* v = &cg->vectors;
    size_t bytes = (size_t)v->n * sizeof(double);
    WfCgResult result = {0};
    double bb = wf_vector_dot(v, b, b), limit = cg->tolerance * cg->tolerance * bb, rr = bb;
    memcpy(cg->r, b, bytes);
    if (zero_start)
        memset(d, 0, bytes);
    else {
        cg->product(cg->context, d, cg->q);
        wf_vector_axpy(v, -1, cg->q, cg->r);
        rr = wf_vector_dot(v, cg->r, cg->r);
    }
    double rz_old = 1, a = 0;  // a: what of p is still to be added to d
    while (rr > limit && result.iterations < cg->max_iterations &&
           (!cg->go_on || cg->go_on(cg->context))) {
        double rz = cg->precondition(cg->context, cg->r, cg->z);
        result.negative_curvature = !(rz > 0);  // of the preconditioner, then
        if (result.negative_curvature) break;
        if (result.iterations == 0)
            memcpy(cg->p, cg->z, bytes);
        else
            wf_vector_turn(v, a, d, cg->z, rz / rz_old, cg->p);
        a = 0;
        rz_old = rz;
        cg->product(cg->context, cg->p, cg->q);
        double pq = wf_vector_dot(v, cg->p, cg->q);
        result.negative_curvature = !(pq > 0);
        if (result.negative_curvature) break;
        a = rz / pq;
        rr = wf_vector_reduce(v, a, cg->q, cg->r);
        result.iterations++;
    }
    if (a != 0) wf_vector_axpy(v, a, cg->p, d);
    result.converged = rr <= limit;
    result.residual = bb > 0 ? sqrt(rr / bb) : 0;
    return result;
}
