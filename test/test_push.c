// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what pushes a state from outside, at once: impulses, by momentum and by the motion after
// them, shapes put in place, waking, and states that begin anew.

#include "base/vec.h"
#include "swing.h"
#include "test.h"

enum { N = 9, VERTICES = N * N };

static WfVec momentum(const Swing* s) {
    WfVec sum = {0, 0, 0};
    for (int i = 0; i < VERTICES; i++)
        sum = wf_madd(sum, weft_masses(s->model)[i], wf_load(weft_velocities(s->state), i));
    return sum;
}

static Swing open_free(void (*set)(Swing*)) {
    Swing s = swing_def(N, 100);
    s.step.gravity[1] = 0;
    if (set) set(&s);
    swing_make_mesh(&s);
    s.cloth.pin_count = 0;
    WeftModelDef def = swing_model_def(&s);
    CHECK(!weft_create_model(&def, &s.model, NULL) && !weft_create_state(s.model, &s.state, NULL));
    return s;
}

static void implicit(Swing* s) { s->step.method = WEFT_METHOD_IMPLICIT; }
static void first_order(Swing* s) { s->step.method = WEFT_METHOD_IMPLICIT, s->step.order = 1; }
static void six(Swing* s) { s->step.quality = 6; }
static void symplectic(Swing* s) { s->step.method = WEFT_METHOD_SYMPLECTIC; }

// Impulses add up to momentum, at once and after steps, in the middle of a motion.
static void impulses_are_momentum(void) {
    void (*const ways[])(Swing*) = {NULL, implicit, first_order, six, symplectic};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        Swing s = open_free(ways[w]);
        double impulses[3 * VERTICES] = {0};
        WfVec sum = {0, 0, 0};
        for (int i = 0; i < VERTICES; i++) {
            WfVec own = {1e-3 * (i % 3), 1e-3 * sin(i), 2e-4};
            wf_store(impulses, i, own);
            sum = wf_add(sum, own);
        }
        for (int k = 0; k < 5; k++) CHECK(swing_step(&s));
        weft_add_impulses(s.state, 0, VERTICES, impulses);
        CHECK_BELOW(wf_length(wf_sub(momentum(&s), sum)), 1e-14);
        for (int k = 0; k < 20; k++) CHECK(swing_step(&s));
        CHECK_BELOW(wf_length(wf_sub(momentum(&s), sum)),
                    0.01 * wf_length(sum));  // as far as solves go
        // one vertex alone
        weft_add_impulses(s.state, 7, 1, impulses + 3 * 7);
        sum = wf_add(sum, wf_load(impulses, 7));
        CHECK(swing_step(&s));
        CHECK_BELOW(wf_length(wf_sub(momentum(&s), sum)),
                    0.01 * wf_length(sum));  // as far as solves go
        swing_close(&s);
    }
}

// All of it hit alike goes on as if it had always been as fast, in steps of second order, too.
static void hit_alike_it_flies_straight(void) {
    Swing s = swing_def(N, 100), hit = swing_def(N, 100);
    swing_open(&s);
    swing_open(&hit);
    for (int k = 0; k < 2; k++)
        for (int p = 0; p < 2; p++) weft_unpin((k ? &hit : &s)->state, s.pins[p]);
    for (int k = 0; k < 10; k++) CHECK(swing_step(&s) && swing_step(&hit));
    double impulses[3 * VERTICES], worst = 0;
    for (int i = 0; i < VERTICES; i++)
        wf_store(impulses, i, wf_mul(weft_masses(hit.model)[i], (WfVec){3, 1, 0}));
    weft_add_impulses(hit.state, 0, VERTICES, impulses);
    for (int k = 0; k < 30; k++) CHECK(swing_step(&s) && swing_step(&hit));
    for (int i = 0; i < VERTICES; i++) {
        WfVec x = wf_madd(wf_load(weft_positions(s.state), i), 0.5, (WfVec){3, 1, 0});
        worst = fmax(worst, wf_length(wf_sub(wf_load(weft_positions(hit.state), i), x)));
    }
    CHECK_BELOW(worst, 1e-6);
    swing_close(&s);
    swing_close(&hit);
}

