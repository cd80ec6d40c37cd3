// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards cloth that is blown up: forces by finite differences of the volume, none on the whole; a
// balloon at the radius that its stiffness says, at several sizes and meshes, by every method, and
// calm there; gases; what is open is refused.

#include "base/vec.h"
#include "energy/pressure.h"
#include "sim/state.h"
#include "swing.h"
#include "test.h"

// ---------------------------------------------------------------------------------------------
// Spheres: an octahedron, each side split in `cuts` parts

enum { MOST = 4 * 16 * 16 + 2 };

typedef struct Ball {
    int vertex_count, triangle_count;
    double x[3 * MOST];
    int triangles[3 * 2 * MOST];
} Ball;

static int find_vertex(Ball* ball, WfVec x) {
    for (int i = 0; i < ball->vertex_count; i++)
        if (wf_length(wf_sub(wf_load(ball->x, i), x)) < 1e-9) return i;
    wf_store(ball->x, ball->vertex_count, x);
    return ball->vertex_count++;
}

static void add_side(Ball* ball, const WfVec corner[3], int cuts, double radius) {
    for (int i = 0; i < cuts; i++)
        for (int j = 0; j < cuts - i; j++)
            for (int up = 0; up < (j < cuts - i - 1 ? 2 : 1); up++) {
                const int steps[2][3][2] = {{{0, 0}, {1, 0}, {0, 1}}, {{1, 0}, {1, 1}, {0, 1}}};
                for (int k = 0; k < 3; k++) {
                    double a = i + steps[up][k][0], b = j + steps[up][k][1];
                    WfVec x = wf_mul(cuts - a - b, corner[0]);
                    x = wf_madd(wf_madd(x, a, corner[1]), b, corner[2]);
                    ball->triangles[3 * ball->triangle_count + k] =
                        find_vertex(ball, wf_mul(radius, wf_unit(x)));
                }
                ball->triangle_count++;
            }
}

static Ball* make_ball(int cuts, double radius) {
    Ball* ball = calloc(1, sizeof *ball);
    for (int s = 0; s < 8; s++) {
        double x = s & 1 ? -1 : 1, y = s & 2 ? -1 : 1, z = s & 4 ? -1 : 1;
        WfVec corner[3] = {{x, 0, 0}, {0, y, 0}, {0, 0, z}};
        if (x * y * z < 0) corner[1] = (WfVec){0, 0, z}, corner[2] = (WfVec){0, y, 0};
        add_side(ball, corner, cuts, radius);
    }
    return ball;
}

static WeftClothDef ball_cloth(const Ball* ball) {
    WeftClothDef cloth = weft_default_cloth_def();
    cloth.vertex_count = ball->vertex_count;
    cloth.positions = ball->x;
    cloth.triangle_count = ball->triangle_count;
    cloth.triangles = ball->triangles;
    cloth.inflation = WEFT_INFLATION_PRESSURE;
    cloth.fabric.bend = 1e-6;
    return cloth;
}

typedef struct Balloon {
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;
} Balloon;

static Balloon open_balloon(const WeftClothDef* cloth, const WeftStepDef* step) {
    Balloon b = {.step = *step};
    WeftModelDef def = weft_default_model_def();
    WeftError error = {0};
    def.cloths = cloth, def.cloth_count = 1;
    def.step = *step;
    if (weft_create_model(&def, &b.model, &error) || weft_create_state(b.model, &b.state, &error))
        exit(printf("%s\n", error.message));
    return b;
}

static void close_balloon(Balloon* b) {
    weft_destroy_state(b->state);
    weft_destroy_model(b->model);
}

static void take_steps(Balloon* b, int count) {
    for (int k = 0; k < count; k++)
        if (weft_step(b->state, &b->step)) {
            CHECK(!"the step failed");
            printf("%s\n", weft_state_error(b->state)->message);
            return;
        }
}

static WeftStepDef quiet_step(void) {
    WeftStepDef step = weft_default_step_def();
    step.gravity[1] = 0;
    step.air_density = 0;
    step.stretch_tolerance = 0;
    return step;
}

