// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what a step says of contact where it could not keep it: pins inside bodies, planes that
// turn over.

#include "touch.h"

static const WeftStepReport* step(Touch* t) {
    touch_step(t);
    return weft_report(t->state);
}

// Pins below the floor were not told of: tangles -1, unstopped 0.
static void pins_below_the_floor(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 0.4, 8, 0, 0, 0);
    touch_body(&t, WEFT_BODY_PLANE, 0, -0.04, 0);
    touch_pin(&t, 0, 0);
    t.step.substeps = 1;  // with more, it is below within the step, too
    touch_open(&t);
    int unstopped = 0, tangled = 0;
    for (int k = 0; k < 24; k++) {
        double height = k < 12 ? -0.01 * (k + 1) : -0.12 + 0.01 * (k - 11);
        const double to[3] = {-0.2, height, 0.2};
        weft_move_pin(t.state, 0, to);
        bool inside = weft_positions(t.state)[1] < -0.04 - 1e-9;
        const WeftStepReport* report = step(&t);
        CHECK(!inside || report->tangles > 0);
        CHECK(inside || report->tangles <= 0);
        unstopped += report->unstopped;
        tangled += inside;
    }
    CHECK(unstopped == 1 && tangled > 12);
    touch_close(&t);
}

// Cloth that sleeps goes on telling.
static void pins_inside_asleep(void) {
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    touch_sheet(&t, 0.1, 2, 0, 0, 0);
    touch_body(&t, WEFT_BODY_SPHERE, -0.05, 0, 0.05)->radius = 0.01;
    touch_body(&t, WEFT_BODY_PLANE, 0, -0.001, 0);
    touch_pin(&t, 0, 0);
    touch_open(&t);
    const WeftStepReport* report = step(&t);
    for (int k = 0; k < 120 && !report->asleep; k++) report = step(&t);
    CHECK(report->asleep && report->tangles == 1);
    touch_close(&t);
}

// A plane turned over about a place below the cloth, which left at 636 m/s. Its ways are those of
// where the cloth is: a small turn far away is a jump too, and a turn about the cloth is none.
static void a_plane_that_turns_over(void) {
    static const double angles[] = {3.14159, 0.2, 0.2}, places[] = {0, 10, 0};
    static const int jumps[] = {1, 1, 0};
    for (int k = 0; k < 3; k++) {
        Touch t = touch_def(WEFT_CONTACT_BODIES);
        touch_sheet(&t, 0.6, 6, 0, 0.002, 0);
        touch_body(&t, WEFT_BODY_PLANE, places[k], 0, 0);
        touch_open(&t);
        for (int i = 0; i < 5; i++) step(&t);
        double turn[4];
        touch_turn(turn, 2, angles[k]);
        touch_move(&t, 0, places[k], 0, 0, turn);
        const WeftStepReport* report = step(&t);
        CHECK(report->jumps == jumps[k]);
        for (int i = 0; i < 5; i++) step(&t);
        CHECK_BELOW(touch_measure(&t).max_speed, 10);
        touch_close(&t);
    }
}

// A bar that turns by 1.4 rad in a step, with tips at 25 m/s: in four parts cloth passed through
// itself, was stretched 3.7 times, and 153 impacts were called unstopped of which none passed.
static void a_bar_that_spins(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 1, 10, 0, 0, 0);
    WeftBodyDef* bar = touch_body(&t, WEFT_BODY_BOX, 0, -0.1, 0);
    bar->size[0] = 0.6;
    bar->size[1] = bar->size[2] = 0.02;
    touch_open(&t);
    for (int k = 0; k < 14; k++) {
        double turn[4] = {0.195 * sin(0.7 * k), 0.976 * sin(0.7 * k), 0.098 * sin(0.7 * k),
                          cos(0.7 * k)};
        touch_move(&t, 0, 0, -0.1, 0, turn);
        const WeftStepReport* report = step(&t);
        CHECK(report->unstopped == 0 && report->jumps == 0);
        CHECK(touch_crossings(&t) == 0);
        CHECK_BELOW(touch_measure(&t).max_stretch, 1.8);
    }
    touch_close(&t);
}

TEST_MAIN(CASE(a_bar_that_spins), CASE(pins_below_the_floor), CASE(pins_inside_asleep),
          CASE(a_plane_that_turns_over))
