// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pairs of features that would meet: stopped by impulses, or by zones that take them in.

#include <math.h>

#include "base/parallel.h"
#include "contact/defender.h"
#include "contact/impact.h"

static const double HOVER = 0.8;    // of the distance at the start may always be kept
static const double LIES = 0.8;     // of the thickness
static const double PASSED = 0.01;  // of what must be kept: nearer than this, it was not held

// False where the zone is torn: then the pair cannot be stopped.
static bool join_feature(WfDefender* d, const WfFeature* f, double t, int mover) {
    WfWorld* w = d->world;
    int first = -1;
    for (int k = 0; k < 4; k++) {
        int i = f->vertices[k];
        if (i < 0) continue;
        wf_defender_enters(d, i);
        if (first >= 0) wf_zones_join(&w->zones, first, i);
        first = i;
    }
    for (int k = 0; k < 4; k++)
        if (f->vertices[k] >= 0 && w->pinned[f->vertices[k]])
            wf_zones_carry_by_pin(&w->zones, f->vertices[k]);
    wf_zones_slow(&w->zones, first, t, d->stops);
    if (mover >= 0) wf_zones_carry(&w->zones, first, mover);
    return !wf_zones_is_torn(&w->zones, first);
}

// The vertices of a pair that can be moved are looked at again in the next pass. Returns how many.
static int mark_free(WfDefender* d, const WfFeature* f) {
    int count = 0;
    for (int k = 0; k < 4; k++) {
        int i = f->vertices[k];
        if (i < 0 || d->world->pinned[i]) continue;
        d->world->dirty[i] = d->pass;
        count++;
    }
    return count;
}

// Push the pair apart along the normal where it would have met.
static void push(WfDefender* d, const WfFeature* f, const WfClosest* c, double target, int mover) {
    WfWorld* w = d->world;
    WfImpulse impulse = {
        .normal = c->normal, .target = target + wf_taper_at(f, c), .by = mover + 1};
    for (int k = 0; k < 4; k++) {
        int i = f->vertices[k];
        if (i < 0 || w->pinned[i]) {
            impulse.target -= c->weights[k] * wf_dot(c->normal, f->x1[k]);
        } else if (c->weights[k] != 0) {
            impulse.vertices[impulse.count] = i;
            impulse.weights[impulse.count++] = c->weights[k];
        }
    }
    wf_add_impulse(&w->impulses, &impulse, w->masses);
}

// Is there anything new about these vertices of a side?
static bool is_due(const WfDefender* d, const WfSide* side, const int* vertices, int count) {
    bool due = false;
    for (int k = 0; k < count && side->cloth && !due; k++)
        due = d->world->dirty[vertices[k]] >= d->pass - 1;
    return due;
}

// Do the ways of both features come within `keep` along an axis? x: of all points, at the start
// and at the end; the first `split` are of the first feature.
static bool ranges_meet(const double x[8], int split, double keep) {
    double low[2] = {x[0], x[2 * split]}, high[2] = {x[0], x[2 * split]};
    for (int k = 0; k < 8; k++) {
        int side = k >= 2 * split;
        low[side] = x[k] < low[side] ? x[k] : low[side];
        high[side] = x[k] > high[side] ? x[k] : high[side];
    }
    return low[0] - high[1] <= keep && low[1] - high[0] <= keep;
}

// As seen by the first point.
bool wf_boxes_meet(const WfFeature* f) {
    double keep = f->core + fmax(f->taper, 0) + WF_KEPT * f->thickness;
    double x[8], y[8], z[8];
    WfVec frame = wf_sub(f->x1[0], f->x0[0]);
    for (int k = 0; k < 8; k++) {
        WfVec p = k % 2 ? wf_sub(f->x1[k / 2], frame) : f->x0[k / 2];
        x[k] = p.x;
        y[k] = p.y;
        z[k] = p.z;
    }
    int split = f->edges ? 2 : 1;
    return ranges_meet(x, split, keep) && ranges_meet(y, split, keep) &&
           ranges_meet(z, split, keep);
}

// Where the pair meets and when: false where it does not. `keep` is the distance to keep.
static bool meets(WfDefender* d, const WfFeature* f, double keep, WfClosest* met, double* t) {
    *t = wf_impact(f, keep, WF_CLOSE * (keep - f->core), &d->looks);
    if (*t > 1) return false;
    WfVec x[4];
    for (int k = 0; k < 4; k++) x[k] = wf_madd(f->x0[k], *t, wf_sub(f->x1[k], f->x0[k]));
    *met = wf_closest(f, x);
    return true;
}

// How far the cloth of a pair moves at most, as its body sees it.
static double travel(const WfFeature* f) {
    WfVec way = wf_sub(f->x1[0], f->x0[0]);  // bodies come first
    double most = 0;
    for (int k = 0; k < 4; k++)
        if (f->vertices[k] >= 0)
            most = fmax(most, wf_length(wf_sub(wf_sub(f->x1[k], f->x0[k]), way)));
    return most;
}

