// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// With a, b, c relative to d,
//
//            | ax ay ax^2 + ay^2 |
//     det  = | bx by bx^2 + by^2 | = |a|^2 (b x c) + |b|^2 (c x a) + |c|^2 (a x b).
//            | cx cy cx^2 + cy^2 |
//
// Differences have 26 bits, so the squares and the cross products have 53 and are exact as doubles
// too; their products have 106. A sum of doubles answers nearly always; where it is closer to zero
// than its rounding, the sum is taken again in 128 bits.

#include "mesh/exact.h"

#include <math.h>
#include <stdbool.h>

// Two's complement: high * 2^64 + low.
typedef struct Wide {
    uint64_t high, low;
} Wide;

static Wide wide_negate(Wide a) {
    Wide n = {~a.high, ~a.low + 1};
    n.high += n.low == 0;
    return n;
}

static Wide wide_add(Wide a, Wide b) {
    Wide sum = {a.high + b.high, a.low + b.low};
    sum.high += sum.low < a.low;
    return sum;
}

// a is not negative; schoolbook, in halves of 32 bits
static Wide wide_multiply(int64_t a, int64_t b) {
    uint64_t x = (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    uint64_t x0 = x & 0xffffffff, x1 = x >> 32, y0 = y & 0xffffffff, y1 = y >> 32;
    uint64_t middle = x1 * y0 + (x0 * y0 >> 32);
    uint64_t rest = x0 * y1 + (middle & 0xffffffff);
    Wide product = {x1 * y1 + (middle >> 32) + (rest >> 32), x * y};
    return b < 0 ? wide_negate(product) : product;
}

static int wide_sign(Wide a) {
    if (a.high >> 63) return -1;
    return a.high || a.low ? 1 : 0;
}

int wf_in_circle(WfPoint a, WfPoint b, WfPoint c, WfPoint d) {
    int64_t ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y;
    int64_t cx = c.x - d.x, cy = c.y - d.y;
    int64_t aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    int64_t bc = bx * cy - by * cx, ca = cx * ay - cy * ax, ab = ax * by - ay * bx;
    double p = (double)aa * (double)bc, q = (double)bb * (double)ca, r = (double)cc * (double)ab;
    // three products and two sums, each rounded by at most 2^-53 of what it adds up to
    double det = p + q + r, doubt = 1e-15 * (fabs(p) + fabs(q) + fabs(r));
    if (det > doubt) return 1;
    if (det < -doubt) return -1;
    return wide_sign(
        wide_add(wide_add(wide_multiply(aa, bc), wide_multiply(bb, ca)), wide_multiply(cc, ab)));
}
