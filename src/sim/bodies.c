// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bodies of a state: where they are, where they shall be at the end of the next step.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "contact/sharp.h"
#include "sim/carry.h"
#include "sim/contact.h"
#include "sim/input.h"
#include "sim/masks.h"
#include "sim/rest.h"

_Static_assert(sizeof(WfPose) == 7 * sizeof(double), "frames are kept as seven doubles");

static const WfBody* body_of(const WeftState* state, int body) {
    wf_assert(body >= 0 && body < state->model->shown_body_count);
    return &state->model->bodies[body];
}

WfPose* wf_state_pose(const WeftState* state, int body, bool end) {
    return (WfPose*)(void*)(state->poses + 14 * (size_t)body) + (end ? 1 : 0);
}

double* wf_state_shape(const WeftState* state, int body, bool end) {
    const WfBody* bodies = state->model->bodies;
    double* shape = state->shapes;
    if (bodies[body].kind != WEFT_BODY_MESH) return NULL;
    for (int i = 0; i < body; i++)
        if (bodies[i].kind == WEFT_BODY_MESH) shape += 6 * (size_t)bodies[i].vertex_count;
    return shape + (end ? 3 * (size_t)bodies[body].vertex_count : 0);
}

bool wf_body_deforms(const WeftState* state, int body) {
    const double* shape = wf_state_shape(state, body, false);
    size_t bytes = 3 * (size_t)state->model->bodies[body].vertex_count * sizeof(double);
    return shape && memcmp(shape, wf_state_shape(state, body, true), bytes) != 0;
}

bool wf_body_moves(const WeftState* state, int body) {
    const WfPose *from = wf_state_pose(state, body, false), *to = wf_state_pose(state, body, true);
    return memcmp(from, to, sizeof *from) != 0 || wf_body_deforms(state, body);
}

void wf_reset_bodies(WeftState* state) {
    for (int i = 0; i < state->model->body_count; i++) {
        const WfBody* body = &state->model->bodies[i];
        for (int end = 0; end < 2; end++) {
            *wf_state_pose(state, i, end) = body->start;
            double* shape = wf_state_shape(state, i, end);
            size_t bytes = 3 * (size_t)body->vertex_count * sizeof(double);
            if (shape) memcpy(shape, body->positions, bytes);
        }
    }
}

// Where a body starts: its middle, for meshes may all have the same frame.
static WfVec middle_of(const WfBody* body) { return wf_pose_point(&body->start, body->middle); }

// How far a body is from being the image of another one; infinite where they are not alike.
static double image_distance(const WeftModel* model, const WfBody* of, const WfBody* other) {
    bool alike = other->kind == of->kind && other->vertex_count == of->vertex_count;
    if (!alike) return HUGE_VAL;
    WfVec wanted = wf_plane_image(&model->system.mirror, middle_of(of));
    double size = other->reach == of->reach ? 0 : fabs(other->reach - of->reach);
    return wf_length(wf_sub(wanted, middle_of(other))) + size;
}

