// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards contact against shocks: bodies and pins that move further in a step than anything could
// follow. Nothing passes through, the work has a bound, and the report says what counted as placed.
// (README's ball, moved by 10 m in a step, once took 1.7 s instead of 4 ms.)

#include "touch.h"

static const double FASTEST = 50;  // m/s: what goes further in a step jumps
enum { CELLS = 10, ROW = CELLS + 1, VERTICES = ROW * ROW, SETTLED = 20 };

static void calm_steps(Touch* t, int count) {
    for (int k = 0; k < count; k++) {
        touch_step(t);
        CHECK(touch_is_finite(t));
        CHECK(touch_crossings(t) == 0);
    }
}

static WfVec place(const Touch* t, int vertex) { return wf_load(weft_positions(t->state), vertex); }

// ---------------------------------------------------------------------------------------------
// README's cloth and ball

static Touch cloth_and_ball(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 1, CELLS, 0.5, 0, -0.5);
    touch_pin(&t, 0, 0);
    touch_pin(&t, 0, CELLS);
    touch_body(&t, WEFT_BODY_SPHERE, 0.5, -0.4, -0.4)->radius = 0.2;
    touch_open(&t);
    for (int k = 0; k < SETTLED; k++) touch_step(&t);
    return t;
}

// Four parts, and two more Newton steps in each where cloth is hit.
static void check_work(const Touch* t, const WeftStepReport* usual) {
    const WeftStepReport* report = weft_report(t->state);
    CHECK(report->substeps <= 4 * usual->substeps);
    CHECK(report->newton_steps <= 4 * 3 * usual->substeps);
    CHECK(report->solve_count <= 4 * 3 * usual->solve_count);
    CHECK(report->impacts <= 20 * VERTICES);
    CHECK(report->unstopped == 0);
}

// In all directions: along the cloth, from behind through it, up and down.
static void a_ball_that_jumps(void) {
    static const double ways[] = {0.1, 0.3, 0.6, 10};
    static const double directions[][3] = {{0, 0, -1}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int w = 0; w < 4; w++) {
        for (int d = 0; d < (ways[w] > 1 ? 1 : 4); d++) {
            int before = test_failures;
            Touch t = cloth_and_ball();
            WeftStepReport usual = *weft_report(t.state);
            const double* p = t.poses[0].position;
            touch_move(&t, 0, p[0] + ways[w] * directions[d][0], p[1] + ways[w] * directions[d][1],
                       p[2] + ways[w] * directions[d][2], TOUCH_LEVEL);
            calm_steps(&t, 1);
            check_work(&t, &usual);
            CHECK(weft_report(t.state)->jumps == (ways[w] > FASTEST * t.step.dt));
            CHECK_BELOW(0, touch_least(&t, true));
            calm_steps(&t, 5);
            CHECK(weft_report(t.state)->jumps == 0);
            CHECK_BELOW(touch_measure(&t).max_speed, 100);
            touch_close(&t);
            char name[100];
            snprintf(name, sizeof name, "%g m, direction %d", ways[w], d);
            touch_say(before, "jump", name);
        }
    }
}

// The ball is moved by 0.6 m and stops: the cloth flew on at 50 m/s, and its pins tore it (stretch
// 6.7). It is slowed, and never faster for it.
static void thrown_cloth_is_slowed(void) {
    Touch t = cloth_and_ball();
    touch_move(&t, 0, 0.5, 0.2, -0.4, TOUCH_LEVEL);
    touch_step(&t);
    CHECK(!weft_report(t.state)->thrown);
    double before = touch_measure(&t).total;
    CHECK_BELOW(10, touch_measure(&t).max_speed);
    for (int k = 0; k < 15; k++) {
        touch_step(&t);
        if (k == 0) CHECK(weft_report(t.state)->thrown && !weft_report(t.state)->slowed);
        WeftMeasure measure = touch_measure(&t);
        CHECK_BELOW(measure.max_stretch, 2.5);
        CHECK_BELOW(measure.total, before);
        CHECK(touch_crossings(&t) == 0);
    }
    CHECK(!weft_report(t.state)->thrown);
    touch_close(&t);
}

