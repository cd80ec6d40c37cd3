// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards pins: held to the bit, moved along straight lines, set and released while running, in any
// number, per state, by every method.

#include "swing.h"
#include "test.h"

static void symplectic(Swing* s) { s->step.method = WEFT_METHOD_SYMPLECTIC; }
static void implicit(Swing* s) {
    s->step.method = WEFT_METHOD_IMPLICIT;
    s->step.tolerance = 1e-12;
}
static void implicit_first(Swing* s) {
    s->step.method = WEFT_METHOD_IMPLICIT;
    s->step.order = 1;
    s->step.scheme = WEFT_SCHEME_JAJ;
    s->step.tolerance = 1e-12;
    s->step.start = WEFT_START_PREVIOUS;
}
static void one_solve(Swing* s) { s->step.quality = 1; }
static void four_solves(Swing* s) { s->step.quality = 4; }
static void jaj(Swing* s) { s->step.quality = 7; }
static void triangles(Swing* s) { swing_triangles(s); }
static void linear(Swing* s) {
    weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_VERTEX, 2);
    s->step.quality = 1;
}
static void rotation(Swing* s) {
    weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_ROTATION, 2);
    s->step.quality = 2;
}

static const struct {
    const char* name;
    void (*set)(Swing*);
} ways[] = {
    {"symplectic", symplectic}, {"implicit", implicit},       {"implicit, order 1", implicit_first},
    {"one solve", one_solve},   {"four solves", four_solves}, {"jaj", jaj},
    {"triangles", triangles},   {"linear springs", linear},   {"rotation", rotation},
};
enum { WAY_COUNT = sizeof ways / sizeof *ways, N = 11, VERTICES = N * N };

static Swing open_way(int w) {
    Swing s = swing_def(N, 100);
    ways[w].set(&s);
    swing_open(&s);
    return s;
}

static void take_steps(Swing* s, int count) {
    for (int k = 0; k < count; k++) CHECK(swing_step(s));
}

static const double* place(const Swing* s, int vertex) {
    return weft_positions(s->state) + 3 * vertex;
}
static const double* velocity(const Swing* s, int vertex) {
    return weft_velocities(s->state) + 3 * vertex;
}

static bool same(const double* a, const double* b) { return memcmp(a, b, 3 * sizeof *a) == 0; }

// names the way in which a check failed
static void check_way(int w, int before) {
    if (test_failures != before) printf("... with %s\n", ways[w].name);
}

// ---------------------------------------------------------------------------------------------
// Held and moved

static void held_to_the_bit(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = open_way(w);
        double first[2][3];
        for (int p = 0; p < 2; p++) memcpy(first[p], place(&s, s.pins[p]), sizeof first[p]);
        double lowest = 0;
        for (int k = 0; k < 60; k++) {
            CHECK(swing_step(&s));
            lowest = fmin(lowest, place(&s, 0)[1]);
            for (int p = 0; p < 2; p++) {
                static const double still[3];
                CHECK(same(place(&s, s.pins[p]), first[p]));
                CHECK(same(velocity(&s, s.pins[p]), still));
            }
        }
        CHECK_BELOW(lowest, -0.7);  // the rest fell
        swing_close(&s);
        check_way(w, before);
    }
}

static void moved_exactly_and_straight(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = open_way(w);
        take_steps(&s, 3);
        double from[3], to[3];
        memcpy(from, place(&s, s.pins[0]), sizeof from);
        for (int i = 0; i < 3; i++) to[i] = from[i] + 0.01 * (i + 1);
        weft_move_pin(s.state, s.pins[0], to);
        CHECK(same(place(&s, s.pins[0]), from));  // not yet
        take_steps(&s, 1);
        CHECK(same(place(&s, s.pins[0]), to));
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(velocity(&s, s.pins[0])[i], (to[i] - from[i]) / s.step.dt, 1e-9);
        take_steps(&s, 1);  // nobody moves it: it stays and stands still
        CHECK(same(place(&s, s.pins[0]), to));
        for (int i = 0; i < 3; i++) CHECK_NEAR(velocity(&s, s.pins[0])[i], 0, 1e-12);
        swing_close(&s);
        check_way(w, before);
    }
}

