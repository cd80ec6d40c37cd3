// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards contact/impact.c: nothing comes nearer than what must be kept before the time returned,
// by looking at many moments; what stays clear is no impact; and it takes few looks.

#include "contact/impact.h"

#include "contact/near.h"
#include "contact_test.h"

typedef struct Motion {
    bool edges;  // else a point and a triangle
    WfVec x0[4], x1[4];
} Motion;

static double impact_within(const Motion* m, double keep, long* looks) {
    double close = 0.1 * keep;
    return m->edges ? wf_impact_edge_edge(m->x0, m->x1, keep, close, looks)
                    : wf_impact_point_triangle(m->x0, m->x1, keep, close, looks);
}

static double impact(const Motion* m, double keep) {
    long looks = WF_MOST_LOOKS;
    return impact_within(m, keep, &looks);
}

static double distance(const Motion* m, double t) {
    WfVec x[4];
    for (int k = 0; k < 4; k++) x[k] = wf_add(wf_mul(1 - t, m->x0[k]), wf_mul(t, m->x1[k]));
    double w[3];
    return sqrt(m->edges ? wf_near_edge_edge(x[0], x[1], x[2], x[3], w)
                         : wf_near_point_triangle(x[0], x[1], x[2], x[3], w));
}

// What is left to be kept, where less was there at the start.
static double kept(const Motion* m, double keep) {
    double start = distance(m, 0);
    return start < keep * (1 + 1e-6) + 1e-13 ? 0.5 * start : keep;
}

enum { MOMENTS = 300 };

// The distance stays above what is kept up to t, and where t is an impact, it comes close to that.
static bool is_right(const Motion* m, double keep, double t) {
    double least = kept(m, keep), end = fmin(t, 1);
    for (int i = 0; i <= MOMENTS; i++)
        if (distance(m, end * i / MOMENTS) < least - 1e-14) return false;
    if (t < 0 || (t > 1 && t != 2)) return false;
    return t > 1 || distance(m, t) <= 1.1 * least + 1e-12;
}

// Vertices within a box, which go anywhere within one.
static Motion any_motion(double size, double way) {
    Motion m = {.edges = random_unit() < 0.5};
    for (int k = 0; k < 4; k++) {
        m.x0[k] = random_vec(size);
        m.x1[k] = wf_add(m.x0[k], random_vec(way));
    }
    return m;
}

static void misses_nothing(double size, double way, double keep, int trials) {
    int wrong = 0, impacts = 0;
    for (int trial = 0; trial < trials; trial++) {
        Motion m = any_motion(size, way);
        double t = impact(&m, keep);
        wrong += !is_right(&m, keep, t);
        impacts += t <= 1;
    }
    CHECK(wrong == 0);
    CHECK(impacts > 5 && impacts < trials);
}

// Edges of 15 mm which move by 1, 10 and 100 mm, 1 mm and 0.01 mm to keep.
static void cloth(void) {
    for (double way = 1e-3; way < 0.2; way *= 10) {
        misses_nothing(0.015, way, 1e-3, 4000);
        misses_nothing(0.015, way, 1e-5, 4000);
    }
}

static void tiny(void) { misses_nothing(1e-5, 2e-5, 1e-7, 4000); }

static void large(void) { misses_nothing(10, 30, 0.1, 4000); }

