// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Factors that a model has for the steps to come.

#include <math.h>

#include "base/assert.h"
#include "base/error.h"
#include "sim/budget.h"
#include "sim/lengths.h"
#include "sim/model.h"
#include "sim/scratch.h"
#include "sim/small.h"

void wf_model_scales(const WeftModel* m, const double* ratings, const WeftStepDef* def,
                     double* scales) {
    for (int c = 0; c < m->cloth_count; c++)
        for (int p = m->first_portion[c]; p < m->first_portion[c + 1]; p++)
            scales[p] = wf_stiffness_scale(&m->sizes[p], ratings[c], def);
}

double wf_step_gamma(const WeftStepDef* def) {
    double h = def->dt / def->substeps;
    return def->order == 2 ? 2 * h / 3 : h;
}

// The factor of a resolved step.
static WeftResult prepare_step(WeftModel* m, const WeftStepDef* def, WeftError* error) {
    double gamma = wf_step_gamma(def);
    wf_model_scales(m, m->ratings, def, m->scales);
    for (int f = 0; f < m->factor_count; f++)
        if (wf_factor_fits(&m->system, &m->factors[f], gamma, m->scales)) return WEFT_OK;
    if (m->factor_count == WF_MAX_FACTORS)
        return wf_fail(error, WEFT_ERROR_INPUT, "a model keeps at most %d factors", WF_MAX_FACTORS);
    WfFactor* factor = &m->factors[m->factor_count];
    WfFactorWork work;
    if (wf_factor_create_work(&m->system, &work)) return wf_fail_memory(error);
    WeftResult result = wf_factor_create(&m->system, factor);
    if (!result) {
        wf_factor_make(&m->system, gamma, m->scales, m->pinned, NULL, &work, factor);
        m->factor_count++;
    }
    wf_factor_destroy_work(&m->system, &work);
    return result ? wf_fail_memory(error) : WEFT_OK;
}

// The factors of steps by `step`, with a budget those of all rungs. nearest: those that serve it
// where its length is not prepared for.
static WeftResult prepare_all(WeftModel* m, const WeftStepDef* step, bool nearest,
                              WeftError* error) {
    const WfSystem* s = &m->system;
    WeftResult result = WEFT_OK;
    if (wf_method(step)->is_local) {
        result = wf_check_small(m, error);
        if (!result && (wf_model_small(m, &m->small) || wf_prepare_scratch(m, step)))
            result = wf_fail_memory(error);
        return result;
    }
    bool open = wf_budget_is_open(step);
    for (int rung = 0; rung < (open ? wf_rung_count(s) : 1) && !result; rung++) {
        WeftStepDef def = open ? wf_rung_step(s, step, rung) : wf_resolve_step(s, step);
        if (wf_prepare_scratch(m, &def)) return wf_fail_memory(error);
        if (!wf_step_needs(&def, WF_NEED_FACTOR)) break;
        if (nearest) def = wf_with_length(&def, wf_nearest_length(m->dt, def.dt / def.substeps));
        result = prepare_step(m, &def, error);
    }
    return result;
}

WeftResult weft_prepare_model(WeftModel* m, const WeftStepDef* step, WeftError* error) {
    wf_assert(m && step);
    WeftResult result = wf_check_step(&m->system, step, error);
    if (!result && m->shown.rows) result = wf_check_weather(&m->system.mirror, step, error);
    return result ? result : prepare_all(m, step, false, error);
}

static const double MOST_SPAN = 100;  // longest over shortest
static const double STRIDE = 1.18;    // below the ratio of neighbours in the row (lengths.h)

WeftResult weft_prepare_lengths(WeftModel* m, const WeftStepDef* step, double shortest,
                                double longest, WeftError* error) {
    wf_assert(m && step);
    WeftStepDef def = *step;
    def.dt = shortest;
    WeftResult result = wf_check_step(&m->system, &def, error);
    def.dt = longest;
    if (!result) result = wf_check_step(&m->system, &def, error);
    if (result) return result;
    if (shortest > longest || shortest < longest / MOST_SPAN)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "steps of %g to %g s; the first must be the shorter, by %g times at most",
                       shortest, longest, MOST_SPAN);
    // steps that follow a shorter one have the matrix of longer ones (lengths.h)
    double reach = step->order == 1 ? 1 : fmax(1, wf_change_length(longest / shortest).reach);
    for (double dt = shortest; !result; dt = fmin(dt * STRIDE, reach * longest)) {
        def.dt = dt;
        result = prepare_all(m, &def, true, error);
        if (dt == reach * longest) break;
    }
    return result;
}
