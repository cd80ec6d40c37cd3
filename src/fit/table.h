// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a fit may change: the table of stretch or that of bending, as a list of values. Values move
// such that they stay those of a fabric: stiffness above zero, |c12| below the root of c11 c22, a
// bending moment that does not fall.

#ifndef WF_FIT_TABLE_H
#define WF_FIT_TABLE_H

#include "weft/weft_fit.h"

enum { WF_MAX_VALUES = 24, WF_MAX_TIES = 40, WF_VALUE_NAME = 32 };

typedef struct WfTable {
    int count;           // of values
    int tie_count;       // of what ties them to each other
    double least, most;  // where the search for a start begins and ends: stiffness in N/m or N m
    double* (*values)(WeftMeasured* measured);
    // The same in all directions, and for any strain or curvature.
    void (*fill)(double stiffness, double* values);
    // A step of about 1 changes a value by a factor of about e. Any step is allowed; of those far
    // from zero, only the direction counts.
    void (*move)(const double* values, const double* step, double* to);
    // How far neighbours differ, over how far they may: tie_count numbers.
    void (*tie)(const double* values, double variation, double* ties);
    // How much of a value is much.
    double (*scale)(const double* values, int k);
    void (*name)(int k, char name[WF_VALUE_NAME]);
} WfTable;

extern const WfTable wf_stretch_values, wf_bend_values;

#endif
