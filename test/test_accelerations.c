// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards accelerations of vertices: as heavy as gravity in every method, on both sides of a mirror,
// and nothing sleeps under them.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "halves.h"

typedef struct Run {
    WeftModel* model;
    WeftState* state;
} Run;

static Run open_run(const WeftModelDef* def) {
    Run run = {0};
    WeftError error;
    if (!CHECK(!weft_create_model(def, &run.model, &error))) printf("  %s\n", error.message);
    CHECK(!weft_create_state(run.model, &run.state, NULL));
    return run;
}

static void close_run(Run* run) {
    weft_destroy_state(run->state);
    weft_destroy_model(run->model);
}

static void fill(double* to, int count, double x, double y, double z) {
    double a[3] = {x, y, z};
    for (int i = 0; i < 3 * count; i++) to[i] = a[i % 3];
}

static double mean_height(const Run* run) {
    double sum = 0;
    int n = weft_vertex_count(run->model);
    for (int i = 0; i < n; i++) sum += weft_positions(run->state)[3 * (long)i + 1];
    return sum / n;
}

// A sheet that is pushed with g falls as one that is pulled by gravity.
static void as_gravity(void) {
    static const WeftMethod methods[] = {WEFT_METHOD_PREFACTORED, WEFT_METHOD_IMPLICIT,
                                         WEFT_METHOD_RELAXATION, WEFT_METHOD_MATRIX_FREE,
                                         WEFT_METHOD_SYMPLECTIC};
    Sheet sheet = make_sheet(WEFT_GRID_ALTERNATING, 8);
    int n = sheet.mesh.vertex_count;
    double* pushes = malloc(3 * (size_t)n * sizeof *pushes);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        WeftModelDef def = weft_default_model_def();
        def.cloths = &sheet.cloth;
        def.cloth_count = 1;
        def.step.method = methods[k];
        if (methods[k] == WEFT_METHOD_SYMPLECTIC) def.step.dt = 1e-4;
        Run pulled = open_run(&def), pushed = open_run(&def);
        WeftStepDef step = def.step;
        memset(step.gravity, 0, sizeof step.gravity);
        step.accelerations = pushes;
        fill(pushes, n, 0, -9.81, 0);
        double top = mean_height(&pulled);
        for (int i = 0; i < 20; i++) {
            CHECK(!weft_step(pulled.state, &def.step));
            CHECK(!weft_step(pushed.state, &step));
        }
        // but for the flaws of gravity, a thousandth that cancels
        double fall = top - mean_height(&pulled);
        CHECK(fall > 1e-6);
        CHECK_NEAR(top - mean_height(&pushed), fall, 1e-3 * fall);
        close_run(&pulled);
        close_run(&pushed);
    }
    free(pushes);
    free_sheet(&sheet);
}

// A push of some vertices, the same on both sides of a mirror, moves half and whole alike.
static void by_halves(void) {
    Sheet sheet = make_sheet(WEFT_GRID_ALTERNATING, 8);
    int n = sheet.mesh.vertex_count;
    double* pushes = calloc(3 * (size_t)n, sizeof *pushes);
    for (int i = 0; i < n; i++) {
        const double* x = sheet.mesh.positions + 3 * (long)i;
        pushes[3 * i] = x[0] > 1e-9 ? 3 : x[0] < -1e-9 ? -3 : 0;
        pushes[3 * i + 1] = 20 * exp(-10 * x[0] * x[0]);
    }
    WeftModelDef def = weft_default_model_def();
    def.cloths = &sheet.cloth;
    def.cloth_count = 1;
    def.step.accelerations = pushes;
    def.mirror.kind = WEFT_MIRROR_EXACT;
    Run half = open_run(&def);
    def.mirror.kind = WEFT_MIRROR_WHOLE;
    Run whole = open_run(&def);
    double off = 0;
    for (int i = 0; i < 20; i++) {
        CHECK(!weft_step(half.state, &def.step));
        CHECK(!weft_step(whole.state, &def.step));
    }
    for (int i = 0; i < 3 * n; i++)
        off = fmax(off, fabs(weft_positions(half.state)[i] - weft_positions(whole.state)[i]));
    CHECK_BELOW(off, 1e-8);
    close_run(&half);
    close_run(&whole);
    free(pushes);
    free_sheet(&sheet);
}

static void nothing_sleeps(void) {
    Sheet sheet = make_sheet(WEFT_GRID_ALTERNATING, 6);
    int n = sheet.mesh.vertex_count;
    double* pushes = malloc(3 * (size_t)n * sizeof *pushes);
    fill(pushes, n, 0, 30, 0);
    WeftBodyDef floor = weft_default_body_def();
    floor.kind = WEFT_BODY_PLANE;
    floor.position[1] = -0.01;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &sheet.cloth;
    def.cloth_count = 1;
    def.bodies = &floor;
    def.body_count = 1;
    def.contact = WEFT_CONTACT_BODIES;
    Run run = open_run(&def);
    bool slept = false;
    for (int i = 0; i < 600 && !slept; i++) {
        CHECK(!weft_step(run.state, &def.step));
        slept = weft_report(run.state)->asleep;
    }
    CHECK(slept);
    double lay = mean_height(&run);
    def.step.accelerations = pushes;
    for (int i = 0; i < 6; i++) CHECK(!weft_step(run.state, &def.step));
    CHECK(!weft_report(run.state)->asleep && mean_height(&run) > lay + 0.05);
    // what is no number is refused, and nothing has moved
    uint64_t hash = weft_hash_state(run.state);
    pushes[7] = NAN;
    CHECK(weft_step(run.state, &def.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(run.state)->message, "vertex 2: an acceleration of nan");
    CHECK(weft_hash_state(run.state) == hash);
    close_run(&run);
    free(pushes);
    free_sheet(&sheet);
}

TEST_MAIN(CASE(as_gravity), CASE(by_halves), CASE(nothing_sleeps))
