// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards energy/hinge.c and the bending half of material/elastic.c: the table and its integral, the
// angle from one full fold to the other, energy on a cylinder, agreement with linear bending, and
// cloth that hangs by it.

#include "energy_test.h"
#include "material/elastic.h"
#include "swing.h"

static const double DEGREE = 3.14159265358979323846 / 180;

// N m; the first row rises, the others fall in places, the last one too much
static const double table[3][5] = {{2e-5, 3e-5, 3.2e-5, 3.6e-5, 4e-5},
                                   {3e-5, 2.4e-5, 2.1e-5, 3e-5, 2.8e-5},
                                   {6e-5, 5.6e-5, 5.7e-5, 5.8e-5, 2e-5}};

static WeftMeasured measured(void) {
    WeftMeasured m = {0};
    memcpy(m.bend, table, sizeof table);
    return m;
}

// ---------------------------------------------------------------------------------------------
// The table

static void points_of_the_table(void) {
    WeftMeasured m = measured();
    for (int d = 0; d < 3; d++)
        for (int sign = 0; sign < 4; sign++) {
            double n[2] = {cos(45 * d * DEGREE), sin(45 * d * DEGREE)};
            if (sign & 1) n[0] = -n[0];
            if (sign & 2) n[1] = -n[1];
            for (int k = 0; k < 5; k++) {
                CHECK_NEAR(wf_measured_bend(&m, n, 10 * k), table[d][k], 1e-18);
                CHECK_NEAR(wf_measured_bend(&m, n, -10 * k), table[d][k], 1e-18);
            }
            CHECK_NEAR(wf_measured_bend(&m, n, 500), table[d][4], 1e-18);
            CHECK_NEAR(wf_measured_bend(&m, n, 37), 0.3 * table[d][3] + 0.7 * table[d][4], 1e-18);
        }
    const double n[2] = {2 * cos(67.5 * DEGREE), 2 * sin(67.5 * DEGREE)};
    CHECK_NEAR(wf_measured_bend(&m, n, 10), (table[1][1] + table[2][1]) / 2, 1e-18);
}

// by Simpson's rule, exact for the moment between two nodes
static void energy_is_the_integral(void) {
    for (int d = 0; d < 3; d++) {
        double sum = 0;
        for (double z = 0; z < 60; z += 2) {
            CHECK_NEAR(wf_row_energy(table[d], z), sum, 1e-14);
            CHECK_NEAR(wf_row_energy(table[d], -z), sum, 1e-14);
            for (int half = 0; half < 2; half++) {
                double a = z + half, m = a + 0.5, b = a + 1;
                sum += (wf_row_bend(table[d], a) * a + 4 * wf_row_bend(table[d], m) * m +
                        wf_row_bend(table[d], b) * b) /
                       6;
            }
        }
    }
}

// does the moment fall anywhere, at any direction?
static bool moment_falls(const WeftMeasured* m) {
    for (double degrees = 0; degrees <= 90; degrees += 7.5) {
        const double n[2] = {cos(degrees * DEGREE), sin(degrees * DEGREE)};
        double last = 0;
        for (double z = 0.05; z < 60; z += 0.05) {
            double moment = wf_measured_bend(m, n, z) * z;
            if (moment < last * (1 - 1e-12)) return true;
            last = moment;
        }
    }
    return false;
}

static void repaired_tables(void) {
    WeftMeasured m = measured();
    CHECK(moment_falls(&m));
    CHECK(wf_check_measured(&m, NULL) == WEFT_OK);
    wf_repair_measured(&m);
    CHECK(!moment_falls(&m));
    // one entry is raised, as little as can be
    for (int i = 0; i < 14; i++) CHECK(m.bend[i / 5][i % 5] == table[i / 5][i % 5]);
    CHECK_NEAR(m.bend[2][4], 5.8e-5 * 4 / 5, 1e-18);
    m.bend[2][4] *= 0.99;
    CHECK(moment_falls(&m));
    for (int i = 0; i < test_rounds(1000); i++) {
        for (int k = 0; k < 15; k++) m.bend[k / 5][k % 5] = fabs(random_unit());
        wf_repair_measured(&m);
        CHECK(!moment_falls(&m));
        WeftMeasured again = m;
        wf_repair_measured(&again);
        CHECK(memcmp(&again, &m, sizeof m) == 0);
    }
}