static void impulses_that_are_none(void) {
    Swing s = swing_def(N, 100);
    swing_open(&s);
    double one[3] = {1, 0, 0}, bad[6] = {0, 0, 0, 0, INFINITY, 0}, hard[3] = {0, 1e6, 0};
    uint64_t before = weft_hash_state(s.state);
    weft_add_impulses(s.state, s.pins[0], 1, one);
    CHECK(weft_hash_state(s.state) == before);
    weft_add_impulses(s.state, 3, 2, bad);
    CHECK(weft_hash_state(s.state) == before);
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "vertex 4: the velocity by its impulse");
    weft_add_impulses(s.state, 5, 1, hard);
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "more than 100000 m/s");
    CHECK(swing_step(&s));
    swing_close(&s);
}

// ---------------------------------------------------------------------------------------------
// A sheet on a mesh that lies below it

static const double FLOOR[] = {-5, -0.02, 5, 5, -0.02, 5, 5, -0.02, -5, -5, -0.02, -5};
static const int FLOOR_TRIANGLES[] = {0, 1, 2, 0, 2, 3};

static Swing open_on_floor(void) {
    Swing s = swing_def(N, 100);
    WeftBodyDef body = weft_default_body_def();
    s.step.rest_speed = 0.02;
    swing_make_mesh(&s);
    s.cloth.pin_count = 0;
    WeftModelDef def = swing_model_def(&s);
    body.kind = WEFT_BODY_MESH;
    body.vertex_count = 4, body.positions = FLOOR;
    body.triangle_count = 2, body.triangles = FLOOR_TRIANGLES;
    def.bodies = &body, def.body_count = 1;
    CHECK(!weft_create_model(&def, &s.model, NULL) && !weft_create_state(s.model, &s.state, NULL));
    return s;
}

static void shapes_are_put_in_place(void) {
    Swing s = open_on_floor();
    double shape[12], x[12];
    for (int k = 0; k < 120; k++) CHECK(swing_step(&s));
    CHECK(weft_report(s.state)->asleep);
    weft_wake(s.state);
    CHECK(swing_step(&s));
    CHECK(!weft_report(s.state)->asleep);
    for (int k = 0; k < 60; k++) CHECK(swing_step(&s));
    CHECK(weft_report(s.state)->asleep);
    // the floor is gone from one step to the next: nothing is dragged along, and all of it falls
    memcpy(shape, FLOOR, sizeof shape);
    for (int i = 0; i < 4; i++) shape[3 * i + 1] -= 2;
    weft_place_shape(s.state, 0, shape);
    weft_copy_body(s.state, 0, x);
    CHECK(memcmp(x, shape, sizeof x) == 0);
    double before = weft_positions(s.state)[1];
    for (int k = 0; k < 30; k++) CHECK(swing_step(&s));
    CHECK(weft_report(s.state)->jumps == 0);
    CHECK_NEAR(weft_positions(s.state)[1] - before, -9.81 * 0.25 / 2, 0.06);
    shape[4] = NAN;
    weft_place_shape(s.state, 0, shape);
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "body 0: the shape");
    swing_close(&s);
}

// As created, whatever happened to it, and to the same bits from there on.
static void begins_anew(void) {
    Swing s = open_on_floor();
    uint64_t hashes[20], created = weft_hash_state(s.state);
    for (int k = 0; k < 20; k++) {
        CHECK(swing_step(&s));
        hashes[k] = weft_hash_state(s.state);
    }
    weft_pin(s.state, 3);
    weft_move_body(s.state, 0, (double[]){0.1, 0, 0}, (double[]){0, 0, 0, 1});
    s.step.dt = 1.0 / 50;
    for (int k = 0; k < 20; k++) CHECK(swing_step(&s));
    s.step.dt = 1.0 / 60;
    weft_reset_state(s.state);
    CHECK(weft_hash_state(s.state) == created);
    CHECK(weft_time(s.state) == 0 && !weft_is_pinned(s.state, 3));
    for (int k = 0; k < 20; k++) {
        CHECK(swing_step(&s));
        CHECK(weft_hash_state(s.state) == hashes[k]);
    }
    swing_close(&s);
}

TEST_MAIN(CASE(impulses_are_momentum), CASE(hit_alike_it_flies_straight),
          CASE(impulses_that_are_none), CASE(shapes_are_put_in_place), CASE(begins_anew))
