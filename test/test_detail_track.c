// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards dense simulations that track coarse ones.

#include <math.h>

#include "mesh_test.h"
#include "weft/weft_detail.h"

enum { COLUMNS = 10, PARTS = 3 };

typedef struct Cloth {
    WeftMesh mesh;
    WeftClothDef def;
    WeftModel* model;
    WeftState* state;
} Cloth;

static const int pins[2] = {0, COLUMNS};

static void open_cloth(Cloth* cloth) {
    cloth->def = weft_default_cloth_def();
    weft_use_mesh(&cloth->def, &cloth->mesh);
    cloth->def.pins = pins;
    cloth->def.pin_count = 2;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth->def;
    def.cloth_count = 1;
    CHECK(!weft_create_model(&def, &cloth->model, NULL));
    CHECK(!weft_create_state(cloth->model, &cloth->state, NULL));
}

static void close_cloth(Cloth* cloth) {
    weft_destroy_state(cloth->state);
    weft_destroy_model(cloth->model);
    weft_destroy_mesh(&cloth->mesh);
}

// The root of the mean square of how far dense vertices are from where they lie in the coarse mesh.
static double distance(const Cloth* coarse, const Cloth* fine, const WeftRefinement* map) {
    const double *x = weft_positions(coarse->state), *y = weft_positions(fine->state);
    double sum = 0;
    for (int i = 0; i < fine->mesh.vertex_count; i++)
        for (int k = 0; k < 3; k++) {
            double at = 0;
            for (int c = 0; c < 3; c++)
                at += map->weights[3 * i + c] * x[3 * (long)map->corners[3 * i + c] + k];
            sum += (y[3 * i + k] - at) * (y[3 * i + k] - at);
        }
    return sqrt(sum / fine->mesh.vertex_count);
}

// A sheet swings from two corners that come near to each other: the mean distance of a dense one.
static double swing(bool tracked, int steps) {
    WeftGridDef grid = {1, 1, COLUMNS, COLUMNS, WEFT_GRID_ALTERNATING};
    Cloth coarse = {0}, fine = {0};
    WeftRefinement map;
    WeftTracker* tracker = NULL;
    CHECK(!weft_make_grid(&grid, NULL, &coarse.mesh, NULL));
    CHECK(!weft_refine_mesh(&coarse.mesh, PARTS, NULL, &fine.mesh, &map, NULL));
    open_cloth(&coarse);
    open_cloth(&fine);
    int count = coarse.mesh.vertex_count;
    CHECK(!weft_create_tracker(fine.model, count, &map, NULL, &tracker, NULL));
    WeftStepDef step = weft_default_step_def();
    double sum = 0;
    for (int i = 0; i < steps; i++) {
        double t = (i + 1) * step.dt, in = 0.12 * (1 - cos(2 * t)), side = 0.15 * sin(1.4 * t);
        for (int k = 0; k < 2; k++) {
            const double* x = coarse.mesh.positions + 3 * (long)pins[k];
            double to[3] = {x[0] + (k ? -in : in), x[1], x[2] + side};
            weft_move_pin(coarse.state, pins[k], to);
            weft_move_pin(fine.state, pins[k], to);
        }
        step.accelerations = NULL;
        CHECK(!weft_step(coarse.state, &step));
        if (tracked)
            step.accelerations =
                weft_track(tracker, fine.state, weft_positions(coarse.state), NULL, step.dt);
        CHECK(!weft_step(fine.state, &step));
        sum += distance(&coarse, &fine, &map);
    }
    weft_destroy_tracker(tracker);
    weft_destroy_refinement(&map);
    close_cloth(&coarse);
    close_cloth(&fine);
    return sum / steps;
}

// Criterion 16: less than a third of what it is without.
static void stays_near(void) {
    int steps = test_rounds(300);
    double tracked = swing(true, steps), untracked = swing(false, steps);
    CHECK_BELOW(tracked, untracked / 3);
    CHECK(tracked > 1e-4);  // what is finer is its own
}

static void refusals(void) {
    WeftGridDef grid = {1, 1, COLUMNS, COLUMNS, WEFT_GRID_ALTERNATING};
    Cloth coarse = {0};
    WeftMesh fine;
    WeftRefinement map;
    WeftTracker* tracker = NULL;
    WeftError error;
    CHECK(!weft_make_grid(&grid, NULL, &coarse.mesh, NULL));
    CHECK(!weft_refine_mesh(&coarse.mesh, 2, NULL, &fine, &map, NULL));
    open_cloth(&coarse);
    CHECK(weft_create_tracker(coarse.model, 121, &map, NULL, &tracker, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "the map is of 441 vertices, the model has 121");
    CHECK(!tracker);
    weft_destroy_refinement(&map);
    weft_destroy_mesh(&fine);
    close_cloth(&coarse);
}

TEST_MAIN(SLOW_CASE(stays_near), CASE(refusals))
