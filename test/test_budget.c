// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sim/budget.c: budgets cut work and hold, larger ones give more, the ladder climbs slowly
// and falls at once, what is set by hand is kept. The clock is a fake one.

#include "budget_test.h"
#include "counting.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Budgets cut, and hold

static void tiny_budgets(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        Run r;
        open_run(&r, swing_with(&ways[w], 1e-9), NULL);
        int before = test_failures;
        for (int k = 0; k < 10; k++) CHECK(step_and_repeat(&r));
        const WeftStepReport* report = weft_report(r.s.state);
        // one iteration, where there are any; JAJ with fewer than three gains energy
        CHECK(report->limits[0] == (ways[w].set == symplectic ? 0
                                    : ways[w].set == jaj_4_4  ? 3
                                                              : 1));
        CHECK(report->substeps > 1 || report->limits[1] == 0);
        CHECK(report->cut == ways[w].iterates);
        if (ways[w].set == open_ladder) {
            CHECK(report->substeps == 1 && report->scheme == WEFT_SCHEME_REPEAT);
            CHECK(report->iterations[0] == 1 && report->solve_count == 1);
        }
        if (report->method == WEFT_METHOD_RELAXATION) CHECK(report->sweep_count == 1);
        if (report->method == WEFT_METHOD_IMPLICIT) CHECK(report->cg_iterations == 1);
        say(before, ways[w].name, 10);
        close_run(&r);
    }
}

// As much as without a budget: all iterations are taken, and nothing was cut.
static void huge_budgets(void) {
    for (int w = 0; w < WAY_COUNT; w += test_slow() ? 1 : 2) {
        int before = test_failures;
        Run r, open;
        open_run(&r, swing_with(&ways[w], 1e6), NULL);
        open_run(&open, swing_with(&ways[w], 0), NULL);
        for (int k = 0; k < 80; k++) {
            CHECK(swing_step(&r.s) && swing_step(&open.s));
            CHECK(!weft_report(r.s.state)->cut);
        }
        const WeftStepReport* report = weft_report(r.s.state);
        if (ways[w].set == open_ladder) {  // the top rung
            CHECK(report->substeps == 4 && report->scheme == WEFT_SCHEME_JAJ);
            CHECK(report->iterations[0] == 4 && report->iterations[1] == 4);
            CHECK(report->limits[3] == 8 && report->limits[4] == 0);
            CHECK(report->factor_count == 0);
        } else if (!report->method ||
                   memcmp(report->iterations, weft_report(open.s.state)->iterations,
                          sizeof report->iterations) == 0) {
            CHECK(abs(iterations_of(r.s.state) - iterations_of(open.s.state)) <= 2);
        } else {  // as many sweeps as there is time for
            CHECK(report->method == WEFT_METHOD_RELAXATION && report->sweep_count >= 100);
        }
        say(before, ways[w].name, 80);
        close_run(&r);
        close_run(&open);
    }
}

// With a steady clock no step takes longer than its budget once costs are known, unless the
// cheapest does; and the time is used.
static void budgets_hold(void) {
    static const double budgets[] = {0.5, 0.8, 2.1, 13};
    for (int w = 0; w < WAY_COUNT; w++)
        for (int b = 0; b < 4; b += test_slow() ? 1 : 2) {
            int before = test_failures, k = 0;
            Run r;
            open_run(&r, swing_with(&ways[w], budgets[b]), NULL);
            const WeftStepReport* report = weft_report(r.s.state);
            // a line search is not to be foreseen
            int ticks = ways[w].set == converged ? 15 : 5;
            for (; k < 45 && test_failures == before; k++) {
                CHECK(swing_step(&r.s));
                double ms = 1e3 * report->times.total;
                bool cheapest = report->substeps == 1 && iterations_of(r.s.state) <= 1;
                if (k >= 30 && ways[w].set != symplectic && !cheapest)
                    CHECK_BELOW(ms, budgets[b] + ticks * 1e3 * TICK);
                if (k >= 30 && report->cut) CHECK_BELOW(0.5 * budgets[b], ms);
            }
            say(before, ways[w].name, k);
            close_run(&r);
        }
}

static void small_steps(WeftStepDef* step) { step->method = WEFT_METHOD_SMALL_STEPS; }

