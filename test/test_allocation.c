// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards memory: steps allocate nothing once warm, every failed allocation is an error that leaks
// nothing and can be tried again, and what is made is given back.

#include "counting.h"
#include "swing.h"
#include "test.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

enum { N = 9 };

// every way to step that wants memory of its own
static void symplectic(WeftStepDef* step) { step->method = WEFT_METHOD_SYMPLECTIC; }
static void implicit(WeftStepDef* step) { step->method = WEFT_METHOD_IMPLICIT; }
static void converged(WeftStepDef* step) {
    step->method = WEFT_METHOD_IMPLICIT;
    step->scheme = WEFT_SCHEME_JAJ;
    step->newton_steps = 20;
    step->newton_tolerance = 1e-6;
}
static void one_solve(WeftStepDef* step) { step->quality = 1; }
static void four_solves(WeftStepDef* step) { step->quality = 4; }
static void substeps(WeftStepDef* step) { step->quality = 7; }

static void small_steps(WeftStepDef* step) { step->method = WEFT_METHOD_SMALL_STEPS; }
static void relaxation(WeftStepDef* step) { step->method = WEFT_METHOD_RELAXATION; }
static void jacobi(WeftStepDef* step) {
    step->method = WEFT_METHOD_RELAXATION;
    step->sweep = WEFT_SWEEP_JACOBI;
    step->jacobian = WEFT_JACOBIAN_SCALAR;
}
static void matrix_free(WeftStepDef* step) { step->method = WEFT_METHOD_MATRIX_FREE; }
static void matrix_free_plain(WeftStepDef* step) {
    step->method = WEFT_METHOD_MATRIX_FREE;
    step->scheme = WEFT_SCHEME_PLAIN;
}

static void (*const ways[])(WeftStepDef*) = {symplectic,  implicit,    converged,        one_solve,
                                             four_solves, substeps,    small_steps,      relaxation,
                                             jacobi,      matrix_free, matrix_free_plain};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

static void plain(Swing* s) { (void)s; }
static void linear(Swing* s) {
    weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_ROTATION, 2);
    s->step.quality = 1;
}
static void all_terms(Swing* s) {
    swing_triangles(s);
    s->cloth.shear = WEFT_SHEAR_PRODUCT;
    s->cloth.fabric.mass_damping = s->cloth.fabric.stretch_damping = 0.01;
    s->step.air_density = 1.2;
    s->step.method = WEFT_METHOD_IMPLICIT;
}

static Swing open_counted(Counting* counting, void (*cloth)(Swing*), void (*way)(WeftStepDef*)) {
    Swing s = swing_def(N, 100);
    cloth(&s);
    way(&s.step);
    s.allocator = counting_allocator(counting);
    swing_open(&s);
    return s;
}

static long calls_in_step(Swing* s, const Counting* counting) {
    long before = counting->calls;
    CHECK(swing_step(s));
    return counting->calls - before;
}

// ---------------------------------------------------------------------------------------------
// Warm steps

static void warm_steps_allocate_nothing(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        Counting counting = {0};
        Swing s = open_counted(&counting, plain, ways[w]);
        CHECK(swing_step(&s));
        for (int k = 0; k < 5; k++) CHECK(calls_in_step(&s, &counting) == 0);
        s.step.wind[0] = 3;
        s.step.gravity[1] = -1;
        s.step.guard = !s.step.guard;
        s.step.start = WEFT_START_PREVIOUS;
        CHECK(calls_in_step(&s, &counting) == 0);
        swing_close(&s);
        CHECK(counting.live == 0 && counting.bytes == 0);
    }
}

// The prefactored method needs nothing even in its first step: create_model prepared for it.
static void prepared_steps_allocate_nothing(void) {
    Counting counting = {0};
    Swing s = open_counted(&counting, plain, four_solves);
    CHECK(calls_in_step(&s, &counting) == 0);
    CHECK(weft_report(s.state)->factor_count == 0);
    swing_close(&s);
}

// Substeps, dt and tolerance change from step to step among settings prepared for.
static void changes_among_prepared_defs(void) {
    Counting counting = {0};
    Swing s = open_counted(&counting, plain, four_solves);
    WeftStepDef defs[] = {s.step, s.step, s.step, s.step};
    defs[1].substeps = 2;
    defs[2].dt = 1.0 / 120;
    defs[3].order = 1;
    for (int d = 0; d < 4; d++) CHECK(weft_prepare_model(s.model, &defs[d], NULL) == WEFT_OK);
    for (int k = 0; k < 12; k++) {
        s.step = defs[k % 4];
        CHECK(calls_in_step(&s, &counting) == 0);
        CHECK(weft_report(s.state)->factor_count == 0);
    }
    // preparing again for what is there costs nothing
    long before = counting.calls;
    for (int d = 0; d < 4; d++) CHECK(weft_prepare_model(s.model, &defs[d], NULL) == WEFT_OK);
    CHECK(counting.calls == before);
    swing_close(&s);
}

