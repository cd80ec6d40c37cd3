// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The natural logarithm with the same bits on every machine (see angle.h). Good to 2 units in the
// last place.

#ifndef WF_BASE_LOGARITHM_H
#define WF_BASE_LOGARITHM_H

#include <stdint.h>
#include <string.h>

// x = m 2^power with m between sqrt 1/2 and sqrt 2, for positive numbers that are not subnormal.
static inline double wf_split_power(double x, int* power) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    *power = (int)(bits >> 52) - 1023;
    bits = (bits & 0x000fffffffffffffu) | 0x3ff0000000000000u;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m < 1.4142135623730951) return m;
    ++*power;
    return m / 2;
}

// ln x = power ln 2 + 2 artanh z, z = (m - 1)/(m + 1). |z| < 0.172, so 12 terms of the series are
// enough. ln 2 is in two parts, the first with zeros at its end: its product with a power is exact.
static inline double wf_logarithm(double x) {
    static const double first = 0x1.62e42feep-1, second = 0x1.a39ef35793c76p-33;
    int power;
    double m = wf_split_power(x, &power);
    double z = (m - 1) / (m + 1), zz = z * z, sum = 0;
    for (int k = 23; k > 1; k -= 2) sum = zz * (1.0 / k + sum);
    double small = 2 * z + 2 * z * sum;
    return power * first + (small + power * second);
}

#endif
