// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The local form of triangles of Green's strain, measured (energy/measured.c) and membranes
// (energy/membrane.c): e = (S.S - 1)/2, (U.U - 1)/2, S.U with the fibres of triangle_sweep.h, all
// three solved together. With the rows J = de/dx and the compliance alpha = C^-1/(A h^2) of the
// step,
//
//     G = J W J^T       M = G + alpha       s = M^-1 e       x_a -= w_a J_a^T s
//
// s is stress times A h^2. With damping e is less by r/(1 + r) of what it was, and alpha by 1 + r.
//
// e bends with x. G is therefore that of chords, from S as it is to its rest length: with the
// length l of S, S.S in G becomes l (l + 1)/2, so that a stiff triangle comes to rest from any
// length, be it pressed to nearly nothing; likewise U.U. Shorter steps see nothing of G. And no
// step makes more strain by its second order, |dF|^2/2, than there is: one that is straight to
// where the triangle rests makes less, but a triangle that lies in a line would be thrown out of
// its way.
//
// Pressed cloth wrinkles (energy/wrinkle.h) and carries the load P: with M^-1 in the place of C
// that is the same search for the direction n that saves the most, done at the end of the step,
//
//     g = N.s + P,  m = N.M^-1 N,  N = (1 + x, 1 - x, 2 y)/2      s -= min(g, 0)/m M^-1 N
//
// or s = -P in all directions, where that wrinkles in both. Directions of largest pressure are
// those of isotropic cloth; TURNS steps of Newton's method bring them to the others.

enum { MEMBRANE_NUMBERS = 4, MEMBRANE_BEGUN = 5, TURNS = 3 };
#define LEAST_PIVOT 1e-5f    // of the diagonal: floats tell no less from none
#define LONGEST_TURN 0.5f    // as in wrinkle.c
#define LEAST_RADIUS 1e-20f  // of stress, where it has no direction

typedef struct Sym3 {
    WfOct xx, xy, xz, yy, yz, zz;
} Sym3;

typedef struct Strain {
    WfOct u, v, w;  // uu, vv, and 2 uv
} Strain;

KERNEL Strain strain_of(const Squares* f) {
    WfOct half = wf_oct_set(0.5f), one = wf_oct_set(1);
    return (Strain){wf_oct_mul(half, wf_oct_sub(f->ss, one)),
                    wf_oct_mul(half, wf_oct_sub(f->uu, one)), f->su};
}

KERNEL Strain sym3_mul(const Sym3* m, Strain e) {
    return (Strain){wf_oct_madd(m->xx, e.u, wf_oct_madd(m->xy, e.v, wf_oct_mul(m->xz, e.w))),
                    wf_oct_madd(m->xy, e.u, wf_oct_madd(m->yy, e.v, wf_oct_mul(m->yz, e.w))),
                    wf_oct_madd(m->xz, e.u, wf_oct_madd(m->yz, e.v, wf_oct_mul(m->zz, e.w)))};
}

// By M = L D L^T.
KERNEL Sym3 sym3_inverse(const Sym3* m) {
    const WfOct one = wf_oct_set(1), tiny = wf_oct_set(LEAST_PIVOT), zero = wf_oct_zero();
    WfOct i1 = wf_oct_div(one, m->xx), l1 = wf_oct_mul(m->xy, i1), l2 = wf_oct_mul(m->xz, i1);
    WfOct d2 = wf_oct_max(wf_oct_sub(m->yy, wf_oct_mul(l1, m->xy)), wf_oct_mul(tiny, m->yy));
    WfOct under = wf_oct_sub(m->yz, wf_oct_mul(l1, m->xz)), i2 = wf_oct_div(one, d2);
    WfOct l3 = wf_oct_mul(under, i2);
    WfOct d3 = wf_oct_sub(wf_oct_sub(m->zz, wf_oct_mul(l2, m->xz)), wf_oct_mul(l3, under));
    WfOct i3 = wf_oct_div(one, wf_oct_max(d3, wf_oct_mul(tiny, m->zz)));
    WfOct a = wf_oct_sub(wf_oct_mul(l1, l3), l2);  // L^-1 = 1; -l1, 1; a, -l3, 1
    WfOct a3 = wf_oct_mul(a, i3), n3 = wf_oct_sub(zero, wf_oct_mul(l3, i3));
    Sym3 r = {.xz = a3, .yz = n3, .zz = i3};
    r.xx = wf_oct_madd(a, a3, wf_oct_madd(wf_oct_mul(l1, l1), i2, i1));
    r.xy = wf_oct_sub(wf_oct_mul(a, n3), wf_oct_mul(l1, i2));
    r.yy = wf_oct_sub(i2, wf_oct_mul(l3, n3));
    return r;
}