int wf_body_image(const WeftModel* model, int body) {
    const WfBody* of = &model->bodies[body];
    int nearest = body;
    double least = image_distance(model, of, of);
    for (int i = 0; i < model->shown_body_count; i++) {
        double distance = image_distance(model, of, &model->bodies[i]);
        if (!(distance < least)) continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}

void weft_move_body(WeftState* state, int body, const double position[3],
                    const double rotation[4]) {
    body_of(state, body);
    WfPose pose;
    if (wf_take_pose(state, WF_INPUT_BODY, body, position, rotation, &pose))
        *wf_state_pose(state, body, true) = pose;
}

void weft_place_body(WeftState* state, int body, const double position[3],
                     const double rotation[4]) {
    body_of(state, body);
    WfPose pose, old = *wf_state_pose(state, body, false);
    if (!wf_take_pose(state, WF_INPUT_BODY, body, position, rotation, &pose)) return;
    for (int end = 0; end < 2; end++) *wf_state_pose(state, body, end) = pose;
    wf_place_carried(state, body, &old);
    wf_forget_lists(&state->world);
    if (state->tangle) wf_look_again(state);
    wf_wake(state);
    wf_show(state);
}

void weft_deform_body(WeftState* state, int body, const double* positions) {
    const WfBody* of = body_of(state, body);
    wf_assert(of->kind == WEFT_BODY_MESH);
    if (!wf_take_input(state, WF_INPUT_SHAPE, body, positions, 3L * of->vertex_count)) return;
    memcpy(wf_state_shape(state, body, true), positions,
           3 * (size_t)of->vertex_count * sizeof(double));
}

void weft_place_shape(WeftState* state, int body, const double* positions) {
    const WfBody* of = body_of(state, body);
    wf_assert(of->kind == WEFT_BODY_MESH);
    if (!wf_take_input(state, WF_INPUT_SHAPE, body, positions, 3L * of->vertex_count)) return;
    for (int end = 0; end < 2; end++)
        memcpy(wf_state_shape(state, body, end), positions,
               3 * (size_t)of->vertex_count * sizeof(double));
    wf_forget_lists(&state->world);
    if (state->tangle) wf_look_again(state);
    wf_wake(state);
}

int weft_body_count(const WeftModel* model) { return model->shown_body_count; }

int weft_body_vertex_count(const WeftModel* model, int body) {
    wf_assert(body >= 0 && body < model->shown_body_count);
    return model->bodies[body].vertex_count;
}

int weft_body_triangle_count(const WeftModel* model, int body) {
    wf_assert(body >= 0 && body < model->shown_body_count);
    return model->bodies[body].surface.triangle_count;
}

const int* weft_body_triangles(const WeftModel* model, int body) {
    wf_assert(body >= 0 && body < model->shown_body_count);
    return model->bodies[body].surface.triangles;
}

void weft_copy_body(const WeftState* state, int body, double* positions) {
    const WfBody* of = body_of(state, body);
    const WfPose* pose = wf_state_pose(state, body, false);
    const double* shape = wf_state_shape(state, body, false);
    if (!shape) shape = of->positions;
    for (int i = 0; i < of->vertex_count; i++)
        wf_store(positions, i, wf_pose_point(pose, wf_load(shape, i)));
}

// ---------------------------------------------------------------------------------------------
// Fast bodies. Within a substep a vertex is kept out of one half-space, so that cloth cannot slide
// around a body further than about its size; a body that moves further than that in one would
// stretch the cloth before it.

typedef struct Range {
    double low[3], high[3];
} Range;

static const Range EMPTY = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static void widen(Range* range, const double* x, double by) {
    for (int k = 0; k < 3; k++) {
        range->low[k] = fmin(range->low[k], x[k] - by);
        range->high[k] = fmax(range->high[k], x[k] + by);
    }
}

static Range cloth_range(const WeftState* state, double dt) {
    Range range = EMPTY;
    for (int i = 0; i < state->model->system.vertex_count; i++) {
        const double *x = state->x + 3 * (long)i, *v = state->v + 3 * (long)i;
        const double to[3] = {x[0] + dt * v[0], x[1] + dt * v[1], x[2] + dt * v[2]};
        widen(&range, x, 0);
        widen(&range, to, 0);
    }
    return range;
}

static bool ranges_meet(const Range* a, const Range* b) {
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
    return true;
}

enum { MOST_PARTS = 4 };            // each costs a step;
enum { MOST_TURNS = 16 };           // of bodies that turn,
enum { MOST_PASSING = 8 };          // where cloth passes by a thin one
static const double SLENDER = 1.2;  // mean edges: the radius of a body that cloth may hook behind
static const double CORNER = 0.4;  // mean edges that cloth slides in a part where there are corners
static const double MOST_TURN = 0.1;         // rad in a part
static const double LEAST_WAY = 0.01;        // m, of no consequence for any body,
static const double LEAST_SLIDE = 0.002;     // nor for corners
static const double NEAR = 0.01;             // m, beyond the ways of cloth and body
static const double MOST_EDGES = 2;          // mean edges that a shape may go in a part,
static const double LEAST_DEFORMING = 0.05;  // m, and of no consequence

static double shape_travel(const WeftState* state, int body) {
    const double* from = wf_state_shape(state, body, false);
    const double* to = wf_state_shape(state, body, true);
    double most = 0;
    for (int i = 0; from && i < state->model->bodies[body].vertex_count; i++)
        most = fmax(most, wf_length(wf_sub(wf_load(to, i), wf_load(from, i))));
    return most;
}

// From a place to where the cloth is furthest.
static double reach_to_cloth(const WeftState* state, const double* place) {
    Range range = cloth_range(state, 0);
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double far = fmax(place[k] - range.low[k], range.high[k] - place[k]);
        square += far * far;
    }
    return sqrt(square);
}

