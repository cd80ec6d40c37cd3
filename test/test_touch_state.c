// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards states with contact: the same bits for any number of threads, for runs that were saved,
// copied or repeated; steps that fail leave the state as it was; no memory is taken in warm steps,
// and every failed allocation is an error that leaks nothing; states go on in other models.

#include "counting.h"
#include "touch.h"

// ---------------------------------------------------------------------------------------------
// A heap: layers that fold on a plane, a sphere that rolls over them, a gem that swells

static Touch heap(int cells) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    for (int k = 0; k < 3; k++) {
        WeftFabric* fabric =
            &touch_sheet(&t, 0.4, cells, 0.01 * k, 0.02 + 0.02 * k, 0.007 * k)->fabric;
        fabric->friction = 0.2;
        fabric->stretch_warp = fabric->stretch_weft = 500;  // fewer substeps of explicit methods
        fabric->shear = 100;
    }
    touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
    touch_body(&t, WEFT_BODY_SPHERE, -0.5, 0.06, 0.02)->radius = 0.05;
    touch_gem(touch_body(&t, WEFT_BODY_MESH, 0.15, -0.2, -0.1));
    return t;
}

static void direct(Touch* t, WeftState* state, int k) {
    double turn[4], shape[3 * GEM_VERTICES], time = (k + 1) * t->step.dt;
    touch_turn(turn, 2, -8 * time);
    const double at[3] = {-0.5 + time, 0.06, 0.02};
    weft_move_body(state, 1, at, turn);
    for (int i = 0; i < 3 * GEM_VERTICES; i++)
        shape[i] = (1 + 0.1 * sin(9 * time)) * gem_positions[i];
    weft_deform_body(state, 2, shape);
    if (k == 10) weft_pin(state, 5);
    if (k == 30) weft_unpin(state, 5);
}

static bool heap_step(Touch* t, WeftState* state, int k) {
    direct(t, state, k);
    return CHECK(weft_step(state, &t->step) == WEFT_OK);
}

// The hash after so many steps.
static uint64_t run_heap(const TouchWay* way, int threads, int cells, int steps) {
    Touch t = heap(cells);
    t.def.jobs.thread_count = threads;
    touch_use(&t, way);
    touch_open(&t);
    for (int k = 0; k < steps; k++)
        if (!heap_step(&t, t.state, k)) break;
    CHECK(weft_report(t.state)->self_contacts > 0 && weft_report(t.state)->body_contacts > 0);
    uint64_t hash = weft_hash_state(t.state);
    touch_close(&t);
    return hash;
}

static void threads_change_no_bit(void) {
    for (int w = 0; w < TOUCH_WAYS; w++) {
        int before = test_failures, cells = w == 0 ? 20 : 6, steps = w == 0 ? 16 : 14;
        uint64_t one = run_heap(&touch_ways[w], 1, cells, steps);
        CHECK(run_heap(&touch_ways[w], 2, cells, steps) == one);
        CHECK(run_heap(&touch_ways[w], 3, cells, steps) == one);
        CHECK(run_heap(&touch_ways[w], 1, cells, steps) == one);
        touch_say(before, touch_ways[w].name, "threads");
    }
}

// In the middle of the run, another state takes over what was saved, a third what was copied. Their
// trees and lists are new, or of another past. At the last moment much lies still: its lists are
// those of many steps before.
static void saved_and_copied_runs(void) {
    static const int moments[3] = {1, 12, 50};
    for (int w = 0; w < TOUCH_WAYS; w++)
        for (int m = 0; m < (w == 0 ? 3 : 2); m++) {
            int before = test_failures;
            Touch t = heap(6);
            touch_use(&t, &touch_ways[w]);
            touch_open(&t);
            WeftState *saved = NULL, *copied = NULL;
            CHECK(weft_create_state(t.model, &copied, NULL) == WEFT_OK);
            for (int k = 0; k < 6; k++) heap_step(&t, copied, 2 * k);  // a past of its own
            for (int k = 0; k < moments[m] + 8 && test_failures == before; k++) {
                if (k == moments[m]) {
                    size_t count = weft_saved_size(t.state);
                    void* bytes = malloc(count);
                    weft_save_state(t.state, bytes);
                    CHECK(weft_create_state(t.model, &saved, NULL) == WEFT_OK);
                    CHECK(weft_load_state(saved, bytes, count, NULL) == WEFT_OK);
                    weft_copy_state(copied, t.state);
                    free(bytes);
                }
                heap_step(&t, t.state, k);
                if (k < moments[m]) continue;
                heap_step(&t, saved, k);
                heap_step(&t, copied, k);
                if (!CHECK(weft_hash_state(saved) == weft_hash_state(t.state)) ||
                    !CHECK(weft_hash_state(copied) == weft_hash_state(t.state)))
                    printf("  at step %d, parted at %d\n", k, moments[m]);
            }
            touch_say(before, touch_ways[w].name, "saved");
            weft_destroy_state(saved);
            weft_destroy_state(copied);
            touch_close(&t);
        }
}

