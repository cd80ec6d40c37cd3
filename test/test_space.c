// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards local space: cloth in a frame that moves is where it would be in the world, by every
// method; shares of inertia, from none to all of it; a ride at 300 km/h, far away, as in a train
// that stands; what flies free goes straight, turned by Coriolis; teleports, saves and refusals.

#include "contact/body.h"
#include "counting.h"
#include "mirror_test.h"
#include "swing.h"
#include "test.h"

enum { N = 9, VERTICES = N * N };

// ---------------------------------------------------------------------------------------------
// A way through the world

static WfPose make_pose(double x, double y, double z, WfVec axis, double angle) {
    WfVec n = wf_mul(sin(angle / 2), wf_unit(axis));
    return (WfPose){{x, y, z}, {n.x, n.y, n.z, cos(angle / 2)}};
}

// Never slower than a still thing: how cloth opens is judged by speeds in the space.
static WfPose winding_way(double t) {
    return make_pose(0.6 * sin(3 * t), 0.2 * t * t, 0.4 * cos(2 * t) - 0.4, (WfVec){0.3, 1, -0.4},
                     2 * t + 0.3 * sin(4 * t));
}

static double distance(const double* a, const double* b) {
    return wf_length(wf_sub(wf_load(a, 0), wf_load(b, 0)));
}

// How far `local`, put into the world by a frame, is from `world`: the worst vertex, m.
static double apart(const WeftState* local, const WfPose* frame, const WeftState* world,
                    int count) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        double x[3];
        wf_store(x, 0, wf_pose_point(frame, wf_load(weft_positions(local), i)));
        most = fmax(most, distance(x, weft_positions(world) + 3 * i));
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// The same motion as in the world

static void symplectic(Swing* s) {
    s->step.method = WEFT_METHOD_SYMPLECTIC;
    s->step.substeps = 30;
}
static void implicit(Swing* s) {
    s->step.method = WEFT_METHOD_IMPLICIT;
    s->step.tolerance = 1e-12;
}
static void implicit_first(Swing* s) {
    implicit(s);
    s->step.order = 1;
    s->step.substeps = 3;
}
static void matrix_free(Swing* s) {
    implicit(s);
    s->step.method = WEFT_METHOD_MATRIX_FREE;
}
static void one_solve(Swing* s) { s->step.quality = 1; }
static void four_solves(Swing* s) { s->step.quality = 4; }
static void six(Swing* s) { s->step.quality = 6; }
static void relaxation(Swing* s) {
    s->step.method = WEFT_METHOD_RELAXATION;
    s->step.start = WEFT_START_PREDICTED;
}
static void rotation(Swing* s) {
    weft_set_estimator(&s->cloth, WEFT_ESTIMATOR_ROTATION, 2);
    s->step.quality = 1;
}

// Explicit steps are a thousand times further apart every tenth of a second, whatever makes the
// first difference; relaxation keeps its blocks in single precision.
static const struct {
    const char* name;
    void (*set)(Swing*);
    int steps;
    double bound;
} ways[] = {
    {"symplectic", symplectic, 10, 1e-9},
    {"implicit", implicit, 60, 1e-9},
    {"implicit, order 1", implicit_first, 60, 1e-9},
    {"matrix-free", matrix_free, 60, 1e-9},
    {"one solve", one_solve, 60, 1e-9},
    {"four solves", four_solves, 60, 1e-9},
    {"quality 6", six, 60, 1e-9},
    {"relaxation", relaxation, 60, 1e-3},
    {"rotation", rotation, 60, 1e-9},
};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

static Swing open_way(int w) {
    Swing s = swing_def(N, 100);
    s.step.solve_tolerance = 1e-13;
    s.step.guard = false;  // it asks how fast cloth is, and begins anew where it was
    s.step.air_density = 1.2;
    s.step.wind[0] = 2;
    s.cloth.fabric.mass_damping = 0.5;
    s.cloth.fabric.compression = 0;  // with flaws
    ways[w].set(&s);
    swing_open(&s);
    return s;
}

// The pins go where the frame takes them.
static void carry_pins(Swing* s, const WfPose* from, const WfPose* to, const double* start) {
    double turn[4];
    wf_turn_from(from->rotation, to->rotation, turn);
    for (int k = 0; k < 2; k++) {
        double x[3];
        wf_store(x, 0, wf_pose_point(to, wf_load(start, s->pins[k])));
        weft_turn_pin(s->state, s->pins[k], x, turn);
    }
}