// How far points of a body are carried at most: the corners of its box, and those of a plane, which
// has no end, as far as the cloth. A sphere turns into itself.
static double travel(const WeftState* state, int body) {
    const WfBody* of = &state->model->bodies[body];
    const WfPose *from = wf_state_pose(state, body, false), *to = wf_state_pose(state, body, true);
    double way, turned, most = 0;
    wf_pose_travel(from, to, &way, &turned);
    if (of->kind == WEFT_BODY_SPHERE || turned == 0) return way;
    if (of->kind == WEFT_BODY_PLANE) return way + turned * reach_to_cloth(state, to->position);
    for (int c = 0; c < 8; c++) {
        WfVec corner = {c & 1 ? of->high[0] : of->low[0], c & 2 ? of->high[1] : of->low[1],
                        c & 4 ? of->high[2] : of->low[2]};
        WfVec moved = wf_sub(wf_pose_point(to, corner), wf_pose_point(from, corner));
        most = fmax(most, wf_length(moved));
    }
    return most;
}

// m/s, by its motion, its turn and its change of shape together
static double speed_of(const WeftState* state, int body, double dt) {
    double way = travel(state, body);
    if (wf_body_deforms(state, body)) way += shape_travel(state, body);
    return way / dt;
}

bool wf_body_jumps(const WeftState* state, int body, double dt) {
    return speed_of(state, body, dt) > WF_JUMP_SPEED;
}

double wf_fastest_body(const WeftState* state, double dt) {
    double fastest = 0;
    for (int i = 0; i < state->model->body_count; i++) {
        double speed = wf_body_is_off(state, i) ? 0 : speed_of(state, i, dt);
        if (speed <= WF_JUMP_SPEED) fastest = fmax(fastest, speed);
    }
    return fastest;
}

int wf_place_jumpers(WeftState* state, double dt) {
    int count = 0;
    for (int i = 0; i < state->model->body_count; i++) {
        if (!wf_body_jumps(state, i, dt)) continue;
        WfPose old = *wf_state_pose(state, i, false);
        wf_end_body(state, i);
        wf_place_carried(state, i, &old);
        wf_forget_lists(&state->world);
        wf_look_again(state);
        count++;
    }
    return count;
}

// Whether what is at x, in its frame, may come near a body by a way; of boxes and meshes, whether
// it may come near a ball around them.
static bool may_meet(const WfBody* body, WfVec x, double way) {
    WfVec normal;
    double far =
        body->exact ? wf_body_local_distance(body, x, &normal) : wf_length(x) - body->reach;
    return far < way + NEAR;
}

// How far cloth that comes near a body (at `edges`: that touches something near a sharp edge of it)
// goes in a step at most, as the body sees it.
static double passing(const WeftState* state, int body, double dt, bool edges) {
    const WfBody* of = &state->model->bodies[body];
    const WfPose *from = wf_state_pose(state, body, false), *to = wf_state_pose(state, body, true);
    const double* shape = wf_state_shape(state, body, false);
    if (!shape) shape = of->positions;
    double most = 0;
    for (int i = 0; i < state->model->system.vertex_count; i++) {
        WfVec x = wf_load(state->x, i), ahead = wf_madd(x, dt, wf_load(state->v, i));
        WfVec a = wf_pose_local(from, x), b = wf_pose_local(to, ahead);
        double way = wf_length(wf_sub(b, a));
        if (way <= most) continue;
        bool counts = edges ? wf_is_loaded(state->loads + 4 * (long)i) &&
                                  wf_is_near_sharp_edge(of, shape, a, way + state->model->mean_edge)
                            : may_meet(of, a, way);
        if (counts) most = way;
    }
    return most;
}

// How far cloth may pass by a body in a substep, m: around a post, half of its radius, or it would
// hook behind; over corners, a part of an edge, but of what deforms: how cloth slides over the
// edges of its soles and armpits nobody knows. What is crossed is pulled apart in every part, and
// needs no more of them.
static double passing_limit(const WeftState* state, int index) {
    const WfBody* body = &state->model->bodies[index];
    double edge = state->model->mean_edge;
    if (wf_is_round(body) && body->radius <= SLENDER * edge)
        return fmax(body->radius / 2, LEAST_WAY);
    if (body->sharp_count == 0 || state->tangle[0] > 0) return HUGE_VAL;
    if (wf_body_deforms(state, index)) return HUGE_VAL;
    return fmax(CORNER * edge, LEAST_SLIDE);
}

