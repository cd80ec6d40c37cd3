// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Continuous collision over all pairs that were near, from where vertices were to where the solve
// has put them, in passes. Pairs that would meet become impulses (impulse.h), which are applied
// together; the next pass looks at what they have moved. What still meets after some passes goes to
// zones (zone.h), which grow by what they hit and keep less of their own motion every time, hence
// come to an end. Last of all cloth stays where it was; beside bodies that deform, it goes by the
// flow around them (flow.h), pushed by the little that this is short of.
//
// Pairs are searched for along the way that the solve has found. Where impulses take a vertex
// further from that, they are searched for anew, a few times; after that it is held where its pairs
// are known. So the work has a bound, whatever happens.

#include "contact/defend.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/parallel.h"
#include "contact/check.h"
#include "contact/feature.h"
#include "contact/impact.h"
#include "contact/sample.h"

enum { IMPULSE_PASSES = 8, ZONE_PASSES = 12, LAST_PASSES = 3, NEVER = -2 };
enum { MOST_SEARCHES = IMPULSE_PASSES + 1 };
// Per vertex at most: looks at pairs on their way, in all passes, and impulses. A heap takes 15
// looks, a washing machine 40. (A bound on zones as well made cloth stand still where all of it is
// near all of it, for many steps: longer in the end.)
enum { LOOKS = 1000, IMPULSES_EACH = 32, SMALL = 100 };
static const double HOVER = 0.8;    // of the distance at the start may always be kept
static const double LIES = 0.8;     // of the thickness
static const double SLACK = 0.01;   // of what must be kept: impulses end
static const double PASSED = 0.01;  // of what must be kept: nearer than this, it was not held
static const double USEFUL = 0.9;   // of the impacts: a pass of impulses that leaves more is not
static const double LEAST_DEPTH = 2e-7;  // m, in exact bodies: wf_body_meet is as good as that
static const double ROUNDING = 1e-9;     // m, of places
static const double HALF_WAY = 0.5;      // when a round body was met, where only the end is known

typedef enum Stage { IMPULSES, ZONES, STANDSTILL } Stage;

typedef struct Defender {
    WfWorld* world;
    double* x1;
    Stage stage;
    bool stops;       // zones keep nothing of their own motion any more
    bool counts;      // nothing is answered any more: what passes all the same is counted
    bool looks_only;  // nothing is answered yet
    bool known;       // the pairs on the ways that the solve has found,
    bool clear;       // and none of them meet
    int pass, hits, torn, searches;
    long looks;   // at pairs on their way: none left, and what is not seen to pass by counts as hit
    double keep;  // m, the least distance that a pair had to keep
    WfDefence result;
} Defender;

// ---------------------------------------------------------------------------------------------
// Pairs of features

static void enter_zone(Defender* d, int i) {
    wf_zones_enter(&d->world->zones, i, wf_load(d->x1, i));
    d->world->dirty[i] = d->pass;
}

