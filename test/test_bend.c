// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards energy/bend.c: flat is rest for every pair of triangles, and mu is the stiffness of the
// sheet, in energy on a cylinder and in the sag of a strip.

#include "energy_test.h"
#include "swing.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

static const double DEGREE = 3.14159265358979323846 / 180;

static TestCloth cloth_of(WeftMesh mesh, double bend) {
    TestCloth cloth = {.mesh = mesh, .def = weft_default_cloth_def()};
    weft_use_mesh(&cloth.def, &cloth.mesh);
    cloth.def.fabric.bend = bend;
    open_cloth(&cloth);
    return cloth;
}

static WfFibreTerm* bend_of(const TestCloth* cloth) {
    WeftAllocator allocator = plain_allocator();
    WfClothParts parts = cloth_parts(cloth, &cloth->def);
    return (WfFibreTerm*)wf_bend_create(&allocator, &parts);
}

static void destroy_bend(WfFibreTerm* t) {
    WeftAllocator allocator = plain_allocator();
    wf_fibre_destroy(&allocator, &t->term);
}

// R = sum alpha x of a hinge, with the vertices of the cloth alone
static WfVec hinge_vector(const WfFibreTerm* t, int e, const double* positions) {
    WfVec R = {0, 0, 0};
    for (int a = 0; a < 4; a++)
        R = wf_madd(R, t->coefficients[4 * e + a],
                    wf_load(positions, t->vertices[4 * e + a] - ROWS_BEFORE));
    return R;
}

// ---------------------------------------------------------------------------------------------
// Flat

// Two triangles over the edge from (0, 0) to (1, 0): apices anywhere above and below.
static WeftMesh pair_of(const double up[2], const double down[2]) {
    WeftGridDef grid = {.width = 1, .height = 1, .columns = 1, .rows = 1};
    WeftMesh mesh;
    CHECK(weft_make_grid(&grid, NULL, &mesh, NULL) == WEFT_OK);
    const double flat[8] = {0, 0, 1, 0, up[0], up[1], down[0], down[1]};
    static const int corners[6] = {0, 1, 2, 1, 0, 3};
    memcpy(mesh.material, flat, sizeof flat);
    memcpy(mesh.triangles, corners, sizeof corners);
    for (int i = 0; i < 4; i++)
        wf_store(mesh.positions, i, (WfVec){flat[2 * i], 0, -flat[2 * i + 1]});
    return mesh;
}

static void check_flat(const TestCloth* cloth, double tolerance) {
    WfFibreTerm* t = bend_of(cloth);
    for (int e = 0; e < t->element_count; e++) {
        const double* alpha = t->coefficients + 4 * e;
        CHECK_BELOW(wf_length(hinge_vector(t, e, cloth->def.positions)), tolerance);
        CHECK_BELOW(fabs(alpha[0] + alpha[1] + alpha[2] + alpha[3]), tolerance);
        CHECK_NEAR(alpha[0] + alpha[1], 1, 1e-14);
        CHECK(t->stiffness[e] > 0);
    }
    destroy_bend(t);
}

// Unsigned areas give |R| = 0.94 at rest for the third of these (Choi 2013, 5.2 to 5.5).
static void flat_pairs(void) {
    static const double pairs[][2][2] = {
        {{0.5, 1}, {0.5, -1}},      // a rhombus
        {{0.2, 0.7}, {0.6, -0.1}},  // any convex pair
        {{3, 0.3}, {0.9, -0.2}},    // not convex: bent in beside the edge's end
        {{-2, 0.5}, {-1, -0.3}},    // far to the other side
        {{2, 1}, {0, -1}},          // three vertices in line
    };
    for (int i = 0; i < 5; i++) {
        TestCloth cloth = cloth_of(pair_of(pairs[i][0], pairs[i][1]), 1e-3);
        check_flat(&cloth, 1e-12);
        close_cloth(&cloth);
    }
}

