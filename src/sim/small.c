// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/small.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "sim/carry.h"
#include "sim/contact.h"
#include "sim/masks.h"
#include "sim/rest.h"
#include "sim/skin.h"
#include "sim/space.h"

// ---------------------------------------------------------------------------------------------
// What they cannot take

WeftResult wf_check_small(const WeftModel* m, WeftError* error) {
    if (!m->shown.rows || m->shown.closure == WEFT_CLOSURE_OPEN) return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_COMBINATION,
                   "small steps cannot take closures in a mirror; use the prefactored method");
}

// ---------------------------------------------------------------------------------------------
// Memory

static WeftResult add_levels(const WeftModel* m, WfSmallForm* form) {
    const WfSystem* s = &m->system;
    WfWayMesh mesh = wf_way_mesh(m, m->pinned);
    double* shares = wf_alloc(&s->allocator, 4 * (size_t)s->vertex_count, sizeof *shares);
    WfLevelsDef def = {.mesh = &mesh, .masses = s->masses, .shares = shares};
    WeftResult result = shares ? WEFT_OK : WEFT_ERROR_MEMORY;
    if (!result) wf_levels_fabric(s->term_count, s->terms, shares + s->vertex_count, shares);
    if (!result) result = wf_levels_create(&s->allocator, &def, &form->levels);
    wf_free(&s->allocator, shares);
    return result;
}

WeftResult wf_model_small(const WeftModel* m, WfSmallForm* form) {
    const WfSystem* s = &m->system;
    if (form->vertex_count > 0) return WEFT_OK;
    WeftResult result = wf_small_form_create(&s->allocator, s->vertex_count, s->masses,
                                             s->term_count, s->terms, m->gives, form);
    if (!result && (result = add_levels(m, form))) wf_small_form_destroy(&s->allocator, form);
    if (result || m->contact == WEFT_CONTACT_NONE) return result;
    WfSmallTouchDef def = {.surface = &m->surface,
                           .positions = m->positions,
                           .cloth_count = m->cloth_count,
                           .first_vertex = m->first_vertex,
                           .edge_count = m->edge_count,
                           .edges = m->edges,
                           .edge_lengths = m->edge_lengths,
                           .body_count = wf_touched_bodies(m),
                           .bodies = m->bodies};
    result = wf_small_form_touch(&s->allocator, &def, form);
    if (result) wf_small_form_destroy(&s->allocator, form);
    return result;
}

static WeftResult ready_contact(const WeftModel* m, const WfSmallForm* form, WfSmallCloth* cloth) {
    WfSmallContactDef def = {.tree = &form->tree,
                             .body_trees = form->body_trees,
                             .bodies = m->bodies,
                             .vertex_count = m->system.vertex_count,
                             .body_count = form->body_count,
                             .cloth_count = m->cloth_count,
                             .cloth_of = form->cloth_of,
                             .thickness = m->thickness,
                             .layer = m->is_thinned ? m->layer : m->thickness,
                             .friction = m->friction,
                             .frictions = m->frictions,
                             .span = form->span,
                             .edge = m->mean_edge,
                             .self = m->contact == WEFT_CONTACT_ALL};
    WeftResult result = wf_small_contact_create(&m->system.allocator, &def, &cloth->contact);
    cloth->contact.x = cloth->x, cloth->contact.before = cloth->before;
    cloth->contact.v = cloth->v, cloth->contact.origin = cloth->origin;
    return result;
}

WeftResult wf_ready_small(const WeftModel* m, WfScratch* scratch) {
    const WeftAllocator* allocator = &m->system.allocator;
    WfSmallForm* own = &scratch->own_small;
    if (scratch->small.form) return WEFT_OK;
    if (m->limit.edge_count + m->limit.tether_count > 0 && wf_ready_work(m, 0, scratch))
        return WEFT_ERROR_MEMORY;
    const WfSmallForm* form = m->small.vertex_count > 0 ? &m->small : own;
    if (form == own && wf_model_small(m, own)) return WEFT_ERROR_MEMORY;
    int points = wf_small_point_count(form->vertex_count, m->bodies, form->body_count);
    WeftResult result = wf_small_cloth_create(allocator, form, points, &scratch->small);
    if (!result && form->touches) result = ready_contact(m, form, &scratch->small);
    if (result) wf_small_cloth_destroy(allocator, &scratch->small);
    return result;
}

