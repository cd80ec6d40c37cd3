// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards that contact never pulls: cloth leaves a body as soon as the body would have to hold it,
// and falls freely from then on, one layer or several; and that what only cloth touches keeps its
// momentum.

#include "sim/state.h"
#include "touch.h"

static const double G = 9.81;

// Sheets below a ceiling that goes down with 2 g for ten steps, then with `a`. How far the mean of
// the lowest one falls behind it in twelve more.
static double fall_behind(const TouchWay* way, int sheets, double a) {
    enum { PRESSED = 10, STEPS = 22 };
    Touch t = touch_def(sheets > 1 ? WEFT_CONTACT_ALL : WEFT_CONTACT_BODIES);
    double turn[4], low = 0, high = 0;
    touch_use(&t, way);
    t.step.air_density = t.step.rest_speed = 0;
    for (int k = 0; k < sheets; k++) {
        WeftFabric* fabric = &touch_sheet(&t, 0.2, 6, 0.004 * k, -1.1e-3 * k, 0.003 * k)->fabric;
        fabric->thickness = 1e-3;
        fabric->friction = 10;
    }
    touch_turn(turn, 2, TOUCH_PI);
    WeftBodyDef* ceiling = touch_body(&t, WEFT_BODY_PLANE, 0, 1e-3, 0);
    ceiling->friction = 10;
    memcpy(ceiling->rotation, turn, sizeof turn);
    touch_open(&t);
    for (int k = 1; k <= STEPS; k++) {
        double early = fmin(k, PRESSED) * t.step.dt, late = k * t.step.dt - early;
        double way_down = G * early * early + 2 * G * early * late + a * late * late / 2;
        touch_move(&t, 0, 0, 1e-3 - way_down, 0, turn);
        if (!touch_step(&t)) break;
        high = 1e-3 - way_down - touch_mean(&t, sheets - 1, (WfVec){0, 1, 0});
        if (k <= PRESSED) low = high;
    }
    touch_close(&t);
    return high - low;
}

// (Cloth stuck where a was more than 4/9 g.)
static void leave_ceiling(const TouchWay* way) {
    int before = test_failures;
    for (int sheets = 1; sheets <= 3; sheets += 2)
        for (double part = 0.25; part < 1; part += 0.5) {
            double falls = (1 - part) * G * 0.2 * 0.2 / 2;
            CHECK_NEAR(fall_behind(way, sheets, part * G), falls, 0.035);
        }
    CHECK_NEAR(fall_behind(way, 1, 1.25 * G), 0, 2e-3);
    touch_say(before, way->name, "ceiling");
}

static void cloth_leaves_a_ceiling(void) { leave_ceiling(&touch_ways[0]); }

// But for relaxation: few sweeps leave too much of what all vertices do together.
static void cloth_leaves_it_by_any_method(void) {
    for (int w = 1; w < TOUCH_WAYS; w++)
        if (touch_ways[w].method != WEFT_METHOD_RELAXATION) leave_ceiling(&touch_ways[w]);
}

// A patch on the inside of a drum of 0.3 m, with friction that never slides. Returns the angle at
// which it is 3 mm from it, in degrees from the bottom; 360: nowhere.
static double leaving_angle(const TouchWay* way, double part) {
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    double r = 0.3, omega = sqrt(part * G / r), start = 0.5, left = 360;
    touch_use(&t, way);
    t.step.air_density = t.step.rest_speed = 0;
    WeftClothDef* patch = touch_sheet(&t, 0.06, 4, 0, -r, 0);
    double below = r + patch->fabric.thickness;
    patch->fabric.friction = 10;
    touch_body(&t, WEFT_BODY_PLANE, 0, -below, 0)->friction = 10;
    touch_open(&t);
    for (int k = 1; k < 200 && left == 360; k++) {
        double time = k * t.step.dt, q[4];
        double angle = omega * (time < start ? time * time / (2 * start) : time - start / 2);
        touch_turn(q, 2, angle);
        touch_move(&t, 0, below * sin(angle), -below * cos(angle), 0, q);
        if (!touch_step(&t)) break;
        WfVec mean = {touch_mean(&t, 0, (WfVec){1, 0, 0}), touch_mean(&t, 0, (WfVec){0, 1, 0}), 0};
        if (touch_distance(&t, 0, mean) > patch->fabric.thickness + 2e-3)
            left = angle * 180 / TOUCH_PI;
    }
    touch_close(&t);
    return left;
}

