// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards step lengths that vary: few factors for all of them, motion and energy as with a constant
// length, the same bits after a restart in the middle.

#include "sim/lengths.h"
#include "sim/state.h"
#include "swing.h"
#include "test.h"
#include "weft/weft_study.h"

enum { N = 13, VERTICES = N * N };

static double chance(unsigned* seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24);
}

static double random_dt(unsigned* seed, double shortest, double longest) {
    return shortest + chance(seed) * (longest - shortest);
}

static void one_solve(Swing* s) { s->step.quality = 1; }
static void four_solves(Swing* s) { s->step.quality = 4; }
static void jaj(Swing* s) { s->step.quality = 7; }
static void softened(Swing* s) {
    s->step.stretch_tolerance = 0.01;
    swing_triangles(s);
}
static void linear(Swing* s) {
    weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_VERTEX, 2);
    s->step.quality = 1;
}
static void implicit(Swing* s) {
    s->step.method = WEFT_METHOD_IMPLICIT;
    s->step.scheme = WEFT_SCHEME_A;
}
static void blocks(Swing* s) { s->step.method = WEFT_METHOD_IMPLICIT; }
static void sweeps(Swing* s) { s->step.method = WEFT_METHOD_RELAXATION; }

static const struct {
    const char* name;
    void (*set)(Swing*);
} ways[] = {
    {"one solve", one_solve}, {"four solves", four_solves}, {"jaj", jaj},
    {"softened", softened},   {"linear", linear},           {"implicit, A", implicit},
    {"implicit", blocks},     {"relaxation", sweeps},
};
enum { WAY_COUNT = sizeof ways / sizeof *ways, FACTOR_WAYS = WAY_COUNT - 2 };

static Swing open_way(int w) {
    Swing s = swing_def(N, 100);
    ways[w].set(&s);
    swing_open(&s);
    return s;
}

static void check_way(int w, int before) {
    if (test_failures != before) printf("... with %s\n", ways[w].name);
}

// ---------------------------------------------------------------------------------------------
// The row

static void members_and_neighbours(void) {
    for (int k = -20; k <= 20; k++) {
        double member = ldexp(1.0 / 60, k);
        CHECK(wf_nearest_length(1.0 / 60, member) == member);
        CHECK(wf_nearest_length(1.0 / 60, 1.18 * member) == member);
        CHECK(wf_nearest_length(1.0 / 60, member / 1.18) == member);
        double between = wf_nearest_length(1.0 / 60, 1.2 * member);
        CHECK_NEAR(between / member, sqrt(2), 1e-15);
        CHECK(wf_nearest_length(1.0 / 60, 1.67 * member) == between);
        CHECK(wf_nearest_length(1.0 / 60, 1.7 * member) == 2 * member);
    }
}

static void never_far(void) {
    unsigned seed = 1;
    for (int k = 0; k < 10000; k++) {
        double h = 1e-5 + chance(&seed) * (k % 2 ? 1 : 0.01);
        double ratio = wf_nearest_length(0.013, h) / h;
        CHECK(ratio < 1.18921 && ratio > 1 / 1.18921);
    }
}

// ---------------------------------------------------------------------------------------------
// Factors

static void few_factors_serve_all(void) {
    for (int w = 0; w < FACTOR_WAYS; w++) {
        int before = test_failures, early = 0;
        unsigned seed = 7;
        Swing s = open_way(w);
        s.step.substeps = 2;  // left open, steps in a hurry take other lengths
        for (int k = 0; k < 60 + test_rounds(200); k++) {
            s.step.dt = random_dt(&seed, 1.0 / 120, 1.0 / 30);
            CHECK(swing_step(&s));
            int count = weft_report(s.state)->factor_count;
            if (k < 60)
                early += count;
            else
                CHECK(count == 0);
        }
        CHECK(early <= 7);  // six of the row, and the first length of all
        swing_close(&s);
        check_way(w, before);
    }
}

