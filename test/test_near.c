// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards contact/near.c: what it returns is nearest, also for features without area or length. A
// point q of a convex body is the nearest to p if and only if no corner lies beyond the plane
// through q across p - q.

#include "contact/near.h"

#include "contact_test.h"

static WfVec blend(const double* w, const WfVec* x, int count) {
    WfVec sum = {0, 0, 0};
    for (int k = 0; k < count; k++) sum = wf_madd(sum, w[k], x[k]);
    return sum;
}

// How far the corners reach towards `toward` beyond q.
static double reach_beyond(WfVec q, WfVec toward, const WfVec* corner, int count) {
    double most = 0;
    for (int k = 0; k < count; k++)
        most = fmax(most, wf_dot(wf_sub(toward, q), wf_sub(corner[k], q)));
    return most;
}

static bool are_weights(const double* w, int count) {
    double sum = 0;
    bool good = true;
    for (int k = 0; k < count; k++) {
        good &= w[k] >= 0 && w[k] <= 1;
        sum += w[k];
    }
    return good && fabs(sum - 1) < 1e-15;
}

// `size`: of the coordinates; errors grow with its square.
static bool nearest_of_triangle(WfVec p, const WfVec x[3], double size, double tolerance) {
    double w[3], square = wf_near_point_triangle(p, x[0], x[1], x[2], w);
    WfVec q = blend(w, x, 3), r = wf_sub(p, q);
    return are_weights(w, 3) && fabs(wf_dot(r, r) - square) < 1e-14 * size * size &&
           reach_beyond(q, p, x, 3) < tolerance * size * size;
}

static bool nearest_of_edges(const WfVec x[4], double size, double tolerance) {
    double w[2], square = wf_near_edge_edge(x[0], x[1], x[2], x[3], w);
    double wp[2] = {1 - w[0], w[0]}, wq[2] = {1 - w[1], w[1]};
    WfVec p = blend(wp, x, 2), q = blend(wq, x + 2, 2), r = wf_sub(p, q);
    return are_weights(wp, 2) && are_weights(wq, 2) &&
           fabs(wf_dot(r, r) - square) < 1e-14 * size * size &&
           reach_beyond(p, q, x, 2) < tolerance * size * size &&
           reach_beyond(q, p, x + 2, 2) < tolerance * size * size;
}

enum { TRIALS = 100000 };

static void any_triangle(void) {
    int wrong = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        WfVec x[4];
        for (int k = 0; k < 4; k++) x[k] = random_vec(1);
        wrong += !nearest_of_triangle(x[3], x, 1, 1e-12);
    }
    CHECK(wrong == 0);
}

static void any_edges(void) {
    int wrong = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        WfVec x[4];
        for (int k = 0; k < 4; k++) x[k] = random_vec(1);
        wrong += !nearest_of_edges(x, 1, 1e-12);
    }
    CHECK(wrong == 0);
}

// From 1e-5 to 1e5 m.
static void any_size(void) {
    int wrong = 0;
    for (double size = 1e-5; size < 2e5; size *= 10) {
        for (int trial = 0; trial < 1000; trial++) {
            WfVec x[4];
            for (int k = 0; k < 4; k++) x[k] = random_vec(size);
            wrong += !nearest_of_triangle(x[3], x, size, 1e-12);
            wrong += !nearest_of_edges(x, size, 1e-12);
        }
    }
    CHECK(wrong == 0);
}

