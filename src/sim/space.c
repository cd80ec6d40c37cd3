// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/space.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "energy/wind.h"
#include "sim/attach.h"
#include "sim/carry.h"
#include "sim/contact.h"
#include "sim/input.h"
#include "sim/rest.h"

static const WfPose NOWHERE = {{0, 0, 0}, {0, 0, 0, 1}};

const WfSpace WF_NO_SPACE = {.now = {{0, 0, 0}, {0, 0, 0, 1}}, .end = {{0, 0, 0}, {0, 0, 0, 1}}};

bool wf_has_space(const WeftState* state) {
    return memcmp(&state->space, &WF_NO_SPACE, sizeof state->space) != 0;
}

static void conjugate(const double rotation[4], double out[4]) {
    for (int k = 0; k < 4; k++) out[k] = k < 3 ? -rotation[k] : rotation[k];
}

// What is in the world, in the axes of a frame.
static WfVec in_axes(const WfPose* frame, WfVec v) {
    WfPose back = NOWHERE;
    conjugate(frame->rotation, back.rotation);
    return wf_pose_turn(&back, v);
}

// ---------------------------------------------------------------------------------------------
// What users say

void weft_move_space(WeftState* state, const double position[3], const double rotation[4]) {
    WfPose frame;
    if (wf_take_pose(state, WF_INPUT_SPACE, 0, position, rotation, &frame))
        state->space.end = frame;
}

void weft_place_space(WeftState* state, const double position[3], const double rotation[4]) {
    WfPose frame;
    if (!wf_take_pose(state, WF_INPUT_SPACE, 0, position, rotation, &frame)) return;
    state->space = (WfSpace){.now = frame, .end = frame, .placed = 1};
    wf_wake(state);
}

void weft_copy_space(const WeftState* state, double position[3], double rotation[4]) {
    memcpy(position, state->space.now.position, sizeof state->space.now.position);
    memcpy(rotation, state->space.now.rotation, sizeof state->space.now.rotation);
}

// ---------------------------------------------------------------------------------------------
// The way of a step

// rad: less is rounding of rotations that are the same
static const double LEAST_TURN = 1e-12;
// What sleeps need not wake for: a thousandth of gravity, m/s^2. What turns moves pins and bodies.
static const double LEAST_JERK = 0.01;

// The whole turn is an angle about an axis, as a vector, rad: by how much the space turns on.
static WfVec turn_vector(const double q[4]) {
    WfVec axis = wf_mul(q[3] < 0 ? 1 : -1, (WfVec){q[0], q[1], q[2]});  // Q turns back
    double sine = wf_length(axis), angle = 2 * wf_angle_of(sine, fabs(q[3]));
    return sine > 0 ? wf_mul(angle / sine, axis) : axis;
}

// The share of a turn that is felt. turned: all of it, rad.
static double felt_turn(const WeftInertia* inertia, double turned, double dt) {
    double most = inertia->max_spin * dt, felt = inertia->angular * turned;
    return most > 0 && felt > most ? most / turned : inertia->angular;
}

static WfVec felt_change(const WeftInertia* inertia, WfVec change, double dt) {
    WfVec felt = wf_mul(inertia->linear, change);
    double most = inertia->max_acceleration * dt, size = wf_length(felt);
    return most > 0 && size > most ? wf_mul(most / size, felt) : felt;
}

// m: by how much places may be off that were computed and rounded where the space is. A velocity by
// them that is the same to that stays, so that what goes on evenly feels nothing; slow changes are
// felt as soon as they are more.
static double place_noise(const WfSpace* space) {
    double far = fmax(wf_length(wf_load(space->now.position, 0)),
                      wf_length(wf_load(space->end.position, 0)));
    return 6 * DBL_EPSILON * far;
}

