// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards forces that are read back: pins and contacts carry the weight, both halves of a mirror
// count, momentum changes by what is read, whoever hits whom.

#include "test.h"
#include "weft/weft_mesh.h"

typedef struct Cloth {
    WeftMesh mesh;
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;
    int count;
    double weight;  // N
} Cloth;

// A square of 0.5 m, level, at height y.
static WeftMesh make_square(int cells, double y) {
    WeftGridDef grid = weft_default_grid_def();
    WeftMesh mesh;
    grid.columns = grid.rows = cells;
    grid.width = grid.height = 0.5;
    CHECK(weft_make_grid(&grid, NULL, &mesh, NULL) == WEFT_OK);
    for (int i = 0; i < mesh.vertex_count; i++) {
        mesh.positions[3 * i] -= 0.25;
        mesh.positions[3 * i + 1] = y;
        mesh.positions[3 * i + 2] += 0.25;
    }
    return mesh;
}

static Cloth open_cloth(WeftMesh mesh, WeftModelDef* def, WeftClothDef* cloth) {
    Cloth c = {.mesh = mesh, .step = weft_default_step_def()};
    WeftError error = {0};
    weft_use_mesh(cloth, &c.mesh);
    def->cloths = cloth, def->cloth_count = 1;
    CHECK(weft_create_model(def, &c.model, &error) == WEFT_OK);
    CHECK_TEXT(error.message, "");
    CHECK(weft_create_state(c.model, &c.state, NULL) == WEFT_OK);
    c.step.forces = true;
    c.count = mesh.vertex_count;
    for (int i = 0; i < c.count; i++) c.weight += 9.81 * weft_masses(c.model)[i];
    return c;
}

static void close_cloth(Cloth* c) {
    weft_destroy_state(c->state);
    weft_destroy_model(c->model);
    weft_destroy_mesh(&c->mesh);
}

static void take_steps(Cloth* c, int count) {
    for (int k = 0; k < count; k++) CHECK(weft_step(c->state, &c->step) == WEFT_OK);
}

static void sum_contacts(const Cloth* c, double sum[3]) {
    double* forces = malloc(3 * (size_t)c->count * sizeof *forces);
    memset(sum, 0, 3 * sizeof *sum);
    weft_copy_contact_forces(c->state, forces);
    for (int i = 0; i < 3 * c->count; i++) sum[i % 3] += forces[i];
    free(forces);
}

static void sum_pins(const Cloth* c, double sum[3]) {
    memset(sum, 0, 3 * sizeof *sum);
    for (int i = 0; i < c->count; i++) {
        double force[3];
        weft_pin_force(c->state, i, force);
        for (int d = 0; d < 3; d++) sum[d] += force[d];
        if (!weft_is_pinned(c->state, i)) CHECK(force[0] == 0 && force[1] == 0 && force[2] == 0);
    }
}

static void momentum_of(const Cloth* c, double sum[3]) {
    memset(sum, 0, 3 * sizeof *sum);
    for (int i = 0; i < 3 * c->count; i++)
        sum[i % 3] += weft_masses(c->model)[i / 3] * weft_velocities(c->state)[i];
}

static const WeftMethod methods[] = {WEFT_METHOD_PREFACTORED, WEFT_METHOD_IMPLICIT,
                                     WEFT_METHOD_MATRIX_FREE, WEFT_METHOD_RELAXATION,
                                     WEFT_METHOD_SYMPLECTIC,  WEFT_METHOD_SMALL_STEPS};
enum { METHODS = sizeof methods / sizeof *methods };

// ---------------------------------------------------------------------------------------------