// ---------------------------------------------------------------------------------------------
// One hinge: two triangles over the edge from (0, 0) to (0.01, 0), in metres

static WeftMesh pair_of(double up, double down) {
    WeftGridDef grid = {.width = 1, .height = 1, .columns = 1, .rows = 1};
    WeftMesh mesh;
    CHECK(weft_make_grid(&grid, NULL, &mesh, NULL) == WEFT_OK);
    const double flat[8] = {0, 0, 0.01, 0, 0.004, up, 0.007, -down};
    static const int corners[6] = {0, 1, 2, 1, 0, 3};
    memcpy(mesh.material, flat, sizeof flat);
    memcpy(mesh.triangles, corners, sizeof corners);
    for (int i = 0; i < 4; i++)
        wf_store(mesh.positions, i, (WfVec){flat[2 * i], 0, -flat[2 * i + 1]});
    return mesh;
}

static TestCloth cloth_of(WeftMesh mesh) {
    TestCloth cloth = {.mesh = mesh, .def = weft_default_cloth_def()};
    weft_use_mesh(&cloth.def, &cloth.mesh);
    cloth.def.fabric.bend = 3e-5;
    open_cloth(&cloth);
    return cloth;
}

static TestTerm* term_of(const TestCloth* cloth) {
    WeftAllocator allocator = plain_allocator();
    WfClothParts parts = cloth_parts(cloth, &cloth->def);
    return open_term(wf_hinge_create(&allocator, &parts), cloth->rows);
}

// The second triangle turned about the edge.
static void fold(const TestCloth* cloth, double* x, double degrees) {
    for (int i = 0; i < 4; i++) wf_store(x, ROWS_BEFORE + i, wf_load(cloth->def.positions, i));
    WfVec j = wf_load(cloth->def.positions, 3);
    double c = cos(degrees * DEGREE), s = sin(degrees * DEGREE);
    wf_store(x, ROWS_BEFORE + 3, (WfVec){j.x, s * j.z, c * j.z});
}

static void begin_fold(const TestCloth* cloth, TestTerm* t, double degrees) {
    fold(cloth, t->x, degrees);
    reset_term(t);
    copy_doubles(t->x1, t->x, t->n);
    begin_term(t, 0.01, 1);
}

static void energy_of_a_fold(void) {
    TestCloth cloth = cloth_of(pair_of(0.008, 0.012));
    const double width = 0.01, length = 0.01;  // (8 + 12)/2 mm
    for (int tables = 0; tables < 2; tables++) {
        if (tables) cloth.def.fabric.measured = measured();
        TestTerm* t = term_of(&cloth);
        for (double degrees = -175; degrees <= 175; degrees += 12.5) {
            begin_fold(&cloth, t, degrees);
            double kappa = degrees * DEGREE / width;
            WeftMeasured repaired = measured();
            wf_repair_measured(&repaired);
            // the edge is along the warp: it bends along the weft
            double cost =
                tables ? wf_row_energy(repaired.bend[2], kappa) : 3e-5 * kappa * kappa / 2;
            CHECK_NEAR(energy_at(t, t->x), length * width * cost, 1e-12 * cost);
        }
        close_term(t);
    }
    close_cloth(&cloth);
}

// Force against differences of the energy, at curvatures within and beyond the table.
static void force_of_a_fold(void) {
    TestCloth cloth = cloth_of(pair_of(0.008, 0.012));
    cloth.def.fabric.measured = measured();
    cloth.def.fabric.bend_damping = 0.02;
    TestTerm* t = term_of(&cloth);
    double *f = new_doubles(t->n), *x = new_doubles(t->n);
    for (double degrees = -160; degrees <= 160; degrees += 8) {
        begin_fold(&cloth, t, degrees * 0.9);
        fold(&cloth, x, degrees);
        for (int i = 0; i < t->n; i++) x[i] += 2e-4 * random_unit();
        force_at(t, x, f);
        double most = largest(f, t->n), step = 1e-8;
        for (int i = 0; i < t->n; i++) {
            double at = x[i];
            x[i] = at + step;
            double up = energy_at(t, x);
            x[i] = at - step;
            double slope = -(up - energy_at(t, x)) / (2 * step);
            x[i] = at;
            CHECK_NEAR(f[i], slope, 1e-6 * most);
        }
    }
    free(f), free(x);
    close_term(t);
    close_cloth(&cloth);
}