// It goes free where omega^2 r = -g cos(angle), and takes 0.1 s or so for the 2 mm.
static void cloth_leaves_a_drum(void) {
    for (int w = 0; w < TOUCH_WAYS; w++) {
        int before = test_failures;
        if (touch_ways[w].method == WEFT_METHOD_RELAXATION) continue;
        for (double part = 0.3; part < 0.8; part += 0.2) {
            double free = 180 - acos(part) * 180 / TOUCH_PI;
            double left = leaving_angle(&touch_ways[w], part);
            CHECK_BELOW(free - 5, left);
            CHECK_BELOW(left, free + 30);
        }
        touch_say(before, touch_ways[w].name, "drum");
    }
}

// ---------------------------------------------------------------------------------------------

// Two sheets, or a rope and a sheet, that hit each other in the air.
static Touch flyers(bool rope, double speed) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    t.step.air_density = t.step.rest_speed = t.step.gravity[1] = 0;
    if (rope)
        touch_rope(&t, 0.5, 20, 0, 0.03, 0);
    else
        touch_sheet(&t, 0.3, 8, 0, 0.03, 0);
    touch_sheet(&t, 0.3, 8, 0.013, 0, 0.021);
    touch_open(&t);
    double* v = calloc(3 * (size_t)weft_vertex_count(t.model), sizeof *v);
    for (int i = 0; i < weft_vertex_count(t.model); i++)
        v[3 * i + 1] = i < weft_first_vertex(t.model, 1) ? -speed : 0;
    weft_set_velocities(t.state, v);
    free(v);
    return t;
}

static WfVec momentum_of(const Touch* t) {
    WfVec sum = {0, 0, 0};
    for (int i = 0; i < weft_vertex_count(t->model); i++)
        sum = wf_madd(sum, weft_masses(t->model)[i], wf_load(weft_velocities(t->state), i));
    return sum;
}

// (Two sheets lost 0.4 % of it, a rope and a sheet half.)
static void hits_keep_momentum(void) {
    for (int rope = 0; rope < 2; rope++) {
        Touch t = flyers(rope, 2);
        WfVec start = momentum_of(&t);
        for (int k = 0; k < 30; k++)
            if (!touch_step(&t)) break;
        WfVec lost = wf_sub(momentum_of(&t), start);
        CHECK_BELOW(wf_length(lost), (rope ? 0.06 : 0.002) * wf_length(start));
        touch_close(&t);
    }
}

// Forces of all contacts, after every step.
static void no_contact_pulls(void) {
    Touch t = flyers(false, 3);
    int pressed = 0, pulled = 0;
    for (int k = 0; k < 30; k++) {
        if (!touch_step(&t)) break;
        const WfContacts* contacts = &t.state->world.contacts;
        for (int c = 0; c < contacts->count; c++) {
            double force = wf_dot(contacts->all[c].force, contacts->all[c].normal);
            pressed += force > 0;
            pulled += force < 0;
        }
    }
    CHECK(pressed > 0);
    CHECK(pulled == 0);
    touch_close(&t);
}

TEST_MAIN(CASE(cloth_leaves_a_ceiling), SLOW_CASE(cloth_leaves_it_by_any_method),
          SLOW_CASE(cloth_leaves_a_drum), CASE(hits_keep_momentum), CASE(no_contact_pulls))
