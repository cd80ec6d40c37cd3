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

// The same front for a budget, which gives as many iterations as there is time for. `least` is from
// where on a rung is better than the one below, and below it they go on until there.
//
// Distance to the motion itself, over that of 1 x A 4, by time, over that of 1 x A 4; geometric
// means of a cloth in gusts and one that swings by two corners (625 to 5476 vertices, 2000 N/m,
// softened as their iterations say):
//
//     1 x one solve  0.28  3.75     1 x A 8 + 2   2.0  0.62     2 x A 8 + 12   7.0  0.34
//     2 x one solve  0.56  1.90     1 x A 8 + 4   2.3  0.62     4 x A 8 + 2    8.1  0.33
//     1 x A 2        0.70  1.31     2 x A 5       2.3  0.58     4 x A 8 + 4    9.3  0.31
//     1 x A 5        1.15  0.82     2 x A 6       2.6  0.55
//     1 x A 8        1.6   0.72     2 x A 8 + 2   4.1  0.41
//
// Dropped: 1 x A 1 (0.60 at 1.7), two solves in a substep, A 7 in two substeps, 4 x A 8 (6.3 at
// 0.42), JAJ in one or two substeps. More than about 10 iterations in one Newton step gain nothing:
// 2 x A 10, 16, 24 are at 0.47, 0.50, 0.58, with a second Newton step after the eighth at 0.41,
// 0.44, 0.33.
typedef struct Rung {
    int substeps;
    WeftScheme scheme;
    int iterations[WEFT_MAX_NEWTON], least;
} Rung;

static const Rung rungs[] = {
    {1, WEFT_SCHEME_REPEAT, {1}, 1}, {2, WEFT_SCHEME_REPEAT, {1}, 1},
    {1, WEFT_SCHEME_A, {7}, 2},      {1, WEFT_SCHEME_A, {8, 8}, 8},
    {2, WEFT_SCHEME_A, {8, 24}, 6},  {4, WEFT_SCHEME_A, {8, 24}, 10},
    {4, WEFT_SCHEME_JAJ, {4, 4}, 8},
};

int wf_rung_count(const WfSystem* s) {
    return s->has_nonlinear ? (int)(sizeof rungs / sizeof *rungs) : 2;
}

int wf_rung_least(int rung) { return rungs[rung].least; }

WeftStepDef wf_rung_step(const WfSystem* s, const WeftStepDef* asked, int rung) {
    WeftStepDef def = *asked;
    def.substeps = rungs[rung].substeps;
    def.scheme = rungs[rung].scheme;
    memcpy(def.iterations, rungs[rung].iterations, sizeof def.iterations);
    return wf_resolve_step(s, &def);
}

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
    if (!(def->rest_speed >= 0 && def->rest_speed <= 10))
        return wf_fail(error, WEFT_ERROR_INPUT, "rest_speed is %g m/s; it must be 0 to 10",
                       def->rest_speed);
    if (!(def->tolerance > 0 && def->tolerance < 1))
        return wf_fail(error, WEFT_ERROR_INPUT, "tolerance is %g; it must be between 0 and 1",
                       def->tolerance);
    if (!(def->solve_tolerance > 0 && def->solve_tolerance < 1))
        return wf_fail(error, WEFT_ERROR_INPUT, "solve_tolerance is %g; it must be between 0 and 1",
                       def->solve_tolerance);
    if (!(def->budget_ms >= 0 && def->budget_ms <= 1e6))
        return wf_fail(error, WEFT_ERROR_INPUT, "budget_ms is %g; it must be 0 to 1000000",
                       def->budget_ms);
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
        {"method", (int)def->method, 0, WEFT_METHOD_MATRIX_FREE},
        {"scheme", (int)def->scheme, 0, WEFT_SCHEME_PLAIN},
        {"sweep", (int)def->sweep, 0, WEFT_SWEEP_JACOBI},
        {"jacobian", (int)def->jacobian, 0, WEFT_JACOBIAN_SCALAR},
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
    for (int i = 0; i < WEFT_MAX_LIMITS; i++)
        if (def->limits[i] < 0)
            return wf_fail(error, WEFT_ERROR_INPUT, "limits[%d] is %d; it must be 0 or more", i,
                           def->limits[i]);
    return WEFT_OK;
}

