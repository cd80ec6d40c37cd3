// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards src/small_steps/small_steps.c and src/sim/small.c: that small steps converge to the
// converged implicit step with every term they take; that vertices alone are held as their terms
// say; that light sheets fall and flutter in the air as they should; that balloons keep their
// volume, and skins are followed.

#include "energy_test.h"
#include "small_steps/small_steps.h"
#include "swing.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Convergence

enum { STEPS = 8, FINE = 32 };  // of 1/64 s; of the implicit step

static WeftResult sheet_of(WeftGridKind kind, WeftMesh* mesh) {
    WeftGridDef def = {.width = 1, .height = 1, .columns = 9, .rows = 9, .kind = kind};
    return weft_make_grid(&def, NULL, mesh, NULL);
}
static WeftResult sheet(WeftMesh* mesh) { return sheet_of(WEFT_GRID_ALTERNATING, mesh); }
static WeftResult crossed_sheet(WeftMesh* mesh) { return sheet_of(WEFT_GRID_CROSSED, mesh); }
static WeftResult long_rope(WeftMesh* mesh) {
    WeftRopeDef def = {.length = 1, .segments = 20};
    return weft_make_rope(&def, NULL, mesh, NULL);
}

typedef struct Motion {
    const char* name;
    WeftResult (*make)(WeftMesh*);
    WeftStretch stretch;
    double error;    // mm, after 0.125 s in 80 substeps
    double damping;  // s, of stretch and of bending
    double compression;
    WeftShear shear;
    WeftBendBy bend_by;
} Motion;

static const Motion motions[] = {
    {"springs", sheet, 0, 0.3, 0, 0, 0, 0},
    {"crossed springs", crossed_sheet, 0, 0.3, 0, 0, 0, 0},
    {"damped springs", sheet, 0, 0.3, 2e-3, 0, 0, 0},
    {"springs that give way", sheet, 0, 0.3, 0, 0.01, 0, 0},
    {"one-sided springs", sheet, WEFT_STRETCH_ONE_SIDED, 0.3, 0, 0, 0, 0},
    {"triangles", sheet, WEFT_STRETCH_TRIANGLES, 0.3, 0, 0, 0, 0},
    {"damped triangles", sheet, WEFT_STRETCH_TRIANGLES, 0.3, 2e-3, 0, 0, 0},
    {"triangles that give way", sheet, WEFT_STRETCH_TRIANGLES, 0.3, 0, 0.01, 0, 0},
    {"measured", sheet, WEFT_STRETCH_MEASURED, 0.3, 0, 0, 0, 0},
    {"measured that give way", sheet, WEFT_STRETCH_MEASURED, 0.3, 0, 0.01, 0, 0},
    {"biquadratic", sheet, WEFT_STRETCH_BIQUADRATIC, 0.3, 2e-3, 0, 0, 0},
    {"biquadratic that gives way", sheet, WEFT_STRETCH_BIQUADRATIC, 0.3, 0, 0.01, 0, 0},
    {"shear product", sheet, WEFT_STRETCH_TRIANGLES, 0.3, 2e-3, 0, WEFT_SHEAR_PRODUCT, 0},
    {"angles", sheet, 0, 0.3, 0, 0, 0, WEFT_BEND_BY_ANGLES},
    {"rope", long_rope, 0, 0.3, 0, 0, 0, 0},
};

static WeftFabric motion_fabric(void) {
    static const double table[4] = {300, 80, 200, 120};
    WeftFabric fabric = weft_default_cloth_def().fabric;
    fabric.stretch_warp = 300, fabric.stretch_weft = 200, fabric.shear = 70;
    fabric.measured.reference_strain = 0.2;
    for (int i = 0; i < 24; i++) fabric.measured.stretch[i / 4][i % 4] = table[i % 4];
    return fabric;
}

