// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards pins that turn: along arcs and not chords, in substeps that are short enough; with a body
// that carries them, wherever it goes; saved, copied and restored on the way.

#include "sim/state.h"
#include "touch.h"

enum { CELLS = 8, ROW = CELLS + 1, VERTICES = ROW * ROW };
static const double SIZE = 0.4;

// A sheet that hangs from its first row.
static Touch hanging(WeftContact contact) {
    Touch t = touch_def(contact);
    touch_sheet(&t, SIZE, CELLS, 0, 1, 0);
    touch_upright(&t, 1, 0);
    const double* p = t.meshes[0].positions;
    int first = p[1] > p[3 * (VERTICES - 1) + 1] ? 0 : VERTICES - ROW;  // the upper side
    for (int i = 0; i < ROW; i++) touch_pin(&t, 0, first + i);
    return t;
}

static WfVec place(const Touch* t, int vertex) { return wf_load(weft_positions(t->state), vertex); }

// Turn the pins about the vertical through their middle.
static void turn_row(Touch* t, double angle, bool along_arcs) {
    double turn[4], to[3];
    const double centre[3] = {0, 1 + SIZE / 2, 0};
    touch_turn(turn, 1, angle);
    const double back[4] = {-turn[0], -turn[1], -turn[2], turn[3]};
    for (int i = 0; i < ROW; i++) {
        WfVec arm = wf_sub(place(t, t->pins[0][i]), wf_load(centre, 0));
        wf_store(to, 0, wf_add(wf_load(centre, 0), touch_unturn(back, arm)));
        if (along_arcs)
            weft_turn_pin(t->state, t->pins[0][i], to, turn);
        else
            weft_move_pin(t->state, t->pins[0][i], to);
    }
}

// ---------------------------------------------------------------------------------------------
// Looked at from inside of a step: whoever asks for the time sees where things are

typedef struct Spy {
    const Touch* touch;
    double least, most;  // distance of the first pin from the last
    int seen;            // places of the first pin
    WfVec last;
} Spy;

static double look(void* user) {
    Spy* spy = user;
    const Touch* t = spy->touch;
    if (!t || !t->state) return 0;
    WfVec a = place(t, t->pins[0][0]), b = place(t, t->pins[0][ROW - 1]);
    double distance = wf_length(wf_sub(a, b));
    spy->least = fmin(spy->least, distance);
    spy->most = fmax(spy->most, distance);
    spy->seen += wf_length(wf_sub(a, spy->last)) > 0;
    spy->last = a;
    return 0;
}

static Spy watch_turn(const TouchWay* way, bool along_arcs, double angle) {
    Touch t = hanging(WEFT_CONTACT_NONE);
    Spy spy = {.least = HUGE_VAL};
    t.def.clock = (WeftClock){look, &spy};
    touch_use(&t, way);
    touch_open(&t);
    for (int k = 0; k < 3; k++) touch_step(&t);
    turn_row(&t, angle, along_arcs);
    spy = (Spy){.touch = &t, .least = HUGE_VAL, .last = place(&t, t.pins[0][0])};
    touch_step(&t);
    WfVec expected = {SIZE / 2 * cos(angle), 1 + SIZE / 2, -SIZE / 2 * sin(angle)};
    WfVec row = wf_mul(0.5, wf_sub(place(&t, t.pins[0][ROW - 1]), place(&t, t.pins[0][0])));
    expected = wf_sub(expected, (WfVec){0, 1 + SIZE / 2, 0});
    CHECK_BELOW(wf_length(wf_sub(row, expected)), 1e-12);
    WfVec there = place(&t, t.pins[0][0]);
    touch_step(&t);  // it is not turned again
    CHECK(wf_length(wf_sub(place(&t, t.pins[0][0]), there)) == 0);
    touch_close(&t);
    return spy;
}

static void distances_are_kept(void) {
    for (int w = 0; w < TOUCH_WAYS; w++) {
        int before = test_failures;
        Spy spy = watch_turn(&touch_ways[w], true, TOUCH_PI);
        CHECK_NEAR(spy.least, SIZE, 1e-12);
        CHECK_NEAR(spy.most, SIZE, 1e-12);
        CHECK(spy.seen >= 8);
        spy = watch_turn(&touch_ways[w], true, -TOUCH_PI / 9);
        CHECK_NEAR(spy.least, SIZE, 1e-12);
        touch_say(before, touch_ways[w].name, "arcs");
    }
    // along chords, they meet: half way, in two substeps
    const TouchWay halves = {"quality 4", WEFT_METHOD_PREFACTORED, 4, 0};
    CHECK_BELOW(watch_turn(&halves, false, TOUCH_PI).least, 0.1 * SIZE);
}

