// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the tests of budgets share: a clock that moves on by a tick whenever it is read, so that
// nothing depends on the machine; runs whose steps are repeated from their reports; every way to
// step that iterates.

#ifndef WEFT_BUDGET_TEST_H
#define WEFT_BUDGET_TEST_H

#include "swing.h"
#include "test.h"
#include "weft/weft_study.h"

enum { N = 9 };

typedef struct Fake {
    double now, tick;  // seconds
} Fake;

static inline double fake_now(void* user) {
    Fake* fake = user;
    return fake->now += fake->tick;
}

static const double TICK = 1e-5;

// A state with a clock and a budget; a blind one, of a model without a clock, that repeats what the
// first one reports; and a twin of the first model, for repeating single steps.
typedef struct Run {
    Swing s;
    Fake fake;
    WeftModel* blind_model;
    WeftState *blind, *twin;
    bool prepared;  // prepare the blind model for every step
} Run;

// clock: NULL for the fake one
static inline void open_run(Run* r, Swing s, const WeftClock* clock) {
    *r = (Run){.s = s, .fake = {0, TICK}};
    swing_make_mesh(&r->s);
    WeftModelDef def = swing_model_def(&r->s);
    def.clock = clock ? *clock : (WeftClock){fake_now, &r->fake};
    WeftError error = {0};
    bool good = !weft_create_model(&def, &r->s.model, &error) &&
                !weft_create_state(r->s.model, &r->s.state, &error) &&
                !weft_create_state(r->s.model, &r->twin, &error);
    def.clock = (WeftClock){0};
    def.step.budget_ms = 0;
    good = good && !weft_create_model(&def, &r->blind_model, &error) &&
           !weft_create_state(r->blind_model, &r->blind, &error);
    // the factors that a model with a budget has: pins may go by them
    for (def.step.substeps = 1; def.step.substeps <= 4 && good; def.step.substeps *= 2)
        good = !weft_prepare_model(r->blind_model, &def.step, &error);
    if (good) return;
    printf("budget: %s\n", error.message);
    exit(1);
}

static inline void close_run(Run* r) {
    weft_destroy_state(r->twin);
    weft_destroy_state(r->blind);
    weft_destroy_model(r->blind_model);
    swing_close(&r->s);
}

// One step, repeated by a copy of the state and by the blind one: three times the same bits.
static inline bool step_and_repeat(Run* r) {
    weft_copy_state(r->twin, r->s.state);
    if (!CHECK(swing_step(&r->s))) return false;
    uint64_t hash = weft_hash_state(r->s.state);
    WeftStepDef again = weft_repeat_step(&r->s.step, weft_report(r->s.state));
    CHECK(again.budget_ms == 0);
    if (r->prepared) CHECK(weft_prepare_model(r->blind_model, &again, NULL) == WEFT_OK);
    return CHECK(weft_step(r->twin, &again) == WEFT_OK) &&
           CHECK(weft_hash_state(r->twin) == hash) &&
           CHECK(weft_step(r->blind, &again) == WEFT_OK) &&
           CHECK(weft_hash_state(r->blind) == hash) &&
           CHECK(!weft_report(r->blind)->cut && !weft_report(r->twin)->cut);
}

static inline int iterations_of(const WeftState* state) {
    const WeftStepReport* report = weft_report(state);
    int sum = 0;
    for (int i = 0; i < WEFT_MAX_LIMITS; i++) sum += report->limits[i];
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Methods

static inline void open_ladder(WeftStepDef* step) { (void)step; }
static inline void a_16(WeftStepDef* step) {
    step->scheme = WEFT_SCHEME_A;
    step->iterations[0] = 16;
}
static inline void jaj_4_4(WeftStepDef* step) {
    step->scheme = WEFT_SCHEME_JAJ;
    step->iterations[0] = step->iterations[1] = 4;
}
static inline void repeat_12(WeftStepDef* step) {
    step->scheme = WEFT_SCHEME_REPEAT;
    step->iterations[0] = 12;
}
static inline void gauss_seidel(WeftStepDef* step) { step->method = WEFT_METHOD_RELAXATION; }
static inline void jacobi(WeftStepDef* step) {
    step->method = WEFT_METHOD_RELAXATION;
    step->sweep = WEFT_SWEEP_JACOBI;
    step->start = WEFT_START_PREVIOUS;
    step->jacobian = WEFT_JACOBIAN_SCALAR;
}
static inline void two_relaxations(WeftStepDef* step) {
    step->method = WEFT_METHOD_RELAXATION;
    step->iterations[0] = step->iterations[1] = 20;
}
static inline void implicit(WeftStepDef* step) { step->method = WEFT_METHOD_IMPLICIT; }
static inline void two_newtons(WeftStepDef* step) {
    step->method = WEFT_METHOD_IMPLICIT;
    step->scheme = WEFT_SCHEME_J;
    step->newton_steps = 2;
}
static inline void converged(WeftStepDef* step) {
    step->method = WEFT_METHOD_IMPLICIT;
    step->newton_steps = 8;
    step->newton_tolerance = 1e-6;
}
static inline void textbook(WeftStepDef* step) {
    weft_use_preset(step, WEFT_PRESET_CHOI_KO);
    step->substeps = 0;
}
static inline void matrix_free(WeftStepDef* step) { step->method = WEFT_METHOD_MATRIX_FREE; }
static inline void matrix_free_plain(WeftStepDef* step) {
    step->method = WEFT_METHOD_MATRIX_FREE;
    step->scheme = WEFT_SCHEME_PLAIN;
}
static inline void symplectic(WeftStepDef* step) { step->method = WEFT_METHOD_SYMPLECTIC; }

typedef struct Way {
    const char* name;
    void (*set)(WeftStepDef*);
    bool iterates;  // has something to cut in every step
} Way;

static const Way ways[] = {
    {"ladder", open_ladder, false},
    {"A 16", a_16, true},
    {"JAJ 4+4", jaj_4_4, true},
    {"repeat 12", repeat_12, true},
    {"Gauss-Seidel", gauss_seidel, true},
    {"Jacobi", jacobi, true},
    {"relaxation 20+20", two_relaxations, true},
    {"implicit", implicit, true},
    {"implicit, two Newton steps", two_newtons, true},
    {"implicit, converged", converged, true},
    {"textbook", textbook, true},
    {"matrix-free", matrix_free, true},
    {"matrix-free, plain", matrix_free_plain, true},
    {"symplectic", symplectic, false},
};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

static inline Swing swing_with(const Way* way, double budget_ms) {
    Swing s = swing_def(N, 30);
    way->set(&s.step);
    s.step.budget_ms = budget_ms;
    return s;
}

static inline void say(int before, const char* name, int step) {
    if (test_failures != before) printf("... %s, step %d\n", name, step);
}

static unsigned noise = 1;
static inline int dice(int n) {
    noise = noise * 1664525u + 1013904223u;
    return (int)((noise >> 8) % (unsigned)n);
}

// The clock runs faster and slower, sometimes by far; the budget changes.
static inline void disturb(Run* r, int k) {
    r->fake.tick = TICK * pow(2, dice(7) - 3) * (dice(20) ? 1 : 100);
    if (k % 10 == 0) r->s.step.budget_ms = 0.2 * pow(2, dice(8));
}

#endif
