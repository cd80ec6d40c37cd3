// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A step: resolve what the user asked for, make ready, then per substep: predict, solve, update.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "sim/attach.h"
#include "sim/carry.h"
#include "sim/closure.h"
#include "sim/contact.h"
#include "sim/forces.h"
#include "sim/history.h"
#include "sim/input.h"
#include "sim/layout.h"
#include "sim/opening.h"
#include "sim/parts.h"
#include "sim/rating.h"
#include "sim/rest.h"
#include "sim/skin.h"
#include "sim/small.h"
#include "sim/space.h"
#include "sim/tear.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Ready: what only this method takes. Allocates in a first step only.

static WeftResult ready_method(WeftState* state, const WeftStepDef* def) {
    const WeftModel* m = state->model;
    bool touches = wf_model_touches(m);
    if (wf_method(def)->is_local) return wf_ready_small(m, state->scratch);
    WeftResult result = wf_ready_work(m, wf_method(def)->needs(def, touches), state->scratch);
    if (!result && touches) result = wf_ready_contact(state);
    return result;
}

// ---------------------------------------------------------------------------------------------
// One substep

// How the step follows the one before, whose history it takes.
static WfChange change_of(const WeftState* state, const WeftStepDef* def) {
    double h = def->dt / def->substeps, old = state->clock[1];
    return wf_change_length(old > 0 && def->order == 2 ? h / old : 1);
}

// The same step with the length that its matrix is made for.
static WeftStepDef reaching(const WeftState* state, const WeftStepDef* def) {
    WeftStepDef fit = *def;
    fit.dt *= change_of(state, def).reach;
    return fit;
}

static const double MOST_REACH = 1.4;  // below sqrt 2: A of the step is less than twice that of h

// The factor of the step: the one of its own length where there is one (lengths.h) and it will do,
// so that substeps that come and go need no others.
static const WfFactor* ready_factor(WeftState* state, const WeftStepDef* def,
                                    const WeftStepDef* fit) {
    if (state->first_dt == 0) state->first_dt = def->dt;
    bool own = def->dt == state->first_dt || wf_has_exact_factor(state, def);
    return wf_ready_factor(state, own && fit->dt < MOST_REACH * def->dt ? def : fit);
}

static const double FIRMING = 0.25;  // s

// The length that the stiffness is lowered for. Cloth that a long step left soft and stretched
// would gain by its stiffness, were it stiff at once in a short one: it gets so little by little.
static double soft_length(const WeftState* state, const WeftStepDef* def, double dt) {
    return fmax(dt, state->soft_dt / (1 + def->dt / FIRMING));
}