static void flat_meshes(void) {
    WeftMesh mesh;
    WeftGridDef grid = weft_default_grid_def();
    for (int kind = 0; kind < 3; kind++) {
        grid.kind = (WeftGridKind)kind;
        CHECK(weft_make_grid(&grid, NULL, &mesh, NULL) == WEFT_OK);
        TestCloth cloth = cloth_of(mesh, 1e-3);
        check_flat(&cloth, 1e-12);
        close_cloth(&cloth);
    }
    CHECK(weft_make_rectangle(1, 1, 0.05, NULL, &mesh, NULL) == WEFT_OK);
    TestCloth cloth = cloth_of(mesh, 1e-3);
    check_flat(&cloth, 1e-12);
    close_cloth(&cloth);
}

static void random_pairs(void) {
    for (int i = 0; i < 500; i++) {
        double up[2] = {3 * random_unit(), 0.05 + fabs(random_unit())};
        double down[2] = {3 * random_unit(), -0.05 - fabs(random_unit())};
        TestCloth cloth = cloth_of(pair_of(up, down), 1e-3);
        check_flat(&cloth, 1e-12);
        close_cloth(&cloth);
    }
}

// A fold of a rhombus by an angle: R stands over the edge, |R| = height * sin(angle/2), as far as
// the middle of the apices has left the edge. The energy does not ask which way it is folded.
static void folded_rhombus(void) {
    TestCloth cloth = cloth_of(pair_of((double[]){0.5, 1}, (double[]){0.5, -1}), 1e-3);
    WfFibreTerm* t = bend_of(&cloth);
    for (double angle = -150; angle <= 150; angle += 30) {
        double c = cos(angle / 2 * DEGREE), s = sin(angle / 2 * DEGREE);
        const double x[12] = {0, 0, 0, 1, 0, 0, 0.5, s, -c, 0.5, s, c};
        WfVec R = hinge_vector(t, 0, x);
        CHECK_NEAR(R.x, 0, 1e-15);
        CHECK_NEAR(R.y, s, 1e-15);
        CHECK_NEAR(R.z, 0, 1e-15);
    }
    // lambda = 2 (1 + 1)/(1 * 1)^2 * 1^4 * mu
    CHECK_NEAR(t->stiffness[0], 4e-3, 1e-15);
    destroy_bend(t);
    close_cloth(&cloth);
}

// ---------------------------------------------------------------------------------------------
// Cylinder: energy per area over mu kappa^2/2

typedef struct Cylinder {
    double direction;  // degrees from u, in which the sheet is curved
    double kappa;
} Cylinder;

static WfVec on_cylinder(const Cylinder* c, double u, double v) {
    double cosine = cos(c->direction * DEGREE), sine = sin(c->direction * DEGREE);
    double s = u * cosine + v * sine, t = v * cosine - u * sine;
    return (WfVec){sin(c->kappa * s) / c->kappa, (1 - cos(c->kappa * s)) / c->kappa, t};
}

// over the hinges whose edges have their middles in [0.25, 0.75)^2: whole cells of the grids
static double cylinder_ratio(const TestCloth* cloth, Cylinder cylinder) {
    const double mu = cloth->def.fabric.bend;
    WfFibreTerm* t = bend_of(cloth);
    double* x = new_doubles(3L * cloth->def.vertex_count);
    for (int i = 0; i < cloth->def.vertex_count; i++) {
        const double* flat = cloth->def.material + 2 * (long)i;
        wf_store(x, i, on_cylinder(&cylinder, flat[0] - 0.5, flat[1] - 0.5));
    }
    double energy = 0;
    for (int e = 0; e < t->element_count; e++) {
        const double* a = cloth->def.material + 2 * (t->vertices[4 * e + 2] - ROWS_BEFORE);
        const double* b = cloth->def.material + 2 * (t->vertices[4 * e + 3] - ROWS_BEFORE);
        double u = (a[0] + b[0]) / 2 + 1e-9, v = (a[1] + b[1]) / 2 + 1e-9;
        if (u < 0.25 || u >= 0.75 || v < 0.25 || v >= 0.75) continue;
        WfVec R = hinge_vector(t, e, x);
        energy += t->stiffness[e] / 2 * wf_dot(R, R);
    }
    free(x);
    destroy_bend(t);
    return energy / (0.25 * mu * cylinder.kappa * cylinder.kappa / 2);
}

