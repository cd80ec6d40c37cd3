// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact/feature.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "contact/impact.h"
#include "contact/near.h"

WfSide wf_cloth_side(const WfWorld* w, const double* x1) {
    return (WfSide){w->cloth, w->x, x1, true, NULL};
}

WfSide wf_body_side(const WfMover* mover) {
    return (WfSide){&mover->body->surface, mover->x0, mover->x1, false, mover};
}

static void set_point(WfFeature* f, int k, const WfSide* side, int vertex) {
    f->x0[k] = wf_load(side->x0, vertex);
    f->x1[k] = wf_load(side->x1, vertex);
    f->vertices[k] = side->cloth ? vertex : -1;
}

static double friction_of(const WfWorld* w, const WfSide* side, int vertex) {
    return side->cloth ? w->friction[vertex] : side->mover->body->friction;
}

// Whether their pair has a coefficient of its own: its square.
static inline bool has_friction(const WfWorld* w, const WfSide* side, int i, const WfSide* other,
                                int j, double* square) {
    if (!w->frictions) return false;
    double own = side->cloth && other->cloth ? wf_cloth_friction(w, i, j)
                 : side->cloth               ? wf_body_friction(w, i, other->mover)
                                             : wf_body_friction(w, j, side->mover);
    *square = own * own;
    return own >= 0;
}

// Four places of two surfaces, and of which: the point and the corners, or the ends of both edges.
typedef struct Corners {
    const WfSide* side[4];
    int vertex[4];
} Corners;

static inline Corners corners_of(const WfSides* s, WfPairKind kind, WfPair pair) {
    const WfSide *a = &s->first, *b = &s->second;
    if (kind == WF_EDGES) {
        const int* u = a->surface->edges + 2 * (long)pair.a;
        const int* v = b->surface->edges + 2 * (long)pair.b;
        return (Corners){{a, a, b, b}, {u[0], u[1], v[0], v[1]}};
    }
    if (kind == WF_CORNERS) {
        a = &s->second;
        b = &s->first;
        pair = (WfPair){pair.b, pair.a};
    }
    const int* corner = b->surface->triangles + 3 * (long)pair.b;
    return (Corners){{a, b, b, b}, {pair.a, corner[0], corner[1], corner[2]}};
}

// Half of the thickness from either side; a body has that of the cloth. Cloth keeps less from cloth
// where its vertices are nearer to each other than that, and where an edge joins the two.
static inline double thickness_of(const WfSides* s, const Corners* c, int other, bool* joined) {
    const double *thickness = s->world->thickness, *layer = s->world->layer;
    int i = c->side[0]->cloth ? c->vertex[0] : c->vertex[other];
    int j = c->side[other]->cloth ? c->vertex[other] : c->vertex[0];
    double mean = (thickness[i] + thickness[j]) / 2;
    *joined = false;
    if (!(s->first.cloth && s->second.cloth)) return mean;
    for (int k = 0; k < 4 && layer != thickness; k++) {
        double most = layer[c->vertex[k]];
        if (most < thickness[c->vertex[k]] && most < mean) mean = most;
    }
    const int* v = c->vertex;
    *joined = wf_are_joined(s->first.surface, v, other, v + other, 4 - other);
    return *joined ? WF_JOINED * mean : mean;
}

WfFeature wf_feature(const WfSides* s, WfPairKind kind, WfPair pair) {
    Corners c = corners_of(s, kind, pair);
    int other = kind == WF_EDGES ? 2 : 1;
    WfFeature f = {.edges = kind == WF_EDGES};
    f.thickness = thickness_of(s, &c, other, &f.joined);
    for (int k = 0; k < 4; k++) set_point(&f, k, c.side[k], c.vertex[k]);
    if (!has_friction(s->world, c.side[0], c.vertex[0], c.side[other], c.vertex[other],
                      &f.friction_square))
        f.friction_square = friction_of(s->world, c.side[0], c.vertex[0]) *
                            friction_of(s->world, c.side[other], c.vertex[other]);
    return f;
}