static WfStep make_step(WeftState* state, const WeftStepDef* def, const WfFactor* factor,
                        WfPace* pace) {
    const WfSystem* s = &state->model->system;
    bool second = def->order == 2, explicit_step = wf_method(def)->is_explicit;
    WfChange change = change_of(state, def);
    WfStep step = {
        .system = s,
        .def = def,
        .scales = state->scales,
        .factor = factor,
        .exchange = state->exchange.count + state->exchange.tie_count > 0 ? &state->exchange : NULL,
        .ties = state->ties.count > 0 ? &state->ties : NULL,
        .refines = factor && wf_factor_refines(factor, def->solve_tolerance),
        .grows = wf_length_grows(state->clock[1], def->dt / def->substeps),
        .pin_count = state->pin_count,
        .pins = state->scratch->pins,
        .pace = pace,
        .stray = state->model->stray,
        .work = &state->scratch->work,
        .report = &state->report,
        .motion =
            {
                .vertex_count = s->vertex_count,
                .h = def->dt / def->substeps,
                .gamma = explicit_step ? HUGE_VAL : change.reach * wf_step_gamma(def),
                .x = state->x,
                .x1 = state->x1,
                .x2 = state->x2,
                .v = state->v,
                .v1 = state->v1,
                .base = explicit_step ? state->x : state->scratch->work.base,
                .drift = explicit_step ? state->v : state->scratch->work.drift,
                .pinned = state->pinned,
                .goal = state->goal,
                .air_density = def->air_density,
                .pushes = def->accelerations ? state->scratch->pushes : NULL,
                .skin = state->skin_to,
                .skin_velocity = state->skin_velocity,
                .drives = state->drives,
            },
    };
    wf_set_weights(step.motion.base_weights, second, change.later);
    wf_set_weights(step.motion.drift_weights, second, change.first);
    memcpy(step.motion.gravity, def->gravity, sizeof def->gravity);
    wf_store(step.motion.wind, 0, wf_add(wf_load(def->wind, 0), state->ride.air));
    step.motion.axes = wf_world_axes(state);
    wf_store(step.motion.still, 0, state->ride.air);
    wf_store(step.motion.spin, 0, state->ride.spin);
    wf_opening_begin(state);
    for (int t = 0; t < s->term_count; t++) {
        int portion = s->terms[t]->portion;
        double firm = s->terms[t]->softens ? 1 / state->scales[portion] : 1;
        state->spaces[t].firm = firm;
        state->spaces[t].give = firm * state->model->gives[portion];
        state->spaces[t].firming = state->scratch->firming;
    }
    return step;
}

void wf_solve_substep(const WfStep* step) {
    const WfMethod* method = wf_method(step->def);
    double start = wf_now(step->system);
    if (!method->is_explicit) {
        wf_step_begin(step);
        step->report->times.predict += wf_now(step->system) - start;
    }
    method->solve(step);
}

// A step that fails leaves the state as it was. Copying is left out where nothing could be half
// done.
static bool needs_backup(const WeftState* state, const WfStep* step) {
    return step->def->substeps > 1 || state->clock[1] != step->motion.h ||
           state->memory_count > 0 || wf_model_touches(state->model);
}

static void restore(WeftState* state) {
    memcpy(state->moving, state->scratch->backup, state->moving_count * sizeof(double));
}

// m/s: an explicit step that is faster has lost its hold; contacts would be searched for all over
static const double LOST = 1e4;

// The first vertex that an explicit step threw; -1: none.
static int find_thrown(const WfStep* step) {
    if (!wf_method(step->def)->is_explicit) return -1;
    for (int i = 0; i < step->system->vertex_count; i++) {
        WfVec moved = wf_sub(wf_load(step->work->x, i), wf_load(step->motion.x, i));
        if (wf_length(moved) > LOST * step->motion.h && !step->motion.pinned[i]) return i;
    }
    return -1;
}

// Whether `stage` left every vertex at a place that is a number.
static WeftResult check_places(WeftState* state, const WfStep* step, const char* stage) {
    int lost = wf_find_lost(step->work->x, step->system->vertex_count, WF_FARTHEST);
    if (lost < 0) lost = find_thrown(step);
    if (lost < 0) return WEFT_OK;
    return wf_fail_lost(state, step, lost, state->v, stage);
}

// Whether all that moves, velocities and history too, are numbers behind the update.
static WeftResult check_moving(WeftState* state, const WfStep* step) {
    if (wf_state_is_finite(state)) return WEFT_OK;
    int lost = wf_find_lost(state->v, step->system->vertex_count, DBL_MAX);
    return wf_fail_lost(state, step, lost < 0 ? 0 : lost, state->v1, "the update");
}

enum { MOST_TURNS = 4 };  // solves again for lines that are let go or caught, in a substep