// Folded shut and through: the torque goes on growing, and does not turn round.
static void through_the_full_fold(void) {
    TestCloth cloth = cloth_of(pair_of(0.01, 0.01));
    for (int side = -1; side <= 1; side += 2) {
        TestTerm* t = term_of(&cloth);
        begin_fold(&cloth, t, 0);
        double last = 0;
        for (double degrees = 5; degrees <= 260; degrees += 5) {
            fold(&cloth, t->x, side * degrees);
            double energy = energy_at(t, t->x), angle = degrees * DEGREE;
            CHECK_NEAR(energy, 3e-5 * angle * angle / 2, 1e-15);
            CHECK(energy > last);
            last = energy;
            begin_term(t, 0.01, 1);
        }
        // a state that starts there knows no better than the shorter way
        begin_fold(&cloth, t, side * 200);
        CHECK_NEAR(energy_at(t, t->x), 3e-5 * pow(160 * DEGREE, 2) / 2, 1e-15);
        close_term(t);
    }
    close_cloth(&cloth);
}

// Heights and edges that shrink to nothing: finite forces, no force and no torque in sum.
static void shrunken_triangles(void) {
    TestCloth cloth = cloth_of(pair_of(0.008, 0.012));
    TestTerm* t = term_of(&cloth);
    double* f = new_doubles(t->n);
    begin_fold(&cloth, t, 100);
    force_at(t, t->x, f);
    double usual = largest(f, t->n);
    for (int i = 0; i < 60; i++) {
        double shrink = i < 57 ? pow(0.5, i % 19) : 0;
        fold(&cloth, t->x, 100);
        double* x = t->x + 3 * ROWS_BEFORE;
        if (i % 3 == 0) x[8] *= shrink;                                  // one height
        if (i % 3 == 1) x[10] *= shrink, x[11] *= shrink;                // the other
        if (i % 3 == 2) x[3] *= shrink, x[6] *= shrink, x[9] *= shrink;  // along the edge
        force_at(t, t->x, f);
        WfVec sum = {0, 0, 0}, torque = {0, 0, 0};
        for (int v = 0; v < t->rows; v++) {
            sum = wf_add(sum, wf_load(f, v));
            torque = wf_add(torque, wf_cross(wf_load(t->x, v), wf_load(f, v)));
        }
        CHECK_BELOW(largest(f, t->n), 60 * usual);
        CHECK_BELOW(wf_length(sum), 1e-12 * usual);
        CHECK_BELOW(wf_length(torque), 1e-13 * usual);
        t->term->type->evaluate(t->term, &t->space, t->x, WF_WANT_LINEARISE, 1, NULL);
        double* K = dense_product(t);
        CHECK(is_positive(K, t->n, 1e-10));
        free(K);
    }
    free(f);
    close_term(t);
    close_cloth(&cloth);
}

// The stiffness is the derivative of the force where it is nearly flat.
static void stiffness_when_flat(void) {
    TestCloth cloth = cloth_of(pair_of(0.008, 0.012));
    TestTerm* t = term_of(&cloth);
    begin_fold(&cloth, t, 0);
    t->term->type->evaluate(t->term, &t->space, t->x, WF_WANT_LINEARISE, 1, NULL);
    double *K = dense_product(t), *f = new_doubles(t->n), most = largest(K, (long)t->n * t->n);
    for (int j = 0; j < t->n; j++) {
        const double step = 1e-7;
        t->x[j] += step;
        force_at(t, t->x, f);
        t->x[j] -= step;
        for (int i = 0; i < t->n; i++) CHECK_NEAR(K[(long)j * t->n + i], -f[i] / step, 1e-4 * most);
    }
    double* A = dense_majorant(t);
    for (long i = 0; i < (long)t->n * t->n; i++) A[i] -= K[i];
    CHECK(is_positive(A, t->n, 1e-10));
    free(K), free(f), free(A);
    close_term(t);
    close_cloth(&cloth);
}

