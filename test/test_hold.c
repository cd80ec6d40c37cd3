// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/hold.c: points are bound to what of a body is nearest, be it a face, an edge or a
// corner, and go where the body goes.

#include "garment/hold.h"

#include "base/memory.h"
#include "base/vec.h"
#include "counting.h"
#include "test.h"

// A cube from 0 to 1.
static const double cube[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                                0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
static const int faces[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                              2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
static const WfBody body = {8, 12, cube, faces};

static WeftBodyPoint bind_to(const WfBody* to, WfVec x) {
    WeftAllocator allocator = wf_allocator(NULL);
    WeftBodyPoint point = {.vertex = 1};
    double positions[6] = {9, 9, 9, x.x, x.y, x.z};
    CHECK(wf_bind_points(&allocator, to, positions, NULL, 1, &point) == WEFT_OK);
    CHECK(point.vertex == 1);
    CHECK_NEAR(point.weights[0] + point.weights[1] + point.weights[2], 1, 1e-12);
    for (int k = 0; k < 3; k++) CHECK(point.weights[k] >= 0 && point.weights[k] <= 1);
    return point;
}

// The point of the body itself.
static WfVec foot(const WfBody* of, WeftBodyPoint point) {
    WfVec sum = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        sum = wf_madd(sum, point.weights[k],
                      wf_load(of->positions, of->triangles[3 * point.triangle + k]));
    return sum;
}

static void check_bind(WfVec x, WfVec nearest) {
    WeftBodyPoint point = bind_to(&body, x);
    CHECK_BELOW(wf_length(wf_sub(foot(&body, point), nearest)), 1e-12);
    CHECK_NEAR(point.lift, wf_length(wf_sub(x, nearest)), 1e-12);
}

static void nearest_points(void) {
    check_bind((WfVec){0.3, 0.6, 1.2}, (WfVec){0.3, 0.6, 1});
    check_bind((WfVec){-0.1, 0.6, 0.2}, (WfVec){0, 0.6, 0.2});
    check_bind((WfVec){1.1, 1.2, 0.4}, (WfVec){1, 1, 0.4});
    check_bind((WfVec){-3, 0.5, -4}, (WfVec){0, 0.5, 0});
    check_bind((WfVec){2, 3, 4}, (WfVec){1, 1, 1});
    check_bind((WfVec){-1, -1, -1}, (WfVec){0, 0, 0});
    check_bind((WfVec){0.5, 0.5, 1}, (WfVec){0.5, 0.5, 1});     // on the diagonal of a face
    check_bind((WfVec){0.5, 0.95, 0.5}, (WfVec){0.5, 1, 0.5});  // inside
}

// Against all points of all triangles, by a fine net of them.
static void random_points(void) {
    uint32_t seed = 7;
    for (int round = 0; round < 50; round++) {
        double x[9 * 5];
        int t[3 * 5];
        for (int i = 0; i < 45; i++) {
            seed = seed * 1664525u + 1013904223u;
            x[i] = (seed >> 8) / 16777216.0;
        }
        for (int i = 0; i < 15; i++) t[i] = i;
        WfBody some = {15, 5, x, t};
        WfVec p = {2 * x[4] - 0.5, 2 * x[9] - 0.5, 2 * x[20] - 0.5};
        WeftBodyPoint point = bind_to(&some, p);
        double least = HUGE_VAL;
        enum { NET = 40 };
        for (int k = 0; k < 5; k++)
            for (int i = 0; i <= NET; i++)
                for (int j = 0; i + j <= NET; j++) {
                    double u = (double)i / NET, v = (double)j / NET;
                    WfVec at = wf_mul(1 - u - v, wf_load(x, 3 * k));
                    at = wf_madd(at, u, wf_load(x, 3 * k + 1));
                    at = wf_madd(at, v, wf_load(x, 3 * k + 2));
                    least = fmin(least, wf_length(wf_sub(p, at)));
                }
        CHECK(point.lift <= least + 1e-12);
        CHECK_BELOW(least - point.lift, 0.05);
        CHECK_NEAR(wf_length(wf_sub(p, foot(&some, point))), point.lift, 1e-12);
    }
}

// Bodies from files have triangles without area.
static void thin_triangles(void) {
    static const double x[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 1, 0};
    static const int t[9] = {0, 0, 1, 0, 1, 2, 1, 1, 1};
    WfBody line = {4, 3, x, t};
    WeftBodyPoint point = bind_to(&line, (WfVec){1.5, 0.5, 0});
    CHECK_BELOW(wf_length(wf_sub(foot(&line, point), (WfVec){1.5, 0, 0})), 1e-12);
    double place[3];
    weft_follow_body(&point, x, t, place);
    for (int k = 0; k < 3; k++) CHECK(isfinite(place[k]));
}

// What lies above a face comes back to where it was; and goes along, at the same height.
static void follows(void) {
    const double s = 0.6, c = 0.8, move[3] = {5, -6, 7};
    double moved[24];
    for (int v = 0; v < 8; v++) {
        const double* x = cube + 3 * v;
        moved[3 * v] = c * x[0] + s * x[2] + move[0];
        moved[3 * v + 1] = x[1] + move[1];
        moved[3 * v + 2] = -s * x[0] + c * x[2] + move[2];
    }
    static const WfVec points[4] = {
        {0.3, 0.6, 1.2}, {1.01, 0.25, 0.5}, {0.1, 1.3, 0.7}, {0.4, -0.02, 0.3}};
    for (int i = 0; i < 4; i++) {
        WfVec x = points[i];
        WeftBodyPoint point = bind_to(&body, x);
        double place[3];
        weft_follow_body(&point, cube, faces, place);
        CHECK_BELOW(wf_length(wf_sub(wf_load(place, 0), x)), 1e-12);
        weft_follow_body(&point, moved, faces, place);
        CHECK_NEAR(place[0], c * x.x + s * x.z + move[0], 1e-12);
        CHECK_NEAR(place[1], x.y + move[1], 1e-12);
        CHECK_NEAR(place[2], -s * x.x + c * x.z + move[2], 1e-12);
    }
}

// What was inside is held as far outside: a body that moves must not take it along inside.
static void inside_is_held_outside(void) {
    WeftBodyPoint point = bind_to(&body, (WfVec){0.4, 0.97, 0.6});
    double place[3];
    weft_follow_body(&point, cube, faces, place);
    CHECK_NEAR(place[1], 1.03, 1e-12);
}

// Beside an edge it is not straight above, but no farther away than it was.
static void beside_edges(void) {
    WfVec x = {1.02, 1.03, 0.4};
    WeftBodyPoint point = bind_to(&body, x);
    double place[3];
    weft_follow_body(&point, cube, faces, place);
    CHECK_NEAR(wf_length(wf_sub(wf_load(place, 0), (WfVec){1, 1, 0.4})), point.lift, 1e-12);
}

// Unless it is fitted: then it is where it was, be it beside an edge, a corner, inside or far away;
// but for slivers, which would throw it about.
static void fitted_exactly(void) {
    static const WfVec points[] = {
        {1.02, 1.03, 0.4}, {-0.3, 1.2, 1.1}, {0.4, 0.98, 0.3}, {4, 5, -6}};
    for (int i = 0; i < 4; i++) {
        WeftBodyPoint point = bind_to(&body, points[i]);
        double place[3];
        wf_fit_bind(&body, points[i], &point);
        weft_follow_body(&point, cube, faces, place);
        CHECK_BELOW(wf_length(wf_sub(wf_load(place, 0), points[i])), 1e-12);
    }
    static const double thin[9] = {0, 0, 0, 1, 0, 0, 1, 1e-9, 0}, none[9] = {0};
    static const int one[3] = {0, 1, 2};
    for (int k = 0; k < 2; k++) {
        WfBody sliver = {3, 1, k ? none : thin, one};
        WeftBodyPoint point = bind_to(&sliver, (WfVec){0.5, 0.2, 0.1}), before = point;
        wf_fit_bind(&sliver, (WfVec){0.5, 0.2, 0.1}, &point);
        CHECK(memcmp(&point, &before, sizeof point) == 0);
    }
}

// A trunk, and an arm beside it: what hangs between them and faces outwards is the trunk's.
static void as_it_faces(void) {
    static const double facing[9] = {1, 0, 0, -1, 0, 0, 0, 1, 0};
    static const double feet[3] = {1, 1.5, 1.5};
    double two[48], points[9];
    int both[72];
    for (int i = 0; i < 24; i++) two[i] = cube[i], two[24 + i] = cube[i] + (i % 3 == 0 ? 1.5 : 0);
    for (int i = 0; i < 36; i++) both[i] = faces[i], both[36 + i] = faces[i] + 8;
    WfBody with_arm = {16, 24, two, both};
    WeftAllocator allocator = wf_allocator(NULL);
    WeftBodyPoint binds[3] = {{.vertex = 0}, {.vertex = 1}, {.vertex = 2}};
    // the last faces where there is nothing of either
    for (int i = 0; i < 3; i++) wf_store(points, i, (WfVec){1.4, 0.5, 0.5});
    CHECK(wf_bind_points(&allocator, &with_arm, points, facing, 3, binds) == WEFT_OK);
    for (int i = 0; i < 3; i++) {
        WfVec at = wf_bound_point(&with_arm, &binds[i]);
        CHECK_BELOW(wf_length(wf_sub(at, (WfVec){feet[i], 0.5, 0.5})), 1e-12);
        CHECK_NEAR(binds[i].lift, fabs(1.4 - feet[i]), 1e-12);
    }
}

static void no_memory(void) {
    Counting counting = {.fail_at = 1};
    WeftAllocator allocator = counting_allocator(&counting);
    WeftBodyPoint point = {0};
    CHECK(wf_bind_points(&allocator, &body, cube, NULL, 1, &point) == WEFT_ERROR_MEMORY);
    CHECK(wf_bind_points(&allocator, &body, cube, NULL, 0, NULL) == WEFT_OK);
    CHECK(counting.live == 0);
}

TEST_MAIN(CASE(nearest_points), CASE(random_points), CASE(thin_triangles), CASE(follows),
          CASE(inside_is_held_outside), CASE(beside_edges), CASE(fitted_exactly), CASE(as_it_faces),
          CASE(no_memory))
