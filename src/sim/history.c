// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The history before a substep. Where none was taken yet (a start, new velocities), BDF2 would
// begin as if there were no acceleration, and keep an error of h a/2 in its speed for good; so the
// acceleration is found by a step of implicit Euler, of length gamma, which has the same matrix.
// After a step of another length, x(n-1) and x(n-2) go on as the motion did in that step, and
// v(n-1) stays (lengths.h).

#include "sim/history.h"

#include <float.h>

#include "base/vec.h"
#include "sim/input.h"
#include "sim/lengths.h"
#include "sim/parts.h"
#include "sim/skin.h"

// b: of the history
void wf_set_weights(double weights[2], bool second, double b) {
    weights[0] = second ? 1 + b : 1;
    weights[1] = second ? -b : 0;
}

// x(n-1), x(n-2) and v(n-1) by velocity and acceleration a (NULL: none), steps of h
static void make_history(WeftState* state, double h, const double* a) {
    long n = 3L * state->model->system.vertex_count;
    for (long i = 0; i < n; i++) {
        double v = state->v[i], ha = a ? h * a[i] : 0;
        state->x1[i] = state->x[i] - h * v + h * ha / 2;
        state->x2[i] = state->x[i] - 2 * h * v + 2 * h * ha;
        state->v1[i] = v - ha;
    }
}

static void stretch_history(WeftState* state, double h) {
    long n = 3L * state->model->system.vertex_count;
    for (long i = 0; i < n; i++) {
        state->x1[i] = state->x[i] - h * (state->v[i] + state->v1[i]) / 2;
        state->x2[i] = state->x[i] - 2 * h * state->v1[i];
    }
}

// iterations of the probe in a step that keeps, or kept, to a budget
enum { PROBE_LIMIT = 4 };

// Where pins are on their way, after `part` of it.
static void place_goals(const WeftState* state, double part, double* goals) {
    for (int k = 0; k < state->pin_count; k++) {
        int i = state->scratch->pins[k];
        WfVec from = wf_load(state->x, i), to = wf_load(state->goal, i);
        wf_store(goals, i, wf_madd(from, part, wf_sub(to, from)));
    }
}

static void probe_acceleration(WeftState* state, WfStep step, double* a) {
    WfMotion* m = &step.motion;
    place_goals(state, m->gamma / m->h, state->scratch->places);
    m->goal = state->scratch->places;
    wf_shorten_skins(state, m->gamma / m->h);
    bool paced = step.def->budget_ms > 0 || step.def->limits[0] > 0;
    WfPace pace = {.limit = paced ? PROBE_LIMIT : 0};
    step.pace = &pace;
    double h = m->h;
    m->h = m->gamma;
    wf_set_weights(m->base_weights, false, 0);
    wf_set_weights(m->drift_weights, false, 0);
    make_history(state, m->h, NULL);
    wf_solve_substep(&step);
    wf_move_skins(state, 0, step.def->substeps, h);
    for (int i = 0; i < m->vertex_count; i++) {
        WfVec moved = wf_sub(wf_load(step.work->x, i), wf_load(m->x, i));
        moved = wf_madd(moved, -m->gamma, wf_load(m->v, i));
        wf_store(a, i, wf_mul(m->pinned[i] ? 0 : 1 / (m->gamma * m->gamma), moved));
    }
}

// Fails where the probe found no acceleration that is a number.
WeftResult wf_ready_history(WeftState* state, const WfStep* step) {
    double old = state->clock[1], h = step->motion.h, *a = state->scratch->work.direction;
    if (old == h) return WEFT_OK;
    if (old > 0) {
        stretch_history(state, h);
    } else if (step->def->order == 2) {
        probe_acceleration(state, *step, a);
        int lost = wf_find_lost(a, step->system->vertex_count, DBL_MAX);
        if (lost >= 0)
            return wf_fail_lost(state, step, lost, state->v, "a first look at the forces");
        make_history(state, h, a);
    } else {
        make_history(state, h, NULL);
    }
    state->clock[1] = h;
    return WEFT_OK;
}