// Small steps: the more time, the more of them; where it is up, the rest goes in longer ones.
static void small_steps_fit(void) {
    static const Way way = {"small steps", small_steps, true};
    static const double budgets[] = {1e-9, 0.3, 0.6, 5};
    int last = 0;
    for (int b = 0; b < 4; b++) {
        Run r;
        open_run(&r, swing_with(&way, budgets[b]), NULL);
        const WeftStepReport* report = weft_report(r.s.state);
        for (int k = 0; k < 30; k++) {
            CHECK(step_and_repeat(&r));
            double ms = 1e3 * report->times.total;
            if (k >= 20 && b > 0) CHECK_BELOW(ms, 1.1 * budgets[b]);
        }
        printf("    %g ms: %d substeps\n", budgets[b], report->substeps);
        CHECK(report->substeps >= last && report->substeps <= 60);
        CHECK(b < 3 || report->substeps == 60);
        CHECK(report->cut == (b == 0) && (report->limits[1] > 0) == (b == 0));
        last = report->substeps;
        close_run(&r);
    }
}

// Higher rungs are those that come later in the order of the ladder.
static int rank_of(const WeftStepReport* report) {
    if (report->scheme == WEFT_SCHEME_REPEAT) return report->substeps;
    return (report->scheme == WEFT_SCHEME_JAJ ? 1000 : 100) + report->substeps * 10 +
           (report->iterations[0] > 7);
}

static void larger_budgets_give_more(void) {
    for (int w = 0; w < WAY_COUNT; w += test_slow() ? 1 : 3) {
        int before = test_failures, last = 0, first = -1, k = 0;
        double factor = test_slow() ? 1.8 : 8;
        for (double budget = 0.1; budget < 60 && test_failures == before; budget *= factor, k++) {
            Run r;
            open_run(&r, swing_with(&ways[w], budget), NULL);
            for (int i = 0; i < 40; i++) CHECK(swing_step(&r.s));
            int now = ways[w].set == open_ladder ? rank_of(weft_report(r.s.state))
                                                 : iterations_of(r.s.state);
            // where a solve ends by its tolerance, other states give or take one
            bool open =
                ways[w].iterates && weft_report(r.s.state)->method != WEFT_METHOD_RELAXATION;
            CHECK(now >= last - (open && !weft_report(r.s.state)->cut ? 2 : 0));
            if (first < 0) first = now;
            last = now;
            close_run(&r);
        }
        CHECK(last > first || ways[w].set == symplectic);
        say(before, ways[w].name, k);
    }
}

// ---------------------------------------------------------------------------------------------
// The ladder

// Up after several steps in which a higher rung would have fitted, down at once.
static void rungs_climb_slowly_and_fall_at_once(void) {
    Run r;
    open_run(&r, swing_with(&ways[0], 1000), NULL);
    const WeftStepReport* report = weft_report(r.s.state);
    int highest = 0, climbs = 0, last_climb = 0;
    for (int k = 0; k < 60; k++) {
        CHECK(step_and_repeat(&r));
        int rank = rank_of(report);
        CHECK(rank >= highest);
        if (k == 0) CHECK(rank == 1);
        if (k > 0 && rank > highest) {
            CHECK(k - last_climb >= 4);
            last_climb = k;
            climbs++;
        }
        highest = rank;
    }
    CHECK(climbs >= 1 && highest > 1000);
    for (int round = 0; round < 3; round++) {
        r.s.step.budget_ms = 1e-6;
        CHECK(step_and_repeat(&r));
        CHECK(rank_of(report) == 1);
        r.s.step.budget_ms = 1000;
        for (int k = 0; k < 4; k++) {  // not for a flicker
            CHECK(step_and_repeat(&r));
            CHECK(rank_of(report) == 1);
        }
        for (int k = 0; k < 60; k++) CHECK(step_and_repeat(&r));
        CHECK(rank_of(report) == highest);
    }
    // a slower machine, and a faster one again
    r.s.step.budget_ms = 3 * 1e3 * report->times.total;
    for (int k = 0; k < 20; k++) CHECK(step_and_repeat(&r));
    CHECK(rank_of(report) == highest);
    r.fake.tick = 100 * TICK;
    for (int k = 0; k < 20; k++) CHECK(step_and_repeat(&r));
    CHECK(rank_of(report) < highest);
    r.fake.tick = TICK;
    for (int k = 0; k < 3000 && rank_of(report) < highest; k++) CHECK(swing_step(&r.s));
    CHECK(rank_of(report) == highest);
    close_run(&r);
}