void wf_destroy_small(const WeftAllocator* allocator, WfScratch* scratch) {
    wf_small_cloth_destroy(allocator, &scratch->small);
    wf_small_form_destroy(allocator, &scratch->own_small);
}

// ---------------------------------------------------------------------------------------------
// Bodies

// WfSmallPlace of a state.
static void place_body(void* context, int body, double part, WfPose* pose, WfPoint4* out) {
    const WeftState* state = context;
    const WfBody* of = &state->model->bodies[body];
    const double* from = wf_state_shape(state, body, false);
    const double* to = wf_state_shape(state, body, true);
    WfVec origin = wf_load(state->scratch->small.origin, 0);
    *pose = part == 0   ? *wf_state_pose(state, body, false)
            : part == 1 ? *wf_state_pose(state, body, true)
                        : wf_body_between(state, body, part);
    for (int k = 0; k < 2 && out && of->exact; k++) {
        WfVec p = wf_sub(wf_pose_point(pose, (WfVec){0, of->ends[k], 0}), origin);
        out[k] = (WfPoint4){(float)p.x, (float)p.y, (float)p.z, 0};
    }
    for (int i = 0; i < of->vertex_count && out && !of->exact; i++) {
        WfVec local = wf_load(from ? from : of->positions, i);
        if (from) local = wf_madd(local, part, wf_sub(wf_load(to, i), local));
        WfVec p = wf_sub(wf_pose_point(pose, local), origin);
        out[i] = (WfPoint4){(float)p.x, (float)p.y, (float)p.z, 0};
    }
}

static void ready_bodies(WeftState* state) {
    WfSmallContact* c = &state->scratch->small.contact;
    const WeftModel* m = state->model;
    unsigned char* meets = state->scratch->small_meets;
    int cloths = m->cloth_count;
    for (int b = 0; b < c->def.body_count; b++) {
        WfSmallBody* body = &c->bodies[b];
        const WfPose *from = wf_state_pose(state, b, false), *to = wf_state_pose(state, b, true);
        int count = 0;
        for (int k = 0; k < cloths; k++) count += meets[k] = wf_body_meets(state, b, k);
        body->meets = count < cloths ? meets : NULL;
        body->off = count == 0;
        body->moves = wf_body_moves(state, b);
        body->is_straight = memcmp(from, to, sizeof *from) == 0;
        meets += cloths;
    }
    int count = 0;
    for (int a = 0; a < cloths; a++)
        for (int b = 0; b < cloths; b++)
            count += meets[a * cloths + b] = wf_cloths_meet(state, a, b);
    c->layers_meet = count < cloths * cloths ? meets : NULL;
}

// ---------------------------------------------------------------------------------------------
// A step

// Adds the external forces of terms of this form, N, 3 per vertex.
static void add_forces(WeftState* state, const WfMotion* motion, WfLocalForm form, double* f) {
    const WfSystem* s = &state->model->system;
    for (int t = 0; t < s->term_count; t++) {
        const WfTermClass* type = s->terms[t]->type;
        if (type->local == form && type->external)
            type->external(s->terms[t], &state->spaces[t], motion, f);
    }
}

// Adds what holds vertices as long as `form` says, and its pull to the forces.
static void add_holds(WeftState* state, const WfMotion* motion, WfLocalForm form,
                      WfRestraint* holds) {
    const WfSystem* s = &state->model->system;
    for (int t = 0; t < s->term_count && holds; t++)
        if (s->terms[t]->type->local == form)
            s->terms[t]->type->hold(s->terms[t], &state->spaces[t], motion, holds);
}

// f += R v: with the brake, which acts on the velocity at the end, a force stays what it is now.
static void add_braked(const double* R, int count, const double* v, double* f) {
    for (int i = 0; i < count; i++)
        wf_accumulate(f, i, 1, wf_sym_mul(R + 6 * (size_t)i, wf_load(v, i)));
}

static void find_brakes(WeftState* state, const WfMotion* motion) {
    const WfSystem* s = &state->model->system;
    double* R = state->scratch->small.brake;
    if (!R) return;
    memset(R, 0, 6 * (size_t)s->vertex_count * sizeof *R);
    for (int t = 0; t < s->term_count; t++)
        if (s->terms[t]->type->brake)
            s->terms[t]->type->brake(s->terms[t], &state->spaces[t], motion, R);
    add_braked(R, s->vertex_count, motion->drift, state->scratch->small.forces);
}

static void add_pulls(const WfRestraint* holds, int count, double* f) {
    for (int i = 0; i < count && holds; i++) wf_accumulate(f, i, 1, wf_load(holds[i].pull, 0));
}

