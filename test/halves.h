// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A whole cloth and its half in a mirror, side by side: the same is done to both, and they are
// compared.

#ifndef WEFT_TEST_HALVES_H
#define WEFT_TEST_HALVES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// A sheet of 1 m in the plane x y below y = 1, symmetric about x = 0, hung by its upper corners.
typedef struct Sheet {
    WeftMesh mesh;
    int* images;
    int pins[2];
    WeftClothDef cloth;
} Sheet;

static inline Sheet make_sheet(WeftGridKind kind, int columns) {
    Sheet sheet;
    WeftGridDef grid = {1, 1, columns, columns, kind};
    CHECK(!weft_make_grid(&grid, NULL, &sheet.mesh, NULL));
    int n = sheet.mesh.vertex_count;
    sheet.images = (int*)malloc((size_t)n * sizeof(int));
    for (int i = 0; i < n; i++) {
        double* x = sheet.mesh.positions + 3 * (long)i;
        x[0] -= 0.5;
        x[1] = -x[2];
        x[2] = 0;
        sheet.images[i] = i - 2 * (i % (columns + 1)) + columns;
    }
    sheet.pins[0] = columns * (columns + 1);
    sheet.pins[1] = sheet.pins[0] + columns;
    sheet.cloth = weft_default_cloth_def();
    weft_use_mesh(&sheet.cloth, &sheet.mesh);
    sheet.cloth.images = sheet.images;
    return sheet;
}

// The def points into the sheet: not before it has its place.
static inline WeftClothDef* hang_sheet(Sheet* sheet) {
    sheet->cloth.pins = sheet->pins;
    sheet->cloth.pin_count = 2;
    return &sheet->cloth;
}

static inline void free_sheet(Sheet* sheet) {
    weft_destroy_mesh(&sheet->mesh);
    free(sheet->images);
}

// The same step in the whole and in the half, to rounding or nearly.
static inline WeftStepDef exact_step(WeftMethod method) {
    WeftStepDef step = weft_default_step_def();
    step.dt = 0.01;
    step.method = method;
    step.tolerance = 1e-13;
    step.max_iterations = 5000;
    step.solve_tolerance = 1e-13;
    step.order = 1;
    step.substeps = 1;
    if (method == WEFT_METHOD_PREFACTORED) {
        step.scheme = WEFT_SCHEME_A;
        step.iterations[0] = 4;
    }
    return step;
}

enum { WHOLE, HALF };

typedef struct Pair {
    WeftModel* models[2];
    WeftState* states[2];
    const int* images;  // of the first cloth
    WeftPlane plane;
    int count;  // vertices
} Pair;

// def: of the half.
static inline Pair open_pair(WeftModelDef def) {
    Pair pair = {{NULL, NULL}, {NULL, NULL}, def.cloths[0].images, def.mirror.plane, 0};
    WeftMirrorKind kind = def.mirror.kind ? def.mirror.kind : WEFT_MIRROR_EXACT;
    for (int k = 0; k < 2; k++) {
        WeftError error = {0};
        def.mirror.kind = k == WHOLE ? WEFT_MIRROR_WHOLE : kind;
        if (!CHECK(!weft_create_model(&def, &pair.models[k], &error)))
            printf("%s\n", error.message), exit(1);
        CHECK(!weft_create_state(pair.models[k], &pair.states[k], NULL));
    }
    pair.count = weft_vertex_count(pair.models[WHOLE]);
    CHECK(pair.count == weft_vertex_count(pair.models[HALF]));
    return pair;
}

static inline void close_pair(Pair* pair) {
    for (int k = 0; k < 2; k++) {
        weft_destroy_state(pair->states[k]);
        weft_destroy_model(pair->models[k]);
    }
}

static inline void step_pair(Pair* pair, const WeftStepDef* step) {
    for (int k = 0; k < 2; k++)
        if (!CHECK(!weft_step(pair->states[k], step)))
            printf("%s\n", weft_state_error(pair->states[k])->message);
}

static inline double largest_difference(const double* a, const double* b, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static inline double apart(const Pair* pair) {
    return largest_difference(weft_positions(pair->states[0]), weft_positions(pair->states[1]),
                              3 * pair->count);
}

static inline double speeds_apart(const Pair* pair) {
    return largest_difference(weft_velocities(pair->states[0]), weft_velocities(pair->states[1]),
                              3 * pair->count);
}

// Above the plane, m.
static inline double height_over(const WeftPlane* plane, const double x[3]) {
    double sum = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        sum += (x[k] - plane->point[k]) * plane->normal[k];
        square += plane->normal[k] * plane->normal[k];
    }
    return sum / sqrt(square);
}

// The mirror image of a point; with a plane through the origin, of a direction.
static inline void image_of(const WeftPlane* plane, const double x[3], double image[3]) {
    double height = height_over(plane, x), length = 0;
    for (int k = 0; k < 3; k++) length += plane->normal[k] * plane->normal[k];
    for (int k = 0; k < 3; k++) image[k] = x[k] - 2 * height * plane->normal[k] / sqrt(length);
}

#endif
