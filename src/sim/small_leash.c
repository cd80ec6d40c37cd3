// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Max distances and backstops in small steps: the balls of leash.c, as projections of one vertex
// each. They come behind contact and the limit and before planes of bodies, so that they are kept
// to rounding wherever no body is in the way.
//
// A vertex that begins the substep outside of its ball is brought back as there, by half of that
// or more in a step. Where it began goes along, so that this is no velocity.

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "sim/leash.h"
#include "sim/small.h"

// What a substep has for all vertices.
typedef struct Substep {
    double dt, h;          // s
    double before, after;  // parts of the step
    double part;           // of what is too far that comes back
    WfVec origin;
} Substep;

// A vertex and its skin in a substep.
typedef struct Kept {
    WfVec from, to;   // of the skin
    WfVec before, x;  // of the vertex
} Kept;

static WfVec place_of(const Substep* now, const WfPoint4* p) {
    WfVec x = {(double)p->x, (double)p->y, (double)p->z};
    return wf_add(now->origin, x);
}

static void put_point(const Substep* now, WfVec x, WfPoint4* p) {
    WfVec seen = wf_sub(x, now->origin);
    p->x = (float)seen.x, p->y = (float)seen.y, p->z = (float)seen.z;
}

// ---------------------------------------------------------------------------------------------
// Max distances

static bool is_beyond(WfVec x, WfVec skin, double distance) {
    WfVec d = wf_sub(x, skin);
    return distance >= 0 && wf_dot(d, d) > distance * distance;
}

static bool keep_leash(const Substep* now, double distance, Kept* k) {
    if (!is_beyond(k->x, k->to, distance)) return false;
    WfVec d = wf_sub(k->x, k->to);
    double start = wf_length(wf_sub(k->before, k->from)), far = wf_length(d);
    double back = fmax(WF_RECOVERY * now->h, now->part * (start - distance));
    double ball = fmax(distance, start - back);
    if (far <= ball) return false;
    k->x = wf_madd(k->to, ball / far, d);
    return true;
}

static bool settle_leash(double distance, Kept* k) {
    if (distance < 0 || !is_beyond(k->before, k->from, distance + WF_KEPT_LEASH)) return false;
    WfVec d = wf_sub(k->x, k->to);
    double start = wf_length(wf_sub(k->before, k->from)), end = wf_length(d);
    double back = start - fmax(end, distance);
    if (!(back > 0 && end > 0)) return false;
    k->before = wf_madd(k->before, -back / end, d);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Backstops

// The way out of the ball for where the vertex is: behind the centre, along the normal; and along
// that, how it moved against the ball and how far it was out of it.
typedef struct Behind {
    WfVec n;
    double moved, gap;  // m
} Behind;

// A skin whose normal turns too fast for a backstop in the step has it at once where it ends.
static bool find_normals(const Substep* now, const WfSkinPoint* skin, WfVec normals[2]) {
    WfVec end = normals[0] = normals[1] = wf_load(skin->normal_to, 0);
    if (memcmp(skin->normal_from, skin->normal_to, sizeof skin->normal_to) == 0)
        return wf_dot(end, end) > 0;
    if (!wf_backstop_normals(skin, 0, 1, now->dt, normals)) return false;
    if (memcmp(&normals[0], &normals[1], sizeof *normals) == 0) return true;
    if (!wf_backstop_normals(skin, now->before, now->after, now->h, normals))
        normals[0] = normals[1] = end;
    return true;
}

static bool is_behind(const Substep* now, const WfSkinPoint* skin, const Kept* k, Behind* behind) {
    WfVec normals[2];
    if (!(skin->radius > 0) || !find_normals(now, skin, normals)) return false;
    WfVec b = wf_sub(k->x, wf_backstop_centre(skin, k->to, normals[1]));
    double far = wf_length(b);
    if (far >= skin->radius) return false;
    WfVec a = wf_sub(k->before, wf_backstop_centre(skin, k->from, normals[0]));
    behind->n = wf_dot(b, normals[1]) > 0 ? wf_mul(1 / far, b) : normals[1];
    behind->moved = wf_dot(behind->n, wf_sub(b, a));
    behind->gap = wf_dot(behind->n, a) - skin->radius;
    return true;
}

static bool keep_backstop(const Substep* now, const WfSkinPoint* skin, Kept* k) {
    Behind behind;
    if (!is_behind(now, skin, k, &behind)) return false;
    double least = fmin(-behind.gap, WF_RECOVERY * now->h);
    if (behind.moved >= least) return false;
    k->x = wf_madd(k->x, least - behind.moved, behind.n);
    return true;
}

static bool settle_backstop(const Substep* now, const WfSkinPoint* skin, Kept* k) {
    Behind behind;
    if (!is_behind(now, skin, k, &behind) || behind.gap >= 0 || behind.moved <= 0) return false;
    k->before = wf_madd(k->before, fmin(behind.moved, -behind.gap), behind.n);
    return true;
}

// ---------------------------------------------------------------------------------------------
// A substep

static Substep substep_of(const WeftState* state, const WfStep* step, int index) {
    double n = step->def->substeps;
    return (Substep){.dt = step->def->dt,
                     .h = step->motion.h,
                     .before = index / n,
                     .after = (index + 1) / n,
                     .part = 1 / (1 + n),
                     .origin = wf_load(state->scratch->small.origin, 0)};
}

static Kept kept_of(const WeftState* state, const Substep* now, int i) {
    return (Kept){.from = wf_load(state->skin_from, i),
                  .to = wf_load(state->skin_to, i),
                  .before = place_of(now, &state->scratch->small.before[i]),
                  .x = place_of(now, &state->scratch->small.x[i])};
}

// Returns how many were brought.
static int keep(WeftState* state, const Substep* now, int cloth) {
    const WfSkinned* s = &state->model->skinned;
    double scale = state->skin_scales[cloth].distance;
    int count = 0;
    for (int k = s->first[cloth]; k < s->first[cloth + 1]; k++) {
        const WfSkinPoint* skin = &state->skins[k];
        WfPoint4* x = &state->scratch->small.x[s->rows[k]];
        Kept kept = kept_of(state, now, s->rows[k]);
        bool moved = x->w > 0 && keep_leash(now, skin->distance * scale, &kept);
        if (x->w > 0 && keep_backstop(now, skin, &kept)) moved = true;
        if (moved) put_point(now, kept.x, x);
        count += moved;
    }
    return count;
}

static void settle(WeftState* state, const Substep* now, int cloth) {
    const WfSkinned* s = &state->model->skinned;
    double scale = state->skin_scales[cloth].distance;
    for (int k = s->first[cloth]; k < s->first[cloth + 1]; k++) {
        const WfSkinPoint* skin = &state->skins[k];
        Kept kept = kept_of(state, now, s->rows[k]);
        bool free = state->scratch->small.x[s->rows[k]].w > 0;
        bool moved = free && settle_leash(skin->distance * scale, &kept);
        if (free && settle_backstop(now, skin, &kept)) moved = true;
        if (moved) put_point(now, kept.before, &state->scratch->small.before[s->rows[k]]);
    }
}

void wf_keep_leashes(WeftState* state, const WfStep* step, int index) {
    Substep now = substep_of(state, step, index);
    state->report.leashes = 0;
    for (int c = 0; c < state->model->cloth_count && state->skins; c++)
        state->report.leashes += keep(state, &now, c);
}

void wf_settle_leashes(WeftState* state, const WfStep* step, int index) {
    Substep now = substep_of(state, step, index);
    for (int c = 0; c < state->model->cloth_count && state->skins; c++) settle(state, &now, c);
}
