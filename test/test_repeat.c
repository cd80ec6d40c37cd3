// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards weft_repeat_step: what a budget chose is in the report, and the report repeats every step
// bit for bit, on a copy of the state and in a model without a clock. The clock is a fake one that
// runs faster and slower; one case uses a real one.

#include <time.h>

#include "budget_test.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// Pins that come, move and go; both states alike.
static void handle_pins(Run* r, int k) {
    WeftState* states[] = {r->s.state, r->blind};
    int vertex = dice(N * N), other = dice(N * N);
    for (int i = 0; i < 2; i++) {
        if (k % 3 == 0) weft_pin(states[i], vertex);
        if (k % 2 == 0 && weft_is_pinned(states[i], other)) weft_unpin(states[i], other);
        double to[3];
        memcpy(to, weft_positions(states[i]) + 3 * r->s.pins[0], sizeof to);
        to[0] += 0.002 * (k % 5);
        if (weft_is_pinned(states[i], r->s.pins[0])) weft_move_pin(states[i], r->s.pins[0], to);
    }
}

static void each_method_repeats(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures, k = 0;
        Run r;
        open_run(&r, swing_with(&ways[w], 1), NULL);
        for (; k < test_rounds(120) && test_failures == before; k++) {
            disturb(&r, k);
            handle_pins(&r, k);
            step_and_repeat(&r);
        }
        say(before, ways[w].name, k);
        close_run(&r);
    }
}

// From method to method, order to order and dt to dt.
static void switches_repeat(void) {
    Run r;
    open_run(&r, swing_with(&ways[0], 1), NULL);
    WeftStepDef start = r.s.step;
    int before = test_failures, w = 0, k = 0;
    for (; k < 400 && test_failures == before; k++) {
        if (dice(4) == 0) {
            w = dice(WAY_COUNT);
            double budget = r.s.step.budget_ms;
            r.s.step = start;
            ways[w].set(&r.s.step);
            r.s.step.budget_ms = budget;
            r.s.step.order = dice(3);
            r.s.step.dt = dice(2) ? 1.0 / 60 : 1.0 / 90;
            r.s.step.guard = dice(3) > 0;
        }
        disturb(&r, k);
        handle_pins(&r, k);
        step_and_repeat(&r);
    }
    say(before, ways[w].name, k);
    close_run(&r);
}

// Triangles, softened stiffness, damping, air.
static void other_cloths_repeat(void) {
    for (int kind = 0; kind < 3; kind++) {
        Swing s = swing_with(&ways[0], 1);
        if (kind == 0) swing_triangles(&s);
        if (kind == 1) {
            s.cloth.fabric.stretch_warp = s.cloth.fabric.stretch_weft = 5000;
            s.step.stretch_tolerance = 0.01;
        }
        if (kind == 2) {
            s.grid = WEFT_GRID_CROSSED;
            s.cloth.bend = WEFT_BEND_EXPLICIT;
            s.cloth.fabric.stretch_damping = 0.001;
            s.step.air_density = 1.2;
            s.step.wind[2] = 4;
        }
        Run r;
        open_run(&r, s, NULL);
        int before = test_failures;
        for (int k = 0; k < test_rounds(150) && test_failures == before; k++) {
            disturb(&r, k);
            handle_pins(&r, k);
            step_and_repeat(&r);
        }
        close_run(&r);
    }
}

// More substeps than a report can tell: the rest does as the last one told.
static void many_substeps_repeat(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures, k = 0;
        Run r;
        open_run(&r, swing_with(&ways[w], 1), NULL);
        r.s.step.substeps = ways[w].set == symplectic ? 40 : 20;
        for (; k < test_rounds(40) && test_failures == before; k++) {
            disturb(&r, k);
            step_and_repeat(&r);
            const WeftStepReport* report = weft_report(r.s.state);
            int last = report->limits[WEFT_MAX_LIMITS - 1];
            int most = iterations_of(r.s.state) + (report->substeps - WEFT_MAX_LIMITS) * last;
            // the first step looks for an acceleration, too
            if (k > 0 && last > 0) CHECK(report->sweep_count + report->cg_iterations <= most);
        }
        CHECK(weft_report(r.s.state)->substeps > WEFT_MAX_LIMITS);
        say(before, ways[w].name, k);
        close_run(&r);
    }
}

// A solve that needs no iteration at all is repeated as such, wherever it comes.
static void idle_solves_repeat(void) {
    for (int substeps = 1; substeps <= 24; substeps += 23)
        for (int order = 1; order <= 2; order++) {
            Swing s = swing_with(&ways[0], 50);
            weft_use_preset(&s.step, WEFT_PRESET_CHOI_KO);
            s.step.substeps = substeps;
            s.step.order = order;
            Run r;
            open_run(&r, s, NULL);
            bool idle = false, busy = false;
            int before = test_failures;
            for (int k = 0; k < test_rounds(200) && test_failures == before; k++) {
                r.s.step.tolerance = 0.002 * (1 + dice(400));
                if (dice(5) == 0) {  // history anew, at rest or in free fall
                    double v[3 * N * N];
                    double speed = dice(3) ? 0 : -3;
                    for (int i = 0; i < 3 * N * N; i++) v[i] = i % 3 == 1 ? speed : 0;
                    weft_set_velocities(r.s.state, v);
                    weft_set_velocities(r.blind, v);
                }
                disturb(&r, k);
                step_and_repeat(&r);
                for (int i = 0; i < substeps && i < WEFT_MAX_LIMITS; i++) {
                    idle = idle || weft_report(r.s.state)->limits[i] == 0;
                    busy = busy || weft_report(r.s.state)->limits[i] > 0;
                }
            }
            CHECK(idle && busy);
            close_run(&r);
        }
}

