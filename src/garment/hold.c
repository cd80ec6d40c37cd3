// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "garment/hold.h"

#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "contact/near.h"

// A sphere around a triangle.
typedef struct Ball {
    WfVec centre;
    double radius;
} Ball;

static void load_corners(const WfBody* body, int triangle, WfVec x[3]) {
    for (int k = 0; k < 3; k++)
        x[k] = wf_load(body->positions, body->triangles[3 * (long)triangle + k]);
}

static Ball triangle_ball(const WfBody* body, int triangle) {
    WfVec x[3];
    load_corners(body, triangle, x);
    Ball ball = {wf_mul(1.0 / 3, wf_add(x[0], wf_add(x[1], x[2]))), 0};
    for (int k = 0; k < 3; k++)
        ball.radius = fmax(ball.radius, wf_length(wf_sub(x[k], ball.centre)));
    return ball;
}

static WfVec blend(const WfVec x[3], const double w[3]) {
    return wf_add(wf_mul(w[0], x[0]), wf_add(wf_mul(w[1], x[1]), wf_mul(w[2], x[2])));
}

static void bind_point(const WfBody* body, const Ball* balls, WfVec p, WeftBodyPoint* bind) {
    double best = HUGE_VAL;
    for (int t = 0; t < body->triangle_count; t++) {
        WfVec apart = wf_sub(p, balls[t].centre), x[3];
        double reach = best + balls[t].radius, w[3] = {1, 0, 0};
        if (wf_dot(apart, apart) >= reach * reach) continue;
        load_corners(body, t, x);
        double distance = sqrt(wf_near_point_triangle(p, x[0], x[1], x[2], w));
        if (!(distance < best)) continue;
        best = distance;
        bind->triangle = t;
        for (int k = 0; k < 3; k++) bind->weights[k] = w[k];
    }
    bind->lift = best;
}

WeftResult wf_bind_points(const WeftAllocator* allocator, const WfBody* body,
                          const double* positions, int count, WeftBodyPoint* binds) {
    Ball* balls = wf_alloc(allocator, (size_t)body->triangle_count, sizeof *balls);
    if (!balls) return WEFT_ERROR_MEMORY;
    for (int t = 0; t < body->triangle_count; t++) balls[t] = triangle_ball(body, t);
    for (int i = 0; i < count; i++)
        bind_point(body, balls, wf_load(positions, binds[i].vertex), &binds[i]);
    wf_free(allocator, balls);
    return WEFT_OK;
}

void weft_follow_body(const WeftBodyPoint* point, const double* positions, const int* triangles,
                      double place[3]) {
    WfBody body = {.positions = positions, .triangles = triangles};
    WfVec x[3];
    load_corners(&body, point->triangle, x);
    WfVec normal = wf_unit(wf_cross(wf_sub(x[1], x[0]), wf_sub(x[2], x[0])));
    wf_store(place, 0, wf_madd(blend(x, point->weights), point->lift, normal));
}
