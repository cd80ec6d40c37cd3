// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards contact/impulse.c: what comes out is the least change, in the metric of masses, that
// brings all pairs apart, by hand and against a search over all sets of active pairs.

#include "contact/impulse.h"

#include "base/memory.h"
#include "contact_test.h"

enum { MOST_VERTICES = 4, NEVER = -2, MARK = 7 };

typedef struct Fixture {
    WfImpulses impulses;
    double masses[MOST_VERTICES], x[3 * MOST_VERTICES];
    int marks[MOST_VERTICES];
} Fixture;

static Fixture fixture(void) {
    Fixture f = {.masses = {1, 2, 4, 0.5}};
    f.impulses.allocator = wf_allocator(NULL);
    for (int i = 0; i < MOST_VERTICES; i++) f.marks[i] = NEVER;
    return f;
}

static bool add(Fixture* f, int count, const int* vertices, const double* weights, WfVec normal,
                double target) {
    WfImpulse impulse = {.count = count, .normal = normal, .target = target};
    for (int k = 0; k < count; k++) {
        impulse.vertices[k] = vertices[k];
        impulse.weights[k] = weights[k];
    }
    return wf_add_impulse(&f->impulses, &impulse, f->masses);
}

static void apply(Fixture* f, double slack) {
    wf_apply_impulses(&f->impulses, f->masses, slack, f->x, MARK, f->marks);
}

static const WfVec UP = {0, 1, 0}, ALONG = {1, 0, 0};

// ---------------------------------------------------------------------------------------------
// By hand

// Two of masses 1 and 2 are 1 cm too near: they go apart by 2/3 and 1/3 of it, and their mean
// stays.
static void one_pair(void) {
    Fixture f = fixture();
    f.x[4] = 0.03;
    CHECK(add(&f, 2, (int[]){1, 0}, (double[]){1, -1}, UP, 0.04));
    CHECK_NEAR(f.impulses.all[0].give, 1.5, 1e-15);
    apply(&f, 1e-12);
    CHECK_NEAR(f.x[1], -0.01 * 2 / 3, 1e-12);
    CHECK_NEAR(f.x[4], 0.03 + 0.01 / 3, 1e-12);
    CHECK(f.x[0] == 0 && f.x[2] == 0 && f.x[3] == 0);
    CHECK(f.marks[0] == MARK && f.marks[1] == MARK && f.marks[2] == NEVER);
    wf_impulses_destroy(&f.impulses);
}

// A vertex in a corner of 60 degrees: x >= 1, and x/2 + y sqrt(3)/2 >= 1.2 ask for
// y = (1.2 - 1/2) 2/sqrt(3) = 0.8083 with x = 1.
static void conflicting(void) {
    Fixture f = fixture();
    WfVec slope = {0.5, sqrt(0.75), 0};
    CHECK(add(&f, 1, (int[]){2}, (double[]){1}, ALONG, 1));
    CHECK(add(&f, 1, (int[]){2}, (double[]){1}, slope, 1.2));
    apply(&f, 1e-14);
    CHECK_NEAR(f.x[6], 1, 1e-12);
    CHECK_NEAR(f.x[7], 0.7 / sqrt(0.75), 1e-12);
    CHECK(f.impulses.all[0].size > 0 && f.impulses.all[1].size > 0);
    wf_impulses_destroy(&f.impulses);
}

// One row three times, once with more: as far as the largest asks, no further.
static void dependent(void) {
    Fixture f = fixture();
    for (int k = 0; k < 3; k++)
        CHECK(add(&f, 2, (int[]){0, 3}, (double[]){0.5, -1}, UP, k == 1 ? 0.2 : 0.1));
    apply(&f, 1e-14);
    // give 0.25 / 1 + 1 / 0.5 = 2.25, size 0.2 / 2.25
    CHECK_NEAR(f.x[1], 0.5 * 0.2 / 2.25, 1e-12);
    CHECK_NEAR(f.x[10], -2 * 0.2 / 2.25, 1e-12);
    CHECK_NEAR(f.impulses.all[0].size + f.impulses.all[1].size + f.impulses.all[2].size, 0.2 / 2.25,
               1e-12);
    wf_impulses_destroy(&f.impulses);
}