// What lasts until it is found anew: weight, air, damping. What holds is there as a whole, but what
// it pulls to only where that lasts.
static void find_forces(WeftState* state, const WfMotion* motion) {
    WfSmallCloth* cloth = &state->scratch->small;
    int count = cloth->form->vertex_count;
    memset(cloth->forces, 0, 3 * (size_t)count * sizeof(double));
    if (cloth->holds) memset(cloth->holds, 0, (size_t)count * sizeof *cloth->holds);
    add_forces(state, motion, WF_LOCAL_FORCE, cloth->forces);
    find_brakes(state, motion);
    add_holds(state, motion, WF_LOCAL_HOLD, cloth->holds);
    add_pulls(cloth->holds, count, cloth->forces);
    add_holds(state, motion, WF_LOCAL_FOLLOW, cloth->holds);
}

// What changes with each substep: skins that pull, pressure.
static void find_following(WeftState* state, const WfMotion* motion) {
    WfSmallCloth* cloth = &state->scratch->small;
    int count = cloth->form->vertex_count;
    memcpy(cloth->total, cloth->forces, 3 * (size_t)count * sizeof(double));
    add_forces(state, motion, WF_LOCAL_PUSH, cloth->total);
    if (cloth->holds) memset(cloth->holds, 0, (size_t)count * sizeof *cloth->holds);
    add_holds(state, motion, WF_LOCAL_FOLLOW, cloth->holds);
    add_pulls(cloth->holds, count, cloth->total);
}

// The motion, as far as the step has come.
static WfMotion motion_now(WeftState* state, const WfStep* step) {
    WfSmallCloth* cloth = &state->scratch->small;
    WfMotion motion = step->motion;
    motion.gamma = motion.h;
    if (!cloth->now) return motion;
    motion.x = motion.base = cloth->now;
    motion.v = motion.drift = cloth->now + 3 * (size_t)cloth->form->vertex_count;
    wf_small_end(cloth, cloth->now, cloth->now + 3 * (size_t)cloth->form->vertex_count);
    return motion;
}

// The step begins, with all that acts on vertices alone.
static void begin_step(WeftState* state, const WfStep* step) {
    WfSmallCloth* cloth = &state->scratch->small;
    WfMotion motion = step->motion;
    motion.gamma = motion.h;
    cloth->levels.mirror = state->model->shown.rows ? &step->system->mirror : NULL;
    find_forces(state, &motion);
    wf_small_begin(cloth, state->x, state->v, cloth->forces, state->pinned);
    wf_small_hold(cloth, (float)motion.h);
    wf_hold_ties(state, motion.h);
    wf_small_push(cloth, cloth->forces);
    wf_small_begin_terms(cloth, state->spaces, state->x);
}

// In a step of dt the air is linearised as often as that brings cloth half of the way to its speed:
// cloth turns, and what it meets with it. (A flag of 0.03 kg/m^2 in 3.7 m/s, 20 substeps in 1/60 s,
// flutters at 0.55 m/s if that is done once, at 0.48 with this, where it should at 0.41 to 0.43.)
static const double HALF_WAY = 2;  // times the rate
enum { MOST_TIMES = 4 };

static int times_of_air(const WeftState* state, double dt) {
    const WfSystem* s = &state->model->system;
    const double* R = state->scratch->small.brake;
    double brake = 0, mass = 0;
    for (int i = 0; i < s->vertex_count && R; i++, R += 6) {
        brake += R[0] + R[3] + R[5];
        mass += s->masses[i];
    }
    double times = mass > 0 ? ceil(HALF_WAY * dt * brake / mass) : 1;
    return times > MOST_TIMES ? MOST_TIMES : times > 1 ? (int)times : 1;
}

static void begin_substep(WeftState* state, const WfStep* step, int index, int times) {
    WfSmallCloth* cloth = &state->scratch->small;
    int count = step->def->substeps;
    bool anew = index > 0 && index * times / count > (index - 1) * times / count;
    wf_move_skins(state, index, count, step->motion.h);
    if (!anew && !cloth->form->follows) return;
    WfMotion motion = motion_now(state, step);
    if (anew) find_forces(state, &motion);
    if (anew) wf_small_hold(cloth, (float)motion.h);
    if (cloth->form->follows) find_following(state, &motion);
    wf_small_push(cloth, cloth->form->follows ? cloth->total : cloth->forces);
}