// At rest on a floor: its weight, also when it has gone to sleep.
static void weight_on_a_floor(void) {
    for (int m = 0; m < METHODS; m++) {
        int before = test_failures;
        WeftBodyDef floor = weft_default_body_def();
        floor.kind = WEFT_BODY_PLANE;
        WeftModelDef def = weft_default_model_def();
        def.bodies = &floor, def.body_count = 1;
        WeftClothDef cloth = weft_default_cloth_def();
        Cloth c = open_cloth(make_square(6, 0.0015), &def, &cloth);
        c.step.method = methods[m];
        for (int k = 0; k < 60; k++) {
            take_steps(&c, 1);
            double force[3], torque[3], sum[3];
            weft_contact_force(c.state, 0, force, torque);
            sum_contacts(&c, sum);
            for (int d = 0; d < 3; d++) CHECK_NEAR(sum[d], -force[d], 1e-9);
            if (k < 30) continue;
            bool rough =
                methods[m] == WEFT_METHOD_SYMPLECTIC || methods[m] == WEFT_METHOD_RELAXATION;
            double left = methods[m] == WEFT_METHOD_SMALL_STEPS ? 1e-5 : 1e-6;  // what floats round
            CHECK_NEAR(force[1], -c.weight, (rough ? 1e-2 : left) * c.weight);
            CHECK_NEAR(torque[0], 0, 1e-4);
            CHECK_NEAR(torque[2], 0, 1e-4);
        }
        if (m == 0) {
            CHECK(weft_report(c.state)->asleep);
            c.step.forces = false;
            c.step.rest_speed = 0;
            take_steps(&c, 1);
            double force[3];
            weft_contact_force(c.state, 0, force, NULL);
            CHECK(force[1] == 0);  // this step kept none
        }
        close_cloth(&c);
        if (test_failures != before) printf("... with method %d\n", (int)methods[m]);
    }
}

// On a slope that holds it: friction, too. Beside it, a box on which another cloth lies over an
// edge.
static void weight_on_a_slope_by(WeftMethod method, double left) {
    WeftBodyDef bodies[2] = {weft_default_body_def(), weft_default_body_def()};
    double angle = 0.1;
    bodies[0].kind = WEFT_BODY_PLANE;
    bodies[0].rotation[2] = sin(angle / 2), bodies[0].rotation[3] = cos(angle / 2);
    bodies[1].kind = WEFT_BODY_BOX;
    bodies[1].position[0] = 40;
    bodies[0].friction = 1;
    WeftModelDef def = weft_default_model_def();
    def.bodies = bodies, def.body_count = 2;
    WeftClothDef cloth = weft_default_cloth_def();
    cloth.fabric.friction = 1;
    WeftMesh mesh = make_square(6, 0);
    for (int i = 0; i < mesh.vertex_count; i++) {
        double x = mesh.positions[3 * i];
        mesh.positions[3 * i] = x * cos(angle) - 0.0015 * sin(angle);
        mesh.positions[3 * i + 1] = x * sin(angle) + 0.0015 * cos(angle);
    }
    Cloth c = open_cloth(mesh, &def, &cloth);
    c.step.method = method;
    take_steps(&c, 60);
    double force[3], other[3];
    weft_contact_force(c.state, 0, force, NULL);
    weft_contact_force(c.state, 1, other, NULL);
    CHECK_NEAR(force[0], 0, left * c.weight);
    CHECK_NEAR(force[1], -c.weight, left * c.weight);
    CHECK(other[0] == 0 && other[1] == 0 && other[2] == 0);
    close_cloth(&c);
}
static void weight_on_a_slope(void) {
    weight_on_a_slope_by(WEFT_METHOD_PREFACTORED, 1e-5);
    weight_on_a_slope_by(WEFT_METHOD_SMALL_STEPS, 2e-3);
}

// Cloth over a ball and a box, in folds: what is at rest is carried.
static void weight_on_bodies(void) {
    static const WeftBodyKind kinds[] = {WEFT_BODY_SPHERE, WEFT_BODY_BOX};
    for (int k = 0; k < 4; k++) {
        WeftBodyDef body = weft_default_body_def();
        body.kind = kinds[k % 2];
        body.radius = 0.15;
        for (int d = 0; d < 3; d++) body.size[d] = 0.3;
        body.friction = 0.6;
        WeftModelDef def = weft_default_model_def();
        def.bodies = &body, def.body_count = 1;
        def.contact = WEFT_CONTACT_ALL;
        WeftClothDef cloth = weft_default_cloth_def();
        cloth.fabric.friction = 0.6;
        cloth.fabric.mass_damping = 4;
        Cloth c = open_cloth(make_square(10, 0.1525), &def, &cloth);
        if (k > 1) c.step.method = WEFT_METHOD_SMALL_STEPS;
        take_steps(&c, 180);
        double mean[3] = {0}, force[3];
        for (int s = 0; s < 60; s++) {
            take_steps(&c, 1);
            weft_contact_force(c.state, 0, force, NULL);
            for (int d = 0; d < 3; d++) mean[d] += force[d] / 60;
        }
        CHECK_NEAR(mean[1], -c.weight, 0.01 * c.weight);
        CHECK_NEAR(mean[0], 0, 0.01 * c.weight);
        CHECK_NEAR(mean[2], 0, 0.01 * c.weight);
        close_cloth(&c);
    }
}

