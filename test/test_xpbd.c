// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the rival of the bench `quality`: XPBD with small steps behaves as published.

#include "test.h"
#include "xpbd.h"

enum { MAX_VERTICES = 200, MAX_SPRINGS = 800 };
static const double G = 9.81;

typedef struct Cloth {
    Net net;
    double positions[3 * MAX_VERTICES], masses[MAX_VERTICES];
    bool pinned[MAX_VERTICES];
    Spring springs[MAX_SPRINGS];
} Cloth;

static void start(Cloth* cloth) {
    memset(cloth, 0, sizeof *cloth);
    cloth->net = (Net){.positions = cloth->positions,
                       .masses = cloth->masses,
                       .pinned = cloth->pinned,
                       .springs = cloth->springs};
}

static int add_vertex(Cloth* cloth, double x, double y, double z, double mass) {
    int i = cloth->net.vertex_count++;
    double* place = cloth->positions + 3 * i;
    place[0] = x, place[1] = y, place[2] = z;
    cloth->masses[i] = mass;
    return i;
}

static double distance_of(const double* x, int a, int b) {
    double dx = x[3 * b] - x[3 * a], dy = x[3 * b + 1] - x[3 * a + 1];
    double dz = x[3 * b + 2] - x[3 * a + 2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static void add_spring(Cloth* cloth, int a, int b, double stiffness) {
    cloth->springs[cloth->net.spring_count++] =
        (Spring){{a, b}, distance_of(cloth->positions, a, b), stiffness};
}

// Level, 1 m x 1 m, two corners held.
static void make_square_cloth(Cloth* cloth, int cells, double stiffness) {
    int side = cells + 1;
    start(cloth);
    for (int i = 0; i < side * side; i++)
        add_vertex(cloth, (double)(i % side) / cells, 0, (double)(i / side) / cells,
                   0.2 / (side * side));
    for (int i = 0; i < side * side; i++) {
        bool right = i % side < cells, below = i / side < cells;
        if (right) add_spring(cloth, i, i + 1, stiffness);
        if (below) add_spring(cloth, i, i + side, stiffness);
        if (right && below) add_spring(cloth, i, i + side + 1, stiffness);
    }
    cloth->pinned[0] = cloth->pinned[cells] = true;
}

static Xpbd* create(const Cloth* cloth, const XpbdDef* def) {
    Xpbd* xpbd = create_xpbd(&cloth->net, def);
    if (!CHECK(xpbd != NULL)) exit(1);
    return xpbd;
}

// Kinetic, of springs and of height.
static double total_energy(const Cloth* cloth, const Xpbd* xpbd) {
    double x[3 * MAX_VERTICES], v[3 * MAX_VERTICES], energy = 0;
    read_xpbd(xpbd, x, v);
    for (int i = 0; i < cloth->net.vertex_count; i++) {
        double square =
            v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2];
        if (!cloth->pinned[i]) energy += cloth->masses[i] * (square / 2 + G * x[3 * i + 1]);
    }
    for (int s = 0; s < cloth->net.spring_count; s++) {
        const Spring* spring = &cloth->springs[s];
        double longer = distance_of(x, spring->vertices[0], spring->vertices[1]) - spring->length;
        energy += spring->stiffness / 2 * longer * longer;
    }
    return energy;
}

// ---------------------------------------------------------------------------------------------

// x and v of a mass on a spring whose other end is at the origin, by many steps of Runge and Kutta.
static void swing_exactly(double length, double ratio, double seconds, double state[4]) {
    enum { STEPS = 20000 };
    double h = seconds / STEPS;
    for (int step = 0; step < STEPS; step++) {
        double slopes[5][4] = {{0}}, parts[] = {0, 0.5, 0.5, 1};
        for (int k = 0; k < 4; k++) {
            double s[4];
            for (int c = 0; c < 4; c++) s[c] = state[c] + h * parts[k] * slopes[k][c];
            double l = sqrt(s[0] * s[0] + s[1] * s[1]), pull = ratio * (length / l - 1);
            slopes[k + 1][0] = s[2];
            slopes[k + 1][1] = s[3];
            slopes[k + 1][2] = pull * s[0];
            slopes[k + 1][3] = pull * s[1] - G;
        }
        for (int c = 0; c < 4; c++)
            state[c] += h / 6 * (slopes[1][c] + 2 * slopes[2][c] + 2 * slopes[3][c] + slopes[4][c]);
    }
}

static double pendulum_error(int substeps, const double* expected) {
    Cloth cloth;
    start(&cloth);
    add_vertex(&cloth, 0, 0, 0, 1);
    add_vertex(&cloth, 1, 0, 0, 0.1);
    add_spring(&cloth, 0, 1, 50);
    cloth.pinned[0] = true;
    XpbdDef def = default_xpbd_def(substeps);
    Xpbd* xpbd = create(&cloth, &def);
    double x[6];
    for (int frame = 0; frame < 30; frame++) take_xpbd_step(xpbd);
    read_xpbd(xpbd, x, NULL);
    destroy_xpbd(xpbd);
    return hypot(x[3] - expected[0], x[4] - expected[1]);
}

// Of first order: four times as many substeps, a quarter of the error.
static void error_falls_with_substeps(void) {
    double state[4] = {1, 0, 0, 0};
    swing_exactly(1, 50 / 0.1, 0.5, state);
    double coarse = pendulum_error(4, state), middle = pendulum_error(16, state);
    double fine = pendulum_error(64, state);
    CHECK_BELOW(middle, 0.4 * coarse);
    CHECK_BELOW(fine, 0.4 * middle);
    CHECK_BELOW(fine, 0.005);
}

// Link i of a chain carries all that hangs below it: it is longer by (links - i) m g/k. Bringing it
// to a stop in every frame lets it come to rest.
static double chain_error(int substeps) {
    enum { LINKS = 10 };
    const double mass = 0.01, stiffness = 100;
    Cloth cloth;
    start(&cloth);
    add_vertex(&cloth, 0, 0, 0, mass);
    for (int i = 1; i <= LINKS; i++) {
        add_vertex(&cloth, 0, -0.1 * i, 0, mass);
        add_spring(&cloth, i - 1, i, stiffness);
    }
    cloth.pinned[0] = true;
    XpbdDef def = default_xpbd_def(substeps);
    Xpbd* xpbd = create(&cloth, &def);
    double x[3 * (LINKS + 1)], error = 0;
    for (int frame = 0; frame < 200; frame++) {
        take_xpbd_step(xpbd);
        read_xpbd(xpbd, x, NULL);
        place_xpbd(xpbd, x);
    }
    destroy_xpbd(xpbd);
    for (int i = 0; i < LINKS; i++) {
        double expected = 0.1 + (LINKS - i) * mass * G / stiffness;
        error = fmax(error, fabs(distance_of(x, i, i + 1) - expected) / (expected - 0.1));
    }
    return error;
}

static void hanging_chain_stretches_by_its_weight(void) {
    CHECK_BELOW(chain_error(8), 0.2);
    CHECK_BELOW(chain_error(32), 0.05);
    CHECK_BELOW(chain_error(64), 0.01);
    CHECK_BELOW(chain_error(256), 0.005);
}

static void energy_does_not_grow(void) {
    Cloth cloth;
    make_square_cloth(&cloth, 8, 500);
    XpbdDef def = default_xpbd_def(16);
    Xpbd* xpbd = create(&cloth, &def);
    double start_energy = total_energy(&cloth, xpbd), largest = start_energy;
    for (int frame = 0; frame < 180; frame++) {
        take_xpbd_step(xpbd);
        largest = fmax(largest, total_energy(&cloth, xpbd));
    }
    // the swing turns 1 J of height into motion and back
    CHECK_BELOW(largest - start_energy, 0.01);
    destroy_xpbd(xpbd);
}

// Springs in another order, and with it in other colours.
static void order_hardly_matters(void) {
    Cloth one, other;
    make_square_cloth(&one, 8, 500);
    make_square_cloth(&other, 8, 500);
    int count = other.net.spring_count;
    for (int s = 0; s < count; s++) other.springs[s] = one.springs[s * 101 % count];
    XpbdDef def = default_xpbd_def(64);
    Xpbd *first = create(&one, &def), *second = create(&other, &def);
    double x[3 * MAX_VERTICES], y[3 * MAX_VERTICES], largest = 0;
    for (int frame = 0; frame < 20; frame++) {
        take_xpbd_step(first);
        take_xpbd_step(second);
    }
    read_xpbd(first, x, NULL);
    read_xpbd(second, y, NULL);
    for (int i = 0; i < 3 * one.net.vertex_count; i++) largest = fmax(largest, fabs(x[i] - y[i]));
    CHECK_BELOW(largest, 0.01);
    CHECK(largest > 0);
    destroy_xpbd(first);
    destroy_xpbd(second);
}

// One that more springs meet than there are colours for.
static void hub_of_many_springs(void) {
    enum { SPOKES = 90 };
    Cloth cloth;
    start(&cloth);
    int hub = add_vertex(&cloth, 0, 0, 0, 1);
    for (int i = 0; i < SPOKES; i++)
        add_spring(&cloth, hub, add_vertex(&cloth, cos(i), 0, sin(i), 0.01), 1000);
    XpbdDef def = default_xpbd_def(8);
    memset(def.gravity, 0, sizeof def.gravity);
    Xpbd* xpbd = create(&cloth, &def);
    double x[3 * MAX_VERTICES];
    for (int frame = 0; frame < 10; frame++) take_xpbd_step(xpbd);
    read_xpbd(xpbd, x, NULL);
    for (int i = 1; i <= SPOKES; i++) CHECK_NEAR(distance_of(x, 0, i), 1, 1e-5);
    destroy_xpbd(xpbd);
}

// ---------------------------------------------------------------------------------------------

// m/s, of a triangle after five seconds.
static double falling_speed(bool level, int substeps) {
    static const int corners[3] = {0, 1, 2};
    Cloth cloth;
    start(&cloth);
    for (int i = 0; i < 3; i++) {
        double x = i == 1, up = i == 2;
        add_vertex(&cloth, x, level ? 0 : up, level ? up : 0, 0.2 / 6);
    }
    for (int i = 0; i < 3; i++) add_spring(&cloth, i, (i + 1) % 3, 1000);
    XpbdDef def = default_xpbd_def(substeps);
    def.air = (XpbdAir){corners, 1, .drag = 0.6, .friction = 0.03, .density = 0.2};
    Xpbd* xpbd = create(&cloth, &def);
    double x[9], v[9];
    for (int frame = 0; frame < 300; frame++) take_xpbd_step(xpbd);
    read_xpbd(xpbd, x, v);
    destroy_xpbd(xpbd);
    return -(v[1] + v[4] + v[7]) / 3;
}

// Weight per area is half the density of the air times a coefficient times v^2.
static void air_slows_falls(void) {
    for (int substeps = 8; substeps <= 64; substeps *= 8) {
        CHECK_NEAR(falling_speed(true, substeps), sqrt(0.2 * G / 0.6), 0.01);
        CHECK_NEAR(falling_speed(false, substeps), sqrt(0.2 * G / 0.03), 0.05);
    }
}

// ---------------------------------------------------------------------------------------------

// How far a mass slides in a second on a slope of 30 degrees.
static double slide(double friction) {
    const double slope = acos(-1.0) / 6;
    Cloth cloth;
    start(&cloth);
    add_vertex(&cloth, 0, 0, 0, 0.1);
    XpbdDef def = default_xpbd_def(16);
    def.bodies[def.body_count++] = (XpbdBody){.normal = {sin(slope), cos(slope), 0}};
    def.friction = friction;
    Xpbd* xpbd = create(&cloth, &def);
    double x[3];
    for (int frame = 0; frame < 60; frame++) take_xpbd_step(xpbd);
    read_xpbd(xpbd, x, NULL);
    destroy_xpbd(xpbd);
    CHECK_NEAR(x[0] * sin(slope) + x[1] * cos(slope), 0, 1e-5);
    return x[0] * cos(slope) - x[1] * sin(slope);
}

static void slopes_hold_by_friction(void) {
    double sine = 0.5, cosine = sqrt(0.75);
    CHECK_NEAR(slide(0), G * sine / 2, 0.01 * G);
    CHECK_NEAR(slide(0.3), G * (sine - 0.3 * cosine) / 2, 0.01 * G);
    CHECK_NEAR(slide(0.7), 0, 1e-4);
}

static void ball_is_not_entered(void) {
    Cloth cloth;
    make_square_cloth(&cloth, 8, 500);
    cloth.pinned[0] = cloth.pinned[8] = false;
    XpbdDef def = default_xpbd_def(16);
    def.bodies[def.body_count++] = (XpbdBody){.centre = {0.5, -0.3, 0.5}, .radius = 0.28};
    def.thickness = 0.01;
    def.friction = 0.5;
    Xpbd* xpbd = create(&cloth, &def);
    double x[3 * MAX_VERTICES], least = 1;
    for (int frame = 0; frame < 60; frame++) take_xpbd_step(xpbd);
    read_xpbd(xpbd, x, NULL);
    for (int i = 0; i < cloth.net.vertex_count; i++) {
        double dx = x[3 * i] - 0.5, dy = x[3 * i + 1] + 0.3, dz = x[3 * i + 2] - 0.5;
        least = fmin(least, sqrt(dx * dx + dy * dy + dz * dz));
    }
    CHECK_NEAR(least, 0.29, 1e-5);  // it lies on it
    destroy_xpbd(xpbd);
}

TEST_MAIN(CASE(error_falls_with_substeps), CASE(hanging_chain_stretches_by_its_weight),
          CASE(energy_does_not_grow), CASE(order_hardly_matters), CASE(hub_of_many_springs),
          CASE(air_slows_falls), CASE(slopes_hold_by_friction), CASE(ball_is_not_entered))
