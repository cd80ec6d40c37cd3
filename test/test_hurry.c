// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards sim/hurry.c: steps in which cloth moves fast within itself are cut, others are not; what
// was set by hand stays; and such steps can be repeated. And sim/parts.c: what a body that moves
// carries along takes more iterations.

#include "swing.h"
#include "test.h"
#include "touch.h"

enum { N = 17, PULLED = 15 };

static Swing softened(void) {
    Swing s = swing_def(N, 100);
    s.cloth.fabric = weft_default_cloth_def().fabric;
    s.step = weft_default_step_def();
    return s;
}

// Both pins go sideways for a quarter of a second, m/s.
static void pull(Swing* s, double speed, int frame) {
    if (frame > PULLED) return;
    for (int k = 0; k < 2; k++) {
        double to[3];
        memcpy(to, weft_positions(s->state) + 3L * s->pins[k], sizeof to);
        to[2] -= speed * s->step.dt;
        weft_move_pin(s->state, s->pins[k], to);
    }
}

typedef struct Run {
    int hurried, most;
    double stretch;
} Run;

static Run run(Swing* s, double speed) {
    Run r = {0, 0, 0};
    swing_open(s);
    for (int frame = 1; frame <= 30; frame++) {
        pull(s, speed, frame);
        CHECK(swing_step(s));
        const WeftStepReport* report = weft_report(s->state);
        WeftMeasure measure;
        CHECK(weft_measure(s->state, s->step.gravity, &measure) == WEFT_OK);
        r.hurried += report->hurry > 1;
        r.most = report->hurry > r.most ? report->hurry : r.most;
        r.stretch = fmax(r.stretch, measure.max_stretch);
        CHECK(report->substeps % report->hurry == 0);
    }
    swing_close(s);
    return r;
}

static void fast_steps_are_cut(void) {
    Swing s = softened();
    Run pulled = run(&s, 8);
    CHECK(pulled.hurried >= 2 && pulled.hurried < 25);
    CHECK(pulled.most >= 2 && pulled.most <= 4);
    Swing by_hand = softened();
    by_hand.step.substeps = 2;  // as quality 4 has it
    Run same = run(&by_hand, 8);
    CHECK(same.hurried == 0);
    CHECK_BELOW(pulled.stretch, same.stretch - 0.05);
}

static void others_are_whole(void) {
    Swing s = softened();
    CHECK(run(&s, 0).hurried == 0);
    Swing walks = softened();
    CHECK(run(&walks, 1.4).hurried == 0);
}

static void repeats(void) {
    Swing s = softened();
    swing_open(&s);
    WeftState* twin = NULL;
    CHECK(weft_create_state(s.model, &twin, NULL) == WEFT_OK);
    int hurried = 0;
    for (int frame = 1; frame <= 20; frame++) {
        pull(&s, 8, frame);
        weft_copy_state(twin, s.state);
        CHECK(swing_step(&s));
        hurried += weft_report(s.state)->hurry > 1;
        WeftStepDef again = weft_repeat_step(&s.step, weft_report(s.state));
        CHECK(weft_step(twin, &again) == WEFT_OK);
        CHECK(weft_hash_state(twin) == weft_hash_state(s.state));
    }
    CHECK(hurried > 0);
    weft_destroy_state(twin);
    swing_close(&s);
}

// A sheet drawn over a ball, and held there by its corners; all of it turns at 4 rad/s. It is
// strained for good: its steps were cut as long as it turned.
static void worn_cloth_is_whole(void) {
    enum { CELLS = 16, SETTLES = 90, TURNS = 60 };
    static const int corners[4] = {0, CELLS, CELLS * (CELLS + 1), (CELLS + 1) * (CELLS + 1) - 1};
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    touch_sheet(&t, 0.5, CELLS, 0, 0.205, 0);
    touch_body(&t, WEFT_BODY_SPHERE, 0, 0, 0)->radius = 0.2;
    for (int k = 0; k < 4; k++) touch_pin(&t, 0, corners[k]);
    touch_open(&t);
    int hurried = 0, held = 0;
    for (int i = 1; i <= SETTLES + TURNS && touch_step(&t); i++) {
        double angle = 4.0 / 60 * fmax(0, i - SETTLES), turn[4];
        double out = 0.25 - 0.02 * fmin(1, i / 20.0), down = 0.205 - 0.25 * fmin(1, i / 20.0);
        for (int k = 0; k < 4; k++) {
            double x = k % 2 ? out : -out, z = k / 2 ? -out : out, c = cos(angle), s = sin(angle);
            weft_move_pin(t.state, corners[k],
                          (const double[3]){c * x + s * z, down, c * z - s * x});
        }
        touch_turn(turn, 1, angle);
        touch_move(&t, 0, 0, 0, 0, turn);
        if (i <= SETTLES + 1) continue;
        hurried += weft_report(t.state)->hurry > 1;
        held += weft_report(t.state)->active_contacts;
    }
    CHECK(held > 30 * TURNS);
    CHECK(hurried == 0);
    touch_close(&t);
}

// A sheet on a ball, which goes sideways with it from a frame on. The iterations of the last step.
static int iterations_on_ball(int by_hand, double speed) {
    enum { SETTLES = 40, GOES = 5 };
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    touch_sheet(&t, 0.5, 12, 0, 0.205, 0);
    touch_body(&t, WEFT_BODY_SPHERE, 0, 0, 0)->radius = 0.2;
    double turn[4];
    touch_turn(turn, 1, 0);
    t.step.iterations[0] = by_hand;
    touch_open(&t);
    for (int i = 1; i <= SETTLES + GOES && touch_step(&t); i++)
        touch_move(&t, 0, speed / 60 * fmax(0, i - SETTLES), 0, 0, turn);
    int iterations = weft_report(t.state)->iterations[0];
    CHECK(weft_report(t.state)->active_contacts > 0);
    touch_close(&t);
    return iterations;
}

static void carried_cloth_takes_more(void) {
    CHECK(iterations_on_ball(0, 0) == 4);
    CHECK(iterations_on_ball(0, 0.2) == 8);
    CHECK(iterations_on_ball(5, 0.2) == 5);
}

TEST_MAIN(CASE(carried_cloth_takes_more), SLOW_CASE(worn_cloth_is_whole), CASE(fast_steps_are_cut),
          CASE(others_are_whole), CASE(repeats))
