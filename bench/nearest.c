// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "nearest.h"

static double dot3(const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Ericson, Real-Time Collision Detection, 5.1.5.
double nearest_in(const double* p, const double* a, const double* b, const double* c, double w[3]) {
    double ab[3], ac[3], ap[3], q[3];
    for (int k = 0; k < 3; k++) ab[k] = b[k] - a[k], ac[k] = c[k] - a[k], ap[k] = p[k] - a[k];
    double d1 = dot3(ab, ap), d2 = dot3(ac, ap), ab2 = dot3(ab, ab), ac2 = dot3(ac, ac),
           abc = dot3(ab, ac), d3 = d1 - ab2, d4 = d2 - abc, d5 = d1 - abc, d6 = d2 - ac2;
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2, v = 0, u = 0;
    if (d1 <= 0 && d2 <= 0) {
        v = u = 0;
    } else if (d3 >= 0 && d4 <= d3) {
        v = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        v = d1 / (d1 - d3);
    } else if (d6 >= 0 && d5 <= d6) {
        u = 1;
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        u = d2 / (d2 - d6);
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        u = (d4 - d3) / (d4 - d3 + d5 - d6);
        v = 1 - u;
    } else {
        v = vb / (va + vb + vc), u = vc / (va + vb + vc);
    }
    w[0] = 1 - v - u, w[1] = v, w[2] = u;
    for (int k = 0; k < 3; k++) q[k] = p[k] - w[0] * a[k] - v * b[k] - u * c[k];
    return dot3(q, q);
}