static WeftResult take_substep(WeftState* state, WfStep* step, int index) {
    if (wf_find_contacts(state, step, index, step->def->substeps))
        return wf_fail_memory(&state->error);
    wf_place_ties(state, step, index, step->def->substeps);
    wf_solve_substep(step);
    for (int k = 0; k < MOST_TURNS && !wf_pace_is_over(step->pace) && wf_turn_lines(state, step);
         k++)
        wf_method(step->def)->solve(step);
    wf_plane_settle(&step->system->mirror, step->work->x);
    wf_read_ties(state, step);
    wf_forces_solved(state, step);
    double start = wf_now(step->system);
    WeftResult result = check_places(state, step, "the solve");
    if (result) return result;
    state->report.limited_edges =
        wf_limit_apply(&state->model->limit, step, &state->scratch->limit);
    wf_plane_settle(&step->system->mirror, step->work->x);
    double limited = wf_now(step->system);
    if (wf_defend_step(state, step)) return wf_fail_memory(&state->error);
    wf_plane_settle(&step->system->mirror, step->work->x);
    double defended = wf_now(step->system);
    wf_limit_report(&state->model->limit, step->work->x, &state->report);
    result = check_places(state, step, "contact or the stretch limit");
    if (result) return result;
    bool may_gain = wf_gain_begin(state, step);
    wf_update_motion(state, step);
    if (may_gain) wf_gain_end(state, step);
    wf_close_rows(state);
    wf_limit_settle(&state->model->limit, &state->scratch->limit, step, state->v, state->v1,
                    state->x2);
    result = check_moving(state, step);
    if (!result) wf_forces_end(state, step);
    if (!result) wf_opening_end(state, step);
    state->clock[0] += step->motion.h;
    state->report.times.update += wf_now(step->system) - defended + limited - start;
    return result;
}

// ---------------------------------------------------------------------------------------------

static void start_report(WeftState* state, const WeftStepDef* def) {
    const WeftModel* m = state->model;
    WeftStepReport* report = &state->report;
    *report = (WeftStepReport){.method = def->method,
                               .order = def->order,
                               .substeps = def->substeps,
                               .scheme = def->scheme,
                               .converged = true,
                               .stiffness_scale = 1,
                               .over_limit_vertex = -1,
                               .over_distance_vertex = -1,
                               .tangles = -1};
    memcpy(report->iterations, def->iterations, sizeof report->iterations);
    double h = def->dt / def->substeps;
    for (int c = 0; c < m->cloth_count; c++) {
        int first = m->first_vertex[c], count = m->first_vertex[c + 1] - first;
        double mass = 0, weight = 0;  // vertices in a mirror are half ones
        for (int i = 0; i < count; i++) {
            mass += m->system.masses[first + i];
            weight += wf_plane_holds(&m->system.mirror, first + i) ? 0.5 : 1;
        }
        mass /= weight;
        for (int p = m->first_portion[c]; p < m->first_portion[c + 1]; p++) {
            double beta = state->scales[p] * m->sizes[p].stiffness * h * h / mass;
            report->stiffness_number = fmax(report->stiffness_number, beta);
            report->stiffness_scale = fmin(report->stiffness_scale, state->scales[p]);
        }
    }
}

static bool has_factor(const void* context, const WeftStepDef* def) {
    return wf_has_factor(context, def);
}

// The substeps, each at its own pace; `start` is when the step began.
static WeftResult take_substeps(WeftState* state, WfStep* step, double start) {
    const WfSystem* s = step->system;
    const WeftStepDef* def = step->def;
    WeftResult result = WEFT_OK;
    for (int i = 0; i < def->substeps && !result; i++) {
        double began = wf_now(s);
        int told = state->report.limits[WEFT_MAX_LIMITS - 1];  // by the last one that can be told
        *step->pace = wf_budget_pace(&state->budget, s, def, i, told, start);
        wf_place_pins(state, i, def->substeps);
        wf_move_skins(state, i, def->substeps, step->motion.h);
        if (i > 0) step->motion.airflow = wf_find_airflow(state, def, i, def->substeps);
        result = take_substep(state, step, i);
        memcpy(step->motion.drift_weights, step->motion.base_weights, 2 * sizeof(double));
        wf_budget_learn(&state->budget, s, def, step->pace, began);
        if (i < WEFT_MAX_LIMITS) state->report.limits[i] = step->pace->done;
        if (step->pace->cut) state->report.cut = true;
    }
    return result;
}

