// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/figure_symmetry.c: bumps are as high as they were made, planes may lie anyhow, and
// meshes without pairs of vertices are judged by their surface; the walk is told from motions in
// which left and right do the same.

#include "base/memory.h"
#include "counting.h"
#include "garment/frame.h"
#include "mannequin_test.h"

enum { SIDES = 24, RINGS = 11, BALL = SIDES * RINGS + 2, BALL_TRIANGLES = 2 * SIDES * RINGS };
enum { FRAMES = 5, BUMP = SIDES * 4 + 3 };  // on the left, above the middle
#define PI 3.14159265358979324
#define RADIUS 0.5

static const WeftPlane middle = {.normal = {1, 0, 0}};

// A ball about y, whose one clip lets a bump grow and go again.
typedef struct Ball {
    WeftFigure figure;
    double x[3 * BALL], frames[3 * BALL * FRAMES];
    int triangles[3 * BALL_TRIANGLES];
    WeftClip clip;
} Ball;

static void add_triangle(Ball* b, int i, int j, int k) {
    int* t = b->triangles + 3 * (long)b->figure.triangle_count++;
    t[0] = i, t[1] = j, t[2] = k;
}

static void add_triangles(Ball* b) {
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < SIDES; k++) {
            int next = (k + 1) % SIDES, a = SIDES * i + k, c = SIDES * i + next;
            if (i == 0) add_triangle(b, BALL - 2, c, a);
            if (i == RINGS - 1) add_triangle(b, BALL - 1, a, c);
            if (i == RINGS - 1) continue;
            add_triangle(b, a, c, c + SIDES);
            add_triangle(b, a, c + SIDES, a + SIDES);
        }
}

// turn: degrees about y, by which vertices lose their pairs
static Ball* make_ball(double turn) {
    Ball* b = calloc(1, sizeof *b);
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < SIDES; k++) {
            double up = PI * (i + 1) / (RINGS + 1), angle = 2 * PI * k / SIDES + turn * PI / 180;
            wf_store(b->x, SIDES * i + k,
                     (WfVec){RADIUS * sin(up) * sin(angle), -RADIUS * cos(up),
                             RADIUS * sin(up) * cos(angle)});
        }
    wf_store(b->x, BALL - 2, (WfVec){0, -RADIUS, 0});
    wf_store(b->x, BALL - 1, (WfVec){0, RADIUS, 0});
    add_triangles(b);
    b->figure.vertex_count = BALL;
    b->figure.positions = b->x;
    b->figure.triangles = b->triangles;
    b->figure.clips = &b->clip;
    b->figure.clip_count = 1;
    b->figure.allocator = wf_allocator(NULL);
    return b;
}

static void raise_bump(double* x, double height) {
    WfVec p = wf_load(x, BUMP);
    wf_store(x, BUMP, wf_madd(p, height, wf_unit(p)));
}

static WeftFigureSymmetry measure(const WeftFigure* figure, int clip, double time,
                                  const WeftPlane* plane) {
    WeftFigureSymmetry symmetry = {0};
    CHECK(weft_measure_symmetry(figure, clip, time, plane, &symmetry, NULL) == WEFT_OK);
    return symmetry;
}

static void bump_of_known_height(void) {
    Ball* b = make_ball(0);
    CHECK_BELOW(measure(&b->figure, -1, 0, &middle).deviation, 1e-15);
    raise_bump(b->x, 0.03);
    WeftFigureSymmetry symmetry = measure(&b->figure, -1, 0, &middle);
    CHECK_NEAR(symmetry.deviation, 0.03, 1e-12);
    CHECK(symmetry.vertex == BUMP && symmetry.time == 0);
    free(b);
}

// The ball and the plane, turned and moved: the same; the normal may have any length.
static void planes_lie_anyhow(void) {
    Ball* b = make_ball(0);
    raise_bump(b->x, 0.03);
    WfFrame frame = {{0.3, 1.2, -2}, {0.36, 0.48, 0}, 0.8};
    for (int v = 0; v < BALL; v++) wf_store(b->x, v, wf_frame_apply(frame, wf_load(b->x, v)));
    WeftPlane plane;
    wf_store(plane.point, 0, wf_frame_apply(frame, (WfVec){0, 0.7, 0.4}));
    wf_store(plane.normal, 0, wf_frame_turn(frame, (WfVec){-7, 0, 0}));
    WeftFigureSymmetry symmetry = measure(&b->figure, -1, 0, &plane);
    CHECK_NEAR(symmetry.deviation, 0.03, 1e-12);
    CHECK(symmetry.vertex == BUMP);
    plane.point[0] += 10;  // beside the ball: its image is as far as it is wide, at least
    CHECK(measure(&b->figure, -1, 0, &plane).deviation > 2 * RADIUS);
    free(b);
}

