// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Ranges of the numbers in a step def, once for the core, scenes, the tool and the documentation.
// Scenes make rows of constant tables of them (io/scene_step.c), so that they are macros: low,
// high, whether the low end itself and the high end itself are left out, unit.

#ifndef WF_METHOD_RANGE_H
#define WF_METHOD_RANGE_H

#include "weft/weft.h"

#define WF_RANGE_DT 1e-9, 1, false, false, "s"
#define WF_RANGE_AIR_DENSITY 0, 10000, false, false, "kg/m^3"
#define WF_RANGE_BUDGET_MS 0, 1e6, false, false, "ms"
#define WF_RANGE_STRETCH_TOLERANCE 0, 1, false, true, NULL
#define WF_RANGE_REST_SPEED 0, 10, false, false, "m/s"
#define WF_RANGE_SOLVE_TOLERANCE 0, 1, true, true, NULL
#define WF_RANGE_NEWTON_TOLERANCE 0, 1, false, true, NULL
#define WF_RANGE_TOLERANCE 0, 1, true, true, NULL
#define WF_RANGE_QUALITY 1, WEFT_MAX_QUALITY, false, false, NULL
#define WF_RANGE_ORDER 0, 2, false, false, NULL
#define WF_RANGE_SUBSTEPS 0, WF_MOST_SUBSTEPS, false, false, NULL
#define WF_RANGE_NEWTON_STEPS 1, 10000, false, false, NULL
#define WF_RANGE_MAX_ITERATIONS 1, 1000000, false, false, NULL

enum { WF_MOST_SUBSTEPS = 10000 };
enum { WF_MOST_ITERATIONS = 10000 };  // of each entry of `iterations`

// How a range is said: a format for its two ends.
static inline const char* wf_range_format(bool above, bool below) {
    if (above) return below ? "above %.10g, below %.10g" : "above %.10g, at most %.10g";
    return below ? "%.10g to below %.10g" : "%.10g to %.10g";
}

// All numbers of a def that have a range.
WeftResult wf_check_ranges(const WeftStepDef* def, WeftError* error);

#endif
