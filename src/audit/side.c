// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Signs of determinants, by Shewchuk's "Adaptive Precision Floating-Point Arithmetic" (1997): a sum
// in doubles with a bound of its error answers nearly always; where it is closer to zero than that,
// the sum is taken again without any error.
//
// An exact number is an expansion: doubles in increasing size whose bits do not overlap, and whose
// sum it is. The largest, which is the last, has its sign; zero has no parts at all.
//
//     difference    a - d                        2 parts; 1 where it fits a double, as of floats
//     product       by another difference        8
//     minor         of two products              16
//     term          minor times difference       64
//     determinant   of three terms               192
//
// Sums and products must be rounded to double one by one: no fused multiply-add, no wider
// registers.

#include "audit/side.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { DIFFERENCE = 2, PRODUCT = 8, MINOR = 16, TERM = 64, DETERMINANT = 192 };

// relative errors of the sums in doubles, with u = 2^-53: (7 + 56 u) u and (3 + 16 u) u
static const double PLANE_DOUBT = 3.5 * DBL_EPSILON * (1 + 8 * DBL_EPSILON);
static const double LINE_DOUBT = 1.5 * DBL_EPSILON * (1 + 8 * DBL_EPSILON);

// ---------------------------------------------------------------------------------------------
// Expansions

// a + b, and what its rounding lost
static inline double two_sum(double a, double b, double* rest) {
    double sum = a + b, b_part = sum - a;
    *rest = (a - (sum - b_part)) + (b - b_part);
    return sum;
}

// the upper half of the bits; the lower half is the rest
static inline double upper_half(double a) {
    double c = 134217729 * a;  // 2^27 + 1
    return c - (c - a);
}

static inline double two_product(double a, double b, double* rest) {
    double product = a * b, ah = upper_half(a), al = a - ah, bh = upper_half(b), bl = b - bh;
    *rest = al * bl - (((product - ah * bh) - al * bh) - ah * bl);
    return product;
}

// x - y into e; how many parts it has
static int subtract(double x, double y, double* e) {
    double rest, difference = two_sum(x, -y, &rest);
    int count = 0;
    if (rest != 0) e[count++] = rest;
    if (difference != 0) e[count++] = difference;
    return count;
}

// e + f, in the order of their sizes
static int add(int e_count, const double* e, int f_count, const double* f, double* sum) {
    int i = 0, j = 0, count = 0;
    double carry = 0, rest;
    while (i < e_count || j < f_count) {
        bool from_e = j == f_count || (i < e_count && fabs(e[i]) < fabs(f[j]));
        carry = two_sum(carry, from_e ? e[i++] : f[j++], &rest);
        if (rest != 0) sum[count++] = rest;
    }
    if (carry != 0) sum[count++] = carry;
    return count;
}

// e times a double
static int scale(int e_count, const double* e, double s, double* out) {
    int count = 0;
    double carry = 0, low, rest;
    for (int i = 0; i < e_count; i++) {
        double high = two_product(e[i], s, &low), sum = two_sum(carry, low, &rest);
        if (rest != 0) out[count++] = rest;
        carry = two_sum(high, sum, &rest);
        if (rest != 0) out[count++] = rest;
    }
    if (carry != 0) out[count++] = carry;
    return count;
}

// e times a difference; out has room for 4 e_count
static int multiply(int e_count, const double* e, int f_count, const double* f, double* out) {
    double parts[2][TERM / 2];
    if (f_count == 0) return 0;
    if (f_count == 1) return scale(e_count, e, f[0], out);
    int first = scale(e_count, e, f[0], parts[0]), second = scale(e_count, e, f[1], parts[1]);
    return add(first, parts[0], second, parts[1], out);
}

static void negate(int count, double* e) {
    for (int i = 0; i < count; i++) e[i] = -e[i];
}

static int sign(int count, const double* e) { return count == 0 ? 0 : e[count - 1] > 0 ? 1 : -1; }

// ---------------------------------------------------------------------------------------------
// Determinants

// An exact difference.
typedef struct Difference {
    int count;
    double parts[DIFFERENCE];
} Difference;

static Difference between(double x, double y) {
    Difference d;
    d.count = subtract(x, y, d.parts);
    return d;
}

// p s - q r
static int minor_of(const Difference* p, const Difference* q, const Difference* r,
                    const Difference* s, double out[MINOR]) {
    double ps[PRODUCT], qr[PRODUCT];
    int first = multiply(p->count, p->parts, s->count, s->parts, ps);
    int second = multiply(q->count, q->parts, r->count, r->parts, qr);
    negate(second, qr);
    return add(first, ps, second, qr, out);
}

static int exact_plane_side(const double* const points[3], const double* d) {
    Difference m[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) m[i][k] = between(points[i][k], d[k]);
    double total[2][DETERMINANT];
    int count = 0;
    for (int i = 0; i < 3; i++) {  // z of one row times the minor of the two others
        const Difference *b = m[(i + 1) % 3], *c = m[(i + 2) % 3];
        double minor[MINOR], term[TERM];
        int minor_count = minor_of(&b[0], &b[1], &c[0], &c[1], minor);
        int term_count = multiply(minor_count, minor, m[i][2].count, m[i][2].parts, term);
        count = add(count, total[i % 2], term_count, term, total[(i + 1) % 2]);
    }
    return sign(count, total[1]);
}

int wf_plane_side(const double* a, const double* b, const double* c, const double* d) {
    double ax = a[0] - d[0], ay = a[1] - d[1], az = a[2] - d[2];
    double bx = b[0] - d[0], by = b[1] - d[1], bz = b[2] - d[2];
    double cx = c[0] - d[0], cy = c[1] - d[1], cz = c[2] - d[2];
    double bc = bx * cy, cb = cx * by, ca = cx * ay, ac = ax * cy, ab = ax * by, ba = bx * ay;
    double det = az * (bc - cb) + bz * (ca - ac) + cz * (ab - ba);
    double size = (fabs(bc) + fabs(cb)) * fabs(az) + (fabs(ca) + fabs(ac)) * fabs(bz) +
                  (fabs(ab) + fabs(ba)) * fabs(cz);
    double doubt = PLANE_DOUBT * size;
    if (det > doubt) return 1;
    if (det < -doubt) return -1;
    if (size == 0) return 0;
    return exact_plane_side((const double* const[3]){a, b, c}, d);
}

int wf_line_side(const double* a, const double* b, const double* c, int drop) {
    int x = (drop + 1) % 3, y = (drop + 2) % 3;
    double left = (a[x] - c[x]) * (b[y] - c[y]), right = (a[y] - c[y]) * (b[x] - c[x]);
    double det = left - right, size = fabs(left) + fabs(right), doubt = LINE_DOUBT * size;
    if (det > doubt) return 1;
    if (det < -doubt) return -1;
    if (size == 0) return 0;
    Difference ax = between(a[x], c[x]), ay = between(a[y], c[y]);
    Difference bx = between(b[x], c[x]), by = between(b[y], c[y]);
    double minor[MINOR];
    return sign(minor_of(&ax, &ay, &bx, &by, minor), minor);
}