static WeftResult check_matrices(const WfSystem* s, const WeftStepDef* resolved, WeftError* error) {
    if (wf_step_needs_factor(resolved) && s->matrices != WEFT_MATRICES_ALL)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "the model was made without a constant factor (matrices), and these steps "
                       "need one; make it with all matrices, or take %s",
                       s->matrices == WEFT_MATRICES_NONE ? "the matrix-free method with scheme J"
                                                         : "the implicit method with scheme J");
    if (wf_step_needs_blocks(resolved) && s->matrices == WEFT_MATRICES_NONE)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "the model was made without matrices, and these steps need one; make it "
                       "with blocks, or take the matrix-free method");
    return WEFT_OK;
}

enum { MOST_SUBSTEPS = 10000 };

// Symplectic Euler with stiffness lambda and damping c is stable while h^2 lambda + 2 h c < 4. The
// bounds are on the safe side; cloth that is stretched is stiffer than at rest.
static double stable_substeps(const WfSystem* s, double dt) {
    double lambda = s->stiffness_bound, c = s->damping_bound;
    double limit = 4 / (c + sqrt(c * c + 4 * lambda));
    return fmax(1, ceil(dt / (0.9 * limit)));
}

static WeftResult check_combination(const WfSystem* s, const WeftStepDef* def, WeftError* error) {
    WeftStepDef resolved = wf_resolve_step(s, def);
    if (wf_step_needs_factor(&resolved) && s->unmajorised)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "cloth %d: no constant matrix bounds the %s, so there is nothing to factor "
                       "once; use %s, or the implicit method",
                       s->unmajorised->cloth, s->unmajorised->type->name,
                       s->unmajorised->type->instead);
    WeftResult result = check_matrices(s, &resolved, error);
    if (result) return result;
    if (def->budget_ms > 0 && !s->clock.now)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "a budget needs a clock to go by, and the model was made without one");
    if (def->method == WEFT_METHOD_PREFACTORED &&
        (def->scheme == WEFT_SCHEME_J || def->scheme == WEFT_SCHEME_PLAIN))
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "schemes J and plain make no use of the factor; take the implicit method "
                       "with them, or scheme A or JAJ");
    if (def->method == WEFT_METHOD_PREFACTORED && def->jacobian != WEFT_JACOBIAN_CLAMPED)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "the prefactored method has its own Jacobian; leave it clamped, or take "
                       "relaxation, the implicit or the matrix-free method");
    if (def->method == WEFT_METHOD_RELAXATION && def->scheme != WEFT_SCHEME_AUTO)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "relaxation solves nothing, so that no scheme applies; leave it auto");
    if ((def->method == WEFT_METHOD_IMPLICIT || def->method == WEFT_METHOD_MATRIX_FREE) &&
        def->scheme == WEFT_SCHEME_REPEAT)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "scheme repeat belongs to the prefactored method; the implicit one takes "
                       "scheme J, A or JAJ");
    if (def->method == WEFT_METHOD_SYMPLECTIC && s->predicting)
        return wf_fail(
            error, WEFT_ERROR_COMBINATION,
            "cloth %d: the %s acts as at the end of the step, and an explicit step as at "
            "its start, so that it gains energy; take estimator none",
            s->predicting->cloth, s->predicting->type->name);
    bool chosen = def->method == WEFT_METHOD_SYMPLECTIC && def->substeps == 0;
    if (chosen && stable_substeps(s, def->dt) > MOST_SUBSTEPS)
        return wf_fail(
            error, WEFT_ERROR_COMBINATION,
            "stiffness and damping of this cloth ask for %.0f explicit substeps in %g s, "
            "%d at most are taken; lower stretch_damping, set substeps, or take an "
            "implicit method",
            stable_substeps(s, def->dt), def->dt, MOST_SUBSTEPS);
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

