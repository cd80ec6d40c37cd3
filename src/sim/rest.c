// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/rest.h"

#include <string.h>

#include "base/vec.h"

static const double QUIET = 0.5;  // s, slow for so long: asleep

// what state->rest holds
enum { QUIET_TIME, GRAVITY, WIND = GRAVITY + 3, REST_COUNT = WIND + 3 };
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

void wf_rest_begin(WeftState* state, const WeftStepDef* def) {
    state->still = false;
    if (!state->rest) return;
    bool same = memcmp(state->rest + GRAVITY, def->gravity, sizeof def->gravity) == 0 &&
                memcmp(state->rest + WIND, def->wind, sizeof def->wind) == 0;
    memcpy(state->rest + GRAVITY, def->gravity, sizeof def->gravity);
    memcpy(state->rest + WIND, def->wind, sizeof def->wind);
    bool still = same && !pins_move(state);
    for (int i = 0; i < state->model->body_count && still; i++) still = !body_moves(state, i);
    state->still = still;
    if (!still) state->rest[QUIET_TIME] = 0;
}

bool wf_rest_sleeps(const WeftState* state, const WeftStepDef* def) {
    return state->still && def->rest_speed > 0 && state->rest[QUIET_TIME] >= QUIET;
}

void wf_rest_end(WeftState* state, const WeftStepDef* def) {
    if (!state->rest) return;
    bool slow = state->still && state->report.active_contacts > 0 && wf_method(def)->damps_to_rest;
    for (int i = 0; i < state->model->system.vertex_count && slow; i++) {
        WfVec v = wf_load(state->v, i);
        slow = wf_dot(v, v) < def->rest_speed * def->rest_speed;
    }
    state->rest[QUIET_TIME] = slow ? state->rest[QUIET_TIME] + def->dt : 0;
}

void wf_wake(WeftState* state) {
    if (state->rest) state->rest[QUIET_TIME] = 0;
}
