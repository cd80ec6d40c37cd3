// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where will this vector point after the step? The estimators of the linear models, for one fibre.
//
//     previous   the direction of w(n)                                        (Desbrun 1999)
//     rotation   w(n) turned on by a omega(n) + b omega(n-1)                  (Choi 2013, 3.5-3.10)
//     vertex     the vector between vertices that move on freely              (Choi
//     2013, 3.15-3.17)
//
// To first order all of them but `previous` act on motion across the fibre like extra inertia: by
// h^2 kappa at weights (1, 0) and (2, -1, 0), by half of that at (1.5, -0.5) and (2.5, -2, 0.5).
// Full extrapolation, (2, -1) and (3, -3, 1), adds none but is excited by every nonlinearity and
// gains energy without bound. `previous` is a viscosity of h kappa: it brakes all turning.

#ifndef WF_ENERGY_ESTIMATOR_H
#define WF_ENERGY_ESTIMATOR_H

#include "base/angle.h"
#include "base/vec.h"

// Squares of sines and angles up to which the series below hold.
#define WF_SMALL_SINE 0.0625
#define WF_SMALL_ANGLE 0.25

// asin(s)/s for s <= 1/4, from s^2: the power series, to the last bit.
static inline double wf_arc_over_sine(double ss) {
    static const double c[] = {1,
                               1.0 / 6,
                               3.0 / 40,
                               15.0 / 336,
                               105.0 / 3456,
                               945.0 / 42240,
                               10395.0 / 599040,
                               135135.0 / 9676800,
                               2027025.0 / 175472640,
                               34459425.0 / 3530096640.0,
                               654729075.0 / 78033715200.0};
    double sum = c[10] * ss + c[9];  // written out: a loop would keep callers from SIMD
    sum = (sum * ss + c[8]) * ss + c[7];
    sum = (sum * ss + c[6]) * ss + c[5];
    sum = (sum * ss + c[4]) * ss + c[3];
    sum = (sum * ss + c[2]) * ss + c[1];
    sum = sum * ss + c[0];
    return sum;
}

// sin(a)/a and (1 - cos a)/a^2 for a <= 1/2, from a^2. By products with constants: divisions would
// cost more than all the rest.
static inline void wf_small_angle(double aa, double* sine, double* versine) {
    double s = 1 - aa * (1.0 / 110) * (1 - aa * (1.0 / 156));
    s = 1 - aa * (1.0 / 42) * (1 - aa * (1.0 / 72) * s);
    *sine = 1 - aa * (1.0 / 6) * (1 - aa * (1.0 / 20) * s);
    double v = 1 - aa * (1.0 / 90) * (1 - aa * (1.0 / 132));
    v = 1 - aa * (1.0 / 30) * (1 - aa * (1.0 / 56) * v);
    *versine = 0.5 - aa * (1.0 / 24) * v;
}

// The rotation from a to b as a vector: axis times angle. Zero where a and b are parallel or
// opposite, which leaves the axis open. Cloth turns little in a step: small angles take the series,
// three times as fast.
static inline WfVec wf_rotation_between(WfVec a, WfVec b) {
    WfVec cross = wf_cross(a, b);
    double square = wf_dot(cross, cross), product = wf_dot(a, a) * wf_dot(b, b), c = wf_dot(a, b);
    if (!(square > 1e-18 * product)) return (WfVec){0, 0, 0};
    if (c > 0 && square < WF_SMALL_SINE * product)
        return wf_mul(wf_arc_over_sine(square / product) / sqrt(product), cross);
    double sine = sqrt(square);
    return wf_mul(wf_angle_of(sine, c) / sine, cross);
}

// Rodrigues: w turned by the rotation vector r.
static inline WfVec wf_rotate(WfVec r, WfVec w) {
    double aa = wf_dot(r, r), sine, versine;  // sin a/a and (1 - cos a)/a^2
    if (aa < WF_SMALL_ANGLE)
        wf_small_angle(aa, &sine, &versine);
    else {
        double angle = sqrt(aa), s, c;
        wf_sine_cosine(angle, &s, &c);
        sine = s / angle;
        versine = (1 - c) / aa;
    }
    WfVec turned = wf_madd(wf_mul(1 - versine * aa, w), sine, wf_cross(r, w));
    return wf_madd(turned, versine * wf_dot(r, w), r);
}

#endif