void wf_core_box(const WfMover* mover, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
    for (int end = 0; end < 4; end++) {
        WfVec local = {0, mover->body->ends[end % 2], 0};
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

typedef struct Measure {
    const WfWorld* world;
    const WfMover* mover;
    const double* x1;
    bool round;
    double low[3], high[3], way, chord;
} Measure;

static double nearest_of(const Measure* m, int i) {
    const WfWorld* w = m->world;
    const WfBody* body = m->mover->body;
    double reach = fmax(body->radii[0], body->radii[1]) + fmax(w->spans[i], w->end_spans[i]) +
                   3 * w->thickness[i] + w->margin;
    reach += m->way + m->chord * (body->reach + reach);
    if (m->round && is_far(w->x + 3 * (long)i, m->x1 + 3 * (long)i, reach, m->low, m->high))
        return HUGE_VAL;
    WfVec a = wf_pose_local(&m->mover->from, wf_load(w->x, i));
    WfVec b = wf_pose_local(&m->mover->to, wf_load(m->x1, i));
    double far = wf_body_local_distance(body, a, NULL) + body->radius;
    return fmax(far - wf_length(wf_sub(b, a)), 0);
}

static void measure_block(void* context, int block) {
    const Measure* m = context;
    const WfWorld* w = m->world;
    for (int i = block * WF_ITEM_BLOCK; i < wf_item_end(w->vertex_count, block); i++)
        w->nearest[i] = w->runs.far_vertices[i / WF_RUN] ? HUGE_VAL : nearest_of(m, i);
}

void wf_measure_ways(WfWorld* w, const WfMover* mover, const double* x1) {
    Measure m = {w, mover, x1, wf_is_round(mover->body), {0}, {0}, 0, 0};
    if (m.round) {
        wf_core_box(mover, m.low, m.high);
        wf_pose_travel(&mover->from, &mover->to, &m.way, &m.chord);
    }
    wf_parallel(w->jobs, wf_item_blocks(w->vertex_count), measure_block, &m);
}

int wf_round_features(const WfWorld* w, const WfMover* mover, const WfSide* cloth, int triangle,
                      double reach, WfFeature features[5]) {
    const WfBody* body = mover->body;
    const int* corners = cloth->surface->triangles + 3 * (long)triangle;
    if (corners[1] == corners[2]) return 0;
    // The point of the triangle that is nearest to the body has a corner within the longest side
    // over sqrt 3, and the ways to that corner and to the axis are square to each other. Where the
    // radius varies, the corner is furthest from the surface where that is smallest.
    const double* far = w->nearest;
    double nearest = fmin(far[corners[0]], fmin(far[corners[1]], far[corners[2]]));
    double span = fmax(w->spans[corners[0]], w->end_spans[corners[0]]),
           limit = body->radius + reach;
    if (nearest * nearest - span * span > limit * limit) return 0;
    WfVec x0[2], x1[2];
    int count = 0, ends = body->ends[1] > body->ends[0] ? 2 : 1;
    for (int k = 0; k < ends; k++) {
        WfVec end = {0, body->ends[k], 0};
        x0[k] = wf_pose_point(&mover->from, end);
        x1[k] = wf_pose_point(&mover->to, end);
        WfFeature* f = &features[count++];
        *f = (WfFeature){.x0[0] = x0[k], .x1[0] = x1[k], .vertices[0] = -1, .core = body->radii[k]};
        for (int c = 0; c < 3; c++) set_point(f, 1 + c, cloth, corners[c]);
    }
    for (int k = 0; k < 3; k++) {
        if (!(cloth->surface->owns[triangle] & (8 << k))) continue;
        WfFeature* f = &features[count++];
        *f = (WfFeature){.edges = true,
                         .vertices = {-1, -1},
                         .core = body->radii[0],
                         .taper = body->radii[1] - body->radii[0]};
        for (int c = 0; c < 2; c++) {
            f->x0[c] = x0[c % ends];
            f->x1[c] = x1[c % ends];
            set_point(f, 2 + c, cloth, corners[(k + c) % 3]);
        }
    }
    for (int k = 0; k < count; k++) {
        features[k].thickness = w->thickness[corners[0]];
        double friction = wf_friction_with(w, mover, corners[0]);
        features[k].friction_square = friction * friction;
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

double wf_taper_at(const WfFeature* f, const WfClosest* c) {
    return f->taper != 0 ? f->taper * c->weights[1] : 0;
}

WfClosest wf_closest(const WfFeature* f, const WfVec* x) {
    WfClosest c;
    double square, w[3];
    if (f->edges) {
        square = f->taper != 0 ? wf_near_edge_tapered(x[0], x[1], f->taper, x[2], x[3], w)
                               : wf_near_edge_edge(x[0], x[1], x[2], x[3], w);
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
    if (c.distance > 0) c.distance -= wf_taper_at(f, &c);
    return c;
}

double wf_impact(const WfFeature* f, double keep, double close, long* looks) {
    if (f->taper != 0) return wf_impact_tapered(f->x0, f->x1, f->taper, keep, close, looks);
    return f->edges ? wf_impact_edge_edge(f->x0, f->x1, keep, close, looks)
                    : wf_impact_point_triangle(f->x0, f->x1, keep, close, looks);
}

uint64_t wf_piece_bit(const WfWorld* w, int vertex) {
    return (uint64_t)1 << w->cloth->piece[vertex] % 64;
}

// Of two features of cloth: whether each has a corner that is crossed with the piece of the other.
static bool are_crossed(const WfWorld* w, const WfFeature* f, int split) {
    uint64_t with[2] = {0, 0};
    for (int k = 0; k < 4; k++) with[k >= split] |= w->crossed_with[f->vertices[k]];
    return (with[0] & wf_piece_bit(w, f->vertices[split])) &&
           (with[1] & wf_piece_bit(w, f->vertices[0]));
}

bool wf_is_tangled(const WfWorld* w, const WfFeature* f) {
    int tangled[2] = {0, 0}, split = f->edges ? 2 : 1;
    for (int k = 0; k < 4; k++) {
        int side = k >= split, i = f->vertices[k];
        tangled[side] |= i < 0 ? WF_TANGLED_BODY : w->tangled[i];
    }
    if (f->vertices[0] < 0 || f->vertices[split] < 0)
        return tangled[0] & tangled[1] & WF_TANGLED_BODY;
    return tangled[0] & tangled[1] & WF_TANGLED_CLOTH && are_crossed(w, f, split);
}
