// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards energy/damping.c and the damping inside the fibres: mass damping slows all motion as
// exp(-alpha t), stretch damping slows stretching and not turning, bend damping slows bending.

#include "energy_test.h"
#include "swing.h"
#include "weft/weft_study.h"

enum { N = 9, COUNT = N * N };

typedef struct Way {
    const char* name;
    WeftMethod method;
    int order;
    WeftScheme scheme;
    int iterations;
    WeftEstimator estimator;
} Way;

static const Way ways[] = {
    {"implicit 1", WEFT_METHOD_IMPLICIT, 1, WEFT_SCHEME_AUTO, 0, WEFT_ESTIMATOR_NONE},
    {"implicit 2", WEFT_METHOD_IMPLICIT, 2, WEFT_SCHEME_AUTO, 0, WEFT_ESTIMATOR_NONE},
    {"prefactored 1", WEFT_METHOD_PREFACTORED, 1, WEFT_SCHEME_A, 8, WEFT_ESTIMATOR_NONE},
    {"prefactored 2", WEFT_METHOD_PREFACTORED, 2, WEFT_SCHEME_A, 8, WEFT_ESTIMATOR_NONE},
    {"linear", WEFT_METHOD_PREFACTORED, 1, WEFT_SCHEME_REPEAT, 1, WEFT_ESTIMATOR_VERTEX},
    {"symplectic", WEFT_METHOD_SYMPLECTIC, 0, WEFT_SCHEME_AUTO, 0, WEFT_ESTIMATOR_NONE},
};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

// A free sheet without weight or air.
static Swing free_sheet(const Way* way, double beta) {
    Swing s = swing_def(N, beta);
    s.cloth.pin_count = 0;
    s.step.gravity[1] = 0;
    s.step.method = way->method;
    s.step.order = way->order;
    s.step.scheme = way->scheme;
    s.step.iterations[0] = way->iterations;
    s.step.tolerance = 1e-8;
    s.step.substeps = way->method == WEFT_METHOD_SYMPLECTIC ? 0 : 1;
    if (way->estimator) weft_set_estimator(&s.cloth, way->estimator, 2);
    return s;
}

static void open_free(Swing* s) {
    s->cloth.pins = s->pins;  // none of them
    swing_open(s);
}

static void run(Swing* s, int steps) {
    for (int k = 0; k < steps; k++) CHECK(swing_step(s));
}

// velocities v = a + w x (position - middle)
static void set_rigid_velocity(Swing* s, WfVec a, WfVec w) {
    double v[3 * COUNT];
    WfVec middle = {0.5, 0, -0.5};
    for (int i = 0; i < COUNT; i++) {
        WfVec r = wf_sub(wf_load(weft_positions(s->state), i), middle);
        wf_store(v, i, wf_add(a, wf_cross(w, r)));
    }
    weft_set_velocities(s->state, v);
}

static WfVec momentum(const Swing* s) {
    WfVec sum = {0, 0, 0};
    for (int i = 0; i < COUNT; i++)
        sum = wf_madd(sum, weft_masses(s->model)[i], wf_load(weft_velocities(s->state), i));
    return sum;
}