static WfRide make_ride(const WfSpace* space, const WeftInertia* inertia, double dt) {
    WfRide ride = {.turn = NOWHERE};
    double from[4], to[4], all[4];
    conjugate(space->now.rotation, from);
    conjugate(space->end.rotation, to);
    wf_turn_from(from, to, all);
    WfVec turned = turn_vector(all),
          moved = wf_sub(wf_load(space->end.position, 0), wf_load(space->now.position, 0));
    WfPose whole = {{0, 0, 0}, {all[0], all[1], all[2], all[3]}};
    double angle = wf_length(turned), felt = felt_turn(inertia, angle, dt);
    ride.velocity = in_axes(&space->end, wf_mul(1 / dt, moved));
    WfVec old = wf_pose_turn(&whole, wf_load(space->velocity, 0));
    if (angle <= LEAST_TURN) old = wf_load(space->velocity, 0);
    WfVec change = wf_sub(ride.velocity, old);
    if (wf_length(change) <= place_noise(space) / dt) {
        ride.velocity = old;
        change = (WfVec){0, 0, 0};
    }
    if (space->placed == 0) ride.change = felt_change(inertia, change, dt);
    ride.turns = felt * angle > LEAST_TURN;
    if (ride.turns) {
        ride.turn = felt < 1 ? wf_pose_between(&NOWHERE, &whole, felt) : whole;
        ride.way = wf_mul(dt, ride.velocity);
    }
    ride.wakes = ride.turns || wf_length(ride.change) > LEAST_JERK * dt;
    ride.air = wf_mul(-inertia->air, ride.velocity);
    // what stands turns by `felt` of it, and the air by `air` less
    if (angle > LEAST_TURN && felt != inertia->air)
        ride.spin = wf_mul((felt - inertia->air) / dt, turned);
    return ride;
}

// What the mirror image has, too: motion along the plane, turns about its normal.
static const double ALONG = 1e-9;

static bool goes_across(const WfPlane* mirror, WfVec v) {
    return fabs(wf_dot(mirror->normal, v)) > ALONG * (1 + wf_length(v));
}
static bool turns_across(const WfPlane* mirror, const double q[4]) {
    WfVec axis = {q[0], q[1], q[2]};
    return wf_length(wf_sub(axis, wf_along(mirror->normal, axis))) > ALONG;
}

static WeftResult check_ride(const WfPlane* mirror, const WfRide* ride, WeftError* error) {
    if (!goes_across(mirror, ride->change) && !goes_across(mirror, ride->air) &&
        !turns_across(mirror, ride->turn.rotation))
        return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_COMBINATION,
                   "the space is moved across the mirror, so that the halves would not move alike; "
                   "let it go along its plane and turn about its normal, or simulate the whole");
}

