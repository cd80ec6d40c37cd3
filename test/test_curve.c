// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards mesh/curve.c: sides become evenly spaced points that lie on them.

#include "mesh/curve.h"

#include "mesh_test.h"

static TestMemory memory = {.fail_at = -1};
static WeftError error;

static WeftResult create(const WeftSide* sides, int count, double edge, WfBoundary* boundary) {
    WeftAllocator allocator = test_allocator(&memory);
    WeftLoop loop = {count, sides};
    WeftOutlineDef def = {.loop_count = 1, .loops = &loop, .edge = edge};
    return wf_boundary_create(&allocator, &def, NULL, 100000, boundary, &error);
}

static void destroy(WfBoundary* boundary) {
    WeftAllocator allocator = test_allocator(&memory);
    wf_boundary_destroy(&allocator, boundary);
    CHECK(memory.live == 0);
}

static double gap(const WfBoundary* b, int i) {
    int j = b->successor[i];
    return hypot(b->points[j].u - b->points[i].u, b->points[j].v - b->points[i].v);
}

static void straight_sides(void) {
    WeftSide sides[] = {{.end = {3, 0}}, {.end = {0, 4}}, {.end = {0, 0}}};
    WfBoundary b;
    CHECK(create(sides, 3, 0.5, &b) == WEFT_OK);
    CHECK(b.count == 6 + 10 + 8);
    int starts[] = {0, 6, 16};
    for (int s = 0; s < 3; s++) {
        CHECK(b.points[starts[s]].side == s);
        CHECK(b.points[starts[s]].u == sides[(s + 2) % 3].end[0]);
        CHECK(b.points[starts[s]].v == sides[(s + 2) % 3].end[1]);
    }
    for (int i = 0; i < b.count; i++) {
        CHECK(b.successor[i] == (i + 1) % b.count);
        CHECK_NEAR(gap(&b, i), 0.5, 1e-12);
    }
    destroy(&b);
}

// Arcs of every size, bulging to the right of the way from (-1, 0) to (1, 0), which is down.
static void arcs(void) {
    static const double bulges[] = {1e-9, 0.1, 0.41421356, 1, 3, 40, -0.5, -7};
    for (int i = 0; i < 8; i++) {
        double bulge = bulges[i], r = (1 + bulge * bulge) / (2 * fabs(bulge));
        double centre = bulge > 0 ? r - bulge : -bulge - r;
        double theta = 4 * atan(fabs(bulge));
        WeftSide sides[] = {{.end = {1, 0}, .bulge = bulge}, {.end = {-1, 0}}};
        WfBoundary b;
        CHECK(create(sides, 2, r * theta / 100, &b) == WEFT_OK);
        int n = 0;
        double least = 1e300, most = 0;
        for (; b.points[n].side == 0; n++) {
            CHECK_NEAR(hypot(b.points[n].u, b.points[n].v - centre) / r, 1, 1e-12);
            least = fmin(least, gap(&b, n)), most = fmax(most, gap(&b, n));
        }
        CHECK(n == 100);
        CHECK_BELOW(most / least, 1.001);
        CHECK_NEAR(b.points[50].v, -bulge, 1e-9 * r);
        CHECK(b.points[n].u == 1 && b.points[n].v == 0);
        destroy(&b);
    }
}

// A quadratic with uneven speed: even points, on the parabola v = u^2.
static void beziers(void) {
    WeftSide parabola[] = {{.end = {1, 1}, .control_count = 1, .control = {{0.5, 0}}},
                           {.end = {0, 0}}};
    WfBoundary b;
    CHECK(create(parabola, 2, 0.02, &b) == WEFT_OK);
    double length = sqrt(5) / 2 + asinh(2) / 4;
    int n = (int)(length / 0.02 + 0.5);
    CHECK(b.points[n].side == 1 && b.points[n - 1].side == 0);
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(b.points[i].v, b.points[i].u * b.points[i].u, 1e-12);
        CHECK_NEAR(gap(&b, i), length / n, 1e-4 * length / n + 1e-5 * length / n);
    }
    destroy(&b);
    // a cubic that is a straight line at uneven speed
    WeftSide line[] = {{.end = {1, 0}, .control_count = 2, .control = {{0.1, 0}, {0.2, 0}}},
                       {.end = {0, 1}},
                       {.end = {0, 0}}};
    CHECK(create(line, 3, 0.1, &b) == WEFT_OK);
    for (int i = 0; i < 10; i++) {
        CHECK_NEAR(b.points[i].u, 0.1 * i, 1e-4);
        CHECK_NEAR(b.points[i].v, 0, 1e-15);
    }
    destroy(&b);
}