// about the middle, which does not move where the momentum is zero
static WfVec angular_momentum(const Swing* s) {
    WfVec sum = {0, 0, 0}, middle = {0.5, 0, -0.5};
    for (int i = 0; i < COUNT; i++) {
        WfVec r = wf_sub(wf_load(weft_positions(s->state), i), middle);
        sum = wf_madd(sum, weft_masses(s->model)[i],
                      wf_cross(r, wf_load(weft_velocities(s->state), i)));
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Mass damping

// speed after 0.5 s, started at 1 m/s; alpha = 3/s
static double slowed_speed(const Way* way, int steps) {
    Swing s = free_sheet(way, 1);
    s.cloth.fabric.mass_damping = 3;
    s.step.dt = 0.5 / steps;
    if (way->method == WEFT_METHOD_SYMPLECTIC) s.step.substeps = 1;
    open_free(&s);
    set_rigid_velocity(&s, (WfVec){0.6, 0, 0.8}, (WfVec){0, 0, 0});
    run(&s, steps);
    double speed = wf_length(momentum(&s)) / (0.15);
    swing_close(&s);
    return speed;
}

static void mass_damping_decays(void) {
    double exact = exp(-1.5), errors[WAY_COUNT];
    for (int i = 0; i < WAY_COUNT; i++) {
        double coarse = fabs(slowed_speed(&ways[i], 100) - exact);
        double fine = fabs(slowed_speed(&ways[i], 200) - exact);
        errors[i] = fine;
        CHECK_BELOW(coarse, 0.02 * exact);
        CHECK(coarse > 1.8 * fine);  // of first order at least
    }
    CHECK_BELOW(errors[1], errors[0]);
    CHECK_BELOW(errors[3], errors[2]);
}

// Turning motion decays alike.
static void mass_damping_slows_turning(void) {
    Swing s = free_sheet(&ways[1], 1000);
    s.cloth.fabric.mass_damping = 3;
    s.step.dt = 1.0 / 480;
    open_free(&s);
    set_rigid_velocity(&s, (WfVec){0, 0, 0}, (WfVec){0, 0.5, 0});
    double before = angular_momentum(&s).y;
    run(&s, 240);
    CHECK_NEAR(angular_momentum(&s).y / before, exp(-1.5), 0.02);
    swing_close(&s);
}

// Pinned vertices go their way, damped or not.
static void mass_damping_leaves_pins(void) {
    Swing s = swing_def(N, 10);
    s.cloth.fabric.mass_damping = 100;
    swing_open(&s);
    double goal[3] = {0, 0.1, -1};
    weft_move_pin(s.state, s.pins[0], goal);
    run(&s, 1);
    CHECK_NEAR(weft_positions(s.state)[3 * s.pins[0] + 1], 0.1, 1e-15);
    swing_close(&s);
}

static void nth_allocation_fails(void) {
    WeftClothDef def = weft_default_cloth_def();
    double masses[4] = {1, 1, 1, 1};
    def.vertex_count = 4;
    WfClothParts parts = {.def = &def, .row_count = 4, .masses = masses};
    WfTerm* term = NULL;
    int n = 0;
    for (; !term && n < 10; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        term = wf_damping_create(&allocator, &parts);
        if (term) term->type->destroy(&allocator, term);
        CHECK(memory.out == 0);
    }
    CHECK(term && n == 3);
}

// ---------------------------------------------------------------------------------------------
// Stretch damping

// part of its energy that a sheet has left which was let go 5 % too wide
static double ringing(const Way* way, double zeta) {
    Swing s = free_sheet(way, 10);
    s.cloth.fabric.stretch_damping = zeta;
    s.step.dt = 1.0 / 480;
    if (way->method == WEFT_METHOD_SYMPLECTIC) s.step.substeps = 2;
    open_free(&s);
    double x[3 * COUNT];
    memcpy(x, weft_positions(s.state), sizeof x);
    for (int i = 0; i < 3 * COUNT; i++) x[i] *= 1.05;
    weft_set_positions(s.state, x);
    double before = swing_energy(&s), last = before;
    for (int k = 0; k < 60; k++) {
        CHECK(swing_step(&s));
        if (zeta > 0) CHECK_BELOW(swing_energy(&s), last * 1.02 + 1e-9);
        last = swing_energy(&s);
    }
    WfVec p = momentum(&s);
    CHECK_BELOW(wf_length(p), 1e-5);
    swing_close(&s);
    return last / before;
}

static void stretch_damping_stops_ringing(void) {
    for (int i = 0; i < WAY_COUNT; i++) {
        double without = ringing(&ways[i], 0), with = ringing(&ways[i], 0.005);
        if (!CHECK(with < 0.3 * without)) printf("    %s: %g, %g\n", ways[i].name, with, without);
    }
}

// A spinning sheet keeps its spin: damping acts on lengths. The sheet is stiff, so that the spin
// itself stretches it little.
static double spin(const Way* way, double zeta, WeftStretch stretch) {
    Swing s = free_sheet(way, 100);
    if (stretch == WEFT_STRETCH_TRIANGLES) swing_triangles(&s);
    s.cloth.fabric.stretch_damping = zeta;
    s.step.dt = 1.0 / 480;
    if (way->method == WEFT_METHOD_SYMPLECTIC) s.step.substeps = 8;
    open_free(&s);
    set_rigid_velocity(&s, (WfVec){0, 0, 0}, (WfVec){0, 2, 0});
    run(&s, 240);  // half a second: half a turn in all
    double left = angular_momentum(&s).y;
    swing_close(&s);
    return left;
}

static void stretch_damping_does_not_brake_turning(void) {
    for (int i = 0; i < WAY_COUNT; i++)
        for (int triangles = 0; triangles < 2; triangles++) {
            WeftStretch stretch = triangles ? WEFT_STRETCH_TRIANGLES : WEFT_STRETCH_SPRINGS;
            double without = spin(&ways[i], 0, stretch), with = spin(&ways[i], 0.001, stretch);
            if (!CHECK_NEAR(with / without, 1, 2e-3)) printf("    %s\n", ways[i].name);
        }
}

// One edge against the damped oscillator: m l'' = -k (l - L) - zeta k l'.
static const WfTermClass edge_class = {
    .name = "edge", .role = WF_ROLE_STRETCH, WF_FIBRE_CONVENTIONAL};

static TestTerm* open_edge(double k, double zeta) {
    WeftAllocator allocator = plain_allocator();
    WeftClothDef def = weft_default_cloth_def();
    def.vertex_count = 2;
    WfClothParts parts = {.def = &def, .row_count = 2};
    WfFibreTerm* t = wf_fibre_create(&allocator, &edge_class, &parts, WF_FIBRE_SPRING, 1, zeta);
    t->vertices[1] = 1;
    t->stiffness[0] = k;
    t->length[0] = 1;
    return open_term(wf_fibre_finish(&allocator, &parts, t), 2);
}

// length after 1 s, let go at 1.2, one end held; k = 100, m = 1, zeta = 0.02
static double oscillate(int steps, int order) {
    const double k = 100, h = 1.0 / steps, gamma = order == 2 ? 2 * h / 3 : h;
    TestTerm* t = open_edge(k, 0.02);
    const double damped = k * (1 + 0.02 / gamma);
    // the motion before the start, to second order: a = -k 0.2 - no speed
    double x = 1.2, a = -k * 0.2, x1 = x + h * h * a / 2, v = 0, v1 = -h * a;
    for (int n = 0; n < steps; n++) {
        t->x[3] = x;
        t->x1[3] = x1;
        begin_term(t, h, order);
        const double* w = t->motion.base_weights;
        // (m + gamma^2 k (1 + r)) x' = m y + gamma^2 k (1 + r) L~: E is quadratic along the edge
        double y = w[0] * x + w[1] * x1 + gamma * (w[0] * v + w[1] * v1), f[6];
        double at = y, g2 = gamma * gamma;
        const double trial[6] = {0, 0, 0, at, 0, 0};
        force_at(t, trial, f);
        double next = at + g2 * f[3] / (1 + g2 * damped);
        v1 = v;
        v = (next - t->base[3]) / gamma;
        x1 = x;
        x = next;
    }
    close_term(t);
    return x;
}

static void one_edge_rings_down(void) {
    double rate = 0.02 * 100 / 2, frequency = sqrt(100 - rate * rate);
    double exact = 1 + 0.2 * exp(-rate) * (cos(frequency) + rate / frequency * sin(frequency));
    for (int order = 1; order <= 2; order++) {
        double coarse = fabs(oscillate(2000, order) - exact);
        double fine = fabs(oscillate(4000, order) - exact);
        CHECK_NEAR(coarse / fine, order == 1 ? 2 : 4, 0.3);
        CHECK_BELOW(fine, order == 1 ? 2e-3 : 2e-5);
    }
}

// ---------------------------------------------------------------------------------------------
// Bend damping

// energy left, after a second, of a sheet that was let go as a cylinder
static double unbend(const Way* way, WeftBend bend, double zeta) {
    Swing s = free_sheet(way, 100);
    bool small = way->method == WEFT_METHOD_SYMPLECTIC || bend == WEFT_BEND_EXPLICIT;
    s.cloth.bend = bend;
    s.cloth.fabric.bend = 3e-3;
    s.cloth.fabric.bend_damping = zeta;
    s.step.dt = 1.0 / 240;
    s.step.substeps = small ? 32 : 1;
    open_free(&s);
    double x[3 * COUNT];
    memcpy(x, weft_positions(s.state), sizeof x);
    for (int i = 0; i < COUNT; i++) {
        double angle = x[3 * i] - 0.5;
        x[3 * i] = sin(angle);
        x[3 * i + 1] = cos(angle);
    }
    weft_set_positions(s.state, x);
    run(&s, 240);
    double left = swing_energy(&s);
    swing_close(&s);
    return left;
}

static void bend_damping_stops_flapping(void) {
    for (int i = 0; i < WAY_COUNT; i++) {
        double without = unbend(&ways[i], WEFT_BEND_IMPLICIT, 0);
        double with = unbend(&ways[i], WEFT_BEND_IMPLICIT, 0.2);
        // the estimator's own inertia makes the linear model slower
        double part = ways[i].estimator ? 0.7 : 0.4;
        if (!CHECK(with < part * without)) printf("    %s: %g, %g\n", ways[i].name, with, without);
    }
    double implicit = unbend(&ways[3], WEFT_BEND_IMPLICIT, 0.2);
    double explicit_ = unbend(&ways[3], WEFT_BEND_EXPLICIT, 0.2);
    double symplectic = unbend(&ways[5], WEFT_BEND_IMPLICIT, 0.2);
    CHECK_NEAR(explicit_ / implicit, 1, 0.1);
    CHECK_NEAR(explicit_ / symplectic, 1, 0.02);
}

// A flat sheet turns on, whatever its bend damping.
static void bend_damping_does_not_brake_a_flat_sheet(void) {
    for (int i = 0; i < WAY_COUNT; i++) {
        double left[2];
        for (int damped = 0; damped < 2; damped++) {
            Swing s = free_sheet(&ways[i], 100);
            s.cloth.fabric.bend_damping = damped ? 0.05 : 0;
            s.step.dt = 1.0 / 480;
            if (ways[i].method == WEFT_METHOD_SYMPLECTIC) s.step.substeps = 8;
            open_free(&s);
            set_rigid_velocity(&s, (WfVec){0, 0, 0}, (WfVec){2, 0, 0});
            run(&s, 120);
            left[damped] = angular_momentum(&s).x;
            swing_close(&s);
        }
        CHECK_NEAR(left[1] / left[0], 1, 2e-3);
    }
}

TEST_MAIN(CASE(mass_damping_decays), CASE(mass_damping_slows_turning),
          CASE(mass_damping_leaves_pins), CASE(nth_allocation_fails),
          CASE(stretch_damping_stops_ringing), SLOW_CASE(stretch_damping_does_not_brake_turning),
          CASE(one_edge_rings_down), SLOW_CASE(bend_damping_stops_flapping),
          CASE(bend_damping_does_not_brake_a_flat_sheet))
