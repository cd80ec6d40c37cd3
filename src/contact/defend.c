// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Continuous collision over all pairs that were near, from where vertices were to where the solve
// has put them. A pair that would meet is stopped by an impulse at its closest points, weighed by
// mass; pass after pass, until none meets. What is left after some passes goes to zones: all that
// hit each other move on together, as far as what carries them moves (a body, a pin, or else their
// own mean), so that nothing in a zone can meet. Zones grow by what they hit, hence come to an end.
//
// Pairs were searched for along the expected way; where a vertex went further, they are searched
// for anew.

#include "contact/defend.h"

#include <math.h>
#include <string.h>

#include "contact/feature.h"
#include "contact/impact.h"

enum { IMPULSE_PASSES = 10, ZONE_PASSES = 60, NEVER = -2 };
static const double KEPT = 0.1;  // of the thickness: nearer is an impact

typedef struct Defender {
    WfWorld* world;
    double* x1;
    bool zones;  // impulses did not suffice
    int pass, hits;
    WfDefence result;
} Defender;

static void mark(Defender* d, int i) {
    d->world->moved[i] = 1;
    d->world->dirty[i] = d->pass;
}

// ---------------------------------------------------------------------------------------------
// Zones: a vertex leads to another of its zone, the last one to itself

static int zone_of(WfWorld* w, int i) {
    while (w->zone[i] != i) i = w->zone[i] = w->zone[w->zone[i]];
    return i;
}

static void join(WfWorld* w, int i, int j) {
    int a = zone_of(w, i), b = zone_of(w, j);
    if (a == b) return;
    int low = a < b ? a : b, high = a < b ? b : a;
    w->zone[high] = low;
    if (w->carrier[low] == 0) {
        w->carrier[low] = w->carrier[high];
        memcpy(w->carried + 3 * (long)low, w->carried + 3 * (long)high, 3 * sizeof(double));
    }
}

// carrier: 0 none, 1 moves by `way`, 2 + m goes with mover m
static void carry(WfWorld* w, int i, int carrier, WfVec way) {
    int zone = zone_of(w, i);
    if (w->carrier[zone] != 0) return;
    w->carrier[zone] = carrier;
    wf_store(w->carried, zone, way);
}

static void start_zones(WfWorld* w) {
    for (int i = 0; i < w->vertex_count; i++) {
        w->zone[i] = i;
        w->carrier[i] = 0;
        w->in_zone[i] = 0;
    }
}

// The mean way of zones that nothing carries.
static void mean_ways(Defender* d) {
    WfWorld* w = d->world;
    double* mass = w->nearest;  // scratch
    for (int i = 0; i < w->vertex_count; i++) {
        mass[i] = 0;
        if (w->in_zone[i] && zone_of(w, i) == i && w->carrier[i] == 0)
            wf_store(w->carried, i, (WfVec){0, 0, 0});
    }
    for (int i = 0; i < w->vertex_count; i++) {
        int zone = zone_of(w, i);
        if (!w->in_zone[i] || w->carrier[zone] != 0) continue;
        WfVec way = wf_sub(wf_load(d->x1, i), wf_load(w->x, i));
        wf_accumulate(w->carried, zone, w->masses[i], way);
        mass[zone] += w->masses[i];
    }
    for (int i = 0; i < w->vertex_count; i++)
        if (mass[i] > 0) wf_store(w->carried, i, wf_mul(1 / mass[i], wf_load(w->carried, i)));
}

static void move_zones(Defender* d) {
    WfWorld* w = d->world;
    mean_ways(d);
    for (int i = 0; i < w->vertex_count; i++) {
        if (!w->in_zone[i] || w->pinned[i]) continue;
        mark(d, i);
        int zone = zone_of(w, i), carrier = w->carrier[zone];
        WfVec x = wf_load(w->x, i), way = wf_load(w->carried, zone);
        if (carrier >= 2) way = wf_body_carry(&w->movers[carrier - 2], x);
        wf_store(d->x1, i, wf_add(x, way));
    }
}

static void enter_zone(Defender* d, int i) {
    WfWorld* w = d->world;
    if (!w->in_zone[i]) d->result.zones++;
    w->in_zone[i] = 1;
    mark(d, i);
}

// ---------------------------------------------------------------------------------------------
// Pairs of features

static WfVec body_way(const WfFeature* f, const WfClosest* c) {
    WfVec sum = {0, 0, 0};
    double weights = 0;
    for (int k = 0; k < 4; k++) {
        if (f->vertices[k] >= 0) continue;
        sum = wf_madd(sum, fabs(c->weights[k]), wf_sub(f->x1[k], f->x0[k]));
        weights += fabs(c->weights[k]);
    }
    return weights > 0 ? wf_mul(1 / weights, sum) : sum;
}

