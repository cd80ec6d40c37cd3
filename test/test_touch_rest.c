// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards rest and sliding: cloth on a plane and on a sphere falls asleep and wakes for what it
// should; energy does not grow; on slopes of every kind it slides by Coulomb's law, or sticks.

#include "drape.h"
#include "touch.h"

// ---------------------------------------------------------------------------------------------
// Rest

static Touch resting(WeftBodyKind kind) {
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    WeftClothDef* cloth = touch_sheet(&t, 0.4, 12, 0, 5e-3, 0);
    cloth->fabric.stretch_damping = 1e-3;
    cloth->fabric.bend_damping = 1e-2;
    WeftBodyDef* body = touch_body(&t, kind, 0, 0, 0);
    body->friction = 0.6;
    body->radius = 0.15;
    if (kind == WEFT_BODY_SPHERE) body->position[1] = -0.15;
    return t;
}

// Without stretch, of which an unfinished solve may leave some, and a softened fabric more.
static double moved_energy(const Touch* t) {
    WeftMeasure measure = touch_measure(t);
    return measure.kinetic + measure.gravity;
}

// Steps until it sleeps; -1: it does not.
static int steps_to_sleep(Touch* t, int most) {
    for (int k = 0; k < most; k++)
        if (touch_step(t) && weft_report(t->state)->asleep) return k;
    return -1;
}

static void sleeps_on(WeftBodyKind kind, int most) {
    static const int ways[4] = {0, 7, 1, 4};
    for (int w = 0; w < 4; w++) {
        int before = test_failures;
        Touch t = resting(kind);
        touch_use(&t, &touch_ways[ways[w]]);
        touch_open(&t);
        double start = moved_energy(&t), top = start;
        bool slept = false;
        for (int k = 0; k < most && !slept; k++) {
            CHECK(touch_step(&t));
            top = fmax(top, moved_energy(&t));
            slept = weft_report(t.state)->asleep;
        }
        CHECK(slept);
        CHECK_BELOW(top - start, 1e-6);
        uint64_t hash = weft_hash_state(t.state);
        double time = weft_time(t.state);
        CHECK(touch_step(&t) && weft_report(t.state)->asleep);
        CHECK(weft_report(t.state)->solve_count == 0);
        CHECK_NEAR(weft_time(t.state), time + t.step.dt, 1e-12);
        CHECK(weft_hash_state(t.state) != hash);  // the time went on
        CHECK(touch_measure(&t).max_speed == 0);
        touch_say(before, touch_ways[ways[w]].name, "rest");
        touch_close(&t);
    }
}

static void sleeps_on_plane(void) { sleeps_on(WEFT_BODY_PLANE, 90); }
// The implicit method, which takes one Newton step of stiff cloth, sinks for 5 to 12 s.
static void sleeps_on_sphere(void) { sleeps_on(WEFT_BODY_SPHERE, 900); }

// What is slow where it turns was pushed on from there: of eight starts a tenth of a millimetre
// apart, corners of one to three swung for 8 s and more.
static void corners_do_not_swing_on(void) {
    for (int s = 0; s < 8; s++) {
        Touch t = resting(WEFT_BODY_SPHERE);
        t.bodies[0].position[0] = 1e-4 * s;
        t.bodies[0].position[2] = 3e-5 * s;
        touch_open(&t);
        CHECK(steps_to_sleep(&t, 400) >= 0);
        touch_close(&t);
    }
}

// Cloth sleeps when it is in balance, and not because it is slow: with a speed of rest that all of
// its fall stays below, it slept half a second after it had touched the ball.
static void falling_cloth_does_not_sleep(void) {
    static const int ways[2] = {0, 4};  // with and without a factor
    for (int w = 0; w < 2; w++) {
        Touch t = resting(WEFT_BODY_SPHERE);
        touch_use(&t, &touch_ways[ways[w]]);
        t.step.rest_speed = 10;
        touch_open(&t);
        CHECK(steps_to_sleep(&t, 600) > 0);
        double rest = moved_energy(&t);
        t.step.rest_speed = 0;
        for (int k = 0; k < 120; k++) CHECK(touch_step(&t));
        CHECK_NEAR(moved_energy(&t), rest, 1e-3);
        touch_close(&t);
    }
}

