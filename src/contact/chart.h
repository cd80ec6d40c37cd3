// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The plane from which a cloth was cut, as a grid of cells. A cell is sure where triangles cover it
// once, without a gap: then the cloth there is a map from a convex part of the plane, and how far
// apart two points of it are can be told from how it is stretched and turned (flat.h).

#ifndef WF_CONTACT_CHART_H
#define WF_CONTACT_CHART_H

#include "base/memory.h"
#include "contact/surface.h"

typedef struct WfChart {
    double cell;          // m
    int columns, rows;    // 0: there is none
    float* places;        // 2 per vertex, m
    unsigned char* lies;  // per triangle: its corners are where `places` have them
    float* inverses;      // 4 per triangle: from the plane to its edges 0 1 and 0 2
    int* number;          // per cell: of those that are sure, or -1
    int sure_count;
    int* start;        // per sure cell: its triangles,
    int* triangles;    // filled up to fours by the first
    float* altitudes;  // per sure cell: the least of a triangle, m,
    float* gaps;       // and from a vertex to a triangle that no edge joins it to
} WfChart;

// flat: 2 per vertex, m. lies: as above. Cells are some of `edge` long. Without memory: an error;
// where a grid would be far larger than the cloth, there is none.
WeftResult wf_chart_create(const WeftAllocator* allocator, const WfSurface* surface,
                           const double* flat, const unsigned char* lies, double edge,
                           WfChart* chart);
void wf_chart_destroy(const WeftAllocator* allocator, WfChart* chart);

#endif
