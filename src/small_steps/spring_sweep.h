// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The local form of springs: C = |x1 - x0| - L. With damping the stiffness is k (1 + r) and the
// rest length (L + r l)/(1 + r), r = zeta/h and l the length before (energy/fibre.h). What is
// pressed and gives way carries k s/sqrt(1 + (s/c)^2), c = give L: as far as the substep goes, that
// is a spring of so much less stiffness.

enum { SPRING_LENGTH, SPRING_COMPLIANCE, SPRING_NUMBERS };

KERNEL void sweep_spring(const WfLocal* t, const WfLocalJob* job, const Rates* rates, int batch,
                         const bool damped) {
    const int* i = t->vertices + 2L * WF_OCT * batch;
    const float* k = t->constants + (long)SPRING_NUMBERS * WF_OCT * batch;
    WfOct p[2][4];
    for (int a = 0; a < 2; a++) wf_oct_gather(job->x, i + WF_OCT * a, p[a]);
    WfOct3 e = wf_oct3_sub(wf_oct3_of(p[1]), wf_oct3_of(p[0]));
    WfOct length = wf_oct_load(k + WF_OCT * SPRING_LENGTH), rest = length;
    WfOct alpha = compliance_of(rates, k + WF_OCT * SPRING_COMPLIANCE), press = rates->press;
    if (rates->gives) press = wf_oct_div(press, length);
    if (damped) {
        WfOct q[2][4];
        for (int a = 0; a < 2; a++) wf_oct_gather(job->before, i + WF_OCT * a, q[a]);
        WfOct3 old = wf_oct3_sub(wf_oct3_of(q[1]), wf_oct3_of(q[0]));
        rest = damped_rest(rates, length, wf_oct_sqrt(wf_oct3_dot(old, old)));
    }
    WfOct W = wf_oct_add(p[0][3], p[1][3]);
    WfOct pull = pull_of(rates, wf_oct3_dot(e, e), rest, press, W, alpha);
    WfOct a = wf_oct_mul(pull, p[0][3]), b = wf_oct_mul(pull, p[1][3]);
    put(wf_oct3_madd(wf_oct3_of(p[0]), wf_oct_sub(wf_oct_zero(), a), e), p[0]);
    put(wf_oct3_madd(wf_oct3_of(p[1]), b, e), p[1]);
    for (int v = 0; v < 2; v++) wf_oct_scatter(job->x, i + WF_OCT * v, p[v]);
}

BODY void sweep_springs(const WfLocal* t, const WfLocalJob* job, int first, int end) {
    SWEEP(sweep_spring);
}