static double mean_radius(const Balloon* b) {
    int n = weft_vertex_count(b->model);
    double sum = 0;
    WfVec middle = {0, 0, 0};
    for (int i = 0; i < n; i++)
        middle = wf_madd(middle, 1.0 / n, wf_load(weft_positions(b->state), i));
    for (int i = 0; i < n; i++)
        sum += wf_length(wf_sub(wf_load(weft_positions(b->state), i), middle)) / n;
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Forces

// The first step, of what is held by nothing: v = h F/m, and F = p dV/dx.
static void force_is_the_gradient_of_the_volume(void) {
    Ball* ball = make_ball(3, 0.3);
    for (int i = 0; i < 3 * ball->vertex_count; i++) ball->x[i] += 0.03 * sin(7 * i + 1) + 4;
    WeftClothDef cloth = ball_cloth(ball);
    cloth.pressure = 2;
    cloth.bend = WEFT_BEND_NONE;
    WeftStepDef step = quiet_step();
    step.method = WEFT_METHOD_SYMPLECTIC;
    step.substeps = 1;
    step.dt = 1e-4;
    Balloon b = open_balloon(&cloth, &step);
    take_steps(&b, 1);
    WfVec sum = {0, 0, 0};
    for (int i = 0; i < ball->vertex_count; i++) {
        double m = weft_masses(b.model)[i], g[3];
        for (int d = 0; d < 3; d++) {
            double* x = &ball->x[3 * i + d];
            *x += 1e-4;
            double more = wf_enclosed_volume(ball->triangle_count, ball->triangles, ball->x);
            *x -= 2e-4;
            double less = wf_enclosed_volume(ball->triangle_count, ball->triangles, ball->x);
            *x += 1e-4;
            g[d] = 2 * (more - less) / 2e-4;
        }
        WfVec f = wf_mul(m / step.dt, wf_load(weft_velocities(b.state), i));
        CHECK_BELOW(wf_length(wf_sub(f, wf_load(g, 0))), 1e-6);
        sum = wf_add(sum, f);
    }
    CHECK_BELOW(wf_length(sum), 1e-8);
    close_balloon(&b);
    free(ball);
}

// ---------------------------------------------------------------------------------------------
// Balloons

// Tension T = p R/2 in a sphere whose radius has grown from R0 by the strain e in both directions:
// a membrane has T = E e/(1 - nu).
static double balloon_radius(double radius, double pressure, double young, double poisson) {
    double r = radius;
    for (int k = 0; k < 200; k++) r = radius * (1 + (1 - poisson) * pressure * r / 2 / young);
    return r;
}

static void as_large_as_its_stiffness_says(void) {
    const struct {
        double radius, pressure;
        int cuts;
    } sizes[] = {{0.15, 400, 6}, {0.15, 400, 12}, {0.02, 3000, 8}, {2, 60, 8}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        Ball* ball = make_ball(sizes[k].cuts, sizes[k].radius);
        WeftClothDef cloth = ball_cloth(ball);
        cloth.stretch = WEFT_STRETCH_QUADRATIC;
        weft_set_isotropic(&cloth.fabric, 1000, 0.3);
        cloth.pressure = sizes[k].pressure;
        cloth.fabric.mass_damping = 10;
        WeftStepDef step = quiet_step();
        step.method = WEFT_METHOD_IMPLICIT;
        Balloon b = open_balloon(&cloth, &step);
        take_steps(&b, 120);
        double wanted = balloon_radius(sizes[k].radius, sizes[k].pressure, 1000, 0.3);
        CHECK_NEAR((mean_radius(&b) - sizes[k].radius) / (wanted - sizes[k].radius), 1, 0.06);
        WeftMeasure measure;
        weft_measure(b.state, step.gravity, &measure);
        CHECK_BELOW(measure.max_speed, 1e-3);
        close_balloon(&b);
        free(ball);
    }
}

static void by_every_method(void) {
    const WeftMethod methods[] = {WEFT_METHOD_PREFACTORED, WEFT_METHOD_IMPLICIT,
                                  WEFT_METHOD_RELAXATION, WEFT_METHOD_MATRIX_FREE};
    Ball* ball = make_ball(8, 0.15);
    double radius[4];
    for (int k = 0; k < 4; k++) {
        WeftClothDef cloth = ball_cloth(ball);
        cloth.pressure = 500;
        cloth.fabric.mass_damping = 10;
        WeftStepDef step = quiet_step();
        step.method = methods[k];
        Balloon b = open_balloon(&cloth, &step);
        take_steps(&b, 180);
        radius[k] = mean_radius(&b);
        CHECK_NEAR(radius[k], radius[0], 1e-4);
        double volume, pressure;
        weft_copy_inflation(b.state, 0, &volume, &pressure);
        CHECK(pressure == 500);
        CHECK_NEAR(volume, 4.18879 * pow(radius[k], 3), 0.03 * volume);
        // let the air out, and in again
        weft_set_pressure(b.state, 0, 0);
        take_steps(&b, 120);
        CHECK(mean_radius(&b) < 0.1501);
        weft_set_pressure(b.state, 0, 500);
        take_steps(&b, 240);
        CHECK_NEAR(mean_radius(&b), radius[k], 2e-4);
        close_balloon(&b);
    }
    free(ball);
}

// p V stays, and the balloon where its tension carries it.
static void gas_keeps_its_amount(void) {
    const double outside[] = {0, 1000, 101325};
    for (int k = 0; k < 3; k++) {
        Ball* ball = make_ball(8, 0.15);
        WeftClothDef cloth = ball_cloth(ball);
        cloth.inflation = WEFT_INFLATION_GAS;
        cloth.pressure = 800;
        cloth.outside_pressure = outside[k];
        cloth.fabric.mass_damping = 5;
        WeftStepDef step = quiet_step();
        Balloon b = open_balloon(&cloth, &step);
        double first, volume, pressure, most = 0;
        weft_copy_inflation(b.state, 0, &first, &pressure);
        for (int s = 0; s < 600; s++) {
            take_steps(&b, 1);
            weft_copy_inflation(b.state, 0, &volume, NULL);
            most = fmax(most, volume);
        }
        weft_copy_inflation(b.state, 0, &volume, &pressure);
        CHECK_NEAR((outside[k] + pressure) * volume, (outside[k] + 800) * first,
                   1e-4 * (outside[k] + 800) * first);
        CHECK(pressure < 800 && pressure > 0);
        CHECK(most < 1.5 * first);
        close_balloon(&b);
        free(ball);
    }
}

// Helium lifts by the weight of the air that it displaces, less its own; air by nothing.
static void helium_rises(void) {
    const double densities[] = {0.17, 1.2};
    for (int k = 0; k < 2; k++) {
        Ball* ball = make_ball(6, 0.2);
        WeftClothDef cloth = ball_cloth(ball);
        cloth.inflation = WEFT_INFLATION_GAS;
        cloth.gas_density = densities[k];
        cloth.pressure = 100;
        cloth.outside_pressure = 100;
        cloth.fabric.density = 0.03;
        cloth.fabric.air_drag = cloth.fabric.air_friction = 0;
        WeftStepDef step = weft_default_step_def();
        step.stretch_tolerance = 0;
        Balloon b = open_balloon(&cloth, &step);
        double mass = 0, momentum = 0, volume, pressure, gas = 0;
        weft_copy_inflation(b.state, 0, &gas, &pressure);
        gas *= densities[k];
        take_steps(&b, 30);
        weft_copy_inflation(b.state, 0, &volume, &pressure);
        for (int i = 0; i < ball->vertex_count; i++) {
            mass += weft_masses(b.model)[i];
            momentum += weft_masses(b.model)[i] * weft_velocities(b.state)[3 * i + 1];
        }
        double wanted = 9.81 * (1.2 * volume - gas - mass) * 0.5;
        CHECK_NEAR(momentum, wanted, 0.05 * fabs(wanted));
        CHECK((k == 0) == (momentum > 0));
        close_balloon(&b);
        free(ball);
    }
}

// A slack bag, a third of the gas, with the air outside pressing: it gives way, and does not burst.
static void slack_bag_stays_whole(void) {
    Ball* ball = make_ball(8, 0.15);
    WeftClothDef cloth = ball_cloth(ball);
    cloth.inflation = WEFT_INFLATION_GAS;
    cloth.outside_pressure = 101325;
    cloth.pressure = -30000;
    WeftStepDef step = quiet_step();
    step.gravity[1] = -9.81;
    step.air_density = 1.2;
    Balloon b = open_balloon(&cloth, &step);
    double volume, worst = 0;
    for (int k = 0; k < 240; k++) {
        take_steps(&b, 1);
        WeftMeasure measure;
        weft_measure(b.state, step.gravity, &measure);
        worst = fmax(worst, measure.p99_stretch);
    }
    weft_copy_inflation(b.state, 0, &volume, NULL);
    CHECK_BELOW(worst, 1.6);
    CHECK(volume > 0.005 && volume < 0.0142);
    close_balloon(&b);
    free(ball);
}

// A cushion between a floor and a plate that comes down: what it loses of its volume it has in
// pressure, and what is pressed out goes back.
static void cushion_under_a_plate(void) {
    Ball* ball = make_ball(6, 0.15);
    WeftClothDef cloth = ball_cloth(ball);
    WeftBodyDef bodies[2] = {weft_default_body_def(), weft_default_body_def()};
    WeftModelDef def = weft_default_model_def();
    Balloon b = {.step = weft_default_step_def()};
    double volume[2], pressure[2];
    cloth.inflation = WEFT_INFLATION_GAS;
    cloth.pressure = 300;
    bodies[0].kind = WEFT_BODY_PLANE, bodies[0].position[1] = -0.17;
    bodies[1].kind = WEFT_BODY_BOX, bodies[1].position[1] = 0.35, bodies[1].size[1] = 0.1;
    def.cloths = &cloth, def.cloth_count = 1;
    def.bodies = bodies, def.body_count = 2;
    CHECK(!weft_create_model(&def, &b.model, NULL) && !weft_create_state(b.model, &b.state, NULL));
    take_steps(&b, 60);
    weft_copy_inflation(b.state, 0, &volume[0], &pressure[0]);
    for (int k = 1; k <= 90; k++) {
        double down[3] = {0, 0.35 - 0.25 * fmin(k / 60.0, 1), 0};
        weft_move_body(b.state, 1, down, bodies[1].rotation);
        take_steps(&b, 1);
    }
    weft_copy_inflation(b.state, 0, &volume[1], &pressure[1]);
    CHECK(pressure[1] > 1.05 * pressure[0]);
    CHECK_NEAR(pressure[1] * volume[1], pressure[0] * volume[0], 0.02 * pressure[0] * volume[0]);
    close_balloon(&b);
    free(ball);
}

// ---------------------------------------------------------------------------------------------
// Kept, and refused

static void kept_with_the_state(void) {
    Ball* ball = make_ball(4, 0.15);
    WeftClothDef cloth = ball_cloth(ball);
    cloth.inflation = WEFT_INFLATION_GAS;
    cloth.pressure = 300;
    WeftStepDef step = quiet_step();
    Balloon b = open_balloon(&cloth, &step), c = open_balloon(&cloth, &step);
    take_steps(&b, 5);
    weft_set_pressure(b.state, 0, 600);
    size_t bytes = weft_saved_size(b.state);
    void* saved = malloc(bytes);
    weft_save_state(b.state, saved);
    CHECK(!weft_load_state(c.state, saved, bytes, NULL));
    take_steps(&b, 5);
    take_steps(&c, 5);
    CHECK(weft_hash_state(b.state) == weft_hash_state(c.state));
    weft_reset_state(c.state);
    weft_continue_state(c.state, b.state);
    double p, q;
    weft_copy_inflation(b.state, 0, NULL, &p);
    weft_copy_inflation(c.state, 0, NULL, &q);
    CHECK(p == q && p > 310);
    uint64_t before = weft_hash_state(b.state);
    weft_set_pressure(b.state, 0, NAN);
    CHECK(weft_hash_state(b.state) == before);
    CHECK(weft_step(b.state, &step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(b.state)->message, "cloth 0: its pressure is not a number");
    weft_set_pressure(b.state, 0, -2e5);
    CHECK(weft_hash_state(b.state) == before);
    CHECK(weft_step(b.state, &step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(b.state)->message, "cloth 0: its pressure is -200000 Pa");
    free(saved);
    close_balloon(&b);
    close_balloon(&c);
    free(ball);
}

static void refused(void) {
    Ball* ball = make_ball(4, 0.15);
    WeftClothDef cloth = ball_cloth(ball);
    WeftModelDef def = weft_default_model_def();
    WeftModel* model = NULL;
    WeftError error;
    def.cloths = &cloth, def.cloth_count = 1;
    cloth.triangle_count--;
    CHECK(weft_create_model(&def, &model, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "cloth 0: what is blown up must be closed, but the edge of vertices");
    cloth.triangle_count++;
    for (int t = 0; t < ball->triangle_count; t++) {
        int* v = ball->triangles + 3 * t;
        int first = v[0];
        v[0] = v[1], v[1] = first;
    }
    CHECK(weft_create_model(&def, &model, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "look inwards");
    cloth.pressure = NAN;
    CHECK(weft_create_model(&def, &model, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "a pressure of nan Pa");
    free(ball);
}

TEST_MAIN(CASE(force_is_the_gradient_of_the_volume), SLOW_CASE(as_large_as_its_stiffness_says),
          SLOW_CASE(by_every_method), SLOW_CASE(gas_keeps_its_amount), CASE(helium_rises),
          CASE(slack_bag_stays_whole), CASE(cushion_under_a_plate), CASE(kept_with_the_state),
          CASE(refused))