// Four substeps of a moving pin are four steps of a quarter, each with a quarter of the way.
static void straight_through_substeps(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing whole = open_way(w), parts = open_way(w);
        whole.step.order = parts.step.order = 2;
        whole.step.substeps = 4;
        parts.step.substeps = 1;
        parts.step.dt = whole.step.dt / 4;
        if (whole.step.method == WEFT_METHOD_SYMPLECTIC)
            whole.step.substeps = 64, parts.step.substeps = 16;
        for (int k = 0; k < 5; k++) {
            double from[3], to[3], goal[3];
            memcpy(from, place(&whole, whole.pins[1]), sizeof from);
            for (int i = 0; i < 3; i++) to[i] = from[i] + 0.004 * (3 - i);
            weft_move_pin(whole.state, whole.pins[1], to);
            take_steps(&whole, 1);
            for (int q = 1; q <= 4; q++) {
                for (int i = 0; i < 3; i++) goal[i] = from[i] + 0.25 * q * (to[i] - from[i]);
                weft_move_pin(parts.state, parts.pins[1], q == 4 ? to : goal);
                take_steps(&parts, 1);
            }
        }
        double worst = 0;
        for (int i = 0; i < 3 * VERTICES; i++)
            worst =
                fmax(worst, fabs(weft_positions(whole.state)[i] - weft_positions(parts.state)[i]));
        CHECK_BELOW(worst, 1e-9);
        CHECK_NEAR(weft_time(whole.state), weft_time(parts.state), 1e-12);
        swing_close(&whole);
        swing_close(&parts);
        check_way(w, before);
    }
}

// All pins moved rigidly, all else follows after a while.
static void carried_along(void) {
    Swing s = open_way(4);
    s.step.air_density = 1.2;
    for (int k = 1; k <= 120; k++) {
        for (int p = 0; p < 2; p++) {
            double to[3] = {p, 0, -1 + 0.01 * k};
            weft_move_pin(s.state, s.pins[p], to);
        }
        CHECK(swing_step(&s));
    }
    for (int p = 0; p < 2; p++) CHECK_NEAR(place(&s, s.pins[p])[2], 0.2, 1e-15);
    WeftMeasure measure;
    CHECK(weft_measure(s.model, s.state, s.step.gravity, &measure) == WEFT_OK);
    CHECK_BELOW(measure.max_stretch, 1.5);
    CHECK_BELOW(measure.max_speed, 10);
    swing_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Set and released while running

static bool has_factor(const Swing* s) {
    WeftScheme scheme = weft_report(s->state)->scheme;  // of the last step
    return s->step.method == WEFT_METHOD_PREFACTORED ||
           (s->step.method == WEFT_METHOD_IMPLICIT &&
            (scheme == WEFT_SCHEME_A || scheme == WEFT_SCHEME_JAJ));
}

static int factors_of_next_step(Swing* s) {
    CHECK(swing_step(s));
    return weft_report(s->state)->factor_count;
}

static void one_factor_per_change(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = open_way(w);
        take_steps(&s, 20);
        int one = has_factor(&s) ? 1 : 0;
        CHECK(weft_report(s.state)->factor_count == 0);
        double held[3];
        memcpy(held, place(&s, 60), sizeof held);
        weft_pin(s.state, 60);
        CHECK(weft_is_pinned(s.state, 60));
        CHECK(factors_of_next_step(&s) == one);
        CHECK(factors_of_next_step(&s) == 0);
        weft_pin(s.state, 60);  // it is already
        CHECK(factors_of_next_step(&s) == 0);
        CHECK(same(place(&s, 60), held));
        weft_pin(s.state, 0);
        weft_pin(s.state, 1);
        CHECK(factors_of_next_step(&s) == one);
        // back to the model's pins: its own factor is there
        weft_release(s.state, 0);
        weft_release(s.state, 1);
        weft_release(s.state, 60);
        weft_release(s.state, 60);
        CHECK(!weft_is_pinned(s.state, 60));
        CHECK(factors_of_next_step(&s) == 0);
        CHECK(!same(place(&s, 60), held));
        swing_close(&s);
        check_way(w, before);
    }
}