// False where the zone is torn: then the pair cannot be stopped.
static bool join_feature(Defender* d, const WfFeature* f, double t, int mover) {
    WfWorld* w = d->world;
    int first = -1;
    for (int k = 0; k < 4; k++) {
        int i = f->vertices[k];
        if (i < 0) continue;
        enter_zone(d, i);
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
static int mark_free(Defender* d, const WfFeature* f) {
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
static void push(Defender* d, const WfFeature* f, const WfClosest* c, double target, int mover) {
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
static bool is_due(const Defender* d, const WfSide* side, const int* vertices, int count) {
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
static bool boxes_meet(const WfFeature* f) {
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
static bool meets(Defender* d, const WfFeature* f, double keep, WfClosest* met, double* t) {
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
static bool meets_round(Defender* d, const WfFeature* f, double start, double* keep, WfClosest* met,
                        double* t) {
    if (start <= f->core) return false;  // inside from the start
    *keep = f->core + fmin(WF_KEPT * f->thickness, (start - f->core) / 2);
    if (travel(f) > f->core + fmin(f->taper, 0)) return meets(d, f, *keep, met, t);
    *met = wf_closest(f, f->x1);
    *t = HALF_WAY;
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
static bool is_settled(const Defender* d, const WfFeature* f) {
    bool settled = true;
    for (int k = 0; k < 4; k++) {
        int i = f->vertices[k];
        settled = settled && (i < 0 || d->world->pinned[i] || d->world->zones.settled[i]);
    }
    return settled;
}

static void stop(Defender* d, WfFeature* f, int mover) {
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

static bool pair_is_due(const Defender* d, const WfSides* s, WfPairKind kind, WfPair pair) {
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
    const Defender* defender;
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
static bool is_told(const Defender* d) { return d->looks_only && d->hits > 0; }

static void stop_list(Defender* d, WfPairs* pairs, const WfSides* sides, WfPairKind kind,
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
        stop(d, &f, mover);
    }
}

static void stop_pairs(Defender* d, WfPairs* pairs, const WfSides* sides, int mover) {
    for (WfPairKind kind = WF_POINTS; kind <= WF_EDGES; kind++)
        stop_list(d, pairs, sides, kind, mover);
}

// Whether pairs of the lists would be stopped.
static bool any_meet(Defender* d, WfPurpose purpose) {
    WfWorld* w = d->world;
    WfSide cloth = wf_cloth_side(w, d->x1);
    d->looks_only = true;
    wf_place_trees(w, d->x1);
    for (int m = 0; m < w->mover_count; m++) {
        WfSides sides = {w, cloth, wf_body_side(&w->movers[m])};
        if (wf_is_surface(&w->movers[m])) stop_pairs(d, &w->movers[m].pairs[purpose], &sides, m);
    }
    WfSides sides = {w, cloth, cloth};
    if (w->self) stop_pairs(d, &w->lists[purpose].pairs, &sides, -1);
    bool meet = d->hits > 0;
    d->looks_only = false;
    d->hits = 0;
    return meet;
}

enum { FEW = 500 };  // vertices, for which a check takes no time

// A whole search finds no more than short ones.
static bool is_surely_clear(Defender* d) {
    WfWorld* w = d->world;
    if (w->vertex_count > FEW || !wf_find_pairs(w, WF_FOR_DEFENCE, d->x1, NULL)) return true;
    return !any_meet(d, WF_FOR_DEFENCE);
}

// Whether the solve has left nothing to stop, of pairs: most of the time.
static bool pairs_are_clear(Defender* d) {
    d->known = wf_has_surfaces(d->world) && wf_search_drifted(d->world, d->x1);
    return d->known && !any_meet(d, WF_FOR_CONTACTS) && !any_meet(d, WF_FOR_DEFENCE);
}

// ---------------------------------------------------------------------------------------------
// Exact bodies

// How near a vertex may come to an exact body; one that touches it may not come deeper. `slack`: by
// how much it may miss that.
static double kept(double start, double hold, double* slack) {
    *slack = start > 0 ? LEAST_DEPTH : ROUNDING;
    return start > 0 ? fmin(hold, 0.99 * start) : start;
}

static bool has_free(const WfWorld* w, const WfSample* s) {
    int count = 0;
    for (int k = 0; k < s->count; k++) count += !w->pinned[s->vertices[k]];
    return count > 0;
}

static void push_sample(Defender* d, int m, const WfSample* s, WfVec normal, double depth) {
    WfWorld* w = d->world;
    WfImpulse impulse = {.normal = normal, .by = m + 1};
    impulse.target = wf_dot(normal, wf_sample_place(s, d->x1)) + depth;
    for (int k = 0; k < s->count; k++) {
        int i = s->vertices[k];
        if (w->pinned[i]) {
            impulse.target -= s->weights[k] * wf_dot(normal, wf_load(d->x1, i));
        } else {
            impulse.vertices[impulse.count] = i;
            impulse.weights[impulse.count++] = s->weights[k];
        }
    }
    wf_add_impulse(&w->impulses, &impulse, w->masses);
}

static void slow_sample(Defender* d, const WfSample* s, int m) {
    WfWorld* w = d->world;
    int first = s->vertices[0];
    for (int k = 0; k < s->count; k++) {
        enter_zone(d, s->vertices[k]);
        if (k > 0) wf_zones_join(&w->zones, first, s->vertices[k]);
    }
    wf_zones_slow(&w->zones, first, HALF_WAY, d->stops);
    wf_zones_carry(&w->zones, first, m);
}

// `hold`: how near it may come.
static void stop_sample(Defender* d, int m, const WfSample* s, double hold) {
    WfWorld* w = d->world;
    const WfMover* mover = &w->movers[m];
    WfVec a = wf_pose_local(&mover->from, wf_sample_place(s, w->x)), n;
    WfVec b = wf_pose_local(&mover->to, wf_sample_place(s, d->x1));
    double start = wf_body_local_distance(mover->body, a, NULL), way = wf_length(wf_sub(b, a));
    if (start < -WF_TOUCHES || start > way + hold) return;  // inside from the start, or far away
    double slack, depth, keep = kept(start, hold, &slack);
    if (way > mover->body->radius && mover->body->kind != WEFT_BODY_PLANE) {
        WfVec met = wf_body_meet(mover->body, a, b, keep, &n);
        depth = wf_dot(n, wf_sub(met, b));
    } else {
        depth = keep - wf_body_local_distance(mover->body, b, &n);
    }
    if (!(depth > slack)) return;
    if (d->counts) {
        d->result.left += depth > keep;
        return;
    }
    d->hits++;
    d->keep = fmin(d->keep, keep > 0 ? keep : LEAST_DEPTH);
    bool settled = true;
    for (int k = 0; k < s->count; k++) {
        int i = s->vertices[k];
        settled = settled && (w->pinned[i] || w->zones.settled[i]);
        w->dirty[i] = d->pass;
    }
    if (d->stage == IMPULSES || settled)
        push_sample(d, m, s, wf_pose_turn(&mover->to, n), depth);
    else
        slow_sample(d, s, m);
}

static void stop_vertex(Defender* d, int m, int i) {
    const WfBody* body = d->world->movers[m].body;
    double part = wf_is_thin(d->world, body, i) ? WF_KEPT : 0.9;
    WfSample sample = wf_vertex_sample(i);
    stop_sample(d, m, &sample, part * wf_hold(d->world, body, i));
}

// A pin goes where it is told to, into a body as well.
static void count_pin(Defender* d, const WfMover* mover, int i) {
    WfVec a = wf_pose_local(&mover->from, wf_load(d->world->x, i)), n;
    WfVec b = wf_pose_local(&mover->to, wf_load(d->x1, i));
    if (wf_body_local_distance(mover->body, a, &n) < -LEAST_DEPTH) return;
    WfVec met = wf_body_meet(mover->body, a, b, 0, &n);
    d->result.left += wf_dot(n, wf_sub(met, b)) > LEAST_DEPTH;
}

static bool is_fresh(const Defender* d, int i) {
    return d->pass == 0 || d->world->dirty[i] >= d->pass - 1;
}

// What may meet an exact body, of what is fresh: into world->flags.
typedef struct Near {
    const Defender* defender;
    const WfMover* mover;
    WfSide cloth;
} Near;

static void vertex_block(void* context, int block) {
    const Near* near = context;
    const WfWorld* w = near->defender->world;
    for (int i = block * WF_ITEM_BLOCK; i < wf_item_end(w->vertex_count, block); i++) {
        w->flags[i] = 0;
        if (w->nearest[i] == HUGE_VAL) continue;
        // far - way <= radius + hold, of world->nearest
        double reach = near->mover->body->radius + wf_hold(w, near->mover->body, i);
        bool near_enough = w->pinned[i] || w->nearest[i] <= reach + ROUNDING;
        bool meets = wf_meets(w, near->mover, i);
        w->flags[i] = near_enough && meets && is_fresh(near->defender, i);
    }
}

static int features_of(const Near* near, int t, WfFeature features[5]) {
    const WfWorld* w = near->defender->world;
    double reach = w->thickness[w->cloth->triangles[3 * (long)t]] / 4;
    return wf_round_features(w, near->mover, &near->cloth, t, reach, features);
}

static void triangle_block(void* context, int block) {
    const Near* near = context;
    const Defender* d = near->defender;
    const WfSurface* cloth = d->world->cloth;
    for (int t = block * WF_ITEM_BLOCK; t < wf_item_end(cloth->triangle_count, block); t++) {
        const int* v = cloth->triangles + 3 * (long)t;
        bool fresh = is_fresh(d, v[0]) || is_fresh(d, v[1]) || is_fresh(d, v[2]), meets_box = false;
        WfFeature features[5];
        fresh = fresh && !d->world->runs.far_triangles[t / WF_RUN];
        int count =
            fresh && wf_meets(d->world, near->mover, v[0]) ? features_of(near, t, features) : 0;
        for (int k = 0; k < count; k++) meets_box = meets_box || boxes_meet(&features[k]);
        d->world->flags[t] = meets_box;
    }
}

static void stop_triangle(Defender* d, const Near* near, int m, int t) {
    WfFeature features[5];
    int count = features_of(near, t, features);
    for (int k = 0; k < count; k++)
        if (boxes_meet(&features[k])) stop(d, &features[k], m);
}

// What lies between the corners of triangles, of a distance field.
static void stop_between(Defender* d, const Near* near, int m) {
    const WfWorld* w = d->world;
    for (int t = 0; t < w->cloth->triangle_count; t++) {
        const int* v = w->cloth->triangles + 3 * (long)t;
        bool fresh = is_fresh(d, v[0]) || is_fresh(d, v[1]) || is_fresh(d, v[2]);
        if (!fresh || !wf_meets(w, near->mover, v[0])) continue;
        if (!wf_may_reach_between(w, near->mover, t, 3 * w->thickness[v[0]])) continue;
        WfSample samples[WF_MOST_SAMPLES];
        int count = wf_samples_between(w->cloth, t, samples);
        for (int k = 0; k < count; k++)
            if (has_free(w, &samples[k]))
                stop_sample(d, m, &samples[k],
                            wf_sample_dip(w, near->mover, &samples[k], WF_KEPT).hold);
    }
}

static void stop_exact(Defender* d, int m) {
    WfWorld* w = d->world;
    Near near = {d, &w->movers[m], wf_cloth_side(w, d->x1)};
    wf_find_far_runs(w, near.mover);
    wf_measure_ways(w, near.mover, d->x1);
    wf_parallel(w->jobs, wf_item_blocks(w->vertex_count), vertex_block, &near);
    for (int i = 0; i < w->vertex_count; i++) {
        if (!w->flags[i]) continue;
        if (!w->pinned[i]) stop_vertex(d, m, i);
        if (w->pinned[i] && d->pass == 0) count_pin(d, near.mover, i);
    }
    if (near.mover->body->kind == WEFT_BODY_DISTANCE) stop_between(d, &near, m);
    if (!wf_is_round(near.mover->body)) return;
    wf_parallel(w->jobs, wf_item_blocks(w->cloth->triangle_count), triangle_block, &near);
    for (int t = 0; t < w->cloth->triangle_count; t++)
        if (w->flags[t]) stop_triangle(d, &near, m, t);
}

// ---------------------------------------------------------------------------------------------
// Passes

// There were too many pairs.
static void tell_slowed(Defender* d) {
    memset(d->world->moved, 1, (size_t)d->world->vertex_count);
    d->result.slowed = true;
    d->result.left += wf_lists_are_full(d->world, WF_FOR_DEFENCE);  // some are still not known
}

// Pairs for the ways to x1, which get shorter where there are too many.
static void search(Defender* d) {
    WfWorld* w = d->world;
    d->searches++;
    if (!wf_search_again(w, d->x1, d->searches == 1)) tell_slowed(d);
    for (int i = 0; i < w->vertex_count; i++)
        if (w->strayed[i]) w->dirty[i] = d->pass;
}

// The place nearest to p for which the pairs of a vertex are known.
static WfVec confine(const WfLists* lists, int i, WfVec p) {
    const double* middle = lists->covered + 3 * (long)i;
    double x[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++)
        x[k] = fmin(fmax(x[k], middle[k] - lists->slack), middle[k] + lists->slack);
    return wf_load(x, 0);
}

// Every vertex where its pairs are known: by a search, or else by force.
static void cover(Defender* d) {
    WfWorld* w = d->world;
    if (!wf_has_surfaces(w) || d->stage != IMPULSES) return;
    if (d->pass == 0 && d->clear) return;
    if (d->searches == 0 && d->known) {
        wf_complete_drifted(w);
        d->searches = 1;
    }
    if (d->searches == 0) search(d);
    for (int i = 0; i < w->vertex_count; i++) {
        WfVec at = wf_load(d->x1, i), inside = confine(&w->lists[WF_FOR_DEFENCE], i, at);
        if (inside.x == at.x && inside.y == at.y && inside.z == at.z) continue;
        if (d->searches < MOST_SEARCHES) {
            search(d);
            return;
        }
        if (w->pinned[i]) continue;
        wf_store(d->x1, i, inside);
        w->dirty[i] = d->pass;
        w->moved[i] = 1;
    }
}

static void mark_moved(WfWorld* w) {
    for (int j = 0; j < w->impulses.count; j++) {
        const WfImpulse* p = &w->impulses.all[j];
        for (int k = 0; k < p->count && p->size > 0; k++) {
            w->moved[p->vertices[k]] = 1;
            if (p->by > 0) w->moved_by[p->vertices[k]] = p->by;
        }
    }
    for (int i = 0; i < w->vertex_count && w->zones.count > 0; i++) {
        w->moved[i] |= w->zones.inside[i];
        int body = w->zones.inside[i] ? wf_zones_body(&w->zones, i) : -1;
        if (body >= 0) w->moved_by[i] = body + 1;
    }
}

// Zones, and all pairs of whatever they may do.
static void begin_zones(Defender* d) {
    WfWorld* w = d->world;
    WfZoned of = {.cloth = w->cloth,
                  .mirror = &w->mirror,
                  .x0 = w->x,
                  .masses = w->masses,
                  .thickness = w->thickness,
                  .spans = w->spans,
                  .pinned = w->pinned,
                  .mover_count = w->mover_count,
                  .movers = w->movers,
                  .x1 = d->x1};
    mark_moved(w);
    w->impulses.count = 0;  // those of zones start where these have ended
    wf_zones_begin(&w->zones, &of);
    w->zones.tears = w->stray;
    if (!wf_has_surfaces(w)) return;
    wf_tree_forget(&w->tree);
    if (!wf_find_pairs_within(w, WF_FOR_DEFENCE, d->x1, w->zones.ways)) tell_slowed(d);
    for (int i = 0; i < w->vertex_count; i++) w->dirty[i] = d->pass;
}

static void pass_over(Defender* d) {
    WfWorld* w = d->world;
    WfSide cloth = wf_cloth_side(w, d->x1);
    d->hits = d->torn = 0;
    if (wf_touches_between(w)) {
        wf_measure_spans(w, d->x1, w->end_spans);
        wf_box_runs(w, d->x1);
    }
    bool clear = d->pass == 0 && d->clear;
    if (!clear) wf_place_trees(w, d->x1);
    for (int m = 0; m < w->mover_count; m++) {
        WfMover* mover = &w->movers[m];
        if (wf_is_exact(mover)) stop_exact(d, m);
        if (!wf_is_surface(mover) || clear) continue;
        WfSides sides = {w, cloth, wf_body_side(mover)};
        stop_pairs(d, &mover->pairs[WF_FOR_DEFENCE], &sides, m);
    }
    WfSides sides = {w, cloth, cloth};
    if (w->self && !clear) stop_pairs(d, &w->lists[WF_FOR_DEFENCE].pairs, &sides, -1);
}

// All of the cloth that could not be told apart goes with what carries it, piece by piece. (Zones
// in the flow around bodies gain nothing by others that join them.)
static void stand_still(Defender* d) {
    WfWorld* w = d->world;
    const int* piece = w->cloth->piece;
    int* last = w->nearest_triangle;  // of a piece: the last vertex seen, -1: it is told apart
    for (int p = 0; p < w->cloth->piece_count; p++) last[p] = -1;
    for (int i = w->vertex_count - 1; i >= 0; i--)
        if (last[piece[i]] >= 0 || (w->dirty[i] == d->pass && !wf_zones_flow(&w->zones, i)))
            last[piece[i]] = i;
    for (int i = 0; i < w->vertex_count; i++) {
        if (last[piece[i]] < 0) continue;
        enter_zone(d, i);
        wf_zones_join(&w->zones, last[piece[i]], i);
        last[piece[i]] = i;
        wf_zones_slow(&w->zones, i, 0, true);
    }
}

static void answer(Defender* d) {
    WfWorld* w = d->world;
    if (d->stage == STANDSTILL) stand_still(d);
    if (d->stage != IMPULSES) wf_zones_move(&w->zones, d->pass, w->dirty);
    wf_apply_impulses(&w->impulses, w->masses, SLACK * d->keep, d->x1, d->pass, w->dirty);
    if (d->stage != IMPULSES) wf_zones_confine(&w->zones);
}

static Stage stage_of(int pass) {
    if (pass < IMPULSE_PASSES) return IMPULSES;
    return pass < IMPULSE_PASSES + ZONE_PASSES ? ZONES : STANDSTILL;
}

// More pairs meet than there are vertices, and another pass of impulses was of no use.
static bool is_hopeless(const Defender* d, int before) {
    return d->stage == IMPULSES && d->hits > d->world->vertex_count && d->hits > USEFUL * before;
}

// Impulses take more time than a step has.
static bool is_late(const Defender* d) {
    bool many = d->world->impulses.count > IMPULSES_EACH * (d->world->vertex_count + SMALL);
    return d->stage == IMPULSES && (many || d->looks <= 0);
}

WfDefence wf_defend(WfWorld* w, double* x1) {
    Defender d = {.world = w, .x1 = x1, .looks = LOOKS * ((long)w->vertex_count + SMALL)};
    wf_check_places(w, x1);
    memset(w->moved, 0, (size_t)w->vertex_count);
    memset(w->moved_by, 0, (size_t)w->vertex_count * sizeof *w->moved_by);
    w->impulses.count = w->zones.count = 0;
    w->impulses.failed = false;
    for (int i = 0; i < w->vertex_count; i++) w->dirty[i] = NEVER;
    int most = IMPULSE_PASSES + ZONE_PASSES + LAST_PASSES;
    d.clear = pairs_are_clear(&d);
    if (wf_search_failed(w)) return d.result;
    for (d.pass = 0; d.pass < most; d.pass++) {
        Stage before = d.stage;
        d.stage = stage_of(d.pass);
        d.stops = d.pass >= IMPULSE_PASSES + ZONE_PASSES / 2;
        d.keep = HUGE_VAL;
        if (before == IMPULSES && d.stage != IMPULSES) begin_zones(&d);
        cover(&d);
        if (wf_search_failed(w)) break;
        int hits_before = d.hits;
        pass_over(&d);
        if (d.pass == 0) d.result.impacts = d.hits + d.result.left;
        if (d.hits == 0 || wf_search_failed(w)) break;
        bool late = is_late(&d);
        if (!late) answer(&d);
        wf_check_places(w, x1);
        if (late || (d.pass > 0 && is_hopeless(&d, hits_before))) d.pass = IMPULSE_PASSES - 1;
    }
    wf_assert(d.stage != IMPULSES || d.hits > 0 || d.result.left > 0 || d.looks <= 0 ||
              is_surely_clear(&d));
    (void)is_surely_clear;
    d.result.left += d.torn;
    d.counts = d.pass == most;
    if (d.counts) pass_over(&d);
    d.result.zones = w->zones.count;
    mark_moved(w);
    return d.result;
}