bool wf_step_needs_factor(const WeftStepDef* def) {
    return def->method == WEFT_METHOD_PREFACTORED ||
           ((def->method == WEFT_METHOD_IMPLICIT || def->method == WEFT_METHOD_MATRIX_FREE) &&
            (def->scheme == WEFT_SCHEME_A || def->scheme == WEFT_SCHEME_JAJ));
}

bool wf_step_needs_blocks(const WeftStepDef* def) {
    return def->method == WEFT_METHOD_IMPLICIT || def->method == WEFT_METHOD_RELAXATION;
}

bool wf_step_needs_rows(const WeftStepDef* def) { return def->method == WEFT_METHOD_IMPLICIT; }

bool wf_contact_needs_rows(const WeftStepDef* def) {
    bool repeat = def->method == WEFT_METHOD_PREFACTORED && def->scheme == WEFT_SCHEME_REPEAT;
    return def->method != WEFT_METHOD_SYMPLECTIC && def->method != WEFT_METHOD_MATRIX_FREE &&
           !repeat;
}

// JAJ costs about five iterations of J and saves more from beta = 50 on (lambda is about 16 k/m).
static WeftScheme pick_preconditioner(const WfSystem* s, double h) {
    bool stiff = s->stiffness_bound * h * h > 16 * 50;
    bool factor = s->matrices == WEFT_MATRICES_ALL && !s->unmajorised && s->has_nonlinear;
    return stiff && factor ? WEFT_SCHEME_JAJ : WEFT_SCHEME_J;
}

enum { DEFAULT_SWEEPS = 4 };

WeftStepDef wf_resolve_step(const WfSystem* s, const WeftStepDef* def) {
    WeftStepDef out = *def;
    if (def->start == WEFT_START_AUTO)
        out.start =
            def->method == WEFT_METHOD_RELAXATION ? WEFT_START_PREVIOUS : WEFT_START_PREDICTED;
    const Level* level = &levels[def->quality - 1];
    if (def->method == WEFT_METHOD_SYMPLECTIC) {
        out.order = 1;
        if (!out.substeps) {
            double count = stable_substeps(s, def->dt);
            out.substeps = count < MOST_SUBSTEPS ? (int)count : MOST_SUBSTEPS;
        }
        return out;
    }
    if (!out.order) out.order = level->order;
    if (def->method != WEFT_METHOD_PREFACTORED) {
        if (!out.substeps) out.substeps = 1;
        if (def->method == WEFT_METHOD_RELAXATION && !out.iterations[0])
            out.iterations[0] = DEFAULT_SWEEPS;
        if (def->method == WEFT_METHOD_MATRIX_FREE && out.scheme == WEFT_SCHEME_AUTO)
            out.scheme = WEFT_SCHEME_J;
        if (def->method == WEFT_METHOD_IMPLICIT && out.scheme == WEFT_SCHEME_AUTO)
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
// (2 x A 8 at 2500 vertices: 30, 38, 41, 38 at B 2.97, 1.49, 0.74, 0.40. Substeps with a second
// Newton step need no softening: 2 x A 4+12 and 4 x JAJ 4+4 are as close without.)
static double follow_number(const WeftStepDef* def) {
    if (def->iterations[1] > 0 && def->substeps > 1) return 3;
    if (def->scheme == WEFT_SCHEME_JAJ) return 1.5;
    // (more than two substeps come from fast bodies, and follow as they are shorter)
    if (def->scheme == WEFT_SCHEME_A && def->substeps > 2) return 0.4 * def->substeps / 2;
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