static int passing_parts(const WeftState* state, const WeftStepDef* def) {
    const WeftModel* m = state->model;
    int parts = 1;
    for (int i = 0; i < wf_touched_bodies(m); i++) {
        double limit = passing_limit(state, i);
        if (limit == HUGE_VAL || wf_body_is_off(state, i) || wf_body_jumps(state, i, def->dt))
            continue;
        double way = passing(state, i, def->dt, !m->bodies[i].exact) / def->substeps;
        while (parts < MOST_PASSING && way > parts * limit) parts *= 2;
    }
    return parts;
}

// rad, about; a sphere turns into itself
static double turn_of(const WfBody* body, const WfPose* from, const WfPose* to) {
    double way, turned;
    wf_pose_travel(from, to, &way, &turned);
    return body->kind == WEFT_BODY_SPHERE ? 0 : turned;
}

static void vertex_way(const WeftState* state, int body, int i, double way[2][3]) {
    for (int end = 0; end < 2; end++) {
        WfVec local = wf_load(wf_state_shape(state, body, end), i);
        wf_store(way[end], 0, wf_pose_point(wf_state_pose(state, body, end), local));
    }
}

// How far what is near the cloth goes, of a mesh that deforms. How thick its limbs are nobody
// knows: it is taken as cloth that flies at cloth (closing.c).
static double deforming_way(const WeftState* state, int body, const Range* cloth) {
    double most = 0;
    for (int i = 0; i < state->model->bodies[body].vertex_count; i++) {
        double way[2][3];
        Range range = EMPTY;
        vertex_way(state, body, i, way);
        double far = wf_length(wf_sub(wf_load(way[1], 0), wf_load(way[0], 0)));
        if (far <= most) continue;
        for (int end = 0; end < 2; end++) widen(&range, way[end], NEAR);
        if (ranges_meet(&range, cloth)) most = far;
    }
    return most;
}

static int deforming_parts(const WeftState* state, const WeftStepDef* def) {
    const WeftModel* m = state->model;
    double limit = fmax(MOST_EDGES * m->mean_edge, LEAST_DEFORMING) * def->substeps;
    int parts = 1;
    for (int i = 0; i < wf_touched_bodies(m); i++) {
        if (!wf_body_deforms(state, i) || wf_body_is_off(state, i)) continue;
        if (wf_body_jumps(state, i, def->dt)) continue;
        Range cloth = cloth_range(state, def->dt);
        double way = deforming_way(state, i, &cloth);
        while (parts < MOST_PARTS && way > parts * limit) parts *= 2;
    }
    return parts;
}

int wf_contact_parts(const WeftState* state, const WeftStepDef* def) {
    const WeftModel* m = state->model;
    Range cloth = EMPTY;
    bool measured = false;
    if (!wf_model_touches(m)) return 1;
    int parts = passing_parts(state, def), by_shapes = deforming_parts(state, def);
    if (by_shapes > parts) parts = by_shapes;
    for (int i = 0; i < wf_touched_bodies(m); i++) {
        const WfBody* body = &m->bodies[i];
        const WfPose *from = wf_state_pose(state, i, false), *to = wf_state_pose(state, i, true);
        double limit = fmax(body->least_size, LEAST_WAY);
        double way = travel(state, i) / def->substeps;
        if (!(way > limit) || wf_body_is_off(state, i)) continue;
        if (wf_body_jumps(state, i, def->dt)) continue;
        Range range = EMPTY;
        widen(&range, from->position, body->reach + NEAR);
        widen(&range, to->position, body->reach + NEAR);
        if (!measured) cloth = cloth_range(state, def->dt);
        measured = true;
        if (!ranges_meet(&range, &cloth)) continue;
        // cloth that goes along is not met
        way = fmin(way, passing(state, i, def->dt, false) / def->substeps);
        if (!(way > limit)) continue;
        while (parts < MOST_PARTS && way > parts * limit) parts *= 2;
        double turn = turn_of(body, from, to) / def->substeps;
        while (parts < MOST_TURNS && turn > parts * MOST_TURN && way > parts * limit) parts *= 2;
    }
    return parts;
}
