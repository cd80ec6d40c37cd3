// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the matrix-free method where it comes from, on ropes and woven cloth: what conjugate
// gradients need without a preconditioner, what is stable and what is not, how much area is kept.

#include "test.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// Semi-implicit steps of h as in "Rope and Cloth": one Newton step from x(n), no preconditioner.
static WeftStepDef plain_step(double h, double tolerance) {
    WeftStepDef step = weft_default_step_def();
    step.dt = h;
    step.method = WEFT_METHOD_MATRIX_FREE;
    step.scheme = WEFT_SCHEME_PLAIN;
    step.start = WEFT_START_PREVIOUS;
    step.order = 1;
    step.substeps = 1;
    step.tolerance = tolerance;
    step.stretch_tolerance = 0;
    step.air_density = 0;
    return step;
}

typedef struct Scene {
    WeftMesh mesh;
    WeftClothDef cloth;
    WeftStepDef step;
    int pins[2];
    WeftModel* model;
    WeftState* state;
} Scene;

static bool open_scene(Scene* s, WeftMatrices matrices) {
    WeftModelDef def = weft_default_model_def();
    def.cloths = &s->cloth;
    def.cloth_count = 1;
    def.step = s->step;
    def.matrices = matrices;
    def.jobs.thread_count = 1;
    WeftError error = {0};
    bool good = !weft_create_model(&def, &s->model, &error) &&
                !weft_create_state(s->model, &s->state, &error);
    if (!CHECK(good)) printf("    %s\n", error.message);
    return good;
}

static void close_scene(Scene* s) {
    weft_destroy_state(s->state);
    weft_destroy_model(s->model);
    weft_destroy_mesh(&s->mesh);
}

