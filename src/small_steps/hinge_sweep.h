// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The local form of linear bending (energy/bend.c): the vector w = sum c_a x_a of a hinge of two
// triangles or of two segments of a rope, with the energy k/2 |w|^2. Linear as it is, one element
// is exact. Damping acts on the length of w.

KERNEL WfOct3 hinge_vector(const float* c, WfOct p[4][4], const int A) {
    WfOct3 w = wf_oct3_mul(wf_oct_load(c), wf_oct3_of(p[0]));
    for (int a = 1; a < A; a++) w = wf_oct3_madd(w, wf_oct_load(c + WF_OCT * a), wf_oct3_of(p[a]));
    return w;
}

// constants: A coefficients, then the compliance
KERNEL void sweep_any_hinge(const WfLocal* t, const WfLocalJob* job, const Rates* rates, int batch,
                            const bool damped, const int A) {
    const int* i = t->vertices + (long)A * WF_OCT * batch;
    const float* c = t->constants + (long)(A + 1) * WF_OCT * batch;
    WfOct p[4][4];
    for (int a = 0; a < A; a++) wf_oct_gather(job->x, i + WF_OCT * a, p[a]);
    WfOct3 w = hinge_vector(c, p, A);
    WfOct W = wf_oct_zero(), share = wf_oct_set(-1);
    for (int a = 0; a < A; a++) {
        WfOct ca = wf_oct_load(c + WF_OCT * a);
        W = wf_oct_madd(wf_oct_mul(p[a][3], ca), ca, W);
    }
    if (damped) {
        WfOct q[4][4];
        for (int a = 0; a < A; a++) wf_oct_gather(job->before, i + WF_OCT * a, q[a]);
        WfOct3 old = hinge_vector(c, q, A);
        WfOct square = wf_oct_max(wf_oct3_dot(w, w), wf_oct_set(LEAST_SQUARE));
        WfOct ratio = wf_oct_sqrt(wf_oct_div(wf_oct3_dot(old, old), square));
        share = wf_oct_madd(rates->old, ratio, share);
    }
    W = wf_oct_add(W, compliance_of(rates, c + WF_OCT * A));
    WfOct pull = wf_oct_div(share, wf_oct_max(W, wf_oct_set(FLT_MIN)));
    for (int a = 0; a < A; a++) {
        WfOct by = wf_oct_mul(wf_oct_mul(pull, p[a][3]), wf_oct_load(c + WF_OCT * a));
        put(wf_oct3_madd(wf_oct3_of(p[a]), by, w), p[a]);
        wf_oct_scatter(job->x, i + WF_OCT * a, p[a]);
    }
}

KERNEL void sweep_hinge(const WfLocal* t, const WfLocalJob* job, const Rates* rates, int batch,
                        const bool damped) {
    sweep_any_hinge(t, job, rates, batch, damped, 4);
}

KERNEL void sweep_joint(const WfLocal* t, const WfLocalJob* job, const Rates* rates, int batch,
                        const bool damped) {
    sweep_any_hinge(t, job, rates, batch, damped, 3);
}

BODY void sweep_hinges(const WfLocal* t, const WfLocalJob* job, int first, int end) {
    SWEEP(sweep_hinge);
}

BODY void sweep_joints(const WfLocal* t, const WfLocalJob* job, int first, int end) {
    SWEEP(sweep_joint);
}