// A setting not prepared for: one factor is made, once, and warm steps are free again.
static void change_to_an_unprepared_def(void) {
    Counting counting = {0};
    Swing s = open_counted(&counting, plain, four_solves);
    CHECK(swing_step(&s));
    s.step.substeps = 3;
    CHECK(calls_in_step(&s, &counting) > 0);
    CHECK(weft_report(s.state)->factor_count == 1);
    for (int k = 0; k < 3; k++) {
        CHECK(calls_in_step(&s, &counting) == 0);
        CHECK(weft_report(s.state)->factor_count == 0);
    }
    // another one for other lengths, up to eight; then the oldest gives its place
    for (int k = 0; k < 10; k++) {
        s.step.substeps = 3 << k;
        CHECK((calls_in_step(&s, &counting) > 0) == (k > 0 && k < 8));
        CHECK(weft_report(s.state)->factor_count == (k > 0));
    }
    swing_close(&s);
    CHECK(counting.live == 0);
}

static void moving_pins(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        Counting counting = {0};
        Swing s = open_counted(&counting, plain, ways[w]);
        CHECK(swing_step(&s));
        for (int k = 0; k < 4; k++) {
            double to[3];
            memcpy(to, weft_positions(s.state) + 3 * s.pins[0], sizeof to);
            to[0] += 0.01;
            weft_move_pin(s.state, s.pins[0], to);
            CHECK(calls_in_step(&s, &counting) == 0);
        }
        swing_close(&s);
    }
}

static void pinning_and_releasing(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        Counting counting = {0};
        Swing s = open_counted(&counting, plain, ways[w]);
        CHECK(swing_step(&s));
        weft_pin(s.state, 40);
        CHECK(calls_in_step(&s, &counting) == 0);
        for (int k = 0; k < 6; k++) {
            if (k % 2)
                weft_pin(s.state, 20 + k);
            else
                weft_unpin(s.state, k ? 19 + k : 40);
            CHECK(calls_in_step(&s, &counting) == 0);
        }
        swing_close(&s);
        CHECK(counting.live == 0);
    }
}

// So many pins that the state makes factors of its own: room for one, and for the next beside it;
// then never again.
static void many_pins(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        Counting counting = {0};
        Swing s = open_counted(&counting, plain, ways[w]);
        CHECK(swing_step(&s));
        for (int round = 0; round < (test_slow() ? 3 : 2); round++) {
            // all at once, then one by one: both of its factors
            for (int i = 0; i < N * N - 1; i++) weft_pin(s.state, i);
            for (int k = 0; k < 2; k++) {
                long calls = calls_in_step(&s, &counting);
                CHECK(calls == 0 || (round == 0 && k == 0));
            }
            for (int i = 0; i < N * N - 1; i++) {
                weft_unpin(s.state, i);
                long calls = calls_in_step(&s, &counting);
                CHECK(calls == 0 || round == 0);
            }
        }
        swing_close(&s);
        CHECK(counting.live == 0);
    }
}

// Read-back, copies and hashes take nothing either.
static void other_calls(void) {
    Counting counting = {0};
    Swing s = open_counted(&counting, plain, four_solves);
    WeftState* other = NULL;
    CHECK(weft_create_state(s.model, &other, NULL) == WEFT_OK);
    CHECK(swing_step(&s));
    void* bytes = malloc(weft_saved_size(s.state));
    float floats[3 * N * N], normals[3 * N * N];
    long before = counting.calls;
    weft_copy_state(other, s.state);
    weft_save_state(s.state, bytes);
    CHECK(weft_load_state(other, bytes, weft_saved_size(s.state), NULL) == WEFT_OK);
    weft_hash_state(s.state);
    weft_copy_floats(s.state, floats, normals);
    weft_set_positions(other, weft_positions(s.state));
    weft_set_velocities(other, weft_velocities(s.state));
    CHECK(counting.calls == before);
    free(bytes);
    weft_destroy_state(other);
    swing_close(&s);
    CHECK(counting.live == 0);
}

// ---------------------------------------------------------------------------------------------
// The nth allocation fails

typedef struct Setting {
    void (*cloth)(Swing*);
    void (*way)(WeftStepDef*);
} Setting;

static void keep(WeftStepDef* step) { (void)step; }

static const Setting settings[] = {
    {plain, symplectic}, {plain, implicit},   {plain, converged},
    {plain, one_solve},  {plain, substeps},   {linear, keep},
    {all_terms, keep},   {plain, relaxation}, {plain, matrix_free},
};
enum { SETTING_COUNT = sizeof settings / sizeof *settings };