static void as_in_the_world(void) {
    for (int w = 0; w < WAY_COUNT; w++) {
        Swing local = open_way(w), world = open_way(w);
        double start[3 * VERTICES], worst = 0;
        memcpy(start, weft_positions(world.state), sizeof start);
        WfPose from = winding_way(0);
        for (int k = 1; k <= ways[w].steps; k++) {
            WfPose to = winding_way(k / 60.0);
            weft_move_space(local.state, to.position, to.rotation);
            carry_pins(&world, &from, &to, start);
            CHECK(swing_step(&local) && swing_step(&world));
            worst = fmax(worst, apart(local.state, &to, world.state, VERTICES));
            from = to;
        }
        CHECK_BELOW(worst, ways[w].bound);
        if (!(worst < ways[w].bound)) printf("... with %s\n", ways[w].name);
        swing_close(&local);
        swing_close(&world);
    }
}

// Of steps that differ in length, too.
static void by_steps_of_any_length(void) {
    Swing local = open_way(1), world = open_way(1);
    double start[3 * VERTICES], t = 0, worst = 0;
    memcpy(start, weft_positions(world.state), sizeof start);
    WfPose from = winding_way(0);
    for (int k = 1; k <= 40; k++) {
        local.step.dt = world.step.dt = (1 + k % 3) / 120.0;
        t += local.step.dt;
        WfPose to = winding_way(t);
        weft_move_space(local.state, to.position, to.rotation);
        carry_pins(&world, &from, &to, start);
        CHECK(swing_step(&local) && swing_step(&world));
        worst = fmax(worst, apart(local.state, &to, world.state, VERTICES));
        from = to;
    }
    CHECK(worst < 1e-9);
    swing_close(&local);
    swing_close(&world);
}

// ---------------------------------------------------------------------------------------------
// Bodies that stand in the space

// A sheet over a ball and a box, free to slide.
static Swing open_draped(WeftModelDef* def, WeftBodyDef bodies[2]) {
    Swing s = swing_def(N, 100);
    for (int k = 0; k < 2; k++) bodies[k] = weft_default_body_def();
    bodies[0].radius = 0.2;
    bodies[0].position[0] = 0.4, bodies[0].position[1] = -0.25, bodies[0].position[2] = -0.5;
    bodies[1].kind = WEFT_BODY_BOX;
    bodies[1].position[0] = 0.8, bodies[1].position[1] = -0.4, bodies[1].position[2] = -0.5;
    s.step.method = WEFT_METHOD_IMPLICIT;
    s.step.tolerance = 1e-12;
    s.step.guard = false;
    swing_make_mesh(&s);
    s.cloth.pin_count = 0;
    *def = swing_model_def(&s);
    def->bodies = bodies;
    def->body_count = 2;
    return s;
}

static void create(Swing* s, const WeftModelDef* def) {
    WeftError error = {0};
    if (weft_create_model(def, &s->model, &error) || weft_create_state(s->model, &s->state, &error))
        printf("%s\n", error.message);
}

static void move_bodies(WeftState* state, const WeftBodyDef* bodies, const WfPose* to) {
    for (int k = 0; k < 2; k++) {
        double x[3];
        wf_store(x, 0, wf_pose_point(to, wf_load(bodies[k].position, 0)));
        weft_move_body(state, k, x, to->rotation);
    }
}

// Solves with contacts are bounded, and leave a thousandth: from when it touches, the same to that.
static void with_bodies(void) {
    WeftModelDef defs[2];
    WeftBodyDef bodies[2];
    Swing local = open_draped(&defs[0], bodies), world = open_draped(&defs[1], bodies);
    defs[0].cloths = &local.cloth, defs[1].cloths = &world.cloth;
    create(&local, &defs[0]);
    create(&world, &defs[1]);
    double worst = 0;
    for (int k = 1; k <= 10; k++) {
        WfPose to = winding_way(k / 120.0);
        weft_move_space(local.state, to.position, to.rotation);
        move_bodies(world.state, bodies, &to);
        CHECK(swing_step(&local) && swing_step(&world));
        worst = fmax(worst, apart(local.state, &to, world.state, VERTICES));
    }
    CHECK(weft_report(local.state)->active_contacts > 3);
    CHECK_BELOW(worst, 1e-4);
    swing_close(&local);
    swing_close(&world);
}

