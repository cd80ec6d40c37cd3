// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact/feature.h"

#include <math.h>
#include <string.h>

#include "contact/impact.h"
#include "contact/near.h"

WfSide wf_cloth_side(const WfWorld* w, const double* x1) {
    return (WfSide){w->cloth, w->x, x1, true, 0};
}

WfSide wf_body_side(const WfMover* mover) {
    return (WfSide){&mover->body->surface, mover->x0, mover->x1, false, mover->body->friction};
}

static void set_point(WfFeature* f, int k, const WfSide* side, int vertex) {
    f->x0[k] = wf_load(side->x0, vertex);
    f->x1[k] = wf_load(side->x1, vertex);
    f->vertices[k] = side->cloth ? vertex : -1;
}

static double friction_of(const WfWorld* w, const WfSide* side, int vertex) {
    return side->cloth ? w->friction[vertex] : side->friction;
}

// Half of the thickness from either side; a body has that of the cloth.
static void set_matter(const WfWorld* w, WfFeature* f, const WfSide* a, int i, const WfSide* b,
                       int j) {
    double first = a->cloth ? w->thickness[i] : w->thickness[j];
    double second = b->cloth ? w->thickness[j] : w->thickness[i];
    f->thickness = (first + second) / 2;
    f->friction_square = friction_of(w, a, i) * friction_of(w, b, j);
}

WfFeature wf_point_feature(const WfWorld* w, const WfSide* a, int vertex, const WfSide* b,
                           int triangle) {
    WfFeature f = {.edges = false};
    const int* corners = b->surface->triangles + 3 * (long)triangle;
    set_point(&f, 0, a, vertex);
    for (int k = 0; k < 3; k++) set_point(&f, 1 + k, b, corners[k]);
    set_matter(w, &f, a, vertex, b, corners[0]);
    return f;
}

WfFeature wf_edge_feature(const WfWorld* w, const WfSide* a, int first, const WfSide* b,
                          int second) {
    WfFeature f = {.edges = true};
    const int *u = a->surface->edges + 2 * (long)first, *v = b->surface->edges + 2 * (long)second;
    for (int k = 0; k < 2; k++) {
        set_point(&f, k, a, u[k]);
        set_point(&f, 2 + k, b, v[k]);
    }
    set_matter(w, &f, a, u[0], b, v[0]);
    return f;
}

// The box that holds the core of a sphere or a capsule on its whole way.
static void core_box(const WfMover* mover, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
    for (int end = 0; end < 4; end++) {
        WfVec local = {0, (end % 2 - 0.5) * mover->body->length, 0};
        WfVec p = wf_pose_point(end / 2 ? &mover->to : &mover->from, local);
        const double x[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], x[k]);
            high[k] = fmax(high[k], x[k]);
        }
    }
}

// Whether the way of a vertex, enlarged by `reach`, leaves out the box.
static bool is_far(const double* x0, const double* x1, double reach, const double low[3],
                   const double high[3]) {
    for (int k = 0; k < 3; k++)
        if (fmin(x0[k], x1[k]) - reach > high[k] || fmax(x0[k], x1[k]) + reach < low[k])
            return true;
    return false;
}

void wf_measure_ways(WfWorld* w, const WfMover* mover, const double* x1) {
    bool round = wf_is_round(mover->body);
    double low[3] = {0}, high[3] = {0}, way = 0, chord = 0;
    if (round) {
        core_box(mover, low, high);
        wf_pose_travel(&mover->from, &mover->to, &way, &chord);
    }
    for (int i = 0; i < w->vertex_count; i++) {
        double reach = mover->body->radius + fmax(w->spans[i], w->end_spans[i]) +
                       3 * w->thickness[i] + w->margin;
        reach += way + chord * (mover->body->reach + reach);
        if (round && is_far(w->x + 3 * (long)i, x1 + 3 * (long)i, reach, low, high)) {
            w->nearest[i] = HUGE_VAL;
            continue;
        }
        WfVec a = wf_pose_local(&mover->from, wf_load(w->x, i)), n;
        WfVec b = wf_pose_local(&mover->to, wf_load(x1, i));
        double far = wf_body_local_distance(mover->body, a, &n) + mover->body->radius;
        w->nearest[i] = fmax(far - wf_length(wf_sub(b, a)), 0);
    }
}