static Swing swing_of(const Setting* setting, Counting* counting) {
    Swing s = swing_def(N, 100);
    setting->cloth(&s);
    setting->way(&s.step);
    s.allocator = counting_allocator(counting);
    return s;
}

static void create_model_fails_anywhere(void) {
    for (int i = 0; i < SETTING_COUNT; i++) {
        Counting counting = {0};
        Swing s = swing_of(&settings[i], &counting);
        swing_make_mesh(&s);
        WeftModelDef def = swing_model_def(&s);
        CHECK(weft_create_model(&def, &s.model, NULL) == WEFT_OK);
        long count = counting.calls;
        CHECK(count > 10);
        weft_destroy_model(s.model);
        for (long n = 1; n <= count; n++) {
            counting = (Counting){.fail_at = n};
            WeftError error = {0};
            s.model = (WeftModel*)&s;  // must become NULL
            CHECK(weft_create_model(&def, &s.model, &error) == WEFT_ERROR_MEMORY);
            CHECK(s.model == NULL);
            CHECK(error.result == WEFT_ERROR_MEMORY);
            CHECK_TEXT(error.message, "memory");
            CHECK(counting.live == 0);
        }
        CHECK(weft_create_model(&def, &s.model, NULL) == WEFT_OK);
        swing_close(&s);
        CHECK(counting.live == 0);
    }
}

static void create_state_fails_anywhere(void) {
    for (int i = 0; i < SETTING_COUNT; i++) {
        Counting counting = {0};
        Swing s = swing_of(&settings[i], &counting);
        swing_open(&s);
        weft_destroy_state(s.state);
        long live = counting.live;
        counting.calls = 0;
        CHECK(weft_create_state(s.model, &s.state, NULL) == WEFT_OK);
        long count = counting.calls;
        weft_destroy_state(s.state);
        for (long n = 1; n <= count; n++) {
            counting.calls = 0;
            counting.fail_at = n;
            WeftError error = {0};
            CHECK(weft_create_state(s.model, &s.state, &error) == WEFT_ERROR_MEMORY);
            CHECK(s.state == NULL);
            CHECK_TEXT(error.message, "memory");
            CHECK(counting.live == live);
        }
        counting.fail_at = 0;
        CHECK(weft_create_state(s.model, &s.state, NULL) == WEFT_OK);
        CHECK(swing_step(&s));
        swing_close(&s);
        CHECK(counting.live == 0);
    }
}

// Of a model made for something else, so that everything is made inside of its first step by `way`.
static Swing open_unprepared(Counting* counting, void (*way)(WeftStepDef*)) {
    Swing s = open_counted(counting, plain, symplectic);
    s.step = weft_default_step_def();
    way(&s.step);
    s.step.dt = 0.005;
    counting->calls = 0;
    return s;
}

// Tried again after the failure, it gives what an undisturbed one gives.
static void first_step_fails_anywhere(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        Counting counting = {0};
        Swing s = open_unprepared(&counting, ways[w]);
        uint64_t before = weft_hash_state(s.state);
        CHECK(weft_step(s.state, &s.step) == WEFT_OK);
        long count = counting.calls;
        uint64_t good = weft_hash_state(s.state);
        swing_close(&s);
        bool takes_none =
            ways[w] == symplectic || ways[w] == matrix_free || ways[w] == matrix_free_plain;
        CHECK((count > 0) == !takes_none);
        for (long n = 1; n <= count; n++) {
            s = open_unprepared(&counting, ways[w]);
            counting.fail_at = n;
            CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_MEMORY);
            CHECK_TEXT(weft_state_error(s.state)->message, "memory");
            CHECK(weft_hash_state(s.state) == before);
            counting.fail_at = 0;
            CHECK(weft_step(s.state, &s.step) == WEFT_OK);
            CHECK(weft_state_error(s.state)->result == WEFT_OK);
            CHECK(weft_hash_state(s.state) == good);
            swing_close(&s);
            CHECK(counting.live == 0);
        }
    }
}

// A failed factor for other pins, made at once or begun, leaves the state ready for the next try,
// which gives what an undisturbed one gives.
static void refactoring_fails_anywhere(void) {
    static const int pin_counts[] = {40, 70};  // begun; at once
    for (int c = 0; c < 2; c++) {
        Counting counting = {0};
        Swing s = open_counted(&counting, plain, four_solves), good = swing_def(N, 100);
        four_solves(&good.step);
        swing_open(&good);
        CHECK(swing_step(&s) && swing_step(&good));
        for (int i = 0; i < pin_counts[c]; i++) weft_pin(s.state, i), weft_pin(good.state, i);
        long n = 1;
        for (;; n++) {
            uint64_t before = weft_hash_state(s.state);
            counting.calls = 0;
            counting.fail_at = n;
            WeftResult result = weft_step(s.state, &s.step);
            CHECK((result == WEFT_OK) == (counting.calls < n));
            if (result == WEFT_OK) break;
            CHECK(result == WEFT_ERROR_MEMORY);
            CHECK(weft_hash_state(s.state) == before);
            if (!CHECK(n < 100)) break;
        }
        CHECK(n > 5);
        CHECK(weft_report(s.state)->factor_count == c);
        counting.fail_at = 0;
        CHECK(swing_step(&good));
        CHECK(weft_hash_state(s.state) == weft_hash_state(good.state));
        for (int k = 0; k < 40; k++) {
            CHECK(swing_step(&s) && swing_step(&good));
            CHECK(weft_hash_state(s.state) == weft_hash_state(good.state));
        }
        swing_close(&good);
        swing_close(&s);
        CHECK(counting.live == 0);
    }
}