// A hiccup of one step does not undo what was learnt: the ladder is back soon.
static void hiccups(void) {
    Run r;
    open_run(&r, swing_with(&ways[0], 1000), NULL);
    for (int k = 0; k < 60; k++) CHECK(step_and_repeat(&r));
    int highest = rank_of(weft_report(r.s.state));
    r.s.step.budget_ms = 5 * 1e3 * weft_report(r.s.state)->times.total;
    r.fake.tick = 1e4 * TICK;
    CHECK(step_and_repeat(&r));
    CHECK(weft_report(r.s.state)->cut);
    r.fake.tick = TICK;
    for (int k = 0; k < 20; k++) CHECK(step_and_repeat(&r));
    CHECK(rank_of(weft_report(r.s.state)) == highest);
    close_run(&r);
}

// A model that was not made for a budget has no factors for the rungs: none are made in a step.
static void unprepared_models(void) {
    Swing s = swing_def(N, 30);
    Run r;
    open_run(&r, s, NULL);
    r.s.step.budget_ms = 1000;
    for (int k = 0; k < 60; k++) {
        CHECK(step_and_repeat(&r));
        CHECK(weft_report(r.s.state)->factor_count == 0 || k == 0);
    }
    // until it is prepared
    CHECK(weft_prepare_model(r.s.model, &r.s.step, NULL) == WEFT_OK);
    for (int k = 0; k < 60; k++) {
        CHECK(step_and_repeat(&r));
        CHECK(weft_report(r.s.state)->factor_count == 0);
    }
    CHECK(rank_of(weft_report(r.s.state)) > 1000);
    close_run(&r);
}

// With linear models one solve is all there is: one substep or two.
static void linear_models(void) {
    for (double budget = 1e-9; budget < 1e6; budget *= 1e3) {
        Swing s = swing_with(&ways[0], budget);
        weft_set_estimator(&s.cloth, WEFT_ESTIMATOR_VERTEX, 2);
        Run r;
        open_run(&r, s, NULL);
        for (int k = 0; k < 40; k++) CHECK(step_and_repeat(&r));
        const WeftStepReport* report = weft_report(r.s.state);
        CHECK(report->scheme == WEFT_SCHEME_REPEAT && report->iterations[0] == 1);
        CHECK(report->substeps == (budget > 1e3 ? 2 : budget < 1e-6 ? 1 : report->substeps));
        close_run(&r);
    }
}

// What is set by hand is kept, whatever the budget.
static void hand_set_is_kept(void) {
    for (double budget = 1e-6; budget < 1e6; budget *= 100) {
        Run r;
        open_run(&r, swing_with(&ways[0], budget), NULL);
        const WeftStepReport* report = weft_report(r.s.state);
        const WeftStepDef open = r.s.step;
        r.s.step.substeps = 3;
        for (int k = 0; k < 20; k++) CHECK(step_and_repeat(&r));
        CHECK(report->substeps == 3 && report->scheme == WEFT_SCHEME_A);  // as quality 4 says
        CHECK(report->limits[2] >= 1 && report->limits[3] == 0);
        r.s.step = open;
        r.s.step.scheme = WEFT_SCHEME_JAJ;
        for (int k = 0; k < 20; k++) CHECK(step_and_repeat(&r));
        CHECK(report->substeps == 2 && report->scheme == WEFT_SCHEME_JAJ);
        CHECK(report->limits[0] >= 3);
        r.s.step = open;
        r.s.step.iterations[0] = 5;
        for (int k = 0; k < 20; k++) CHECK(step_and_repeat(&r));
        CHECK(report->iterations[0] == 5 && report->limits[0] >= 1 && report->limits[0] <= 5);
        r.s.step = open;
        r.s.step.order = 1;
        for (int k = 0; k < 20; k++) CHECK(step_and_repeat(&r));
        CHECK(report->order == 1);
        r.s.step = open;
        r.s.step.method = WEFT_METHOD_RELAXATION;
        r.s.step.iterations[0] = 6;
        for (int k = 0; k < 20; k++) CHECK(step_and_repeat(&r));
        CHECK(report->iterations[0] == 6 && report->sweep_count >= 1 && report->sweep_count <= 6);
        r.s.step.limits[0] = 2;  // limits too
        for (int k = 0; k < 20; k++) CHECK(step_and_repeat(&r));
        CHECK(report->sweep_count <= 2 * (1 + report->guard_count));
        close_run(&r);
    }
}

// Limits by hand, without a budget: no substep goes beyond them.
static void limits_by_hand(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        int before = test_failures;
        Run r;
        open_run(&r, swing_with(&ways[w], 0), NULL);
        r.s.step.substeps = ways[w].set == symplectic ? 40 : 4;
        for (int i = 0; i < 4; i++) r.s.step.limits[i] = 4 - i;
        for (int k = 0; k < 10; k++) CHECK(step_and_repeat(&r));
        for (int i = 0; i < 4; i++) CHECK(weft_report(r.s.state)->limits[i] <= 4 - i);
        if (ways[w].iterates) CHECK(weft_report(r.s.state)->limits[2] == 2);
        say(before, ways[w].name, 10);
        close_run(&r);
    }
}

