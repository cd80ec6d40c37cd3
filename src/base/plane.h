// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A plane, and vertices that stay in it: those of a mirror.

#ifndef WF_BASE_PLANE_H
#define WF_BASE_PLANE_H

#include <stdbool.h>

#include "base/vec.h"

typedef struct WfPlane {
    WfVec normal;   // of length 1; zero: no plane
    double offset;  // of the plane along it
    int count;
    const int* rows;                // vertices that stay in it,
    const unsigned char* contains;  // and the same per vertex; NULL: none
} WfPlane;

static inline WfVec wf_plane_reflect(const WfPlane* plane, WfVec v) {
    return wf_madd(v, -2 * wf_dot(plane->normal, v), plane->normal);
}
static inline WfVec wf_plane_image(const WfPlane* plane, WfVec point) {
    return wf_madd(wf_plane_reflect(plane, point), 2 * plane->offset, plane->normal);
}
// Without what is along the normal.
static inline WfVec wf_plane_flatten(const WfPlane* plane, WfVec v) {
    return wf_sub(v, wf_along(plane->normal, v));
}
static inline WfVec wf_plane_nearest(const WfPlane* plane, WfVec point) {
    return wf_madd(point, plane->offset - wf_dot(plane->normal, point), plane->normal);
}

static inline bool wf_plane_holds(const WfPlane* plane, int row) {
    return plane->contains && plane->contains[row];
}
// Take out of a vector what would move its vertices out of it.
static inline void wf_plane_filter(const WfPlane* plane, double* vector) {
    for (int k = 0; k < plane->count; k++) {
        int i = plane->rows[k];
        wf_store(vector, i, wf_plane_flatten(plane, wf_load(vector, i)));
    }
}
// Put its vertices into it, but for rounding.
static inline void wf_plane_settle(const WfPlane* plane, double* points) {
    for (int k = 0; k < plane->count; k++) {
        int i = plane->rows[k];
        wf_store(points, i, wf_plane_nearest(plane, wf_load(points, i)));
    }
}

#endif