static void pins_carry(void) {
    for (int m = 0; m < METHODS; m++) {
        int before = test_failures;
        WeftClothDef cloth = weft_default_cloth_def();
        int pins[7];
        for (int i = 0; i < 7; i++) pins[i] = i;
        cloth.pins = pins, cloth.pin_count = 7;
        cloth.fabric.mass_damping = 5;
        WeftModelDef def = weft_default_model_def();
        WeftMesh mesh = make_square(6, 0);
        for (int i = 0; i < mesh.vertex_count; i++) {  // hangs from the start
            mesh.positions[3 * i + 1] = mesh.positions[3 * i + 2];
            mesh.positions[3 * i + 2] = 0;
        }
        Cloth c = open_cloth(mesh, &def, &cloth);
        c.step.method = methods[m];
        c.step.tolerance = 1e-9;
        take_steps(&c, 400);
        double sum[3];
        sum_pins(&c, sum);
        // sweeps leave more than solves
        bool sweeps = methods[m] == WEFT_METHOD_RELAXATION;
        double left = methods[m] == WEFT_METHOD_SMALL_STEPS ? 5e-3 : 1e-4;
        CHECK_NEAR(sum[1], c.weight, (sweeps ? 2e-3 : left) * c.weight);
        CHECK_NEAR(sum[0], 0, 1e-3 * c.weight);
        close_cloth(&c);
        if (test_failures != before) printf("... with method %d\n", (int)methods[m]);
    }
}

// In any motion: what pins, contacts, attachments and weight give is the change of momentum. By
// first order step by step; by second order, whose momentum is that of two steps, in the sum.
static void momentum_balances(void) {
    for (int order = 1; order <= 3; order++) {  // 3: small steps
        WeftBodyDef ball = weft_default_body_def();
        ball.radius = 0.1;
        ball.position[1] = -0.3;
        WeftModelDef def = weft_default_model_def();
        def.bodies = &ball, def.body_count = 1;
        WeftClothDef cloth = weft_default_cloth_def();
        int pins[1] = {0};
        cloth.pins = pins, cloth.pin_count = 1;
        Cloth c = open_cloth(make_square(8, 0), &def, &cloth);
        bool small = order == 3;
        c.step.order = small ? 0 : order;
        c.step.method = small ? WEFT_METHOD_SMALL_STEPS : WEFT_METHOD_IMPLICIT;
        c.step.tolerance = 1e-9;
        c.step.newton_steps = 20;
        c.step.newton_tolerance = 1e-8;
        c.step.substeps = small ? 0 : 2;
        c.step.air_density = 0;
        c.step.rest_speed = 0;
        WeftAttachmentDef at = weft_default_attachment_def();
        at.vertices[0] = 80;
        at.stiffness = 20;
        int a;
        CHECK(weft_attach(c.state, &at, &a, NULL) == WEFT_OK);
        double before[3], after[3], given[3] = {0}, touched = 0, worst = 0;
        momentum_of(&c, before);
        for (int k = 0; k < 60; k++) {
            double start[3], end[3], f[4][3], net[3];
            momentum_of(&c, start);
            take_steps(&c, 1);
            momentum_of(&c, end);
            sum_pins(&c, f[0]);
            sum_contacts(&c, f[1]);
            weft_attachment_force(c.state, a, f[2]);
            weft_contact_force(c.state, 0, f[3], NULL);
            for (int d = 0; d < 3; d++) {
                CHECK_NEAR(f[3][d], -f[1][d], 1e-9);
                net[d] = f[0][d] + f[1][d] + f[2][d] - (d == 1 ? c.weight : 0);
                given[d] += net[d] / 60;
                worst = fmax(worst, fabs(end[d] - start[d] - net[d] / 60));
            }
            touched = fmax(touched, fabs(f[1][1]));
        }
        momentum_of(&c, after);
        CHECK(touched > 0.1);  // it hits the ball
        double scale = c.weight / 60;
        if (order == 1) CHECK_BELOW(worst, 1e-9 * scale);
        if (small) CHECK_BELOW(worst, 0.02 * scale);  // what floats round of the weight
        for (int d = 0; d < 3; d++)
            CHECK_NEAR(after[d] - before[d], given[d],
                       (order == 1 ? 1e-9 : 1) * scale);  // of one step
        close_cloth(&c);
    }
}

