// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Small vectors: three doubles, by value in kernels, flat arrays in memory.

#ifndef WF_BASE_VEC_H
#define WF_BASE_VEC_H

#include <math.h>

typedef struct WfVec {
    double x, y, z;
} WfVec;

static inline WfVec wf_load(const double* a, int i) {
    return (WfVec){a[3 * (long)i], a[3 * (long)i + 1], a[3 * (long)i + 2]};
}
static inline void wf_store(double* a, int i, WfVec v) {
    a[3 * (long)i] = v.x;
    a[3 * (long)i + 1] = v.y;
    a[3 * (long)i + 2] = v.z;
}
static inline WfVec wf_add(WfVec a, WfVec b) { return (WfVec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline WfVec wf_sub(WfVec a, WfVec b) { return (WfVec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline WfVec wf_mul(double s, WfVec a) { return (WfVec){s * a.x, s * a.y, s * a.z}; }
// a + s b
static inline WfVec wf_madd(WfVec a, double s, WfVec b) {
    return (WfVec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
// As hypot, which does not have the same bits everywhere; lengths of cloth do not overflow.
static inline double wf_flat_length(double u, double v) { return sqrt(u * u + v * v); }
static inline double wf_dot(WfVec a, WfVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline WfVec wf_cross(WfVec a, WfVec b) {
    return (WfVec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// the part of v along the unit vector n
static inline WfVec wf_along(WfVec n, WfVec v) { return wf_mul(wf_dot(n, v), n); }
static inline double wf_length(WfVec a) { return sqrt(wf_dot(a, a)); }
// v / |v|, or zero
static inline WfVec wf_unit(WfVec v) {
    double length = wf_length(v);
    return length > 0 ? wf_mul(1 / length, v) : (WfVec){0, 0, 0};
}
// a[i] += s v
static inline void wf_accumulate(double* a, int i, double s, WfVec v) {
    a[3 * (long)i] += s * v.x;
    a[3 * (long)i + 1] += s * v.y;
    a[3 * (long)i + 2] += s * v.z;
}

// A symmetric 3x3 matrix as xx xy xz yy yz zz.
static inline WfVec wf_sym_mul(const double* m, WfVec v) {
    return (WfVec){m[0] * v.x + m[1] * v.y + m[2] * v.z, m[1] * v.x + m[3] * v.y + m[4] * v.z,
                   m[2] * v.x + m[4] * v.y + m[5] * v.z};
}
// m += a I + b v v^T
static inline void wf_sym_add(double* m, double a, double b, WfVec v) {
    m[0] += a + b * v.x * v.x;
    m[1] += b * v.x * v.y;
    m[2] += b * v.x * v.z;
    m[3] += a + b * v.y * v.y;
    m[4] += b * v.y * v.z;
    m[5] += a + b * v.z * v.z;
}
// The inverse, into out; false where m is not positive definite.
static inline int wf_sym_invert(const double* m, double* out) {
    double c0 = m[3] * m[5] - m[4] * m[4], c1 = m[2] * m[4] - m[1] * m[5];
    double c2 = m[1] * m[4] - m[2] * m[3], det = m[0] * c0 + m[1] * c1 + m[2] * c2;
    if (!(det > 0 && m[5] > 0 && c0 > 0)) return 0;  // minors from the lower right
    double s = 1 / det;
    out[0] = s * c0;
    out[1] = s * c1;
    out[2] = s * c2;
    out[3] = s * (m[0] * m[5] - m[2] * m[2]);
    out[4] = s * (m[1] * m[2] - m[0] * m[4]);
    out[5] = s * (m[0] * m[3] - m[1] * m[1]);
    return 1;
}

#endif
