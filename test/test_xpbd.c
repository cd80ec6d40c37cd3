// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the rival of the benches `quality` and `rival` and of the page: XPBD with small steps
// behaves as published, and as a plain implementation of what is published does.

#include "rival/xpbd.h"
#include "test.h"

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
        (Spring){{a, b}, distance_of(cloth->positions, a, b), stiffness, 0, 0};
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
        place_xpbd(xpbd, x, NULL);
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

// ---------------------------------------------------------------------------------------------
// The method as it is published, in a few lines: a chain of LINKS from the origin, level at first.

enum { LINKS = 12 };
typedef struct Plain {
    int substeps, iterations;
    double dt, stiffness;  // N/m
    bool compliant;        // XPBD; else PBD, whose corrections are taken by a half
    double x[LINKS + 1][3], v[LINKS + 1][3];
} Plain;
static const double LINK = 0.05, LINK_MASS = 0.01;

static Plain make_plain(int substeps, int iterations) {
    Plain p = {.substeps = substeps, .iterations = iterations, .dt = 1.0 / 60, .stiffness = 60};
    p.compliant = true;
    for (int i = 0; i <= LINKS; i++) p.x[i][0] = LINK * i;
    return p;
}

// The end of the chain weighs the same as all others; the first vertex is held.
static void project_link(Plain* p, int link, double h, double* lambda) {
    double *a = p->x[link], *b = p->x[link + 1], d[3], square = 0;
    double wa = link == 0 ? 0 : 1 / LINK_MASS, wb = 1 / LINK_MASS;
    double alpha = p->compliant ? 1 / (p->stiffness * h * h) : 0;
    for (int c = 0; c < 3; c++) d[c] = b[c] - a[c], square += d[c] * d[c];
    double length = sqrt(square);
    double change = (LINK - length - alpha * *lambda) / (wa + wb + alpha);
    if (!p->compliant) change *= 0.5;
    *lambda += change;
    for (int c = 0; c < 3; c++) {
        a[c] -= wa * change * d[c] / length;
        b[c] += wb * change * d[c] / length;
    }
}

static void take_plain_step(Plain* p) {
    double h = p->dt / p->substeps;
    for (int s = 0; s < p->substeps; s++) {
        double before[LINKS + 1][3], lambda[LINKS] = {0};
        memcpy(before, p->x, sizeof before);
        for (int i = 1; i <= LINKS; i++)
            for (int c = 0; c < 3; c++) p->x[i][c] += h * p->v[i][c] - (c == 1 ? h * h * G : 0);
        for (int k = 0; k < p->iterations; k++)  // two colours, as of a chain
            for (int i = 0; i < LINKS; i++) {
                int link = 2 * i < LINKS ? 2 * i : 2 * i - LINKS + 1;
                project_link(p, link, h, &lambda[link]);
            }
        for (int i = 1; i <= LINKS; i++)
            for (int c = 0; c < 3; c++) p->v[i][c] = (p->x[i][c] - before[i][c]) / h;
    }
}

// At rest: every step begins without motion.
static double plain_lengthening(Plain p) {
    for (int i = 0; i <= LINKS; i++) p.x[i][0] = 0, p.x[i][1] = -LINK * i;
    for (int step = 0; step < 6000; step++) {
        take_plain_step(&p);
        memset(p.v, 0, sizeof p.v);
    }
    return -p.x[LINKS][1] - LINKS * LINK;
}

// Macklin, Mueller and Chentanez 2016: more iterations and shorter steps make PBD stiffer, and XPBD
// as stiff as it is said to be.
static void stiffness_is_that_of_the_material(void) {
    double expected = LINKS * (LINKS + 1) / 2 * LINK_MASS * G / 60;
    Plain settings[3] = {make_plain(1, 100), make_plain(1, 400), make_plain(1, 400)};
    settings[2].dt = 1.0 / 120;
    double soft[3];
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(plain_lengthening(settings[i]), expected, 0.01 * expected);
        settings[i].compliant = false;
        settings[i].iterations /= 20;
        soft[i] = plain_lengthening(settings[i]);
    }
    CHECK_BELOW(soft[1], 0.6 * soft[0]);
    CHECK_BELOW(soft[2], 0.6 * soft[1]);
}

// m, of the end of the chain, half a second after it was let go.
static double plain_error(Plain p, const Plain* exact) {
    double sum = 0;
    for (int step = 0; step < 30; step++) take_plain_step(&p);
    for (int i = 0; i <= LINKS; i++)
        for (int c = 0; c < 3; c++)
            sum += (p.x[i][c] - exact->x[i][c]) * (p.x[i][c] - exact->x[i][c]);
    return sqrt(sum / LINKS);
}

// Macklin and others 2019: of what costs the same, short steps are closer than many iterations.
static void small_steps_beat_iterations(void) {
    Plain exact = make_plain(4000, 1);
    for (int step = 0; step < 30; step++) take_plain_step(&exact);
    for (int n = 8; n <= 32; n *= 2) {
        double steps = plain_error(make_plain(n, 1), &exact);
        double iterations = plain_error(make_plain(1, n), &exact);
        printf("  %d: %.1f mm by substeps, %.1f by iterations\n", n, 1000 * steps,
               1000 * iterations);
        CHECK_BELOW(steps, 0.5 * iterations);
    }
}

static void make_chain_cloth(Cloth* cloth) {
    start(cloth);
    for (int i = 0; i <= LINKS; i++) add_vertex(cloth, LINK * i, 0, 0, LINK_MASS);
    for (int i = 0; i < LINKS; i++) add_spring(cloth, i, i + 1, 60);
    cloth->pinned[0] = true;
}