static const double LATE = 1.1;  // times the budget

// By the number that users have for it.
static void name_over_limit(WeftState* state) {
    int* vertex = &state->report.over_limit_vertex;
    *vertex = wf_vertex_of(&state->model->shown, *vertex);
}

// A step in which nothing happens.
static void sleep(WeftState* state, const WeftStepDef* def, double start) {
    memset(state->v, 0, 6 * (size_t)state->model->system.vertex_count * sizeof(double));  // and v1
    state->clock[0] += def->dt;
    wf_space_end(state);
    state->report.asleep = true;
    wf_limit_report(&state->model->limit, state->x, &state->report);
    name_over_limit(state);
    double tangles = fmax(state->tangle[0], 0) + state->tangle[1];
    if (tangles > 0) state->report.tangles = (int)tangles;
    wf_count_pins_inside(state);
    wf_show(state);
    state->report.times.total = wf_now(&state->model->system) - start;
}

// As many as one substep is cut into.
static int least_substeps(const WeftState* state, const WeftStepDef* asked) {
    WeftStepDef def = wf_rung_step(&state->model->system, asked, 0);
    wf_cut_substeps(state, &def, 1);
    return def.substeps;
}

// The settings of the step: as asked, by budget, by what moves. hurry: wf_hurry_parts.
static WeftStepDef plan_step(WeftState* state, const WeftStepDef* asked, int* hurry) {
    const WfSystem* s = &state->model->system;
    *hurry = 1;
    if (wf_method(asked)->is_local) {
        WeftStepDef def = wf_resolve_step(s, asked);
        if (def.budget_ms > 0 && !asked->substeps)
            def.substeps = wf_budget_substeps(&state->budget, &def);
        if (def.budget_ms > 0 && !asked->iterations[0]) def.iterations[0] = 1;
        return def;
    }
    bool touching = state->report.active_contacts > 0;
    bool open = wf_budget_is_open(asked);
    int least = open ? least_substeps(state, asked) : 1;
    WeftStepDef def = wf_budget_plan(&state->budget, s, asked, least, touching, has_factor, state);
    bool free = asked->substeps == 0 && asked->budget_ms == 0;
    // with contact in all steps: strain lasts in repeated ones as well
    int parts = free || state->loads ? wf_hurry_parts(state, &def) : 1;
    *hurry = free ? parts : 1;
    if (def.limits[0] == 0) wf_cut_substeps(state, &def, *hurry);  // a repeated step has been cut
    if (asked->budget_ms == 0 && asked->iterations[0] == 0) wf_follow_bodies(state, &def);
    return def;
}

static const double MOST_PUSH = 1e9;  // m/s^2

// What users push with, as rows have it.
static WeftResult take_pushes(WeftState* state, const WeftStepDef* def) {
    const WeftModel* m = state->model;
    if (!def->accelerations) return WEFT_OK;
    for (int i = 0; i < m->system.vertex_count; i++) {
        int vertex = wf_vertex_of(&m->shown, i);
        WfVec a = wf_load(def->accelerations, vertex);
        double size = wf_length(a);
        if (!(size <= MOST_PUSH))
            return wf_fail(&state->error, WEFT_ERROR_INPUT,
                           "vertex %d: an acceleration of %g m/s^2; at most %g", vertex, size,
                           MOST_PUSH);
        wf_store(state->scratch->pushes, i, wf_plane_let(&m->system.mirror, i, a));
    }
    wf_wake(state);
    return WEFT_OK;
}

