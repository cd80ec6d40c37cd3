// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Affine maps of files, which turn, move, scale, mirror and shear; and the frames in them.

#ifndef WF_IO_FIGURE_AFFINE_H
#define WF_IO_FIGURE_AFFINE_H

#include <stdbool.h>

#include "base/vec.h"
#include "garment/frame.h"

// x -> x column[0] + y column[1] + z column[2] + origin
typedef struct WfAffine {
    WfVec column[3], origin;
} WfAffine;

static inline WfAffine wf_affine_identity(void) {
    return (WfAffine){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
}

static inline WfVec wf_affine_turn(const WfAffine* a, WfVec x) {
    return wf_madd(wf_madd(wf_mul(x.x, a->column[0]), x.y, a->column[1]), x.z, a->column[2]);
}

static inline WfVec wf_affine_apply(const WfAffine* a, WfVec x) {
    return wf_add(a->origin, wf_affine_turn(a, x));
}

// What applies `inner` first.
static inline WfAffine wf_affine_join(const WfAffine* outer, const WfAffine* inner) {
    WfAffine joined = {.origin = wf_affine_apply(outer, inner->origin)};
    for (int k = 0; k < 3; k++) joined.column[k] = wf_affine_turn(outer, inner->column[k]);
    return joined;
}

static inline double wf_affine_determinant(const WfAffine* a) {
    return wf_dot(a->column[0], wf_cross(a->column[1], a->column[2]));
}

// False where it is flat, or no map at all.
static inline bool wf_affine_invert(const WfAffine* a, WfAffine* inverse) {
    double determinant = wf_affine_determinant(a);
    double size = wf_length(a->column[0]) * wf_length(a->column[1]) * wf_length(a->column[2]);
    if (!(fabs(determinant) > 1e-9 * size) || !isfinite(1 / determinant)) return false;
    // rows of the inverse are the columns' cross products
    WfVec r0 = wf_mul(1 / determinant, wf_cross(a->column[1], a->column[2]));
    WfVec r1 = wf_mul(1 / determinant, wf_cross(a->column[2], a->column[0]));
    WfVec r2 = wf_mul(1 / determinant, wf_cross(a->column[0], a->column[1]));
    inverse->column[0] = (WfVec){r0.x, r1.x, r2.x};
    inverse->column[1] = (WfVec){r0.y, r1.y, r2.y};
    inverse->column[2] = (WfVec){r0.z, r1.z, r2.z};
    inverse->origin = (WfVec){0, 0, 0};
    inverse->origin = wf_mul(-1, wf_affine_turn(inverse, a->origin));
    return true;
}

// The quaternion of a rotation by its columns: the largest of its four parts first, so that the
// division is good.
static inline WfFrame wf_frame_of_columns(WfVec x, WfVec y, WfVec z, WfVec origin) {
    double four[4] = {1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z,
                      1 + x.x + y.y + z.z};
    int most = 0;
    for (int k = 1; k < 4; k++)
        if (four[k] > four[most]) most = k;
    double a = y.z - z.y, b = z.x - x.z, c = x.y - y.x;  // 4 w times x, y, z
    double d = x.y + y.x, e = z.x + x.z, f = y.z + z.y;  // 4 times xy, xz, yz
    double s = sqrt(four[most]), q = 0.5 / s;
    if (most == 0) return (WfFrame){origin, {0.5 * s, q * d, q * e}, q * a};
    if (most == 1) return (WfFrame){origin, {q * d, 0.5 * s, q * f}, q * b};
    if (most == 2) return (WfFrame){origin, {q * e, q * f, 0.5 * s}, q * c};
    return (WfFrame){origin, {q * a, q * b, q * c}, 0.5 * s};
}

// Its frame, without scale and shear: x keeps its direction, y its side.
static inline WfFrame wf_affine_frame(const WfAffine* a) {
    WfVec x = wf_unit(a->column[0]);
    WfVec y = wf_unit(wf_sub(a->column[1], wf_along(x, a->column[1])));
    WfVec z = wf_cross(x, y);
    if (!(wf_length(z) > 0.5)) x = (WfVec){1, 0, 0}, y = (WfVec){0, 1, 0}, z = (WfVec){0, 0, 1};
    return wf_frame_of_columns(x, y, z, a->origin);
}

#endif
