// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "method/excess.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

// Iterations end early where this part of phi is left.
static const double ENOUGH = 1e-4;

// g = -gradient of phi, zero at pins. Returns phi.
static double descend(const WfLimit* limit, const WfStep* step, const WfLimitWork* work,
                      const double* x, double* g) {
    double sum = 0;
    memset(g, 0, 3 * (size_t)step->motion.vertex_count * sizeof *g);
    for (int e = 0; e < limit->edge_count; e++) {
        int a = limit->edges[2L * e], b = limit->edges[2L * e + 1];
        WfVec d = wf_sub(wf_load(x, b), wf_load(x, a));
        double square = wf_dot(d, d), longest = work->allowed[e];
        if (square <= longest * longest) continue;
        double length = sqrt(square), excess = length - longest;
        wf_accumulate(g, a, excess / length, d);
        wf_accumulate(g, b, -excess / length, d);
        sum += excess * excess / 2;
    }
    wf_step_filter(step, g);
    return sum;
}

// p.H p, H the Hessian of phi at x.
static double curvature(const WfLimit* limit, const WfLimitWork* work, const double* x,
                        const double* p) {
    double sum = 0;
    for (int e = 0; e < limit->edge_count; e++) {
        int a = limit->edges[2L * e], b = limit->edges[2L * e + 1];
        WfVec d = wf_sub(wf_load(x, b), wf_load(x, a));
        double square = wf_dot(d, d), longest = work->allowed[e];
        if (square <= longest * longest) continue;
        WfVec q = wf_sub(wf_load(p, b), wf_load(p, a));
        double along = wf_dot(d, q), part = longest / sqrt(square);
        sum += part * along * along / square + (1 - part) * wf_dot(q, q);
    }
    return sum;
}

// z = A^-1 g, roughly; or M^-1 g
static void precondition(const WfStep* step, const WfLimitWork* work, const double* g, double* z) {
    WfStep rough = *step;
    rough.refines = false;
    if (step->factor) {
        wf_step_solve(&rough, g, z);
        return;
    }
    for (int i = 0; i < step->motion.vertex_count; i++)
        wf_store(z, i, wf_mul(work->weights[i], wf_load(g, i)));
}

void wf_reduce_excess(const WfLimit* limit, const WfStep* step, const WfLimitWork* work,
                      int count) {
    WfVectors vectors = wf_step_vectors(step);
    size_t bytes = (size_t)vectors.n * sizeof(double);
    double *x = step->work->x, *g = work->gradient, *z = work->pull, *p = work->path;
    double last_phi = HUGE_VAL, last_gz = HUGE_VAL, length = 0, enough = 0;
    memset(p, 0, bytes);
    memset(z, 0, bytes);
    for (int i = 0; i < count; i++) {
        double phi = descend(limit, step, work, x, g);
        if (phi > last_phi) {  // edges that were short came in: half as far, and anew
            wf_vector_axpy(&vectors, -length / 2, p, x);
            phi = descend(limit, step, work, x, g);
            last_gz = HUGE_VAL;
        }
        if (i == 0) enough = ENOUGH * phi;
        if (phi <= enough) return;
        double mixed = wf_vector_dot(&vectors, g, z);
        precondition(step, work, g, z);
        double gz = wf_vector_dot(&vectors, g, z), turn = fmax(0, (gz - mixed) / last_gz);
        wf_vector_xpay(&vectors, z, turn, p);
        double gp = wf_vector_dot(&vectors, g, p), along;
        if (!(gp > 0)) {
            memcpy(p, z, bytes);
            gp = gz;
        }
        along = curvature(limit, work, x, p);
        if (!(along > 0)) return;
        length = gp / along;
        wf_vector_axpy(&vectors, length, p, x);
        last_phi = phi;
        last_gz = gz;
    }
}