// *used: the factor, or NULL.
static WeftResult take_whole_step(WeftState* state, const WeftStepDef* asked,
                                  const WfFactor** used) {
    const WeftModel* model = state->model;
    const WfSystem* s = &model->system;
    double start = wf_now(s);
    state->error = (WeftError){0};
    WeftResult result = wf_check_step(s, asked, &state->error);
    WeftStepDef local;  // as it is in the space
    if (!result && wf_method(asked)->is_local) result = wf_check_small(model, &state->error);
    if (!result) result = wf_check_inputs(state, &state->error);
    if (!result) result = wf_space_plan(state, asked, &local);
    if (!result && model->shown.rows) result = wf_check_weather(&s->mirror, &local, &state->error);
    if (!result) result = take_pushes(state, &local);
    if (!result && !wf_method(asked)->is_local && wf_ready_work(model, 0, state->scratch))
        result = wf_fail_memory(&state->error);
    if (result) return result;
    if (local.wind_count > 0) wf_wake(state);
    bool backup = wf_space_begin(state);
    wf_ready_skins(state);
    wf_find_ratings(state);
    int hurry;
    WeftStepDef def = plan_step(state, &local, &hurry), fit = reaching(state, &def), soft = fit;
    soft.dt = soft_length(state, &def, fit.dt);
    wf_model_scales(model, state->ratings, &soft, state->scales);
    start_report(state, &def);
    state->report.hurry = hurry;

    wf_ready_pins(state);
    wf_ready_ties(state, def.dt);
    double rest[WF_REST_COUNT];
    if (state->rest) memcpy(rest, state->rest, sizeof rest);
    wf_rest_begin(state, &def);
    if (wf_rest_sleeps(state, &def)) {
        if (backup) restore(state);  // what sleeps feels nothing of its space
        sleep(state, &def, start);
        return WEFT_OK;
    }
    const WfFactor* factor = NULL;
    if (wf_step_needs(&def, WF_NEED_FACTOR)) {
        factor = ready_factor(state, &def, &fit);
        if (!factor) result = wf_fail_memory(&state->error);
    }
    if (!result && ready_method(state, &def)) result = wf_fail_memory(&state->error);
    if (!result && wf_forces_begin(state, &def)) result = wf_fail_memory(&state->error);
    *used = factor;
    if (result) {
        if (state->rest) memcpy(state->rest, rest, sizeof rest);
        if (backup) restore(state);
        return result;
    }

    WfPace pace = {0};
    WfStep step = make_step(state, &def, factor, &pace);
    if (!backup && (backup = needs_backup(state, &step)))
        wf_parallel_copy(&s->jobs, state->moving, state->moving_count, state->scratch->backup);
    bool touches = wf_model_touches(model);
    if (touches) state->report.jumps = wf_place_jumpers(state, def.dt);
    if (touches) state->report.jumps += wf_place_jumping_skins(state, def.dt);
    if (state->report.jumps > 0) wf_ready_pins(state);
    if (touches) state->report.jumps += wf_place_jumping_pins(state, def.dt);
    bool is_local = wf_method(&def)->is_local;
    if (touches && !is_local) state->report.thrown = wf_slow_thrown(state, def.dt);
    wf_place_pins(state, 0, def.substeps);
    wf_move_skins(state, 0, def.substeps, step.motion.h);
    if (model->contact == WEFT_CONTACT_ALL && state->clock[1] == 0 && !is_local) wf_lay_out(state);
    if (!is_local) wf_place_ties(state, &step, 0, def.substeps);
    step.motion.airflow = wf_find_airflow(state, &def, 0, def.substeps);
    if (!is_local) result = wf_ready_history(state, &step);
    double began = wf_now(s);
    if (!result)
        result = is_local ? wf_take_small_steps(state, &step) : take_substeps(state, &step, start);
    double ended = wf_now(s);
    if (!result) {
        wf_end_bodies(state);
        wf_end_skins(state);
        wf_report_leashes(state);
        if (state->report.jumps > 0) wf_keep_goals(state);
        wf_end_arcs(state);
        wf_end_ties(state, def.dt);
        wf_space_end(state);
        wf_rest_end(state, &step);
        state->soft_dt = soft.dt;
        if (!is_local) wf_hurry_end(state, def.dt);
        wf_keep_ratings(state, def.dt);
    }
    if (result && backup) restore(state);
    if (result && state->rest) memcpy(state->rest, rest, sizeof rest);
    wf_show(state);
    name_over_limit(state);
    state->report.times.total = wf_now(s) - start;
    if (def.budget_ms > 0) {
        wf_budget_learn_step(&state->budget, state->report.times.total, ended - began);
        bool late = state->report.times.total > LATE * def.budget_ms / 1000;
        state->report.late = late && state->budget.lowest;
    }
    return result;
}

