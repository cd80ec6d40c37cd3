// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the measures of bodies: girths and heights of bodies made of known tubes, in any pose,
// place, unit and state of repair; and that what cannot be measured is refused by a sentence.

#include "body_test.h"
#include "counting.h"
#include "weft/weft_garment.h"

static WeftError last;

static WeftResult measure(const TestBody* body, WeftMeasures* out) {
    last = (WeftError){0};
    return weft_measure_body(body->positions, body->vertex_count, body->triangles,
                             body->triangle_count, NULL, out, &last);
}

// As make_test_body says.
static void check_measures(const WeftMeasures* m, double degrees, double wide, double size) {
    CHECK_NEAR(m->height, 1.75 * size, 1e-6);
    CHECK_NEAR(m->crotch_height, 0.80 * size, 0.012 * size);
    CHECK_NEAR(m->waist, size * ring_girth(0.13 * wide, 0.10 * wide), 0.012 * size * wide);
    CHECK_NEAR(m->waist_height, 1.10 * size, 0.02 * size);
    CHECK_NEAR(m->hips, size * ring_girth(0.18 * wide, 0.12 * wide), 0.012 * size * wide);
    CHECK_NEAR(m->hip_height, 0.90 * size, 0.02 * size);
    CHECK_NEAR(m->chest, size * ring_girth(0.16 * wide, 0.125 * wide), 0.03 * size * wide);
    CHECK_NEAR(m->chest_width, size * 0.32 * wide, 0.015 * size * wide);
    CHECK_NEAR(m->hip_depth, size * 0.24 * wide, 0.01 * size * wide);
    CHECK_NEAR(m->neck, size * ring_girth(0.055, 0.055), 0.02 * size);
    CHECK_NEAR(m->neck_height, 1.51 * size, 0.02 * size);
    CHECK_NEAR(m->wrist, size * ring_girth(0.026, 0.026), 0.015 * size);
    CHECK_NEAR(m->arm_angle, degrees, 2);
    CHECK_NEAR(m->arm_length, 0.49 * size, 0.06 * size);
    CHECK_NEAR(m->ankle, size * ring_girth(0.035, 0.035), 0.02 * size);
    CHECK(m->armpit_height > 1.22 * size && m->armpit_height < 1.38 * size);
    CHECK(m->shoulder_height > m->armpit_height && m->shoulder_height < m->neck_height);
    CHECK(m->shoulder[0] > 0.1 * size && m->wrist_at[0] > m->shoulder[0]);
    CHECK(m->thigh > m->knee && m->knee > m->ankle && m->upper_arm > m->wrist);
}

static void poses(void) {
    static const double angles[] = {0, 20, 40, 55};
    for (int i = 0; i < 4; i++) {
        TestBody* body = make_test_body(angles[i], 1, true, true);
        WeftMeasures m = {0};
        CHECK(measure(body, &m) == WEFT_OK);
        CHECK_TEXT(last.message, "");
        check_measures(&m, angles[i], 1, 1);
        free(body);
    }
}

static void builds(void) {
    static const double widths[] = {0.85, 1.3};
    for (int i = 0; i < 2; i++) {
        TestBody* body = make_test_body(40, widths[i], true, true);
        WeftMeasures m = {0};
        CHECK(measure(body, &m) == WEFT_OK);
        check_measures(&m, 40, widths[i], 1);
        free(body);
    }
}

// Mannequins have the measures that they were made by.
static void mannequins(void) {
    for (int kind = 0; kind < 3; kind++) {
        static const double wanted[3][4] = {
            {1.7, 0.92, 0.74, 0.98}, {1.8, 1.02, 0.88, 1.0}, {1.3, 0.65, 0.58, 0.69}};
        WeftMannequinDef def = weft_default_mannequin_def((WeftMannequinKind)kind);
        WeftFigure figure = {0};
        WeftMeasures m = {0};
        def.height = wanted[kind][0], def.chest = wanted[kind][1];
        def.waist = wanted[kind][2], def.hips = wanted[kind][3];
        CHECK(weft_make_mannequin(&def, NULL, &figure, &last) == WEFT_OK);
        CHECK(weft_measure_body(figure.positions, figure.vertex_count, figure.triangles,
                                figure.triangle_count, NULL, &m, &last) == WEFT_OK);
        CHECK_NEAR(m.height, def.height, 0.005 * def.height);
        CHECK_NEAR(m.chest, def.chest, 0.03 * def.chest);
        CHECK_NEAR(m.waist, def.waist, 0.015 * def.waist);
        CHECK_NEAR(m.hips, def.hips, 0.015 * def.hips);
        weft_destroy_figure(&figure);
    }
}