// Four lanes at once do what a loop in double precision does.
static void agrees_with_the_plain_method(void) {
    Cloth cloth;
    make_chain_cloth(&cloth);
    for (int precise = 0; precise < 2; precise++) {
        XpbdDef def = default_xpbd_def(10);
        def.precise = precise;
        Plain plain = make_plain(10, 1);
        Xpbd* xpbd = create(&cloth, &def);
        double x[3 * (LINKS + 1)];
        for (int frame = 0; frame < 12; frame++) {
            take_xpbd_step(xpbd);
            take_plain_step(&plain);
        }
        read_xpbd(xpbd, x, NULL);
        for (int i = 0; i < 3 * (LINKS + 1); i++) CHECK_NEAR(x[i], plain.x[i / 3][i % 3], 5e-5);
        destroy_xpbd(xpbd);
    }
}

// Kinetic and of height and springs, over what it began with and 1 J per N of weight.
static double energy_after_swing(int substeps) {
    Cloth cloth;
    make_chain_cloth(&cloth);
    XpbdDef def = default_xpbd_def(substeps);
    def.precise = true;
    Xpbd* xpbd = create(&cloth, &def);
    for (int frame = 0; frame < 60; frame++) take_xpbd_step(xpbd);
    double energy = total_energy(&cloth, xpbd);
    destroy_xpbd(xpbd);
    return energy;
}

// Numerical damping is what few substeps have; none of them gains.
static void damping_falls_with_substeps(void) {
    double few = energy_after_swing(4), some = energy_after_swing(16);
    double many = energy_after_swing(64), most = energy_after_swing(256);
    printf("  lost %.1f, %.1f, %.1f, %.1f mJ\n", -1000 * few, -1000 * some, -1000 * many,
           -1000 * most);
    CHECK(few < some && some < many && many < most);
    CHECK_BELOW(most, 1e-4);
}

// A spring of damping zeta along which a mass moves loses by exp(-zeta k t/(2 m)).
static void springs_are_damped(void) {
    const double mass = 0.1, stiffness = 40, zeta = 0.02, seconds = 1;
    Cloth cloth;
    start(&cloth);
    add_vertex(&cloth, 0, 0, 0, 1);
    add_vertex(&cloth, 1, 0, 0, mass);
    add_spring(&cloth, 0, 1, stiffness);
    cloth.springs[0].damping = zeta;
    cloth.pinned[0] = true;
    XpbdDef def = default_xpbd_def(200);
    memset(def.gravity, 0, sizeof def.gravity);
    Xpbd* xpbd = create(&cloth, &def);
    double x[6] = {0, 0, 0, 1.1, 0, 0};
    place_xpbd(xpbd, x, NULL);
    for (int frame = 0; frame < 60 * seconds; frame++) take_xpbd_step(xpbd);
    read_xpbd(xpbd, x, NULL);
    double rate = zeta * stiffness / (2 * mass), omega = sqrt(stiffness / mass - rate * rate);
    double expected =
        0.1 * exp(-rate * seconds) * (cos(omega * seconds) + rate / omega * sin(omega * seconds));
    CHECK_NEAR(x[3] - 1, expected, 5e-4);
    destroy_xpbd(xpbd);
}

// Beyond its strain a pressed spring pushes as hard as at it: a weight that stands on it goes on
// down.
static void pressed_springs_give_way(void) {
    Cloth cloth;
    start(&cloth);
    add_vertex(&cloth, 0, 0, 0, 1);
    add_vertex(&cloth, 0, 1, 0, 0.1);
    add_spring(&cloth, 0, 1, 100);
    cloth.springs[0].give = 0.005;  // 0.5 N of 0.981
    cloth.pinned[0] = true;
    XpbdDef def = default_xpbd_def(40);
    Xpbd* xpbd = create(&cloth, &def);
    double x[6];
    for (int frame = 0; frame < 12; frame++) take_xpbd_step(xpbd);
    read_xpbd(xpbd, x, NULL);
    // until then it swings about where the spring would carry it
    double omega = sqrt(100 / 0.1), sag = G / (omega * omega), given = 0.005;
    double phase = acos(1 - given / sag), left = 0.2 - phase / omega;
    double speed = omega * sag * sin(phase), falls = G - 0.5 / 0.1;
    CHECK_NEAR(x[4], 1 - given - speed * left - falls * left * left / 2, 1e-3);
    destroy_xpbd(xpbd);
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
    def.air = (XpbdAir){
        .triangles = corners, .triangle_count = 1, .drag = 0.6, .friction = 0.03, .density = 0.2};
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
    const double origin[3] = {0}, normal[3] = {sin(slope), cos(slope), 0};
    XpbdBody ground = xpbd_half_space(origin, normal, friction);
    def.body_count = 1;
    def.friction = friction;
    Xpbd* xpbd = create(&cloth, &def);
    set_xpbd_bodies(xpbd, &ground);
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
    XpbdBody ball = xpbd_ball((double[3]){0.5, -0.3, 0.5}, 0.28, 0.5);
    def.body_count = 1;
    def.thickness = 0.01;
    def.friction = 0.5;
    Xpbd* xpbd = create(&cloth, &def);
    set_xpbd_bodies(xpbd, &ball);
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
          CASE(energy_does_not_grow), CASE(order_hardly_matters),
          SLOW_CASE(stiffness_is_that_of_the_material), CASE(small_steps_beat_iterations),
          CASE(agrees_with_the_plain_method), CASE(damping_falls_with_substeps),
          CASE(springs_are_damped), CASE(pressed_springs_give_way), CASE(hub_of_many_springs),
          CASE(air_slows_falls), CASE(slopes_hold_by_friction), CASE(ball_is_not_entered))