static void coarse_curves_keep_their_shape(void) {
    WeftSide disc[] = {{.end = {1, 0}, .bulge = 1}, {.end = {-1, 0}, .bulge = 1}};
    WfBoundary b;
    CHECK(create(disc, 2, 100, &b) == WEFT_OK);
    CHECK(b.count == 6);
    destroy(&b);
}

static void refuse(const WeftSide* sides, int count, double edge, const char* words) {
    WfBoundary b;
    CHECK(create(sides, count, edge, &b) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, words);
    CHECK(memory.live == 0 && b.points == NULL);
}

static void bad_sides(void) {
    WeftSide good[] = {{.end = {1, 0}}, {.end = {0, 1}}, {.end = {0, 0}}};
    refuse(good, 3, 0, "an edge of 0 m is not a length");
    refuse(good, 3, NAN, "is not a length");
    refuse(good, 3, 1e-7, "make more than 100000 vertices");
    refuse(good, 0, 1, "the outline has no sides");
    refuse(good, 1, 1, "the outline has one side");
    refuse(good, 2, 1, "the outline has only two sides, both straight");
    WeftSide bad[3];
    memcpy(bad, good, sizeof good);
    bad[1].end[1] = NAN;
    refuse(bad, 3, 1, "side 1 of the outline holds something that is no number");
    bad[1].end[1] = 1e9;
    refuse(bad, 3, 1, "side 1 of the outline holds something that is no number below 1e+06");
    memcpy(bad, good, sizeof good);
    bad[2].control_count = 3;
    refuse(bad, 3, 1, "side 2 of the outline has 3 control points");
    bad[2].control_count = 1, bad[2].control[0][0] = INFINITY;
    refuse(bad, 3, 1, "side 2 of the outline holds");
    memcpy(bad, good, sizeof good);
    bad[1] = bad[0];
    refuse(bad, 3, 1, "side 1 of the outline has no length");
    memcpy(bad, good, sizeof good);
    bad[0].bulge = NAN;
    refuse(bad, 3, 1, "side 0 of the outline holds");
}

static void hole_by_name(void) {
    WeftSide good[] = {{.end = {1, 0}}, {.end = {0, 1}}, {.end = {0, 0}}};
    WeftLoop loops[] = {{3, good}, {3, good}, {0, NULL}};
    WeftOutlineDef def = {.loop_count = 3, .loops = loops, .edge = 1};
    WeftAllocator allocator = test_allocator(&memory);
    WfBoundary b;
    CHECK(wf_boundary_create(&allocator, &def, NULL, 1000, &b, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "hole 2 has no sides");
}

static void every_allocation(void) {
    WeftSide good[] = {{.end = {1, 0}}, {.end = {0, 1}}, {.end = {0, 0}}};
    WfBoundary b;
    for (int n = 0; n < 2; n++) {
        memory = (TestMemory){.fail_at = n};
        CHECK(create(good, 3, 0.1, &b) == WEFT_ERROR_MEMORY);
        CHECK(memory.live == 0 && b.points == NULL);
    }
    memory = (TestMemory){.fail_at = -1};
}

TEST_MAIN(CASE(straight_sides), CASE(arcs), CASE(beziers), CASE(coarse_curves_keep_their_shape),
          CASE(bad_sides), CASE(hole_by_name), CASE(every_allocation))