// A seam joins an edge along the warp to one along the weft: the mean of both.
static void seams(void) {
    WeftMesh mesh = pair_of(0.01, 0.01);
    static const double flat[12] = {0, 0, 0.01, 0, 0.004, 0.01, 0, 0, 0, 0.01, 0.01, 0.007};
    static const int corners[6] = {0, 1, 2, 4, 3, 5};  // the second triangle is turned by 90
    TestCloth cloth = {.mesh = mesh, .def = weft_default_cloth_def()};
    weft_use_mesh(&cloth.def, &cloth.mesh);
    cloth.def.material = flat;
    cloth.def.material_count = 6;
    cloth.def.triangle_material = corners;
    cloth.def.fabric.measured = measured();
    open_cloth(&cloth);
    const WfRestHinge* hinge = &cloth.rest.hinges[0];
    CHECK_NEAR(fabs(hinge->along[0][0]), 1, 1e-15);
    CHECK_NEAR(fabs(hinge->along[1][1]), 1, 1e-15);
    TestTerm* t = term_of(&cloth);
    begin_fold(&cloth, t, 10 * 0.01 / DEGREE);  // curvature 10
    double energy = (wf_row_energy(table[0], 10) + wf_row_energy(table[2], 10)) / 2;
    CHECK_NEAR(energy_at(t, t->x), 1e-4 * energy, 1e-12 * energy);
    close_term(t);

    static const double scale[4] = {1, 2, 3, 6};
    cloth.def.bend_scale = scale;
    t = term_of(&cloth);
    begin_fold(&cloth, t, 10 * 0.01 / DEGREE);
    CHECK_NEAR(energy_at(t, t->x), 3e-4 * energy, 1e-12 * energy);
    close_term(t);
    close_cloth(&cloth);
}

// ---------------------------------------------------------------------------------------------
// Sheets

static TestCloth grid_of(int cells, double size) {
    WeftGridDef grid = {.width = size, .height = size, .columns = cells, .rows = cells};
    grid.kind = WEFT_GRID_ALTERNATING;
    WeftMesh mesh;
    CHECK(weft_make_grid(&grid, NULL, &mesh, NULL) == WEFT_OK);
    return cloth_of(mesh);
}

// Energy per area on a cylinder over B kappa^2/2, without the half cells along the straight sides.
static double cylinder_energy(const TestCloth* cloth, bool along_weft, double kappa, double size,
                              int cells) {
    TestTerm* t = term_of(cloth);
    for (int i = 0; i < cloth->def.vertex_count; i++) {
        const double* flat = cloth->def.material + 2 * (long)i;
        double s = flat[along_weft] - size / 2, w = flat[!along_weft];
        double across = sin(kappa * s) / kappa, up = (1 - cos(kappa * s)) / kappa;
        wf_store(t->x, ROWS_BEFORE + i,
                 along_weft ? (WfVec){w, up, -across} : (WfVec){across, up, -w});
    }
    reset_term(t);
    begin_term(t, 0.01, 1);
    double energy = energy_at(t, t->x) / (size * size * (cells - 1) / cells);
    close_term(t);
    return energy;
}

static void cylinder(void) {
    enum { CELLS = 40 };
    const double size = 0.2;
    TestCloth cloth = grid_of(CELLS, size);
    for (int weft = 0; weft < 2; weft++)
        for (double kappa = 1; kappa < 50; kappa *= 3) {
            double expected = 3e-5 * kappa * kappa / 2;
            CHECK_NEAR(cylinder_energy(&cloth, weft, kappa, size, CELLS), expected,
                       0.03 * expected);
        }
    // bent along the warp it takes the first row, along the weft the last
    cloth.def.fabric.measured = measured();
    for (int weft = 0; weft < 2; weft++)
        for (double kappa = 5; kappa < 30; kappa += 10) {
            double expected = wf_row_energy(table[weft ? 2 : 0], kappa);
            CHECK_NEAR(cylinder_energy(&cloth, weft, kappa, size, CELLS), expected,
                       0.03 * expected);
        }
    close_cloth(&cloth);
}

