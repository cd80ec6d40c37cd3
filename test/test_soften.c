// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards stiffness to order: stiff cloth is simulated softer where that brings cheap steps closer
// to the stiff motion, never softer than the stretch tolerance allows, never where the user said
// no; and energies are still measured at the real stiffness.

#include "swing.h"
#include "test.h"
#include "weft/weft_study.h"

// 2000 N/m, a metre of 0.187 kg/m^2, 25 x 25 vertices
static Swing stiff_cloth(void) {
    Swing s = swing_def(25, 1);
    s.cloth.fabric.stretch_warp = s.cloth.fabric.stretch_weft = 2000;
    s.cloth.fabric.density = 0.187;
    s.step.stretch_tolerance = 0.01;
    return s;
}

static double scale_of(Swing s) {
    swing_open(&s);
    CHECK(swing_step(&s));
    double scale = weft_report(s.state)->stiffness_scale;
    double number = weft_report(s.state)->stiffness_number;
    int substeps = weft_report(s.state)->substeps;
    double h = s.step.dt / substeps, mass = weft_masses(s.model)[0];
    double k = fmax(s.cloth.fabric.stretch_warp, s.cloth.fabric.stretch_weft);
    CHECK_NEAR(number, scale * k * h * h / mass, 1e-9 * number);
    swing_close(&s);
    return scale;
}

// ---------------------------------------------------------------------------------------------
// The rule

static void stiff_is_softened(void) {
    double last = 0;
    for (int quality = 1; quality <= WEFT_MAX_QUALITY; quality++) {
        Swing s = stiff_cloth();
        s.step.quality = quality;
        double scale = scale_of(s);
        CHECK(scale < 1 && scale > 0);
        // never beyond the tolerance: rho g L = 1.83 N/m at 1 %
        CHECK(scale * 2000 * 0.01 >= 0.187 * 9.81 * (1 - 1e-12));
        if (quality == 1 || quality == 4 || quality == 6) {
            CHECK(scale >= last);  // more solves, less softening
            last = scale;
        }
    }
}

static void soft_is_left_alone(void) {
    for (int quality = 1; quality <= WEFT_MAX_QUALITY; quality++) {
        Swing s = stiff_cloth();
        s.step.quality = quality;
        s.cloth.fabric.stretch_warp = s.cloth.fabric.stretch_weft = 20;
        CHECK(scale_of(s) == 1);
    }
}

static void the_user_says_no(void) {
    for (int quality = 1; quality <= WEFT_MAX_QUALITY; quality++) {
        Swing s = stiff_cloth();
        s.step.quality = quality;
        s.step.stretch_tolerance = 0;
        CHECK(scale_of(s) == 1);
    }
    // a hundredth of a millimetre per metre is as good as no
    Swing s = stiff_cloth();
    s.step.stretch_tolerance = 1e-5;
    CHECK(scale_of(s) == 1);
}

// The other methods take the fabric as it is.
static void other_methods(void) {
    Swing s = stiff_cloth();
    s.step.method = WEFT_METHOD_IMPLICIT;
    CHECK(scale_of(s) == 1);
    s.step.scheme = WEFT_SCHEME_JAJ;
    CHECK(scale_of(s) == 1);
    s.step.method = WEFT_METHOD_SYMPLECTIC;
    s.step.scheme = WEFT_SCHEME_AUTO;
    CHECK(scale_of(s) == 1);
}

// A looser tolerance never makes it stiffer, and shorter steps never make it softer.
static void monotone(void) {
    double last = 2;
    for (double tolerance = 0.0005; tolerance < 0.5; tolerance *= 2) {
        Swing s = stiff_cloth();
        s.step.stretch_tolerance = tolerance;
        double scale = scale_of(s);
        CHECK(scale <= last);
        last = scale;
    }
    last = 0;
    for (double dt = 1.0 / 30; dt > 1.0 / 2000; dt /= 2) {
        Swing s = stiff_cloth();
        s.step.dt = dt;
        double scale = scale_of(s);
        CHECK(scale >= last);
        last = scale;
    }
    CHECK(last == 1);  // steps this short follow all of it
}

// Softened cloth is cloth of that stiffness: the same motion as of a fabric that soft. The shear of
// triangles is softened only as far as it would be stiffer than the softened stretch. Linear models
// once had softened loads and factors and a matrix that was not: they flew apart.
static void softened_is_a_softer_fabric(void) {
    for (int kind = 0; kind < 4; kind++) {
        Swing stiff = stiff_cloth(), soft = stiff_cloth();
        bool triangles = kind % 2 == 1;
        if (triangles) swing_triangles(&stiff), swing_triangles(&soft);
        if (kind == 3) stiff.cloth.fabric.shear = soft.cloth.fabric.shear = 1;  // softer than that
        WeftEstimator estimator = kind < 2 ? WEFT_ESTIMATOR_NONE : WEFT_ESTIMATOR_VERTEX;
        weft_set_estimator(&stiff.cloth, estimator, 2);
        weft_set_estimator(&soft.cloth, estimator, 2);
        double scale = scale_of(stiff);
        CHECK(scale < 1);
        soft.cloth.fabric.stretch_warp *= scale;
        soft.cloth.fabric.stretch_weft *= scale;
        if (triangles)
            soft.cloth.fabric.shear = fmin(soft.cloth.fabric.shear, soft.cloth.fabric.stretch_warp);
        soft.step.stretch_tolerance = 0;
        stiff.step.solve_tolerance = soft.step.solve_tolerance = 1e-12;
        swing_open(&stiff);
        swing_open(&soft);
        for (int k = 0; k < 20; k++) CHECK(swing_step(&stiff) && swing_step(&soft));
        double worst = 0;
        for (int i = 0; i < 3 * 625; i++)
            worst =
                fmax(worst, fabs(weft_positions(stiff.state)[i] - weft_positions(soft.state)[i]));
        CHECK_BELOW(worst, 1e-9);
        // measured by the real stiffness
        WeftMeasure a, b;
        CHECK(weft_measure(stiff.state, stiff.step.gravity, &a) == WEFT_OK);
        CHECK(weft_measure(soft.state, soft.step.gravity, &b) == WEFT_OK);
        if (!triangles) CHECK_NEAR(a.stretch * scale, b.stretch, 1e-6 * b.stretch);
        CHECK_NEAR(a.bend, b.bend, 1e-6 * b.bend);
        swing_close(&stiff);
        swing_close(&soft);
    }
}