static void regions_of_a_triangle(void) {
    const WfVec a = {0, 0, 0}, b = {2, 0, 0}, c = {0, 2, 0};
    static const struct {
        WfVec p;
        double w[3], square;
    } cases[] = {
        {{0.5, 0.5, 3}, {0.5, 0.25, 0.25}, 9},
        {{-1, -1, 0}, {1, 0, 0}, 2},
        {{4, -1, 1}, {0, 1, 0}, 6},
        {{-1, 5, 0}, {0, 0, 1}, 10},
        {{1, -2, 0}, {0.5, 0.5, 0}, 4},
        {{2, 2, 1}, {0, 0.5, 0.5}, 3},
        {{-3, 1, 0}, {0.5, 0, 0.5}, 9},
        {{0, 0, 0}, {1, 0, 0}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double w[3];
        CHECK_NEAR(wf_near_point_triangle(cases[i].p, a, b, c, w), cases[i].square, 1e-15);
        for (int k = 0; k < 3; k++) CHECK_NEAR(w[k], cases[i].w[k], 1e-15);
    }
}

// The nearest edge is not the one the point is farthest beyond.
static void obtuse_triangle(void) {
    const WfVec x[3] = {{0, 0, 0}, {10, 0, 0}, {-9, 1, 0}};
    for (int trial = 0; trial < 10000; trial++) {
        WfVec p = random_vec(12);
        p.z *= trial % 2;
        CHECK(nearest_of_triangle(p, x, 12, 1e-12));
    }
}

// Points, segments, corners in a line, slivers down to nothing.
static void triangle_without_area(void) {
    int wrong = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        WfVec p = random_vec(1), a = random_vec(1), u = random_vec(1);
        double thin = trial % 16 < 14 ? 1 : 0;
        for (int i = 0; i < trial % 16; i++) thin *= 0.1;
        WfVec b = wf_madd(a, trial % 3 == 0 ? 0 : 1, u);
        WfVec c = wf_madd(wf_madd(a, random_unit(), u), thin, random_vec(1));
        wrong += !nearest_of_triangle(p, (WfVec[]){a, b, c}, 1, 1e-7);
        wrong += !nearest_of_triangle(p, (WfVec[]){c, a, b}, 1, 1e-7);
        wrong += !nearest_of_triangle(p, (WfVec[]){a, a, a}, 1, 1e-12);
        wrong += !nearest_of_triangle(a, (WfVec[]){a, a, a}, 1, 1e-12);
    }
    CHECK(wrong == 0);
}

// Parallel up to an angle, side by side or one after the other; no length.
static void edges_without_a_crossing(void) {
    int wrong = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        WfVec a = random_vec(1), u = random_vec(1), c = random_vec(1);
        double angle = trial % 16 < 14 ? 1 : 0;
        for (int i = 0; i < trial % 16; i++) angle *= 0.1;
        WfVec b = wf_add(a, u), d = wf_madd(wf_madd(c, random_unit(), u), angle, random_vec(1));
        wrong += !nearest_of_edges((WfVec[]){a, b, c, d}, 1, 1e-11);
        wrong += !nearest_of_edges((WfVec[]){a, a, c, d}, 1, 1e-12);
        wrong += !nearest_of_edges((WfVec[]){a, b, c, c}, 1, 1e-12);
        wrong += !nearest_of_edges((WfVec[]){a, a, c, c}, 1, 1e-12);
        wrong += !nearest_of_edges((WfVec[]){a, b, a, b}, 1, 1e-12);
    }
    CHECK(wrong == 0);
}

static void parallel_edges_meet_in_the_middle(void) {
    double w[2];
    double square = wf_near_edge_edge((WfVec){0, 0, 0}, (WfVec){4, 0, 0}, (WfVec){6, 1, 0},
                                      (WfVec){2, 1, 0}, w);
    CHECK_NEAR(square, 1, 1e-15);
    CHECK_NEAR(w[0], 0.75, 1e-15);
    CHECK_NEAR(w[1], 0.75, 1e-15);
}

static void crossing_edges(void) {
    double w[2];
    double square = wf_near_edge_edge((WfVec){-1, 0, 0}, (WfVec){3, 0, 0}, (WfVec){0, -1, 0.5},
                                      (WfVec){0, 1, 0.5}, w);
    CHECK_NEAR(square, 0.25, 1e-15);
    CHECK_NEAR(w[0], 0.25, 1e-15);
    CHECK_NEAR(w[1], 0.5, 1e-15);
}

// So small that products vanish.
static void next_to_nothing(void) {
    for (double size = 1e-60; size > 1e-320; size *= 1e-7) {
        WfVec x[4];
        for (int k = 0; k < 4; k++) x[k] = random_vec(size);
        CHECK(nearest_of_triangle(x[3], x, 1, 1e-12) && nearest_of_edges(x, 1, 1e-12));
    }
}

TEST_MAIN(CASE(any_triangle), CASE(any_edges), CASE(any_size), CASE(regions_of_a_triangle),
          CASE(obtuse_triangle), CASE(triangle_without_area), CASE(edges_without_a_crossing),
          CASE(parallel_edges_meet_in_the_middle), CASE(crossing_edges), CASE(next_to_nothing))