// A step that was cut stays cut: what follows the cut would otherwise be counted to what went
// before it, and repeated there. Costs learnt on a slow machine, then a fast one: the estimate of
// an iteration falls while the step looks for the time left.
static void cuts_are_final(void) {
    void (*const sets[])(WeftStepDef*) = {jaj_4_4, two_newtons, two_relaxations, converged};
    for (int w = 0; w < 4; w++)
        for (int trial = 0; trial < 60; trial += test_slow() ? 1 : 4) {
            Swing s = swing_def(N, 30);
            sets[w](&s.step);
            s.step.budget_ms = 100;
            Run r;
            open_run(&r, s, NULL);
            r.fake.tick = 40 * TICK;
            CHECK(step_and_repeat(&r));
            r.fake.tick = TICK;
            r.s.step.budget_ms = 0.2 + 0.1 * trial;
            int before = test_failures;
            for (int k = 0; k < 4 && test_failures == before; k++) step_and_repeat(&r);
            if (test_failures != before) printf("... way %d, trial %d\n", w, trial);
            close_run(&r);
            if (test_failures != before) break;
        }
}

// Saved on the way and restored, in another state: reports lead it the same way.
static void restored_states_repeat(void) {
    enum { STEPS = 60 };
    Run r;
    open_run(&r, swing_with(&ways[0], 2), NULL);
    for (int k = 0; k < 40; k++) {
        disturb(&r, k);
        CHECK(step_and_repeat(&r));
    }
    size_t size = weft_saved_size(r.s.state);
    void* bytes = malloc(size);
    weft_save_state(r.s.state, bytes);
    WeftStepDef asked[STEPS];
    WeftStepReport reports[STEPS];
    for (int k = 0; k < STEPS; k++) {
        disturb(&r, k);
        CHECK(swing_step(&r.s));
        asked[k] = r.s.step;
        reports[k] = *weft_report(r.s.state);
    }
    CHECK(weft_load_state(r.blind, bytes, size, NULL) == WEFT_OK);
    CHECK(weft_load_state(r.twin, bytes, size, NULL) == WEFT_OK);
    for (int k = 0; k < STEPS; k++) {
        WeftStepDef again = weft_repeat_step(&asked[k], &reports[k]);
        CHECK(weft_step(r.blind, &again) == WEFT_OK);
        CHECK(weft_step(r.twin, &again) == WEFT_OK);
    }
    CHECK(weft_hash_state(r.blind) == weft_hash_state(r.s.state));
    CHECK(weft_hash_state(r.twin) == weft_hash_state(r.s.state));
    // and a state of its own goes on from there with a budget
    for (int k = 0; k < 10; k++) CHECK(weft_step(r.twin, &r.s.step) == WEFT_OK);
    free(bytes);
    close_run(&r);
}

// So many pins that states make factors of their own. Which pins these have depends on what the
// model has factors for, so that the blind one is prepared for every step, as the first one was.
static void many_pins_repeat(void) {
    Run r;
    open_run(&r, swing_with(&ways[0], 1), NULL);
    r.prepared = true;
    WeftState* states[] = {r.s.state, r.blind};
    int before = test_failures, k = 0;
    for (; k < 200 && test_failures == before; k++) {
        disturb(&r, k);
        int vertex = dice(N * N), count = k % 50 == 20 ? N * N : k % 50 == 45 ? 0 : 3;
        for (int i = 0; i < 2; i++)
            for (int v = 0; v < N * N; v++) {
                bool chosen = count == N * N || (v >= vertex && v < vertex + count);
                if (chosen && k % 100 < 60) weft_pin(states[i], v);
                if ((count == 0 || (chosen && k % 100 >= 60)) && weft_is_pinned(states[i], v))
                    weft_unpin(states[i], v);
            }
        step_and_repeat(&r);
    }
    say(before, "many pins", k);
    close_run(&r);
}

static double real_now(void* user) {
    (void)user;
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A real clock: whatever it says, the reports repeat the run.
static void real_clock(void) {
    static const WeftClock clock = {.now = real_now};
    Swing s = swing_def(21, 100);
    s.step.budget_ms = 0.5;
    Run r;
    open_run(&r, s, &clock);
    int before = test_failures;
    for (int k = 0; k < test_rounds(200) && test_failures == before; k++) {
        r.s.step = s.step;
        ways[k / 10 % WAY_COUNT].set(&r.s.step);
        r.s.step.budget_ms = 0.1 * (1 + k % 12);
        step_and_repeat(&r);
    }
    close_run(&r);
}

TEST_MAIN(CASE(each_method_repeats), CASE(switches_repeat), CASE(other_cloths_repeat),
          SLOW_CASE(many_substeps_repeat), CASE(idle_solves_repeat), CASE(cuts_are_final),
          CASE(restored_states_repeat), CASE(many_pins_repeat), CASE(real_clock))
