// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards long steps with contact, as engines take them after a load: cloth is not torn, does not
// fall asleep in the air, and sleeping cloth costs no factors whatever the lengths are.

#include "touch.h"

// Two sheets fall on a ball and a floor.
static Touch falling(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 0.6, 12, 0, 0, 0);
    touch_sheet(&t, 0.5, 9, 0.02, 0.03, 0.01);
    touch_body(&t, WEFT_BODY_SPHERE, 0, -0.3, 0)->radius = 0.15;
    touch_body(&t, WEFT_BODY_PLANE, 0, -0.5, 0);
    return t;
}

static void steps(Touch* t, double dt, int count) {
    t->step.dt = dt;
    for (int k = 0; k < count; k++) CHECK(touch_step(t));
}

static double lowest(const Touch* t) {
    double low = HUGE_VAL;
    for (int i = 0; i < weft_vertex_count(t->model); i++)
        low = fmin(low, weft_positions(t->state)[3 * i + 1]);
    return low;
}

// One step of a second stretched a sheet on a ball 3 times.
static void long_steps_tear_nothing(void) {
    static const double lengths[] = {0.2, 0.5, 1};
    static const WeftMethod methods[] = {WEFT_METHOD_PREFACTORED, WEFT_METHOD_RELAXATION};
    for (int k = 0; k < 6; k++) {
        Touch t = falling();
        t.step.method = methods[k % 2];
        touch_open(&t);
        steps(&t, 1.0 / 60, 12);
        for (int i = 0; i < 2; i++) {
            steps(&t, lengths[k / 2], 1);
            CHECK_BELOW(touch_measure(&t).max_stretch, 1.2);
            CHECK(weft_report(t.state)->substeps <= 16);
        }
        steps(&t, 1.0 / 60, 6);
        CHECK_BELOW(touch_measure(&t).max_stretch, 1.2);
        CHECK(touch_crossings(&t) == 0);
        touch_close(&t);
    }
}

// Without contact nothing is cut.
static void free_steps_are_whole(void) {
    Touch t = touch_def(WEFT_CONTACT_NONE);
    touch_sheet(&t, 0.6, 6, 0, 0, 0);
    touch_open(&t);
    steps(&t, 1, 2);
    CHECK(weft_report(t.state)->substeps == 2);
    touch_close(&t);
}

// One long step filled the time that cloth has to be slow before it sleeps.
static void no_sleep_after_a_long_step(void) {
    Touch t = falling();
    touch_open(&t);
    for (int k = 0; k < 9; k++) {
        steps(&t, 0.5, 1);
        CHECK(!weft_report(t.state)->asleep);
    }
    touch_close(&t);
    t = falling();
    touch_open(&t);
    steps(&t, 1.0 / 60, 12);
    steps(&t, 1, 1);
    steps(&t, 1.0 / 60, 1);
    CHECK(!weft_report(t.state)->asleep);
    steps(&t, 1.0 / 60, 60);
    CHECK_BELOW(lowest(&t), -0.3);
    touch_close(&t);
}

// Steps of any length made a factor each before they slept.
static void sleep_needs_no_factors(void) {
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    touch_sheet(&t, 0.4, 8, 0, 5e-3, 0);
    touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
    touch_open(&t);
    for (int k = 0; k < 200 && !weft_report(t.state)->asleep; k++) steps(&t, 1.0 / 60, 1);
    for (double dt = 1e-4; dt < 1; dt *= 1.7) {
        steps(&t, dt, 1);
        CHECK(weft_report(t.state)->asleep && weft_report(t.state)->factor_count == 0);
    }
    touch_close(&t);
}

TEST_MAIN(SLOW_CASE(long_steps_tear_nothing), CASE(free_steps_are_whole),
          SLOW_CASE(no_sleep_after_a_long_step), CASE(sleep_needs_no_factors))