static void turns_cut_substeps(void) {
    static const struct {
        double degrees;
        int substeps;
    } rows[] = {{0, 1}, {22, 1}, {23, 2}, {45, 2}, {60, 4}, {90, 4}, {100, 8}, {180, 8}};
    for (int i = 0; i < 8; i++) {
        Touch t = hanging(WEFT_CONTACT_NONE);
        t.step.quality = 3;
        touch_open(&t);
        turn_row(&t, rows[i].degrees * TOUCH_PI / 180, true);
        CHECK(touch_step(&t) && weft_report(t.state)->substeps == rows[i].substeps);
        CHECK(touch_step(&t) && weft_report(t.state)->substeps == weft_report(t.state)->hurry);
        touch_close(&t);
    }
}

// Half a turn in three frames. (Along chords, 17 frames were crossed.)
static void a_bar_that_turns(void) {
    Touch t = hanging(WEFT_CONTACT_ALL);
    t.step.stretch_tolerance = 0;
    touch_open(&t);
    double most = 0;
    for (int k = 0; k < 60; k++) {
        if (k >= 5 && k < 8) turn_row(&t, TOUCH_PI / 3, true);
        touch_step(&t);
        CHECK(touch_crossings(&t) == 0);
        most = fmax(most, touch_measure(&t).max_stretch);
    }
    CHECK_BELOW(most, 1.5);
    touch_close(&t);
}

// ---------------------------------------------------------------------------------------------
// Carried by a body

static Touch carried(void) {
    Touch t = hanging(WEFT_CONTACT_BODIES);
    t.cloths[0].pin_count = 0;
    touch_body(&t, WEFT_BODY_SPHERE, 0, 2, 0)->radius = 0.1;
    touch_body(&t, WEFT_BODY_BOX, 0, 1.5, 0);
    for (int k = 0; k < 3; k++) t.bodies[1].size[k] = 0.1;
    touch_open(&t);
    for (int i = 0; i < ROW; i++) weft_attach_pin(t.state, t.pins[0][i], 1);
    return t;
}

// Along, up and down, turning by 20 degrees in each step.
static void carry_on(Touch* t, int k) {
    double turn[4];
    touch_turn(turn, k < 20 ? 1 : 2, (k + 1) * TOUCH_PI / 9);
    touch_move(t, 1, 0.02 * k, 1.5 + 0.1 * sin(k), 0.01 * k, turn);
}

static WfVec in_body(const Touch* t, int vertex) {
    WfVec from = wf_load(t->poses[1].position, 0);
    return touch_unturn(t->poses[1].rotation, wf_sub(place(t, vertex), from));
}

static void follows_its_body(void) {
    Touch t = carried();
    WfVec first[ROW];
    for (int i = 0; i < ROW; i++) first[i] = in_body(&t, t.pins[0][i]);
    for (int k = 0; k < 40; k++) {
        carry_on(&t, k);
        touch_step(&t);
        for (int i = 0; i < ROW; i++)
            CHECK_BELOW(wf_length(wf_sub(in_body(&t, t.pins[0][i]), first[i])), 1e-14);
    }
    // put elsewhere at once, they are there; the cloth is not thrown after them
    const double away[3] = {0.1, 1.4, 0.3};
    memcpy(t.poses[1].position, away, sizeof away);
    memcpy(t.poses[1].rotation, TOUCH_LEVEL, sizeof TOUCH_LEVEL);
    weft_place_body(t.state, 1, away, TOUCH_LEVEL);
    for (int i = 0; i < ROW; i++)
        CHECK_BELOW(wf_length(wf_sub(in_body(&t, t.pins[0][i]), first[i])), 1e-14);
    touch_step(&t);
    for (int i = 0; i < ROW; i++)
        CHECK_BELOW(wf_length(wf_load(weft_velocities(t.state), t.pins[0][i])), 1e-12);
    touch_close(&t);
}

// Five metres away and turned round at once: the cloth is there as well, turned likewise. (It was
// left behind by a body that was placed, and stretched 140 times; sent there by pins, it was not
// turned, and hung in knots.)
typedef enum Way { PLACED, SENT, ON_ARCS, STRAIGHT, WAYS } Way;

