// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Half a cloth in a mirror, against the whole.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "weft/weft.h"

enum { COLUMNS = 20, ROWS = 20 };

// A sheet in the plane x y, symmetric about x = 0, hung by its two upper corners.
typedef struct Sheet {
    WeftMesh mesh;
    int* images;
    int pins[2];
    WeftClothDef def;
} Sheet;

static void make_sheet(WeftGridKind kind, Sheet* sheet) {
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = COLUMNS;
    grid.rows = ROWS;
    grid.kind = kind;
    CHECK(!weft_make_grid(&grid, NULL, &sheet->mesh, NULL));
    int n = sheet->mesh.vertex_count;
    sheet->images = malloc((size_t)n * sizeof(int));
    for (int i = 0; i < n; i++) {
        double* x = sheet->mesh.positions + 3 * i;
        x[0] -= 0.5;
        x[1] = -x[2];
        x[2] = 0;
        sheet->images[i] = i - i % (COLUMNS + 1) + COLUMNS - i % (COLUMNS + 1);
    }
    sheet->pins[0] = ROWS * (COLUMNS + 1);
    sheet->pins[1] = sheet->pins[0] + COLUMNS;
    sheet->def = weft_default_cloth_def();
    weft_use_mesh(&sheet->def, &sheet->mesh);
    sheet->def.images = sheet->images;
    sheet->def.pins = sheet->pins;
    sheet->def.pin_count = 2;
    sheet->def.fabric.compression = WEFT_UNYIELDING;
    sheet->def.fabric.density = 0.15;
    sheet->def.fabric.stretch_warp = sheet->def.fabric.stretch_weft = 60;
    sheet->def.fabric.shear = 60;
    sheet->def.fabric.bend = 2e-5;
    sheet->def.fabric.air_drag = sheet->def.fabric.air_friction = 0;
}

static void free_sheet(Sheet* sheet) {
    weft_destroy_mesh(&sheet->mesh);
    free(sheet->images);
}

static WeftStepDef exact_step(void) {
    WeftStepDef step = weft_default_step_def();
    step.dt = 0.01;
    step.method = WEFT_METHOD_IMPLICIT;
    step.tolerance = 1e-14;
    step.max_iterations = 5000;
    step.newton_steps = 1;
    step.order = 1;
    step.substeps = 1;
    return step;
}

static double largest_difference(const double* a, const double* b, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

// The largest difference between half and whole in so many steps with gusts.
static double compare(const WeftClothDef* cloth, WeftStepDef step, unsigned without, int steps) {
    WeftModelDef def = weft_default_model_def();
    WeftModel* models[2];
    WeftState* states[2];
    def.cloths = cloth, def.cloth_count = 1;
    def.step = step;
    double worst = 0;
    for (int k = 0; k < 2; k++) {
        WeftError error = {0};
        def.mirror.kind = k ? WEFT_MIRROR_EXACT : WEFT_MIRROR_NONE;
        def.mirror.without = k ? without : 0;
        CHECK(!weft_create_model(&def, &models[k], &error));
        if (error.result) printf("%s\n", error.message);
        CHECK(!weft_create_state(models[k], &states[k], NULL));
    }
    CHECK(weft_simulated_count(models[1]) < weft_vertex_count(models[1]));
    for (int i = 0; i < steps; i++) {
        step.gravity[2] = 2 * sin(3 * i * step.dt);
        for (int k = 0; k < 2; k++) {
            WeftResult result = weft_step(models[k], states[k], &step);
            if (result) printf("%s\n", weft_state_error(states[k])->message);
            CHECK(!result);
        }
        worst = fmax(worst, largest_difference(weft_positions(states[0]), weft_positions(states[1]),
                                               3 * weft_vertex_count(models[0])));
    }
    for (int k = 0; k < 2; k++) {
        weft_destroy_state(states[k]);
        weft_destroy_model(models[k]);
    }
    return worst;
}

static void test_corrections(void) {
    Sheet sheet;
    make_sheet(WEFT_GRID_ALTERNATING, &sheet);
    static const unsigned without[] = {0, WEFT_MIRROR_NO_BENDING, WEFT_MIRROR_WHOLE_EDGES,
                                       WEFT_MIRROR_WHOLE_MASSES, WEFT_MIRROR_FREE_VERTICES};
    for (int k = 0; k < 5; k++) {
        double worst = compare(&sheet.def, exact_step(), without[k], 300);
        printf("without %u: %.3g\n", without[k], worst);
        if (k == 0)
            CHECK(worst < 1e-9);
        else
            CHECK(worst > 1e-4);
    }
    free_sheet(&sheet);
}

TEST_MAIN(CASE(test_corrections))
