// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The local form of shear as a product (energy/shear.c): C = S.U with the fibres of
// triangle_sweep.h, dC/dx_a = a_a U + b_a S, and with damping the rest r/(1 + r) of what C was.

enum { PRODUCT_COMPLIANCE = 4, PRODUCT_NUMBERS };

KERNEL WfOct product_before(const WfLocalJob* job, const Axes* c, const int* i) {
    WfOct q[3][4];
    WfOct3 S, U;
    for (int v = 0; v < 3; v++) wf_oct_gather(job->before, i + WF_OCT * v, q[v]);
    fibres_of(c, q, &S, &U);
    return wf_oct3_dot(S, U);
}

KERNEL void sweep_product(const WfLocal* t, const WfLocalJob* job, const Rates* rates, int batch,
                          const bool damped) {
    const int* i = t->vertices + 3L * WF_OCT * batch;
    const float* k = t->constants + (long)PRODUCT_NUMBERS * WF_OCT * batch;
    WfOct p[3][4], W = wf_oct_zero(), rest = wf_oct_zero();
    WfOct alpha = compliance_of(rates, k + WF_OCT * PRODUCT_COMPLIANCE);
    WfOct3 S, U, g[3];
    Axes c = axes_of(k);
    for (int v = 0; v < 3; v++) wf_oct_gather(job->x, i + WF_OCT * v, p[v]);
    fibres_of(&c, p, &S, &U);
    if (damped) rest = wf_oct_mul(rates->old, product_before(job, &c, i));
    for (int v = 0; v < 3; v++) {
        g[v] = wf_oct3_madd(wf_oct3_mul(c.a[v], U), c.b[v], S);
        W = wf_oct_madd(p[v][3], wf_oct3_dot(g[v], g[v]), W);
    }
    WfOct C = wf_oct_sub(wf_oct3_dot(S, U), rest);
    WfOct pull = wf_oct_div(C, wf_oct_max(wf_oct_add(W, alpha), wf_oct_set(FLT_MIN)));
    for (int v = 0; v < 3; v++) {
        WfOct by = wf_oct_sub(wf_oct_zero(), wf_oct_mul(pull, p[v][3]));
        put(wf_oct3_madd(wf_oct3_of(p[v]), by, g[v]), p[v]);
        wf_oct_scatter(job->x, i + WF_OCT * v, p[v]);
    }
}

BODY void sweep_products(const WfLocal* t, const WfLocalJob* job, int first, int end) {
    SWEEP(sweep_product);
}
