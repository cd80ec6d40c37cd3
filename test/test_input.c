// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the doors of a state: values that are no numbers are refused by name and change nothing,
// what is there already costs nothing, and no step that succeeds leaves a number that is not
// finite.

#include <float.h>

#include "touch.h"

enum { CELLS = 4, VERTICES = (CELLS + 1) * (CELLS + 1), NUMBERS = 3 * VERTICES };

// A sheet above a plane, held by a corner, and a gem beside it.
static Touch sheet(WeftContact contact) {
    Touch t = touch_def(contact);
    touch_sheet(&t, 0.3, CELLS, 0, 0.05, 0);
    touch_pin(&t, 0, 0);
    touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
    touch_gem(touch_body(&t, WEFT_BODY_MESH, 0.5, 0, 0));
    return t;
}

static void step_on(Touch* t, int count) {
    for (int k = 0; k < count; k++) CHECK(touch_step(t));
}

// The next step fails in these words, and only the next one; the state is as it was, and can be
// saved and loaded in between.
static void check_refused(Touch* t, uint64_t before, const char* words) {
    size_t size = weft_saved_size(t->state);
    void* bytes = malloc(size);
    WeftState* other = NULL;
    CHECK(weft_hash_state(t->state) == before);
    weft_save_state(t->state, bytes);
    CHECK(weft_step(t->state, &t->step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(t->state)->message, words);
    CHECK(weft_hash_state(t->state) == before);
    CHECK(weft_create_state(t->model, &other, NULL) == WEFT_OK);
    CHECK(weft_load_state(other, bytes, size, NULL) == WEFT_OK);
    CHECK(weft_hash_state(other) == before);
    CHECK(touch_step(t));
    CHECK(weft_step(other, &t->step) == WEFT_OK);
    CHECK(weft_hash_state(other) == weft_hash_state(t->state));
    weft_destroy_state(other);
    free(bytes);
}

static void refused_by_name(void) {
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e30};
    Touch t = sheet(WEFT_CONTACT_ALL);
    touch_open(&t);
    step_on(&t, 3);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        double values[NUMBERS], at[3] = {0, 0, bad[k]}, here[3] = {0.5, 0, 0};
        double turn[4] = {0, bad[k], 0, 1}, gem[3 * GEM_VERTICES];
        uint64_t hash = weft_hash_state(t.state);
        memcpy(values, weft_positions(t.state), sizeof values);
        values[3 * 7 + 1] = bad[k];
        weft_set_positions(t.state, values);
        check_refused(&t, hash, "vertex 7: the position it was given is ");
        hash = weft_hash_state(t.state);
        memcpy(values, weft_velocities(t.state), sizeof values);
        values[3 * 9] = bad[k];
        weft_set_velocities(t.state, values);
        check_refused(&t, hash, "vertex 9: the velocity it was given is ");
        hash = weft_hash_state(t.state);
        weft_move_pin(t.state, 0, at);
        check_refused(&t, hash, "vertex 0: where its pin shall be is ");
        hash = weft_hash_state(t.state);
        weft_move_body(t.state, 1, at, TOUCH_LEVEL);
        check_refused(&t, hash, "body 1: where it shall be at the end of the step is ");
        hash = weft_hash_state(t.state);
        weft_place_body(t.state, 1, at, TOUCH_LEVEL);
        check_refused(&t, hash, "body 1: where it shall be");
        if (!isfinite(bad[k])) {
            hash = weft_hash_state(t.state);
            weft_move_body(t.state, 1, here, turn);
            check_refused(&t, hash, "body 1: its rotation is not a number");
        }
        hash = weft_hash_state(t.state);
        memcpy(gem, gem_positions, sizeof gem);
        gem[4] = bad[k];
        weft_deform_body(t.state, 1, gem);
        check_refused(&t, hash, "body 1: the shape it was given is ");
    }
    touch_close(&t);
}

