// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards pins: held to the bit, moved along straight lines, set and released while running, in any
// number, per state, by every method; without a factorisation for a few of them, and without one at
// once for more; saved and restored at any moment of that.

#include "sim/state.h"
#include "swing.h"
#include "test.h"
#include "weft/weft_study.h"

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
    CHECK(weft_measure(s.state, s.step.gravity, &measure) == WEFT_OK);
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

static void a_change_takes_no_factor(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = open_way(w);
        take_steps(&s, 20);
        CHECK(weft_report(s.state)->factor_count == 0);
        double held[3];
        memcpy(held, place(&s, 60), sizeof held);
        weft_pin(s.state, 60);
        CHECK(weft_is_pinned(s.state, 60));
        CHECK(factors_of_next_step(&s) == 0);
        weft_pin(s.state, 60);  // it is already
        CHECK(factors_of_next_step(&s) == 0);
        CHECK(same(place(&s, 60), held));
        weft_pin(s.state, 0);
        weft_pin(s.state, 1);
        weft_unpin(s.state, s.pins[0]);
        CHECK(factors_of_next_step(&s) == 0);
        CHECK(same(place(&s, 60), held));
        weft_unpin(s.state, 0);
        weft_unpin(s.state, 1);
        weft_unpin(s.state, 60);
        weft_unpin(s.state, 60);
        CHECK(!weft_is_pinned(s.state, 60));
        CHECK(factors_of_next_step(&s) == 0);
        CHECK(!same(place(&s, 60), held));
        swing_close(&s);
        check_way(w, before);
    }
}

// So many vertices of the middle.
static void pin_some(WeftState* state, int count) {
    for (int i = 0; i < count; i++) weft_pin(state, 2 + i);
}

// How a number of changes at once is met: by the exchange alone; by a factor in the making, which
// takes over within some steps; by a factor at once.
static void few_some_many(void) {
    enum { HALF = WF_MAX_EXCHANGED / 2, STEPS = 40 };
    static const int counts[] = {
        1, HALF - 1, HALF, HALF + 1, WF_MAX_EXCHANGED, WF_MAX_EXCHANGED + 1, 100};
    for (int w = 0; w < WAY_COUNT; w += test_slow() ? 1 : 2)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            int before = test_failures, count = counts[c];
            Swing s = open_way(w);
            take_steps(&s, 2);
            pin_some(s.state, count);
            for (int k = 0; k < STEPS; k++) {
                int factors = factors_of_next_step(&s);
                CHECK(factors == (has_factor(&s) && count > WF_MAX_EXCHANGED && k == 0));
                int left = s.state->exchange.count;
                if (!has_factor(&s) || count > WF_MAX_EXCHANGED)
                    CHECK(left == 0);
                else if (count <= HALF)
                    CHECK(left == count);
                else
                    CHECK(left == count || (left == 0 && k > 2));  // not all of it in one step
            }
            bool taken = has_factor(&s) && count > HALF;
            CHECK(!taken || s.state->exchange.count == 0);
            // all back: the model's own factor is there
            for (int i = 0; i < count; i++) weft_unpin(s.state, 2 + i);
            for (int k = 0; k < 3; k++) CHECK(factors_of_next_step(&s) == 0);
            CHECK(s.state->exchange.count == 0);
            swing_close(&s);
            if (test_failures != before) printf("... %d pins\n", count);
            check_way(w, before);
        }
}

// One pin more in each step, for as long as there are vertices: never a factor at once.
static void a_pin_in_every_step(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures, most = 0;
        Swing s = open_way(w);
        take_steps(&s, 2);
        for (int i = 0; i < VERTICES; i++) {
            weft_pin(s.state, i * 37 % VERTICES);
            CHECK(factors_of_next_step(&s) == 0);
            most = s.state->exchange.count > most ? s.state->exchange.count : most;
        }
        CHECK(!has_factor(&s) || (most > WF_MAX_EXCHANGED / 2 && most <= WF_MAX_EXCHANGED));
        swing_close(&s);
        check_way(w, before);
    }
}

static double largest_distance(const Swing* a, const Swing* b) {
    double worst = 0;
    for (int i = 0; i < 3 * VERTICES; i++)
        worst = fmax(worst, fabs(weft_positions(a->state)[i] - weft_positions(b->state)[i]));
    return worst;
}