WeftResult wf_space_plan(WeftState* state, const WeftStepDef* asked, WeftStepDef* local) {
    const WeftModel* m = state->model;
    *local = *asked;
    state->ride = (WfRide){.turn = NOWHERE};
    if (!wf_has_space(state)) return WEFT_OK;
    const WfPose* end = &state->space.end;
    state->ride = make_ride(&state->space, &asked->inertia, asked->dt);
    wf_store(local->gravity, 0, in_axes(end, wf_load(asked->gravity, 0)));
    wf_store(local->wind, 0, in_axes(end, wf_load(asked->wind, 0)));
    return m->shown.rows ? check_ride(&m->system.mirror, &state->ride, &state->error) : WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// What is felt

// The history of a row: x, x1, x2, v and v1 turned, and as if the space had always been as fast.
static void feel_rows(void* context, int first, int end) {
    WeftState* state = context;
    const WfRide* ride = &state->ride;
    double h = state->clock[1], *places[] = {state->x, state->x1, state->x2};
    double* velocities[] = {state->v, state->v1};
    for (int i = first; i < end; i++) {
        for (int k = 0; k < 3; k++) {
            WfVec x = wf_load(places[k], i);
            if (ride->turns) x = wf_pose_turn(&ride->turn, x);
            wf_store(places[k], i, wf_madd(x, k * h, ride->change));
        }
        for (int k = 0; k < 2; k++) {
            WfVec v = wf_load(velocities[k], i);
            if (ride->turns) v = wf_pose_turn(&ride->turn, v);
            wf_store(velocities[k], i, wf_sub(v, ride->change));
        }
    }
}

static void turn_pose(const WfPose* turn, WfPose* pose) {
    double back[4];
    wf_store(pose->position, 0, wf_pose_point(turn, wf_load(pose->position, 0)));
    conjugate(pose->rotation, back);
    wf_turn_from(back, turn->rotation, pose->rotation);  // first the one, then the other
    *pose = wf_pose_between(pose, pose, 0);              // of length 1
}

// What terms and contacts remember.
static void turn_memory(WeftState* state, const WfPose* turn) {
    const WfSystem* s = &state->model->system;
    double axes[9];
    for (int k = 0; k < 3; k++) {
        WfVec unit = {k == 0, k == 1, k == 2};
        wf_store(axes, k, wf_pose_turn(turn, unit));
    }
    for (int t = 0; t < s->term_count; t++)
        if (s->terms[t]->type->turn) s->terms[t]->type->turn(s->terms[t], &state->spaces[t], axes);
    for (int i = 0; state->loads && i < s->vertex_count; i++) {
        double* load = state->loads + 4 * (long)i;
        wf_store(load, 0, wf_pose_turn(turn, wf_load(load, 0)));
    }
}

bool wf_space_begin(WeftState* state) {
    const WeftModel* m = state->model;
    const WfRide* ride = &state->ride;
    if (!ride->turns && wf_length(ride->change) == 0) return false;
    wf_parallel_copy(&m->system.jobs, state->moving, state->moving_count, state->scratch->backup);
    wf_parallel_items(&m->system.jobs, m->system.vertex_count, feel_rows, state);
    if (!ride->turns) return true;
    for (int i = 0; i < m->shown_body_count; i++)
        turn_pose(&ride->turn, wf_state_pose(state, i, false));
    for (int k = 0; k < m->skinned.count; k++) {
        WfSkinPoint* skin = &state->skins[k];
        wf_store(skin->from, 0, wf_pose_turn(&ride->turn, wf_load(skin->from, 0)));
        wf_store(skin->normal_from, 0, wf_pose_turn(&ride->turn, wf_load(skin->normal_from, 0)));
    }
    turn_memory(state, &ride->turn);
    return true;
}

const double* wf_world_axes(WeftState* state) {
    const WfPose* end = &state->space.end;
    if (memcmp(end->rotation, NOWHERE.rotation, sizeof end->rotation) == 0) return NULL;
    for (int k = 0; k < 3; k++)
        wf_store(state->ride.axes, k, in_axes(end, (WfVec){k == 0, k == 1, k == 2}));
    return state->ride.axes;
}

void wf_space_end(WeftState* state) {
    if (!wf_has_space(state)) return;
    WfSpace* space = &state->space;
    space->now = space->end;
    wf_store(space->velocity, 0, state->ride.velocity);
    space->placed = 0;
}

// ---------------------------------------------------------------------------------------------
// On the way. Arcs are those in the world, where the origin goes along: less its part of the way.

WfVec wf_point_between(const WeftState* state, WfVec from, WfVec to, const double turn[4],
                       double part) {
    static const double none[4] = {0, 0, 0, 1};
    const WfRide* ride = &state->ride;
    double all[4];
    wf_turn_from(ride->turn.rotation, turn ? turn : none, all);
    WfVec way = wf_add(wf_sub(to, from), ride->way);
    return wf_madd(wf_add(from, wf_screw_way(all, way, part)), -part, ride->way);
}

WfVec wf_line_between(const WeftState* state, WfVec from, WfVec to, double part) {
    if (state->ride.turns) return wf_point_between(state, from, to, NULL, part);
    return wf_madd(from, part, wf_sub(to, from));
}

WfPose wf_body_between(const WeftState* state, int body, double part) {
    const WfPose *from = wf_state_pose(state, body, false), *to = wf_state_pose(state, body, true);
    const WfRide* ride = &state->ride;
    if (!ride->turns) return wf_pose_between(from, to, part);
    WfPose start = *from;
    wf_accumulate(start.position, 0, -1, ride->way);
    WfPose pose = wf_pose_between(&start, to, part);
    wf_accumulate(pose.position, 0, 1 - part, ride->way);
    return pose;
}

// ---------------------------------------------------------------------------------------------
// The air

typedef struct Airflow {
    WeftState* state;
    WfVec origin, wind;
} Airflow;

static void place_rows(void* context, int first, int end) {
    const Airflow* a = context;
    WfPose frame = a->state->space.end;
    wf_store(frame.position, 0, a->origin);
    for (int i = first; i < end; i++)
        wf_store(a->state->scratch->places, i, wf_pose_point(&frame, wf_load(a->state->x, i)));
}

static void blow_rows(void* context, int first, int end) {
    const Airflow* a = context;
    WeftState* state = a->state;
    for (int i = first; i < end; i++) {
        WfVec v = in_axes(&state->space.end, wf_load(state->scratch->airflow, i));
        v = wf_add(wf_add(v, a->wind), wf_cross(state->ride.spin, wf_load(state->x, i)));
        wf_store(state->scratch->airflow, i, wf_plane_let(&state->model->system.mirror, i, v));
    }
}

const double* wf_find_airflow(WeftState* state, const WeftStepDef* def, int index, int count) {
    const WfRide* ride = &state->ride;
    const WfSystem* s = &state->model->system;
    bool spins = wf_dot(ride->spin, ride->spin) > 0;
    if (!(def->air_density > 0) || (def->wind_count == 0 && !spins)) return NULL;
    const WfSpace* space = &state->space;
    WfVec end = wf_load(space->end.position, 0);
    WfVec back = wf_sub(wf_load(space->now.position, 0), end);
    Airflow a = {state, wf_madd(end, 1 - (double)index / count, back),
                 wf_add(wf_load(def->wind, 0), ride->air)};
    memset(state->scratch->airflow, 0, 3 * (size_t)s->vertex_count * sizeof(double));
    if (def->wind_count > 0) {
        wf_parallel_items(&s->jobs, s->vertex_count, place_rows, &a);
        wf_blow(&s->jobs, def->wind_count, def->winds, state->clock[0], s->vertex_count,
                state->scratch->places, state->scratch->airflow);
    }
    wf_parallel_items(&s->jobs, s->vertex_count, blow_rows, &a);
    return state->scratch->airflow;
}

// ---------------------------------------------------------------------------------------------
// Within the space

static void move_rows(WeftState* state, const WfPose* by) {
    double* places[] = {state->x, state->x1, state->x2, state->goal};
    double* velocities[] = {state->v, state->v1};
    for (int i = 0; i < state->model->system.vertex_count; i++) {
        for (int k = 0; k < 4; k++)
            wf_store(places[k], i, wf_pose_point(by, wf_load(places[k], i)));
        for (int k = 0; k < 2; k++)
            wf_store(velocities[k], i, wf_pose_turn(by, wf_load(velocities[k], i)));
    }
}

// Both frames of every body: what was asked of it moves along.
static void move_bodies(WeftState* state, const WfPose* by) {
    for (int i = 0; i < state->model->shown_body_count; i++)
        for (int end = 0; end < 2; end++) turn_pose(by, wf_state_pose(state, i, end));
}

// Skins and the ends of attachments in space: where they are, and where they go.
static void move_ends(WeftState* state, const WfPose* by) {
    for (int k = 0; k < state->model->skinned.count; k++) {
        WfSkinPoint* skin = &state->skins[k];
        double *places[] = {skin->from, skin->to},
               *normals[] = {skin->normal_from, skin->normal_to};
        for (int i = 0; i < 2; i++) {
            wf_store(places[i], 0, wf_pose_point(by, wf_load(places[i], 0)));
            wf_store(normals[i], 0, wf_pose_turn(by, wf_load(normals[i], 0)));
        }
    }
    for (int i = 0; i < wf_attachment_room(state); i++) {
        WfAttachment* a = &state->attachments[i];
        if (a->state != WF_ATTACHMENT_HOLDS || a->to != WEFT_ATTACH_TO_PLACE) continue;
        wf_store(a->place, 0, wf_pose_point(by, wf_load(a->place, 0)));
        wf_store(a->goal, 0, wf_pose_point(by, wf_load(a->goal, 0)));
    }
}

// Turns of pins are those in the axes of positions.
static void turn_arcs(WeftState* state, const WfPose* by) {
    for (int i = 0; i < state->model->system.vertex_count; i++) {
        WfCarry* carry = &state->carried[i];
        if (carry->by != WF_CARRIED_BY_ARC) continue;
        double* axis = carry->frame.rotation;
        wf_store(axis, 0, wf_pose_turn(by, wf_load(axis, 0)));
    }
}

void weft_teleport(WeftState* state, const double position[3], const double rotation[4],
                   bool keep) {
    const WeftModel* m = state->model;
    const WfPlane* mirror = &m->system.mirror;
    WfPose by;
    if (!wf_take_pose(state, WF_INPUT_TELEPORT, 0, position, rotation, &by)) return;
    if (m->shown.rows &&
        (goes_across(mirror, wf_load(by.position, 0)) || turns_across(mirror, by.rotation))) {
        wf_refuse_input(state, WF_INPUT_ACROSS, 0, 0);
        return;
    }
    move_rows(state, &by);
    if (!keep) {
        memset(state->v, 0, 6 * (size_t)m->system.vertex_count * sizeof(double));  // and v1
        state->clock[1] = 0;  // the next step makes a history to fit
    }
    move_bodies(state, &by);
    move_ends(state, &by);
    turn_arcs(state, &by);
    turn_memory(state, &by);
    wf_settle_in_plane(state);
    wf_forget_lists(&state->world);
    wf_wake(state);
    wf_show(state);
}