// A drop on a floor at any speed gives the floor the momentum that is lost, once.
static void a_hit_counts_once(void) {
    for (int order = 1; order <= 3; order++) {  // 3: small steps
        WeftBodyDef floor = weft_default_body_def();
        floor.kind = WEFT_BODY_PLANE;
        WeftModelDef def = weft_default_model_def();
        def.bodies = &floor, def.body_count = 1;
        WeftClothDef cloth = weft_default_cloth_def();
        cloth.velocity[1] = -3;
        Cloth c = open_cloth(make_square(6, 0.2), &def, &cloth);
        c.step.order = order < 3 ? order : 0;
        if (order == 3) c.step.method = WEFT_METHOD_SMALL_STEPS;
        c.step.air_density = 0;
        memset(c.step.gravity, 0, sizeof c.step.gravity);
        double given = 0, end[3];
        for (int k = 0; k < 30; k++) {
            double force[3];
            take_steps(&c, 1);
            weft_contact_force(c.state, 0, force, NULL);
            given += force[1] / 60;
        }
        momentum_of(&c, end);
        double began = -3 * c.weight / 9.81;
        CHECK_NEAR(given, began - end[1], 0.01 * fabs(began));
        close_cloth(&c);
    }
}

// Both halves of a mirror press, pull and are held.
static void both_halves(void) {
    for (int k = 0; k < 4; k++) {
        bool pinned = k % 2, small = k > 1;
        WeftMesh mesh = make_square(8, 0.0015);
        WeftPlane plane = {{0, 0, 0}, {1, 0, 0}};
        CHECK(weft_mirror_mesh(&mesh, &plane, WEFT_HALVING_SPLIT, NULL, NULL) == WEFT_OK);
        WeftBodyDef floor = weft_default_body_def();
        floor.kind = WEFT_BODY_PLANE;
        WeftModelDef def = weft_default_model_def();
        def.mirror.kind = WEFT_MIRROR_EXACT;
        def.bodies = &floor, def.body_count = pinned ? 0 : 1;
        WeftClothDef cloth = weft_default_cloth_def();
        cloth.fabric.mass_damping = 5;
        int pins[100], count = 0;
        for (int i = 0; i < mesh.vertex_count; i++)
            if (mesh.positions[3 * i + 2] > 0.2499) pins[count++] = i;
        cloth.pins = pins, cloth.pin_count = pinned ? count : 0;
        Cloth c = open_cloth(mesh, &def, &cloth);
        double force[3], sum[3], left = small ? 5e-3 : 1e-6;
        if (small) c.step.method = WEFT_METHOD_SMALL_STEPS;
        take_steps(&c, pinned ? 400 : 40);
        sum_pins(&c, sum);
        if (pinned) CHECK_NEAR(sum[1], c.weight, (small ? 5e-3 : 1e-3) * c.weight);
        if (!pinned) {
            weft_contact_force(c.state, 0, force, NULL);
            CHECK_NEAR(force[1], -c.weight, left * c.weight);
            sum_contacts(&c, sum);
            CHECK_NEAR(sum[1], c.weight, left * c.weight);
        }
        CHECK_NEAR(sum[0], 0, 1e-9);
        close_cloth(&c);
    }
}

// A model that was made for small steps has made nothing ready for methods that solve.
static void made_for_small_steps(void) {
    WeftModelDef def = weft_default_model_def();
    WeftClothDef cloth = weft_default_cloth_def();
    int pin = 0;
    def.step.method = WEFT_METHOD_SMALL_STEPS;
    cloth.pins = &pin, cloth.pin_count = 1;
    Cloth c = open_cloth(make_square(8, 0), &def, &cloth);
    double sum[3];
    c.step.method = WEFT_METHOD_SMALL_STEPS;
    take_steps(&c, 3);
    sum_pins(&c, sum);
    CHECK(sum[1] > 0 && sum[1] < 2 * c.weight);
    close_cloth(&c);
}

TEST_MAIN(CASE(weight_on_a_floor), CASE(made_for_small_steps), CASE(weight_on_a_slope), SLOW_CASE(weight_on_bodies),
          SLOW_CASE(pins_carry), SLOW_CASE(momentum_balances), CASE(a_hit_counts_once),
          CASE(both_halves))
