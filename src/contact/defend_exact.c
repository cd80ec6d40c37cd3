// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Exact bodies: vertices, triangles over round ones, and samples between the corners of triangles,
// which would get into them.

#include <math.h>

#include "base/parallel.h"
#include "contact/defender.h"
#include "contact/sample.h"

static const double LEAST_DEPTH = 2e-7;  // m, in exact bodies: wf_body_meet is as good as that
static const double ROUNDING = 1e-9;     // m, of places

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

static void push_sample(WfDefender* d, int m, const WfSample* s, WfVec normal, double depth) {
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

static void slow_sample(WfDefender* d, const WfSample* s, int m) {
    WfWorld* w = d->world;
    int first = s->vertices[0];
    for (int k = 0; k < s->count; k++) {
        wf_defender_enters(d, s->vertices[k]);
        if (k > 0) wf_zones_join(&w->zones, first, s->vertices[k]);
    }
    wf_zones_slow(&w->zones, first, WF_HALF_WAY, d->stops);
    wf_zones_carry(&w->zones, first, m);
}

// `hold`: how near it may come.
static void stop_sample(WfDefender* d, int m, const WfSample* s, double hold) {
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

static void stop_vertex(WfDefender* d, int m, int i) {
    const WfBody* body = d->world->movers[m].body;
    double part = wf_is_thin(d->world, body, i) ? WF_KEPT : 0.9;
    WfSample sample = wf_vertex_sample(i);
    stop_sample(d, m, &sample, part * wf_hold(d->world, body, i));
}

// A pin goes where it is told to, into a body as well.
static void count_pin(WfDefender* d, const WfMover* mover, int i) {
    WfVec a = wf_pose_local(&mover->from, wf_load(d->world->x, i)), n;
    WfVec b = wf_pose_local(&mover->to, wf_load(d->x1, i));
    if (wf_body_local_distance(mover->body, a, &n) < -LEAST_DEPTH) return;
    WfVec met = wf_body_meet(mover->body, a, b, 0, &n);
    d->result.left += wf_dot(n, wf_sub(met, b)) > LEAST_DEPTH;
}

static bool is_fresh(const WfDefender* d, int i) {
    return d->pass == 0 || d->world->dirty[i] >= d->pass - 1;
}

// What may meet an exact body, of what is fresh: into world->flags.
typedef struct Near {
    const WfDefender* defender;
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
    const WfDefender* d = near->defender;
    const WfSurface* cloth = d->world->cloth;
    for (int t = block * WF_ITEM_BLOCK; t < wf_item_end(cloth->triangle_count, block); t++) {
        const int* v = cloth->triangles + 3 * (long)t;
        bool fresh = is_fresh(d, v[0]) || is_fresh(d, v[1]) || is_fresh(d, v[2]), meets_box = false;
        WfFeature features[5];
        fresh = fresh && !d->world->runs.far_triangles[t / WF_RUN];
        int count =
            fresh && wf_meets(d->world, near->mover, v[0]) ? features_of(near, t, features) : 0;
        for (int k = 0; k < count; k++) meets_box = meets_box || wf_boxes_meet(&features[k]);
        d->world->flags[t] = meets_box;
    }
}

static void stop_triangle(WfDefender* d, const Near* near, int m, int t) {
    WfFeature features[5];
    int count = features_of(near, t, features);
    for (int k = 0; k < count; k++)
        if (wf_boxes_meet(&features[k])) wf_stop(d, &features[k], m);
}

// What lies between the corners of triangles, of a distance field.
static void stop_between(WfDefender* d, const Near* near, int m) {
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

void wf_stop_exact(WfDefender* d, int m) {
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