// Pinned by the state or by the model: the same motion to the bit.
static void pinned_here_or_there(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing here = open_way(w), there = swing_def(N, 100);
        const int pins[3] = {here.pins[0], here.pins[1], 60};
        ways[w].set(&there);
        there.cloth.pins = pins;
        there.cloth.pin_count = 3;
        swing_open(&there);
        weft_pin(here.state, 60);
        take_steps(&here, 20);
        take_steps(&there, 20);
        CHECK(weft_hash_state(here.state) == weft_hash_state(there.state));
        swing_close(&here);
        swing_close(&there);
        check_way(w, before);
    }
}

// Pinned and let go without a step between, at rest: nothing happened.
static void pinned_and_released_at_rest(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing touched = open_way(w), untouched = open_way(w);
        weft_pin(touched.state, 60);
        weft_release(touched.state, 60);
        take_steps(&touched, 10);
        take_steps(&untouched, 10);
        CHECK(weft_hash_state(touched.state) == weft_hash_state(untouched.state));
        swing_close(&touched);
        swing_close(&untouched);
        check_way(w, before);
    }
}

// A cloth carried rigidly, then let go of: it flies on at the speed of its pins.
static void released_keeps_its_velocity(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = open_way(w);
        memset(s.step.gravity, 0, sizeof s.step.gravity);
        double start[3 * VERTICES];
        memcpy(start, weft_positions(s.state), sizeof start);
        for (int i = 0; i < VERTICES; i++) weft_pin(s.state, i);
        const double speed[3] = {1, 2, -0.5};
        double step = s.step.dt;
        for (int k = 1; k <= 5; k++) {
            for (int i = 0; i < VERTICES; i++) {
                double to[3];
                for (int c = 0; c < 3; c++) to[c] = start[3 * i + c] + k * step * speed[c];
                weft_move_pin(s.state, i, to);
            }
            CHECK(swing_step(&s));
        }
        for (int i = 0; i < VERTICES; i++) weft_release(s.state, i);
        for (int i = 0; i < VERTICES; i++)
            for (int c = 0; c < 3; c++) CHECK_NEAR(velocity(&s, i)[c], speed[c], 1e-9);
        take_steps(&s, 10);
        double worst = 0;
        for (int i = 0; i < 3 * VERTICES; i++)
            worst =
                fmax(worst, fabs(weft_positions(s.state)[i] - start[i] - 15 * step * speed[i % 3]));
        CHECK_BELOW(worst, 1e-9);
        swing_close(&s);
        check_way(w, before);
    }
}

// Caught in full flight: the speed of one vertex is lost, and nothing explodes: the energy stays
// below that of the start.
static void grabbed_at_speed(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = open_way(w);
        double top = swing_energy(&s), start = top, fastest = 0;
        take_steps(&s, 22);
        WeftMeasure flying, caught;
        CHECK(weft_measure(s.model, s.state, s.step.gravity, &flying) == WEFT_OK);
        CHECK(flying.max_speed > 1);
        weft_pin(s.state, 5);
        static const double still[3];
        CHECK(same(velocity(&s, 5), still));
        for (int k = 0; k < 60; k++) {
            CHECK(swing_step(&s));
            CHECK(weft_measure(s.model, s.state, s.step.gravity, &caught) == WEFT_OK);
            top = fmax(top, caught.total);
            fastest = fmax(fastest, caught.max_speed);
        }
        CHECK_BELOW(top, start + 0.01);
        CHECK_BELOW(fastest, 3 * flying.max_speed);
        swing_close(&s);
        check_way(w, before);
    }
}

// ---------------------------------------------------------------------------------------------
// Many

static void hundreds_of_pins(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = swing_def(25, 100);
        ways[w].set(&s);
        swing_open(&s);
        take_steps(&s, 5);
        double* held = malloc(3 * 625 * sizeof *held);
        memcpy(held, weft_positions(s.state), 3 * 625 * sizeof *held);
        int count = 0;
        for (int i = 0; i < 625; i += i % 3 ? 1 : 2) weft_pin(s.state, i), count++;
        CHECK(count > 300 && count < 625);
        take_steps(&s, 5);
        int moved = 0;
        for (int i = 0; i < 625; i++)
            if (weft_is_pinned(s.state, i))
                CHECK(same(place(&s, i), held + 3 * i));
            else
                moved += !same(place(&s, i), held + 3 * i);
        CHECK(moved > 100);
        free(held);
        swing_close(&s);
        check_way(w, before);
    }
}