// ---------------------------------------------------------------------------------------------
// Around it

static void refusals(void) {
    Swing s = swing_def(N, 30);
    swing_open(&s);  // no clock
    s.step.budget_ms = 1;
    WeftError error = {0};
    CHECK(weft_prepare_model(s.model, &s.step, &error) == WEFT_ERROR_COMBINATION);
    CHECK_TEXT(error.message, "a budget needs a clock");
    uint64_t before = weft_hash_state(s.state);
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_COMBINATION);
    CHECK_TEXT(weft_state_error(s.state)->message, "a budget needs a clock");
    WeftModelDef def = swing_model_def(&s);
    WeftModel* model = NULL;
    CHECK(weft_create_model(&def, &model, &error) == WEFT_ERROR_COMBINATION && !model);
    CHECK_TEXT(error.message, "a budget needs a clock");
    const double bad[] = {-1, -1e-300, (double)NAN, (double)INFINITY, 1.1e6};
    for (int i = 0; i < 5; i++) {
        s.step.budget_ms = bad[i];
        CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
        CHECK_TEXT(weft_state_error(s.state)->message, "budget_ms is");
    }
    s.step.budget_ms = 0;
    for (int i = 0; i < WEFT_MAX_LIMITS; i++) {
        char words[32];
        snprintf(words, sizeof words, "limits[%d] is -1", i);
        s.step.limits[i] = -1;
        CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
        CHECK_TEXT(weft_state_error(s.state)->message, words);
        s.step.limits[i] = 0;
    }
    CHECK(weft_hash_state(s.state) == before);
    CHECK(swing_step(&s));
    swing_close(&s);
}

// A clock may count from anywhere: a machine's start, 1970, or an appointment in the future.
static void clocks_from_anywhere(void) {
    static const double starts[] = {0, 1e5, -1e5, -2e-4};
    for (int w = 0; w < WAY_COUNT; w += test_slow() ? 1 : 3) {
        int taken[4], before = test_failures;
        for (int c = 0; c < 4; c++) {
            Run r;
            open_run(&r, swing_with(&ways[w], 0.7), NULL);
            r.fake.now = starts[c];
            for (int k = 0; k < 20; k++) CHECK(step_and_repeat(&r));
            taken[c] = iterations_of(r.s.state);
            close_run(&r);
        }
        for (int c = 1; c < 4; c++) CHECK(abs(taken[c] - taken[0]) <= 1);
        say(before, ways[w].name, 20);
    }
}

// What was measured belongs to a state, not to what moves: copies and hashes know nothing of it.
static void measurements_do_not_move(void) {
    Run r;
    open_run(&r, swing_with(&ways[0], 1000), NULL);
    for (int k = 0; k < 60; k++) CHECK(swing_step(&r.s));
    weft_copy_state(r.twin, r.s.state);
    CHECK(weft_hash_state(r.twin) == weft_hash_state(r.s.state));
    CHECK(weft_step(r.twin, &r.s.step) == WEFT_OK);
    CHECK(rank_of(weft_report(r.twin)) == 1);  // has to learn by itself
    CHECK(swing_step(&r.s));
    CHECK(rank_of(weft_report(r.s.state)) > 1000);
    close_run(&r);
}

static void warm_steps_allocate_nothing(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        Counting counting = {0};
        Swing s = swing_with(&ways[w], 1);
        s.allocator = counting_allocator(&counting);
        Run r;
        open_run(&r, s, NULL);
        CHECK(swing_step(&r.s));
        long calls = counting.calls;
        for (int k = 0; k < 60; k++) {
            disturb(&r, k);
            CHECK(swing_step(&r.s));
            CHECK(weft_report(r.s.state)->factor_count == 0);
        }
        CHECK(counting.calls == calls);
        close_run(&r);
        CHECK(counting.live == 0);
    }
}

TEST_MAIN(CASE(tiny_budgets), CASE(small_steps_fit), SLOW_CASE(huge_budgets), CASE(budgets_hold),
          SLOW_CASE(larger_budgets_give_more), SLOW_CASE(rungs_climb_slowly_and_fall_at_once), CASE(hiccups),
          CASE(unprepared_models), CASE(linear_models), CASE(hand_set_is_kept),
          CASE(limits_by_hand), CASE(refusals), CASE(clocks_from_anywhere),
          CASE(measurements_do_not_move), CASE(warm_steps_allocate_nothing))