// The first is answered; then a second one, added later, does its work: the first is taken back.
static void taken_back(void) {
    Fixture f = fixture();
    WfVec flat = {sqrt(0.75), 0.5, 0};
    CHECK(add(&f, 1, (int[]){0}, (double[]){1}, UP, 0.1));
    apply(&f, 1e-14);
    CHECK_NEAR(f.impulses.all[0].size, 0.1, 1e-14);
    CHECK(add(&f, 1, (int[]){0}, (double[]){1}, flat, 1));
    apply(&f, 1e-14);
    CHECK(f.impulses.all[0].size == 0);
    CHECK_NEAR(f.x[0], sqrt(0.75), 1e-12);
    CHECK_NEAR(f.x[1], 0.5, 1e-12);
    wf_impulses_destroy(&f.impulses);
}

// What parts anyway is left alone, and so is what lies across the normal.
static void lets_part(void) {
    Fixture f = fixture();
    const double start[6] = {0.3, 0, -0.2, 0.1, 0.5, 0.7};
    memcpy(f.x, start, sizeof start);
    CHECK(add(&f, 2, (int[]){1, 0}, (double[]){1, -1}, UP, 0.4));
    apply(&f, 0);
    CHECK(memcmp(f.x, start, sizeof start) == 0 && f.marks[0] == NEVER);
    f.impulses.all[0].target = 0.6;
    apply(&f, 1e-14);
    for (int k = 0; k < 6; k++) CHECK(k % 3 == 1 || f.x[k] == start[k]);
    wf_impulses_destroy(&f.impulses);
}

// Sweeps end when no impulse changes by more than the slack: one sweep here.
static void slack_ends_sweeps(void) {
    Fixture f = fixture();
    WfVec slope = {0.5, sqrt(0.75), 0};
    CHECK(add(&f, 1, (int[]){2}, (double[]){1}, ALONG, 1));
    CHECK(add(&f, 1, (int[]){2}, (double[]){1}, slope, 1.2));
    apply(&f, 10);
    CHECK_NEAR(f.x[6], 1 + 0.5 * 0.7, 1e-12);
    CHECK_NEAR(f.x[7], sqrt(0.75) * 0.7, 1e-12);
    wf_impulses_destroy(&f.impulses);
}

// A pair whose free vertices have next to no share in it would throw them far.
static void least_share(void) {
    Fixture f = fixture();
    CHECK(!add(&f, 1, (int[]){0}, (double[]){0.04}, UP, 1));
    CHECK(!add(&f, 2, (int[]){0, 1}, (double[]){0.04, -0.01}, UP, 1));
    CHECK(!add(&f, 0, NULL, NULL, UP, 1));
    CHECK(f.impulses.count == 0);
    CHECK(add(&f, 2, (int[]){0, 1}, (double[]){0.04, -0.96}, UP, 1));
    CHECK(add(&f, 1, (int[]){0}, (double[]){-0.06}, UP, 1));
    CHECK(f.impulses.count == 2);
    wf_impulses_destroy(&f.impulses);
}

// ---------------------------------------------------------------------------------------------
// Two random rows, against the least of all that are admissible

typedef struct Row {
    WfVec by[MOST_VERTICES];  // weight times normal, per vertex
    double target;
} Row;

static double rows_dot(const Fixture* f, const Row* a, const Row* b) {
    double sum = 0;
    for (int i = 0; i < MOST_VERTICES; i++) sum += wf_dot(a->by[i], b->by[i]) / f->masses[i];
    return sum;
}

