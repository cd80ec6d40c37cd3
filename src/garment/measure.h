// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the files that measure a body share: the body, and slices at heights.

#ifndef WF_GARMENT_MEASURE_H
#define WF_GARMENT_MEASURE_H

#include "garment/slice.h"
#include "weft/weft_garment.h"

typedef struct WfMeasuring {
    const double* positions;
    int vertex_count;
    WfSlicer* slicer;
    double floor, height;  // y of the lowest point; from there to the highest
    double middle;         // x of the trunk
    double middle_z;       // z of the trunk
    WeftMeasures* out;
    WeftError* error;
} WfMeasuring;

// The slice at a height above the floor, in x and z.
WeftResult wf_slice_level(WfMeasuring* m, double level);
// The ring around the middle at a height; girth 0: none.
WeftResult wf_slice_trunk(WfMeasuring* m, double level, WfRing* trunk);

// measure_arm.c: needs the heights of waist and crotch. Fills armpits, shoulders, arms and wrists.
WeftResult wf_measure_arms(WfMeasuring* m);

#endif