// Cloth that keeps away from a body that goes on is not slowed, nor is cloth that touches nothing.
static void others_are_not_slowed(void) {
    Touch t = cloth_and_ball();
    for (int k = 0; k < 4; k++) {
        touch_move(&t, 0, 0.5, -0.4 + 0.2 * (k + 1), -0.4, TOUCH_LEVEL);
        touch_step(&t);
        CHECK(!weft_report(t.state)->thrown);
    }
    touch_close(&t);

    t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 1, CELLS, 0, 0, 0);
    touch_open(&t);
    double v[3 * VERTICES] = {0};
    for (int i = 0; i < VERTICES; i++) v[3 * i + 1] = i % 2 ? 40 : -40;
    weft_set_velocities(t.state, v);
    touch_step(&t);
    CHECK(!weft_report(t.state)->thrown);
    touch_close(&t);
}

// 50 m/s in a step of 1/60 s are 0.83 m, of any body, whatever the step.
static void jumps_are_told(void) {
    static const struct {
        double way, dt;
        int jumps;
    } rows[] = {
        {0.83, 1.0 / 60, 0}, {0.84, 1.0 / 60, 1}, {0.41, 1.0 / 120, 0}, {0.42, 1.0 / 120, 1}};
    for (int i = 0; i < 4; i++) {
        Touch t = cloth_and_ball();
        t.step.dt = rows[i].dt;
        touch_move(&t, 0, 0.5, -0.4 - rows[i].way, -0.4, TOUCH_LEVEL);
        CHECK(touch_step(&t) && weft_report(t.state)->jumps == rows[i].jumps);
        CHECK(touch_step(&t) && weft_report(t.state)->jumps == 0);
        touch_close(&t);
    }
}

// A body that jumps is placed: the same bits. One that is placed nearby drags nothing along.
static void placed_or_moved(void) {
    Touch moved = cloth_and_ball(), placed = cloth_and_ball();
    const double far[3] = {0.5, -0.4, 9.6}, near[3] = {0.5, -0.4, -1.2};
    CHECK(weft_hash_state(moved.state) == weft_hash_state(placed.state));
    touch_move(&moved, 0, far[0], far[1], far[2], TOUCH_LEVEL);
    weft_place_body(placed.state, 0, far, TOUCH_LEVEL);
    touch_step(&moved);
    touch_step(&placed);
    CHECK(weft_report(moved.state)->jumps == 1 && weft_report(placed.state)->jumps == 0);
    CHECK(weft_hash_state(moved.state) == weft_hash_state(placed.state));
    touch_close(&moved);
    touch_close(&placed);
    moved = cloth_and_ball(), placed = cloth_and_ball();
    touch_move(&moved, 0, near[0], near[1], near[2], TOUCH_LEVEL);
    weft_place_body(placed.state, 0, near, TOUCH_LEVEL);
    touch_step(&moved);
    touch_step(&placed);
    CHECK(weft_report(moved.state)->substeps > weft_report(placed.state)->substeps);
    CHECK_BELOW(2 * touch_measure(&placed).max_speed, touch_measure(&moved).max_speed);
    touch_close(&moved);
    touch_close(&placed);
}

// Sent away and back again every step, at 30 m/s.
static void a_ball_that_shakes(void) {
    Touch t = cloth_and_ball();
    WeftStepReport usual = *weft_report(t.state);
    for (int k = 0; k < 10; k++) {
        touch_move(&t, 0, 0.5, -0.4, k % 2 ? -0.4 : -0.9, TOUCH_LEVEL);
        calm_steps(&t, 1);
        check_work(&t, &usual);
        CHECK_BELOW(0, touch_least(&t, true));
    }
    touch_close(&t);
}

// ---------------------------------------------------------------------------------------------
// Pins

static Touch hanging(WeftContact contact) {
    Touch t = touch_def(contact);
    touch_sheet(&t, 0.6, CELLS, 0, 1, 0);
    touch_pin(&t, 0, 0);
    touch_pin(&t, 0, CELLS);
    touch_open(&t);
    for (int k = 0; k < 10; k++) touch_step(&t);
    return t;
}

static void move_pin(Touch* t, int vertex, WfVec by) {
    double to[3];
    wf_store(to, 0, wf_add(place(t, vertex), by));
    weft_move_pin(t->state, vertex, to);
}

static void check_same_shape(const Touch* a, const Touch* b, WfVec moved) {
    double apart = 0, faster = 0;
    for (int i = 0; i < VERTICES; i++) {
        WfVec v = wf_load(weft_velocities(a->state), i), u = wf_load(weft_velocities(b->state), i);
        apart = fmax(apart, wf_length(wf_sub(wf_sub(place(a, i), place(b, i)), moved)));
        faster = fmax(faster, wf_length(wf_sub(v, u)));
    }
    CHECK_BELOW(apart, 1e-6);
    CHECK_BELOW(faster, 1e-4);
}

