// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the last defence may not give. Impulses move a few vertices and stretch the edges around
// them; what these pull back is motion that nobody has paid for, and where impacts go on, it grows.
// (A rope in a sheet, by single solves, had 0.7 J when they met at 10 m/s, and 10 J a second
// later.)
//
// So where the last defence has moved a group of pieces that touches cloth only, the group ends the
// substep with no more kinetic energy about its mean velocity than it began with. Gravity does not
// change that energy, nor does a hit raise it; what springs would add in such a substep is lost.
// Groups on bodies or pins get work from these, and are left alone.
//
// Nor may a solve that took the place of a refused iterate (method/prefactored.c). It stops what is
// hit within a substep, and by BDF2 that would rebound: v, -v/2, -v, -7/6 v. (A rope that fell on
// its end at 4 m/s left the floor at 3 m/s, and was at 4.4 m/s two steps later.) So the past of a
// group that touches something ends there, as that of a vertex does that is hit.

#include <math.h>
#include <string.h>

#include "base/links.h"
#include "respond/layers.h"
#include "sim/contact.h"

// Mean velocities, and energies about them.
static void measure(WeftState* state, int when) {
    const WfSystem* s = &state->model->system;
    WfGain* gains = state->gains;
    for (int i = 0; i < s->vertex_count; i++)
        if (state->gain_group[i] == i) gains[i].velocity = (WfVec){0, 0, 0};
    for (int i = 0; i < s->vertex_count; i++) {
        WfGain* group = &gains[state->gain_group[i]];
        double part = s->masses[i] / group->mass;
        group->velocity = wf_madd(group->velocity, part, wf_load(state->v, i));
    }
    // what is one with its image in a mirror moves along it
    for (int k = 0; k < s->mirror.count; k++) {
        WfGain* group = &gains[state->gain_group[s->mirror.rows[k]]];
        group->velocity = wf_plane_flatten(&s->mirror, group->velocity);
    }
    for (int i = 0; i < s->vertex_count; i++) {
        WfGain* group = &gains[state->gain_group[i]];
        WfVec own = wf_sub(wf_load(state->v, i), group->velocity);
        group->energy[when] += s->masses[i] / 2 * wf_dot(own, own);
    }
}

// Groups that something other than cloth holds, or whose crossings are being pulled apart.
static void find_held(WeftState* state) {
    const WfContacts* contacts = &state->world.contacts;
    for (int k = 0; k < contacts->count; k++) {
        const WfContact* c = &contacts->all[k];
        WfGain* group = &state->gains[state->gain_group[c->vertices[0]]];
        bool holds = c->soft || (wf_contact_side(c) != 0 && wf_dot(c->force, c->normal) > 0);
        group->held = group->held || holds;
        group->touches = true;
    }
    for (int i = 0; i < state->pin_count; i++)
        state->gains[state->gain_group[state->scratch->pins[i]]].held = true;
    for (int t = 0; t < state->ties.count; t++) {
        const WfTie* tie = &state->ties.all[t];
        if (tie->holds) state->gains[state->gain_group[tie->vertices[0]]].held = true;
    }
}

bool wf_gain_begin(WeftState* state, const WfStep* step) {
    const WfSystem* s = step->system;
    const unsigned char* moved = state->world.moved;
    WfGain* gains = state->gains;
    if (!step->world) return false;
    if (!step->work->refused && !memchr(moved, 1, (size_t)s->vertex_count)) return false;
    for (int i = 0; i < s->vertex_count; i++) {
        state->gain_group[i] = wf_first_linked(step->touch_work->links, i);
        if (state->gain_group[i] == i) gains[i] = (WfGain){0};
    }
    for (int i = 0; i < s->vertex_count; i++) {
        WfGain* group = &gains[state->gain_group[i]];
        group->mass += s->masses[i];
        group->moved = group->moved || moved[i];
    }
    find_held(state);
    measure(state, 0);
    return true;
}

// As if all had always moved as in this substep. Where the past has ended, x(n-1) is where that
// would have begun.
static void end_past(WeftState* state, const WfStep* step) {
    const WfGain* gains = state->gains;
    for (int i = 0; i < step->system->vertex_count; i++) {
        if (!gains[state->gain_group[i]].touches || state->pinned[i]) continue;
        WfVec way = wf_sub(wf_load(state->x, i), wf_load(state->x1, i));
        wf_set_velocity(state, i, wf_mul(1 / step->motion.h, way));
    }
}

void wf_gain_end(WeftState* state, const WfStep* step) {
    WfGain* gains = state->gains;
    if (step->work->refused) end_past(state, step);
    measure(state, 1);
    for (int i = 0; i < step->system->vertex_count; i++) {
        const WfGain* group = &gains[state->gain_group[i]];
        if (!group->moved || group->held || group->energy[1] <= group->energy[0]) continue;
        double part = sqrt(group->energy[0] / group->energy[1]);
        WfVec own = wf_sub(wf_load(state->v, i), group->velocity);
        wf_set_velocity(state, i, wf_madd(group->velocity, part, own));
    }
}
