// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pulls: springs that never push, of what stretches more than one sweep can mend (levels.h). With
// the compliance a = 1/(k h^2) of the fabric, one sweep leaves edges of vertices of mass m softer
// than it is by x = k h^2/m of it; pulls have what is missing, k x/(1 + x), and so
//
//     alpha = a (1 + a m)
//
// which is nothing in stiff cloth and long steps, and all in short ones.

enum { PULL_LENGTH, PULL_COMPLIANCE, PULL_MASS, PULL_NUMBERS = WF_PULL_NUMBERS };

// Lengths of the step stand instead of its own.
KERNEL WfOct pull_lengths(const WfLocal* t, const WfLocalJob* job, int batch) {
    if (job->begun) return wf_oct_load(job->begun + t->begun_at + (long)WF_OCT * batch);
    return wf_oct_load(t->constants + (long)PULL_NUMBERS * WF_OCT * batch + WF_OCT * PULL_LENGTH);
}

KERNEL void pull_batch(const WfLocal* t, const WfLocalJob* job, const Rates* rates, int batch) {
    const int* i = t->vertices + 2L * WF_OCT * batch;
    const float* k = t->constants + (long)PULL_NUMBERS * WF_OCT * batch;
    const WfOct zero = wf_oct_zero(), length = pull_lengths(t, job, batch);
    WfOct p[2][4];
    for (int a = 0; a < 2; a++) wf_oct_gather(job->x, i + WF_OCT * a, p[a]);
    WfOct3 e = wf_oct3_sub(wf_oct3_of(p[1]), wf_oct3_of(p[0]));
    WfOct square = wf_oct3_dot(e, e);
    if (!wf_oct_bits(wf_oct_above(square, wf_oct_mul(length, length)))) return;  // most are slack
    WfOct l = wf_oct_sqrt(wf_oct_max(square, wf_oct_set(LEAST_SQUARE)));
    WfOct a = compliance_of(rates, k + WF_OCT * PULL_COMPLIANCE);
    WfOct alpha = wf_oct_madd(wf_oct_mul(a, a), wf_oct_load(k + WF_OCT * PULL_MASS), a);
    WfOct W = wf_oct_add(wf_oct_add(p[0][3], p[1][3]), alpha);
    WfOct pull = wf_oct_mul(wf_oct_max(W, wf_oct_set(FLT_MIN)), l);
    pull = wf_oct_div(wf_oct_max(wf_oct_sub(l, length), zero), pull);
    WfOct first = wf_oct_mul(pull, p[0][3]), second = wf_oct_mul(pull, p[1][3]);
    put(wf_oct3_madd(wf_oct3_of(p[0]), first, e), p[0]);
    put(wf_oct3_madd(wf_oct3_of(p[1]), wf_oct_sub(zero, second), e), p[1]);
    for (int v = 0; v < 2; v++) wf_oct_scatter(job->x, i + WF_OCT * v, p[v]);
}

BODY void sweep_pulls(const WfLocal* t, const WfLocalJob* job, int first, int end) {
    const Rates rates = rates_of(t, job);
    for (int b = first; b < end; b++) pull_batch(t, job, &rates, b);
}
