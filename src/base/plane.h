// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A plane, and vertices that stay in it: those of a mirror.

#ifndef WF_BASE_PLANE_H
#define WF_BASE_PLANE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "weft/weft.h"

// Vertices this near to a plane, as a part of the mean edge, are on it.
#define WF_ON_PLANE 1e-6

typedef struct WfPlane {
    WfVec point, normal;            // of length 1; zero: no plane
    int count;                      // vertices that stay in it,
    const int* rows;                // which ones,
    const unsigned char* contains;  // and the same per vertex; NULL: none
} WfPlane;

// False where the normal has no direction, or something is not a number.
static inline bool wf_make_plane(const WeftPlane* plane, WfPlane* made) {
    WfVec n = wf_load(plane->normal, 0);
    double largest = fmax(fabs(n.x), fmax(fabs(n.y), fabs(n.z)));
    if (largest > 1e100 || largest < 1e-100)  // whose squares are too large or too small
        n = (WfVec){n.x / largest, n.y / largest, n.z / largest};
    double length = wf_length(n);
    *made = (WfPlane){.point = wf_load(plane->point, 0),
                      .normal = {n.x / length, n.y / length, n.z / length}};
    return length > 0 && isfinite(length) && isfinite(wf_dot(made->point, made->normal));
}

// What is wrong with a plane of which none can be made.
static inline const char* wf_plane_fault(const WeftPlane* plane) {
    for (int k = 0; k < 3; k++)
        if (!isfinite(plane->point[k]) || !isfinite(plane->normal[k]))
            return "has numbers that are none";
    return "has no direction";
}

// Above the plane; negative behind it.
static inline double wf_plane_height(const WfPlane* plane, WfVec x) {
    return wf_dot(wf_sub(x, plane->point), plane->normal);
}
// The mirror image of a point. All images are made like this, so that they are the same to the last
// bit.
static inline WfVec wf_plane_image(const WfPlane* plane, WfVec x) {
    return wf_madd(x, -2 * wf_plane_height(plane, x), plane->normal);
}
// That of a direction.
static inline WfVec wf_plane_reflect(const WfPlane* plane, WfVec v) {
    return wf_madd(v, -2 * wf_dot(plane->normal, v), plane->normal);
}
// A direction without what is along the normal.
static inline WfVec wf_plane_flatten(const WfPlane* plane, WfVec v) {
    return wf_sub(v, wf_along(plane->normal, v));
}
// The nearest point of the plane: exactly on it where the plane is square to an axis, else as near
// as numbers are.
static inline WfVec wf_plane_nearest(const WfPlane* plane, WfVec x) {
    x = wf_madd(x, -wf_plane_height(plane, x), plane->normal);
    return wf_madd(x, -wf_plane_height(plane, x), plane->normal);
}

static inline bool wf_plane_holds(const WfPlane* plane, int row) {
    return plane->contains && plane->contains[row];
}
// What of a direction a vertex may follow, and of a place: where the plane holds it, what is in it.
static inline WfVec wf_plane_let(const WfPlane* plane, int row, WfVec v) {
    return wf_plane_holds(plane, row) ? wf_plane_flatten(plane, v) : v;
}
static inline WfVec wf_plane_place(const WfPlane* plane, int row, WfVec x) {
    return wf_plane_holds(plane, row) ? wf_plane_nearest(plane, x) : x;
}
// What of a contact's normal is along the plane; less of it than this is no way to go.
#define WF_LEAST_ALONG 0.2
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