// Positions after each step; 0 substeps: the converged implicit method, FINE times as many steps.
static double* run_motion(const Motion* m, int substeps, int* size) {
    WeftMesh mesh;
    WeftClothDef cloth = weft_default_cloth_def();
    WeftModelDef def = weft_default_model_def();
    WeftModel* model = NULL;
    WeftState* state = NULL;
    WeftError error = {0};
    CHECK(!m->make(&mesh));
    weft_use_mesh(&cloth, &mesh);
    int pins[2] = {0, mesh.triangle_count ? 9 : 0}, fine = substeps ? 1 : FINE;
    cloth.pins = pins, cloth.pin_count = mesh.triangle_count ? 2 : 1;
    cloth.fabric = motion_fabric(), cloth.stretch = m->stretch, cloth.shear = m->shear;
    cloth.fabric.bend = 1e-4, cloth.bend_by = m->bend_by;
    cloth.fabric.density = 0.15, cloth.fabric.rope_stretch = 200, cloth.fabric.rope_bend = 1e-5;
    cloth.fabric.compression = m->compression > 0 ? m->compression : WEFT_UNYIELDING;
    cloth.fabric.stretch_damping = cloth.fabric.bend_damping = m->damping;
    WeftStepDef step = weft_default_step_def();
    step.dt = 1.0 / 64 / fine, step.air_density = 0, step.stretch_tolerance = 0;
    step.method = substeps ? WEFT_METHOD_SMALL_STEPS : WEFT_METHOD_IMPLICIT;
    step.substeps = substeps ? substeps : 1;
    if (!substeps) step.newton_steps = 30, step.newton_tolerance = 1e-7, step.tolerance = 1e-8;
    def.cloths = &cloth, def.cloth_count = 1, def.step = step;
    *size = 3 * mesh.vertex_count;
    double* x = new_doubles((long)STEPS * *size);
    if (weft_create_model(&def, &model, &error) || weft_create_state(model, &state, &error))
        CHECK_TEXT(error.message, "made");
    for (int k = 0; k < STEPS * fine && state; k++) {
        if (!CHECK(!weft_step(state, &step))) printf("%s\n", weft_state_error(state)->message);
        copy_doubles(x + (long)(k / fine) * *size, weft_positions(state), *size);
    }
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_mesh(&mesh);
    return x;
}