static WeftResult take_step(WeftState* state, const WeftStepDef* asked, const WfFactor** used) {
    if (wf_take_scratch(state)) return wf_fail_memory(&state->error);
    WeftResult result = take_whole_step(state, asked, used);
    wf_give_scratch(state);
    return result;
}

// Beside the step a torn model is made; behind it the state may go over to that.
static WeftResult take_torn_step(WeftState* state, const WeftStepDef* asked) {
    const WfFactor* factor = NULL;
    double start = wf_now(&state->model->system);
    if (wf_tear_begin_step(state, asked)) return wf_fail_memory(&state->error);
    double began = wf_now(&state->model->system);
    WeftResult result = take_step(state, asked, &factor);
    if (result) return result;
    double ended = wf_now(&state->model->system);
    wf_tear_end_step(state, factor);
    double beside = began - start + wf_now(&state->model->system) - ended;
    state->report.times.build += beside;
    state->report.times.total += beside;
    return WEFT_OK;
}

WeftResult weft_step(WeftState* state, const WeftStepDef* asked) {
    wf_assert(state && asked);
    const WfFactor* factor = NULL;
    return state->tear ? take_torn_step(state, asked) : take_step(state, asked, &factor);
}

// Of a step whose settings are sound; b: as weft_solve has it.
static WeftResult solve(WeftState* state, const WeftStepDef* def, const double* b, double* x) {
    const WeftModel* model = state->model;
    if (wf_ready_work(model, 0, state->scratch)) return wf_fail_memory(&state->error);
    wf_find_ratings(state);
    wf_model_scales(model, state->ratings, def, state->scales);
    state->ties.count = 0;  // the constant matrix is that of the model
    state->ties_changed = true;
    const WfFactor* factor = wf_ready_exact_factor(state, def);
    if (!factor) return wf_fail_memory(&state->error);
    wf_ready_pins(state);
    WfPace pace = {0};
    WfStep step = make_step(state, def, factor, &pace);
    state->report.solve_count = state->report.refinements = 0;
    double* right = state->scratch->work.r;
    memcpy(right, b, 3 * (size_t)model->system.vertex_count * sizeof(double));
    wf_step_filter(&step, right);
    wf_step_solve(&step, right, x);
    state->ties_changed = true;
    return WEFT_OK;
}

WeftResult weft_solve(WeftState* state, const WeftStepDef* asked, const double* b, double* x) {
    wf_assert(state && asked && b != x);
    const WfSystem* s = &state->model->system;
    state->error = (WeftError){0};
    WeftResult result = wf_check_step(s, asked, &state->error);
    if (result) return result;
    WeftStepDef def = wf_resolve_step(s, asked);
    if (!wf_step_needs(&def, WF_NEED_FACTOR))
        return wf_fail(&state->error, WEFT_ERROR_COMBINATION,
                       "these steps have no constant matrix; take the prefactored method, or the "
                       "implicit one with scheme A or JAJ");
    if (wf_take_scratch(state)) return wf_fail_memory(&state->error);
    result = solve(state, &def, b, x);
    wf_give_scratch(state);
    return result;
}