static void put_pins(WeftState* state, int index, int count) {
    wf_place_pins(state, index, count);
    for (int k = 0; k < state->pin_count; k++)
        wf_small_put(&state->scratch->small, state->scratch->pins[k],
                     state->goal + 3 * (size_t)state->scratch->pins[k]);
}

// As if it had always moved like this: other methods may take the next step.
static void end_motion(WeftState* state, const WfStep* step) {
    long n = 3L * state->model->system.vertex_count;
    double h = step->motion.h;
    memcpy(state->v1, state->v, (size_t)n * sizeof *state->v);
    wf_small_end(&state->scratch->small, state->x, state->v);
    wf_end_reactions(state, step, state->v1);
    for (int k = 0; k < state->pin_count; k++)  // where they are told, not the nearest float
        wf_store(state->x, state->scratch->pins[k], wf_load(state->goal, state->scratch->pins[k]));
    for (long i = 0; i < n; i++) {
        state->x1[i] = state->x[i] - h * state->v[i];
        state->x2[i] = state->x[i] - 2 * h * state->v[i];
        state->v1[i] = state->v[i];
    }
    state->clock[1] = h;
}

// Levels and limits.
static bool moves_behind_contact(const WeftState* state) {
    const WfLimit* limit = &state->model->limit;
    return state->scratch->small.form->levels.count > 0 ||
           limit->edge_count + limit->tether_count > 0;
}

static void push_off_bodies(WeftState* state, const WfStep* step, int in_round) {
    wf_mark_motion(state, false);
    wf_small_contact_planes(&state->scratch->small.contact, in_round);
    wf_give_motion(state, step->motion.h, false, true);
}

static void keep_skins(WeftState* state, const WfStep* step, int index, int in_round) {
    wf_mark_motion(state, false);
    wf_keep_leashes(state, step, index);
    wf_give_motion(state, step->motion.h, false, false);
    if (state->scratch->small.form->touches) push_off_bodies(state, step, in_round);
    wf_mark_motion(state, false);
    wf_settle_leashes(state, step, index);
    wf_give_motion(state, step->motion.h, false, false);
}

static void take_substep(WeftState* state, const WfStep* step, int index, int in_round, int times) {
    WfSmallCloth* cloth = &state->scratch->small;
    const WeftStepDef* def = step->def;
    float h = (float)step->motion.h;
    bool touches = cloth->form->touches;
    begin_substep(state, step, index, times);
    wf_mark_motion(state, true);
    wf_small_predict(cloth, h);
    wf_give_outside(state, step->motion.h);
    wf_settle_small(state, 1 / step->motion.h);
    put_pins(state, index, def->substeps);
    wf_begin_small_ties(state, index, def->substeps, step->motion.h);
    if (touches) wf_small_contact_move(&cloth->contact, h);
    for (int k = 0; k < def->iterations[0]; k++) {
        wf_small_sweep(cloth, h, def->iterations[0]);
        wf_settle_small(state, 1 / step->motion.h);
        if (k == 0) wf_small_move_levels(cloth, h, in_round);
        wf_pull_ties(state, step->motion.h);
        wf_mark_motion(state, false);
        if (touches) wf_small_contact_solve(&cloth->contact, in_round);
        wf_give_motion(state, step->motion.h, false, true);
    }
    wf_small_limit(cloth, h);
    wf_end_small_ties(state, step->motion.h);
    wf_keep_limit(state, step);
    if (state->skins)
        keep_skins(state, step, index, in_round);
    else if (touches && moves_behind_contact(state))
        push_off_bodies(state, step, in_round);
    wf_settle_small(state, 1 / step->motion.h);
    // motion below the speed of rest dies away, as elsewhere (update.c)
    float rest = wf_rest_calms(state) ? (float)def->rest_speed : 0;
    wf_small_update(cloth, h, rest, h * (float)WF_EXPLICIT_FRICTION);
}

// Where substeps may become twice as long, rounds are even.
static bool is_paced(const WeftStepDef* def) { return def->budget_ms > 0 || def->limits[0] > 0; }
static int most_in_round(const WeftStepDef* def) {
    return is_paced(def) ? WF_MOST_IN_ROUND / 2 * 2 : WF_MOST_IN_ROUND;
}

