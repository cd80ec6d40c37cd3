// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "garment/hold.h"

#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "contact/near.h"

#define FACING 0.7  // outwards is what is within 45 degrees of it: the cosine;
#define SKIN 0.004  // m: where it is nearer, all of this side is
#define FAR 30.0    // times the size of its triangle beyond it: there it is not carried along

// A sphere around a triangle, and how that faces.
typedef struct Ball {
    WfVec centre, normal;
    double radius;
} Ball;

static void load_corners(const WfBody* body, int triangle, WfVec x[3]) {
    for (int k = 0; k < 3; k++)
        x[k] = wf_load(body->positions, body->triangles[3 * (long)triangle + k]);
}

static Ball triangle_ball(const WfBody* body, int triangle) {
    WfVec x[3];
    load_corners(body, triangle, x);
    Ball ball = {.centre = wf_mul(1.0 / 3, wf_add(x[0], wf_add(x[1], x[2]))),
                 .normal = wf_unit(wf_cross(wf_sub(x[1], x[0]), wf_sub(x[2], x[0])))};
    for (int k = 0; k < 3; k++)
        ball.radius = fmax(ball.radius, wf_length(wf_sub(x[k], ball.centre)));
    return ball;
}

static WfVec blend(const WfVec x[3], const double w[3]) {
    return wf_add(wf_mul(w[0], x[0]), wf_add(wf_mul(w[1], x[1]), wf_mul(w[2], x[2])));
}

// Only to where the body faces that way, and p lies that way from it; zero: to anywhere.
static void bind_point(const WfBody* body, const Ball* balls, WfVec p, WfVec facing,
                       WeftBodyPoint* bind) {
    double best = HUGE_VAL, least = FACING * wf_length(facing);
    for (int t = 0; t < body->triangle_count; t++) {
        WfVec apart = wf_sub(p, balls[t].centre), x[3];
        double reach = best + balls[t].radius, w[3] = {1, 0, 0};
        if (wf_dot(apart, apart) >= reach * reach) continue;
        if (wf_dot(facing, balls[t].normal) < 0) continue;
        load_corners(body, t, x);
        double distance = sqrt(wf_near_point_triangle(p, x[0], x[1], x[2], w));
        if (!(distance < best)) continue;
        if (distance > SKIN && wf_dot(facing, wf_sub(p, blend(x, w))) < least * distance) continue;
        best = distance;
        bind->triangle = t;
        for (int k = 0; k < 3; k++) bind->weights[k] = w[k];
    }
    bind->lift = best;
}

WeftResult wf_bind_points(const WeftAllocator* allocator, const WfBody* body,
                          const double* positions, const double* facing, int count,
                          WeftBodyPoint* binds) {
    WfVec any = {0, 0, 0};
    Ball* balls = wf_alloc(allocator, (size_t)body->triangle_count, sizeof *balls);
    if (!balls) return WEFT_ERROR_MEMORY;
    for (int t = 0; t < body->triangle_count; t++) balls[t] = triangle_ball(body, t);
    for (int i = 0; i < count; i++) {
        WeftBodyPoint* bind = &binds[i];
        WfVec p = wf_load(positions, bind->vertex);
        bind->lift = HUGE_VAL;
        if (facing) bind_point(body, balls, p, wf_load(facing, bind->vertex), bind);
        if (bind->lift == HUGE_VAL) bind_point(body, balls, p, any, bind);
    }
    wf_free(allocator, balls);
    return WEFT_OK;
}

WfVec wf_bound_point(const WfBody* body, const WeftBodyPoint* bind) {
    WfVec x[3];
    load_corners(body, bind->triangle, x);
    return blend(x, bind->weights);
}

void wf_fit_bind(const WfBody* body, WfVec p, WeftBodyPoint* bind) {
    WfVec x[3];
    load_corners(body, bind->triangle, x);
    WfVec along = wf_sub(x[1], x[0]), across = wf_sub(x[2], x[0]), off = wf_sub(p, x[0]);
    WfVec normal = wf_cross(along, across);
    double square = wf_dot(normal, normal);
    double u = wf_dot(wf_cross(off, across), normal) / square;
    double v = wf_dot(wf_cross(along, off), normal) / square;
    if (!(fabs(u) < FAR && fabs(v) < FAR)) return;  // no area, too
    bind->weights[0] = 1 - u - v;
    bind->weights[1] = u;
    bind->weights[2] = v;
    bind->lift = wf_dot(off, normal) / sqrt(square);
}

void weft_follow_body(const WeftBodyPoint* point, const double* positions, const int* triangles,
                      double place[3]) {
    WfBody body = {.positions = positions, .triangles = triangles};
    WfVec x[3];
    load_corners(&body, point->triangle, x);
    WfVec normal = wf_unit(wf_cross(wf_sub(x[1], x[0]), wf_sub(x[2], x[0])));
    wf_store(place, 0, wf_madd(blend(x, point->weights), point->lift, normal));
}