// All that they share is a way of 100 m, far from the origin.
static void common_motion(void) {
    int differ = 0;
    for (int trial = 0; trial < 4000; trial++) {
        Motion m = any_motion(0.015, 0.01), far = m;
        WfVec from = {1000, -500, 2000}, to = {1060, -420, 2000};
        for (int k = 0; k < 4; k++) {
            far.x0[k] = wf_add(m.x0[k], from);
            far.x1[k] = wf_add(m.x1[k], to);
        }
        double t = impact(&far, 1e-3);
        differ += fabs(t - impact(&m, 1e-3)) > 1e-6;
    }
    CHECK_BELOW(differ, 5);  // those that only just touch
    Motion still = {.x0 = {{0, 0.001, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}};
    for (int k = 0; k < 4; k++) still.x1[k] = wf_add(still.x0[k], (WfVec){60, 80, 0});
    CHECK(impact(&still, 5e-4) == 2);
}

// Straight on: known to the last digit.
static void head_on(void) {
    Motion m = {.x0 = {{0, 2, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}},
                .x1 = {{0, -2, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}};
    CHECK_NEAR(impact(&m, 0.5), 0.375, 1e-12);
    CHECK_NEAR(impact(&m, 1e-6), 0.49999975, 1e-12);
    Motion e = {.edges = true,
                .x0 = {{-1, 1, 0}, {1, 1, 0}, {0, 0, -1}, {0, 0, 1}},
                .x1 = {{-1, -1, 0}, {1, -1, 0}, {0, 0, -1}, {0, 0, 1}}};
    CHECK_NEAR(impact(&e, 0.2), 0.4, 1e-12);
    CHECK_NEAR(impact(&e, 1e-9), 0.5, 1e-8);
}

// Through an edge and a corner of the triangle, and in its plane.
static void through_the_border(void) {
    static const WfVec at[] = {{0, 0, -1}, {1, 0, -1}, {0.5, 0, 0}, {0, 0, 1}};
    for (int i = 0; i < 4; i++) {
        for (int trial = 0; trial < 500; trial++) {
            Motion m = {.x0 = {{0, 0, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}};
            WfVec way = random_vec(1);
            if (trial < 100) way.y = 0;
            m.x0[0] = wf_sub(at[i], way);
            memcpy(m.x1, m.x0, sizeof m.x1);
            m.x1[0] = wf_add(at[i], way);
            if (distance(&m, 0) < 1e-3) continue;
            double t = impact(&m, 1e-4);
            CHECK(t <= 0.5 && is_right(&m, 1e-4, t));
        }
    }
}

// Edges that meet at their ends.
static void through_the_end(void) {
    for (int trial = 0; trial < 1000; trial++) {
        Motion m = {.edges = true};
        WfVec meet = random_vec(1), way = random_vec(1), other = random_vec(1);
        m.x0[0] = wf_sub(meet, way), m.x1[0] = wf_add(meet, way);
        m.x0[1] = wf_add(m.x0[0], other), m.x1[1] = wf_add(m.x1[0], other);
        m.x0[2] = m.x1[2] = meet;
        m.x0[3] = m.x1[3] = random_vec(1);
        if (distance(&m, 0) < 1e-3) continue;
        double t = impact(&m, 1e-4);
        CHECK(t <= 0.5 && is_right(&m, 1e-4, t));
    }
}

// Vertices that coincide, edges without length, all in a plane or in a line.
static void degenerate(void) {
    int wrong = 0;
    for (int trial = 0; trial < test_rounds(20000); trial++) {
        Motion m = any_motion(0.015, 0.03);
        int kind = trial % 5;
        for (int k = 0; k < 4; k++) {
            if (kind == 1) m.x0[k].y = m.x1[k].y = 0;
            if (kind == 2) m.x0[k].y = m.x1[k].y = m.x0[k].z = m.x1[k].z = 0;
        }
        if (kind == 0) m.x0[3] = m.x0[2], m.x1[3] = m.x1[2];
        if (kind == 3) m.x0[2] = m.x0[3] = m.x0[1], m.x1[2] = m.x1[3] = m.x1[1];
        if (kind == 4) m.x1[3] = m.x1[2];
        wrong += !is_right(&m, 1e-3, impact(&m, 1e-3));
        wrong += !is_right(&m, 1e-4, impact(&m, 1e-4));
    }
    CHECK(wrong == 0);
}

static void nothing_moves(void) {
    for (int trial = 0; trial < 1000; trial++) {
        Motion m = any_motion(0.015, 0);
        double d = distance(&m, 0), keep[] = {0, 1e-5, d * 0.999, d, d * 1.001, 1};
        for (int i = 0; i < 6 && d > 0; i++) CHECK(impact(&m, keep[i]) == 2);
    }
}

static void touching_at_the_start(void) {
    Motion m = {.x0 = {{0, 0, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}},
                .x1 = {{0, 1, 0}, {-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}};
    CHECK(impact(&m, 1e-3) == 0);
    CHECK(impact(&m, 0) == 0);
}

// A vertex that rests at about the distance to keep, and slides along or turns with its triangle:
// not an impact as long as it nears it by less than it may.
static void resting(void) {
    static const double height[] = {0.3, 0.9, 0.999999, 1, 1.0000001, 1.00001, 1.01, 1.5};
    for (int i = 0; i < 8; i++) {
        for (int trial = 0; trial < 1000; trial++) {
            double keep = 1e-3, room = height[i] > 1.000001 ? height[i] - 1 : 0.5 * height[i];
            Motion m = {.x0 = {{0, 0, 0}, {-0.01, 0, -0.01}, {0.01, 0, -0.01}, {0, 0, 0.01}}};
            m.x0[0].y = height[i] * keep;
            memcpy(m.x1, m.x0, sizeof m.x1);
            WfVec slide = random_vec(0.005), jitter = random_vec(0.9 * room * keep);
            slide.y = 0;
            m.x1[0] = wf_add(m.x1[0], wf_add(slide, jitter));
            CHECK(impact(&m, keep) == 2);
        }
    }
}

// Two sheets that turn together by up to 90 degrees, though each keeps its distance only roughly,
// as vertices go straight.
static void turning_together(void) {
    int impacts = 0;
    for (int trial = 0; trial < 2000; trial++) {
        Motion m = {.x0 = {{0, 0.00105, 0.001}, {-0.01, 0, -0.01}, {0.01, 0, -0.01}, {0, 0, 0.01}}};
        double angle = 0.3 * random_unit(), c = cos(angle), s = sin(angle);
        for (int k = 0; k < 4; k++) {
            WfVec x = m.x0[k];
            m.x1[k] = (WfVec){c * x.x - s * x.y, s * x.x + c * x.y, x.z};
        }
        double t = impact(&m, 1e-3);
        CHECK(is_right(&m, 1e-3, t));
        double least = 1;
        for (int i = 0; i <= MOMENTS; i++) least = fmin(least, distance(&m, (double)i / MOMENTS));
        if (least > 1.03e-3) impacts += t <= 1;
    }
    CHECK(impacts == 0);
}

// Layers that nearly touch, and turn together about an axis somewhere: the room between them is a
// thousandth of what their far ends go. (200 looks ended at a third of the way, as if they had met
// there.)
static void turning_together_close(void) {
    int impacts = 0;
    for (int trial = 0; trial < 2000; trial++) {
        bool edges = trial % 2;
        double gap = 1e-5, angle = 0.2 * random_unit(), c = cos(angle), s = sin(angle);
        Motion sheets = {.x0 = {{0, gap, 0}, {-0.01, 0, -0.01}, {0.01, 0, -0.01}, {0, 0, 0.01}}};
        Motion rods = {true,
                       .x0 = {{-0.01, gap, 0.002}, {0.02, gap, 0}, {0, 0, -0.02}, {0, 0, 0.01}}};
        Motion m = edges ? rods : sheets;
        WfVec axis = random_vec(0.1);
        for (int k = 0; k < 4; k++) {
            WfVec x = wf_sub(m.x0[k], axis);
            WfVec turned = {c * x.x - s * x.y, s * x.x + c * x.y, x.z};
            m.x1[k] = wf_add(axis, turned);
        }
        double t = impact(&m, 0.8 * gap);
        CHECK(is_right(&m, 0.8 * gap, t));
        impacts += t <= 1;
    }
    CHECK(impacts == 0);
}

// What passes by is no impact, at any speed.
static void passing_by(void) {
    int wrong = 0, passed = 0;
    for (int trial = 0; trial < 10000; trial++) {
        Motion m = any_motion(0.015, trial % 2 ? 0.3 : 0.03);
        double least = 1, keep = 1e-3;
        for (int i = 0; i <= MOMENTS; i++) least = fmin(least, distance(&m, (double)i / MOMENTS));
        if (least < 1.5 * keep) continue;
        passed++;
        // between moments it may be nearer
        double t = impact(&m, keep);
        wrong += t <= 1 && distance(&m, t) > 1.11 * keep;
    }
    CHECK(passed > 1000);
    CHECK(wrong == 0);
}

static void not_a_number(void) {
    Motion m = any_motion(1, 1);
    m.edges = false;
    m.x1[2].y = NAN;
    CHECK(impact(&m, 1e-3) == 0);
    m.edges = true;
    CHECK(impact(&m, 1e-3) == 0);
    m.x0[0].x = NAN;
    CHECK(impact(&m, 1e-3) == 0);
}

// With no looks left a time is too early at worst, and what moves together is still told. (Pairs of
// cloth that is collapsed to a line took 200 looks each, and a step 2.7 s.)
static void without_looks(void) {
    random_state = 3;
    for (int trial = 0; trial < 2000; trial++) {
        Motion m = any_motion(0.1, trial % 2 ? 0.1 : 0);
        long none = 0, all = WF_MOST_LOOKS;
        double keep = 1e-3, early = impact_within(&m, keep, &none);
        CHECK(early <= impact_within(&m, keep, &all));
        CHECK(none >= -3 && all >= 0);
        if (trial % 2 == 0 && distance(&m, 0) > 1e-12) CHECK(early > 1);
    }
}

TEST_MAIN(CASE(without_looks), CASE(cloth), CASE(tiny), CASE(large), CASE(common_motion),
          CASE(head_on), CASE(through_the_border), CASE(through_the_end), CASE(degenerate),
          CASE(nothing_moves), CASE(touching_at_the_start), CASE(resting), CASE(turning_together),
          CASE(turning_together_close), CASE(passing_by), CASE(not_a_number))
