// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards energy/air.c: wind pushes, still air brakes, by the formula of a flat plate, and no wind
// makes cloth faster than itself.

#include "energy_test.h"
#include "swing.h"

static const double RHO = 1.2, DRAG = 1.2, FRICTION = 0.04, DENSITY = 0.15;

// ---------------------------------------------------------------------------------------------
// The force on one triangle

static TestTerm* open_triangle(TestCloth* cloth) {
    WeftGridDef grid = {.width = 0.4, .height = 0.3, .columns = 1, .rows = 1};
    *cloth = (TestCloth){.def = weft_default_cloth_def()};
    CHECK(weft_make_grid(&grid, NULL, &cloth->mesh, NULL) == WEFT_OK);
    cloth->mesh.triangle_count = 1;
    weft_use_mesh(&cloth->def, &cloth->mesh);
    cloth->def.fabric.air_drag = DRAG;
    cloth->def.fabric.air_friction = FRICTION;
    open_cloth(cloth);
    WeftAllocator allocator = plain_allocator();
    WfClothParts parts = cloth_parts(cloth, &cloth->def);
    TestTerm* t = open_term(wf_air_create(&allocator, &parts), cloth->rows);
    for (int i = 0; i < 4; i++) wf_store(t->x, ROWS_BEFORE + i, wf_load(cloth->def.positions, i));
    begin_term(t, 1e-9, 1);  // so short a step that no force is held back
    t->motion.air_density = RHO;
    return t;
}

static WfVec air_on(TestTerm* t, WfVec wind) {
    wf_store(t->motion.wind, 0, wind);
    double f[3 * (4 + ROWS_BEFORE + ROWS_AFTER)] = {0};
    WfVec sum = {0, 0, 0};
    t->term->type->external(t->term, &t->space, &t->motion, f);
    for (int i = 0; i < t->rows; i++) sum = wf_add(sum, wf_load(f, i));
    return sum;
}

static void close_triangle(TestCloth* cloth, TestTerm* t) {
    close_term(t);
    close_cloth(cloth);
}

// F = rho/2 area (c_drag |w_n| w_n + c_friction |w_t| w_t)
static void one_triangle(void) {
    TestCloth cloth;
    TestTerm* t = open_triangle(&cloth);
    const double area = 0.06;
    WfVec f = air_on(t, (WfVec){0, 5, 0});
    CHECK_NEAR(f.y, RHO / 2 * area * DRAG * 25, 1e-6);
    CHECK(f.x == 0 && f.z == 0);
    f = air_on(t, (WfVec){0, -5, 0});
    CHECK_NEAR(f.y, -RHO / 2 * area * DRAG * 25, 1e-6);
    f = air_on(t, (WfVec){3, 0, 4});
    CHECK_NEAR(f.x, RHO / 2 * area * FRICTION * 5 * 3, 1e-6);
    CHECK_NEAR(f.z, RHO / 2 * area * FRICTION * 5 * 4, 1e-6);
    CHECK(f.y == 0);
    f = air_on(t, (WfVec){3, -2, 4});  // both parts, each by itself
    CHECK_NEAR(f.x, RHO / 2 * area * FRICTION * 15, 1e-6);
    CHECK_NEAR(f.y, -RHO / 2 * area * DRAG * 4, 1e-6);
    close_triangle(&cloth, t);
}

// Only the velocity relative to the air counts.
static void moving_with_the_wind(void) {
    TestCloth cloth;
    TestTerm* t = open_triangle(&cloth);
    WfVec wind = {1, 2, 3};
    for (int i = 0; i < t->rows; i++) wf_store(t->v, i, wind);
    CHECK_BELOW(wf_length(air_on(t, wind)), 1e-15);
    WfVec f = air_on(t, (WfVec){0, 0, 0});
    for (int i = 0; i < t->n; i++) t->v[i] = 0;
    WfVec g = air_on(t, wf_mul(-1, wind));
    CHECK_BELOW(wf_length(wf_sub(f, g)), 1e-15);
    close_triangle(&cloth, t);
}