// A round behind `first` substeps; returns how many there are behind it. times: of the air.
static int take_round(WeftState* state, const WfStep* step, int first, int times) {
    WfSmallContact* c = &state->scratch->small.contact;
    int count = step->def->substeps, most = most_in_round(step->def);
    int end = first + most < count ? first + most : count;
    WeftTimes* spent = &state->report.times;
    double start = wf_now(step->system);
    bool touches = state->scratch->small.form->touches;
    if (touches) end = first + wf_small_round_begin(c, first, count, most, place_body, state);
    wf_small_begin_levels(&state->scratch->small);
    double begun = wf_now(step->system);
    for (int i = first; i < end; i++) take_substep(state, step, i, i - first + 1, times);
    double solved = wf_now(step->system);
    wf_mark_motion(state, true);
    if (touches) wf_small_round_end(c, end - first, (float)step->motion.h);
    wf_give_motion(state, step->motion.h, true, true);
    wf_settle_small(state, 0);
    spent->self += begun - start;
    spent->solve += solved - begun;
    spent->defend += wf_now(step->system) - solved;
    return end;
}

static void report_contact(WeftState* state) {
    const WfSmallContact* c = &state->scratch->small.contact;
    WeftStepReport* report = &state->report;
    report->body_contacts = c->planes.count;
    report->self_contacts = c->active_count;
    report->active_contacts = c->touching;
    report->pairs_near = c->pairs;
    report->impacts = c->divided;
    report->unstopped = c->left;
    report->penetration = (double)c->deepest;
}

// A step whose substeps may become longer on the way; def is that of `step`.
typedef struct Run {
    WfStep step;
    WeftStepDef def;
    double start, before;  // s: when it began, and until the first substep
    int done, taken;       // substeps, as long as they are now; and all
    int level;             // how often they were made longer
} Run;

// Where the clock says so, or a step that is repeated, the rest goes in substeps twice as long. The
// report tells how many were taken in front of each time.
static void pace(WeftState* state, const WeftStepDef* asked, Run* run) {
    WeftStepDef* def = &run->def;
    bool timed = def->budget_ms > 0;
    if (run->level + 1 >= WEFT_MAX_LIMITS || run->done % 2 + def->substeps % 2 > 0) return;
    if (run->done == def->substeps || (!timed && asked->limits[run->level] != run->taken)) return;
    double spent = wf_now(run->step.system) - run->start;
    if (timed && !wf_budget_is_short(&state->budget, def, spent, run->before, run->taken,
                                     def->substeps - run->done))
        return;
    state->report.limits[run->level++] = run->taken;
    state->report.cut = timed;
    def->substeps /= 2;
    run->done /= 2;
    run->step.motion.h *= 2;
    wf_small_hold(&state->scratch->small, (float)run->step.motion.h);
    wf_small_push(&state->scratch->small, state->scratch->small.forces);
}

static void take_rounds(WeftState* state, const WeftStepDef* asked, Run* run) {
    int times = times_of_air(state, run->def.dt);
    while (run->done < run->def.substeps && !state->scratch->small.contact.failed) {
        int first = run->done;
        run->done = take_round(state, &run->step, first, times);
        run->taken += run->done - first;
        pace(state, asked, run);
    }
}

WeftResult wf_take_small_steps(WeftState* state, const WfStep* step) {
    WfSmallCloth* cloth = &state->scratch->small;
    Run run = {.step = *step, .def = *step->def, .start = wf_now(step->system)};
    run.step.def = &run.def;
    begin_step(state, step);
    wf_begin_reactions(state);
    if (cloth->form->touches) {
        ready_bodies(state);
        wf_small_contact_begin(&cloth->contact, run.def.dt, place_body, state);
    }
    run.before = wf_now(step->system) - run.start;
    take_rounds(state, step->def, &run);
    if (is_paced(&run.def)) state->report.limits[run.level] = run.taken;
    if (cloth->contact.failed) {  // what lacked memory once may be had anew
        wf_small_cloth_destroy(&step->system->allocator, cloth);
        return WEFT_ERROR_MEMORY;
    }
    double solved = wf_now(step->system);
    end_motion(state, &run.step);
    if (cloth->form->touches) report_contact(state);
    wf_limit_report(&state->model->limit, state->x, &state->report);
    state->clock[0] += run.def.dt;
    state->report.sweep_count = run.taken * run.def.iterations[0];
    state->report.times.predict += run.before;
    state->report.times.update += wf_now(step->system) - solved;
    if (run.def.budget_ms > 0)
        wf_budget_learn_substeps(&state->budget, run.before, solved - run.start - run.before,
                                 run.taken);
    return WEFT_OK;
}
