// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Exact answers about points of an integer grid: which side of a line, inside or outside a circle.
// Coordinates lie in 0 .. WF_GRID_SIZE, so that a product of two differences fits in 53 bits.

#ifndef WF_MESH_EXACT_H
#define WF_MESH_EXACT_H

#include <stdint.h>

#define WF_GRID_SIZE (1 << 26)

typedef struct WfPoint {
    int32_t x, y;
} WfPoint;

// Twice the area of the triangle: positive where c is to the left of the way from a to b.
static inline int64_t wf_orient(WfPoint a, WfPoint b, WfPoint c) {
    return (int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(b.y - a.y) * (c.x - a.x);
}

// Positive where d is inside the circle through a, b and c (counter-clockwise), zero on it.
int wf_in_circle(WfPoint a, WfPoint b, WfPoint c, WfPoint d);

#endif