// No vertex of a turned ball has an image, but their images lie on facets, up to what those are
// below the ball; a vertex in no triangle is not of the surface.
static void without_pairs(void) {
    Ball* b = make_ball(3.75);
    double edge = 2 * PI * RADIUS / SIDES, deep = edge * edge / (8 * RADIUS);
    double deviation = measure(&b->figure, -1, 0, &middle).deviation;
    CHECK(deviation > 0.3 * deep && deviation < 1.01 * deep);
    raise_bump(b->x, 0.03);
    CHECK_NEAR(measure(&b->figure, -1, 0, &middle).deviation, 0.03, 1.01 * deep);
    for (int i = 0; i < 3 * BALL_TRIANGLES; i++)
        if (b->triangles[i] == BUMP) b->triangles[i] = BUMP + 1;
    CHECK_BELOW(measure(&b->figure, -1, 0, &middle).deviation, edge);
    wf_store(b->x, BUMP, (WfVec){40, 0, 0});
    CHECK_BELOW(measure(&b->figure, -1, 0, &middle).deviation, edge);
    free(b);
}

static void worst_of_a_clip(void) {
    static const double heights[FRAMES] = {0, 0.01, 0.02, 0.04, 0.01};
    Ball* b = make_ball(0);
    b->clip = (WeftClip){.rate = 20, .frame_count = FRAMES, .positions = b->frames};
    for (int i = 0; i < FRAMES; i++) {
        memcpy(b->frames + 3 * BALL * i, b->x, sizeof b->x);
        raise_bump(b->frames + 3 * BALL * i, heights[i]);
    }
    WeftFigureSymmetry symmetry = measure(&b->figure, 0, -1, &middle);
    CHECK_NEAR(symmetry.deviation, 0.04, 1e-12);
    CHECK_NEAR(symmetry.time, 3 / 20.0, 1e-12);
    CHECK(symmetry.vertex == BUMP);
    symmetry = measure(&b->figure, 0, 1.5 / 20, &middle);
    CHECK_NEAR(symmetry.deviation, 0.015, 1e-12);
    CHECK(symmetry.time == 1.5 / 20);
    CHECK_BELOW(measure(&b->figure, -1, -1, &middle).deviation, 1e-15);
    free(b);
}

// ---------------------------------------------------------------------------------------------
// Mannequins

static WeftFigure small_child(void) {
    WeftMannequinDef def = weft_default_mannequin_def(WEFT_MANNEQUIN_CHILD);
    def.edge = 0.035;
    WeftFigure figure;
    CHECK(weft_make_mannequin(&def, NULL, &figure, NULL) == WEFT_OK);
    return figure;
}

static void symmetric_motions(void) {
    static const char* const clips[] = {"t_pose", "a_pose", "arms_down", "hop", "squat"};
    WeftFigure figure = small_child();
    CHECK(measure(&figure, -1, 0, &middle).deviation == 0);
    for (int i = 0; i < 5; i++) {
        WeftFigureSymmetry symmetry =
            measure(&figure, weft_find_clip(&figure, clips[i]), -1, &middle);
        CHECK(symmetry.deviation == 0 && symmetry.vertex == -1);
    }
    weft_destroy_figure(&figure);
}

// A foot is ahead by half a stride; who turns by a quarter holds his hands before and behind him.
static void other_motions(void) {
    WeftFigure figure = small_child();
    int walk = weft_find_clip(&figure, "walk"), turn = weft_find_clip(&figure, "turn");
    WeftFigureSymmetry symmetry = measure(&figure, walk, -1, &middle);
    CHECK(symmetry.deviation > 0.15 && symmetry.deviation < 0.6);
    CHECK_NEAR(measure(&figure, walk, symmetry.time, &middle).deviation, symmetry.deviation, 1e-12);
    symmetry = measure(&figure, turn, -1, &middle);
    CHECK(symmetry.deviation > 0.05 && symmetry.time > 0);
    CHECK(measure(&figure, turn, 0, &middle).deviation == 0);
    weft_destroy_figure(&figure);
}