static void send(Touch* t, Way way, const double turn[4]) {
    const double back[4] = {-turn[0], -turn[1], -turn[2], turn[3]}, to[3] = {5, 1.7, 1};
    WfVec from = wf_load(t->poses[1].position, 0);
    for (int i = 0; i < ROW && way >= ON_ARCS; i++) {
        double goal[3];
        WfVec arm = touch_unturn(back, wf_sub(place(t, t->pins[0][i]), from));
        wf_store(goal, 0, wf_add(wf_load(to, 0), arm));
        if (way == ON_ARCS) weft_turn_pin(t->state, t->pins[0][i], goal, turn);
        if (way == STRAIGHT) weft_move_pin(t->state, t->pins[0][i], goal);
    }
    touch_move(t, 1, to[0], to[1], to[2], turn);
    if (way == PLACED) weft_place_body(t->state, 1, to, turn);
}

static void cloth_goes_along(void) {
    for (Way way = PLACED; way < WAYS; way++) {
        Touch t = carried();
        WfVec before[VERTICES];
        double turn[4], worst = 0;
        for (int k = 0; k < 40; k++) touch_step(&t);
        for (int i = 0; i < VERTICES; i++) before[i] = in_body(&t, i);
        touch_turn(turn, 1, way == STRAIGHT ? 2 : TOUCH_PI);  // of a row, nobody knows half a turn
        send(&t, way, turn);
        CHECK(touch_step(&t) && (way == PLACED || weft_report(t.state)->jumps > 0));
        for (int i = 0; i < VERTICES; i++)
            worst = fmax(worst, wf_length(wf_sub(in_body(&t, i), before[i])));
        CHECK_BELOW(worst, 0.002);
        CHECK_BELOW(touch_measure(&t).max_stretch, 1.05);
        touch_close(&t);
    }
}

// A body whose frame is at its feet turns on the spot as one does whose frame is in its middle.
// (Points of it were taken for as far from the axis as from the frame, and it jumped.)
static void turns_on_its_feet(void) {
    Touch t = hanging(WEFT_CONTACT_BODIES);
    double turn[4];
    touch_gem(touch_body(&t, WEFT_BODY_MESH, 0, 0.6, 0));
    double high[3 * GEM_VERTICES];
    memcpy(high, gem_positions, sizeof high);
    for (int i = 0; i < GEM_VERTICES; i++) high[3 * i + 1] += 1.5;
    t.bodies[0].positions = high;
    touch_open(&t);
    touch_turn(turn, 1, TOUCH_PI / 2);
    touch_move(&t, 0, 0, 0.6, 0, turn);
    CHECK(touch_step(&t) && weft_report(t.state)->jumps == 0);
    touch_close(&t);
}

static void lets_go(void) {
    Touch t = carried();
    int held = t.pins[0][0], moved = t.pins[0][1], released = t.pins[0][2];
    WfVec before = in_body(&t, held);
    double there[3];
    wf_store(there, 0, place(&t, moved));
    weft_move_pin(t.state, moved, there);
    weft_unpin(t.state, released);
    WfVec was = place(&t, released);
    for (int k = 0; k < 5; k++) {
        carry_on(&t, k);
        touch_step(&t);
    }
    CHECK_BELOW(wf_length(wf_sub(in_body(&t, held), before)), 1e-14);
    CHECK(wf_length(wf_sub(place(&t, moved), wf_load(there, 0))) == 0);
    CHECK(wf_length(wf_sub(place(&t, released), was)) > 0 && !weft_is_pinned(t.state, released));
    // moved by hand, it stays there in the frame of its body
    double* x = malloc(3 * VERTICES * sizeof *x);
    memcpy(x, weft_positions(t.state), 3 * VERTICES * sizeof *x);
    for (int i = 0; i < VERTICES; i++) x[3 * i] += 0.05;
    weft_set_positions(t.state, x);
    before = in_body(&t, held);
    carry_on(&t, 6);
    touch_step(&t);
    CHECK_BELOW(wf_length(wf_sub(in_body(&t, held), before)), 1e-14);
    free(x);
    touch_close(&t);
}

// ---------------------------------------------------------------------------------------------
// Saved

static void direct(Touch* t, WeftState* state, int k) {
    WeftState* own = t->state;
    t->state = state;
    carry_on(t, k);
    if (k == 3) weft_unpin(state, t->pins[0][4]);
    if (k % 4 == 2) {
        double to[3], turn[4];
        touch_turn(turn, 0, 1);
        wf_store(to, 0, wf_add(place(t, t->pins[0][0]), (WfVec){0.01, 0, 0}));
        weft_turn_pin(state, t->pins[0][0], to, turn);
    }
    t->state = own;
}