static void join_feature(Defender* d, const WfFeature* f, const WfClosest* c, int mover) {
    WfWorld* w = d->world;
    int first = -1;
    for (int k = 0; k < 4; k++) {
        int i = f->vertices[k];
        if (i < 0) continue;
        enter_zone(d, i);
        if (first >= 0) join(w, first, i);
        first = i;
    }
    for (int k = 0; k < 4; k++)
        if (f->vertices[k] >= 0 && w->pinned[f->vertices[k]])
            carry(w, first, 1, wf_sub(f->x1[k], f->x0[k]));
    if (mover < 0) return;
    bool deforms = w->movers[mover].deforms;
    carry(w, first, deforms ? 1 : 2 + mover, body_way(f, c));
}

static const double LEAST_SHARE = 0.05;  // less: a push would throw what is far from it

// The vertices of a pair that can be moved are looked at again in the next pass. Returns how many.
static int mark_free(Defender* d, const WfFeature* f) {
    int count = 0;
    for (int k = 0; k < 4; k++) {
        int i = f->vertices[k];
        if (i < 0 || d->world->pinned[i]) continue;
        mark(d, i);
        count++;
    }
    return count;
}

// Push the pair apart along the normal where it would have met; not where all that can be moved has
// next to no share in it, as beside a pin: that is for zones.
static void push(Defender* d, const WfFeature* f, const WfClosest* c, double target) {
    WfWorld* w = d->world;
    double give = 0, share = 0, short_of = target - wf_dot(c->normal, wf_weighted(c, f->x1));
    for (int k = 0; k < 4; k++) {
        int i = f->vertices[k];
        if (i < 0 || w->pinned[i]) continue;
        give += c->weights[k] * c->weights[k] / w->masses[i];
        share = fmax(share, fabs(c->weights[k]));
    }
    if (share < LEAST_SHARE) return;
    for (int k = 0; k < 4 && short_of > 0; k++) {
        int i = f->vertices[k];
        if (i < 0 || w->pinned[i]) continue;
        wf_accumulate(d->x1, i, short_of * c->weights[k] / (w->masses[i] * give), c->normal);
    }
}

