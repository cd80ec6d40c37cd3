// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards energy/triangle_linear.c: a stretched sheet comes back to its size, and the literal
// formulas of Choi 2013 (4.17, 4.18), which leave out the normalisation, never do.

#include "swing.h"
#include "test.h"
#include "weft/weft_study.h"

// Largest distance along x, and along z.
static void extent(const Swing* s, double size[2]) {
    const double* x = weft_positions(s->state);
    for (int axis = 0; axis < 2; axis++) {
        double low = 1e300, high = -1e300;
        for (int i = 0; i < s->n * s->n; i++) {
            low = fmin(low, x[3 * i + 2 * axis]);
            high = fmax(high, x[3 * i + 2 * axis]);
        }
        size[axis] = high - low;
    }
}

// A free sheet without weight, stretched and let go: its size after 200 single solves of order 1.
static void release(WeftEstimator estimator, int order, WeftStretch stretch, bool unnormalised,
                    const double factor[2], double size[2]) {
    Swing s = swing_def(13, 10);
    if (stretch == WEFT_STRETCH_TRIANGLES) swing_triangles(&s);
    weft_set_estimator(&s.cloth, estimator, order);
    s.cloth.unnormalised_targets = unnormalised;
    s.cloth.pins = s.pins;  // none of them
    s.cloth.pin_count = 0;
    s.step.gravity[1] = 0;
    s.step.order = 1;
    s.step.quality = 1;
    swing_open(&s);
    double stretched[3 * 13 * 13];
    memcpy(stretched, weft_positions(s.state), sizeof stretched);
    for (int i = 0; i < 13 * 13; i++) {
        stretched[3 * i] *= factor[0];
        stretched[3 * i + 2] *= factor[1];
    }
    weft_set_positions(s.state, stretched);
    for (int k = 0; k < 200; k++) CHECK(swing_step(&s));
    CHECK(weft_report(s.state)->solve_count == 1);
    extent(&s, size);
    swing_close(&s);
}

static const WeftEstimator estimators[] = {WEFT_ESTIMATOR_PREVIOUS, WEFT_ESTIMATOR_ROTATION,
                                           WEFT_ESTIMATOR_VERTEX};

// Measured with an independent prototype: 1.0000.
static void stretched_sheet_contracts(void) {
    static const double factors[][2] = {{1.1, 1.1}, {1.1, 1}, {0.95, 1.1}};
    for (int f = 0; f < 3; f++)
        for (int e = 0; e < 3; e++)
            for (int order = 1; order <= 2; order++) {
                double size[2];
                release(estimators[e], order, WEFT_STRETCH_TRIANGLES, false, factors[f], size);
                CHECK_NEAR(size[0], 1, 1e-3);
                CHECK_NEAR(size[1], 1, 1e-3);
            }
}

// Measured with an independent prototype: 1.1000.
static void unnormalised_targets_never_contract(void) {
    static const double factor[2] = {1.1, 1.1};
    for (int order = 1; order <= 2; order++) {
        double size[2];
        release(WEFT_ESTIMATOR_VERTEX, order, WEFT_STRETCH_TRIANGLES, true, factor, size);
        CHECK_NEAR(size[0], 1.1, 1e-3);
        CHECK_NEAR(size[1], 1.1, 1e-3);
    }
}

// The springs of the same cloth (energy/spring_linear.c) do as the triangles.
static void springs_alike(void) {
    static const double factor[2] = {1.1, 1.1};
    for (int e = 0; e < 3; e++) {
        double size[2];
        release(estimators[e], 2, WEFT_STRETCH_SPRINGS, false, factor, size);
        CHECK_NEAR(size[0], 1, 1e-3);
        CHECK_NEAR(size[1], 1, 1e-3);
    }
    double size[2];
    release(WEFT_ESTIMATOR_VERTEX, 2, WEFT_STRETCH_SPRINGS, true, factor, size);
    CHECK_NEAR(size[0], 1.1, 1e-3);
}

// At rest in the air: a single solve leaves it as it is, to rounding.
static void rest_stays_at_rest(void) {
    static const double factor[2] = {1, 1};
    for (int e = 0; e < 3; e++) {
        double size[2];
        release(estimators[e], 2, WEFT_STRETCH_TRIANGLES, false, factor, size);
        CHECK_NEAR(size[0], 1, 1e-10);
        CHECK_NEAR(size[1], 1, 1e-10);
    }
}

// The one solve of a conventional triangle cloth is this model with the vertex estimator: the same
// motion, step by step.
static void conventional_single_solve_is_the_vertex_model(void) {
    double last[2][3 * 13 * 13];
    for (int linear = 0; linear < 2; linear++) {
        Swing s = swing_def(13, 10);
        swing_triangles(&s);
        if (linear) weft_set_estimator(&s.cloth, WEFT_ESTIMATOR_VERTEX, 2);
        s.step.order = 1;
        s.step.quality = 1;
        s.step.solve_tolerance = 1e-12;
        swing_open(&s);
        for (int k = 0; k < 60; k++) CHECK(swing_step(&s));
        memcpy(last[linear], weft_positions(s.state), sizeof last[linear]);
        swing_close(&s);
    }
    for (int i = 0; i < 3 * 13 * 13; i++) CHECK_NEAR(last[0][i], last[1][i], 1e-9);
}

TEST_MAIN(CASE(stretched_sheet_contracts), CASE(unnormalised_targets_never_contract),
          CASE(springs_alike), CASE(rest_stays_at_rest),
          CASE(conventional_single_solve_is_the_vertex_model))
