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

// S = s[0] S0 + s[1] U0, likewise U, from the first ones.
typedef struct Span {
    WfOct s[2], u[2];
} Span;

// S.S, S.U and U.U
typedef struct Squares {
    WfOct ss, su, uu;
} Squares;

KERNEL WfOct square_of(const Squares* g, WfOct s, WfOct u) {
    WfOct cross = wf_oct_mul(wf_oct_mul(s, u), g->su);
    return wf_oct_madd(wf_oct_mul(s, s), g->ss,
                       wf_oct_madd(wf_oct_mul(u, u), g->uu, wf_oct_add(cross, cross)));
}

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

// -lambda over the length of a fibre s S + u U of rest length 1, by its squares now and before.
KERNEL WfOct fibre_pull(const WfLocal* t, const WfLocalJob* job, const Squares* now,
                        const Squares* before, WfOct s, WfOct u, WfOct W, WfOct alpha,
                        const Span* span, const bool damped) {
    WfOct one = wf_oct_set(1), rest = one, r = wf_oct_zero();
    WfOct s0 = s, u0 = u;
    if (span) {
        s0 = wf_oct_madd(s, span->s[0], wf_oct_mul(u, span->u[0]));
        u0 = wf_oct_madd(s, span->s[1], wf_oct_mul(u, span->u[1]));
    }
    if (damped) {
        WfOct old = wf_oct_max(square_of(before, s, u), wf_oct_zero());
        r = wf_oct_set(t->zeta / job->h);
        damp(r, wf_oct_sqrt(old), &rest, &alpha);
    }
    WfOct pull = pull_of(t, square_of(now, s0, u0), rest, one, r, W, alpha);
    return wf_oct_sub(wf_oct_zero(), pull);
}

KERNEL void sweep_fibres(const WfLocal* t, const WfLocalJob* job, int batch, const bool damped,
                         const bool diagonals) {
    const int* i = t->vertices + 3L * WF_OCT * batch;
    const float* k = t->constants + (long)TRIANGLE_NUMBERS * WF_OCT * batch;
    WfOct p[3][4], zero = wf_oct_zero(), one = wf_oct_set(1);
    WfOct3 S, U;
    Axes c = axes_of(k);
    for (int v = 0; v < 3; v++) wf_oct_gather(job->x, i + WF_OCT * v, p[v]);
    fibres_of(&c, p, &S, &U);
    Squares now = squares_of(S, U), before = now;
    if (damped) {
        WfOct q[3][4];
        WfOct3 S0, U0;
        for (int v = 0; v < 3; v++) wf_oct_gather(job->before, i + WF_OCT * v, q[v]);
        fibres_of(&c, q, &S0, &U0);
        before = squares_of(S0, U0);
    }
    WfOct Wuu = zero, Wuv = zero, Wvv = zero;
    for (int v = 0; v < 3; v++) {
        WfOct wa = wf_oct_mul(p[v][3], c.a[v]), wb = wf_oct_mul(p[v][3], c.b[v]);
        Wuu = wf_oct_madd(wa, c.a[v], Wuu);
        Wuv = wf_oct_madd(wa, c.b[v], Wuv);
        Wvv = wf_oct_madd(wb, c.b[v], Wvv);
    }
    WfOct warp = compliance_of(job, k + WF_OCT * TRIANGLE_WARP);
    WfOct weft = compliance_of(job, k + WF_OCT * TRIANGLE_WEFT);
    WfOct A = fibre_pull(t, job, &now, &before, one, zero, Wuu, warp, NULL, damped);
    WfOct B = fibre_pull(t, job, &now, &before, zero, one, Wvv, weft, NULL, damped);
    // what the three vertices are moved by: (As S + Au U) a + (Bs S + Bu U) b
    WfOct As = A, Au = zero, Bs = zero, Bu = B;
    if (diagonals) {
        Span span = {{wf_oct_madd(Wuu, A, one), wf_oct_mul(Wuv, B)},
                     {wf_oct_mul(Wuv, A), wf_oct_madd(Wvv, B, one)}};
        WfOct half = wf_oct_set(0.5f), root = wf_oct_set(0.70710678f);
        WfOct minus = wf_oct_set(-0.70710678f);
        WfOct shear = compliance_of(job, k + WF_OCT * TRIANGLE_SHEAR);
        WfOct mean = wf_oct_mul(half, wf_oct_add(Wuu, Wvv));
        WfOct P = fibre_pull(t, job, &now, &before, root, root, wf_oct_add(mean, Wuv), shear, &span,
                             damped);
        WfOct M = fibre_pull(t, job, &now, &before, root, minus, wf_oct_sub(mean, Wuv), shear,
                             &span, damped);
        P = wf_oct_mul(P, half), M = wf_oct_mul(M, half);
        WfOct sum = wf_oct_add(P, M), difference = wf_oct_sub(P, M);
        As = wf_oct_add(As, wf_oct_madd(sum, span.s[0], wf_oct_mul(difference, span.u[0])));
        Au = wf_oct_madd(sum, span.s[1], wf_oct_mul(difference, span.u[1]));
        Bs = wf_oct_madd(difference, span.s[0], wf_oct_mul(sum, span.u[0]));
        Bu = wf_oct_add(Bu, wf_oct_madd(difference, span.s[1], wf_oct_mul(sum, span.u[1])));
    }
    WfOct3 along_a = wf_oct3_madd(wf_oct3_mul(As, S), Au, U);
    WfOct3 along_b = wf_oct3_madd(wf_oct3_mul(Bs, S), Bu, U);
    for (int v = 0; v < 3; v++) {
        WfOct3 move = wf_oct3_madd(wf_oct3_mul(c.a[v], along_a), c.b[v], along_b);
        put(wf_oct3_madd(wf_oct3_of(p[v]), p[v][3], move), p[v]);
        wf_oct_scatter(job->x, i + WF_OCT * v, p[v]);
    }
}

KERNEL void sweep_triangle(const WfLocal* t, const WfLocalJob* job, int batch, const bool damped) {
    sweep_fibres(t, job, batch, damped, true);
}

KERNEL void sweep_axis(const WfLocal* t, const WfLocalJob* job, int batch, const bool damped) {
    sweep_fibres(t, job, batch, damped, false);
}

BODY void sweep_triangles(const WfLocal* t, const WfLocalJob* job, int first, int last) {
    SWEEP(sweep_triangle);
}

BODY void sweep_axes(const WfLocal* t, const WfLocalJob* job, int first, int last) {
    SWEEP(sweep_axis);
}