static TestCloth grid_cloth(WeftGridKind kind, int n) {
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = n - 1;
    grid.kind = kind;
    WeftMesh mesh;
    CHECK(weft_make_grid(&grid, NULL, &mesh, NULL) == WEFT_OK);
    return cloth_of(mesh, 3e-4);
}

static void cylinder_on_grids(void) {
    static const double kappas[] = {0.2, 1, 3};
    for (int kind = 0; kind < 3; kind++)
        for (int n = 41; n <= 81; n += 40) {
            TestCloth cloth = grid_cloth((WeftGridKind)kind, n);
            for (int k = 0; k < 3; k++) {
                CHECK_NEAR(cylinder_ratio(&cloth, (Cylinder){0, kappas[k]}), 1, 0.05);
                CHECK_NEAR(cylinder_ratio(&cloth, (Cylinder){90, kappas[k]}), 1, 0.05);
            }
            close_cloth(&cloth);
        }
}

// The model is not isotropic; how far it is off, measured with an independent prototype: across the
// grid 1.5 times with alternating diagonals, 3 times with parallel ones (bent over them), 1.1 to
// 1.4 on irregular meshes. A change of these numbers is a change of the model.
static void anisotropy_is_known(void) {
    TestCloth alternating = grid_cloth(WEFT_GRID_ALTERNATING, 41);
    CHECK_NEAR(cylinder_ratio(&alternating, (Cylinder){45, 1}), 1.5, 0.05);
    CHECK_NEAR(cylinder_ratio(&alternating, (Cylinder){135, 1}), 1.5, 0.05);
    close_cloth(&alternating);
    TestCloth one_way = grid_cloth(WEFT_GRID_ONE_WAY, 41);
    double a = cylinder_ratio(&one_way, (Cylinder){45, 1});
    double b = cylinder_ratio(&one_way, (Cylinder){135, 1});
    CHECK_NEAR(fmax(a, b), 3, 0.1);
    CHECK_NEAR(fmin(a, b), 1, 0.1);
    close_cloth(&one_way);
    WeftMesh mesh;
    CHECK(weft_make_rectangle(1, 1, 0.025, NULL, &mesh, NULL) == WEFT_OK);
    TestCloth irregular = cloth_of(mesh, 3e-4);
    for (double angle = 0; angle < 180; angle += 15)
        CHECK_NEAR(cylinder_ratio(&irregular, (Cylinder){angle, 1}), 1.25, 0.25);
    close_cloth(&irregular);
}

// ---------------------------------------------------------------------------------------------
// Motion

// Sag of a sheet of 0.2 m that is clamped along one side, over that of a beam, rho g L^4/(8 mu).
static double cantilever(int rows) {
    const double mu = 0.02, length = 0.2, g = 9.81;
    enum { COLUMNS = 22, CLAMPED = 3, MAX_ROWS = 8 };
    WeftGridDef grid = {.width = 0.22, .height = 0.01 * rows, .columns = COLUMNS, .rows = rows};
    WeftMesh mesh;
    CHECK(weft_make_grid(&grid, NULL, &mesh, NULL) == WEFT_OK);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.fabric.bend = mu;
    cloth.fabric.density = 0.15;
    cloth.fabric.mass_damping = 20;
    int pins[CLAMPED * (MAX_ROWS + 1)], count = 0;
    for (int j = 0; j <= rows; j++)
        for (int i = 0; i < CLAMPED; i++) pins[count++] = j * (COLUMNS + 1) + i;
    cloth.pins = pins;
    cloth.pin_count = count;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth;
    def.cloth_count = 1;
    def.step.air_density = 0;
    def.step.method = WEFT_METHOD_IMPLICIT;
    def.step.order = 1;
    def.step.scheme = WEFT_SCHEME_JAJ;
    def.step.newton_steps = 20;
    def.step.newton_tolerance = 1e-6;
    def.step.tolerance = 1e-8;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    CHECK(weft_create_model(&def, &model, NULL) == WEFT_OK);
    CHECK(weft_create_state(model, &state, NULL) == WEFT_OK);
    for (int k = 0; k < 60; k++) CHECK(weft_step(state, &def.step) == WEFT_OK);
    int tip = (rows / 2) * (COLUMNS + 1) + COLUMNS;
    double sag = -weft_positions(state)[3 * tip + 1];
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_mesh(&mesh);
    return sag / (0.15 * g * pow(length, 4) / (8 * mu));
}