static void parallel_drag_is_small(void) {
    TestCloth cloth;
    TestTerm* t = open_triangle(&cloth);
    double across = wf_length(air_on(t, (WfVec){0, 10, 0}));
    double along = wf_length(air_on(t, (WfVec){10, 0, 0}));
    CHECK_NEAR(along / across, FRICTION / DRAG, 1e-6);
    close_triangle(&cloth, t);
}

// A sheet that is held in the wind feels the whole of it, at frame-long steps too.
static void held_in_the_wind(void) {
    TestCloth cloth;
    TestTerm* t = open_triangle(&cloth);
    t->motion.h = t->motion.gamma = 1.0 / 60;
    CHECK_NEAR(air_on(t, (WfVec){0, 5, 0}).y, RHO / 2 * 0.06 * DRAG * 25, 1e-6);
    close_triangle(&cloth, t);
}

static void no_air_no_force(void) {
    TestCloth cloth;
    TestTerm* t = open_triangle(&cloth);
    t->motion.air_density = 0;
    CHECK(wf_length(air_on(t, (WfVec){9, 9, 9})) == 0);
    close_triangle(&cloth, t);
}

// All of it is folds that the mesh does not show: they meet the air from every side.
static void collapsed_triangle(void) {
    TestCloth cloth;
    TestTerm* t = open_triangle(&cloth);
    for (int i = 0; i < t->n; i++) t->x[i] = 1;
    WfVec force = air_on(t, (WfVec){2, -1, 2});
    CHECK_NEAR(wf_dot(force, (WfVec){2, -1, 2}), RHO / 2 * 0.06 * DRAG * 27, 1e-6);
    CHECK_NEAR(wf_length(force), RHO / 2 * 0.06 * DRAG * 9, 1e-6);
    for (int i = 0; i < t->rows; i++) wf_store(t->x, i, (WfVec){i, 1, 1});  // a line, stretched
    CHECK(wf_length(air_on(t, (WfVec){1, 1, 1})) == 0);
    close_triangle(&cloth, t);
}

// Pressed to 0.8 of its length in one direction, 0.36 of it stands across.
static void folds_catch_the_air(void) {
    TestCloth cloth;
    TestTerm* t = open_triangle(&cloth);
    double open = wf_length(air_on(t, (WfVec){3, 0, 0}));
    for (int i = 0; i < t->rows; i++) t->x[3 * i] *= 0.8;
    double folded = wf_length(air_on(t, (WfVec){3, 0, 0}));
    CHECK_NEAR(folded, 0.8 * open + RHO / 2 * 0.06 * DRAG * 0.36 * 9, 1e-6);
    close_triangle(&cloth, t);
}

static void nth_allocation_fails(void) {
    TestCloth cloth;
    TestTerm* t = open_triangle(&cloth);
    WfClothParts parts = cloth_parts(&cloth, &cloth.def);
    WfTerm* term = NULL;
    int n = 0;
    for (; !term && n < 50; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        term = wf_air_create(&allocator, &parts);
        if (term) term->type->destroy(&allocator, term);
        CHECK(memory.out == 0);
    }
    CHECK(term && n > 5);
    close_triangle(&cloth, t);
}

// ---------------------------------------------------------------------------------------------
// Sheets in the air: free, level, their masses those of their areas

static Swing free_sheet(void) {
    Swing s = swing_def(9, 100);
    s.cloth.uniform_mass = false;
    s.cloth.pin_count = 0;
    s.cloth.fabric.air_drag = DRAG;
    s.cloth.fabric.air_friction = FRICTION;
    s.step.air_density = RHO;
    return s;
}

static void open_free(Swing* s) {
    s->cloth.pins = s->pins;  // none of them
    swing_open(s);
}

static WfVec mean_velocity(const Swing* s) {
    WfVec sum = {0, 0, 0};
    for (int i = 0; i < s->n * s->n; i++) sum = wf_add(sum, wf_load(weft_velocities(s->state), i));
    return wf_mul(1.0 / (s->n * s->n), sum);
}