static void change(TestBody* body, double scale, double x, double y, double z) {
    double move[3] = {x, y, z};
    for (int i = 0; i < 3 * body->vertex_count; i++)
        body->positions[i] = scale * body->positions[i] + move[i % 3];
}

// A child, somewhere.
static void places_and_sizes(void) {
    TestBody* body = make_test_body(40, 1, true, true);
    WeftMeasures m = {0};
    change(body, 0.6, 3, -7, 2);
    CHECK(measure(body, &m) == WEFT_OK);
    CHECK_NEAR(m.floor, -7, 1e-9);
    CHECK_NEAR(m.centre[0], 3, 0.005);
    CHECK_NEAR(m.centre[1], 2, 0.005);
    change(body, 1, -3, 7, -2);
    CHECK(measure(body, &m) == WEFT_OK);
    check_measures(&m, 40, 1, 0.6);
    free(body);
}

static void units(void) {
    static const struct {
        double scale;
        const char* words;
    } cases[] = {{100, "the body is 175 m high: it is probably in centimetres; scale it by 0.01"},
                 {1000, "probably in millimetres; scale it by 0.001"},
                 {39.37, "probably in inches"},
                 {0.001, "the body is 0.00175 m high: metres were probably taken for millimetres"},
                 {0.01, "metres were probably taken for centimetres; scale it by 100"},
                 {1e7, "no body is"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TestBody* body = make_test_body(40, 1, true, true);
        WeftMeasures m = {0};
        change(body, cases[i].scale, 0, 0, 0);
        CHECK(measure(body, &m) == WEFT_ERROR_INPUT);
        CHECK_TEXT(last.message, cases[i].words);
        free(body);
    }
}

// ---------------------------------------------------------------------------------------------
// Bodies in pieces

// Every triangle with three vertices of its own, as files with normals have them.
static void split_vertices(void) {
    TestBody* body = make_test_body(40, 1, true, true);
    WeftMeasures whole = {0}, split = {0};
    CHECK(measure(body, &whole) == WEFT_OK);
    int corners = 3 * body->triangle_count;
    double* positions = malloc((size_t)corners * 3 * sizeof *positions);
    int* triangles = malloc((size_t)corners * sizeof *triangles);
    for (int i = 0; i < corners; i++) {
        triangles[i] = i;
        memcpy(positions + 3 * i, body->positions + 3 * body->triangles[i], 3 * sizeof(double));
    }
    CHECK(weft_measure_body(positions, corners, triangles, corners / 3, NULL, &split, &last) ==
          WEFT_OK);
    for (int i = 0; weft_measure_name(i); i++)
        CHECK_NEAR(weft_measure_value(&split, i), weft_measure_value(&whole, i), 1e-3);
    free(positions);
    free(triangles);
    free(body);
}

// Every thirtieth triangle is missing: loops are curves, but their tapes are as before.
static void holes(void) {
    TestBody* body = make_test_body(40, 1, true, true);
    WeftMeasures m = {0};
    int kept = 0;
    for (int t = 0; t < body->triangle_count; t++) {
        if (t % 30 == 7) continue;
        memmove(body->triangles + 3 * kept++, body->triangles + 3 * t, 3 * sizeof(int));
    }
    body->triangle_count = kept;
    CHECK(measure(body, &m) == WEFT_OK);
    check_measures(&m, 40, 1, 1);
    free(body);
}

// Eyes, a bracelet, and hair that stands away from the head.
static void parts(void) {
    TestBody* body = make_test_body(40, 1, true, true);
    WeftMeasures m = {0};
    for (int side = -1; side <= 1; side += 2)
        ADD_TUBE(body, {side * 0.03, 1.63, 0.08, 0.01, 0.01},
                 {side * 0.03, 1.65, 0.08, 0.01, 0.01});
    ADD_TUBE(body, {0.5, 0.3, 0.5, 0.01, 0.01}, {0.5, 1.3, 0.5, 0.01, 0.01});
    CHECK(measure(body, &m) == WEFT_OK);
    check_measures(&m, 40, 1, 1);
    free(body);
}

// One arm is missing: that of the other side stands for it.
static void one_arm(void) {
    TestBody* body = make_test_body(40, 1, true, true);
    WeftMeasures m = {0};
    int kept = 0;
    for (int t = 0; t < body->triangle_count; t++) {
        bool left = false;
        for (int k = 0; k < 3; k++)
            left = left || body->positions[3 * body->triangles[3 * t + k]] > 0.22;
        if (!left) memmove(body->triangles + 3 * kept++, body->triangles + 3 * t, 3 * sizeof(int));
    }
    body->triangle_count = kept;
    CHECK(measure(body, &m) == WEFT_OK);
    CHECK_NEAR(m.arm_angle, 40, 2);
    CHECK(m.shoulder[0] > 0.1 && m.wrist_at[0] > 0.4);
    free(body);
}

// ---------------------------------------------------------------------------------------------
// Refusals

static void refuse(TestBody* body, const char* words) {
    WeftMeasures m = {.height = -1};
    CHECK(measure(body, &m) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, words);
    CHECK(m.height == -1);
    free(body);
}

static void what_is_missing(void) {
    TestBody* skirt = make_test_body(40, 1, true, false);
    ADD_TUBE(skirt, {0, 0, 0, 0.3, 0.3}, {0, 0.9, 0, 0.17, 0.12});
    refuse(skirt, "the legs cannot be told apart: no height has two loops");
    refuse(make_test_body(40, 1, false, true), "the arms cannot be told from the trunk");
    TestBody* ball = calloc(1, sizeof *ball);
    ADD_TUBE(ball, {0, 0, 0, 0.1, 0.1}, {0, 0.5, 0, 0.5, 0.5}, {0, 1, 0, 0.1, 0.1});
    refuse(ball, "the legs cannot be told apart");
}

static void nonsense(void) {
    TestBody* body = make_test_body(40, 1, true, true);
    body->triangles[30] = body->vertex_count;
    refuse(body, "triangle 10 of the body has vertex");
    body = make_test_body(40, 1, true, true);
    body->positions[31] = NAN;
    refuse(body, "vertex 10 of the body is nowhere");
    body = make_test_body(40, 1, true, true);
    body->triangle_count = 0;
    refuse(body, "no triangles");
}

static void out_of_memory(void) {
    TestBody* body = make_test_body(40, 1, true, true);
    for (long fail_at = 1; fail_at < 60; fail_at++) {
        Counting counting = {.fail_at = fail_at};
        WeftAllocator allocator = counting_allocator(&counting);
        WeftMeasures m = {0};
        WeftResult result = weft_measure_body(body->positions, body->vertex_count, body->triangles,
                                              body->triangle_count, &allocator, &m, &last);
        CHECK(counting.live == 0);
        CHECK(result == (counting.calls >= fail_at ? WEFT_ERROR_MEMORY : WEFT_OK));
        if (!result) break;
    }
    free(body);
}

static void names(void) {
    WeftMeasures m = {.height = 1.75, .chest = 0.9, .arm_angle = 40};
    int count = 0, known = 0;
    for (; weft_measure_name(count); count++) {
        const char* name = weft_measure_name(count);
        double value = weft_measure_value(&m, count);
        known += (strcmp(name, "height") == 0 && value == 1.75) ||
                 (strcmp(name, "chest") == 0 && value == 0.9) ||
                 (strcmp(name, "arm_angle") == 0 && value == 40);
    }
    CHECK(count == 28 && known == 3);
    CHECK(!weft_measure_name(-1) && isnan(weft_measure_value(&m, count)));
}

TEST_MAIN(CASE(poses), CASE(builds), SLOW_CASE(mannequins), CASE(places_and_sizes), CASE(units),
          CASE(split_vertices), CASE(holes), CASE(parts), CASE(one_arm), CASE(what_is_missing),
          CASE(nonsense), CASE(out_of_memory), CASE(names))
