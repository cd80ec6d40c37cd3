// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bodies of a state: where they are, where they shall be at the end of the next step.

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "sim/carry.h"
#include "sim/contact.h"
#include "sim/rest.h"

_Static_assert(sizeof(WfPose) == 7 * sizeof(double), "frames are kept as seven doubles");

static const WfBody* body_of(const WeftState* state, int body) {
    assert(body >= 0 && body < state->model->body_count);
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

static WfPose make_pose(const double position[3], const double rotation[4]) {
    WfPose pose;
    memcpy(pose.position, position, sizeof pose.position);
    memcpy(pose.rotation, rotation, sizeof pose.rotation);
    return wf_pose_between(&pose, &pose, 0);  // a rotation of length 1
}

void weft_move_body(WeftState* state, int body, const double position[3],
                    const double rotation[4]) {
    body_of(state, body);
    *wf_state_pose(state, body, true) = make_pose(position, rotation);
}

void weft_place_body(WeftState* state, int body, const double position[3],
                     const double rotation[4]) {
    body_of(state, body);
    for (int end = 0; end < 2; end++)
        *wf_state_pose(state, body, end) = make_pose(position, rotation);
    wf_place_carried(state, body);
    state->world.listed = false;
    if (state->tangle) state->tangle[0] = -1;
    wf_wake(state);
}

void weft_deform_body(WeftState* state, int body, const double* positions) {
    const WfBody* of = body_of(state, body);
    assert(of->kind == WEFT_BODY_MESH);
    memcpy(wf_state_shape(state, body, true), positions,
           3 * (size_t)of->vertex_count * sizeof(double));
}

static bool are_numbers(const double* values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

WeftResult wf_check_bodies(const WeftState* state, WeftError* error) {
    for (int i = 0; i < state->model->body_count; i++) {
        const double* shape = wf_state_shape(state, i, true);
        size_t count = 3 * (size_t)state->model->bodies[i].vertex_count;
        if (!are_numbers(state->poses + 14 * (size_t)i, 14) ||
            (shape && !are_numbers(shape, count)))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "body %d: where it shall be at the end of the step is not a number", i);
    }
    return WEFT_OK;
}

int weft_body_count(const WeftModel* model) { return model->body_count; }

int weft_body_vertex_count(const WeftModel* model, int body) {
    assert(body >= 0 && body < model->body_count);
    return model->bodies[body].vertex_count;
}

int weft_body_triangle_count(const WeftModel* model, int body) {
    assert(body >= 0 && body < model->body_count);
    return model->bodies[body].surface.triangle_count;
}

const int* weft_body_triangles(const WeftModel* model, int body) {
    assert(body >= 0 && body < model->body_count);
    return model->bodies[body].surface.triangles;
}

void weft_copy_body(const WeftModel* model, const WeftState* state, int body, double* positions) {
    assert(state->model == model);
    (void)model;
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

// How far points of a body move at most.
static double travel(const WfBody* body, const WfPose* from, const WfPose* to) {
    WfVec way = wf_sub(wf_load(to->position, 0), wf_load(from->position, 0));
    double dot = 0;
    for (int k = 0; k < 4; k++) dot += from->rotation[k] * to->rotation[k];
    // `dot` is the cosine of half the angle, and a chord is twice the sine of it
    double turned = 2 * sqrt(fmax(0, 1 - dot * dot));
    double reach = body->kind == WEFT_BODY_SPHERE ? 0 : body->reach;  // a sphere turns into itself
    return wf_length(way) + (turned > 0 ? turned * reach : 0);
}

enum { MOST_PARTS = 16 };
static const double LEAST_WAY = 0.01;  // m, of no consequence for any body
static const double NEAR = 0.01;       // m, beyond the ways of cloth and body

int wf_contact_parts(const WeftState* state, const WeftStepDef* def) {
    const WeftModel* m = state->model;
    Range cloth = EMPTY;
    bool measured = false;
    int parts = 1;
    if (!wf_model_touches(m)) return parts;
    for (int i = 0; i < m->body_count; i++) {
        const WfBody* body = &m->bodies[i];
        const WfPose *from = wf_state_pose(state, i, false), *to = wf_state_pose(state, i, true);
        double limit = fmax(body->least_size / 2, LEAST_WAY);
        double way = travel(body, from, to) / def->substeps;
        if (!(way > limit)) continue;
        Range range = EMPTY;
        widen(&range, from->position, body->reach + NEAR);
        widen(&range, to->position, body->reach + NEAR);
        if (!measured) cloth = cloth_range(state, def->dt);
        measured = true;
        if (!ranges_meet(&range, &cloth)) continue;
        while (parts < MOST_PARTS && way > parts * limit) parts *= 2;
    }
    return parts;
}