// largest coordinate, infinite where one is not a number
static double reach(const Scene* s) {
    double most = 0;
    for (int i = 0; i < 3 * weft_vertex_count(s->model); i++) {
        double x = fabs(weft_positions(s->state)[i]);
        if (!(x < HUGE_VAL)) return HUGE_VAL;
        most = fmax(most, x);
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// A rope

enum { ROPE = 50 };

// 50 masses of 10 g on a metre, springs of 1e4 N/m between them, held at one end, level.
static Scene rope_scene(void) {
    Scene s = {.cloth = weft_default_cloth_def(), .step = plain_step(0.01, 1e-8)};
    WeftRopeDef def = {.length = 1, .segments = ROPE - 1};
    CHECK(weft_make_rope(&def, NULL, &s.mesh, NULL) == WEFT_OK);
    weft_use_mesh(&s.cloth, &s.mesh);
    s.cloth.uniform_mass = true;
    s.cloth.fabric.rope_density = 0.01 * ROPE;
    s.cloth.fabric.rope_stretch = 1e4 / (ROPE - 1);
    s.cloth.bend = WEFT_BEND_NONE;
    return s;
}

static double rope_length(const Scene* s) {
    const double* x = weft_positions(s->state);
    double length = 0;
    for (int i = 0; i + 1 < ROPE; i++)
        length += sqrt(pow(x[3 * i + 3] - x[3 * i], 2) + pow(x[3 * i + 4] - x[3 * i + 1], 2) +
                       pow(x[3 * i + 5] - x[3 * i + 2], 2));
    return length;
}

static void rope_swings(void) {
    Scene s = rope_scene();
    s.cloth.pins = s.pins;
    s.cloth.pin_count = 1;
    if (!open_scene(&s, WEFT_MATRICES_NONE)) return;
    for (int i = 0; i < ROPE; i++) CHECK_NEAR(weft_masses(s.model)[i], 0.01, 1e-15);
    int most = 0;
    double sum = 0;
    double lowest = 0;
    for (int k = 0; k < 400; k++) {
        CHECK(weft_step(s.state, &s.step) == WEFT_OK);
        const WeftStepReport* r = weft_report(s.state);
        CHECK(r->converged && r->solve_count == 0);
        most = r->cg_iterations > most ? r->cg_iterations : most;
        sum += r->cg_iterations;
        lowest = fmin(lowest, weft_positions(s.state)[3 * ROPE - 2]);
        CHECK_BELOW(reach(&s), 1.1);
    }
    CHECK(most <= 3 * ROPE);
    CHECK_NEAR(sum / 400, 80, 15);  // 98 without the warm start from where the motion points
    CHECK_NEAR(rope_length(&s), 1, 0.02);
    CHECK_BELOW(lowest, -0.95);  // it swings through
    close_scene(&s);
}

// The same step as with assembled blocks.
static void same_as_assembled(void) {
    double x[2][3 * ROPE];
    for (int way = 0; way < 2; way++) {
        Scene s = rope_scene();
        s.cloth.pin_count = 1;
        s.cloth.pins = s.pins;
        s.cloth.bend = WEFT_BEND_IMPLICIT;
        s.cloth.bend_by = WEFT_BEND_BY_THREADS;
        s.step.tolerance = 1e-12;
        if (way) s.step.method = WEFT_METHOD_IMPLICIT;
        if (!open_scene(&s, way ? WEFT_MATRICES_BLOCKS : WEFT_MATRICES_NONE)) return;
        for (int k = 0; k < 30; k++) CHECK(weft_step(s.state, &s.step) == WEFT_OK);
        memcpy(x[way], weft_positions(s.state), sizeof x[way]);
        close_scene(&s);
    }
    double worst = 0;
    for (int i = 0; i < 3 * ROPE; i++) worst = fmax(worst, fabs(x[0][i] - x[1][i]));
    CHECK_BELOW(worst, 1e-8);
}

// ---------------------------------------------------------------------------------------------
// Woven cloth

enum { CLOTH = 25, STEPS = 150 };

typedef struct Verdict {
    bool stable;
    int steps;
    double mean_iterations, area_error;  // rms of g - 1
} Verdict;

static double rms_area(const Scene* s) {
    const double *x = weft_positions(s->state), d = 2.0 / (CLOTH - 1);
    double sum = 0;
    for (int j = 1; j + 1 < CLOTH; j++)
        for (int i = 1; i + 1 < CLOTH; i++) {
            int at = j * CLOTH + i;
            double u[3], v[3], uu = 0, vv = 0, uv = 0;
            for (int c = 0; c < 3; c++) {
                u[c] = (x[3 * (at + 1) + c] - x[3 * (at - 1) + c]) / d;
                v[c] = (x[3 * (at + CLOTH) + c] - x[3 * (at - CLOTH) + c]) / d;
                uu += u[c] * u[c], vv += v[c] * v[c], uv += u[c] * v[c];
            }
            sum += pow(uu * vv - uv * uv - 1, 2);
        }
    return sqrt(sum / ((CLOTH - 2) * (CLOTH - 2)));
}

// 0.15 kg on a square metre, threads of 2000 N/m, held at two corners; area by k_a and curvature by
// k_b (per thread) as forces at the start of the step.
static Verdict run_cloth(double ka, double kb, bool guard, int steps) {
    Scene s = {.cloth = weft_default_cloth_def(), .step = plain_step(0.01, 1e-6)};
    s.step.guard = guard;
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = CLOTH - 1;
    grid.kind = WEFT_GRID_WOVEN;
    CHECK(weft_make_grid(&grid, NULL, &s.mesh, NULL) == WEFT_OK);
    weft_use_mesh(&s.cloth, &s.mesh);
    s.cloth.uniform_mass = true;
    s.cloth.fabric.density = 0.15;
    s.cloth.fabric.compression = WEFT_UNYIELDING;
    s.cloth.stretch = WEFT_STRETCH_THREADS;
    s.cloth.shear = WEFT_SHEAR_AREA;
    s.cloth.explicit_shear = true;
    s.cloth.fabric.shear = ka;
    s.cloth.bend = WEFT_BEND_EXPLICIT;
    s.cloth.bend_by = WEFT_BEND_BY_THREADS;
    s.cloth.fabric.bend = kb * (CLOTH - 1);
    s.pins[0] = CLOTH * (CLOTH - 1);
    s.pins[1] = CLOTH * CLOTH - 1;
    s.cloth.pins = s.pins;
    s.cloth.pin_count = 2;
    Verdict verdict = {.stable = true};
    if (!open_scene(&s, WEFT_MATRICES_NONE)) return verdict;
    for (; verdict.steps < steps && verdict.stable; verdict.steps++) {
        verdict.stable = weft_step(s.state, &s.step) == WEFT_OK && reach(&s) < 5;
        verdict.mean_iterations += weft_report(s.state)->cg_iterations / (double)steps;
    }
    verdict.area_error = rms_area(&s);
    close_scene(&s);
    return verdict;
}

static void area_is_kept(void) {
    static const struct { double ka, area_error; } rows[] = {{0, 0.130}, {5, 0.064}, {50, 0.030}};
    for (int i = 0; i < 3; i++) {
        Verdict v = run_cloth(rows[i].ka, 0, true, STEPS);
        CHECK(v.stable);
        CHECK_NEAR(v.area_error, rows[i].area_error, 0.1 * rows[i].area_error);
        CHECK_NEAR(v.mean_iterations, 330, 30);
    }
    CHECK(!run_cloth(500, 0, false, STEPS / 3).stable);
}

static void soft_bending_is_stable(void) {
    CHECK(run_cloth(0, 1e-6, true, STEPS).stable);
    CHECK(run_cloth(0, 1e-4, true, STEPS).stable);
    CHECK(!run_cloth(0, 1e-3, false, STEPS / 3).stable);
}

static void soft_forces_are_stable(void) {
    CHECK(run_cloth(5, 1e-4, true, test_rounds(STEPS)).stable);
}

// What is too stiff for its step trembles, and does not fly apart.
static void guard_bounds_explicit_forces(void) {
    CHECK(run_cloth(500, 0, true, STEPS / 3).stable);
    CHECK(run_cloth(0, 1e-3, true, STEPS / 3).stable);
}

TEST_MAIN(SLOW_CASE(guard_bounds_explicit_forces), CASE(rope_swings), CASE(same_as_assembled),
          SLOW_CASE(area_is_kept), SLOW_CASE(soft_bending_is_stable), CASE(soft_forces_are_stable))