// Root of the mean square of all vertices in all steps, mm.
static double far_apart(const double* a, const double* b, int size) {
    double sum = 0;
    for (int i = 0; i < STEPS * size; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return 1e3 * sqrt(sum / (STEPS * size / 3));
}

static void convergence(void) {
    for (size_t k = 0; k < sizeof motions / sizeof *motions; k++) {
        int size, before = test_failures;
        double* truth = run_motion(&motions[k], 0, &size);
        double errors[3];
        for (int s = 0; s < 3; s++) {
            double* x = run_motion(&motions[k], 20 << s, &size);
            errors[s] = far_apart(x, truth, size);
            free(x);
        }
        CHECK_BELOW(errors[1], 0.7 * errors[0]);
        CHECK_BELOW(errors[2], 0.6 * errors[0]);  // the implicit step is not exact either
        CHECK_BELOW(errors[2], motions[k].error);
        printf("    %s: %.3g, %.3g, %.3g mm at 20, 40, 80 substeps\n", motions[k].name, errors[0],
               errors[1], errors[2]);
        free(truth);
        if (test_failures > before) printf("    %s\n", motions[k].name);
    }
}

// ---------------------------------------------------------------------------------------------
// Single vertices

// One substep of a vertex is the minimum of 1/2 m |x - y|^2 + h^2 E, y = x + h v, with the term's
// own energy.
static void check_hold(WfTerm* (*create)(const WeftAllocator*, const WfClothParts*), double h) {
    enum { VERTICES = 4 };
    static const double stiffness[VERTICES] = {40, 0, 2.5e5, 60};
    static const double damping[VERTICES] = {2, 3, 0, 5000};
    WeftAllocator allocator = plain_allocator();
    TestCloth cloth = {.def = weft_default_cloth_def()};
    WeftGridDef grid = {.width = 1, .height = 1, .columns = 1, .rows = 1};
    CHECK(!weft_make_grid(&grid, NULL, &cloth.mesh, NULL));
    weft_use_mesh(&cloth.def, &cloth.mesh);
    cloth.def.drive_stiffness = stiffness, cloth.def.drive_damping = damping;
    cloth.def.fabric.mass_damping = 30;
    open_cloth(&cloth);
    WfClothParts parts = cloth_parts(&cloth, &cloth.def);
    TestTerm* t = open_term(create(&allocator, &parts), cloth.rows);
    double *skin = new_doubles(t->n), *masses = new_doubles(t->rows), gives[1] = {0};
    for (int i = 0; i < t->n; i++)
        t->x[i] = 3 + random_unit(), t->v[i] = random_unit(), skin[i] = 3 + random_unit();
    for (int i = 0; i < t->rows; i++) masses[i] = 1;
    copy_doubles(masses + ROWS_BEFORE, cloth.masses, VERTICES);
    begin_term(t, h, 1);
    t->motion.skin = skin, t->motion.skin_velocity = t->x2, t->motion.base = t->x;
    for (int i = 0; i < t->n; i++) t->x2[i] = random_unit();
    t->term->type->begin(t->term, &t->space, &t->motion);

    int points = t->rows + WF_FIRST_BODY_POINT;
    WfSmallForm form;
    WfSmallCloth small;
    CHECK(!wf_small_form_create(&allocator, t->rows, masses, 1, &t->term, gives, &form));
    CHECK(form.holds && !wf_small_cloth_create(&allocator, &form, points, &small));
    double *f = new_doubles(t->n), *x = new_doubles(t->n), *v = new_doubles(t->n);
    t->term->type->hold(t->term, &t->space, &t->motion, small.holds);
    for (int i = 0; i < t->n; i++) f[i] = small.holds[i / 3].pull[i % 3];
    wf_small_begin(&small, t->x, t->v, f, t->pinned);
    wf_small_hold(&small, (float)h);
    wf_small_push(&small, f);
    wf_small_predict(&small, (float)h);
    wf_small_update(&small, (float)h, 0, 0);
    wf_small_end(&small, x, v);

    // both are linear: the force at the end is what moved it there
    force_at(t, x, f);
    for (int i = 0; i < t->n; i++) {
        double m = masses[i / 3], k = small.holds[i / 3].stiffness * h * h / m;
        double moved = x[i] - t->x[i] - h * t->v[i], wanted = h * h * f[i] / m;
        CHECK_NEAR(moved, wanted, 2e-6 * (1 + k + small.holds[i / 3].damping * h / m));
    }
    free(f), free(x), free(v), free(skin), free(masses);
    wf_small_cloth_destroy(&allocator, &small);
    wf_small_form_destroy(&allocator, &form);
    close_term(t);
    close_cloth(&cloth);
}

static void vertices_alone(void) {
    for (double h = 1e-4; h < 0.1; h *= 10) {
        check_hold(wf_damping_create, h);
        check_hold(wf_drive_create, h);
    }
}

// ---------------------------------------------------------------------------------------------
// Air

static const double RHO = 1.2;

// A sheet of this density in the air, free and turned by an angle, or held as a flag in the wind:
// its mean velocity after a time, and how far its vertices differ from that, root of the mean
// square.
typedef struct Fall {
    WfVec mean;
    double spread;
} Fall;

static void tilt(Swing* s, double angle) {
    double start[3 * 81];
    for (int i = 0; i < 81; i++) {
        WfVec x = wf_load(weft_positions(s->state), i);
        double y = 2e-3 * sin(9 * x.x + 5 * x.z);
        wf_store(start, i, (WfVec){cos(angle) * x.x, y + sin(angle) * x.x, x.z});
    }
    weft_set_positions(s->state, start);
}

static Fall mean_motion(const Swing* s) {
    Fall f = {{0, 0, 0}, 0};
    const double* v = weft_velocities(s->state);
    for (int i = 0; i < 81; i++) f.mean = wf_madd(f.mean, 1.0 / 81, wf_load(v, i));
    for (int i = 0; i < 81; i++) {
        WfVec apart = wf_sub(wf_load(v, i), f.mean);
        f.spread += wf_dot(apart, apart) / 81;
    }
    f.spread = sqrt(f.spread);
    return f;
}

static Fall fall(double density, double dt, int substeps, double angle, bool flag) {
    Swing s = swing_def(9, 100);
    const double seconds = 0.5;
    s.cloth.uniform_mass = false;
    if (!flag) s.cloth.pins = s.pins, s.cloth.pin_count = 0;
    s.cloth.fabric.density = density;
    s.cloth.fabric.stretch_damping = 2e-3;  // what rings is not what flutters
    s.step.air_density = RHO;
    if (flag) s.step.wind[0] = 1, s.step.wind[1] = 2, s.step.wind[2] = 3;
    s.step.dt = dt;
    s.step.method = substeps ? WEFT_METHOD_SMALL_STEPS : WEFT_METHOD_IMPLICIT;
    s.step.substeps = substeps ? substeps : 1;
    if (!substeps) s.step.newton_steps = 10, s.step.newton_tolerance = 1e-6;
    swing_open(&s);
    if (!flag) tilt(&s, angle);
    int steps = (int)((flag ? 3 * seconds : seconds) / dt + 0.5);
    double sum = 0;
    for (int k = 0; k < steps && swing_step(&s); k++) sum += mean_motion(&s).spread / steps;
    Fall f = mean_motion(&s);
    if (flag) f = (Fall){{0, swing_height(&s), 0}, sum};
    swing_close(&s);
    return f;
}

// Cloth that falls a meter away from its origin, in steps whose h^2 g is below what its places tell.
static void falls_freely(void) {
    for (int n = 16; n <= 256; n *= 4) {
        Swing s = swing_def(9, 100);
        s.cloth.pins = s.pins, s.cloth.pin_count = 0;
        s.step.method = WEFT_METHOD_SMALL_STEPS;
        s.step.dt = 1.0 / 60, s.step.substeps = n;
        swing_open(&s);
        double height = swing_height(&s);
        for (int k = 0; k < 20 && swing_step(&s); k++) continue;
        double fell = height - swing_height(&s), h = s.step.dt / n;
        double exact = 9.81 * h * h * (20.0 * n) * (20.0 * n + 1) / 2;
        printf("    %d substeps: fell by %.6f m of %.6f\n", n, fell, exact);
        CHECK_NEAR(fell, exact, 0.003 * exact);
        swing_close(&s);
    }
}

static void sheets_in_the_air(void) {
    static const double densities[] = {0.03, 0.2}, angles[] = {0, 0.4, 0};
    for (int k = 0; k < 6; k++) {
        double density = densities[k / 3], angle = angles[k % 3];
        bool flag = k % 3 == 2;
        Fall truth = fall(density, 1.0 / 1920, 0, angle, flag);
        for (int n = 10; n <= 40; n *= 2) {
            Fall f = fall(density, 1.0 / 60, n, angle, flag);
            double off = wf_length(wf_sub(f.mean, truth.mean)), all = wf_length(truth.mean);
            printf(
                "    %s of %g kg/m^2, turned by %g, %d substeps: off by %.3g of %.3g m/s, "
                "flutter %.3g, %.3g\n",
                flag ? "flag" : "sheet", density, angle, n, off, all, f.spread, truth.spread);
            // flags are chaotic: in steps of 1/480 s and 1/960 s the implicit one differs by 0.02 m
            CHECK_BELOW(off, flag ? 0.06 : 0.005 * all);
            // a light sheet that falls aslant flutters too much: 0.044 for 0.026 at 40 substeps
            CHECK_NEAR(f.spread, truth.spread, flag ? 0.25 * truth.spread : 0.012 * all);
        }
    }
}

// A level sheet reaches the speed at which its weight is the drag.
static void terminal_velocity(void) {
    for (int k = 0; k < 2; k++) {
        double density = k ? 0.2 : 0.03;
        Swing s = swing_def(9, 100);
        double speed = sqrt(2 * density * 9.81 / (RHO * s.cloth.fabric.air_drag));
        s.cloth.uniform_mass = false;
        s.cloth.pins = s.pins, s.cloth.pin_count = 0;
        s.cloth.fabric.density = density;
        s.step.air_density = RHO, s.step.method = WEFT_METHOD_SMALL_STEPS, s.step.substeps = 20;
        swing_open(&s);
        double sum = 0;
        for (int i = 0; i < 200; i++) CHECK(swing_step(&s));
        for (int i = 0; i < 81; i++) sum += weft_velocities(s.state)[3 * i + 1] / 81;
        CHECK_NEAR(-sum / speed, 1, 0.005);
        swing_close(&s);
    }
}

// A storm of 300 m/s: as fast as the wind, not faster.
static void no_overshoot(void) {
    Swing s = swing_def(9, 100);
    s.cloth.uniform_mass = false;
    s.cloth.pins = s.pins, s.cloth.pin_count = 0;
    s.cloth.fabric.density = 0.03;
    s.step.air_density = RHO, s.step.method = WEFT_METHOD_SMALL_STEPS, s.step.substeps = 20;
    s.step.gravity[1] = 0, s.step.wind[1] = 300;
    swing_open(&s);
    double most = 0;
    for (int k = 0; k < 60 && swing_step(&s); k++)
        for (int i = 0; i < 81; i++) most = fmax(most, weft_velocities(s.state)[3 * i + 1]);
    CHECK_BELOW(most, 301);
    CHECK_BELOW(250, most);
    swing_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Balloons: an octahedron, its sides split and blown up

enum { CUTS = 6, MOST_BALL = 4 * CUTS * CUTS + 2 };

typedef struct Ball {
    int vertex_count, triangle_count, triangles[3 * 8 * CUTS * CUTS];
    double x[3 * MOST_BALL];
} Ball;

static int ball_vertex(Ball* ball, WfVec x) {
    for (int i = 0; i < ball->vertex_count; i++)
        if (wf_length(wf_sub(wf_load(ball->x, i), x)) < 1e-9) return i;
    wf_store(ball->x, ball->vertex_count, x);
    return ball->vertex_count++;
}

static void add_ball_side(Ball* ball, const WfVec side[3], double radius) {
    for (int i = 0; i < CUTS; i++)
        for (int j = 0; j < 2 * (CUTS - i) - 1; j++) {
            int at[3][2] = {{i, j / 2}, {i + 1, j / 2}, {i, j / 2 + 1}};
            if (j % 2) at[0][0]++, at[1][1]++;  // the one between two of them
            for (int k = 0; k < 3; k++) {
                WfVec x = wf_mul(CUTS - at[k][0] - at[k][1], side[0]);
                x = wf_madd(wf_madd(x, at[k][0], side[1]), at[k][1], side[2]);
                ball->triangles[3 * ball->triangle_count + k] =
                    ball_vertex(ball, wf_mul(radius, wf_unit(x)));
            }
            ball->triangle_count++;
        }
}

static Ball make_ball(double radius) {
    Ball ball = {0};
    for (int s = 0; s < 8; s++) {
        double x = s & 1 ? -1 : 1, y = s & 2 ? -1 : 1, z = s & 4 ? -1 : 1;
        WfVec side[3] = {{x, 0, 0}, {0, y, 0}, {0, 0, z}};
        if (x * y * z < 0) side[1] = (WfVec){0, 0, z}, side[2] = (WfVec){0, y, 0};
        add_ball_side(&ball, side, radius);
    }
    return ball;
}

typedef struct Inflated {
    double volume, pressure, most_volume;
} Inflated;

// Blown up for three seconds.
static Inflated inflate(bool gas, double pressure, double outside, int substeps) {
    Ball ball = make_ball(0.15);
    WeftClothDef cloth = weft_default_cloth_def();
    WeftModelDef def = weft_default_model_def();
    WeftModel* model = NULL;
    WeftState* state = NULL;
    WeftStepDef step = weft_default_step_def();
    Inflated result = {0};
    cloth.vertex_count = ball.vertex_count, cloth.positions = ball.x;
    cloth.triangle_count = ball.triangle_count, cloth.triangles = ball.triangles;
    cloth.inflation = gas ? WEFT_INFLATION_GAS : WEFT_INFLATION_PRESSURE;
    cloth.pressure = pressure, cloth.outside_pressure = outside;
    cloth.fabric.bend = 1e-6, cloth.fabric.mass_damping = 5;
    step.gravity[1] = 0, step.air_density = 0, step.stretch_tolerance = 0;
    step.method = substeps ? WEFT_METHOD_SMALL_STEPS : WEFT_METHOD_IMPLICIT;
    step.substeps = substeps;
    def.cloths = &cloth, def.cloth_count = 1;
    CHECK(!weft_create_model(&def, &model, NULL) && !weft_create_state(model, &state, NULL));
    for (int k = 0; k < 180; k++) {
        if (!CHECK(!weft_step(state, &step))) break;
        weft_copy_inflation(state, 0, &result.volume, &result.pressure);
        result.most_volume = fmax(result.most_volume, result.volume);
    }
    weft_destroy_state(state);
    weft_destroy_model(model);
    return result;
}

static void balloons(void) {
    static const struct {
        bool gas;
        double pressure, outside;
    } kinds[] = {{false, 500, 0}, {true, 800, 0}, {true, 800, 1000}, {true, 800, 101325}};
    for (int k = 0; k < 4; k++) {
        Inflated truth = inflate(kinds[k].gas, kinds[k].pressure, kinds[k].outside, 0);
        for (int n = 20; n <= 80; n *= 2) {
            Inflated b = inflate(kinds[k].gas, kinds[k].pressure, kinds[k].outside, n);
            printf(
                "    %s of %g Pa, %g outside, %d substeps: %.5g l for %.5g, never above %.5g; "
                "%.4g Pa for %.4g\n",
                kinds[k].gas ? "gas" : "air", kinds[k].pressure, kinds[k].outside, n,
                1e3 * b.volume, 1e3 * truth.volume, 1e3 * b.most_volume, b.pressure,
                truth.pressure);
            // a few sweeps leave some stretch, as the square of the substep
            CHECK_NEAR(b.volume / truth.volume, 1, 0.1 * (20.0 / n) * (20.0 / n));
            CHECK_BELOW(b.most_volume, 1.1 * truth.most_volume);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Skins

// A sheet driven to a skin that moves at 2 m/s follows it without lag, and hangs g/k below it.
static void skins_are_followed(void) {
    for (int stiff = 0; stiff < 2; stiff++) {
        double k = stiff ? 1e5 : 400, stiffness[81], damping[81], skin[3 * 81];
        Swing s = swing_def(9, 100);
        for (int i = 0; i < 81; i++) stiffness[i] = k, damping[i] = 2 * sqrt(k);
        s.cloth.drive_stiffness = stiffness, s.cloth.drive_damping = damping;
        s.cloth.pins = s.pins, s.cloth.pin_count = 0;
        s.cloth.uniform_mass = false;
        s.step.method = WEFT_METHOD_SMALL_STEPS, s.step.substeps = 20;
        swing_open(&s);
        memcpy(skin, weft_positions(s.state), sizeof skin);
        for (int i = 0; i < 120; i++) {
            for (int v = 0; v < 81; v++) skin[3 * v] += 2.0 / 60;
            weft_move_skin(s.state, 0, skin, NULL);
            if (!CHECK(swing_step(&s))) break;
        }
        WfVec x = wf_load(weft_positions(s.state), 40), at = wf_load(skin, 40);
        printf("    driven by %g/s^2: off by %.2g m along, %.4g below for %.4g\n", k, x.x - at.x,
               at.y - x.y, 9.81 / k);
        CHECK_NEAR(x.x, at.x, 1e-5);
        CHECK_NEAR(at.y - x.y, 9.81 / k, 1e-5 + 0.01 * 9.81 / k);
        swing_close(&s);
    }
}

TEST_MAIN(CASE(convergence), CASE(vertices_alone), CASE(falls_freely), CASE(sheets_in_the_air), CASE(terminal_velocity),
          CASE(no_overshoot), CASE(balloons), CASE(skins_are_followed))