// The same of cloth that has fallen asleep.
static void sleep_is_saved(void) {
    Touch t = touch_def(WEFT_CONTACT_ALL);
    touch_sheet(&t, 0.3, 8, 0, 3e-3, 0);
    touch_body(&t, WEFT_BODY_PLANE, 0, 0, 0);
    touch_open(&t);
    for (int k = 0; k < 60; k++) CHECK(touch_step(&t));
    CHECK(weft_report(t.state)->asleep);
    size_t count = weft_saved_size(t.state);
    void* bytes = malloc(count);
    weft_save_state(t.state, bytes);
    WeftState* other = NULL;
    CHECK(weft_create_state(t.model, &other, NULL) == WEFT_OK);
    CHECK(weft_load_state(other, bytes, count, NULL) == WEFT_OK);
    CHECK(weft_step(other, &t.step) == WEFT_OK && weft_report(other)->asleep);
    CHECK(touch_step(&t) && weft_hash_state(t.state) == weft_hash_state(other));
    free(bytes);
    weft_destroy_state(other);
    touch_close(&t);
}

// ---------------------------------------------------------------------------------------------
// Steps that fail

static void check_failure(Touch* t, const char* words) {
    uint64_t before = weft_hash_state(t->state);
    CHECK(weft_step(t->state, &t->step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(t->state)->message, words);
    CHECK(weft_hash_state(t->state) == before);
}

// A wind that is not a number: the cloth is as before, its forces and its rest as well.
static void failed_steps_change_nothing(void) {
    for (int w = 0; w < TOUCH_WAYS; w++) {
        int before = test_failures;
        Touch t = heap(6);
        touch_use(&t, &touch_ways[w]);
        touch_open(&t);
        for (int k = 0; k < 12; k++) heap_step(&t, t.state, k);
        t.step.wind[0] = NAN;
        check_failure(&t, "");
        t.step.wind[0] = 0;
        CHECK(touch_step(&t));
        touch_say(before, touch_ways[w].name, "failed");
        touch_close(&t);
    }
}

// A body sent to where no number is: the step is refused, and goes well when the body comes back.
static void bodies_that_are_no_numbers(void) {
    const double nowhere[3] = {0, NAN, 0}, here[3] = {-0.5, 0.06, 0.02};
    double shape[3 * GEM_VERTICES];
    Touch t = heap(8);
    touch_open(&t);
    for (int k = 0; k < 5; k++) heap_step(&t, t.state, k);
    for (int body = 0; body < 3; body++) {
        weft_move_body(t.state, body, nowhere, TOUCH_LEVEL);
        check_failure(&t, "not a number");
        weft_move_body(t.state, body, body == 1 ? here : t.bodies[body].position, TOUCH_LEVEL);
        CHECK(touch_step(&t));
    }
    memcpy(shape, gem_positions, sizeof shape);
    shape[7] = NAN;
    weft_deform_body(t.state, 2, shape);
    check_failure(&t, "not a number");
    weft_deform_body(t.state, 2, gem_positions);
    CHECK(touch_step(&t));
    touch_close(&t);
}

// ---------------------------------------------------------------------------------------------
// Memory

// Contacts come and go; where there were as many before, there is room for them.
static void warm_steps_allocate_nothing(void) {
    for (int w = 0; w < TOUCH_WAYS; w++) {
        int before = test_failures;
        Counting counting = {0};
        Touch t = heap(6);
        t.def.allocator = counting_allocator(&counting);
        touch_use(&t, &touch_ways[w]);
        touch_open(&t);
        for (int k = 0; k < 16; k++) heap_step(&t, t.state, k);
        WeftState* start = NULL;
        CHECK(weft_create_state(t.model, &start, NULL) == WEFT_OK);
        weft_copy_state(t.state, start);
        long calls = counting.calls;
        for (int k = 0; k < 16; k++) heap_step(&t, t.state, k);
        CHECK(counting.calls == calls);
        weft_destroy_state(start);
        touch_close(&t);
        CHECK(counting.live == 0 && counting.bytes == 0);
        touch_say(before, touch_ways[w].name, "warm");
    }
}

// Model, state and some steps, with allocation `fail_at` failing. How many allocations it took.
static long run_failing(Touch* t, Counting* counting, WeftResult* result) {
    t->def.allocator = counting_allocator(counting);
    WeftError error = {0};
    *result = touch_create(t, &error);
    for (int k = 0; k < 12 && !*result; k++) {
        direct(t, t->state, k);
        uint64_t before = weft_hash_state(t->state);
        *result = weft_step(t->state, &t->step);
        if (!*result) continue;
        CHECK(weft_hash_state(t->state) == before);
        // memory is back: the same step goes well
        CHECK(weft_step(t->state, &t->step) == WEFT_OK);
    }
    long calls = counting->calls;
    touch_shut(t);
    CHECK(counting->live == 0 && counting->bytes == 0);
    return calls;
}

// (A failure within the defence was forgotten by the check at its end, which searched again.)
static void every_allocation_may_fail(void) {
    static const int ways[3] = {0, 1, 3};
    long stride = test_slow() ? 1 : 3;
    for (int w = 0; w < 3; w++) {
        int before = test_failures;
        Touch t = heap(5);
        touch_use(&t, &touch_ways[ways[w]]);
        Counting counting = {0};
        WeftResult result;
        long calls = run_failing(&t, &counting, &result);
        CHECK(result == WEFT_OK && calls > 50);
        for (long n = 1; n <= calls && test_failures == before; n += stride) {
            counting = (Counting){.fail_at = n};
            run_failing(&t, &counting, &result);
            if (!CHECK(result == WEFT_ERROR_MEMORY)) printf("  allocation %ld of %ld\n", n, calls);
        }
        touch_say(before, touch_ways[ways[w]].name, "failing");
        touch_close(&t);
    }
}

// ---------------------------------------------------------------------------------------------
// Other models

// Of the same sheets; kind -1: no bodies.
static void open_like(const Touch* t, Touch* other, WeftContact contact, int kind) {
    *other = *t;
    other->model = NULL;
    other->state = NULL;
    other->def.contact = contact;
    if (kind < 0) other->def.body_count = 0;
    if (kind == 1) {
        other->def.body_count = 2;
        other->bodies[1].kind = WEFT_BODY_BOX;
    }
    touch_open(other);
}

// To a model without contact, to one with other bodies, and back.
static void states_go_on_in_other_models(void) {
    Touch t = heap(8), others[3];
    touch_open(&t);
    for (int k = 0; k < 20; k++) heap_step(&t, t.state, k);
    open_like(&t, &others[0], WEFT_CONTACT_NONE, -1);
    open_like(&t, &others[1], WEFT_CONTACT_BODIES, 0);
    open_like(&t, &others[2], WEFT_CONTACT_ALL, 1);
    size_t bytes = 3 * (size_t)weft_vertex_count(t.model) * sizeof(double);
    for (int i = 0; i < 3; i++) {
        Touch* o = &others[i];
        weft_continue_state(o->state, t.state);
        CHECK(weft_time(o->state) == weft_time(t.state));
        CHECK(memcmp(weft_positions(o->state), weft_positions(t.state), bytes) == 0);
        CHECK(memcmp(weft_velocities(o->state), weft_velocities(t.state), bytes) == 0);
        CHECK(touch_step(o));
        CHECK_BELOW(touch_measure(o).max_speed, 5);
        for (int k = 0; k < 10; k++) CHECK(touch_step(o));
        weft_continue_state(t.state, o->state);
        CHECK(touch_step(&t));
        CHECK_BELOW(touch_measure(&t).max_speed, 5);
    }
    // bodies that both have are where they were; others, where the model starts them
    double x[3 * 2000], y[3 * 2000];
    const double there[3] = {1, 2, 3};
    weft_place_body(t.state, 1, there, TOUCH_LEVEL);
    weft_continue_state(others[1].state, t.state);
    weft_copy_body(t.state, 1, x);
    weft_copy_body(others[1].state, 1, y);
    CHECK(memcmp(x, y, 3 * (size_t)weft_body_vertex_count(t.model, 1) * sizeof *x) == 0);
    weft_continue_state(others[2].state, t.state);
    weft_copy_body(others[2].state, 1, y);
    CHECK_NEAR(y[0], others[2].bodies[1].position[0] - 0.25, 1e-12);
    for (int i = 0; i < 3; i++) touch_shut(&others[i]);
    touch_close(&t);
}

// The same model twice: nothing is lost.
static void going_on_in_the_same_model(void) {
    Touch t = heap(8), other;
    touch_open(&t);
    for (int k = 0; k < 20; k++) heap_step(&t, t.state, k);
    open_like(&t, &other, WEFT_CONTACT_ALL, 0);
    weft_continue_state(other.state, t.state);
    for (int k = 20; k < 30; k++) {
        heap_step(&t, t.state, k);
        heap_step(&other, other.state, k);
    }
    const double *x = weft_positions(t.state), *y = weft_positions(other.state);
    for (int i = 0; i < 3 * weft_vertex_count(t.model); i++) CHECK_NEAR(x[i], y[i], 1e-3);
    touch_shut(&other);
    touch_close(&t);
}

// ---------------------------------------------------------------------------------------------
// Budgets

typedef struct Ticker {
    double now, tick;  // s
} Ticker;

static double tick(void* user) {
    Ticker* ticker = user;
    return ticker->now += ticker->tick;
}

// Steps by a clock that runs at its own pace, each repeated by its report in another state: the
// same bits. With `fast`, the sphere shoots through.
static void repeat_heap(const TouchWay* way, bool fast) {
    int before = test_failures;
    Ticker ticker = {0, 1e-5};
    Touch t = heap(6);
    t.def.clock = (WeftClock){tick, &ticker};
    touch_use(&t, way);
    t.step.budget_ms = 3;
    touch_open(&t);
    WeftState* twin = NULL;
    CHECK(weft_create_state(t.model, &twin, NULL) == WEFT_OK);
    int touched = 0;
    for (int k = 0; k < 16 && test_failures == before; k++) {
        ticker.tick = k % 7 == 3 ? 4e-5 : 1e-5;
        direct(&t, t.state, k);
        const double at[3] = {-0.5 + 0.3 * (k < 8 ? k + 1 : 8), 0.06, 0.02};
        if (fast) weft_move_body(t.state, 1, at, TOUCH_LEVEL);
        weft_copy_state(twin, t.state);
        CHECK(touch_step(&t));
        touched += weft_report(t.state)->self_contacts;
        WeftStepDef again = weft_repeat_step(&t.step, weft_report(t.state));
        CHECK(weft_step(twin, &again) == WEFT_OK);
        if (!CHECK(weft_hash_state(twin) == weft_hash_state(t.state)))
            printf("  at step %d: %d substeps, then %d\n", k, weft_report(t.state)->substeps,
                   weft_report(twin)->substeps);
    }
    CHECK(touched > 0);
    touch_say(before, way->name, fast ? "fast, repeated" : "repeated");
    weft_destroy_state(twin);
    touch_close(&t);
}

static void budgets_are_repeated(void) {
    for (int w = 0; w < TOUCH_WAYS; w++) repeat_heap(&touch_ways[w], false);
}

static void budgets_with_fast_bodies(void) {
    for (int w = 0; w < TOUCH_WAYS; w += test_long() ? 1 : 2) repeat_heap(&touch_ways[w], true);
}

// Where there is a budget, it is kept to: a slow clock leaves few iterations, a fast one many.
static void budgets_are_kept(void) {
    int iterations[2] = {0, 0};
    for (int slow = 0; slow < 2; slow++) {
        Ticker ticker = {0, slow ? 1e-4 : 1e-7};
        Touch t = heap(8);
        t.def.clock = (WeftClock){tick, &ticker};
        t.step.budget_ms = 5;
        touch_open(&t);
        for (int k = 0; k < 40; k++) {
            direct(&t, t.state, k);
            CHECK(touch_step(&t));
            if (k >= 20) iterations[slow] += weft_report(t.state)->solve_count;
        }
        CHECK(weft_report(t.state)->body_contacts > 0);
        touch_close(&t);
    }
    CHECK(iterations[1] < iterations[0]);
}

TEST_MAIN(SLOW_CASE(threads_change_no_bit), LONG_CASE(saved_and_copied_runs), CASE(sleep_is_saved),
          SLOW_CASE(failed_steps_change_nothing), CASE(bodies_that_are_no_numbers),
          SLOW_CASE(warm_steps_allocate_nothing), CASE(every_allocation_may_fail),
          CASE(states_go_on_in_other_models), CASE(going_on_in_the_same_model),
          SLOW_CASE(budgets_are_repeated), SLOW_CASE(budgets_with_fast_bodies),
          SLOW_CASE(budgets_are_kept))