// A vertex between folds may slip now and then: one step of five that is not slow kept a heap awake
// for ever. Here such steps ask for a speed that nothing is below.
static bool sleeps_with_noise(int every) {
    Touch t = resting(WEFT_BODY_PLANE);
    double rest_speed = t.step.rest_speed;
    bool slept = false;
    touch_open(&t);
    for (int k = 1; k <= 300 && !slept; k++) {
        t.step.rest_speed = k % every ? rest_speed : 1e-300;
        CHECK(touch_step(&t));
        slept = weft_report(t.state)->asleep;
    }
    touch_close(&t);
    return slept;
}

static void noise_is_forgiven(void) {
    CHECK(sleeps_with_noise(5));
    CHECK(!sleeps_with_noise(2));
}

static void no_rest_speed_no_sleep(void) {
    Touch t = resting(WEFT_BODY_PLANE);
    t.step.rest_speed = 0;
    touch_open(&t);
    CHECK(steps_to_sleep(&t, 150) == -1);
    t.step.rest_speed = 0.02;  // it may at any time
    CHECK(steps_to_sleep(&t, 150) >= 0);
    t.step.rest_speed = 0;
    CHECK(touch_step(&t) && !weft_report(t.state)->asleep);
    touch_close(&t);
}

// What wakes it, each in its own way.
static void wake_by_body(Touch* t) { touch_move(t, 0, 0.01, 0, 0, TOUCH_LEVEL); }
static void wake_by_placing(Touch* t) {
    weft_place_body(t->state, 0, t->bodies[0].position, TOUCH_LEVEL);
}
static void wake_by_pin(Touch* t) { weft_pin(t->state, 7); }
static void wake_by_wind(Touch* t) { t->step.wind[0] = 3; }
// A new density under wind was slept through.
static void wake_by_air(Touch* t) { t->step.air_density = 2.4; }
static void wake_by_method(Touch* t) { t->step.method = WEFT_METHOD_IMPLICIT; }
static void wake_by_tolerance(Touch* t) { t->step.stretch_tolerance = 0.1; }
static void wake_by_gravity(Touch* t) { t->step.gravity[0] = 8; }
static void wake_by_velocity(Touch* t) {
    double v[3 * 169] = {0};
    for (int i = 0; i < 169; i++) v[3 * i + 1] = 0.5;
    weft_set_velocities(t->state, v);
}
static void wake_by_position(Touch* t) {
    double x[3 * 169];
    memcpy(x, weft_positions(t->state), sizeof x);
    for (int i = 0; i < 169; i++) x[3 * i + 1] += 0.05;
    weft_set_positions(t->state, x);
}
static void (*const wakers[])(Touch*) = {
    wake_by_air, wake_by_method, wake_by_tolerance, wake_by_body,     wake_by_placing,
    wake_by_pin, wake_by_wind,   wake_by_gravity,   wake_by_velocity, wake_by_position};

static void wakes_up(void) {
    for (size_t i = 0; i < sizeof wakers / sizeof *wakers; i++) {
        Touch t = resting(WEFT_BODY_PLANE);
        touch_open(&t);
        CHECK(steps_to_sleep(&t, 100) >= 0);
        wakers[i](&t);
        CHECK(touch_step(&t));
        if (!CHECK(!weft_report(t.state)->asleep)) printf("  waker %zu\n", i);
        touch_close(&t);
    }
}

// What is as it was wakes nobody, nor does another length of steps.
static void same_again_does_not_wake(void) {
    Touch t = resting(WEFT_BODY_PLANE);
    touch_open(&t);
    CHECK(steps_to_sleep(&t, 100) >= 0);
    weft_set_positions(t.state, weft_positions(t.state));
    weft_set_velocities(t.state, weft_velocities(t.state));
    CHECK(touch_step(&t) && weft_report(t.state)->asleep);
    t.step.dt /= 2;
    CHECK(touch_step(&t) && weft_report(t.state)->asleep);
    touch_close(&t);
}

