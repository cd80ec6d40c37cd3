// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the cutting of polygons: triangles cover them once, whatever their shape and plane.

#include "io/polygon.h"

#include "base/vec.h"
#include "test.h"

static WfVec triangle_normal(const double* points, const int* t) {
    WfVec a = wf_load(points, t[0]), b = wf_load(points, t[1]), c = wf_load(points, t[2]);
    return wf_cross(wf_sub(b, a), wf_sub(c, a));
}

// (x, y) into a slanted plane
static void place(const double* flat, int count, double* points) {
    for (int i = 0; i < count; i++) {
        double x = flat[2 * i], y = flat[2 * i + 1];
        points[3 * i] = 1 + (2 * x - 2 * y) / 3;
        points[3 * i + 1] = (x + 2 * y) / 3;
        points[3 * i + 2] = -2 + (2 * x + y) / 3;
    }
}

// All triangles turn one way and their areas sum to the polygon's: they cover it, none twice.
static void check_cover(const double* flat, int count, int* triangles) {
    static double points[3 * WF_POLYGON_CORNERS];
    place(flat, count, points);
    wf_cut_polygon(points, count, triangles);
    WfVec whole = {0, 0, 0};
    for (int i = 0; i < count; i++)
        whole = wf_add(whole, wf_cross(wf_load(points, i), wf_load(points, (i + 1) % count)));
    double total = 0, smallest = 0;
    for (int t = 0; t < count - 2; t++) {
        double area = wf_dot(triangle_normal(points, triangles + 3 * t), whole) / wf_length(whole);
        total += area;
        if (t == 0 || area < smallest) smallest = area;
    }
    CHECK_NEAR(total, wf_length(whole), 1e-9 * wf_length(whole));
    CHECK(smallest > 0);
}

static bool has_edge(const int* triangles, int count, int a, int b) {
    for (int i = 0; i < 3 * (count - 2); i++) {
        int p = triangles[i], q = triangles[i % 3 == 2 ? i - 2 : i + 1];
        if ((p == a && q == b) || (p == b && q == a)) return true;
    }
    return false;
}

static void triangle_stays(void) {
    double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    int triangles[3];
    wf_cut_polygon(points, 3, triangles);
    CHECK(triangles[0] == 0 && triangles[1] == 1 && triangles[2] == 2);
}

static void square_is_cut_like_a_fan(void) {
    double flat[8] = {0, 0, 1, 0, 1, 1, 0, 1};
    int triangles[6];
    check_cover(flat, 4, triangles);
    CHECK(has_edge(triangles, 4, 0, 2));
}

static void quad_is_cut_along_its_shorter_diagonal(void) {
    double one[8] = {0, 0, 3, 1, 4, 4, 1, 3}, other[8] = {1, 3, 0, 0, 3, 1, 4, 4};
    int triangles[6];
    check_cover(one, 4, triangles);
    CHECK(has_edge(triangles, 4, 1, 3));
    check_cover(other, 4, triangles);
    CHECK(has_edge(triangles, 4, 0, 2));
}

// the shorter diagonal lies outside
static void concave_quad_is_cut_inside(void) {
    double flat[8] = {0, 0, 4, -1, 1, 0, 4, 1};
    int triangles[6];
    for (int turn = 0; turn < 4; turn++) {
        double turned[8];
        for (int i = 0; i < 8; i++) turned[i] = flat[(i + 2 * turn) % 8];
        check_cover(turned, 4, triangles);
    }
}

static void points_on_straight_sides(void) {
    double flat[] = {0, 0, 1, 0, 2, 0, 2, 1, 2, 2, 1, 2, 0, 2, 0, 1};
    double one[] = {0, 0, 1, 0, 2, 0, 1, 2};
    int triangles[18];
    check_cover(flat, 8, triangles);
    check_cover(one, 4, triangles);
}

static void clockwise_stays_clockwise(void) {
    double points[] = {0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0, 2, 0, 0};
    int triangles[9];
    wf_cut_polygon(points, 5, triangles);
    for (int t = 0; t < 3; t++) CHECK(triangle_normal(points, triangles + 3 * t).z < 0);
}

// stars, combs and spirals with up to the largest number of corners
static void large_concave_polygons(void) {
    static double flat[2 * WF_POLYGON_CORNERS];
    static int triangles[3 * WF_POLYGON_CORNERS];
    static const int counts[] = {6, 10, 64, WF_POLYGON_CORNERS};
    for (int c = 0; c < 4; c++) {
        int n = counts[c], half = n / 2;
        for (int i = 0; i < n; i++) {
            double angle = 2 * 3.14159265358979 * i / n, radius = i % 2 ? 1 : 0.4;
            flat[2 * i] = radius * cos(angle), flat[2 * i + 1] = radius * sin(angle);
        }
        check_cover(flat, n, triangles);
        for (int i = 0; i < half; i++) {
            double angle = 12.0 * i / half, radius = 1 + angle;
            flat[2 * i] = (radius + 2) * cos(angle), flat[2 * i + 1] = (radius + 2) * sin(angle);
            int j = n - 1 - i;
            flat[2 * j] = radius * cos(angle), flat[2 * j + 1] = radius * sin(angle);
        }
        check_cover(flat, n, triangles);
    }
}

static void nonsense_still_gives_triangles(void) {
    double same[15] = {0}, bow[12] = {0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0}, line[12] = {0};
    for (int i = 0; i < 4; i++) line[3 * i] = i;
    int triangles[9];
    wf_cut_polygon(same, 5, triangles);
    for (int i = 0; i < 9; i++) CHECK(triangles[i] >= 0 && triangles[i] < 5);
    wf_cut_polygon(bow, 4, triangles);
    wf_cut_polygon(line, 4, triangles);
    for (int i = 0; i < 6; i++) CHECK(triangles[i] >= 0 && triangles[i] < 4);
}

TEST_MAIN(CASE(triangle_stays), CASE(square_is_cut_like_a_fan),
          CASE(quad_is_cut_along_its_shorter_diagonal), CASE(concave_quad_is_cut_inside),
          CASE(points_on_straight_sides), CASE(clockwise_stays_clockwise),
          CASE(large_concave_polygons), CASE(nonsense_still_gives_triangles))