static double distance_to_all(const WeftFigure* figure, const double* x, WfVec p) {
    double best = HUGE_VAL;
    for (int t = 0; t < figure->triangle_count; t++) {
        const int* v = figure->triangles + 3 * (long)t;
        best =
            fmin(best, point_to_triangle(p, wf_load(x, v[0]), wf_load(x, v[1]), wf_load(x, v[2])));
    }
    return best;
}

static void as_by_trying_all(void) {
    WeftFigure figure = small_child();
    WeftPlane plane = {.point = {0.02, 0, 0.1}, .normal = {1, 0.2, -0.3}};
    WfVec n = wf_unit(wf_load(plane.normal, 0)), at = wf_load(plane.point, 0);
    double *x = pose_at(&figure, "walk", 0.3), worst = 0;
    for (int v = 0; v < figure.vertex_count; v++) {
        WfVec p = wf_load(x, v);
        p = wf_madd(p, -2 * wf_dot(wf_sub(p, at), n), n);
        worst = fmax(worst, distance_to_all(&figure, x, p));
    }
    int walk = weft_find_clip(&figure, "walk");
    CHECK_NEAR(measure(&figure, walk, 0.3, &plane).deviation, worst, 1e-12);
    free(x);
    weft_destroy_figure(&figure);
}

// ---------------------------------------------------------------------------------------------

static void refusals(void) {
    Ball* b = make_ball(0);
    WeftError error = {0};
    WeftFigureSymmetry symmetry;
    WeftPlane flat = {{0, 0, 0}, {0, 0, 0}}, none = {{0, 0, 0}, {NAN, 0, 0}};
    CHECK(weft_measure_symmetry(&b->figure, -1, 0, &flat, &symmetry, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "normal");
    CHECK(weft_measure_symmetry(&b->figure, -1, 0, &none, &symmetry, NULL) == WEFT_ERROR_INPUT);
    b->figure.triangle_count = 0;
    CHECK(weft_measure_symmetry(&b->figure, -1, 0, &middle, &symmetry, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "no triangles");
    free(b);
}

static void refuses(const WeftFigure* figure, int clip, double time, const WeftPlane* plane,
                    const char* why) {
    WeftError error = {0};
    WeftFigureSymmetry symmetry;
    CHECK(weft_measure_symmetry(figure, clip, time, plane, &symmetry, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, why);
}

static void refuses_what_is_not_there(void) {
    WeftFigure figure = small_child();
    WeftPlane nowhere = {{NAN, 0, 0}, {1, 0, 0}}, far = {{0, INFINITY, 0}, {1, 0, 0}};
    WeftPlane endless = {{0, 0, 0}, {INFINITY, 0, 0}};
    int clips[] = {99, -7, figure.clip_count};
    for (int k = 0; k < 3; k++)
        for (int time = -1; time < 2; time++) refuses(&figure, clips[k], time, &middle, "clip");
    refuses(&figure, 0, NAN, &middle, "time");
    refuses(&figure, 0, INFINITY, &middle, "time");
    refuses(&figure, -1, 0, &nowhere, "point");
    refuses(&figure, -1, 0, &far, "point");
    refuses(&figure, -1, 0, &endless, "normal");
    int corner = figure.triangles[5];
    figure.triangles[5] = 99999999;
    refuses(&figure, -1, 0, &middle, "triangle 1 names vertex 99999999");
    figure.triangles[5] = -1;
    refuses(&figure, -1, 0, &middle, "vertex -1");
    figure.triangles[5] = corner;
    figure.positions[5] = NAN;
    refuses(&figure, -1, 0, &middle, "vertex 1");
    weft_destroy_figure(&figure);
}

static void fails_without_memory(void) {
    Ball* b = make_ball(0);
    WeftResult result = WEFT_ERROR_MEMORY;
    int n = 1;
    for (; n < 20 && result; n++) {
        Counting counting = {.fail_at = n};
        b->figure.allocator = counting_allocator(&counting);
        WeftFigureSymmetry symmetry;
        WeftError error = {0};
        result = weft_measure_symmetry(&b->figure, -1, 0, &middle, &symmetry, &error);
        if (result) CHECK_TEXT(error.message, "memory");
        CHECK(counting.live == 0);
    }
    CHECK(n > 4 && n < 20);
    free(b);
}

TEST_MAIN(CASE(bump_of_known_height), CASE(planes_lie_anyhow), CASE(without_pairs),
          CASE(worst_of_a_clip), SLOW_CASE(symmetric_motions), SLOW_CASE(other_motions),
          CASE(as_by_trying_all), CASE(refusals), CASE(refuses_what_is_not_there),
          CASE(fails_without_memory))
