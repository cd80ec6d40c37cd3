// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The plane of a mirror, with a normal of length 1. Images of vertices on the own side are made by
// wf_reflect everywhere, so that they are the same to the last bit.

#ifndef WF_MESH_PLANE_H
#define WF_MESH_PLANE_H

#include <stdbool.h>

#include "base/vec.h"
#include "weft/weft.h"

// Vertices this near to the plane, as a part of the mean edge, are on it.
#define WF_ON_PLANE 1e-6

typedef struct WfMirror {
    WfVec point, normal;
} WfMirror;

// False where the normal has no direction, or something is not a number.
static inline bool wf_make_mirror(const WeftPlane* plane, WfMirror* mirror) {
    WfVec n = wf_load(plane->normal, 0);
    double length = wf_length(n);
    *mirror = (WfMirror){wf_load(plane->point, 0), {n.x / length, n.y / length, n.z / length}};
    return length > 0 && isfinite(length) && isfinite(wf_dot(mirror->point, mirror->normal));
}

// Above the plane; negative behind it.
static inline double wf_height(const WfMirror* mirror, WfVec x) {
    return wf_dot(wf_sub(x, mirror->point), mirror->normal);
}

static inline WfVec wf_reflect(const WfMirror* mirror, WfVec x) {
    return wf_madd(x, -2 * wf_height(mirror, x), mirror->normal);
}

// The nearest point of the plane: exactly on it where the plane is square to an axis, else as near
// as numbers are.
static inline WfVec wf_put_on(const WfMirror* mirror, WfVec x) {
    x = wf_madd(x, -wf_height(mirror, x), mirror->normal);
    return wf_madd(x, -wf_height(mirror, x), mirror->normal);
}

#endif
