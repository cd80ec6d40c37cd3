// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The direction n of a wrinkle at the angle t to the warp is found as z = (x, y) = (cos 2t, sin
// 2t). N, in the axes uu, vv and 2 uv, and g are linear in z, and m is a polynomial of x:
//
//     N = ((1 + x)/2, (1 - x)/2, y)     g = g0 + g1 x + g2 y     m = m0 + m1 x + m2 x^2
//
// (m1 = m2 = 0 for isotropic cloth: n is the direction of the largest pressure, then.) Newton's
// method looks for the largest g^2/m by turning z: with ' for d/d(2t), x' = -y and y' = x,
//
//     0 = 2 g'/g - m'/m
//
// At n the saved energy g^2/2m has the second derivative that the exact stiffness needs,
//
//     D = C - CN CN^T/m - 2/m v v^T/T,   v = CN' - m'/2m CN,   T = m''/m - m'^2/2m^2 - 2 g''/g

#include "energy/wrinkle.h"

#include <math.h>

#include "base/vec.h"

static const int MOST_STEPS = 40;          // six are usual
static const double LONGEST_STEP = 0.5;    // of twice the angle
static const double SURE_STEP = 1e-3;      // the energy does not tell shorter ones apart
static const double CLOSE_ENOUGH = 1e-14;  // a step in twice the angle
static const double FADES_BY = 0.2;        // strain of a wrinkle whose direction has no stiffness

// ---------------------------------------------------------------------------------------------
// A direction

typedef struct Pressure {
    double g0, g1, g2, m0, m1, m2;
} Pressure;

// g and m, and their derivatives by twice the angle.
typedef struct Saving {
    double g, dg, ddg, m, dm, ddm;
} Saving;

static Pressure pressure_of(const WfElastic* C, double load, const double stress[3]) {
    double sum = (C->c11 + C->c22) / 4;
    return (Pressure){.g0 = (stress[0] + stress[1]) / 2 + load,
                      .g1 = (stress[0] - stress[1]) / 2,
                      .g2 = stress[2],
                      .m0 = sum + C->c12 / 2 + C->c33 / 2,
                      .m1 = (C->c11 - C->c22) / 2,
                      .m2 = sum - C->c12 / 2 - C->c33 / 2};
}

static Saving saving_of(const Pressure* p, const double z[2]) {
    double x = z[0], y = z[1], slope = p->m1 + 2 * p->m2 * x;
    return (Saving){.g = p->g0 + p->g1 * x + p->g2 * y,
                    .dg = p->g2 * x - p->g1 * y,
                    .ddg = -(p->g1 * x + p->g2 * y),
                    .m = p->m0 + (p->m1 + p->m2 * x) * x,
                    .dm = -slope * y,
                    .ddm = 2 * p->m2 * y * y - slope * x};
}

static double saved_energy(const Saving* s) { return s->g < 0 ? s->g * s->g / (2 * s->m) : 0; }

// Newton's step for the logarithm of what is saved, or a long one upwards where that bends up.
static double step_of(const Saving* s) {
    double a = s->dg / s->g, b = s->dm / s->m;
    double slope = 2 * a - b, bend = 2 * s->ddg / s->g - 2 * a * a - s->ddm / s->m + b * b;
    double step = bend < 0 ? -slope / bend : slope > 0 ? LONGEST_STEP : -LONGEST_STEP;
    return fmax(-LONGEST_STEP, fmin(step, LONGEST_STEP));
}

static void turn(const double z[2], double by, double turned[2]) {
    double x = z[0] - by * z[1], y = z[1] + by * z[0], l = sqrt(x * x + y * y);
    turned[0] = x / l;
    turned[1] = y / l;
}

// The direction in which a strain or a stress, as half the difference of uu and vv, and uv, is
// least.
static Saving start_at(const Pressure* p, double half, double uv, double z[2]) {
    double radius = sqrt(half * half + uv * uv);
    z[0] = radius > 0 ? -half / radius : 1;
    z[1] = radius > 0 ? -uv / radius : 0;
    return saving_of(p, z);
}

// The direction that saves the most, from that of the largest pressure, where g < 0, or that of the
// most negative strain: with much of Poisson's ratio and little stiffness across they differ.
static Saving find_direction(const Pressure* p, const double e[3], double z[2]) {
    double other[2];
    Saving s = start_at(p, p->g1, p->g2, z);
    Saving by_strain = start_at(p, (e[0] - e[1]) / 2, e[2], other);
    if (saved_energy(&by_strain) > saved_energy(&s)) {
        z[0] = other[0];
        z[1] = other[1];
        s = by_strain;
    }
    double step = step_of(&s);
    for (int i = 0; i < MOST_STEPS && fabs(step) > CLOSE_ENOUGH; i++) {
        double next[2];
        turn(z, step, next);
        Saving there = saving_of(p, next);
        bool better = fabs(step) < SURE_STEP || saved_energy(&there) >= saved_energy(&s);
        if (better) {
            z[0] = next[0];
            z[1] = next[1];
            s = there;
        }
        step = better ? step_of(&s) : step / 2;
    }
    return s;
}