static void prepare_fails_anywhere(void) {
    Counting counting = {0};
    Swing s = open_counted(&counting, plain, four_solves);
    CHECK(swing_step(&s));
    WeftStepDef other = s.step;
    other.substeps = 3;
    long live = counting.live;
    for (long n = 1;; n++) {
        WeftError error = {0};
        counting.calls = 0;
        counting.fail_at = n;
        WeftResult result = weft_prepare_model(s.model, &other, &error);
        CHECK((result == WEFT_OK) == (counting.calls < n));
        if (result == WEFT_OK) break;
        CHECK(result == WEFT_ERROR_MEMORY);
        CHECK_TEXT(error.message, "memory");
        CHECK(counting.live == live);
        counting.fail_at = 0;
        CHECK(calls_in_step(&s, &counting) == 0);  // what was prepared still serves
        CHECK(n < 100);
    }
    CHECK(counting.live > live);
    counting.fail_at = 0;
    s.step = other;
    CHECK(calls_in_step(&s, &counting) == 0);
    swing_close(&s);
    CHECK(counting.live == 0);
}

static void measure_fails_anywhere(void) {
    Counting counting = {0};
    Swing s = open_counted(&counting, plain, four_solves);
    long live = counting.live;
    for (long n = 1; n < 100; n++) {
        WeftMeasure measure;
        counting.calls = 0;
        counting.fail_at = n;
        WeftResult result = weft_measure(s.state, s.step.gravity, &measure);
        CHECK(counting.live == live);
        if (result == WEFT_OK) break;
        CHECK(result == WEFT_ERROR_MEMORY);
    }
    CHECK(counting.calls < counting.fail_at);
    swing_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Many lives

static void nothing_leaks_over_many_lives(void) {
    for (int i = 0; i < SETTING_COUNT; i++) {
        Counting counting = {0};
        for (int life = 0; life < 3; life++) {
            Swing s = swing_of(&settings[i], &counting);
            swing_open(&s);
            WeftState* other = NULL;
            CHECK(weft_create_state(s.model, &other, NULL) == WEFT_OK);
            for (int k = 0; k < 3; k++) CHECK(swing_step(&s));
            weft_pin(other, 3);
            CHECK(weft_step(other, &s.step) == WEFT_OK);
            weft_destroy_state(other);
            swing_close(&s);
            CHECK(counting.live == 0 && counting.bytes == 0);
        }
    }
    weft_destroy_model(NULL);
    weft_destroy_state(NULL);
}

// Refused input leaks nothing, wherever it is found.
static void refusals_leak_nothing(void) {
    Counting counting = {0};
    Swing s = swing_of(&settings[0], &counting);
    swing_make_mesh(&s);
    int bad_pin = N * N;
    WeftClothDef cloths[2] = {s.cloth, s.cloth};
    WeftModelDef def = swing_model_def(&s);
    def.cloths = cloths;
    def.cloth_count = 2;
    cloths[1].pins = &bad_pin;
    cloths[1].pin_count = 1;
    CHECK(weft_create_model(&def, &s.model, NULL) == WEFT_ERROR_INPUT);
    CHECK(counting.live == 0);
    cloths[1] = cloths[0];
    def.step.dt = -1;
    CHECK(weft_create_model(&def, &s.model, NULL) == WEFT_ERROR_INPUT);
    CHECK(counting.live == 0 && s.model == NULL);
    weft_destroy_mesh(&s.mesh);
}

TEST_MAIN(CASE(warm_steps_allocate_nothing), CASE(prepared_steps_allocate_nothing),
          CASE(changes_among_prepared_defs), CASE(change_to_an_unprepared_def), CASE(moving_pins),
          CASE(pinning_and_releasing), SLOW_CASE(many_pins), CASE(other_calls),
          CASE(create_model_fails_anywhere), CASE(create_state_fails_anywhere),
          CASE(first_step_fails_anywhere), CASE(refactoring_fails_anywhere),
          CASE(prepare_fails_anywhere), CASE(measure_fails_anywhere),
          CASE(nothing_leaks_over_many_lives), CASE(refusals_leak_nothing))
