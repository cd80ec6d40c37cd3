// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What holds vertices to their skins, as contacts of one vertex without friction. A leash keeps it
// in a ball about the skin, of the radius of its max distance. A backstop keeps it out of another
// one, which lies behind:
//
//          x                       x  the vertex
//      ____|____  surface          s  its skin, with the normal n upwards
//     /    |    \                  behind: from s to the surface, against n
//    (     o     )  radius
//
// Both move with the skin through the substep. Balls are solved as balls (respond/singles.h); a
// backstop is a half-space as of a body: that which touches it below the place ahead, where it
// holds the start too, else below the start.
//
// A vertex that begins outside its ball, because contact pushed it there, its distance got smaller
// or the skin jumped, is brought back by half of that in each substep, and at RECOVERY at least; by
// the solve, which sees what is in the way. That motion is no velocity,
// so that nothing is thrown.

#include <math.h>

#include "sim/contact.h"
#include "sim/leash.h"
#include "sim/skin.h"

static const double COMES_BACK = 0.5;   // of what is too far, in a substep
static const double LEAST_BALL = 1e-7;  // m: smaller ones are points, but for rounding
// rad/s: a backstop whose normal turns faster is placed, and comes at RECOVERY. (Where a skin folds
// over, its normals turn round from one step to the next: a skirt whose backstops followed them was
// stretched 3 times.)
static const double FASTEST_TURN = 40;
// Forces may move a vertex by so much beside the motion that it has, m: as it falls in a substep.
static const double FALL = 10;  // m/s^2

static WfContact* add_contact(WfWorld* w, int i, WfVec carry) {
    WfContact* c = wf_add_contact(&w->contacts);
    if (!c) return NULL;
    c->count = 1;
    c->vertices[0] = i;
    c->weights[0] = 1;
    c->of_skin = true;
    c->carry = carry;
    return c;
}

// How far a vertex is expected to move in the substep, as its skin sees it, m.
static double way_of(const WeftState* state, int i) {
    const WfWorld* w = &state->world;
    WfVec own = wf_sub(wf_load(w->ahead, i), wf_load(w->x, i));
    WfVec skin = wf_sub(wf_load(state->skin_to, i), wf_load(state->skin_from, i));
    return wf_length(wf_sub(own, skin));
}

// From how far on leashes and backstops of a cloth are near. A vertex that hardly moves is pulled
// along by those that do. (By its own motion alone, vertices got up to 2 cm beyond their distances
// where a skin starts at 3 m/s.)
static double reach_in(const WeftState* state, int first, int end) {
    const WfSkinned* s = &state->model->skinned;
    const WfWorld* w = &state->world;
    double most = 0;
    for (int k = first; k < end; k++)
        if (!state->pinned[s->rows[k]]) most = fmax(most, way_of(state, s->rows[k]));
    return 2 * most + FALL * w->h * w->h + w->margin;
}

static void add_leash(WeftState* state, int i, double distance, double reach) {
    WfWorld* w = &state->world;
    WfVec from = wf_load(state->skin_from, i), to = wf_load(state->skin_to, i);
    WfVec x = wf_load(w->x, i), ahead = wf_load(w->ahead, i);
    double start = wf_length(wf_sub(x, from)), end = wf_length(wf_sub(ahead, to));
    if (fmax(start, end) + reach < distance) return;
    WfContact* c = add_contact(w, i, wf_sub(to, from));
    if (!c) return;
    double back = fmax(WF_RECOVERY * w->h, COMES_BACK * (start - distance));
    c->ball = fmax(fmax(distance, start - back), LEAST_BALL);
    c->middle = wf_sub(from, x);
    c->normal = (WfVec){0, 1, 0};
    wf_aim_ball(c, wf_sub(ahead, x));
}

WfVec wf_backstop_centre(const WfSkinPoint* skin, WfVec s, WfVec normal) {
    return wf_madd(s, -(skin->behind + skin->radius), normal);
}

static void add_backstop(WeftState* state, const WfSkinPoint* skin, int i, const WfVec normals[2],
                         double reach) {
    WfWorld* w = &state->world;
    WfVec x = wf_load(w->x, i);
    WfVec before = normals[0];
    WfVec from = wf_backstop_centre(skin, wf_load(state->skin_from, i), before);
    WfVec to = wf_backstop_centre(skin, wf_load(state->skin_to, i), normals[1]);
    WfVec a = wf_sub(x, from), b = wf_sub(wf_load(w->ahead, i), to);
    double end = wf_length(b);
    if (end - skin->radius > reach + wf_length(wf_sub(b, a))) return;
    // inside, beyond the centre: out along the normal of the skin
    WfVec n = wf_dot(b, normals[1]) > 0 ? wf_mul(1 / end, b) : normals[1];
    double gap = wf_dot(n, a) - skin->radius;
    if (gap < -WF_RECOVERY * w->h / 2 && wf_dot(a, before) > 0) {
        n = wf_unit(a);
        gap = wf_length(a) - skin->radius;
    }
    WfContact* c = add_contact(w, i, wf_sub(to, from));
    if (!c) return;
    c->normal = n;
    c->gap = fmax(gap, -WF_RECOVERY * w->h);
}

bool wf_backstop_normals(const WfSkinPoint* skin, double before, double after, double h,
                         WfVec normals[2]) {
    WfVec from = wf_load(skin->normal_from, 0), turn = wf_sub(wf_load(skin->normal_to, 0), from);
    normals[0] = wf_unit(wf_madd(from, before, turn));
    normals[1] = wf_unit(wf_madd(from, after, turn));
    if (!(wf_dot(normals[0], normals[0]) > 0 && wf_dot(normals[1], normals[1]) > 0)) return false;
    if (wf_length(wf_sub(normals[1], normals[0])) > FASTEST_TURN * h) normals[0] = normals[1];
    return true;
}

static void find_leashes(WeftState* state, int cloth, double before, double after) {
    const WfSkinned* s = &state->model->skinned;
    int first = s->first[cloth], end = s->first[cloth + 1];
    double reach = reach_in(state, first, end), scale = state->skin_scales[cloth].distance;
    for (int k = first; k < end; k++) {
        const WfSkinPoint* skin = &state->skins[k];
        int i = s->rows[k];
        WfVec normals[2];
        if (state->pinned[i]) continue;
        if (skin->distance >= 0) add_leash(state, i, skin->distance * scale, reach);
        if (skin->radius > 0 && wf_backstop_normals(skin, before, after, state->world.h, normals))
            add_backstop(state, skin, i, normals, reach);
    }
}

void wf_find_leashes(WeftState* state, double before, double after) {
    int others = state->world.contacts.count;
    for (int c = 0; c < state->model->cloth_count && state->skins; c++)
        find_leashes(state, c, before, after);
    state->report.leashes = state->world.contacts.count - others;
}

void wf_report_leashes(WeftState* state) {
    const WfSkinned* s = &state->model->skinned;
    WeftStepReport* report = &state->report;
    for (int c = 0; c < state->model->cloth_count && state->skins; c++)
        for (int k = s->first[c]; k < s->first[c + 1]; k++) {
            const WfSkinPoint* skin = &state->skins[k];
            double most = skin->distance * state->skin_scales[c].distance;
            WfVec way = wf_sub(wf_load(state->x, s->rows[k]), wf_load(skin->to, 0));
            double over = wf_length(way) - most;
            if (skin->distance < 0 || !(over > fmax(WF_KEPT_LEASH, report->over_distance)))
                continue;
            report->over_distance = over;
            report->over_distance_vertex = wf_vertex_of(&state->model->shown, s->rows[k]);
        }
}
