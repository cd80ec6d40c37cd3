// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The local form of triangles (energy/triangle.c): fibres S and U along warp and weft, and where
// the shear is by diagonals (S + U)/sqrt 2 and (S - U)/sqrt 2, each with C = |fibre| - 1.
//
//     S = a1 e1 + a2 e2,   U = b1 e1 + b2 e2,   e1 = x1 - x0,  e2 = x2 - x0
//
// Warp and weft are solved together, then the diagonals where those have left them: with the
// multipliers A of S and B of U
//
//     x1 += w1 (a1 A S + b1 B U),  x2 likewise,  x0 += w0 (a0 A S + b0 B U),  a0 = -a1 - a2
//     S  <- S (1 + Wuu A) + U Wuv B,   U <- S Wuv A + U (1 + Wvv B),   Wuv = sum w a b
//
// so that both stay in the plane of S and U, and lengths follow from S.S, U.U and S.U alone.

enum {
    TRIANGLE_A1,
    TRIANGLE_A2,
    TRIANGLE_B1,
    TRIANGLE_B2,
    TRIANGLE_WARP,
    TRIANGLE_WEFT,
    TRIANGLE_SHEAR,
    TRIANGLE_NUMBERS
};

// S.S, S.U and U.U
typedef struct Squares {
    WfOct ss, su, uu;
} Squares;

typedef struct Axes {
    WfOct a[3], b[3];
} Axes;

KERNEL Axes axes_of(const float* k) {
    Axes c;
    c.a[1] = wf_oct_load(k + WF_OCT * TRIANGLE_A1), c.a[2] = wf_oct_load(k + WF_OCT * TRIANGLE_A2);
    c.b[1] = wf_oct_load(k + WF_OCT * TRIANGLE_B1), c.b[2] = wf_oct_load(k + WF_OCT * TRIANGLE_B2);
    c.a[0] = wf_oct_sub(wf_oct_zero(), wf_oct_add(c.a[1], c.a[2]));
    c.b[0] = wf_oct_sub(wf_oct_zero(), wf_oct_add(c.b[1], c.b[2]));
    return c;
}

KERNEL void fibres_of(const Axes* c, WfOct p[3][4], WfOct3* S, WfOct3* U) {
    WfOct3 e1 = wf_oct3_sub(wf_oct3_of(p[1]), wf_oct3_of(p[0]));
    WfOct3 e2 = wf_oct3_sub(wf_oct3_of(p[2]), wf_oct3_of(p[0]));
    *S = wf_oct3_madd(wf_oct3_mul(c->a[1], e1), c->a[2], e2);
    *U = wf_oct3_madd(wf_oct3_mul(c->b[1], e1), c->b[2], e2);
}

KERNEL Squares squares_of(WfOct3 S, WfOct3 U) {
    return (Squares){wf_oct3_dot(S, S), wf_oct3_dot(S, U), wf_oct3_dot(U, U)};
}

// sum w a a, sum w a b, sum w b b
typedef struct Weights {
    WfOct aa, ab, bb;
} Weights;

KERNEL Weights weights_of(const Axes* c, WfOct p[3][4]) {
    Weights W = {wf_oct_zero(), wf_oct_zero(), wf_oct_zero()};
    for (int v = 0; v < 3; v++) {
        WfOct wa = wf_oct_mul(p[v][3], c->a[v]), wb = wf_oct_mul(p[v][3], c->b[v]);
        W.aa = wf_oct_madd(wa, c->a[v], W.aa);
        W.ab = wf_oct_madd(wa, c->b[v], W.ab);
        W.bb = wf_oct_madd(wb, c->b[v], W.bb);
    }
    return W;
}

// Eight triangles on their way. The chain of roots and divisions from squares to pulls is longer
// than a processor looks ahead. A few batches therefore go through each stage together: a sweep
// over 6,447 triangles takes 107 microseconds, one by one 135, two together 113, eight together
// 107.
enum { TOGETHER = 4 };

typedef struct Triangles {
    WfOct p[3][4];
    WfOct3 S, U;
    Squares now, before;
    Weights W;
    WfOct As, Au, Bs, Bu;  // vertices move by w (As S + Au U) a + w (Bs S + Bu U) b
} Triangles;

KERNEL void find_triangles(const WfLocal* t, const WfLocalJob* job, int batch, const bool damped,
                           Triangles* e) {
    const int* i = t->vertices + 3L * WF_OCT * batch;
    Axes c = axes_of(t->constants + (long)TRIANGLE_NUMBERS * WF_OCT * batch);
    for (int v = 0; v < 3; v++) wf_oct_gather(job->x, i + WF_OCT * v, e->p[v]);
    fibres_of(&c, e->p, &e->S, &e->U);
    e->now = squares_of(e->S, e->U);
    e->W = weights_of(&c, e->p);
    if (damped) {
        WfOct q[3][4];
        WfOct3 S, U;
        for (int v = 0; v < 3; v++) wf_oct_gather(job->before, i + WF_OCT * v, q[v]);
        fibres_of(&c, q, &S, &U);
        e->before = squares_of(S, U);
    }
}

// The pull of a fibre of rest length 1, by its squares now and before.
KERNEL WfOct fibre_pull(const Rates* rates, WfOct now, WfOct before, WfOct W, const float* k,
                        const bool damped) {
    WfOct rest = wf_oct_set(1), alpha = compliance_of(rates, k);
    if (damped) rest = damped_rest(rates, rest, wf_oct_sqrt(wf_oct_max(before, wf_oct_zero())));
    return pull_of(rates, now, rest, rates->press, W, alpha);
}