// Pinned and released by the state or by the model: the same motion, to the bit where the state has
// a factor of its own from the first step.
static void check_here_or_there(int w, int pin_count, bool release, double tolerance,
                                double bound) {
    int before = test_failures, pins[VERTICES], count = 0;
    Swing here = swing_def(N, 100), there = swing_def(N, 100);
    ways[w].set(&here);
    ways[w].set(&there);
    here.step.solve_tolerance = there.step.solve_tolerance = tolerance;
    swing_open(&here);
    for (int i = 0; i < pin_count; i++) pins[count++] = 2 + i;
    if (release)
        for (int p = 0; p < 2; p++) weft_unpin(here.state, here.pins[p]);
    else
        for (int p = 0; p < 2; p++) pins[count++] = here.pins[p];
    there.cloth.pins = pins;
    there.cloth.pin_count = count;
    swing_open(&there);
    pin_some(here.state, pin_count);
    take_steps(&here, test_rounds(20));
    take_steps(&there, test_rounds(20));
    if (pin_count + 2 * release > WF_MAX_EXCHANGED)
        CHECK(weft_hash_state(here.state) == weft_hash_state(there.state));
    else
        CHECK_BELOW(largest_distance(&here, &there), bound);
    if (test_failures != before) printf("... %d pins, %g\n", pin_count, tolerance);
    swing_close(&here);
    swing_close(&there);
    check_way(w, before);
}

static void pinned_here_or_there(void) {
    static const int counts[] = {1, 12, 40, 63, 80};
    for (int w = 0; w < WAY_COUNT; w++)
        for (int c = 0; c < 5; c++) {
            check_here_or_there(w, counts[c], c % 2, 1e-12, 1e-9);
            check_here_or_there(w, counts[c], !(c % 2), 1e-3, 1e-4);
        }
}

// ---------------------------------------------------------------------------------------------
// Coming and going

// What a plan does before step k of a run.
typedef struct Plan {
    const char* name;
    void (*change)(Swing* s, int k);
    bool makes;  // with factors in the making
} Plan;

static int chance(int k, int i) {
    unsigned seed = (unsigned)(k * 7919 + i * 104729 + 12345);
    for (int r = 0; r < 3; r++) seed = seed * 1664525u + 1013904223u;
    return (int)(seed >> 10 & 0xffff);
}

static void flip(WeftState* state, int vertex) {
    if (weft_is_pinned(state, vertex))
        weft_unpin(state, vertex);
    else
        weft_pin(state, vertex);
}

static void a_few(Swing* s, int k) {
    if (k % 2) flip(s->state, chance(k, 0) % 25);
}
// one after the other, then others all over
static void more_and_more(Swing* s, int k) {
    if (k < 60)
        weft_pin(s->state, k);
    else
        flip(s->state, chance(k, 1) % VERTICES);
}
static void bursts(Swing* s, int k) {
    for (int i = 0; i < VERTICES && k % 15 == 5; i++)
        if (chance(k, i) % 3 == 0) flip(s->state, i);
    if (k % 4 == 0) flip(s->state, chance(k, 2) % VERTICES);
}
// settings that the model has no factor for, and back
static void other_steps(Swing* s, int k) {
    more_and_more(s, k);
    s->step.dt = k / 10 % 3 == 2 ? 0.01 : k / 10 % 3 == 1 ? 0.012 : 1.0 / 60;
}
static void moved(Swing* s, int k) {
    more_and_more(s, k);
    for (int i = 0; i < VERTICES; i++)
        if (weft_is_pinned(s->state, i) && chance(k, i) % 5 == 0) {
            double to[3];
            memcpy(to, place(s, i), sizeof to);
            to[k % 3] += 1e-3;
            weft_move_pin(s->state, i, to);
        }
}

static const Plan plans[] = {
    {"a few", a_few, false},   {"more and more", more_and_more, true},
    {"bursts", bursts, false}, {"other steps", other_steps, true},
    {"moved", moved, true},
};
enum { PLAN_COUNT = sizeof plans / sizeof *plans, PLAN_STEPS = 120 };

static void follow(Swing* s, const Plan* plan, int k) {
    plan->change(s, k);
    CHECK(swing_step(s));
}