static void set_speed(Swing* s, WfVec v) {
    double all[3 * 9 * 9];
    for (int i = 0; i < 81; i++) wf_store(all, i, v);
    weft_set_velocities(s->state, all);
}

static const WeftMethod methods[] = {WEFT_METHOD_PREFACTORED, WEFT_METHOD_IMPLICIT,
                                     WEFT_METHOD_SYMPLECTIC};

static void wind_pushes_along(void) {
    for (int m = 0; m < 3; m++) {
        Swing s = free_sheet();
        s.step.method = methods[m];
        s.step.gravity[1] = 0;
        s.step.wind[1] = 3;
        s.step.wind[0] = 1;
        open_free(&s);
        double before = 0;
        for (int k = 0; k < 30; k++) {
            CHECK(swing_step(&s));
            WfVec v = mean_velocity(&s);
            CHECK(v.y > before && v.y < 3 && v.x > 0 && v.x < 1);
            CHECK_NEAR(v.z, 0, 1e-3);
            before = v.y;
        }
        swing_close(&s);
    }
}

// A level sheet falls no faster than v = sqrt(2 rho_sheet g/(rho c)), however long the steps: air
// that is held back for the sake of stability must not be held back where there is no need.
static void terminal_velocity(void) {
    double expected = sqrt(2 * DENSITY * 9.81 / (RHO * DRAG));
    for (int m = 0; m < 3; m++)
        for (int frame = 0; frame < 2; frame++) {
            Swing s = free_sheet();
            s.step.method = methods[m];
            s.step.dt = frame ? 1.0 / 60 : 1.0 / 960;
            s.step.substeps = m == 2 ? 0 : 1;
            open_free(&s);
            for (int k = 0; k < (frame ? 125 : 2000); k++) CHECK(swing_step(&s));
            CHECK_NEAR(mean_velocity(&s).y, -expected, 0.005 * expected);
            swing_close(&s);
        }
}

// Face on, in still air: v' = -c v^2 has the solution v0/(1 + c v0 t), c = rho c_drag/(2 rho_sheet)
static void still_air_slows(void) {
    for (int m = 0; m < 3; m++) {
        Swing s = free_sheet();
        s.step.method = methods[m];
        s.step.gravity[1] = 0;
        s.step.dt = 1.0 / 960;
        s.step.substeps = m == 2 ? 0 : 1;
        open_free(&s);
        set_speed(&s, (WfVec){0, 2, 0});
        double c = RHO * DRAG / (2 * DENSITY), before = 2;
        for (int k = 0; k < 480; k++) {
            CHECK(swing_step(&s));
            double v = mean_velocity(&s).y;
            CHECK(v < before && v > 0);
            before = v;
        }
        CHECK_NEAR(before, 2 / (1 + c * 2 * 0.5), 0.01 * before);
        swing_close(&s);
    }
}

// A storm at 300 m/s, frame-long steps: the sheet gets as fast as the wind, not faster.
static void no_overshoot(void) {
    for (int order = 1; order <= 2; order++) {
        Swing s = free_sheet();
        s.step.gravity[1] = 0;
        s.step.wind[1] = 300;
        s.step.order = order;
        open_free(&s);
        double most = 0;
        for (int k = 0; k < 60; k++) {
            CHECK(swing_step(&s));
            for (int i = 0; i < 81; i++) most = fmax(most, weft_velocities(s.state)[3 * i + 1]);
        }
        CHECK_BELOW(most, 300.5);
        CHECK_NEAR(mean_velocity(&s).y, 300, 10);
        swing_close(&s);
    }
}

TEST_MAIN(CASE(one_triangle), CASE(moving_with_the_wind), CASE(parallel_drag_is_small),
          CASE(held_in_the_wind), CASE(no_air_no_force), CASE(collapsed_triangle),
          CASE(folds_catch_the_air), CASE(nth_allocation_fails), CASE(wind_pushes_along),
          SLOW_CASE(terminal_velocity), CASE(still_air_slows), CASE(no_overshoot))