// ---------------------------------------------------------------------------------------------
// What is known of turning frames

static Swing open_free(double density) {
    Swing s = swing_def(N, 100);
    s.step.gravity[1] = 0;
    s.step.air_density = density;
    swing_make_mesh(&s);
    s.cloth.pin_count = 0;
    WeftModelDef def = swing_model_def(&s);
    create(&s, &def);
    return s;
}

static WfVec mean_of(const double* x) {
    WfVec sum = {0, 0, 0};
    for (int i = 0; i < VERTICES; i++) sum = wf_madd(sum, 1.0 / VERTICES, wf_load(x, i));
    return sum;
}

// What nothing holds goes straight in the world, and so does its middle.
static void free_flight_is_straight(void) {
    Swing s = open_free(0);
    double v[3 * VERTICES], far = 0;
    for (int i = 0; i < VERTICES; i++) wf_store(v, i, (WfVec){1, 2, -0.5});
    weft_set_velocities(s.state, v);
    WfVec start = mean_of(weft_positions(s.state));
    for (int k = 1; k <= 90; k++) {
        WfPose to = make_pose(0, 0, 0, (WfVec){0, 1, 0}, 3 * k / 60.0);
        weft_move_space(s.state, to.position, to.rotation);
        CHECK(swing_step(&s));
        WfVec at = wf_pose_point(&to, mean_of(weft_positions(s.state)));
        WfVec straight = wf_madd(start, k / 60.0, (WfVec){1, 2, -0.5});
        far = fmax(far, wf_length(wf_sub(at, straight)));
    }
    CHECK_BELOW(far, 1e-9);
    swing_close(&s);
}

// A rope that hangs from a carousel leans outwards until the weight and the turn are in balance: at
// the radius r of its middle, its mean slope is w^2 r/g.
static void carousel(void) {
    WeftRopeDef rope = {.length = 0.2, .segments = 8};
    WeftMesh mesh;
    WeftClothDef cloth = weft_default_cloth_def();
    WeftModelDef def = weft_default_model_def();
    WeftModel* model = NULL;
    WeftState* state = NULL;
    double spin = 2, radius = 1.5;
    CHECK(!weft_make_rope(&rope, NULL, &mesh, NULL));
    for (int i = 0; i <= rope.segments; i++)
        wf_store(mesh.positions, i, (WfVec){radius, -0.2 * i / rope.segments, 0});
    weft_use_mesh(&cloth, &mesh);
    cloth.fabric.rope_bend = 0;
    cloth.fabric.mass_damping = 2;
    cloth.pins = (int[]){0};
    cloth.pin_count = 1;
    def.cloths = &cloth, def.cloth_count = 1;
    def.step.inertia.air = 0;
    def.step.substeps = 8;
    CHECK(!weft_create_model(&def, &model, NULL) && !weft_create_state(model, &state, NULL));
    weft_place_space(state, (double[]){5, 0, 2}, (double[]){0, 0, 0, 1});
    for (int k = 1; k <= 600; k++) {
        double t = k / 60.0, angle = spin * (t < 3 ? t * t / 6 : t - 1.5);  // set going, then even
        WfPose to = make_pose(5, 0, 2, (WfVec){0, 1, 0}, angle);
        weft_move_space(state, to.position, to.rotation);
        CHECK(!weft_step(state, &def.step));
    }
    const double* x = weft_positions(state) + 3 * rope.segments;
    double slope = (x[0] - radius) / -x[1], middle = radius + (x[0] - radius) / 2;
    CHECK_NEAR(slope, spin * spin * middle / 9.81, 0.03 * slope);
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_mesh(&mesh);
}

// ---------------------------------------------------------------------------------------------
// A ride

static const double TRAIN = 300 / 3.6;  // m/s

