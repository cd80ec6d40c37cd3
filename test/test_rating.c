// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards loads that are much larger than the weight of the cloth: what it is blown up with and
// strong wind stretch softened cloth no further than they may, from the first step on, when they
// come later, and when they go again; and that nothing else takes part in it.

#include "base/vec.h"
#include "swing.h"
#include "test.h"

// ---------------------------------------------------------------------------------------------
// Balls

typedef struct Balloon {
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;
} Balloon;

static Balloon open_balloon(WeftInflation inflation, double pressure, double tolerance) {
    Balloon b = {.step = weft_default_step_def()};
    WeftBallDef ball = {0.15, 0.03};
    WeftMesh mesh;
    CHECK(weft_make_ball(&ball, NULL, &mesh, NULL) == WEFT_OK);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.inflation = inflation;
    cloth.pressure = pressure;
    b.step.gravity[1] = 0;
    b.step.stretch_tolerance = tolerance;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    def.step = b.step;
    CHECK(!weft_create_model(&def, &b.model, NULL) && !weft_create_state(b.model, &b.state, NULL));
    weft_destroy_mesh(&mesh);
    return b;
}

static void close_balloon(Balloon* b) {
    weft_destroy_state(b->state);
    weft_destroy_model(b->model);
}

static void take_steps(Balloon* b, int count) {
    for (int k = 0; k < count; k++) CHECK(weft_step(b->state, &b->step) == WEFT_OK);
}

static double volume_of(const Balloon* b) {
    double volume;
    weft_copy_inflation(b->state, 0, &volume, NULL);
    return volume;
}

static double scale_of(const Balloon* b) { return weft_report(b->state)->stiffness_scale; }

// As large as the fabric says, from the first step on. (It grew without end: softened for its
// weight, a ball of 500 Pa is 36 times too soft.)
static void pressure_of_the_model(void) {
    for (int quality = 1; quality <= 7; quality += 3) {
        Balloon soft = open_balloon(WEFT_INFLATION_PRESSURE, 500, 0.01);
        Balloon stiff = open_balloon(WEFT_INFLATION_PRESSURE, 500, 0);
        soft.step.quality = stiff.step.quality = quality;
        take_steps(&soft, 60);
        take_steps(&stiff, 60);
        CHECK_NEAR(volume_of(&soft), volume_of(&stiff), 1e-3 * volume_of(&stiff));
        CHECK(scale_of(&soft) == 1);
        close_balloon(&soft);
        close_balloon(&stiff);
    }
}

// A pressure that asks for less than all of the stiffness leaves it soft, but no softer than the
// tolerance allows.
static void as_soft_as_allowed(void) {
    Balloon b = open_balloon(WEFT_INFLATION_PRESSURE, 30, 0.01);
    Balloon stiff = open_balloon(WEFT_INFLATION_PRESSURE, 30, 0);
    take_steps(&b, 60);
    take_steps(&stiff, 60);
    CHECK(scale_of(&b) > 0.1 && scale_of(&b) < 0.6);
    CHECK_BELOW(volume_of(&b) / volume_of(&stiff), 1 + 3 * 0.01);
    close_balloon(&b);
    close_balloon(&stiff);
}

// Pumped up at once, or little by little; and let out, it is as soft as it was.
static void pressure_that_comes_and_goes(void) {
    for (int slowly = 0; slowly < 2; slowly++) {
        Balloon b = open_balloon(WEFT_INFLATION_PRESSURE, 0, 0.01);
        double most = 0;
        int factors = 0;
        take_steps(&b, 5);
        double before = scale_of(&b), empty = volume_of(&b);
        CHECK(before < 0.05);
        for (int k = 1; k <= 60; k++) {
            weft_set_pressure(b.state, 0, slowly ? 500.0 * k / 60 : 500);
            take_steps(&b, 1);
            factors += weft_report(b.state)->factor_count;
            most = fmax(most, volume_of(&b));
        }
        CHECK(scale_of(&b) == 1);
        CHECK(most > 1.02 * empty && most < 1.05 * empty);
        CHECK(factors <= (slowly ? 4 : 1));
        weft_set_pressure(b.state, 0, 0);
        take_steps(&b, 30);
        CHECK(scale_of(&b) == before);
        weft_set_pressure(b.state, 0, 500);
        take_steps(&b, 1);
        CHECK(scale_of(&b) == 1 && weft_report(b.state)->factor_count == 0);  // it was kept
        close_balloon(&b);
    }
}

