// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards heavy bodies on stiff gas, which feel it by forces read back as docs/attach.md says: moved
// ahead by their weight, but not into the floor, they get the forces of contact. They come to rest
// with the force of their weight, and rise no higher than they came from. `WEFT_LONG=1
// WEFT_SHOW=1` prints the table of docs/forces.md.

#include "test.h"
#include "weft/weft_mesh.h"

typedef struct Fall {
    double size, edge, stiffness, pressure;  // of the cushion: m, m, N/m, Pa
    double mass, radius, height;             // of the ball: kg, m, m above the cushion
    int quality;
    WeftMethod method;
    double outside, stretch_damping, mass_damping;
} Fall;

typedef struct Fallen {
    double rise;   // J, of the ball above what it had at first, at most
    double speed;  // m/s upwards, at most
    double force;  // N, mean of the last second
    double y;      // m, at the end
} Fallen;

static const Fall usual = {.size = 0.3,
                           .edge = 0.05,
                           .stiffness = 2000,
                           .pressure = 2000,
                           .mass = 40,
                           .radius = 0.15,
                           .height = 0.2,
                           .quality = 4,
                           .method = WEFT_METHOD_PREFACTORED,
                           .outside = 101325};
static const double DT = 1.0 / 60, GRAVITY = 9.81, FLOOR = 0.004;  // s, m/s^2, m

static WeftModel* make_cushion(const Fall* fall, double start) {
    WeftBallDef ball = {fall->size, fall->edge};
    WeftMesh mesh;
    WeftModel* model = NULL;
    CHECK(weft_make_ball(&ball, NULL, &mesh, NULL) == WEFT_OK);
    for (int i = 0; i < mesh.vertex_count; i++) mesh.positions[3 * i + 1] += fall->size + 0.003;
    WeftClothDef cloth = weft_default_cloth_def();
    WeftBodyDef bodies[2] = {weft_default_body_def(), weft_default_body_def()};
    WeftModelDef def = weft_default_model_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.inflation = WEFT_INFLATION_GAS;
    cloth.pressure = fall->pressure, cloth.outside_pressure = fall->outside;
    cloth.fabric.stretch_warp = cloth.fabric.stretch_weft = fall->stiffness;
    cloth.fabric.stretch_damping = fall->stretch_damping;
    cloth.fabric.mass_damping = fall->mass_damping;
    bodies[0].kind = WEFT_BODY_PLANE;
    bodies[1].kind = WEFT_BODY_SPHERE, bodies[1].radius = fall->radius;
    bodies[1].position[1] = start;
    def.cloths = &cloth, def.cloth_count = 1;
    def.bodies = bodies, def.body_count = 2;
    def.contact = WEFT_CONTACT_BODIES;
    CHECK(weft_create_model(&def, &model, NULL) == WEFT_OK);
    weft_destroy_mesh(&mesh);
    return model;
}

static Fallen let_fall(Fall fall, int steps) {
    double y = 2 * fall.size + fall.radius + 0.01 + fall.height, v = 0;
    const double lowest = fall.radius + FLOOR, still[4] = {0, 0, 0, 1};
    const double start = fall.mass * GRAVITY * y;
    Fallen fallen = {.rise = -start};
    WeftModel* model = make_cushion(&fall, y);
    WeftState* state = NULL;
    WeftStepDef step = weft_default_step_def();
    step.forces = true, step.rest_speed = 0;
    step.quality = fall.quality, step.method = fall.method;
    CHECK(weft_create_state(model, &state, NULL) == WEFT_OK);
    for (int k = 0; k < steps; k++) {
        double force[3], ahead[3] = {0, fmax(y + DT * (v - DT * GRAVITY), lowest), 0};
        weft_move_body(state, 1, ahead, still);
        CHECK(weft_step(state, &step) == WEFT_OK);
        weft_contact_force(state, 1, force, NULL);
        v += DT * (force[1] / fall.mass - GRAVITY);
        y += DT * v;
        if (y < lowest) y = lowest, v = fmax(v, 0);
        fallen.rise = fmax(fallen.rise, fall.mass * (GRAVITY * y + v * v / 2) - start);
        fallen.speed = fmax(fallen.speed, v);
        if (k >= steps - 60) fallen.force += force[1] / 60;
    }
    fallen.y = y;
    weft_destroy_state(state);
    weft_destroy_model(model);
    return fallen;
}

// It was thrown at 50 m/s, where it was ahead of itself in the floor, with cloth between.
static void comes_to_rest(void) {
    Fall fall = usual;
    fall.edge = 0.07;
    fall.stiffness = 20000, fall.pressure = 5000;
    fall.stretch_damping = 0.01, fall.mass_damping = 1;
    Fallen fallen = let_fall(fall, 300);
    CHECK_BELOW(fallen.rise, 0);
    CHECK(fallen.y > fall.radius + 0.1);
    CHECK_NEAR(fallen.force, fall.mass * GRAVITY, 0.01 * fall.mass * GRAVITY);
}

// Thirty of them: meshes, fabrics, sizes, masses, methods; from three heights.
static Fall nth_fall(int n) {
    const double heights[] = {0.05, 0.2, 0.6};
    Fall f = usual;
    f.height = heights[n / 10];
    if (n % 10 == 1 || n % 10 == 4 || n % 10 == 8) f.stiffness = 20000;
    if (n % 10 == 2 || n % 10 == 5 || n % 10 == 8) f.radius = 0.5;
    if (n % 10 == 3) f.edge = 0.1;
    if (n % 10 == 4) f.size = 0.15, f.edge = 0.025, f.radius = 0.1, f.pressure = 5000;
    if (n % 10 == 5) f.mass = 4;
    if (n % 10 == 6) f.quality = 3;
    if (n % 10 == 7) f.method = WEFT_METHOD_IMPLICIT;
    if (n % 10 == 8) f.pressure = 500;
    if (n % 10 == 9) f.edge = 0.03;
    return f;
}

static void thirty_falls(void) {
    const struct {
        double outside, stretch_damping, mass_damping;
        int most;  // that rise
        double speed;
    } rows[] = {{101325, 0, 0, 25, 15},
                {5000, 0, 0, 3, 6},
                {101325, 0.01, 0, 3, 6},
                {20000, 0.01, 3, 0, 4}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        int risen = 0;
        double speed = 0;
        for (int n = 0; n < 30; n++) {
            Fall fall = nth_fall(n);
            fall.outside = rows[r].outside;
            fall.stretch_damping = rows[r].stretch_damping;
            fall.mass_damping = rows[r].mass_damping;
            Fallen fallen = let_fall(fall, 200);
            risen += fallen.rise > 0;
            speed = fmax(speed, fallen.speed);
        }
        CHECK(risen <= rows[r].most);
        CHECK_BELOW(speed, rows[r].speed);
        if (getenv("WEFT_SHOW"))
            printf("outside %g Pa, damping %g s, %g 1/s: %d rose, %.1f m/s\n", rows[r].outside,
                   rows[r].stretch_damping, rows[r].mass_damping, risen, speed);
    }
}

TEST_MAIN(SLOW_CASE(comes_to_rest), LONG_CASE(thirty_falls))
