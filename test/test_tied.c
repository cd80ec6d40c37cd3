// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards a rival of the bench `detail`: a dense mesh that is tied to a base, and swept.

#include "detail/sweep.h"
#include "test.h"

enum { CELLS = 12, COUNT = (CELLS + 1) * (CELLS + 1) };

static WeftMesh make_sheet(void) {
    WeftGridDef grid = {1, 1, CELLS, CELLS, WEFT_GRID_ALTERNATING};
    WeftMesh mesh;
    CHECK(!weft_make_grid(&grid, NULL, &mesh, NULL));
    return mesh;
}

// Root mean square of the strain of all edges.
static double strain(const WeftMesh* mesh, const double* x) {
    double sum = 0;
    for (long c = 0; c < 3L * mesh->triangle_count; c++) {
        long a = mesh->triangles[c], b = mesh->triangles[c % 3 == 2 ? c - 2 : c + 1];
        double now = 0, rest = 0;
        for (int d = 0; d < 3; d++) now += pow(x[3 * b + d] - x[3 * a + d], 2);
        for (int d = 0; d < 2; d++)
            rest += pow(mesh->material[2 * b + d] - mesh->material[2 * a + d], 2);
        sum += pow(sqrt(now / rest) - 1, 2);
    }
    return sqrt(sum / (3.0 * mesh->triangle_count));
}

// Pressed along x by a tenth, and waved a little, so that it has a side to go to.
static void press(const WeftMesh* mesh, double* x) {
    for (long i = 0; i < 3L * mesh->vertex_count; i++) x[i] = mesh->positions[i];
    for (long i = 0; i < mesh->vertex_count; i++) {
        x[3 * i + 1] = 0.004 * sin(18 * x[3 * i]);
        x[3 * i] *= 0.9;
    }
}

static void sheets_at_rest_stay(void) {
    WeftMesh mesh = make_sheet();
    SweepDef def = {.sweeps = 4, .pull = 0.1, .bend = 0.1, .resumes = true};
    Sweeper* sweeper = create_sweeper(&mesh, &def);
    double x[3 * COUNT];
    bool held[COUNT] = {false};
    restart_sweeper(sweeper, held);
    for (int i = 0; i < 3 * COUNT; i++) x[i] = mesh.positions[i];
    sweep(sweeper, x);
    for (int i = 0; i < 3 * COUNT; i++) CHECK_NEAR(x[i], mesh.positions[i], 1e-12);
    destroy_sweeper(sweeper);
    weft_destroy_mesh(&mesh);
}

// Where the base is pressed, it goes aside, frame by frame, and what is held does not.
static void pressed_sheets_go_aside(void) {
    WeftMesh mesh = make_sheet();
    SweepDef def = {.sweeps = 4, .pull = 0.003, .bend = 0.03, .resumes = true};
    Sweeper* sweeper = create_sweeper(&mesh, &def);
    double base[3 * COUNT], x[3 * COUNT], first = 0;
    bool held[COUNT] = {true};
    restart_sweeper(sweeper, held);
    press(&mesh, base);
    for (int frame = 0; frame < 30; frame++) {
        for (int i = 0; i < 3 * COUNT; i++) x[i] = base[i];
        sweep(sweeper, x);
        if (frame == 0) first = strain(&mesh, x);
    }
    CHECK(first < strain(&mesh, base));
    CHECK(strain(&mesh, x) < 0.7 * strain(&mesh, base));
    CHECK(strain(&mesh, x) < first);
    for (int d = 0; d < 3; d++) CHECK_NEAR(x[d], base[d], 1e-15);
    destroy_sweeper(sweeper);
    weft_destroy_mesh(&mesh);
}

TEST_MAIN(CASE(sheets_at_rest_stay), CASE(pressed_sheets_go_aside))