// G of chords: row and column of S by sqrt((1 + l)/2l), of U likewise
KERNEL Sym3 response_of(const Squares* f, const Weights* W) {
    const WfOct one = wf_oct_set(1), half = wf_oct_set(0.5f), least = wf_oct_set(LEAST_SQUARE);
    WfOct l = wf_oct_sqrt(wf_oct_max(f->ss, least)), n = wf_oct_sqrt(wf_oct_max(f->uu, least));
    WfOct ls = wf_oct_div(wf_oct_mul(half, wf_oct_add(one, l)), l);
    WfOct ns = wf_oct_div(wf_oct_mul(half, wf_oct_add(one, n)), n);
    WfOct lr = wf_oct_sqrt(ls), nr = wf_oct_sqrt(ns), cross = wf_oct_mul(W->ab, f->su);
    Sym3 G;
    G.xx = wf_oct_mul(ls, wf_oct_mul(W->aa, f->ss));
    G.yy = wf_oct_mul(ns, wf_oct_mul(W->bb, f->uu));
    G.xy = wf_oct_mul(wf_oct_mul(lr, nr), cross);
    G.xz = wf_oct_mul(lr, wf_oct_madd(W->aa, f->su, wf_oct_mul(W->ab, f->ss)));
    G.yz = wf_oct_mul(nr, wf_oct_madd(W->bb, f->su, wf_oct_mul(W->ab, f->uu)));
    G.zz = wf_oct_madd(W->aa, f->uu, wf_oct_madd(W->bb, f->ss, wf_oct_add(cross, cross)));
    return G;
}

// ---------------------------------------------------------------------------------------------
// Wrinkles

KERNEL Strain direction_of(WfOct x, WfOct y) {
    WfOct half = wf_oct_set(0.5f), part = wf_oct_mul(half, x);
    return (Strain){wf_oct_add(half, part), wf_oct_sub(half, part), y};
}

// N.M^-1 N = k + 2 kx x + 2 ky y + kxx x^2 + 2 kxy x y + kyy y^2, of M^-1 = V
typedef struct Saving {
    WfOct g1, g2, kx, ky, kxy, bend;  // bend: kyy - kxx
} Saving;

KERNEL Saving saving_of(const Sym3* V, Strain s) {
    WfOct half = wf_oct_set(0.5f), quarter = wf_oct_set(0.25f);
    WfOct sum = wf_oct_sub(wf_oct_add(V->xx, V->yy), wf_oct_add(V->xy, V->xy));
    return (Saving){.g1 = wf_oct_mul(half, wf_oct_sub(s.u, s.v)),
                    .g2 = s.w,
                    .kx = wf_oct_mul(quarter, wf_oct_sub(V->xx, V->yy)),
                    .ky = wf_oct_mul(half, wf_oct_add(V->xz, V->yz)),
                    .kxy = wf_oct_mul(half, wf_oct_sub(V->xz, V->yz)),
                    .bend = wf_oct_sub(V->zz, wf_oct_mul(quarter, sum))};
}

KERNEL WfOct strain_dot(Strain a, Strain b) {
    return wf_oct_madd(a.u, b.u, wf_oct_madd(a.v, b.v, wf_oct_mul(a.w, b.w)));
}

// Newton's step for 2 ln |g| - ln m, with ' by twice the angle; or a long one upwards.
KERNEL WfOct turn_of(const Saving* k, WfOct g, WfOct m, WfOct x, WfOct y) {
    const WfOct longest = wf_oct_set(LONGEST_TURN), two = wf_oct_set(2), zero = wf_oct_zero();
    WfOct minus = wf_oct_sub(zero, longest);
    WfOct xx = wf_oct_sub(wf_oct_mul(x, x), wf_oct_mul(y, y)), xy = wf_oct_mul(x, y);
    WfOct dg = wf_oct_sub(wf_oct_mul(k->g2, x), wf_oct_mul(k->g1, y));
    WfOct ddg = wf_oct_sub(zero, wf_oct_madd(k->g1, x, wf_oct_mul(k->g2, y)));
    WfOct dm = wf_oct_sub(wf_oct_mul(k->ky, x), wf_oct_mul(k->kx, y));
    dm = wf_oct_mul(two, wf_oct_add(dm, wf_oct_madd(k->bend, xy, wf_oct_mul(k->kxy, xx))));
    WfOct ddm = wf_oct_sub(wf_oct_mul(k->bend, xx), wf_oct_madd(k->ky, y, wf_oct_mul(k->kx, x)));
    ddm = wf_oct_mul(two, wf_oct_sub(ddm, wf_oct_mul(wf_oct_set(4), wf_oct_mul(k->kxy, xy))));
    WfOct a = wf_oct_div(dg, g), b = wf_oct_div(dm, m);
    WfOct slope = wf_oct_sub(wf_oct_mul(two, a), b);
    WfOct bend = wf_oct_sub(wf_oct_div(ddg, g), wf_oct_mul(a, a));
    bend = wf_oct_sub(wf_oct_mul(two, bend), wf_oct_sub(wf_oct_div(ddm, m), wf_oct_mul(b, b)));
    WfOct upwards = wf_oct_choose(wf_oct_above(slope, zero), longest, minus);
    WfOctMask peak = wf_oct_above(zero, bend);
    WfOct newton = wf_oct_div(slope, wf_oct_sub(zero, wf_oct_min(bend, wf_oct_set(-FLT_MIN))));
    return wf_oct_clamp(wf_oct_choose(peak, newton, upwards), minus, longest);
}