static void all_pinned(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = open_way(w);
        take_steps(&s, 10);
        double held[3 * VERTICES];
        memcpy(held, weft_positions(s.state), sizeof held);
        for (int i = 0; i < VERTICES; i++) weft_pin(s.state, i);
        take_steps(&s, 3);
        CHECK(memcmp(weft_positions(s.state), held, sizeof held) == 0);
        CHECK(weft_report(s.state)->converged);
        swing_close(&s);
        check_way(w, before);
    }
}

static void no_pins_at_all(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = open_way(w);
        weft_release(s.state, s.pins[0]);
        weft_release(s.state, s.pins[1]);
        take_steps(&s, 30);
        // free fall: each vertex as the others, x and z as at the start
        for (int i = 0; i < VERTICES; i++) {
            CHECK_NEAR(place(&s, i)[0], (i % N) / (N - 1.0), 1e-9);
            CHECK_NEAR(place(&s, i)[1], place(&s, 0)[1], 1e-9);
        }
        // gt^2/2, up to what each method makes of it in half a second
        CHECK_NEAR(place(&s, 0)[1], -9.81 / 8, 0.05);
        swing_close(&s);
        check_way(w, before);
    }
}

// One model, two states with pins of their own: neither feels the other.
static void two_states_of_one_model(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing shared = open_way(w), a = open_way(w), b = open_way(w);
        WeftState* other = NULL;
        CHECK(weft_create_state(shared.model, &other, NULL) == WEFT_OK);
        weft_pin(shared.state, 0);
        weft_pin(a.state, 0);
        weft_pin(other, 60);
        weft_pin(b.state, 60);
        weft_release(other, b.pins[0]);
        weft_release(b.state, b.pins[0]);
        for (int k = 0; k < 10; k++) {
            CHECK(swing_step(&shared));
            CHECK(weft_step(shared.model, other, &shared.step) == WEFT_OK);
            CHECK(weft_report(other)->factor_count == (k == 0 && has_factor(&shared)));
        }
        take_steps(&a, 10);
        take_steps(&b, 10);
        CHECK(weft_hash_state(shared.state) == weft_hash_state(a.state));
        CHECK(weft_hash_state(other) == weft_hash_state(b.state));
        CHECK(weft_hash_state(shared.state) != weft_hash_state(other));
        weft_destroy_state(other);
        swing_close(&shared);
        swing_close(&a);
        swing_close(&b);
        check_way(w, before);
    }
}

// A pin that is not a number: an error, and the state as before. Put right, it goes on.
static void pins_that_are_not_numbers(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = open_way(w);
        take_steps(&s, 3);
        double good[3], bad[3];
        memcpy(good, place(&s, s.pins[0]), sizeof good);
        memcpy(bad, good, sizeof bad);
        bad[1] = NAN;
        double x[3 * VERTICES], v[3 * VERTICES], time = weft_time(s.state);
        memcpy(x, weft_positions(s.state), sizeof x);
        memcpy(v, weft_velocities(s.state), sizeof v);
        weft_move_pin(s.state, s.pins[0], bad);
        CHECK(weft_step(s.model, s.state, &s.step) == WEFT_ERROR_INPUT);
        CHECK_TEXT(weft_state_error(s.state)->message, "not a number");
        CHECK(memcmp(weft_positions(s.state), x, sizeof x) == 0);
        CHECK(memcmp(weft_velocities(s.state), v, sizeof v) == 0);
        CHECK(weft_time(s.state) == time);
        weft_move_pin(s.state, s.pins[0], good);
        CHECK(swing_step(&s));
        swing_close(&s);
        check_way(w, before);
    }
}

TEST_MAIN(CASE(held_to_the_bit), CASE(moved_exactly_and_straight), CASE(straight_through_substeps),
          CASE(carried_along), CASE(one_factor_per_change), CASE(pinned_here_or_there),
          CASE(pinned_and_released_at_rest), CASE(released_keeps_its_velocity),
          CASE(grabbed_at_speed), CASE(hundreds_of_pins), CASE(all_pinned), CASE(no_pins_at_all),
          CASE(two_states_of_one_model), CASE(pins_that_are_not_numbers))
