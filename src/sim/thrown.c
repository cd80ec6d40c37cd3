// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth that a body has thrown. A ball that is moved by half a metre in a step and stands still in
// the next one leaves cloth behind that flies at 50 m/s, 0.8 m in a step: all of it may meet all of
// it, and what the pins then hold back is torn. Air would stop such cloth within a step. So no
// vertex of a piece that touches something begins a step faster, beside the motion of its piece,
// than THROWN and four times the fastest body or skin of this step.
//
// The bodies of the step to come count: those that go on need cloth that gets out of their way, and
// it does so faster than they come. (With 10 m/s whatever bodies do, a capsule that flies through a
// curtain at 20 m/s stretched it 60 times; with its speed on top, 2.4 instead of 1.8 times.)

#include <math.h>
#include <string.h>

#include "sim/contact.h"
#include "sim/skin.h"

static const double THROWN = 10;    // m/s, while bodies stand still
static const double GIVES_WAY = 4;  // of the speed of bodies

bool wf_is_fast(const WeftState* state, double speed) {
    bool fast = false;
    for (int i = 0; i < state->model->system.vertex_count && !fast; i++) {
        WfVec v = wf_load(state->v, i);
        fast = wf_dot(v, v) > speed * speed;
    }
    return fast;
}

// The velocities of the pieces, and which of them touch something.
static void find_pieces(WeftState* state, WfFrame* frames, double* touches) {
    const WeftModel* m = state->model;
    int n = m->system.vertex_count;
    double* zero = state->scratch->work.direction;
    memset(zero, 0, 3 * (size_t)n * sizeof *zero);
    WfPlane directions = m->system.mirror;
    directions.point = (WfVec){0, 0, 0};  // of velocities
    wf_find_frames(&m->surface, &directions, zero, state->v, m->system.masses, state->pinned,
                   frames);
    memset(touches, 0, (size_t)n * sizeof *touches);
    for (int i = 0; i < n; i++)
        if (wf_is_loaded(state->loads + 4 * (long)i)) touches[m->surface.piece[i]] = 1;
}

bool wf_slow_thrown(WeftState* state, double dt) {
    const int* piece = state->model->surface.piece;
    WfFrame* frames = state->world.zones.frames;
    double* touches = state->world.nearest;
    double fastest = fmax(wf_fastest_body(state, dt), wf_fastest_skin(state, dt));
    double limit = THROWN + GIVES_WAY * fastest;
    bool slowed = false;
    if (!wf_is_fast(state, limit / 2)) return false;  // no two differ by more than the limit
    find_pieces(state, frames, touches);
    for (int i = 0; i < state->model->system.vertex_count; i++) {
        if (state->pinned[i] || touches[piece[i]] == 0) continue;
        WfVec carried = wf_load(frames[piece[i]].to.position, 0),
              own = wf_sub(wf_load(state->v, i), carried);
        double speed = wf_length(own);
        if (speed <= limit) continue;
        wf_set_velocity(state, i, wf_madd(carried, limit / speed, own));
        slowed = true;
    }
    return slowed;
}