// Cloth of which all pins jump goes with them, as if nothing had happened.
static void all_pins_jump(void) {
    Touch t = hanging(WEFT_CONTACT_ALL), other = hanging(WEFT_CONTACT_ALL);
    WfVec by = {2, 0.5, -3};
    move_pin(&t, 0, by);
    move_pin(&t, CELLS, by);
    touch_step(&t);
    touch_step(&other);
    CHECK(weft_report(t.state)->jumps == 2 && weft_report(other.state)->jumps == 0);
    check_same_shape(&t, &other, by);
    for (int k = 0; k < 5; k++) {
        touch_step(&t);
        touch_step(&other);
        CHECK(weft_report(t.state)->jumps == 0);
    }
    check_same_shape(&t, &other, by);
    touch_close(&t);
    touch_close(&other);
}

// Pins of a body that jumps are there at once, and their cloth with them.
static void pins_of_a_body_that_jumps(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 0.6, CELLS, 0, 1, 0);
    WeftBodyDef* box = touch_body(&t, WEFT_BODY_BOX, 0, 2, 0);
    for (int k = 0; k < 3; k++) box->size[k] = 0.1;
    touch_open(&t);
    for (int i = 0; i < ROW; i++) weft_attach_pin(t.state, i, 0);
    calm_steps(&t, 10);
    WfVec before = place(&t, 0), free = place(&t, VERTICES - 1), by = {0, 3, 4};
    touch_move(&t, 0, by.x, 2 + by.y, by.z, TOUCH_LEVEL);
    calm_steps(&t, 1);
    CHECK(weft_report(t.state)->jumps > 0);
    CHECK_BELOW(wf_length(wf_sub(wf_sub(place(&t, 0), before), by)), 1e-12);
    CHECK_BELOW(wf_length(wf_sub(wf_sub(place(&t, VERTICES - 1), free), by)), 0.1);
    calm_steps(&t, 5);
    CHECK_BELOW(touch_measure(&t).max_stretch, 1.3);
    touch_close(&t);
}

// One of two pins jumps by 1.1 m: it goes as far as 50 m/s take it, and is there a step later.
static void one_pin_sweeps_on(void) {
    Touch t = hanging(WEFT_CONTACT_ALL);
    WfVec from = place(&t, 0), by = {1, 0, 0.45};
    double part = FASTEST * t.step.dt / wf_length(by);
    move_pin(&t, 0, by);
    calm_steps(&t, 1);
    CHECK(weft_report(t.state)->jumps == 1);
    CHECK_BELOW(wf_length(wf_sub(wf_madd(from, part, by), place(&t, 0))), 1e-12);
    calm_steps(&t, 1);
    CHECK(weft_report(t.state)->jumps == 0);
    CHECK_BELOW(wf_length(wf_sub(wf_add(from, by), place(&t, 0))), 1e-12);
    calm_steps(&t, 20);
    CHECK_BELOW(wf_length(wf_sub(wf_add(from, by), place(&t, 0))), 1e-12);
    CHECK_BELOW(touch_measure(&t).max_stretch, 2);
    touch_close(&t);
}

// A row of pins turned about along chords, all through one point.
static void pins_through_each_other(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 0.4, CELLS, 0, 1, 0);
    for (int i = 0; i < ROW; i++) touch_pin(&t, 0, i);
    touch_open(&t);
    calm_steps(&t, 10);
    WeftStepReport usual = *weft_report(t.state);
    for (int i = 0; i < ROW; i++) move_pin(&t, i, (WfVec){-2 * place(&t, i).x, 0, 0});
    touch_step(&t);
    CHECK(weft_report(t.state)->solve_count <= 4 * 5 * usual.solve_count);
    CHECK(weft_report(t.state)->impacts <= 20 * VERTICES);
    for (int k = 0; k < 10; k++) {
        CHECK(touch_is_finite(&t));
        touch_step(&t);
    }
    CHECK_BELOW(touch_measure(&t).max_stretch, 3);
    touch_close(&t);
}

TEST_MAIN(SLOW_CASE(a_ball_that_jumps), CASE(thrown_cloth_is_slowed), CASE(others_are_not_slowed),
          CASE(jumps_are_told), CASE(placed_or_moved), CASE(a_ball_that_shakes),
          CASE(all_pins_jump), CASE(pins_of_a_body_that_jumps), CASE(one_pin_sweeps_on),
          CASE(pins_through_each_other))
