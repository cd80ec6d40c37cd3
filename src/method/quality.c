// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "method/quality.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

// The front of order, substeps and iterations: each level is the best found for its cost.
typedef struct Level {
    int order, substeps;
    WeftScheme scheme;
    int iterations[WEFT_MAX_NEWTON];
    const char* text;
} Level;

static const Level levels[WEFT_MAX_QUALITY] = {
    {2, 1, WEFT_SCHEME_REPEAT, {1}, "order 2, 1 substep, one solve"},
    {2, 2, WEFT_SCHEME_REPEAT, {1}, "order 2, 2 substeps, one solve each"},
    {2, 1, WEFT_SCHEME_A, {2}, "order 2, 1 substep, A 2"},
    {2, 1, WEFT_SCHEME_A, {4}, "order 2, 1 substep, A 4"},
    {2, 2, WEFT_SCHEME_A, {4}, "order 2, 2 substeps, A 4"},
    {2, 2, WEFT_SCHEME_A, {8}, "order 2, 2 substeps, A 8"},
    {2, 4, WEFT_SCHEME_JAJ, {4}, "order 2, 4 substeps, JAJ 4"},
    {2, 8, WEFT_SCHEME_JAJ, {4}, "order 2, 8 substeps, JAJ 4"},
};

const char* weft_quality_text(int quality) {
    return quality >= 1 && quality <= WEFT_MAX_QUALITY ? levels[quality - 1].text : NULL;
}

// ---------------------------------------------------------------------------------------------
// Checks

static WeftResult check_numbers(const WeftStepDef* def, WeftError* error) {
    if (!(def->dt > 0 && def->dt <= 1))
        return wf_fail(error, WEFT_ERROR_INPUT, "dt is %g s; it must be positive and at most 1 s",
                       def->dt);
    for (int i = 0; i < 3; i++)
        if (!isfinite(def->gravity[i]) || !isfinite(def->wind[i]))
            return wf_fail(error, WEFT_ERROR_INPUT, "gravity and wind must be finite numbers");
    if (!(def->air_density >= 0 && def->air_density < 1e4))
        return wf_fail(error, WEFT_ERROR_INPUT, "air_density is %g kg/m^3; it must be 0 to 10000",
                       def->air_density);
    if (!(def->stretch_tolerance >= 0 && def->stretch_tolerance < 1))
        return wf_fail(error, WEFT_ERROR_INPUT, "stretch_tolerance is %g; it must be 0 to below 1",
                       def->stretch_tolerance);
    if (!(def->tolerance > 0 && def->tolerance < 1))
        return wf_fail(error, WEFT_ERROR_INPUT, "tolerance is %g; it must be between 0 and 1",
                       def->tolerance);
    if (!(def->solve_tolerance > 0 && def->solve_tolerance < 1))
        return wf_fail(error, WEFT_ERROR_INPUT, "solve_tolerance is %g; it must be between 0 and 1",
                       def->solve_tolerance);
    if (!(def->newton_tolerance >= 0 && def->newton_tolerance < 1))
        return wf_fail(error, WEFT_ERROR_INPUT, "newton_tolerance is %g; it must be 0 to below 1",
                       def->newton_tolerance);
    return WEFT_OK;
}

static WeftResult check_counts(const WeftStepDef* def, WeftError* error) {
    const struct {
        const char* name;
        int value, low, high;
    } counts[] = {
        {"method", (int)def->method, 0, WEFT_METHOD_PREFACTORED},
        {"scheme", (int)def->scheme, 0, WEFT_SCHEME_J},
        {"start", (int)def->start, 0, WEFT_START_PREVIOUS},
        {"quality", def->quality, 1, WEFT_MAX_QUALITY},
        {"order", def->order, 0, 2},
        {"substeps", def->substeps, 0, 10000},
        {"newton_steps", def->newton_steps, 1, 10000},
        {"max_iterations", def->max_iterations, 1, 1000000},
        {"iterations[0]", def->iterations[0], 0, 10000},
        {"iterations[1]", def->iterations[1], 0, 10000},
        {"iterations[2]", def->iterations[2], 0, 10000},
        {"iterations[3]", def->iterations[3], 0, 10000},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].value < counts[i].low || counts[i].value > counts[i].high)
            return wf_fail(error, WEFT_ERROR_INPUT, "%s is %d; it must be %d to %d", counts[i].name,
                           counts[i].value, counts[i].low, counts[i].high);
    return WEFT_OK;
}

static WeftResult check_combination(const WfSystem* s, const WeftStepDef* def, WeftError* error) {
    WeftStepDef resolved = wf_resolve_step(s, def);
    if (wf_step_needs_factor(&resolved) && s->unmajorised)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "cloth %d: no constant matrix bounds the %s, so there is nothing to factor "
                       "once; use the shear of diagonals, or the implicit method",
                       s->unmajorised->cloth, s->unmajorised->type->name);
    if (def->method == WEFT_METHOD_PREFACTORED && def->scheme == WEFT_SCHEME_J)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "scheme J makes no use of the factor; take the implicit method with it, or "
                       "scheme A or JAJ");
    if (def->method == WEFT_METHOD_IMPLICIT && def->scheme == WEFT_SCHEME_REPEAT)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "scheme repeat belongs to the prefactored method; the implicit one takes "
                       "scheme J, A or JAJ");
    if (def->method == WEFT_METHOD_SYMPLECTIC && s->predicting)
        return wf_fail(
            error, WEFT_ERROR_COMBINATION,
            "cloth %d: the %s acts as at the end of the step, and an explicit step as at "
            "its start, so that it gains energy; take estimator none",
            s->predicting->cloth, s->predicting->type->name);
    if (def->method != WEFT_METHOD_PREFACTORED) return WEFT_OK;
    bool more = resolved.scheme != WEFT_SCHEME_REPEAT || resolved.iterations[0] > 1;
    if (more && !s->has_nonlinear)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "with linear models only, one solve is the exact step, and more change "
                       "nothing; leave scheme and iterations to quality, or take estimator none");
    for (int k = 0; k < WEFT_MAX_NEWTON && resolved.scheme == WEFT_SCHEME_JAJ; k++)
        if (resolved.iterations[k] == 1 || resolved.iterations[k] == 2)
            return wf_fail(error, WEFT_ERROR_COMBINATION,
                           "JAJ with %d iterations gains energy in stiff cloth; take at least 3, "
                           "or scheme A",
                           resolved.iterations[k]);
    return WEFT_OK;
}