// The diagonals of a grid couple bending along u and along v like a Poisson's ratio of 1/2. A
// narrow strip curls across, and has 3/4 of the stiffness of a sheet too wide to do so.
static void sag_of_a_strip(void) {
    CHECK_NEAR(cantilever(4), 4.0 / 3, 0.03);
    CHECK_NEAR(cantilever(8), 4.0 / 3, 0.03);
}

// For soft bending the explicit form gives nearly the same motion, without its part of the matrix.
static void explicit_is_near_implicit(void) {
    Track tracks[2];
    for (int e = 0; e < 2; e++) {
        Swing s = swing_def(25, 100);
        s.cloth.bend = e ? WEFT_BEND_EXPLICIT : WEFT_BEND_IMPLICIT;
        s.step.order = 1;
        s.step.scheme = WEFT_SCHEME_JAJ;
        s.step.iterations[0] = 6;
        swing_open(&s);
        tracks[e] = swing_record(&s, 40);
        swing_close(&s);
    }
    CHECK(tracks[0].count == 40 && tracks[1].count == 40);
    double apart = track_distance(&tracks[0], &tracks[1]);
    CHECK_BELOW(apart, 5);  // mm, of a fall of more than half a metre
    CHECK(apart > 0);
    track_free(&tracks[0]);
    track_free(&tracks[1]);
}

// Explicit bending that is too stiff for the step makes cloth tremble, and does not blow it up:
// this sheet was at 1e10 m/s after 13 steps.
static void stiff_explicit_bending_is_bounded(void) {
    Swing s = swing_def(9, 10);
    s.cloth.bend = WEFT_BEND_EXPLICIT;
    s.cloth.fabric.bend = 1;
    swing_open(&s);
    WeftMeasure measure;
    for (int k = 0; k < 60; k++) {
        CHECK(swing_step(&s));
        CHECK(weft_measure(s.state, s.step.gravity, &measure) == WEFT_OK);
        if (!CHECK_BELOW(measure.max_speed, 100)) break;
    }
    swing_close(&s);
}

// Without bending stiffness, or without a hinge, there is nothing to bend, and all is well.
static void nothing_to_bend(void) {
    TestCloth cloth = cloth_of(pair_of((double[]){0.5, 1}, (double[]){0.5, -1}), 1e-3);
    cloth.topology.hinge_count = 0;
    WfFibreTerm* t = bend_of(&cloth);
    CHECK(t && t->element_count == 0);
    TestTerm* term = open_term(&t->term, cloth.rows);
    double f[3 * (4 + ROWS_BEFORE + ROWS_AFTER)] = {0};
    reset_term(term);
    begin_term(term, 0.01, 1);
    CHECK(force_at(term, term->x, f) == 0);
    CHECK(largest(f, term->n) == 0);
    close_term(term);
    cloth.topology.hinge_count = 1;
    close_cloth(&cloth);

    for (int i = 0; i < 2; i++) {
        Swing s = swing_def(5, 10);
        if (i)
            s.cloth.bend = WEFT_BEND_NONE;
        else
            s.cloth.fabric.bend = 0;
        swing_open(&s);
        for (int k = 0; k < 10; k++) CHECK(swing_step(&s));
        WeftMeasure measure;
        CHECK(weft_measure(s.state, s.step.gravity, &measure) == WEFT_OK);
        CHECK(measure.bend == 0);
        swing_close(&s);
    }
}

TEST_MAIN(CASE(flat_pairs), CASE(flat_meshes), CASE(random_pairs), CASE(folded_rhombus),
          CASE(cylinder_on_grids), CASE(anisotropy_is_known), SLOW_CASE(sag_of_a_strip),
          CASE(explicit_is_near_implicit), CASE(stiff_explicit_bending_is_bounded),
          CASE(nothing_to_bend))
