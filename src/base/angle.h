// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Sine, cosine and arc tangent with the same bits on every machine, which those of C libraries do
// not have: each rounds in its own way. Good to 2 units in the last place for angles up to some
// thousand turns.

#ifndef WF_BASE_ANGLE_H
#define WF_BASE_ANGLE_H

#include <math.h>

#define WF_PI 3.14159265358979323846

// The series of sin r / r and cos r for |r| <= pi/4, from z = r^2.
static inline double wf_sine_series(double z) {
    double s = 1 - z * (1.0 / 272);
    s = 1 - z * (1.0 / 210) * s;
    s = 1 - z * (1.0 / 156) * s;
    s = 1 - z * (1.0 / 110) * s;
    s = 1 - z * (1.0 / 72) * s;
    s = 1 - z * (1.0 / 42) * s;
    s = 1 - z * (1.0 / 20) * s;
    return 1 - z * (1.0 / 6) * s;
}

static inline double wf_cosine_series(double z) {
    double c = 1 - z * (1.0 / 306);
    c = 1 - z * (1.0 / 240) * c;
    c = 1 - z * (1.0 / 182) * c;
    c = 1 - z * (1.0 / 132) * c;
    c = 1 - z * (1.0 / 90) * c;
    c = 1 - z * (1.0 / 56) * c;
    c = 1 - z * (1.0 / 30) * c;
    c = 1 - z * (1.0 / 12) * c;
    return 1 - z * (1.0 / 2) * c;
}

// angle = quarters * pi/2 + r. pi/2 is taken off in three parts, the first two of which have zeros
// at their end, so that their products with a number of quarters below 2^20 are exact.
static inline void wf_sine_cosine(double angle, double* sine, double* cosine) {
    static const double first = 0x1.921fb544p0, second = 0x1.0b4611a6p-34,
                        third = 0x1.3198a2e037073p-69;
    double quarters = floor(angle * (2 / WF_PI) + 0.5);
    double r = ((angle - quarters * first) - quarters * second) - quarters * third;
    double s = r * wf_sine_series(r * r), c = wf_cosine_series(r * r);
    int quarter = (int)(quarters - 4 * floor(quarters / 4));
    *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
    *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

// atan t for 0 <= t <= 1. What is above tan 15 degrees is turned back by 30: then t <= 0.268, and
// 15 terms of the series are enough.
static inline double wf_arc_tangent(double t) {
    static const double root = 1.7320508075688772;
    double back = 0;
    if (t > 2 - root) {
        t = (root * t - 1) / (root + t);
        back = WF_PI / 6;
    }
    double z = t * t, sum = 0;
    for (int k = 31; k > 1; k -= 2) sum = z * (1.0 / k - sum);
    return back + (t - t * sum);
}

// As atan2, for finite numbers; 0 where both are 0.
static inline double wf_angle_of(double y, double x) {
    double a = fabs(x), b = fabs(y);
    if (a == 0 && b == 0) return 0;
    double angle = b <= a ? wf_arc_tangent(b / a) : WF_PI / 2 - wf_arc_tangent(a / b);
    if (x < 0) angle = WF_PI - angle;
    return y < 0 ? -angle : angle;
}

#endif