int wf_round_features(const WfWorld* w, const WfMover* mover, const WfSide* cloth, int triangle,
                      double reach, WfFeature features[5]) {
    const WfBody* body = mover->body;
    const int* corners = cloth->surface->triangles + 3 * (long)triangle;
    if (corners[1] == corners[2]) return 0;
    // The point of the triangle that is nearest to the axis has a corner within the longest side
    // over sqrt 3, and the ways to that corner and to the axis are square to each other.
    const double* far = w->nearest;
    double nearest = fmin(far[corners[0]], fmin(far[corners[1]], far[corners[2]]));
    double span = fmax(w->spans[corners[0]], w->end_spans[corners[0]]),
           limit = body->radius + reach;
    if (nearest * nearest - span * span > limit * limit) return 0;
    WfVec x0[2], x1[2];
    int count = 0, ends = body->length > 0 ? 2 : 1;
    for (int k = 0; k < ends; k++) {
        WfVec end = {0, body->length * (k - 0.5) * (ends > 1), 0};
        x0[k] = wf_pose_point(&mover->from, end);
        x1[k] = wf_pose_point(&mover->to, end);
        WfFeature* f = &features[count++];
        *f = (WfFeature){.x0[0] = x0[k], .x1[0] = x1[k], .vertices[0] = -1};
        for (int c = 0; c < 3; c++) set_point(f, 1 + c, cloth, corners[c]);
    }
    for (int k = 0; k < 3; k++) {
        if (!(cloth->surface->owns[triangle] & (8 << k))) continue;
        WfFeature* f = &features[count++];
        *f = (WfFeature){.edges = true, .vertices = {-1, -1}};
        for (int c = 0; c < 2; c++) {
            f->x0[c] = x0[c % ends];
            f->x1[c] = x1[c % ends];
            set_point(f, 2 + c, cloth, corners[(k + c) % 3]);
        }
    }
    for (int k = 0; k < count; k++) {
        features[k].core = body->radius;
        features[k].thickness = w->thickness[corners[0]];
        features[k].friction_square = body->friction * w->friction[corners[0]];
    }
    return count;
}

WfVec wf_weighted(const WfClosest* c, const WfVec* x) {
    WfVec sum = {0, 0, 0};
    for (int k = 0; k < 4; k++) sum = wf_madd(sum, c->weights[k], x[k]);
    return sum;
}

// m: what is nearer than this touches. The way between the closest points is then mostly rounding.
static const double NO_NORMAL = 1e-11;

WfClosest wf_closest(const WfFeature* f, const WfVec* x) {
    WfClosest c;
    double square, w[3];
    if (f->edges) {
        square = wf_near_edge_edge(x[0], x[1], x[2], x[3], w);
        const double weights[4] = {1 - w[0], w[0], w[1] - 1, -w[1]};
        memcpy(c.weights, weights, sizeof weights);
    } else {
        square = wf_near_point_triangle(x[0], x[1], x[2], x[3], w);
        const double weights[4] = {1, -w[0], -w[1], -w[2]};
        memcpy(c.weights, weights, sizeof weights);
    }
    c.distance = sqrt(square);
    if (!(c.distance > NO_NORMAL)) c.distance = 0;
    WfVec apart = wf_weighted(&c, x);
    c.normal = c.distance > 0 ? wf_mul(1 / c.distance, apart) : (WfVec){0, 0, 0};
    return c;
}

double wf_impact(const WfFeature* f, double keep, double close) {
    return f->edges ? wf_impact_edge_edge(f->x0, f->x1, keep, close)
                    : wf_impact_point_triangle(f->x0, f->x1, keep, close);
}

bool wf_is_tangled(const WfWorld* w, const WfFeature* f) {
    int tangled[2] = {0, 0}, split = f->edges ? 2 : 1;
    for (int k = 0; k < 4; k++) {
        int side = k >= split, i = f->vertices[k];
        tangled[side] |= i < 0 ? WF_TANGLED_BODY : w->tangled[i];
    }
    bool cloth = f->vertices[0] >= 0 && f->vertices[split] >= 0;
    return tangled[0] & tangled[1] & (cloth ? WF_TANGLED_CLOTH : WF_TANGLED_BODY);
}

// Whether two ranges of numbers lie further apart than `apart`; the first `split` of x are one.
static bool ranges_apart(const double x[4], int split, double apart) {
    double low[2] = {x[0], x[split]}, high[2] = {x[0], x[split]};
    for (int k = 1; k < 4; k++) {
        int side = k >= split;
        low[side] = x[k] < low[side] ? x[k] : low[side];
        high[side] = x[k] > high[side] ? x[k] : high[side];
    }
    return low[0] - high[1] > apart || low[1] - high[0] > apart;
}

bool wf_feature_may_meet(const WfFeature* f, double keep, double stray) {
    int split = f->edges ? 2 : 1;
    WfVec way[4];
    double closing = 0;
    for (int k = 0; k < 4; k++) way[k] = wf_sub(f->x1[k], f->x0[k]);
    for (int a = 0; a < split; a++)
        for (int b = split; b < 4; b++) {
            WfVec apart = wf_sub(way[a], way[b]);
            closing = fmax(closing, wf_dot(apart, apart));
        }
    double reach = sqrt(closing) + keep + 2 * stray;
    const double x[4] = {f->x0[0].x, f->x0[1].x, f->x0[2].x, f->x0[3].x};
    const double y[4] = {f->x0[0].y, f->x0[1].y, f->x0[2].y, f->x0[3].y};
    const double z[4] = {f->x0[0].z, f->x0[1].z, f->x0[2].z, f->x0[3].z};
    if (ranges_apart(x, split, reach) || ranges_apart(y, split, reach) ||
        ranges_apart(z, split, reach))
        return false;
    return wf_closest(f, f->x0).distance <= reach;
}
