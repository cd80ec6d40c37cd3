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

typedef struct Pull {
    const int* i;
    WfOct p[2][4], length, square;
    WfOct3 e;
    WfOctMask taut;
} Pull;

// part: of its length, from which it counts as taut. Lengths of the step stand instead of its own.
KERNEL Pull take_pull(const WfLocal* t, const WfLocalJob* job, int batch, WfOct part) {
    const float* k = t->constants + (long)PULL_NUMBERS * WF_OCT * batch;
    if (job->begun) k = job->begun + t->begun_at + (long)WF_OCT * batch;
    Pull u = {.i = t->vertices + 2L * WF_OCT * batch, .length = wf_oct_load(k)};
    for (int a = 0; a < 2; a++) wf_oct_gather(job->x, u.i + WF_OCT * a, u.p[a]);
    u.e = wf_oct3_sub(wf_oct3_of(u.p[1]), wf_oct3_of(u.p[0]));
    u.square = wf_oct3_dot(u.e, u.e);
    WfOct from = wf_oct_mul(part, u.length);
    u.taut = wf_oct_above(u.square, wf_oct_mul(from, from));
    return u;
}

KERNEL void pull_batch(const WfLocal* t, const WfLocalJob* job, int batch) {
    const float* k = t->constants + (long)PULL_NUMBERS * WF_OCT * batch;
    const WfOct one = wf_oct_set(1), zero = wf_oct_zero();
    Pull u = take_pull(t, job, batch, one);
    if (!wf_oct_bits(u.taut)) return;
    WfOct l = wf_oct_sqrt(wf_oct_max(u.square, wf_oct_set(LEAST_SQUARE)));
    WfOct a = compliance_of(job, k + WF_OCT * PULL_COMPLIANCE);
    WfOct soft = wf_oct_madd(a, wf_oct_load(k + WF_OCT * PULL_MASS), one);
    WfOct W = wf_oct_madd(a, soft, wf_oct_add(u.p[0][3], u.p[1][3]));
    WfOct pull = wf_oct_mul(wf_oct_max(W, wf_oct_set(FLT_MIN)), l);
    pull = wf_oct_div(wf_oct_max(wf_oct_sub(l, u.length), zero), pull);
    WfOct first = wf_oct_mul(pull, u.p[0][3]), second = wf_oct_mul(pull, u.p[1][3]);
    put(wf_oct3_madd(wf_oct3_of(u.p[0]), first, u.e), u.p[0]);
    put(wf_oct3_madd(wf_oct3_of(u.p[1]), wf_oct_sub(zero, second), u.e), u.p[1]);
    for (int v = 0; v < 2; v++) wf_oct_scatter(job->x, u.i + WF_OCT * v, u.p[v]);
}

BODY void sweep_pulls(const WfLocal* t, const WfLocalJob* job, int first, int last) {
    int step = first <= last ? 1 : -1;
    for (int b = first; b != last + step; b += step) pull_batch(t, job, b);
}

// Lists the batches that are longer than this part of what they may be. Returns how many.
BODY int find_taut(const WfLocal* t, const WfLocalJob* job, float part, int* batches) {
    int count = 0;
    for (int b = 0; b < t->batch_count; b++) {
        Pull u = take_pull(t, job, b, wf_oct_set(part));
        if (wf_oct_bits(u.taut)) batches[count++] = b;
    }
    return count;
}

BODY void pull_taut(const WfLocal* t, const WfLocalJob* job, const int* batches, int count,
                    bool backwards) {
    for (int b = 0; b < count; b++) pull_batch(t, job, batches[backwards ? count - 1 - b : b]);
}