// Good values for the same thing withdraw what was refused; those for another do not.
static void withdrawn(void) {
    Touch t = sheet(WEFT_CONTACT_NONE);
    touch_open(&t);
    step_on(&t, 3);
    const double nowhere[3] = {NAN, 0, 0};
    double here[3];
    memcpy(here, weft_positions(t.state), sizeof here);
    weft_move_pin(t.state, 0, nowhere);
    weft_move_pin(t.state, 0, here);
    CHECK(touch_step(&t));
    weft_pin(t.state, 5);
    weft_move_pin(t.state, 5, nowhere);
    weft_move_pin(t.state, 0, here);
    CHECK(weft_step(t.state, &t.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(t.state)->message, "vertex 5");
    CHECK(touch_step(&t));
    touch_close(&t);
}

// Values just within bounds are taken.
static void bounds(void) {
    Touch t = sheet(WEFT_CONTACT_NONE);
    t.cloths[0].pin_count = 0;
    touch_open(&t);
    double values[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) values[i] = weft_positions(t.state)[i] + 9e5;
    weft_set_positions(t.state, values);
    CHECK(touch_step(&t));
    for (int i = 0; i < NUMBERS; i++) values[i] = 1e5;
    weft_set_velocities(t.state, values);
    CHECK(touch_step(&t));
    for (int i = 0; i < NUMBERS; i++) values[i] = nextafter(1e5, 2e5);
    weft_set_velocities(t.state, values);
    CHECK(weft_step(t.state, &t.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(t.state)->message, "more than 100000 m/s; it was not taken");
    touch_close(&t);
}

// Setting what is there already forgets nothing: the same bits, and no search for what is crossed.
static void same_again(void) {
    for (int w = 0; w < TOUCH_WAYS; w++) {
        int before = test_failures;
        Touch t = sheet(WEFT_CONTACT_ALL);
        touch_use(&t, &touch_ways[w]);
        touch_open(&t);
        WeftState* other = NULL;
        CHECK(weft_create_state(t.model, &other, NULL) == WEFT_OK);
        for (int k = 0; k < 12; k++) {
            weft_set_positions(other, weft_positions(other));
            weft_set_velocities(other, weft_velocities(other));
            CHECK(touch_step(&t) && weft_step(other, &t.step) == WEFT_OK);
            CHECK(weft_hash_state(other) == weft_hash_state(t.state));
            CHECK(weft_report(other)->tangles == weft_report(t.state)->tangles);
            CHECK(k == 0 || weft_report(other)->tangles == -1);
        }
        double x[NUMBERS];
        memcpy(x, weft_positions(other), sizeof x);
        x[3 * 20 + 1] += 1e-4;
        weft_set_positions(other, x);
        CHECK(weft_step(other, &t.step) == WEFT_OK);
        CHECK(weft_report(other)->tangles >= 0);  // it was looked for
        weft_destroy_state(other);
        touch_say(before, touch_ways[w].name, "same again");
        touch_close(&t);
    }
}

// ---------------------------------------------------------------------------------------------
// What comes out

static bool all_finite(const WeftState* state) {
    for (int i = 0; i < NUMBERS; i++)
        if (!isfinite(weft_positions(state)[i]) || !isfinite(weft_velocities(state)[i]))
            return false;
    return true;
}

// Steps that succeed leave finite numbers, steps that fail change nothing.
static void check_finite(Touch* t, int steps, bool must_succeed) {
    for (int k = 0; k < steps; k++) {
        uint64_t before = weft_hash_state(t->state);
        WeftResult result = weft_step(t->state, &t->step);
        CHECK(all_finite(t->state));
        CHECK(!result || weft_hash_state(t->state) == before);
        if (must_succeed && !CHECK(!result)) puts(weft_state_error(t->state)->message);
        if (result) return;
    }
}

// Cloth that is collapsed to a point. By relaxation with contact, all of it became NaN.
static void collapsed(void) {
    static const double nothing[NUMBERS];
    for (int w = 0; w < TOUCH_WAYS; w++)
        for (int contact = 0; contact < 3; contact += 2) {
            int before = test_failures;
            Touch t = sheet((WeftContact)contact);
            t.cloths[0].pin_count = 0;
            t.bodies[0].position[1] = -1;
            touch_use(&t, &touch_ways[w]);
            touch_open(&t);
            weft_set_positions(t.state, nothing);
            check_finite(&t, 3, contact == 0);
            touch_say(before, touch_ways[w].name, "collapsed");
            touch_close(&t);
        }
}

// Absurd settings that are numbers: the message says which.
static void what_was_the_cause(void) {
    for (int w = 0; w < TOUCH_WAYS; w++) {
        int before = test_failures;
        Touch t = sheet(WEFT_CONTACT_NONE);
        touch_use(&t, &touch_ways[w]);
        touch_open(&t);
        step_on(&t, 2);
        t.step.gravity[1] = -1e15;
        check_finite(&t, 1, false);
        const char* message = weft_state_error(t.state)->message;
        bool fails = t.step.method != WEFT_METHOD_RELAXATION;  // whose guard sees to it
        CHECK(fails == (message[0] != 0));
        if (fails) CHECK_TEXT(message, "left the numbers in the solve at t = 0.03");
        if (fails && t.step.method != WEFT_METHOD_SYMPLECTIC)
            CHECK_TEXT(message, "gravity is 1e+15");
        t.step.gravity[1] = -9.81;
        step_on(&t, 2);
        touch_say(before, touch_ways[w].name, "cause");
        touch_close(&t);
    }
}

static void explicit_steps_that_are_too_long(void) {
    Touch t = sheet(WEFT_CONTACT_NONE);
    t.step.method = WEFT_METHOD_SYMPLECTIC;
    t.step.substeps = 1;
    touch_open(&t);
    WeftResult result = WEFT_OK;
    uint64_t before = 0;
    for (int k = 0; k < 60 && !result; k++) {
        before = weft_hash_state(t.state);
        result = weft_step(t.state, &t.step);
        CHECK(all_finite(t.state));
    }
    CHECK(result == WEFT_ERROR_INPUT && weft_hash_state(t.state) == before);
    CHECK_TEXT(weft_state_error(t.state)->message, "too long a step for an explicit method");
    touch_close(&t);
}

// Rotations without length, and such that are no numbers, wherever there are any. (They were told
// as positions that are not a number.)
static void rotations(void) {
    static const double at[3] = {0.5, 0, 0}, none[4] = {0}, bad[4] = {0, NAN, 0, 1};
    static const char* const owners[] = {"body 1",    "body 1",       "the space",
                                         "the space", "the teleport", "vertex 0"};
    Touch t = sheet(WEFT_CONTACT_ALL);
    touch_open(&t);
    step_on(&t, 2);
    for (int kind = 0; kind < 2; kind++)
        for (int k = 0; k < 6; k++) {
            const double* turn = kind ? bad : none;
            char words[80];
            snprintf(words, sizeof words, "%s: its rotation %s", owners[k],
                     kind ? "is not a number" : "has no length");
            if (k == 5) weft_move_pin(t.state, 0, weft_positions(t.state));
            uint64_t hash = weft_hash_state(t.state);
            if (k == 0) weft_move_body(t.state, 1, at, turn);
            if (k == 1) weft_place_body(t.state, 1, at, turn);
            if (k == 2) weft_move_space(t.state, at, turn);
            if (k == 3) weft_place_space(t.state, at, turn);
            if (k == 4) weft_teleport(t.state, at, turn, true);
            if (k == 5) weft_turn_pin(t.state, 0, weft_positions(t.state), turn);
            check_refused(&t, hash, words);
        }
    touch_close(&t);
}

TEST_MAIN(CASE(refused_by_name), CASE(rotations), CASE(withdrawn), CASE(bounds), CASE(same_again),
          CASE(collapsed), CASE(what_was_the_cause), CASE(explicit_steps_that_are_too_long))
