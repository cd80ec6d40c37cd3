// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The table of methods, and what all of them share: checks and defaults of a step.

#include <math.h>

#include "base/assert.h"
#include "base/cookie.h"
#include "base/error.h"
#include "base/vec.h"
#include "energy/wind.h"
#include "method/method.h"
#include "method/quality.h"
#include "method/range.h"
#include "weft/weft_study.h"

static const WfMethod* const methods[] = {
    [WEFT_METHOD_SYMPLECTIC] = &wf_symplectic,   [WEFT_METHOD_IMPLICIT] = &wf_implicit,
    [WEFT_METHOD_PREFACTORED] = &wf_prefactored, [WEFT_METHOD_RELAXATION] = &wf_relaxation,
    [WEFT_METHOD_MATRIX_FREE] = &wf_matrix_free,   [WEFT_METHOD_SMALL_STEPS] = &wf_small_steps,
};
enum { METHOD_COUNT = sizeof methods / sizeof *methods };

const WfMethod* wf_method(const WeftStepDef* def) {
    wf_assert((int)def->method >= 0 && (int)def->method < METHOD_COUNT);
    return methods[def->method];
}

bool wf_step_needs(const WeftStepDef* def, unsigned needs) {
    return (wf_method(def)->needs(def, false) & needs) == needs;
}

// ---------------------------------------------------------------------------------------------
// Checks

static WeftResult check_choices(const WeftStepDef* def, WeftError* error) {
    const struct {
        const char* name;
        int value, high;
    } choices[] = {
        {"method", (int)def->method, METHOD_COUNT - 1},
        {"scheme", (int)def->scheme, WEFT_SCHEME_PLAIN},
        {"sweep", (int)def->sweep, WEFT_SWEEP_JACOBI},
        {"jacobian", (int)def->jacobian, WEFT_JACOBIAN_SCALAR},
        {"start", (int)def->start, WEFT_START_PREVIOUS},
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (choices[i].value < 0 || choices[i].value > choices[i].high)
            return wf_fail(error, WEFT_ERROR_INPUT, "%s is %d; it must be 0 to %d", choices[i].name,
                           choices[i].value, choices[i].high);
    return WEFT_OK;
}

// What no table of ranges has: vectors and lists.
static WeftResult check_lists(const WeftStepDef* def, WeftError* error) {
    for (int i = 0; i < 3; i++)
        if (!isfinite(def->gravity[i]) || !isfinite(def->wind[i]))
            return wf_fail(error, WEFT_ERROR_INPUT, "gravity and wind must be finite numbers");
    double speed = wf_length(wf_load(def->wind, 0));
    if (speed > WF_FASTEST_WIND)
        return wf_fail(error, WEFT_ERROR_INPUT, "wind is %g m/s; it must be %g at most", speed,
                       WF_FASTEST_WIND);
    WeftResult air = wf_check_winds(def->wind_count, def->winds, error);
    if (air) return air;
    const WeftInertia* inertia = &def->inertia;
    const double shares[] = {inertia->linear, inertia->angular, inertia->air};
    for (int i = 0; i < 3; i++)
        if (!(shares[i] >= 0 && shares[i] <= 1))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "the inertia has a share of %g; shares are 0 to 1", shares[i]);
    if (!(inertia->max_acceleration >= 0) || !(inertia->max_spin >= 0))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "what is felt of inertia at most must be a number, 0 or more");
    for (int i = 0; i < WEFT_MAX_NEWTON; i++)
        if (def->iterations[i] < 0 || def->iterations[i] > WF_MOST_ITERATIONS)
            return wf_fail(error, WEFT_ERROR_INPUT, "iterations[%d] is %d; it must be 0 to %d", i,
                           def->iterations[i], WF_MOST_ITERATIONS);
    for (int i = 0; i < WEFT_MAX_LIMITS; i++)
        if (def->limits[i] < 0)
            return wf_fail(error, WEFT_ERROR_INPUT, "limits[%d] is %d; it must be 0 or more", i,
                           def->limits[i]);
    return WEFT_OK;
}

static WeftResult check_matrices(const WfSystem* s, const WeftStepDef* resolved, WeftError* error) {
    if (wf_step_needs(resolved, WF_NEED_FACTOR) && s->unmajorised)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "cloth %d: no constant matrix bounds the %s, so there is nothing to factor "
                       "once; use %s, or the implicit method",
                       s->unmajorised->cloth, s->unmajorised->type->name,
                       s->unmajorised->type->instead);
    if (wf_step_needs(resolved, WF_NEED_FACTOR) && s->matrices != WEFT_MATRICES_ALL)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "the model was made without a constant factor (matrices), and these steps "
                       "need one; make it with all matrices, or take %s",
                       s->matrices == WEFT_MATRICES_NONE ? "the matrix-free method with scheme J"
                                                         : "the implicit method with scheme J");
    if (wf_step_needs(resolved, WF_NEED_BLOCKS) && s->matrices == WEFT_MATRICES_NONE)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "the model was made without matrices, and these steps need one; make it "
                       "with blocks, or take the matrix-free method");
    return WEFT_OK;
}

WeftResult wf_check_step(const WfSystem* s, const WeftStepDef* def, WeftError* error) {
    WeftResult result = wf_check_cookie(WEFT_DEF_STEP, def->cookie, error);
    if (!result) result = wf_check_ranges(def, error);
    if (!result) result = check_choices(def, error);
    if (!result) result = check_lists(def, error);
    if (result) return result;
    const WfMethod* method = wf_method(def);
    WeftStepDef resolved = wf_resolve_step(s, def);
    result = check_matrices(s, &resolved, error);
    if (!result && def->budget_ms > 0 && !s->clock.now)
        result = wf_fail(error, WEFT_ERROR_COMBINATION,
                         "a budget needs a clock to go by, and the model was made without one");
    if (!result && method->check) result = method->check(s, def, &resolved, error);
    return result;
}

// ---------------------------------------------------------------------------------------------

WeftStepDef wf_resolve_step(const WfSystem* s, const WeftStepDef* def) {
    const WfMethod* method = wf_method(def);
    WeftStepDef out = *def;
    if (def->start == WEFT_START_AUTO) out.start = method->start;
    if (method->is_explicit)
        out.order = 1;
    else if (!out.order)
        out.order = wf_level(def->quality)->order;
    method->resolve(s, &out);
    return out;
}