WeftResult wf_check_step(const WfSystem* s, const WeftStepDef* def, WeftError* error) {
    WeftResult result = check_numbers(def, error);
    if (!result) result = check_counts(def, error);
    if (!result) result = check_combination(s, def, error);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Choices

// Symplectic Euler with stiffness lambda and damping c is stable while h^2 lambda + 2 h c < 4. The
// bounds are on the safe side; cloth that is stretched is stiffer than at rest.
static int stable_substeps(const WfSystem* s, double dt) {
    double lambda = s->stiffness_bound, c = s->damping_bound;
    double limit = 4 / (c + sqrt(c * c + 4 * lambda));
    double count = ceil(dt / (0.9 * limit));
    return count < 1 ? 1 : count > 10000 ? 10000 : (int)count;
}

bool wf_step_needs_factor(const WeftStepDef* def) {
    return def->method == WEFT_METHOD_PREFACTORED ||
           (def->method == WEFT_METHOD_IMPLICIT &&
            (def->scheme == WEFT_SCHEME_A || def->scheme == WEFT_SCHEME_JAJ));
}

// JAJ costs about five iterations of J and saves more from beta = 50 on (lambda is about 16 k/m).
static WeftScheme pick_preconditioner(const WfSystem* s, double h) {
    bool stiff = s->stiffness_bound * h * h > 16 * 50;
    return stiff && !s->unmajorised && s->has_nonlinear ? WEFT_SCHEME_JAJ : WEFT_SCHEME_J;
}

WeftStepDef wf_resolve_step(const WfSystem* s, const WeftStepDef* def) {
    WeftStepDef out = *def;
    const Level* level = &levels[def->quality - 1];
    if (def->method == WEFT_METHOD_SYMPLECTIC) {
        out.order = 1;
        if (!out.substeps) out.substeps = stable_substeps(s, def->dt);
        return out;
    }
    if (!out.order) out.order = level->order;
    if (def->method == WEFT_METHOD_IMPLICIT) {
        if (!out.substeps) out.substeps = 1;
        if (out.scheme == WEFT_SCHEME_AUTO)
            out.scheme = pick_preconditioner(s, def->dt / out.substeps);
        return out;
    }
    if (!out.substeps) out.substeps = level->substeps;
    if (out.scheme == WEFT_SCHEME_AUTO) {
        // linear models: one solve is all there is
        out.scheme = s->has_nonlinear ? level->scheme : WEFT_SCHEME_REPEAT;
        if (!out.iterations[0]) memcpy(out.iterations, level->iterations, sizeof out.iterations);
        if (!s->has_nonlinear && !def->iterations[0])
            memcpy(out.iterations, levels[0].iterations, sizeof out.iterations);
    }
    if (!out.iterations[0]) out.iterations[0] = out.scheme == WEFT_SCHEME_REPEAT ? 1 : 4;
    return out;
}

// Stiffness to order. Cheap steps cannot follow stiff cloth: their artificial inertia, of relative
// size B = k dt^2/(rho L^2) for motion of the cloth's own size L, freezes it, and the same steps on
// a softer cloth come closer to the motion of the stiff one. So the stiffness is lowered to what
// the iterations can follow, but never so far that the cloth's own weight, rho g per length,
// stretches it by more than the tolerance.
//
// Distance in mm to the motion of 2000 N/m (1 m, 0.187 kg/m^2, 1/60 s, 625 vertices; 2500 within 5
// %):
//
//     B                            2.97  1.49  0.74  0.37  0.19  0.09
//     1 x one solve                 747   665   541   400   288   230
//     2 x one solve                 528   379   256   178   140   143
//     A 2                           309   167    94    78    87   127
//     A 4                           131   134    94    57    76   127
//     2 x A 4                        96    48    43    48    70   117
//     4 x JAJ 4                      42    32    31    41    68   108
//
// (2 x A 8 at 2500 vertices: 30, 38, 41, 38 at B 2.97, 1.49, 0.74, 0.40.)
static double follow_number(const WeftStepDef* def) {
    if (def->scheme == WEFT_SCHEME_JAJ) return 1.5;
    if (def->scheme == WEFT_SCHEME_A) return def->iterations[0] < 8 ? 0.4 : 1.5;
    return 0.12 * sqrt((double)def->substeps * def->iterations[0]);
}

double wf_stiffness_scale(const WfClothSize* cloth, const WeftStepDef* def) {
    if (def->method != WEFT_METHOD_PREFACTORED || def->stretch_tolerance <= 0) return 1;
    double L = cloth->length, rho = cloth->density;
    double followed = follow_number(def) * rho * L * L / (def->dt * def->dt);
    double tolerated = rho * 9.81 * L / def->stretch_tolerance;
    return fmin(1, fmax(followed, tolerated) / cloth->stiffness);
}