// A curtain, after an hour at 300 km/h, as in a train that stands; it is drawn aside, and swings.
// The train's place in the world is rounded to 6e-11 m there.
static void train_rides_smoothly(void) {
    Swing ride = swing_def(N, 100), still = swing_def(N, 100);
    Swing* both[] = {&ride, &still};
    int top[N];
    for (int i = 0; i < N; i++) top[i] = N * (N - 1) + i;
    for (int k = 0; k < 2; k++) {
        both[k]->step.air_density = 1.2;
        both[k]->step.inertia.air = 0;
        both[k]->cloth.fabric.mass_damping = 0.5;
        both[k]->cloth.pins = top;
        both[k]->cloth.pin_count = N;
        swing_open(both[k]);
        double x[3 * VERTICES];
        for (int i = 0; i < VERTICES; i++) {
            double down = (double)(N - 1 - i / N) / (N - 1), across = (double)(i % N) / (N - 1);
            wf_store(x, i, (WfVec){across, -0.99 * down, 0.1 * down});
        }
        weft_set_positions(both[k]->state, x);
    }
    double worst = 0, t = 3600;
    WfPose to = make_pose(TRAIN * t, 0, 0, (WfVec){0, 1, 0}, 0.3);
    WfPose turned = make_pose(0, 0, 0, (WfVec){0, 1, 0}, 0.3);
    weft_place_space(ride.state, to.position, to.rotation);
    weft_place_space(still.state, turned.position, turned.rotation);
    for (int k = 1; k <= 300; k++) {
        to.position[0] = TRAIN * (t + k / 60.0);
        weft_move_space(ride.state, to.position, to.rotation);
        CHECK(swing_step(&ride) && swing_step(&still));
        for (int i = 0; i < VERTICES; i++)
            worst = fmax(worst, distance(weft_positions(ride.state) + 3 * i,
                                         weft_positions(still.state) + 3 * i));
    }
    CHECK(worst == 0);
    swing_close(&ride);
    swing_close(&still);
}

