// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Triangles by the cells of a grid that they reach into: for what is near to points.
//
//     int range[6], k, end;
//     if (wf_bins_range(bins, p, reach, range))
//         for (int row = 0; wf_bins_row(bins, range, row, &k, &end); row++)
//             for (; k < end; k++) ... bins->list[k] ...    // some of them more than once

#ifndef WF_DETAIL_BINS_H
#define WF_DETAIL_BINS_H

#include "base/vec.h"
#include "weft/weft.h"

typedef struct WfBins {
    int triangle_count;
    const int* triangles;  // borrowed, 3 per triangle,
    const double* x;       // and where vertices are
    double low[3], high[3], cell;
    int size[3];
    int *start, *list;  // per cell, and one more: its triangles. Cells along x are side by side
    double* planes;  // 4 per triangle: its normal n, and n.x of its points; 0 where it has no area
} WfBins;

// False for lack of memory; then there is nothing to destroy.
bool wf_bins_create(const WeftAllocator* allocator, int triangle_count, const int* triangles,
                    const double* x, WfBins* bins);
void wf_bins_destroy(const WeftAllocator* allocator, WfBins* bins);

// The cells within `reach` of p, along each axis from first to last; false where there are none.
bool wf_bins_range(const WfBins* bins, WfVec p, double reach, int range[6]);
// Where a row of them is in the list; false where there are no more rows.
static inline bool wf_bins_row(const WfBins* bins, const int range[6], int row, int* first,
                               int* end) {
    int rows = range[3] - range[2] + 1, y = range[2] + row % rows, z = range[4] + row / rows;
    if (z > range[5]) return false;
    const int* start = bins->start + ((long)z * bins->size[1] + y) * bins->size[0];
    *first = start[range[0]];
    *end = start[range[1] + 1];
    return true;
}

static inline void wf_bins_corners(const WfBins* bins, int triangle, WfVec corners[3]) {
    const int* v = bins->triangles + 3 * (long)triangle;
    for (int k = 0; k < 3; k++) corners[k] = wf_load(bins->x, v[k]);
}
static inline WfVec wf_bins_normal(const WfBins* bins, int triangle) {
    const double* plane = bins->planes + 4 * (long)triangle;
    return (WfVec){plane[0], plane[1], plane[2]};
}
// How far p is in front of the plane of a triangle.
static inline double wf_bins_height(const WfBins* bins, int triangle, WfVec p) {
    return wf_dot(wf_bins_normal(bins, triangle), p) - bins->planes[4 * (long)triangle + 3];
}

#endif
