// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Shepard's interpolation, with weights that end (Franke and Little): a triangle at the distance d
// has the weight (1/d - 1/r)^2 for the displacement at its nearest point, and none from r on, which
// is some times the distance of the nearest triangle. (With four powers all of the change lies in
// the middle: layers between walls that close in by a quarter would change places.)
//
//          arm   \    :    /   chest     what is between goes between; at the arm with the arm,
//                 \ x : x /              at the chest with the chest
//
// Bodies that do not deform count as one triangle each, and carry by their own turn.

#include "contact/flow.h"

#include <math.h>

#include "base/assert.h"
#include "contact/near.h"

static const double FAR = 3;       // times the distance of the nearest: what counts,
static const double LEAST = 1e-9;  // m, of distances: nearer is the same

typedef struct Flow {
    WfVec x, sum;
    double reach, weights;
} Flow;

static double weight_of(const Flow* flow, double distance) {
    double more = fmax(0, 1 / fmax(distance, LEAST) - 1 / flow->reach);
    return more * more;
}

static void add_way(Flow* flow, double distance, WfVec way) {
    double weight = weight_of(flow, distance);
    flow->sum = wf_madd(flow->sum, weight, way);
    flow->weights += weight;
}

// The distance of a triangle at the start, and the displacement of its nearest point.
static double triangle_near(const WfMover* mover, int t, WfVec x, WfVec* way) {
    const int* v = mover->body->surface.triangles + 3 * (long)t;
    double w[3];
    double square = wf_near_point_triangle(x, wf_load(mover->x0, v[0]), wf_load(mover->x0, v[1]),
                                           wf_load(mover->x0, v[2]), w);
    *way = (WfVec){0, 0, 0};
    for (int k = 0; k < 3; k++)
        *way = wf_madd(*way, w[k], wf_sub(wf_load(mover->x1, v[k]), wf_load(mover->x0, v[k])));
    return sqrt(square);
}

// Is a triangle surely further than this?
static bool is_beyond(const WfMover* mover, int t, WfVec x, double reach) {
    const int* v = mover->body->surface.triangles + 3 * (long)t;
    WfVec a = wf_load(mover->x0, v[0]), to = wf_sub(x, a);
    double square = wf_dot(to, to);
    if (square <= reach * reach) return false;
    WfVec e = wf_sub(wf_load(mover->x0, v[1]), a), f = wf_sub(wf_load(mover->x0, v[2]), a);
    double size = sqrt(fmax(wf_dot(e, e), wf_dot(f, f))) + reach;
    return square > size * size;
}

// The nearest triangle, unless all are further than `least`.
static double surface_distance(const WfMover* mover, WfVec x, double least) {
    WfVec way;
    double square = least * least;
    for (int i = 0; i < mover->body->vertex_count; i++) {
        WfVec to = wf_sub(x, wf_load(mover->x0, i));
        square = fmin(square, wf_dot(to, to));
    }
    least = sqrt(square);
    for (int t = 0; t < mover->body->surface.triangle_count; t++)
        if (!is_beyond(mover, t, x, least)) least = fmin(least, triangle_near(mover, t, x, &way));
    return least;
}

static double distance_of(const WfMover* mover, WfVec x, double least) {
    WfVec n;
    if (!mover->body->exact) return surface_distance(mover, x, least);
    return fmax(0, wf_body_distance(mover->body, &mover->from, x, &n));
}

static void add_triangles(Flow* flow, const WfMover* mover) {
    for (int t = 0; t < mover->body->surface.triangle_count; t++) {
        WfVec way;
        if (is_beyond(mover, t, flow->x, flow->reach)) continue;
        double distance = triangle_near(mover, t, flow->x, &way);
        if (distance < flow->reach) add_way(flow, distance, way);
    }
}

WfVec wf_flow(const WfMover* movers, int mover_count, const unsigned char* carries, double scale,
              WfVec x) {
    Flow flow = {.x = x};
    double least = HUGE_VAL;
    for (int m = 0; m < mover_count; m++)
        if (carries[m]) least = fmin(least, distance_of(&movers[m], x, least));
    flow.reach = FAR * least + scale;
    for (int m = 0; m < mover_count; m++) {
        if (!carries[m]) continue;
        if (movers[m].deforms)
            add_triangles(&flow, &movers[m]);
        else
            add_way(&flow, distance_of(&movers[m], x, flow.reach), wf_body_carry(&movers[m], x));
    }
    wf_assert(flow.weights > 0);
    return wf_mul(1 / flow.weights, flow.sum);
}