static void prepared_lengths_need_none(void) {
    for (int w = 0; w < FACTOR_WAYS; w++) {
        int before = test_failures;
        unsigned seed = 3;
        Swing s = open_way(w);
        s.step.substeps = 2;
        CHECK(swing_step(&s));
        CHECK(!weft_prepare_lengths(s.model, &s.step, 1.0 / 120, 1.0 / 30, NULL));
        CHECK(s.model->factor_count <= 6);
        for (int k = 0; k < 60; k++) {
            s.step.dt = k == 0   ? 1.0 / 120
                        : k == 1 ? 1.0 / 30
                                 : random_dt(&seed, 1.0 / 120, 1.0 / 30);
            CHECK(swing_step(&s));
            CHECK(weft_report(s.state)->factor_count == 0);
        }
        swing_close(&s);
        check_way(w, before);
    }
}

static void impossible_lengths_are_refused(void) {
    Swing s = open_way(1);
    WeftError error;
    CHECK(weft_prepare_lengths(s.model, &s.step, 0, 0.1, &error) == WEFT_ERROR_INPUT);
    CHECK(weft_prepare_lengths(s.model, &s.step, 0.01, 2, &error) == WEFT_ERROR_INPUT);
    CHECK(weft_prepare_lengths(s.model, &s.step, 0.02, 0.01, &error) == WEFT_ERROR_INPUT);
    CHECK(weft_prepare_lengths(s.model, &s.step, 0.0001, 0.1, &error) == WEFT_ERROR_INPUT);
    swing_close(&s);
}

// A constant length has its own factor, prepared for or not, whole or in parts.
static void constant_lengths_are_exact(void) {
    for (int parts = 1; parts <= 3; parts++) {
        Swing prepared = swing_def(N, 100), fresh = swing_def(N, 100);
        prepared.step.dt = 0.0137;
        prepared.step.substeps = parts;
        swing_open(&prepared);
        swing_open(&fresh);
        fresh.step = prepared.step;
        for (int k = 0; k < 10; k++) CHECK(swing_step(&prepared) && swing_step(&fresh));
        CHECK(weft_hash_state(prepared.state) == weft_hash_state(fresh.state));
        swing_close(&prepared);
        swing_close(&fresh);
    }
}

// ---------------------------------------------------------------------------------------------
// Motion

