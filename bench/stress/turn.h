// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Rotations as unit quaternions, x y z w.

#ifndef WEFT_BENCH_STRESS_TURN_H
#define WEFT_BENCH_STRESS_TURN_H

#include <math.h>
#include <string.h>

static inline void turn_point(const double q[4], const double point[3], double turned[3]) {
    double t[3];
    for (int k = 0; k < 3; k++)
        t[k] = 2 * (q[(k + 1) % 3] * point[(k + 2) % 3] - q[(k + 2) % 3] * point[(k + 1) % 3]);
    double result[3];
    for (int k = 0; k < 3; k++)
        result[k] = point[k] + q[3] * t[k] + q[(k + 1) % 3] * t[(k + 2) % 3] -
                    q[(k + 2) % 3] * t[(k + 1) % 3];
    memcpy(turned, result, sizeof result);
}

static inline void turn_back(const double q[4], const double point[3], double turned[3]) {
    double inverse[4] = {-q[0], -q[1], -q[2], q[3]};
    turn_point(inverse, point, turned);
}

// First `before`, then `turn`; normalised.
static inline void turn_on(const double turn[4], const double before[4], double both[4]) {
    double q[4], length = 0;
    for (int k = 0; k < 3; k++)
        q[k] = turn[3] * before[k] + before[3] * turn[k] + turn[(k + 1) % 3] * before[(k + 2) % 3] -
               turn[(k + 2) % 3] * before[(k + 1) % 3];
    q[3] = turn[3] * before[3] - turn[0] * before[0] - turn[1] * before[1] - turn[2] * before[2];
    for (int k = 0; k < 4; k++) length += q[k] * q[k];
    for (int k = 0; k < 4; k++) both[k] = q[k] / sqrt(length);
}

// About a unit axis, by the angle whose half has the tangent `half`.
static inline void turn_about(const double axis[3], double half, double q[4]) {
    double cosine = 1 / sqrt(1 + half * half);
    for (int k = 0; k < 3; k++) q[k] = axis[k] * half * cosine;
    q[3] = cosine;
}

#endif
