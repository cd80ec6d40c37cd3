// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A strip of cloth that bends under its own weight: it lies on an edge, is held there, and hangs
// over by some length.
//
//     =====edge o--__             segments of equal length, turned by `angles` from the horizontal;
//                    `-.          joints between them and at the edge bend. Places: x away from
//                       \ s       the edge, y up
//                        `

#ifndef WF_FIT_OVERHANG_H
#define WF_FIT_OVERHANG_H

#include "weft/weft.h"

enum { WF_OVERHANG_SEGMENTS = 40 };

typedef struct WfOverhang {
    double length;        // m
    double density;       // kg/m^2
    double direction[2];  // of the strip: cosine and sine of its angle to the warp
} WfOverhang;

void wf_overhang_init(WfOverhang* overhang, double length, double density, double degrees);
// Find the equilibrium, from a guess at the angles; zero is one. False: not found.
bool wf_overhang_drop(const WfOverhang* overhang, const WeftMeasured* measured,
                      double angles[WF_OVERHANG_SEGMENTS]);
// Where the equilibrium goes with small changes of the table: one step, to first order.
bool wf_overhang_shift(const WfOverhang* overhang, const WeftMeasured* measured,
                       double angles[WF_OVERHANG_SEGMENTS]);
// Where the point at `s` along the strip is.
void wf_overhang_point(const WfOverhang* overhang, const double angles[WF_OVERHANG_SEGMENTS],
                       double s, double point[2]);
// 1/m, where it bends most.
double wf_overhang_curvature(const WfOverhang* overhang, const double angles[WF_OVERHANG_SEGMENTS]);

#endif