// What lies on a table in it sleeps, and wakes when it brakes.
static void sleeps_in_the_train(void) {
    WeftModelDef def;
    WeftBodyDef bodies[2];
    Swing s = open_draped(&def, bodies);
    bodies[0].kind = WEFT_BODY_PLANE;
    bodies[0].position[1] = -0.01;
    def.cloths = &s.cloth, def.body_count = 1;
    s.step = weft_default_step_def();
    s.step.inertia.air = 0;
    create(&s, &def);
    double x[3] = {1e5, 0, 0};
    const double level[4] = {0, 0, 0, 1};
    weft_place_space(s.state, x, level);
    for (int k = 0; k < 120; k++) {
        x[0] += TRAIN / 60;
        weft_move_space(s.state, x, level);
        CHECK(swing_step(&s));
    }
    CHECK(weft_report(s.state)->asleep);
    // not by what is too slow to be felt, however long: nor is it remembered
    double before = weft_positions(s.state)[0], speed = TRAIN;
    for (int k = 0; k < 600; k++) {
        speed += 0.005 / 60;
        x[0] += speed / 60;
        weft_move_space(s.state, x, level);
        CHECK(swing_step(&s));
    }
    CHECK(weft_report(s.state)->asleep);
    CHECK(weft_positions(s.state)[0] == before);
    for (int k = 0; k < 30; k++) {
        speed -= 8.0 / 60;
        x[0] += speed / 60;
        weft_move_space(s.state, x, level);
        CHECK(swing_step(&s));
        CHECK(!weft_report(s.state)->asleep);
    }
    // friction 0.3 of gravity holds back less than 8 m/s^2
    CHECK_NEAR(weft_positions(s.state)[0] - before, (8 - 0.3 * 9.81) * 0.25 / 2, 0.06);
    swing_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Shares

// The positions after 40 steps of a space that goes by `way`, with what a def says of inertia.
static void take_way(WfPose (*way)(double t), const WeftInertia* inertia, double* x) {
    Swing s = swing_def(N, 100);
    s.step.inertia = *inertia;
    swing_open(&s);
    for (int k = 1; k <= 40; k++) {
        WfPose to = way(k / 60.0);
        weft_move_space(s.state, to.position, to.rotation);
        CHECK(swing_step(&s));
    }
    memcpy(x, weft_positions(s.state), 3 * VERTICES * sizeof *x);
    swing_close(&s);
}

static WfPose stays(double t) { return make_pose(0 * t, 0, 0, (WfVec){0, 1, 0}, 0); }
static WfPose speeds_up(double t) { return make_pose(4 * t * t, 0, 0, (WfVec){0, 1, 0}, 0); }
static WfPose speeds_half(double t) { return make_pose(2 * t * t, 0, 0, (WfVec){0, 1, 0}, 0); }
static WfPose spins(double t) { return make_pose(0, 0, 0, (WfVec){0, 1, 0}, 6 * t); }
static WfPose spins_half(double t) { return make_pose(0, 0, 0, (WfVec){0, 1, 0}, 3 * t); }

static void shares_of_inertia(void) {
    const WeftInertia all = {1, 1, 1, 0, 0};
    const struct {
        WfPose (*way)(double), (*felt)(double);
        WeftInertia inertia;
        double bound;
    } cases[] = {
        {speeds_up, stays, {0, 1, 1, 0, 0}, 1e-12},
        {speeds_up, speeds_half, {0.5, 1, 1, 0, 0}, 1e-9},
        {spins, stays, {1, 0, 1, 0, 0}, 1e-9},
        {spins, spins_half, {1, 0.5, 1, 0, 0}, 1e-4},  // but for the speed in a step
        {spins, spins_half, {1, 1, 1, 0, 3}, 1e-4},
        // the first step is half as fast as the second one is faster than it
        {speeds_up, speeds_half, {1, 1, 1, 4, 0}, 0.02},
        {winding_way, winding_way, {1, 1, 1, 0, 0}, 1e-12},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double x[3 * VERTICES], y[3 * VERTICES], z[3 * VERTICES], worst = 0, moved = 0;
        take_way(cases[c].way, &cases[c].inertia, x);
        take_way(cases[c].felt, &all, y);
        take_way(cases[c].way, &all, z);
        for (int i = 0; i < VERTICES; i++) {
            worst = fmax(worst, distance(x + 3 * i, y + 3 * i));
            moved = fmax(moved, distance(x + 3 * i, z + 3 * i));
        }
        CHECK_BELOW(worst, cases[c].bound);
        CHECK(moved > 0.01 || cases[c].way == winding_way);
        if (!(worst < cases[c].bound)) printf("... case %zu\n", c);
    }
}

// The air in a space: it goes along, or passes by with all of its speed.
static void air_goes_along_or_not(void) {
    for (int along = 0; along < 2; along++) {
        Swing s = open_free(1.2);
        s.step.inertia.air = along ? 0 : 1;
        double x[3] = {0, 0, 0};
        const double level[4] = {0, 0, 0, 1};
        weft_place_space(s.state, x, level);
        for (int k = 0; k < 60; k++) {
            x[1] += 10.0 / 60;
            weft_move_space(s.state, x, level);
            CHECK(swing_step(&s));
        }
        double y = mean_of(weft_positions(s.state)).y;
        if (along)
            CHECK_NEAR(y, 0, 1e-9);
        else
            CHECK(y < -3);
        swing_close(&s);
    }
    // air that stands, felt by cloth that turns along: it is blown around; and air that goes along
    for (int along = 0; along < 2; along++) {
        Swing s = open_free(1.2);
        s.step.inertia.air = along ? 0 : 1;
        s.step.inertia.angular = 0;
        for (int k = 1; k <= 20; k++) {
            WfPose to = make_pose(0, 0, 0, (WfVec){1, 0, 0}, 2 * k / 60.0);
            weft_move_space(s.state, to.position, to.rotation);
            CHECK(swing_step(&s));
        }
        // the sheet lies from z = 0 to -1: what stands beside an axis along x goes down there
        double y = mean_of(weft_positions(s.state)).y;
        CHECK(along ? fabs(y) < 1e-9 : y < -1e-3);
        swing_close(&s);
    }
}

// ---------------------------------------------------------------------------------------------
// Put somewhere else

static void placed_without_a_jerk(void) {
    Swing s = swing_def(N, 100), other = swing_def(N, 100);
    swing_open(&s);
    swing_open(&other);
    for (int k = 0; k < 30; k++) CHECK(swing_step(&s) && swing_step(&other));
    double x[3] = {100, 20, -3}, where[3], rotation[4];
    const double level[4] = {0, 0, 0, 1};
    weft_place_space(s.state, x, level);
    weft_copy_space(s.state, where, rotation);
    CHECK(memcmp(where, x, sizeof x) == 0 && rotation[3] == 1);
    for (int k = 0; k < 30; k++) {
        x[0] += 0.1;
        weft_move_space(s.state, x, level);
        CHECK(swing_step(&s) && swing_step(&other));
    }
    CHECK_BELOW(distance(weft_positions(s.state), weft_positions(other.state)), 1e-9);
    swing_close(&s);
    swing_close(&other);
}

static void teleported(void) {
    WfPose by = make_pose(3, 1, -2, (WfVec){0, 1, 0}, 1.2);
    for (int keep = 0; keep < 2; keep++) {
        Swing s = swing_def(N, 100), other = swing_def(N, 100);
        swing_open(&s);
        swing_open(&other);
        for (int k = 0; k < 15; k++) CHECK(swing_step(&s) && swing_step(&other));
        weft_teleport(s.state, by.position, by.rotation, keep);
        double still[3 * VERTICES] = {0};
        if (!keep) weft_set_velocities(other.state, still);
        CHECK_BELOW(apart(other.state, &by, s.state, VERTICES), 1e-14);
        for (int k = 0; k < 30; k++) CHECK(swing_step(&s) && swing_step(&other));
        CHECK_BELOW(apart(other.state, &by, s.state, VERTICES), 1e-6);
        swing_close(&s);
        swing_close(&other);
    }
}

static void teleports_bodies(void) {
    WeftModelDef def;
    WeftBodyDef bodies[2];
    Swing s = open_draped(&def, bodies);
    def.cloths = &s.cloth;
    create(&s, &def);
    WfPose by = make_pose(3, 1, -2, (WfVec){0, 1, 0}, 1.2);
    double before[3 * 2000], after[3 * 2000];
    CHECK(weft_body_vertex_count(s.model, 1) < 2000);
    weft_copy_body(s.state, 1, before);
    weft_teleport(s.state, by.position, by.rotation, true);
    weft_copy_body(s.state, 1, after);
    wf_store(before, 0, wf_pose_point(&by, wf_load(before, 0)));
    CHECK_BELOW(distance(before, after), 1e-14);
    CHECK(swing_step(&s));
    CHECK(weft_report(s.state)->jumps == 0);
    swing_close(&s);
}

// ---------------------------------------------------------------------------------------------
// Kept, and refused

static void kept_with_the_state(void) {
    Swing s = open_way(4), t = open_way(4);
    for (int k = 1; k <= 10; k++) {
        WfPose to = winding_way(k / 60.0);
        weft_move_space(s.state, to.position, to.rotation);
        CHECK(swing_step(&s));
    }
    uint64_t standing = weft_hash_state(s.state);
    WfPose next = winding_way(11 / 60.0);
    weft_move_space(s.state, next.position, next.rotation);
    CHECK(weft_hash_state(s.state) != standing);
    size_t bytes = weft_saved_size(s.state);
    void* saved = malloc(bytes);
    weft_save_state(s.state, saved);
    CHECK(!weft_load_state(t.state, saved, bytes, NULL));
    CHECK(weft_hash_state(t.state) == weft_hash_state(s.state));
    WeftState* copy = NULL;
    CHECK(!weft_create_state(s.model, &copy, NULL));
    weft_copy_state(copy, s.state);
    CHECK(swing_step(&s) && swing_step(&t) && !weft_step(copy, &s.step));
    CHECK(weft_hash_state(t.state) == weft_hash_state(s.state));
    CHECK(weft_hash_state(copy) == weft_hash_state(s.state));
    weft_reset_state(copy);
    weft_reset_state(s.state);
    WeftState* fresh = NULL;
    CHECK(!weft_create_state(s.model, &fresh, NULL));
    CHECK(weft_hash_state(copy) == weft_hash_state(fresh));
    CHECK(!weft_step(fresh, &s.step) && swing_step(&s));
    CHECK(weft_hash_state(s.state) == weft_hash_state(fresh));
    weft_destroy_state(fresh);
    weft_destroy_state(copy);
    free(saved);
    swing_close(&s);
    swing_close(&t);
}

// Half of a sheet, held in two places beside the plane of its mirror x = 0, as the whole.
static Swing open_mirrored(WeftMirrorKind kind) {
    Swing s = swing_def(N, 100);
    s.mesh = centred_grid(N - 1, N - 1, WEFT_GRID_ALTERNATING);
    weft_use_mesh(&s.cloth, &s.mesh);
    s.pins[0] = N * (N - 1), s.pins[1] = N * N - 1;
    s.cloth.pins = s.pins, s.cloth.pin_count = 2;
    s.step.solve_tolerance = 1e-13;
    s.step.guard = false;
    WeftModelDef def = swing_model_def(&s);
    def.mirror.kind = kind;
    create(&s, &def);
    return s;
}

static void beside_a_mirror(void) {
    Swing half = open_mirrored(WEFT_MIRROR_EXACT), whole = open_mirrored(WEFT_MIRROR_WHOLE);
    double worst = 0;
    for (int k = 1; k <= 30; k++) {
        double t = k / 60.0;
        WfPose to = make_pose(0, 0.3 * sin(5 * t), t * t, (WfVec){1, 0, 0}, 1.5 * t);
        weft_move_space(half.state, to.position, to.rotation);
        weft_move_space(whole.state, to.position, to.rotation);
        CHECK(swing_step(&half) && swing_step(&whole));
    }
    for (int i = 0; i < VERTICES; i++)
        worst = fmax(worst, distance(weft_positions(half.state) + 3 * i,
                                     weft_positions(whole.state) + 3 * i));
    CHECK_BELOW(worst, 1e-6);
    // across it
    uint64_t before = weft_hash_state(half.state);
    WfPose aside = make_pose(0.1, 0, 0, (WfVec){1, 0, 0}, 0);
    weft_teleport(half.state, aside.position, aside.rotation, true);
    CHECK(weft_hash_state(half.state) == before);
    CHECK(weft_step(half.state, &half.step) == WEFT_ERROR_COMBINATION);
    CHECK_TEXT(weft_state_error(half.state)->message, "the teleport goes across the mirror");
    weft_move_space(half.state, aside.position, aside.rotation);
    CHECK(weft_step(half.state, &half.step) == WEFT_ERROR_COMBINATION);
    CHECK_TEXT(weft_state_error(half.state)->message, "the space is moved across the mirror");
    swing_close(&half);
    swing_close(&whole);
}

// Nothing of it allocates, once a state has taken its first step.
static void allocates_nothing(void) {
    Counting counting = {0};
    Swing s = swing_def(N, 100);
    WeftWind wind = weft_default_wind();
    wind.kind = WEFT_WIND_TURBULENCE;
    wind.strength = 1;
    s.allocator = counting_allocator(&counting);
    s.step.air_density = 1.2;
    s.step.winds = &wind;
    s.step.wind_count = 1;
    swing_open(&s);
    CHECK(swing_step(&s));
    long before = counting.calls;
    for (int k = 1; k <= 10; k++) {
        WfPose to = winding_way(k / 60.0);
        weft_move_space(s.state, to.position, to.rotation);
        CHECK(swing_step(&s));
    }
    weft_teleport(s.state, (double[]){1, 2, 3}, (double[]){0, 0, 0, 1}, false);
    weft_reset_state(s.state);
    CHECK(swing_step(&s));
    CHECK(counting.calls == before);
    swing_close(&s);
}

// A step that fails leaves the past as it was, too.
static void failed_steps_leave_it(void) {
    Swing s = open_way(4);
    WfPose to = winding_way(0.1);
    CHECK(swing_step(&s));
    weft_move_space(s.state, to.position, to.rotation);
    uint64_t before = weft_hash_state(s.state);
    WeftStepDef step = s.step;
    step.gravity[1] = -1e300;
    CHECK(weft_step(s.state, &step) != WEFT_OK);
    CHECK(weft_hash_state(s.state) == before);
    swing_close(&s);
}

static void refused(void) {
    Swing s = open_way(4);
    double bad[3] = {0, NAN, 0}, here[3] = {0, 0, 0}, far[3] = {2e9, 0, 0}, level[4] = {0, 0, 0, 1},
           none[4] = {0, 0, 0, 0};
    weft_move_space(s.state, bad, level);
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "the space: where it shall be");
    weft_place_space(s.state, here, none);
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    weft_place_space(s.state, far, level);
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "more than 1e+09 m");
    weft_teleport(s.state, bad, level, true);
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "the teleport");
    s.step.inertia.linear = 2;
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "a share of 2");
    s.step.inertia.linear = 1;
    CHECK(swing_step(&s));
    swing_close(&s);
}

TEST_MAIN(SLOW_CASE(as_in_the_world), CASE(by_steps_of_any_length), CASE(with_bodies),
          CASE(free_flight_is_straight), CASE(carousel), CASE(train_rides_smoothly),
          CASE(sleeps_in_the_train), CASE(shares_of_inertia), CASE(air_goes_along_or_not),
          CASE(placed_without_a_jerk), CASE(teleported), CASE(teleports_bodies),
          CASE(kept_with_the_state), CASE(beside_a_mirror), CASE(allocates_nothing),
          CASE(failed_steps_leave_it), CASE(refused))
