// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Step defs made from others: methods of the literature, and steps to be taken again.

#include <string.h>

#include "base/assert.h"
#include "weft/weft_study.h"

static void keep_iterations(WeftStepDef* def, int otherwise) {
    if (!def->iterations[0]) def->iterations[0] = otherwise;
}

static void set_iterations(WeftStepDef* def, int count) {
    memset(def->iterations, 0, sizeof def->iterations);
    def->iterations[0] = count;
}

void weft_use_preset(WeftStepDef* def, WeftPreset preset) {
    wf_assert(preset >= 0 && preset <= WEFT_PRESET_CHOI_KO);
    def->method = WEFT_METHOD_RELAXATION;
    def->order = def->substeps = 1;
    def->scheme = WEFT_SCHEME_AUTO;
    def->start = WEFT_START_PREVIOUS;
    def->jacobian = WEFT_JACOBIAN_CLAMPED;
    def->stretch_tolerance = 0;
    def->guard = false;
    switch (preset) {
        case WEFT_PRESET_SCALABLE:
            def->sweep = WEFT_SWEEP_GAUSS_SEIDEL;
            def->jacobian = WEFT_JACOBIAN_SMOOTHED;
            keep_iterations(def, 1);
            break;
        case WEFT_PRESET_KANG_1:
            def->sweep = WEFT_SWEEP_JACOBI;
            def->jacobian = WEFT_JACOBIAN_SCALAR;
            set_iterations(def, 2);
            break;
        case WEFT_PRESET_KANG_2:
            def->sweep = WEFT_SWEEP_JACOBI;
            def->jacobian = WEFT_JACOBIAN_AXIAL;
            keep_iterations(def, 2);
            break;
        case WEFT_PRESET_DESBRUN:  // where no direction is special, the matrix is the constant one
            def->method = WEFT_METHOD_PREFACTORED;
            def->scheme = WEFT_SCHEME_REPEAT;
            set_iterations(def, 1);
            break;
        case WEFT_PRESET_CHOI_KO:
            def->method = WEFT_METHOD_IMPLICIT;
            def->scheme = WEFT_SCHEME_J;
            def->jacobian = WEFT_JACOBIAN_ONE_SIDED;
            def->newton_steps = 1;
            def->newton_tolerance = 0;
            break;
    }
}

WeftStepDef weft_repeat_step(const WeftStepDef* asked, const WeftStepReport* report) {
    WeftStepDef def = *asked;
    // what no clock has touched goes its way again
    if (asked->budget_ms <= 0 && asked->limits[0] == 0) return def;
    def.budget_ms = 0;
    def.order = report->order;
    def.substeps = report->substeps;
    def.scheme = report->scheme;
    memcpy(def.iterations, report->iterations, sizeof def.iterations);
    memcpy(def.limits, report->limits, sizeof def.limits);
    return def;
}
