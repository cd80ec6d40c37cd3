// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The cantilever test: a strip is pushed over an edge until its end touches a slope of 41.5
// degrees. Half of what then stands out is the bending length c, and B = weight per area x c^3.

#include <math.h>
#include <stdlib.h>

#include "lab.h"

static const double SLOPE = 41.5, LONGEST = 0.5, WIDTH = 0.025;  // degrees, m, m
enum { CELLS = 20, COLUMNS = CELLS + 1, MOST_ROWS = 16 };        // one cell is held

static void turn_material(WeftMesh* mesh) {
    for (int i = 0; i < mesh->material_count; i++) {
        double* u = mesh->material + 2 * (long)i;
        const double was = u[0];
        u[0] = -u[1];
        u[1] = was;
    }
}

// What is held bends nowhere, and a hinge along its edge is as stiff as half of its width lets it:
// so the held cell is narrow.
static void narrow_clamp(WeftMesh* mesh, int rows, double cell) {
    for (int j = 0; j <= rows; j++) {
        long i = j * (long)(COLUMNS + 1);
        mesh->positions[3 * i] += 0.9 * cell;
        mesh->material[2 * i] += 0.9 * cell;
    }
}

// How far below the horizontal the end hangs, in degrees, seen from the edge.
static double slope_of(const WeftState* state, int rows, double held) {
    const double* x = weft_positions(state);
    double down = 0, out = 0;
    for (int j = 0; j <= rows; j++) {
        int i = j * (COLUMNS + 1) + COLUMNS;
        out += x[3 * i] - held;
        down -= x[3 * i + 1];
    }
    return atan2(down, out) * 180 / 3.14159265358979323846;
}

static WeftResult hang_strip(const Sample* sample, bool across, double length, double* slope,
                             WeftError* error) {
    double cell = length / CELLS;
    int rows = (int)fmin(fmax(round(WIDTH / cell), 2), MOST_ROWS);  // of square cells
    WeftGridDef grid = {length + cell, rows * cell, COLUMNS, rows, WEFT_GRID_ALTERNATING};
    WeftMesh mesh = {0};
    WeftModel* model = NULL;
    WeftState* state = NULL;
    WeftClothDef cloth = weft_default_cloth_def();
    WeftModelDef def = weft_default_model_def();
    int pins[2 * (MOST_ROWS + 1)];
    WeftResult result = weft_make_grid(&grid, NULL, &mesh, error);
    if (result) return result;
    narrow_clamp(&mesh, rows, cell);
    if (across) turn_material(&mesh);
    weft_use_mesh(&cloth, &mesh);
    for (int j = 0; j <= rows; j++)
        for (int k = 0; k < 2; k++) pins[cloth.pin_count++] = j * (COLUMNS + 1) + k;
    cloth.pins = pins;
    dress_cloth(sample, &cloth);
    use_sample(sample, &def.step);
    def.cloths = &cloth;
    def.cloth_count = 1;
    def.contact = WEFT_CONTACT_NONE;
    result = weft_create_model(&def, &model, error);
    if (!result) result = weft_create_state(model, &state, error);
    if (!result) {
        bool settled = settle(model, state, &def.step, 10, NULL, NULL, error);
        result = error->result;
        *slope = settled ? slope_of(state, rows, cell) : (double)NAN;
    }
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_mesh(&mesh);
    return result;
}

// Longer strips hang lower. From a length that is too short, doubled until it is not, then halved
// ways between.
WeftResult simulate_cantilever(const Sample* sample, bool across, double* bending_length,
                               WeftError* error) {
    enum { HALVINGS = 9 };
    double low = 0, high = 0.01, slope = 0;
    *bending_length = (double)NAN;
    WeftResult result = hang_strip(sample, across, high, &slope, error);
    while (!result && slope < SLOPE && high < LONGEST) {
        low = high;
        high *= 1.5;
        result = hang_strip(sample, across, high, &slope, error);
    }
    if (slope < SLOPE) *bending_length = HUGE_VAL;
    if (result || !(slope >= SLOPE)) return result;
    for (int i = 0; i < HALVINGS && !result && !isnan(slope); i++) {
        double middle = (low + high) / 2;
        result = hang_strip(sample, across, middle, &slope, error);
        if (slope < SLOPE)
            low = middle;
        else
            high = middle;
    }
    if (!isnan(slope)) *bending_length = (low + high) / 4;
    return result;
}