// -P both ways, where the wrinkles M (-P, -P, 0) - e that this takes are none below 0.
KERNEL Strain slack_or(const Sym3* M, Strain e, Strain one_way, WfOct P) {
    WfOct zero = wf_oct_zero(), minus = wf_oct_sub(zero, P);
    Strain w = sym3_mul(M, (Strain){minus, minus, zero});
    WfOct wu = wf_oct_sub(w.u, e.u), wv = wf_oct_sub(w.v, e.v);
    WfOct shear = wf_oct_sub(w.w, e.w), apart = wf_oct_sub(wu, wv);
    WfOct radius = wf_oct_sqrt(wf_oct_madd(apart, apart, wf_oct_mul(shear, shear)));
    WfOctMask taut = wf_oct_above(radius, wf_oct_add(wu, wv));
    return (Strain){wf_oct_choose(taut, one_way.u, minus), wf_oct_choose(taut, one_way.v, minus),
                    wf_oct_choose(taut, one_way.w, zero)};
}

// The stress of cloth with the strain e that carries the load P, M^-1 = V.
KERNEL Strain wrinkled_stress(const Sym3* M, const Sym3* V, Strain e, Strain s, WfOct P) {
    const WfOct half = wf_oct_set(0.5f), one = wf_oct_set(1), zero = wf_oct_zero();
    Saving k = saving_of(V, s);
    WfOct r = wf_oct_sqrt(wf_oct_madd(k.g1, k.g1, wf_oct_mul(k.g2, k.g2)));
    WfOct g = wf_oct_sub(wf_oct_madd(half, wf_oct_add(s.u, s.v), P), r);
    WfOctMask wrinkles = wf_oct_above(zero, g);
    if (!wf_oct_bits(wrinkles)) return s;
    WfOctMask directed = wf_oct_above(r, wf_oct_set(LEAST_RADIUS));
    r = wf_oct_max(r, wf_oct_set(LEAST_RADIUS));
    WfOct x = wf_oct_choose(directed, wf_oct_sub(zero, wf_oct_div(k.g1, r)), one);
    WfOct y = wf_oct_choose(directed, wf_oct_sub(zero, wf_oct_div(k.g2, r)), zero);
    Strain N = direction_of(x, y), VN = sym3_mul(V, N);
    WfOct m = strain_dot(N, VN);
    for (int turn = 0; turn < TURNS; turn++) {
        WfOct by = turn_of(&k, wf_oct_min(g, wf_oct_set(-FLT_MIN)), m, x, y);
        WfOct nx = wf_oct_sub(x, wf_oct_mul(by, y)), ny = wf_oct_madd(by, x, y);
        WfOct l = wf_oct_sqrt(wf_oct_madd(nx, nx, wf_oct_mul(ny, ny)));
        x = wf_oct_div(nx, l), y = wf_oct_div(ny, l);
        N = direction_of(x, y), VN = sym3_mul(V, N);
        g = wf_oct_add(strain_dot(N, s), P), m = strain_dot(N, VN);
    }
    WfOct amount = wf_oct_div(wf_oct_sub(zero, wf_oct_min(g, zero)), m);
    Strain one_way = {wf_oct_madd(amount, VN.u, s.u), wf_oct_madd(amount, VN.v, s.v),
                      wf_oct_madd(amount, VN.w, s.w)};
    Strain all = slack_or(M, e, one_way, P);
    return (Strain){wf_oct_choose(wrinkles, all.u, s.u), wf_oct_choose(wrinkles, all.v, s.v),
                    wf_oct_choose(wrinkles, all.w, s.w)};
}

// ---------------------------------------------------------------------------------------------

// Twice the strain: as much as |dF|^2 may be.
KERNEL WfOct bound_of(Strain e) {
    WfOct sum = wf_oct_add(wf_oct_add(wf_oct_abs(e.u), wf_oct_abs(e.v)), wf_oct_abs(e.w));
    return wf_oct_add(sum, sum);
}