static void small_angles_as_linear_bending(void) {
    WeftMesh mesh;
    CHECK(weft_make_rectangle(0.3, 0.3, 0.05, NULL, &mesh, NULL) == WEFT_OK);
    TestCloth cloth = cloth_of(mesh);
    WeftAllocator allocator = plain_allocator();
    WfClothParts parts = cloth_parts(&cloth, &cloth.def);
    TestTerm* terms[2] = {term_of(&cloth),
                          open_term(wf_bend_create(&allocator, &parts), cloth.rows)};
    double* forces[2];
    for (int i = 0; i < cloth.def.vertex_count; i++) {
        WfVec x = wf_load(cloth.def.positions, i);
        x.y += 1e-5 * random_unit();
        for (int k = 0; k < 2; k++) wf_store(terms[k]->x, ROWS_BEFORE + i, x);
    }
    for (int k = 0; k < 2; k++) {
        forces[k] = new_doubles(terms[k]->n);
        reset_term(terms[k]);
        copy_doubles(terms[k]->x1, terms[k]->x, terms[k]->n);
        begin_term(terms[k], 0.01, 1);
        force_at(terms[k], terms[k]->x, forces[k]);
    }
    double energy = energy_at(terms[1], terms[1]->x);
    CHECK(energy > 0);
    CHECK_NEAR(energy_at(terms[0], terms[0]->x), energy, 1e-5 * energy);
    CHECK_BELOW(largest_difference(forces[0], forces[1], terms[0]->n),
                1e-3 * largest(forces[1], terms[1]->n));
    for (int k = 0; k < 2; k++) {
        free(forces[k]);
        close_term(terms[k]);
    }
    close_cloth(&cloth);
}

// ---------------------------------------------------------------------------------------------
// Hanging by it

static void every_other_method_hangs(void) {
    static const WeftMethod methods[] = {WEFT_METHOD_IMPLICIT, WEFT_METHOD_MATRIX_FREE,
                                         WEFT_METHOD_RELAXATION, WEFT_METHOD_SYMPLECTIC,
                                         WEFT_METHOD_IMPLICIT};
    for (int i = 0; i < 5; i++) {
        Swing s = swing_def(9, 20);
        s.cloth.bend_by = WEFT_BEND_BY_ANGLES;
        s.cloth.bend = i == 4 ? WEFT_BEND_EXPLICIT : WEFT_BEND_IMPLICIT;
        s.cloth.fabric.measured = measured();
        s.cloth.fabric.mass_damping = 3;
        s.cloth.fabric.bend_damping = 0.01;
        s.step.method = methods[i];
        s.step.substeps = s.step.method == WEFT_METHOD_SYMPLECTIC ? 0 : 2;
        swing_open(&s);
        for (int k = 0; k < 120; k++)
            if (!CHECK(swing_step(&s))) break;
        WeftMeasure measure;
        CHECK(weft_measure(s.state, s.step.gravity, &measure) == WEFT_OK);
        CHECK(measure.max_stretch < 1.03 && measure.max_speed < 0.2);
        CHECK_NEAR(swing_height(&s), -0.508, 1e-3);
        CHECK_NEAR(measure.bend, 6e-5, 2e-6);
        swing_close(&s);
    }
}

static void prefactored_refuses(void) {
    Swing s = swing_def(5, 10);
    s.cloth.bend_by = WEFT_BEND_BY_ANGLES;
    swing_make_mesh(&s);
    WeftModelDef def = swing_model_def(&s);
    WeftModel* model = NULL;
    WeftError error = {0};
    CHECK(weft_create_model(&def, &model, &error) == WEFT_ERROR_COMBINATION);
    CHECK_TEXT(error.message, "bounds the bending by angles");
    weft_destroy_mesh(&s.mesh);
}

TEST_MAIN(CASE(points_of_the_table), CASE(energy_is_the_integral), CASE(repaired_tables),
          CASE(energy_of_a_fold), CASE(force_of_a_fold), CASE(through_the_full_fold),
          CASE(shrunken_triangles), CASE(stiffness_when_flat), CASE(seams), CASE(cylinder),
          CASE(small_angles_as_linear_bending), CASE(every_other_method_hangs),
          CASE(prefactored_refuses))