// A pin sent to where no number is was slept through, and the state could not be loaded again.
static void pins_that_are_no_numbers(void) {
    const double nowhere[3] = {0, NAN, 0};
    Touch t = resting(WEFT_BODY_PLANE);
    touch_pin(&t, 0, 0);
    t.meshes[0].positions[1] = 1e-3;
    touch_open(&t);
    CHECK(steps_to_sleep(&t, 200) >= 0);
    weft_move_pin(t.state, 0, nowhere);
    size_t size = weft_saved_size(t.state);
    void* bytes = malloc(size);
    weft_save_state(t.state, bytes);
    uint64_t hash = weft_hash_state(t.state);
    CHECK(weft_step(t.state, &t.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(t.state)->message,
               "vertex 0: where its pin shall be is not a number");
    CHECK(weft_hash_state(t.state) == hash);
    CHECK(weft_load_state(t.state, bytes, size, NULL) == WEFT_OK);
    CHECK(weft_hash_state(t.state) == hash);
    CHECK(touch_step(&t) && weft_report(t.state)->asleep);
    free(bytes);
    touch_close(&t);
}

// A pin that holds a corner: moving it wakes the cloth, which sleeps again when it has stopped.
static void pins_wake(void) {
    Touch t = resting(WEFT_BODY_PLANE);
    touch_pin(&t, 0, 0);
    t.meshes[0].positions[1] = 1e-3;
    touch_open(&t);
    CHECK(steps_to_sleep(&t, 200) >= 0);
    for (int k = 0; k < 20; k++) {
        double to[3];
        memcpy(to, weft_positions(t.state), sizeof to);
        to[0] += 2e-3;
        weft_move_pin(t.state, 0, to);
        CHECK(touch_step(&t) && !weft_report(t.state)->asleep);
    }
    CHECK(steps_to_sleep(&t, 300) >= 0);
    weft_unpin(t.state, 0);
    CHECK(touch_step(&t) && !weft_report(t.state)->asleep);
    touch_close(&t);
}

// Other bodies may not be near at all; they wake it all the same, and it sleeps on when they rest.
static void sleeps_again(void) {
    Touch t = resting(WEFT_BODY_PLANE);
    touch_body(&t, WEFT_BODY_SPHERE, 5, 5, 5);
    touch_open(&t);
    CHECK(steps_to_sleep(&t, 100) >= 0);
    for (int k = 0; k < 5; k++) {
        touch_move(&t, 1, 5, 5 + 0.1 * (k + 1), 5, TOUCH_LEVEL);
        CHECK(touch_step(&t) && !weft_report(t.state)->asleep);
    }
    int again = steps_to_sleep(&t, 60);
    CHECK(again > 20 && again < 50);
    touch_close(&t);
}

// The plate under a sleeping sheet is taken away: it falls.
static void falls_when_its_rest_is_gone(void) {
    Touch t = resting(WEFT_BODY_BOX);
    t.bodies[0].position[1] = -0.25;
    touch_open(&t);
    CHECK(steps_to_sleep(&t, 100) >= 0);
    const double far[3] = {0, -3, 0};
    weft_place_body(t.state, 0, far, TOUCH_LEVEL);
    t.step.air_density = 0;
    double before = touch_mean(&t, 0, (WfVec){0, 1, 0});
    for (int k = 0; k < 12; k++) CHECK(touch_step(&t) && !weft_report(t.state)->asleep);
    double fallen = before - touch_mean(&t, 0, (WfVec){0, 1, 0});
    CHECK_NEAR(fallen, 9.81 / 2 * 0.04, 0.1 * 9.81 / 2 * 0.04);
    touch_close(&t);
}

// ---------------------------------------------------------------------------------------------
// Slopes

enum { PIPE_SIDES = 24, PIPE_RINGS = 2 };
static double pipe_positions[3 * PIPE_SIDES * PIPE_RINGS];
static int pipe_triangles[3 * 2 * PIPE_SIDES];

// Open, along x, from the inside: radius 1 m, a line of its corners at the bottom.
static void make_pipe(WeftBodyDef* body) {
    for (int i = 0; i < PIPE_SIDES; i++) {
        double angle = 2 * TOUCH_PI * i / PIPE_SIDES;
        for (int r = 0; r < PIPE_RINGS; r++) {
            const double p[3] = {r ? 4 : -4, 1 - cos(angle), sin(angle)};
            memcpy(pipe_positions + 3 * (2 * i + r), p, sizeof p);
        }
        int a = 2 * i, b = a + 1, c = 2 * ((i + 1) % PIPE_SIDES), d = c + 1;
        const int t[6] = {a, c, b, b, c, d};
        memcpy(pipe_triangles + 6 * i, t, sizeof t);
    }
    body->vertex_count = PIPE_SIDES * PIPE_RINGS;
    body->positions = pipe_positions;
    body->triangle_count = 2 * PIPE_SIDES;
    body->triangles = pipe_triangles;
}

// The height of its inner side where the sheet lies.
static double pipe_height(double z) {
    double facet = 2 * TOUCH_PI / PIPE_SIDES;
    return fabs(z) * tan(facet / 2);
}

static Touch slope(WeftBodyKind kind, double degrees, double friction) {
    double angle = degrees * TOUCH_PI / 180, c = cos(angle), s = sin(angle);
    Touch t = touch_def(WEFT_CONTACT_BODIES);
    t.step.air_density = 0;
    touch_sheet(&t, 0.3, 8, -1, 0, 0)->fabric.friction = friction;
    for (int i = 0; i < t.meshes[0].vertex_count; i++) {
        double *p = t.meshes[0].positions + 3 * i, u = p[0], height = 1.05e-3;
        if (kind == WEFT_BODY_MESH) height += pipe_height(p[2]);
        p[0] = c * u + s * height;
        p[1] = -s * u + c * height;
    }
    WeftBodyDef* body = touch_body(&t, kind, 0, 0, 0);
    body->friction = friction;
    touch_turn(body->rotation, 2, -angle);
    if (kind == WEFT_BODY_MESH) make_pipe(body);
    if (kind != WEFT_BODY_BOX) return t;
    body->size[0] = 8;
    body->position[0] = -0.25 * s;
    body->position[1] = -0.25 * c;
    return t;
}

static const WeftBodyKind SLOPES[3] = {WEFT_BODY_PLANE, WEFT_BODY_BOX, WEFT_BODY_MESH};
static const char* const SLOPE_NAMES[3] = {"plane", "box", "pipe"};
static const int SLIDING[5] = {6, 0, 7, 1,
                               2};  // one solve, qualities 4 and 6, implicit, symplectic

static void slides(int kind) {
    enum { STEPS = 48, LAST = 36 };
    double wanted = 9.81 * (sin(TOUCH_PI / 6) - 0.15 * cos(TOUCH_PI / 6)), way[STEPS];
    WfVec along = {cos(TOUCH_PI / 6), -sin(TOUCH_PI / 6), 0};
    for (int w = 0; w < 5; w++) {
        int before = test_failures;
        Touch t = slope(SLOPES[kind], 30, 0.15);
        touch_use(&t, &touch_ways[SLIDING[w]]);
        touch_open(&t);
        for (int k = 0; k < STEPS; k++) {
            CHECK(touch_step(&t));
            way[k] = touch_mean(&t, 0, along);
        }
        // at the bottom of the pipe vertices have two contacts each: implicit steps are too slow
        // there
        double most = kind == 2 && t.step.method == WEFT_METHOD_IMPLICIT ? 0.07 : 0.03;
        CHECK_NEAR(drape_acceleration(way + STEPS - LAST, LAST, t.step.dt), wanted, most * wanted);
        CHECK(touch_crossings(&t) == 0);
        touch_say(before, touch_ways[SLIDING[w]].name, SLOPE_NAMES[kind]);
        touch_close(&t);
    }
}

static void slides_on_plane(void) { slides(0); }
static void slides_on_box(void) { slides(1); }
static void slides_in_pipe(void) { slides(2); }

static void sticks(void) {
    WfVec along = {cos(TOUCH_PI / 18), -sin(TOUCH_PI / 18), 0};
    for (int kind = 0; kind < 3; kind++)
        for (int w = 0; w < (kind == 2 ? 4 : 5); w++) {  // explicit steps creep in a groove
            int before = test_failures;
            Touch t = slope(SLOPES[kind], 10, 0.3);
            touch_use(&t, &touch_ways[SLIDING[w]]);
            touch_open(&t);
            for (int k = 0; k < 30; k++) CHECK(touch_step(&t));
            double then = touch_mean(&t, 0, along);
            CHECK_NEAR(then, -1, 2e-3);
            for (int k = 0; k < 30; k++) CHECK(touch_step(&t));
            CHECK_NEAR(touch_mean(&t, 0, along), then, 0.05e-3);
            touch_say(before, touch_ways[SLIDING[w]].name, SLOPE_NAMES[kind]);
            touch_close(&t);
        }
}

TEST_MAIN(CASE(sleeps_on_plane), SLOW_CASE(sleeps_on_sphere), SLOW_CASE(corners_do_not_swing_on),
          SLOW_CASE(falling_cloth_does_not_sleep), CASE(noise_is_forgiven),
          CASE(no_rest_speed_no_sleep), CASE(wakes_up), CASE(same_again_does_not_wake),
          CASE(pins_that_are_no_numbers), CASE(pins_wake), CASE(sleeps_again),
          CASE(falls_when_its_rest_is_gone), SLOW_CASE(slides_on_plane), SLOW_CASE(slides_on_box),
          SLOW_CASE(slides_in_pipe), SLOW_CASE(sticks))
