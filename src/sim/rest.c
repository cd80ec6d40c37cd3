// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/rest.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

static const double QUIET = 0.5;  // s, slow for so long: asleep
enum { LEAST_STEPS = 10 };        // and for so many steps, however long they are

// What state->rest holds: the time of quiet, and all of a step's settings that change forces. Not
// dt and quality, which may differ from step to step; what they change of the stiffness is small.
enum {
    QUIET_TIME,
    GRAVITY,
    WIND = GRAVITY + 3,
    AIR = WIND + 3,
    METHOD,
    TOLERANCE,
    REST_COUNT,
};
_Static_assert((int)REST_COUNT == (int)WF_REST_COUNT, "the state has room for all of it");

static bool pins_move(const WeftState* state) {
    for (int i = 0; i < state->pin_count; i++) {
        WfVec way = wf_sub(wf_load(state->pin_to, i), wf_load(state->pin_from, i));
        if (wf_dot(way, way) > 0) return true;
    }
    return false;
}

static bool body_moves(const WeftState* state, int body) {
    const WfPose *from = wf_state_pose(state, body, false), *to = wf_state_pose(state, body, true);
    return memcmp(from, to, sizeof *from) != 0 || wf_body_deforms(state, body);
}

// Whether the step has the same forces as the last one; they are kept for the next.
static bool same_forces(WeftState* state, const WeftStepDef* def) {
    double forces[REST_COUNT] = {[AIR] = def->air_density,
                                 [METHOD] = (double)def->method,
                                 [TOLERANCE] = def->stretch_tolerance};
    memcpy(forces + GRAVITY, def->gravity, sizeof def->gravity);
    memcpy(forces + WIND, def->wind, sizeof def->wind);
    size_t bytes = (REST_COUNT - GRAVITY) * sizeof(double);
    bool same = memcmp(state->rest + GRAVITY, forces + GRAVITY, bytes) == 0;
    memcpy(state->rest + GRAVITY, forces + GRAVITY, bytes);
    return same;
}

void wf_rest_begin(WeftState* state, const WeftStepDef* def) {
    state->still = false;
    if (!state->rest) return;
    bool still = same_forces(state, def) && !pins_move(state);
    for (int i = 0; i < state->model->body_count && still; i++) still = !body_moves(state, i);
    state->still = still;
    if (!still) state->rest[QUIET_TIME] = 0;
}

bool wf_rest_sleeps(const WeftState* state, const WeftStepDef* def) {
    return state->still && def->rest_speed > 0 && state->rest[QUIET_TIME] >= QUIET;
}

// What the last defence holds by force, and what was slowed or could not be stopped, would go on.
static bool is_held(const WeftStepReport* report) {
    return report->zones > 0 || report->slowed || report->thrown || report->unstopped > 0;
}

void wf_rest_end(WeftState* state, const WeftStepDef* def) {
    if (!state->rest) return;
    bool slow = state->still && state->report.active_contacts > 0 && wf_method(def)->damps_to_rest;
    slow = slow && !is_held(&state->report);
    for (int i = 0; i < state->model->system.vertex_count && slow; i++) {
        WfVec v = wf_load(state->v, i);
        slow = wf_dot(v, v) < def->rest_speed * def->rest_speed;
    }
    double counts = fmin(def->dt, QUIET / LEAST_STEPS);
    state->rest[QUIET_TIME] = slow ? state->rest[QUIET_TIME] + counts : 0;
}

void wf_wake(WeftState* state) {
    if (state->rest) state->rest[QUIET_TIME] = 0;
}