// What another one does at dt of 1/60 s, at some moments, in mm.
static double distance_to_constant(int w, double shortest, double longest) {
    Swing a = open_way(w), b = open_way(w);
    unsigned seed = 5;
    double sum = 0;
    enum { MOMENTS = 10 };
    for (int k = 1; k <= MOMENTS; k++) {
        double end = k * 0.1;
        for (int i = 0; i < 6; i++) CHECK(swing_step(&a));
        while (weft_time(b.state) < end - 1e-9) {
            double left = end - weft_time(b.state);
            b.step.dt = fmin(left, random_dt(&seed, shortest, longest));
            if (left - b.step.dt < shortest / 2) b.step.dt = left;
            CHECK(swing_step(&b));
        }
        const double *x = weft_positions(a.state), *y = weft_positions(b.state);
        for (int i = 0; i < 3 * VERTICES; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    swing_close(&a);
    swing_close(&b);
    return 1e3 * sqrt(sum / (MOMENTS * VERTICES));
}

// Falling by up to a metre; two halves of a step are as far from the whole one.
static void close_to_constant_steps(void) {
    for (int w = 0; w < FACTOR_WAYS; w++) {
        int before = test_failures;
        CHECK_BELOW(distance_to_constant(w, 1.0 / 75, 1.0 / 50), 30);
        CHECK_BELOW(distance_to_constant(w, 1.0 / 90, 1.0 / 45), 40);
        check_way(w, before);
    }
}

// Over the start, as a part of what a fall by a metre sets free.
static double largest_growth(int w, double shortest, double longest) {
    unsigned seed = 9;
    Swing s = open_way(w);
    double start = swing_energy(&s), drop = 0.15 * 9.81, most = 0;
    for (int k = 0; k < test_rounds(400); k++) {
        s.step.dt = random_dt(&seed, shortest, longest);
        CHECK(swing_step(&s));
        most = fmax(most, (swing_energy(&s) - start) / drop);
    }
    swing_close(&s);
    return most;
}

// Lengths that vary by four times gain some; they gained 20 times the drop with one solve.
static void energy_does_not_grow(void) {
    for (int w = 0; w < FACTOR_WAYS; w++) {
        int before = test_failures;
        CHECK_BELOW(largest_growth(w, 1.0 / 90, 1.0 / 45), 0.1);
        CHECK_BELOW(largest_growth(w, 1.0 / 120, 1.0 / 30), 0.7);
        check_way(w, before);
    }
}

// A history that was scaled to the new length grew by their ratio: a curtain was stretched 1e10
// times. No length follows from the one before here.
static void any_sequence_is_stable(void) {
    static const double spans[][2] = {{-3, -1}, {-5, -0.5}};
    for (int w = 0; w < WAY_COUNT; w++)
        for (int span = 0; span < 2; span++) {
            if (ways[w].set == linear) continue;  // goes where its estimator says
            int before = test_failures;
            unsigned seed = 11;
            Swing s = open_way(w);
            double start = swing_energy(&s), drop = 0.15 * 9.81;
            for (int k = 0; k < test_rounds(120); k++) {
                double low = spans[span][0], high = spans[span][1];
                s.step.dt = pow(10, low + chance(&seed) * (high - low));
                CHECK(swing_step(&s));
                CHECK_BELOW(swing_energy(&s) - start, 0.5 * drop);
            }
            swing_close(&s);
            check_way(w, before);
        }
}

// ---------------------------------------------------------------------------------------------
// Restarts

// Lengths, and pins that come and go meanwhile so that a factor is in the making.
static void change(Swing* s, int k, bool pins) {
    unsigned seed = (unsigned)k * 2654435761u;
    chance(&seed);
    s->step.dt = k % 5 == 4 ? 1.0 / 60 : random_dt(&seed, 1.0 / 120, 1.0 / 30);
    if (pins && k < VERTICES) weft_pin(s->state, k);
    CHECK(swing_step(s));
}

static void restored_in_the_middle(void) {
    enum { STEPS = 60, AFTER = 12 };
    for (int w = 0; w < FACTOR_WAYS; w++)
        for (int pins = 0; pins < 2; pins++) {
            int before = test_failures, making = 0;
            Swing s = open_way(w), other = open_way(w);
            size_t size = weft_saved_size(s.state);
            unsigned char* bytes = malloc(STEPS * size);
            uint64_t hashes[STEPS];
            for (int k = 0; k < STEPS; k++) {
                weft_save_state(s.state, bytes + (size_t)k * size);
                change(&s, k, pins);
                making += s.state->pieces > 0;
                hashes[k] = weft_hash_state(s.state);
            }
            CHECK(!pins || making > 3);
            for (int first = 1; first < STEPS; first += test_slow() ? 9 : 27) {
                CHECK(!weft_load_state(other.state, bytes + (size_t)first * size, size, NULL));
                for (int k = first; k < first + AFTER && k < STEPS; k++) {
                    change(&other, k, pins);
                    CHECK(weft_hash_state(other.state) == hashes[k]);
                }
            }
            free(bytes);
            swing_close(&s);
            swing_close(&other);
            check_way(w, before);
        }
}

TEST_MAIN(CASE(members_and_neighbours), CASE(never_far), SLOW_CASE(few_factors_serve_all),
          CASE(prepared_lengths_need_none), CASE(impossible_lengths_are_refused),
          CASE(constant_lengths_are_exact), SLOW_CASE(close_to_constant_steps),
          SLOW_CASE(energy_does_not_grow), CASE(any_sequence_is_stable), SLOW_CASE(restored_in_the_middle))