// The square of (S + U)/sqrt 2, or of (S - U)/sqrt 2
KERNEL WfOct diagonal(const Squares* f, WfOct sign) {
    return wf_oct_madd(wf_oct_set(0.5f), wf_oct_add(f->ss, f->uu), wf_oct_mul(sign, f->su));
}

KERNEL void pull_triangles(const WfLocal* t, const Rates* rates, int batch, const bool damped,
                           const bool diagonals, Triangles* e) {
    const float* k = t->constants + (long)TRIANGLE_NUMBERS * WF_OCT * batch;
    const WfOct one = wf_oct_set(1), minus = wf_oct_set(-1), half = wf_oct_set(0.5f);
    const Squares *now = &e->now, *before = &e->before;
    const Weights* W = &e->W;
    WfOct A = fibre_pull(rates, now->ss, before->ss, W->aa, k + WF_OCT * TRIANGLE_WARP, damped);
    WfOct B = fibre_pull(rates, now->uu, before->uu, W->bb, k + WF_OCT * TRIANGLE_WEFT, damped);
    e->As = A, e->Bu = B;
    e->Au = e->Bs = wf_oct_zero();
    if (!diagonals) return;
    // S and U are now ss S + su U and us S + uu U
    WfOct ss = wf_oct_madd(W->aa, A, one), su = wf_oct_mul(W->ab, B);
    WfOct us = wf_oct_mul(W->ab, A), uu = wf_oct_madd(W->bb, B, one);
    WfOct SS = wf_oct_madd(ss, now->ss, wf_oct_mul(su, now->su));
    WfOct SU = wf_oct_madd(ss, now->su, wf_oct_mul(su, now->uu));
    WfOct US = wf_oct_madd(us, now->ss, wf_oct_mul(uu, now->su));
    WfOct UU = wf_oct_madd(us, now->su, wf_oct_mul(uu, now->uu));
    Squares led = {wf_oct_madd(ss, SS, wf_oct_mul(su, SU)), wf_oct_madd(us, SS, wf_oct_mul(uu, SU)),
                   wf_oct_madd(us, US, wf_oct_mul(uu, UU))};
    WfOct mean = wf_oct_mul(half, wf_oct_add(W->aa, W->bb));
    const float* shear = k + WF_OCT * TRIANGLE_SHEAR;
    WfOct P = fibre_pull(rates, diagonal(&led, one), diagonal(before, one), wf_oct_add(mean, W->ab),
                         shear, damped);
    WfOct M = fibre_pull(rates, diagonal(&led, minus), diagonal(before, minus),
                         wf_oct_sub(mean, W->ab), shear, damped);
    WfOct sum = wf_oct_mul(half, wf_oct_add(P, M)), other = wf_oct_mul(half, wf_oct_sub(P, M));
    e->As = wf_oct_add(A, wf_oct_madd(sum, ss, wf_oct_mul(other, us)));
    e->Au = wf_oct_madd(sum, su, wf_oct_mul(other, uu));
    e->Bs = wf_oct_madd(other, ss, wf_oct_mul(sum, us));
    e->Bu = wf_oct_add(B, wf_oct_madd(other, su, wf_oct_mul(sum, uu)));
}

KERNEL void move_triangles(const WfLocal* t, const WfLocalJob* job, int batch, Triangles* e) {
    const int* i = t->vertices + 3L * WF_OCT * batch;
    Axes c = axes_of(t->constants + (long)TRIANGLE_NUMBERS * WF_OCT * batch);
    WfOct3 a = wf_oct3_madd(wf_oct3_mul(e->As, e->S), e->Au, e->U);
    WfOct3 b = wf_oct3_madd(wf_oct3_mul(e->Bs, e->S), e->Bu, e->U);
    for (int v = 0; v < 3; v++) {
        WfOct3 move = wf_oct3_madd(wf_oct3_mul(c.a[v], a), c.b[v], b);
        put(wf_oct3_madd(wf_oct3_of(e->p[v]), e->p[v][3], move), e->p[v]);
        wf_oct_scatter(job->x, i + WF_OCT * v, e->p[v]);
    }
}

KERNEL void sweep_fibres(const WfLocal* t, const WfLocalJob* job, int first, int end,
                         const bool damped, const bool diagonals) {
    const Rates rates = rates_of(t, job);
    for (int from = first; from < end; from += TOGETHER) {
        Triangles e[TOGETHER];
        int count = end - from < TOGETHER ? end - from : TOGETHER;
        for (int k = 0; k < count; k++) find_triangles(t, job, from + k, damped, &e[k]);
        for (int k = 0; k < count; k++)
            pull_triangles(t, &rates, from + k, damped, diagonals, &e[k]);
        for (int k = 0; k < count; k++) move_triangles(t, job, from + k, &e[k]);
    }
}

BODY void sweep_triangles(const WfLocal* t, const WfLocalJob* job, int first, int end) {
    if (t->zeta > 0) sweep_fibres(t, job, first, end, true, true);
    if (!(t->zeta > 0)) sweep_fibres(t, job, first, end, false, true);
}

BODY void sweep_axes(const WfLocal* t, const WfLocalJob* job, int first, int end) {
    if (t->zeta > 0) sweep_fibres(t, job, first, end, true, false);
    if (!(t->zeta > 0)) sweep_fibres(t, job, first, end, false, false);
}