// A run is saved before every step. From there others go on, in a state that has been elsewhere,
// and do what the first one did: one from the bytes, one as a copy of that one.
static void check_restored(int w, const Plan* plan, double tolerance) {
    enum { AFTER = 14 };
    int before = test_failures, making = 0, apart = 0;
    Swing s = open_way(w), loaded = open_way(w), copied = loaded;  // two models; a shared one
    CHECK(weft_create_state(loaded.model, &copied.state, NULL) == WEFT_OK);
    s.step.solve_tolerance = loaded.step.solve_tolerance = copied.step.solve_tolerance = tolerance;
    size_t size = weft_saved_size(s.state);
    unsigned char* bytes = malloc(PLAN_STEPS * size);
    uint64_t hashes[PLAN_STEPS];
    for (int k = 0; k < PLAN_STEPS; k++) {
        weft_save_state(s.state, bytes + (size_t)k * size);
        making += k % 4 == 2 && s.state->pieces > 0;
        follow(&s, plan, k);
        hashes[k] = weft_hash_state(s.state);
    }
    for (int first = 2; first < PLAN_STEPS; first += test_slow() ? 4 : 16) {
        CHECK(!weft_load_state(loaded.state, bytes + (size_t)first * size, size, NULL));
        weft_copy_state(copied.state, loaded.state);
        for (int k = first; k < first + AFTER && k < PLAN_STEPS; k++) {
            follow(&loaded, plan, k);
            follow(&copied, plan, k);
            apart += weft_hash_state(loaded.state) != hashes[k];
            apart += weft_hash_state(copied.state) != hashes[k];
        }
    }
    CHECK(apart == 0);
    CHECK(!plan->makes || making > 3);
    if (test_failures != before)
        printf("... %s, tolerance %g, %d apart\n", plan->name, tolerance, apart);
    free(bytes);
    weft_destroy_state(copied.state);
    swing_close(&s);
    swing_close(&loaded);
    check_way(w, before);
}

static void restored_in_the_middle(void) {
    for (int p = 0; p < PLAN_COUNT; p++) check_restored(p % 2 ? 4 : 3, &plans[p], 1e-3);
    check_restored(5, &plans[1], 1e-12);  // jaj
    // about what a solve leaves: whether it is refined must not depend on where a factor came from
    for (double tolerance = 5e-8; tolerance < 1e-5; tolerance *= 5)
        check_restored(4, &plans[3], tolerance);
}

// Pinned and let go without a step between, at rest: nothing happened.
static void pinned_and_released_at_rest(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing touched = open_way(w), untouched = open_way(w);
        weft_pin(touched.state, 60);
        weft_unpin(touched.state, 60);
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
        for (int i = 0; i < VERTICES; i++) weft_unpin(s.state, i);
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
        CHECK(weft_measure(s.state, s.step.gravity, &flying) == WEFT_OK);
        CHECK(flying.max_speed > 1);
        weft_pin(s.state, 5);
        static const double still[3];
        CHECK(same(velocity(&s, 5), still));
        for (int k = 0; k < 60; k++) {
            CHECK(swing_step(&s));
            CHECK(weft_measure(s.state, s.step.gravity, &caught) == WEFT_OK);
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

static void check_free_fall(bool exact) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Swing s = swing_def(N, 100);
        ways[w].set(&s);
        if (exact) s.step.solve_tolerance = 1e-12;
        swing_open(&s);
        weft_unpin(s.state, s.pins[0]);
        weft_unpin(s.state, s.pins[1]);
        take_steps(&s, 30);
        // free fall: each vertex as the others, x and z as at the start
        for (int i = 0; i < VERTICES; i++) {
            CHECK_NEAR(place(&s, i)[0], (i % N) / (N - 1.0), exact ? 1e-9 : 1e-5);
            CHECK_NEAR(place(&s, i)[1], place(&s, 0)[1], exact ? 1e-9 : 1e-5);
        }
        // gt^2/2, up to what each method makes of it in half a second
        CHECK_NEAR(place(&s, 0)[1], -9.81 / 8, 0.05);
        swing_close(&s);
        check_way(w, before);
    }
}

static void no_pins_at_all(void) {
    check_free_fall(true);
    check_free_fall(false);
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
        weft_unpin(other, b.pins[0]);
        weft_unpin(b.state, b.pins[0]);
        for (int k = 0; k < 10; k++) {
            CHECK(swing_step(&shared));
            CHECK(weft_step(other, &shared.step) == WEFT_OK);
            CHECK(weft_report(other)->factor_count == 0);
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
        CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
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
          CASE(carried_along), CASE(a_change_takes_no_factor), SLOW_CASE(few_some_many),
          SLOW_CASE(a_pin_in_every_step), CASE(pinned_here_or_there),
          SLOW_CASE(restored_in_the_middle), CASE(pinned_and_released_at_rest),
          CASE(released_keeps_its_velocity), CASE(grabbed_at_speed), CASE(hundreds_of_pins),
          CASE(all_pinned), CASE(no_pins_at_all), CASE(two_states_of_one_model),
          CASE(pins_that_are_not_numbers))
