// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Constants for a measured fabric at small strain, so that it runs with linear models, too.
//
// Triangles (triangle.c of the terms) have stiffness ku along the warp, kv along the weft and k
// along two diagonals. For small strain that is
//
//     c11 = ku + k/2      c22 = kv + k/2      c12 = k/2      c33 = k
//
// three numbers for four. What one sees of a fabric is how far it gives where it hangs, so they are
// chosen such that strips pulled along the warp, the weft and the diagonal are as stiff as those of
// the fabric. (Where the fabric is as linear, they then are so in every direction.) With D = c11
// c22 - c12^2 and y = k/D their compliances are
//
//     a = (kv + k/2)/D     b = (ku + k/2)/D     d = ((ku + kv)/D + 2/k)/4
//
// From the first two, kv = D (a - y/2), ku = D (b - y/2) and 1/D = a b - y^2/4; put into the third,
//
//     3 y^2/2 + (4 d - a - b) y - 2 a b = 0
//
// which has one root above zero: then k = y D. Where y/2 is above a or b, the diagonals alone are
// stiffer across than the fabric is (which is so where it is stiff along one thread and on the
// diagonal, but not along the other thread). With kv = 0 the compliances are
//
//     a = 1/ku     b = 1/ku + 2/k     d = 1/k
//
// and cannot all be met. The least sum of squares of their relative errors is a linear problem of
// two unknowns: with 1/ku = a p, 1/k = d q, w = (a/b, 2 d/b), the solution of (I + w w^T)(p, q) =
// (1, 1) + w is (1, 1) + w (1 - w.(1, 1))/(1 + |w|^2).

#include <math.h>

#include "material/elastic.h"

// At this stretch the strips are compared: what cloth shows under its own weight. At none at all
// tables are least certain, and some fabrics nearly without stiffness.
static const double STRAIN = 0.02;
// Of the stiffness along the thread, where the diagonals alone are more than enough.
static const double LEAST_THREAD = 0.01;

typedef struct Triangles {
    double ku, kv, k;
} Triangles;

// a is the smaller of the compliances along the threads
static Triangles without_second(double a, double b, double d) {
    double w0 = a / b, w1 = 2 * d / b, excess = (1 - w0 - w1) / (1 + w0 * w0 + w1 * w1);
    return (Triangles){.ku = 1 / (a * (1 + w0 * excess)),
                       .kv = LEAST_THREAD / b,
                       .k = 1 / (d * (1 + w1 * excess))};
}

static Triangles turned(Triangles t) { return (Triangles){.ku = t.kv, .kv = t.ku, .k = t.k}; }

// along the warp a, along the weft b, on the diagonal d
static Triangles fit_triangles(double a, double b, double d) {
    double middle = 4 * d - a - b;
    double y = (sqrt(middle * middle + 12 * a * b) - middle) / 3;
    double D = 1 / (a * b - y * y / 4);
    Triangles t = {.ku = D * (b - y / 2), .kv = D * (a - y / 2), .k = y * D};
    if (y / 2 < fmin(a, b) && t.ku >= LEAST_THREAD / a && t.kv >= LEAST_THREAD / b) return t;
    return a <= b ? without_second(a, b, d) : turned(without_second(b, a, d));
}

static double compliance(const WeftFabric* fabric, double degrees) {
    return 1 / weft_fabric_stiffness(fabric, degrees, STRAIN);
}

// c12 over the root of c11 c22, the mean of what it is with either thread stretched.
static double coupling(const WeftMeasured* m) {
    WfElastic a = wf_measured_elastic(m, (double[3]){STRAIN, 0, 0});
    WfElastic b = wf_measured_elastic(m, (double[3]){0, STRAIN, 0});
    double nu = (a.c12 / sqrt(a.c11 * a.c22) + b.c12 / sqrt(b.c11 * b.c22)) / 2;
    return fmax(nu, 0);
}

void weft_fit_constants(WeftFabric* fabric) {
    const WeftMeasured* m = &fabric->measured;
    if (wf_has_measured_stretch(m)) {
        Triangles t =
            fit_triangles(compliance(fabric, 0), compliance(fabric, 90), compliance(fabric, 45));
        fabric->stretch_warp = t.ku;
        fabric->stretch_weft = t.kv;
        fabric->shear = t.k;
        fabric->poisson = coupling(m);
    }
    // the mean over all directions of what is linear between 0, 45, 90 and 135 degrees
    if (wf_has_measured_bend(m))
        fabric->bend = (m->bend[0][0] + 2 * m->bend[1][0] + m->bend[2][0]) / 4;
}