// Is there anything new about these vertices of a side?
static bool is_due(const Defender* d, const WfSide* side, const int* vertices, int count) {
    bool due = d->pass == 0;
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
static bool boxes_meet(const WfFeature* f, double keep) {
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

// Where the pair meets: false where it does not. `keep` is the distance to keep.
static bool meets(const WfFeature* f, double keep, WfClosest* met) {
    double t = f->edges ? wf_impact_edge_edge(f->x0, f->x1, keep)
                        : wf_impact_point_triangle(f->x0, f->x1, keep);
    if (t > 1) return false;
    WfVec x[4];
    for (int k = 0; k < 4; k++) x[k] = wf_madd(f->x0[k], t, wf_sub(f->x1[k], f->x0[k]));
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
static bool meets_round(const WfFeature* f, double start, double* keep, WfClosest* met) {
    if (start <= f->core) return false;  // inside from the start
    *keep = f->core + fmin(KEPT * f->thickness, (start - f->core) / 2);
    if (travel(f) > f->core) return meets(f, *keep, met);
    *met = wf_closest(f, f->x1);
    return met->distance < *keep;
}

static void stop(Defender* d, WfFeature* f, int mover) {
    double keep = f->core + KEPT * f->thickness;
    if (!boxes_meet(f, keep) || wf_is_tangled(d->world, f)) return;
    WfClosest start = wf_closest(f, f->x0), met;
    if (!(start.distance > 0)) return;  // touched from the start: nobody knows the sides
    bool hit = f->core > 0 ? meets_round(f, start.distance, &keep, &met) : meets(f, keep, &met);
    if (!hit) return;
    if (!(met.distance > 0)) met = start;
    if (mark_free(d, f) == 0) {  // all of it goes where it is told to
        if (d->pass == 0) d->result.left++;
        return;
    }
    d->hits++;
    if (d->zones)
        join_feature(d, f, &met, mover);
    else
        push(d, f, &met, fmin(2 * keep - f->core, start.distance));
}

static void stop_points(Defender* d, const WfPairList* list, bool swapped, const WfSide* points,
                        const WfSide* triangles, int mover) {
    for (int k = 0; k < list->count; k++) {
        WfPair pair = list->pairs[k];
        int vertex = swapped ? pair.b : pair.a, triangle = swapped ? pair.a : pair.b;
        const int* corners = triangles->surface->triangles + 3 * (long)triangle;
        if (!is_due(d, points, &vertex, 1) && !is_due(d, triangles, corners, 3)) continue;
        WfFeature f = wf_point_feature(d->world, points, vertex, triangles, triangle);
        stop(d, &f, mover);
    }
}

static void stop_edges(Defender* d, const WfPairList* list, const WfSide* first,
                       const WfSide* second, int mover) {
    for (int k = 0; k < list->count; k++) {
        WfPair pair = list->pairs[k];
        if (!is_due(d, first, first->surface->edges + 2 * (long)pair.a, 2) &&
            !is_due(d, second, second->surface->edges + 2 * (long)pair.b, 2))
            continue;
        WfFeature f = wf_edge_feature(d->world, first, pair.a, second, pair.b);
        stop(d, &f, mover);
    }
}

// ---------------------------------------------------------------------------------------------
// Exact bodies

static void stop_vertex(Defender* d, int m, int i) {
    WfWorld* w = d->world;
    const WfMover* mover = &w->movers[m];
    WfVec a = wf_pose_local(&mover->from, wf_load(w->x, i)), n;
    WfVec b = wf_pose_local(&mover->to, wf_load(d->x1, i));
    double hold = wf_hold(w, mover->body, i), start = wf_body_local_distance(mover->body, a, &n);
    double way = wf_length(wf_sub(b, a));
    if (start <= 0 || start > way + hold) return;  // inside from the start, or far away
    double keep = fmin(0.9 * hold, 0.99 * start), depth;
    if (way > mover->body->radius && mover->body->kind != WEFT_BODY_PLANE) {
        WfVec met = wf_body_meet(mover->body, a, b, keep, &n);
        depth = wf_dot(n, wf_sub(met, b));
    } else {
        depth = keep - wf_body_local_distance(mover->body, b, &n);
    }
    if (!(depth > 1e-9)) return;
    d->hits++;
    if (d->zones) {
        enter_zone(d, i);
        carry(w, i, 2 + m, (WfVec){0, 0, 0});
    } else {
        wf_accumulate(d->x1, i, depth, wf_pose_turn(&mover->to, n));
        mark(d, i);
    }
}

static void stop_exact(Defender* d, int m) {
    WfWorld* w = d->world;
    for (int i = 0; i < w->vertex_count; i++)
        if (!w->pinned[i]) stop_vertex(d, m, i);
    if (!wf_is_round(w->movers[m].body)) return;
    WfSide cloth = wf_cloth_side(w, d->x1);
    wf_measure_spans(w, d->x1);
    wf_measure_ways(w, &w->movers[m], d->x1);
    for (int t = 0; t < w->cloth->triangle_count; t++) {
        WfFeature features[5];
        double reach = w->thickness[w->cloth->triangles[3 * (long)t]] / 4;
        int count = wf_round_features(w, &w->movers[m], &cloth, t, reach, features);
        for (int k = 0; k < count; k++) stop(d, &features[k], m);
    }
}

// ---------------------------------------------------------------------------------------------

static bool inside(WfBox box, double slack, WfVec p) {
    const double x[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++)
        if (x[k] < (double)box.low[k] + slack || x[k] > (double)box.high[k] - slack) return false;
    return true;
}

static void sort_pairs(WfPairs* pairs) {
    wf_pairs_sort(pairs, &pairs->points);
    wf_pairs_sort(pairs, &pairs->corners);
    wf_pairs_sort(pairs, &pairs->edges);
}

// Search anew where a vertex left the box it was expected in. False for lack of memory.
static bool cover(Defender* d) {
    WfWorld* w = d->world;
    if (!wf_has_surfaces(w)) return true;
    for (int i = 0; i < w->vertex_count; i++) {
        double slack = KEPT * w->thickness[i];
        WfVec seen = wf_sub(wf_load(d->x1, i), wf_load(w->frame, 0));
        if (inside(wf_tree_vertex_box(&w->tree, i), slack, seen)) continue;
        wf_find_pairs(w, d->x1);
        if (w->self) wf_pairs_self(&w->tree, &w->pairs);
        for (int m = 0; m < w->mover_count; m++) sort_pairs(&w->movers[m].pairs);
        sort_pairs(&w->pairs);
        for (int k = 0; k < w->vertex_count; k++) w->dirty[k] = d->pass;  // all pairs are new
        bool failed = w->pairs.failed;
        for (int m = 0; m < w->mover_count; m++) failed = failed || w->movers[m].pairs.failed;
        return !failed;
    }
    return true;
}

static void pass_over(Defender* d) {
    WfWorld* w = d->world;
    WfSide cloth = wf_cloth_side(w, d->x1);
    d->hits = 0;
    for (int m = 0; m < w->mover_count; m++) {
        WfMover* mover = &w->movers[m];
        if (mover->body->exact) {
            stop_exact(d, m);
            continue;
        }
        WfSide body = wf_body_side(mover);
        stop_points(d, &mover->pairs.points, false, &cloth, &body, m);
        stop_points(d, &mover->pairs.corners, true, &body, &cloth, m);
        stop_edges(d, &mover->pairs.edges, &cloth, &body, m);
    }
    if (!w->self) return;
    stop_points(d, &w->pairs.points, false, &cloth, &cloth, -1);
    stop_edges(d, &w->pairs.edges, &cloth, &cloth, -1);
}

WfDefence wf_defend(WfWorld* w, double* x1) {
    Defender d = {.world = w, .x1 = x1};
    memset(w->moved, 0, (size_t)w->vertex_count);
    for (int i = 0; i < w->vertex_count; i++) w->dirty[i] = NEVER;
    for (d.pass = 0; d.pass < IMPULSE_PASSES + ZONE_PASSES; d.pass++) {
        if (d.pass == IMPULSE_PASSES) {
            d.zones = true;
            start_zones(w);
        }
        if (!cover(&d)) return d.result;
        pass_over(&d);
        if (d.pass == 0) d.result.impacts = d.hits;
        if (d.hits == 0) return d.result;
        if (d.zones) move_zones(&d);
    }
    d.result.left += d.hits;
    return d.result;
}
