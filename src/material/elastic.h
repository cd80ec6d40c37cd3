// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a fabric answers to strain. Strain is Green's, in the axes of warp and weft: e_uu, e_vv and
// e_uv (half the change of the angle). Stress is force per length of the flat cloth.
//
//     s_uu = c11 e_uu + c12 e_vv      s_vv = c12 e_uu + c22 e_vv      s_uv = c33 e_uv

#ifndef WF_MATERIAL_ELASTIC_H
#define WF_MATERIAL_ELASTIC_H

#include "weft/weft.h"

typedef struct WfElastic {
    double c11, c12, c22, c33;  // N/m
} WfElastic;

// By the constants: a strip pulled along the warp has stretch_warp, and contracts by poisson (times
// the root of stretch_weft/stretch_warp); c33 is twice the shear modulus, `shear`.
WfElastic wf_fabric_elastic(const WeftFabric* fabric);
// The same, `scale` times as stiff.
WfElastic wf_scaled_elastic(WfElastic, double scale);
// By the tables, at a strain e_uu, e_vv, e_uv; made positive.
WfElastic wf_measured_elastic(const WeftMeasured* measured, const double strain[3]);
// Moment over curvature, N m, of cloth that bends in a direction (cosine and sine of its angle to
// the warp, of any length) with a curvature of `curvature` per metre, of either sign. The direction
// is across the fold: that of the strip which is bent in the measurement.
double wf_measured_bend(const WeftMeasured* measured, const double direction[2], double curvature);

// The same in two parts: what the table has for a direction, at the five curvatures, and then for a
// curvature its moment over curvature, and the integral of the moment, N: what bending costs per
// area.
enum { WF_CURVATURES = 5 };
void wf_bend_row(const WeftMeasured* measured, const double direction[2],
                 double row[WF_CURVATURES]);
double wf_row_bend(const double row[WF_CURVATURES], double curvature);
double wf_row_energy(const double row[WF_CURVATURES], double curvature);

// Force over stretch, N/m, of a narrow strip that is pulled a little at an angle (cosine and sine)
// to the warp.
double wf_strip_stiffness(WfElastic c, const double direction[2]);

bool wf_has_measured_stretch(const WeftMeasured* measured);
bool wf_has_measured_bend(const WeftMeasured* measured);
// Refuses tables that no fabric has: numbers that are none, rows of zeros, bending stiffness below
// zero. Stretch below zero is allowed, since fits of real fabrics have it where nothing was seen,
// and so is a moment that falls as curvature grows: see wf_repair_measured.
WeftResult wf_check_measured(const WeftMeasured* measured, WeftError* error);
// Raises entries of the bending table just enough that the moment does not fall as curvature grows:
// where it does, one load has several shapes. Tables that are fine stay as they are.
void wf_repair_measured(WeftMeasured* measured);

#endif