KERNEL WfOct3 mix(WfOct a, WfOct3 S, WfOct b, WfOct3 U) {
    return wf_oct3_madd(wf_oct3_mul(a, S), b, U);
}

KERNEL WfOct square_sum(WfOct3 a, WfOct3 b) {
    return wf_oct_add(wf_oct3_dot(a, a), wf_oct3_dot(b, b));
}

KERNEL Sym3 compliance_block(const Rates* rates, const float* k) {
    WfOct zero = wf_oct_zero();
    return (Sym3){.xx = compliance_of(rates, k),
                  .xy = compliance_of(rates, k + WF_OCT),
                  .xz = zero,
                  .yy = compliance_of(rates, k + 2 * WF_OCT),
                  .yz = zero,
                  .zz = compliance_of(rates, k + 3 * WF_OCT)};
}

KERNEL Sym3 sym3_add(const Sym3* a, const Sym3* b) {
    return (Sym3){wf_oct_add(a->xx, b->xx), wf_oct_add(a->xy, b->xy), wf_oct_add(a->xz, b->xz),
                  wf_oct_add(a->yy, b->yy), wf_oct_add(a->yz, b->yz), wf_oct_add(a->zz, b->zz)};
}

// What damping leaves of the strain.
KERNEL void damp_strain(const WfLocalJob* job, const Rates* rates, const Axes* c, const int* i,
                        Strain* e) {
    WfOct q[3][4];
    WfOct3 S, U;
    for (int v = 0; v < 3; v++) wf_oct_gather(job->before, i + WF_OCT * v, q[v]);
    fibres_of(c, q, &S, &U);
    Squares f = squares_of(S, U);
    Strain before = strain_of(&f);
    e->u = wf_oct_sub(e->u, wf_oct_mul(rates->old, before.u));
    e->v = wf_oct_sub(e->v, wf_oct_mul(rates->old, before.v));
    e->w = wf_oct_sub(e->w, wf_oct_mul(rates->old, before.w));
}

// The stress of what carries a load, where it does; lanes without one, idle ones, carry any.
KERNEL Strain pressed(const WfLocalJob* job, const Sym3* M, const Sym3* V, Strain e, Strain s,
                      WfOct load) {
    WfOctMask gives = wf_oct_above(load, wf_oct_zero());
    if (!wf_oct_bits(gives)) return s;
    WfOct P = wf_oct_mul(load, wf_oct_set(job->h * job->h / (float)job->sweeps));
    P = wf_oct_choose(wf_oct_above(P, wf_oct_zero()), P, wf_oct_set(FLT_MAX));
    return wrinkled_stress(M, V, e, s, P);
}

KERNEL void sweep_strain(const WfLocal* t, const WfLocalJob* job, const Rates* rates, int batch,
                         const bool damped) {
    const int* i = t->vertices + 3L * WF_OCT * batch;
    const float* k = t->constants + (long)MEMBRANE_NUMBERS * WF_OCT * batch;
    const float* begun = job->begun + t->begun_at + (long)MEMBRANE_BEGUN * WF_OCT * batch;
    const WfOct one = wf_oct_set(1);
    WfOct p[3][4];
    WfOct3 S, U;
    Axes c = axes_of(k);
    for (int v = 0; v < 3; v++) wf_oct_gather(job->x, i + WF_OCT * v, p[v]);
    fibres_of(&c, p, &S, &U);
    Squares f = squares_of(S, U);
    Strain e = strain_of(&f);
    if (damped) damp_strain(job, rates, &c, i, &e);
    Weights W = weights_of(&c, p);
    Sym3 G = response_of(&f, &W), alpha = compliance_block(rates, begun);
    Sym3 M = sym3_add(&G, &alpha), V = sym3_inverse(&M);
    Strain s = sym3_mul(&V, e);
    WfOct P = wf_oct_load(begun + 4 * WF_OCT);
    s = pressed(job, &M, &V, e, s, P);
    WfOct3 A = mix(s.u, S, s.w, U), B = mix(s.v, U, s.w, S);
    WfOct far = square_sum(mix(W.aa, A, W.ab, B), mix(W.ab, A, W.bb, B));
    WfOct part = wf_oct_div(bound_of(e), wf_oct_max(far, wf_oct_set(FLT_MIN)));
    part = wf_oct_sqrt(wf_oct_min(part, one));
    for (int v = 0; v < 3; v++) {
        WfOct by = wf_oct_sub(wf_oct_zero(), wf_oct_mul(part, p[v][3]));
        put(wf_oct3_madd(wf_oct3_of(p[v]), by, mix(c.a[v], A, c.b[v], B)), p[v]);
        wf_oct_scatter(job->x, i + WF_OCT * v, p[v]);
    }
}

BODY void sweep_strains(const WfLocal* t, const WfLocalJob* job, int first, int end) {
    SWEEP(sweep_strain);
}