static double short_of(const Row* row, const double* x) {
    double sum = row->target;
    for (int i = 0; i < MOST_VERTICES; i++) sum -= wf_dot(row->by[i], wf_load(x, i));
    return sum;
}

// Sizes of both for which the end is the nearest admissible one: of the four sets of active rows
// one has sizes that are not negative and leaves the other row satisfied.
static void solve_exactly(const Fixture* f, const Row rows[2], double sizes[2]) {
    double a = rows_dot(f, &rows[0], &rows[0]), b = rows_dot(f, &rows[0], &rows[1]);
    double c = rows_dot(f, &rows[1], &rows[1]);
    double r = short_of(&rows[0], f->x), s = short_of(&rows[1], f->x), det = a * c - b * b;
    const double sets[4][2] = {
        {0, 0}, {r / a, 0}, {0, s / c}, {(c * r - b * s) / det, (a * s - b * r) / det}};
    for (int k = 0; k < 4; k++) {
        const double* p = sets[k];
        bool good = p[0] >= 0 && p[1] >= 0 && a * p[0] + b * p[1] >= r - 1e-12 &&
                    b * p[0] + c * p[1] >= s - 1e-12;
        if (good) memcpy(sizes, p, sizeof sets[k]);
    }
}

static Row add_random_row(Fixture* f) {
    Row row = {.target = 0.4 * random_unit() - 0.1};
    double w = random_unit();
    WfVec n = wf_unit(random_vec(1));
    const double weights[4] = {1 - w, w, -0.3, -0.7};
    const int vertices[4] = {0, 1, 2, 3};
    CHECK(add(f, 4, vertices, weights, n, row.target));
    for (int i = 0; i < MOST_VERTICES; i++) row.by[i] = wf_mul(weights[i], n);
    return row;
}

static void nearest_of_all(void) {
    int active = 0;
    for (int trial = 0; trial < 200; trial++) {
        Fixture f = fixture();
        for (int i = 0; i < MOST_VERTICES; i++) wf_store(f.x, i, random_vec(0.1));
        Row rows[2] = {add_random_row(&f), {.target = 0}};
        rows[1] = add_random_row(&f);
        double cosine = rows_dot(&f, &rows[0], &rows[1]) /
                        sqrt(rows_dot(&f, &rows[0], &rows[0]) * rows_dot(&f, &rows[1], &rows[1]));
        double sizes[2] = {-1, -1}, expected[3 * MOST_VERTICES];
        solve_exactly(&f, rows, sizes);
        memcpy(expected, f.x, sizeof expected);
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < MOST_VERTICES; i++)
                wf_accumulate(expected, i, sizes[k] / f.masses[i], rows[k].by[i]);
        active += sizes[0] > 0 && sizes[1] > 0;
        apply(&f, 1e-15);
        // sweeps over two rows converge by the square of their cosine each; 30 at most are taken
        double left = 20 * pow(cosine, 2 * 30) + 1e-12;
        for (int i = 0; i < 3 * MOST_VERTICES; i++) CHECK_NEAR(f.x[i], expected[i], left);
        wf_impulses_destroy(&f.impulses);
    }
    CHECK(active > 20);
}

// More than the first memory holds.
static void many(void) {
    Fixture f = fixture();
    for (int k = 0; k < 1000; k++) CHECK(add(&f, 1, (int[]){k % 4}, (double[]){1}, UP, 1e-3 * k));
    CHECK(f.impulses.count == 1000 && !f.impulses.failed);
    apply(&f, 1e-12);
    for (int i = 0; i < MOST_VERTICES; i++) CHECK_NEAR(f.x[3 * i + 1], 0.996 + 1e-3 * i, 1e-9);
    wf_impulses_destroy(&f.impulses);
}

TEST_MAIN(CASE(one_pair), CASE(conflicting), CASE(dependent), CASE(taken_back), CASE(lets_part),
          CASE(slack_ends_sweeps), CASE(least_share), CASE(nearest_of_all), CASE(many))
