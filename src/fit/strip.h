// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A strip of cloth that is stretched: held by a clamp at one end, pulled by a weight at the other,
// whose clamp keeps its direction and may move. In the plane, without the strip's own weight.
//
//        across                  angle: from the strip's length to the warp, towards `across`
//     +---------+ clamp          places: (along, across) of the flat strip and of the stretched
//     | \       |                one, from the corner at the clamp
//     |   \ warp|
//     |         | along
//     +---------+ weight

#ifndef WF_FIT_STRIP_H
#define WF_FIT_STRIP_H

#include "weft/weft.h"

enum {
    WF_STRIP_COLUMNS = 5,  // vertices across
    WF_STRIP_MAX_ROWS = 25,
    WF_STRIP_MAX_VERTICES = WF_STRIP_COLUMNS * WF_STRIP_MAX_ROWS,
    WF_STRIP_MAX_TRIANGLES = 2 * (WF_STRIP_COLUMNS - 1) * (WF_STRIP_MAX_ROWS - 1),
    WF_STRIP_MAX_SHIFTS = 24,
};

typedef struct WfStripTriangle {
    int vertices[3];
    double warp[3], weft[3];  // S_u = sum warp_a x_a, S_v = sum weft_a x_a
} WfStripTriangle;

typedef struct WfStrip {
    double width, length;  // m
    int row_count, vertex_count, triangle_count;
    double area;  // of every triangle
    WfStripTriangle triangles[WF_STRIP_MAX_TRIANGLES];
} WfStrip;

// Where a point of the strip is among the vertices.
typedef struct WfStripPlace {
    int vertices[3];
    double weights[3];
} WfStripPlace;

void wf_strip_init(WfStrip* strip, double width, double length, double degrees);
void wf_strip_rest(const WfStrip* strip, double* x);  // 2 per vertex
WfStripPlace wf_strip_find(const WfStrip* strip, double along, double across);
// Find the equilibrium under a weight, from a guess at x. False: not found.
bool wf_strip_pull(const WfStrip* strip, const WeftMeasured* measured, double weight, double* x);
// Where the equilibrium at x goes, to first order, with each of some tables that differ a little
// from `measured`: shape after shape. False: nowhere.
bool wf_strip_shift(const WfStrip* strip, const WeftMeasured* measured, double weight,
                    const double* x, int count, const WeftMeasured* others, double* shifted);

#endif