// Between being told and the step, too.
static void restored_on_the_way(void) {
    Touch t = carried();
    WeftState *loaded = NULL, *copied = NULL;
    CHECK(!weft_create_state(t.model, &loaded, NULL) && !weft_create_state(t.model, &copied, NULL));
    for (int k = 0; k < 12; k++) {
        direct(&t, t.state, k);
        size_t size = weft_saved_size(t.state);
        void* bytes = malloc(size);
        weft_save_state(t.state, bytes);
        CHECK(weft_load_state(loaded, bytes, size, NULL) == WEFT_OK);
        CHECK(weft_hash_state(loaded) == weft_hash_state(t.state));
        weft_copy_state(copied, loaded);
        free(bytes);
        touch_step(&t);
        CHECK(!weft_step(loaded, &t.step) && !weft_step(copied, &t.step));
        CHECK(weft_hash_state(loaded) == weft_hash_state(t.state));
        CHECK(weft_hash_state(copied) == weft_hash_state(t.state));
        direct(&t, loaded, k + 1);  // elsewhere, before it is loaded again
        CHECK(!weft_step(loaded, &t.step));
    }
    weft_destroy_state(loaded);
    weft_destroy_state(copied);
    touch_close(&t);
}

// Whatever a damaged record says, it is refused or leads to a step.
static void damaged_records(void) {
    Touch t = carried();
    touch_step(&t);
    WeftState* state = NULL;
    CHECK(!weft_create_state(t.model, &state, NULL));
    size_t size = weft_saved_size(t.state), records = ROW * 9 * sizeof(double);
    unsigned char* bytes = malloc(size);
    static const double bad[] = {NAN, INFINITY, -2, 0, 0.5, 3, 1e9, -1e9};
    for (int i = 0; i < 8; i++)
        for (int field = 0; field < 2; field++) {
            weft_save_state(t.state, bytes);
            unsigned char* at = bytes + size - VERTICES - records + (size_t)field * sizeof(double);
            memcpy(at + 9 * sizeof(double), &bad[i], sizeof bad[i]);
            wf_seal_saved(bytes, size);
            CHECK(weft_load_state(state, bytes, size, NULL) == WEFT_ERROR_INPUT);
        }
    weft_save_state(t.state, bytes);
    CHECK(weft_load_state(state, bytes, size - 9 * sizeof(double), NULL) == WEFT_ERROR_INPUT);
    CHECK(weft_load_state(state, bytes, size, NULL) == WEFT_OK);
    free(bytes);
    weft_destroy_state(state);
    touch_close(&t);
}

// All of a sheet is moved at 5 m/s in one step, and let go: it goes on like that. (It went on at
// 7.5 m/s, or stopped where relaxation's guard saw the gain.)
static void let_go_in_motion(void) {
    static const WeftMethod methods[] = {WEFT_METHOD_PREFACTORED, WEFT_METHOD_RELAXATION,
                                         WEFT_METHOD_IMPLICIT, WEFT_METHOD_SMALL_STEPS};
    enum { SIDE = 3, COUNT = (SIDE + 1) * (SIDE + 1) };
    for (int k = 0; k < 4; k++) {
        Touch t = touch_def(WEFT_CONTACT_ALL);
        touch_sheet(&t, 0.3, SIDE, 0, 0, 0);
        for (int i = 0; i < COUNT; i++) touch_pin(&t, 0, i);
        touch_open(&t);
        t.step.method = methods[k];
        t.step.gravity[1] = t.step.air_density = 0;
        touch_step(&t);
        for (int i = 0; i < COUNT; i++) {
            const double* x = weft_positions(t.state) + 3L * i;
            const double to[3] = {x[0], x[1] + 5 * t.step.dt, x[2]};
            weft_move_pin(t.state, i, to);
        }
        touch_step(&t);
        for (int i = 0; i < COUNT; i++) weft_unpin(t.state, i);
        for (int i = 0; i < 6; i++) touch_step(&t);
        for (int i = 0; i < COUNT; i++)
            CHECK_BELOW(fabs(weft_velocities(t.state)[3L * i + 1] - 5), 1e-4);
        touch_close(&t);
    }
}

static void by_small_steps(void) {
    touch_method = WEFT_METHOD_SMALL_STEPS;
    distances_are_kept();
    a_bar_that_turns();
    follows_its_body();
    cloth_goes_along();
    turns_on_its_feet();
    lets_go();
    touch_method = WEFT_METHOD_PREFACTORED;
}

TEST_MAIN(CASE(by_small_steps), CASE(let_go_in_motion), CASE(distances_are_kept),
          CASE(turns_cut_substeps), CASE(a_bar_that_turns), CASE(follows_its_body),
          CASE(cloth_goes_along), CASE(turns_on_its_feet), CASE(lets_go), CASE(restored_on_the_way),
          CASE(damaged_records))