// Cloths of one model are softened each by itself.
static void each_cloth_by_itself(void) {
    Swing s = stiff_cloth();
    swing_make_mesh(&s);
    WeftClothDef cloths[2] = {s.cloth, s.cloth};
    cloths[1].fabric.stretch_warp = cloths[1].fabric.stretch_weft = 20;
    WeftModelDef def = swing_model_def(&s);
    def.cloths = cloths;
    def.cloth_count = 2;
    CHECK(weft_create_model(&def, &s.model, NULL) == WEFT_OK);
    CHECK(weft_create_state(s.model, &s.state, NULL) == WEFT_OK);
    CHECK(swing_step(&s));
    // the report tells of the softest and the stiffest
    double alone = scale_of(stiff_cloth());
    CHECK(weft_report(s.state)->stiffness_scale == alone);
    swing_close(&s);
}

// ---------------------------------------------------------------------------------------------
// The promise

// The stretch of 99 % of the edges at rest, over 1.
static double stretch_at_rest(double tolerance, int quality, const int* pins, int pin_count) {
    Swing s = stiff_cloth();
    s.cloth.fabric.mass_damping = 6;
    s.cloth.pins = pins;
    s.cloth.pin_count = pin_count;
    s.step.stretch_tolerance = tolerance;
    s.step.quality = quality;
    swing_open(&s);
    double x[3 * 625];  // turned by a quarter, to hang down from the start
    for (int i = 0; i < 625; i++) {
        x[3 * i] = weft_positions(s.state)[3 * i];
        x[3 * i + 1] = -1 - weft_positions(s.state)[3 * i + 2];
        x[3 * i + 2] = -1;
    }
    weft_set_positions(s.state, x);
    for (int k = 0; k < 400; k++) CHECK(swing_step(&s));
    WeftMeasure measure;
    CHECK(weft_measure(s.state, s.step.gravity, &measure) == WEFT_OK);
    CHECK_BELOW(measure.max_speed, 0.1);
    swing_close(&s);
    return measure.p99_stretch - 1;
}

// Hung by a side, the cloth shows no more stretch under its own weight than allowed. Hung by two
// corners, all of the weight is on a few edges, and the last hundredth shows three times as much.
static void within_the_tolerance_at_rest(void) {
    static const double tolerances[] = {0.01, 0.005, 0.05};
    int side[25];
    for (int i = 0; i < 25; i++) side[i] = 25 * 24 + i;
    const int corners[2] = {side[0], side[24]};
    for (int t = 0; t < (test_long() ? 3 : 1); t++)
        for (int quality = 1; quality <= 7; quality += 3) {
            int before = test_failures;
            CHECK_BELOW(stretch_at_rest(tolerances[t], quality, side, 25), tolerances[t]);
            CHECK_BELOW(stretch_at_rest(tolerances[t], quality, corners, 2), 3.5 * tolerances[t]);
            if (test_failures != before)
                printf("... tolerance %g, quality %d\n", tolerances[t], quality);
        }
}

static Track record(Swing s) {
    swing_open(&s);
    Track track = swing_record(&s, 60);
    CHECK(track.count == 60);
    swing_close(&s);
    return track;
}

// Cheap steps come closer to the motion of the stiff cloth by simulating a softer one.
static void closer_to_the_stiff_motion(void) {
    Swing fine = stiff_cloth();
    fine.step.method = WEFT_METHOD_IMPLICIT;
    fine.step.scheme = WEFT_SCHEME_JAJ;
    fine.step.newton_steps = 2;
    fine.step.order = 2;
    fine.step.substeps = 32;
    Track exact = record(fine);
    // at least this many times closer
    static const double gains[] = {1.5, 1.5, 1.5, 1.2, 1, 1};
    for (int quality = 1; quality <= 6; quality++) {
        Swing s = stiff_cloth();
        s.step.quality = quality;
        Track softened = record(s);
        s.step.stretch_tolerance = 0;
        Track stiff = record(s);
        double with = track_distance(&softened, &exact), without = track_distance(&stiff, &exact);
        if (!CHECK_BELOW(gains[quality - 1], without / with))
            printf("... quality %d: %.1f mm softened, %.1f mm not\n", quality, with, without);
        track_free(&softened);
        track_free(&stiff);
    }
    track_free(&exact);
}

TEST_MAIN(CASE(stiff_is_softened), CASE(soft_is_left_alone), CASE(the_user_says_no),
          CASE(other_methods), CASE(monotone), CASE(softened_is_a_softer_fabric),
          CASE(each_cloth_by_itself), SLOW_CASE(within_the_tolerance_at_rest),
          SLOW_CASE(closer_to_the_stiff_motion))