// ---------------------------------------------------------------------------------------------
// The three states

static void stress_of(const WfElastic* C, const double e[3], double s[3]) {
    s[0] = C->c11 * e[0] + C->c12 * e[1];
    s[1] = C->c12 * e[0] + C->c22 * e[1];
    s[2] = C->c33 * e[2];
}

// Both directions, where that takes no less than nothing in any: e + w is the strain of -P I.
static bool go_slack(const WfElastic* C, double load, const double e[3], WfWrinkle* k) {
    double det = C->c11 * C->c22 - C->c12 * C->c12;
    double u = -load * (C->c22 - C->c12) / det, v = -load * (C->c11 - C->c12) / det;
    double w[3] = {u - e[0], v - e[1], -e[2]};
    double middle = (w[0] + w[1]) / 2, half = (w[0] - w[1]) / 2;
    double radius = sqrt(half * half + w[2] * w[2]);
    if (middle < radius) return false;
    *k = (WfWrinkle){.count = 2,
                     .twice = {radius > 0 ? half / radius : 1, radius > 0 ? w[2] / radius : 0},
                     .amount = {middle + radius, middle - radius},
                     .strain = {w[0], w[1], w[2]},
                     .stress = {-load, -load, 0},
                     .energy = load * (w[0] + w[1] - (u + v) / 2)};
    return true;
}

WfWrinkle wf_wrinkle(const WfElastic* C, double load, const double e[3]) {
    WfWrinkle k = {0};
    stress_of(C, e, k.stress);
    k.energy = (k.stress[0] * e[0] + k.stress[1] * e[1]) / 2 + k.stress[2] * e[2];
    Pressure p = pressure_of(C, load, k.stress);
    if (!(load > 0) || p.g0 >= sqrt(p.g1 * p.g1 + p.g2 * p.g2)) return k;
    if (go_slack(C, load, e, &k)) return k;
    Saving s = find_direction(&p, e, k.twice);
    double a = -s.g / s.m, x = k.twice[0], y = k.twice[1], b = s.dm / s.m;
    k.count = 1;
    k.amount[0] = a;
    k.turning = 1 / (s.ddm / s.m - b * b / 2 - 2 * s.ddg / s.g);
    k.energy -= saved_energy(&s);
    k.strain[0] = a * (1 + x) / 2;
    k.strain[1] = a * (1 - x) / 2;
    k.strain[2] = a * y / 2;
    const double both[3] = {e[0] + k.strain[0], e[1] + k.strain[1], e[2] + k.strain[2]};
    stress_of(C, both, k.stress);
    return k;
}

// ---------------------------------------------------------------------------------------------
// Stiffness

static WfVec direction_of(const double z[2]) {
    return (WfVec){(1 + z[0]) / 2, (1 - z[0]) / 2, z[1]};
}

// Takes a part of the direction z out of D.
static void fade(double D[6], const double z[2], double part) {
    WfVec N = direction_of(z), DN = wf_sym_mul(D, N);
    wf_sym_add(D, 0, -part / wf_dot(N, DN), DN);
}

// Takes out what a wrinkle gives way by turning; its direction is still in D.
static void loosen(double D[6], const double z[2], double turning) {
    WfVec N = direction_of(z), CN = wf_sym_mul(D, N);
    WfVec dN = {-z[1] / 2, z[1] / 2, z[0]};
    double m = wf_dot(N, CN);
    WfVec v = wf_madd(wf_sym_mul(D, dN), -wf_dot(dN, CN) / m, CN);
    fade(D, z, 1);
    wf_sym_add(D, 0, -2 / m * turning, v);
}

void wf_wrinkle_stiffness(const WfElastic* C, const WfWrinkle* k, bool exact, double D[6]) {
    const double all[6] = {C->c11, C->c12, 0, C->c22, 0, C->c33 / 2};
    const double across[2] = {-k->twice[0], -k->twice[1]};
    for (int i = 0; i < 6; i++) D[i] = exact && k->count == 2 ? 0 : all[i];
    if (exact && k->count == 1) loosen(D, k->twice, k->turning);
    if (exact) return;
    if (k->count > 0) fade(D, k->twice, fmin(k->amount[0] / FADES_BY, 1));
    if (k->count > 1) fade(D, across, fmin(k->amount[1] / FADES_BY, 1));
}