// A round body cannot be passed through by less than its radius: it is enough to be outside at the
// end, and cloth that slides around it may cut the corner.
static bool meets_round(WfDefender* d, const WfFeature* f, double start, double* keep,
                        WfClosest* met, double* t) {
    if (start <= f->core) return false;  // inside from the start
    *keep = f->core + fmin(WF_KEPT * f->thickness, (start - f->core) / 2);
    if (travel(f) > f->core + fmin(f->taper, 0)) return meets(d, f, *keep, met, t);
    *met = wf_closest(f, f->x1);
    *t = WF_HALF_WAY;
    return met->distance < *keep;
}

// How far a pair is pushed apart: cloth over a round body off to where it lies, or it would hang on
// it, by edges that are met again in every step (soft cloth stretched 4.6 times instead of 3.5).
static double target_of(const WfFeature* f, double keep) {
    return f->core > 0 ? f->core + LIES * f->thickness : 2 * keep;
}

// Whether the pair passes, and does not only come nearer than it should.
static bool passes(const WfFeature* f, double keep) {
    double least = PASSED * keep;
    long looks = WF_MOST_LOOKS;
    return f->core > 0 || wf_impact(f, least, WF_CLOSE * least, &looks) <= 1;
}

// Whether all that can move of it goes by the flow around bodies.
static bool is_settled(const WfDefender* d, const WfFeature* f) {
    bool settled = true;
    for (int k = 0; k < 4; k++) {
        int i = f->vertices[k];
        settled = settled && (i < 0 || d->world->pinned[i] || d->world->zones.settled[i]);
    }
    return settled;
}

void wf_stop(WfDefender* d, WfFeature* f, int mover) {
    double keep = f->core + WF_KEPT * f->thickness, t = 0;
    if (wf_is_tangled(d->world, f)) return;
    WfClosest start = wf_closest(f, f->x0), met;
    if (!(start.distance > 0)) return;  // touched from the start: nobody knows the sides
    if (f->core == 0) keep = fmin(keep, HOVER * start.distance);  // or what hovers there would hit
    bool hit = f->core > 0 ? meets_round(d, f, start.distance, &keep, &met, &t)
                           : meets(d, f, keep, &met, &t);
    if (!hit) return;
    if (d->looks_only) {
        d->hits++;
        return;
    }
    if (!(met.distance > 0)) met = start;
    if (mark_free(d, f) == 0) {  // all of it goes where it is told to
        if (d->pass == 0) d->result.left += passes(f, keep);
        return;
    }
    if (d->counts) {
        d->result.left += passes(f, keep);
        return;
    }
    bool pushed = d->stage == IMPULSES || is_settled(d, f);
    if (!pushed && !join_feature(d, f, t, mover)) {
        d->torn += passes(f, keep);
        return;
    }
    d->hits++;
    d->keep = fmin(d->keep, keep - f->core);
    if (pushed) push(d, f, &met, fmin(target_of(f, keep), start.distance), mover);
}

static bool pair_is_due(const WfDefender* d, const WfSides* s, WfPairKind kind, WfPair pair) {
    if (d->pass == 0) return true;
    const WfSurface *a = s->first.surface, *b = s->second.surface;
    if (kind == WF_EDGES)
        return is_due(d, &s->first, a->edges + 2 * (long)pair.a, 2) ||
               is_due(d, &s->second, b->edges + 2 * (long)pair.b, 2);
    if (kind == WF_POINTS)
        return is_due(d, &s->first, &pair.a, 1) ||
               is_due(d, &s->second, b->triangles + 3 * (long)pair.b, 3);
    return is_due(d, &s->first, a->triangles + 3 * (long)pair.a, 3) ||
           is_due(d, &s->second, &pair.b, 1);
}

// Which pairs of a list are due.
typedef struct Due {
    const WfDefender* defender;
    const WfSides* sides;
    WfPairKind kind;
    const WfPairList* list;
    unsigned char* flags;
} Due;

static void flag_due(void* context, int first, int end) {
    const Due* due = context;
    for (int k = first; k < end; k++)
        due->flags[k] = pair_is_due(due->defender, due->sides, due->kind, due->list->pairs[k]);
}

// Of one who only looks: whether something meets.
static bool is_told(const WfDefender* d) { return d->looks_only && d->hits > 0; }

static void stop_list(WfDefender* d, WfPairs* pairs, const WfSides* sides, WfPairKind kind,
                      int mover) {
    const WfPairList* list = wf_list_of(pairs, kind);
    if (is_told(d) || !wf_pairs_reserve_flags(pairs, list->count)) return;
    WfWorld* w = d->world;
    Due due = {d, sides, kind, list, pairs->flags};
    WfSift sift = wf_sift_of(w, WF_FOR_DEFENCE, mover >= 0 ? &w->movers[mover] : NULL);
    wf_parallel_items(w->jobs, list->count, flag_due, &due);
    wf_sift_flags(&sift, w->jobs, kind, list, pairs->flags);
    const WfPairList* near = wf_pairs_pick(pairs, list);
    for (int k = 0; k < near->count && !is_told(d); k++) {
        w->pairs_near++;
        WfFeature f = wf_feature(sides, kind, near->pairs[k]);
        wf_stop(d, &f, mover);
    }
}

void wf_stop_pairs(WfDefender* d, WfPairs* pairs, const WfSides* sides, int mover) {
    for (WfPairKind kind = WF_POINTS; kind <= WF_EDGES; kind++)
        stop_list(d, pairs, sides, kind, mover);
}
