// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards method/factor.c: solves are as exact as was asked for, whatever the stiffness, whatever
// the pins are and were, and wherever the factor comes from; and with no more refinements than
// that.

#include "method/factor.h"

#include "sim/state.h"
#include "sparse_test.h"
#include "swing.h"
#include "weft/weft_study.h"

enum { N = 11, VERTICES = N * N };

// |x - A^-1 b| / |A^-1 b| of a solve with the state's pins, of whom x is zero.
static double error_now(const Swing* s) {
    const WfPattern* pattern = &s->model->system.pattern;
    const int *start, *index;
    double *b = random_sides(VERTICES), *x = random_sides(VERTICES);
    double *expected = random_sides(VERTICES),
           *values = calloc((size_t)pattern->start[VERTICES], 8);
    CHECK(weft_get_matrix(s->model, &s->step, &start, &index, values, NULL) == WEFT_OK);
    CHECK(weft_solve(s->state, &s->step, b, x) == WEFT_OK);
    for (int i = 0; i < 3 * VERTICES; i++) b[i] = s->state->pinned[i / 3] ? 0 : b[i];
    dense_solve(pattern, values, s->state->pinned, b, expected);
    for (int i = 0; i < 3 * VERTICES; i++)
        if (s->state->pinned[i / 3]) CHECK(x[i] == 0);
    double error = difference_of(VERTICES, x, expected);
    free(values);
    free(b);
    free(x);
    free(expected);
    return error;
}

static void flip(WeftState* state, int vertex) {
    if (weft_is_pinned(state, vertex))
        weft_unpin(state, vertex);
    else
        weft_pin(state, vertex);
}

// ---------------------------------------------------------------------------------------------

// Where floats are good enough, and where they are not.
static void refined_where_needed(void) {
    WfFactor factor = {.error = 1e-5};
    CHECK(!wf_factor_refines(&factor, 1e-3) && !wf_factor_refines(&factor, 1e-5));
    CHECK(wf_factor_refines(&factor, 9e-6) && wf_factor_refines(&factor, 1e-12));
    factor.error = 0;  // as of a factor with all rows fixed
    CHECK(!wf_factor_refines(&factor, 1e-3) && wf_factor_refines(&factor, 1e-8));
}

static void as_exact_as_asked_for(void) {
    static const double betas[] = {0.1, 10, 1000, 16000}, tolerances[] = {1e-3, 1e-8, 1e-12};
    for (int b = 0; b < 4; b++)
        for (int kind = 0; kind < 2; kind++) {
            Swing s = swing_def(N, betas[b]);
            if (kind) swing_triangles(&s);
            s.step.quality = kind ? 7 : 4;  // JAJ, A
            swing_open(&s);
            for (int t = 0; t < 3; t++) {
                s.step.solve_tolerance = tolerances[t];
                CHECK_BELOW(error_now(&s), tolerances[t]);
                CHECK(swing_step(&s));
                const WeftStepReport* report = weft_report(s.state);
                // none where floats are good enough, else some for each solve
                int refinements = report->refinements, solves = report->solve_count - refinements;
                CHECK(refinements >= (t > 0 ? solves : 0) && refinements <= t * 3 * solves);
            }
            swing_close(&s);
        }
}

// Pins come and go: through the exchange, with factors in the making and made at once, for settings
// that the model is prepared for and others.
static void while_pins_change(void) {
    static const double betas[] = {10, 16000}, tolerances[] = {1e-3, 1e-8, 1e-11};
    for (int b = 0; b < 2; b++)
        for (int t = 0; t < 3; t++)
            for (int prepared = 0; prepared < 2; prepared++) {
                Swing s = swing_def(N, betas[b]);
                double worst = 0;
                s.step.solve_tolerance = tolerances[t];
                swing_open(&s);
                for (int k = 0; k < test_rounds(150); k++) {
                    for (int i = 0; i < (k % 50 == 49 ? 70 : 2); i++)
                        flip(s.state, random_below(VERTICES));
                    if (!prepared) s.step.dt = k / 40 % 2 ? 0.01 : 0.012;
                    if (k % 3 == 0)
                        worst = fmax(worst, error_now(&s));
                    else
                        CHECK(swing_step(&s));
                }
                if (!CHECK_BELOW(worst, tolerances[t]))
                    printf("... beta %g, %sprepared\n", betas[b], prepared ? "" : "not ");
                swing_close(&s);
            }
}

// With all vertices pinned every solve is exact, which says nothing about the time after.
static void after_all_were_pinned(void) {
    for (int prepared = 0; prepared < 2; prepared++) {
        Swing s = swing_def(N, 100);
        s.step.solve_tolerance = 1e-11;
        swing_open(&s);
        if (!prepared) s.step.dt = 0.01;
        for (int i = 0; i < VERTICES; i++) weft_pin(s.state, i);
        CHECK(swing_step(&s));
        double worst = error_now(&s);
        for (int i = 0; i < VERTICES; i++) {
            if (i != s.pins[0]) weft_unpin(s.state, i);
            if (i % 10 == 0) worst = fmax(worst, error_now(&s));
        }
        CHECK_BELOW(worst, 1e-11);
        swing_close(&s);
    }
}

// A solve by the state is no step: it moves nothing.
static void a_solve_moves_nothing(void) {
    Swing s = swing_def(N, 100);
    swing_open(&s);
    for (int k = 0; k < 3; k++) CHECK(swing_step(&s));
    uint64_t hash = weft_hash_state(s.state);
    CHECK_BELOW(error_now(&s), 1e-5);
    CHECK(weft_hash_state(s.state) == hash);
    // methods without a constant matrix have none to solve with
    double *b = random_sides(VERTICES), *x = random_sides(VERTICES);
    WeftStepDef step = s.step;
    step.method = WEFT_METHOD_SYMPLECTIC;
    CHECK(weft_solve(s.state, &step, b, x) == WEFT_ERROR_COMBINATION);
    CHECK_TEXT(weft_state_error(s.state)->message, "constant matrix");
    step = s.step;
    step.dt = -1;
    CHECK(weft_solve(s.state, &step, b, x) == WEFT_ERROR_INPUT);
    CHECK(weft_hash_state(s.state) == hash);
    free(b);
    free(x);
    swing_close(&s);
}

TEST_MAIN(CASE(refined_where_needed), CASE(as_exact_as_asked_for), CASE(while_pins_change),
          CASE(after_all_were_pinned), CASE(a_solve_moves_nothing))