// Saved where the rating is another one than the model's, it goes on with the same bits.
static void kept_with_the_state(void) {
    Balloon a = open_balloon(WEFT_INFLATION_GAS, 0, 0.01);
    Balloon b = open_balloon(WEFT_INFLATION_GAS, 0, 0.01);
    weft_set_pressure(a.state, 0, 40);
    take_steps(&a, 10);
    CHECK(scale_of(&a) > 0.1 && scale_of(&a) < 1);
    weft_set_pressure(a.state, 0, 14);  // not so little that it would be another one
    size_t bytes = weft_saved_size(a.state);
    void* saved = malloc(bytes);
    weft_save_state(a.state, saved);
    CHECK(!weft_load_state(b.state, saved, bytes, NULL));
    take_steps(&a, 10);
    take_steps(&b, 10);
    CHECK(scale_of(&a) == scale_of(&b));
    CHECK(weft_hash_state(a.state) == weft_hash_state(b.state));
    weft_reset_state(b.state);
    take_steps(&b, 1);
    CHECK(scale_of(&b) < 0.05);
    free(saved);
    close_balloon(&a);
    close_balloon(&b);
}

// ---------------------------------------------------------------------------------------------
// Wind

// A square of a metre of 0.11 kg/m^2, upright, held by a side.
static Swing flag(void) {
    Swing s = swing_def(21, 1);
    static int mast[21];
    for (int j = 0; j < 21; j++) mast[j] = 21 * j;
    s.cloth.fabric.stretch_warp = s.cloth.fabric.stretch_weft = 2000;
    s.cloth.fabric.density = 0.11;
    s.cloth.fabric.mass_damping = 0;
    s.cloth.pins = mast, s.cloth.pin_count = 21;
    s.step = weft_default_step_def();
    return s;
}

typedef struct Flown {
    double stretch, scale, calm;  // mean of the last second; scales after wind and calm
} Flown;

static Flown fly(double wind, int calm_steps) {
    Swing s = flag();
    Flown flown = {0};
    swing_open(&s);
    double x[3 * 441];
    for (int i = 0; i < 441; i++) {
        x[3 * i] = weft_positions(s.state)[3 * i];
        x[3 * i + 1] = -weft_positions(s.state)[3 * i + 2];
        x[3 * i + 2] = 0;
    }
    weft_set_positions(s.state, x);
    s.step.wind[0] = 0.96 * wind, s.step.wind[2] = 0.28 * wind;
    for (int k = 0; k < 120; k++) {
        WeftMeasure measure;
        CHECK(swing_step(&s));
        CHECK(weft_measure(s.state, s.step.gravity, &measure) == WEFT_OK);
        if (k >= 60) flown.stretch += (measure.p99_stretch - 1) / 60;
    }
    flown.scale = weft_report(s.state)->stiffness_scale;
    s.step.wind[0] = s.step.wind[2] = 0;
    for (int k = 0; k < calm_steps; k++) CHECK(swing_step(&s));
    flown.calm = weft_report(s.state)->stiffness_scale;
    swing_close(&s);
    return flown;
}

static void strong_wind(void) {
    Flown still = fly(0, 0), breeze = fly(5, 0), storm = fly(17, 240);
    CHECK(still.scale < 0.5 && breeze.scale == still.scale);
    CHECK(storm.scale > 2 * still.scale);
    CHECK_BELOW(storm.stretch, 0.015);  // softened for its weight alone: 0.03
    CHECK(storm.calm == still.scale);
}

// What carries its own weight only is rated for nothing, however large and light.
static void what_falls_is_not_rated(void) {
    Swing s = flag();
    s.cloth.pin_count = 0;
    s.cloth.fabric.density = 0.03;
    swing_open(&s);
    CHECK(swing_step(&s));
    double scale = weft_report(s.state)->stiffness_scale;
    for (int k = 0; k < 180; k++) {
        CHECK(swing_step(&s));
        CHECK(weft_report(s.state)->stiffness_scale == scale || weft_report(s.state)->hurry > 1);
    }
    swing_close(&s);
}

TEST_MAIN(SLOW_CASE(pressure_of_the_model), CASE(as_soft_as_allowed),
          CASE(pressure_that_comes_and_goes), CASE(kept_with_the_state), SLOW_CASE(strong_wind),
          SLOW_CASE(what_falls_is_not_rated))
