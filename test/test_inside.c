// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards audit/inside.c: which vertices are inside of what is closed, exactly, for rays through
// edges and corners as well; holes, open and inverted bodies have no inside; planes have one side.

#include "contact_test.h"
#include "counting.h"
#include "weft/weft_io.h"

enum { MOST = 4000 };

// Points in threes, as triangles of cloth.
typedef struct Points {
    int count;
    double x[3 * MOST];
    int triangles[MOST];
} Points;

static Points points;

static WeftSurface cloth_of(int count) {
    points.count = count / 3 * 3;
    for (int i = 0; i < points.count; i++) points.triangles[i] = i;
    return (WeftSurface){points.count, points.x, points.count / 3, points.triangles, false};
}

static const double cube[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                                0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
static const int cube_triangles[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};

static int count_in(WeftSurface cloth, WeftSurface body, bool plane) {
    const WeftSurface surfaces[2] = {cloth, body};
    const bool planes[2] = {false, plane};
    WeftInside inside[2] = {{0}};
    int count = -1;
    CHECK(weft_find_inside(surfaces, 2, planes, NULL, 2, inside, &count, NULL) == WEFT_OK);
    if (count == 0) return 0;
    CHECK(count == 1 && inside[0].surface == 0 && inside[0].body == 1);
    return inside[0].vertex_count;
}

// A lattice of quarters: inner points are inside; those on faces, edges and corners are not. Rays
// go through edges and corners everywhere.
static void lattice_in_a_cube(void) {
    int count = 0;
    for (int i = -1; i <= 5; i++)
        for (int j = -1; j <= 5; j++)
            for (int k = -1; k <= 5; k++, count++)
                wf_store(points.x, count, (WfVec){i / 4.0, j / 4.0, k / 4.0});
    while (count % 3) wf_store(points.x, count++, (WfVec){9, 9, 9});
    WeftSurface body = {8, cube, 12, cube_triangles, true};
    CHECK(count_in(cloth_of(count), body, false) == 27);
    body.triangle_count = 11;
    CHECK(count_in(cloth_of(count), body, false) == 0);
    int turned[36];
    for (int i = 0; i < 36; i++) turned[i] = cube_triangles[i / 3 * 3 + 2 - i % 3];
    body = (WeftSurface){8, cube, 12, turned, true};
    CHECK(count_in(cloth_of(count), body, false) == 0);
}

// A ring of square cross-section, in which vertices on seams are there twice or more.
static void ring_by_lot(void) {
    enum { SIDES = 16 };
    static double x[3 * 24 * SIDES];
    static int triangles[24 * SIDES];
    int inside = 0, count = 0, v = 0;
    for (int i = 0; i < SIDES; i++)
        for (int k = 0; k < 4; k++, v += 6) {
            static const double corners[4][2] = {{1, 0}, {2, 0}, {2, 1}, {1, 1}};
            WfVec p[4];
            for (int c = 0; c < 4; c++) {
                int side = (i + (c == 1 || c == 2)) % SIDES, corner = (k + (c > 1)) % 4;
                double angle = 2 * 3.14159265358979323846 * side / SIDES;
                p[c] = (WfVec){corners[corner][0] * cos(angle), corners[corner][1],
                               -corners[corner][0] * sin(angle)};
            }
            const int order[6] = {0, 1, 2, 0, 2, 3};
            for (int c = 0; c < 6; c++) {
                wf_store(x, v + c, p[order[c]]);
                triangles[v + c] = v + c;
            }
        }
    random_state = 5;
    while (count < 3000) {
        WfVec p = random_vec(2.2);
        double far = wf_flat_length(p.x, p.z);
        if (fabs(far - 1) < 0.05 || fabs(far - 2) < 0.05) continue;  // facets
        inside += far > 1 && far < 2 && p.y > 0 && p.y < 1;
        wf_store(points.x, count++, p);
    }
    WeftSurface body = {v, x, v / 3, triangles, true};
    CHECK(inside > 100);
    CHECK(count_in(cloth_of(count), body, false) == inside);
}

static void planes(void) {
    static const double square[12] = {-1, 0, 1, 1, 0, 1, 1, 0, -1, -1, 0, -1};
    static const int triangles[6] = {0, 1, 2, 0, 2, 3};
    static const double x[9] = {50, -1e-9, 3, 0, 0, 0, 0, 1e-9, 0};
    memcpy(points.x, x, sizeof x);
    WeftSurface body = {4, square, 2, triangles, true};
    CHECK(count_in(cloth_of(3), body, true) == 1);
    CHECK(count_in(cloth_of(3), body, false) == 0);
}

static void several(void) {
    for (int i = 0; i < 3; i++) wf_store(points.x, i, (WfVec){0.5, 0.5, 0.1 + 0.2 * i});
    WeftSurface cloth = cloth_of(3), body = {8, cube, 12, cube_triangles, true};
    const WeftSurface surfaces[5] = {cloth, body, {0}, cloth, body};
    WeftInside inside[3];
    int count = 0;
    CHECK(weft_find_inside(surfaces, 5, NULL, NULL, 3, inside, &count, NULL) == WEFT_OK);
    CHECK(count == 4);
    CHECK(inside[0].surface == 0 && inside[0].body == 1 && inside[0].first == 0);
    CHECK(inside[1].surface == 3 && inside[1].body == 1 && inside[2].body == 4);
    CHECK(weft_find_inside(NULL, 0, NULL, NULL, 0, NULL, &count, NULL) == WEFT_OK && count == 0);
}

static void bad_numbers_and_no_memory(void) {
    WeftError error = {0};
    WeftSurface surfaces[2] = {cloth_of(3), {8, cube, 12, cube_triangles, true}};
    int count = 0;
    for (int fail = 1;; fail++) {
        Counting counting = {.fail_at = fail};
        WeftAllocator allocator = counting_allocator(&counting);
        WeftResult result =
            weft_find_inside(surfaces, 2, NULL, &allocator, 0, NULL, &count, &error);
        CHECK(counting.live == 0);
        if (result == WEFT_OK) break;
        CHECK(result == WEFT_ERROR_MEMORY && count == 0);
    }
    points.x[4] = NAN;
    CHECK(weft_find_inside(surfaces, 2, NULL, NULL, 0, NULL, &count, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "surface 0: vertex 1 is not finite");
}

TEST_MAIN(CASE(lattice_in_a_cube), CASE(ring_by_lot), CASE(planes), CASE(several),
          CASE(bad_numbers_and_no_memory))
