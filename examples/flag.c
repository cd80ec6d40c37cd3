// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A flag on a mast, in wind that is the sum of parts: gusts, eddies, and the wake of a vehicle that
// passes by as a vortex that travels.

#include <math.h>
#include <stdio.h>
#include <weft/weft.h>
#include <weft/weft_mesh.h>

enum { COLUMNS = 36, ROWS = 24, FRAMES = 300 };
static const double WIDTH = 1.5, HEIGHT = 1;

static WeftModel* make_flag(WeftError* error) {
    WeftGridDef grid = weft_default_grid_def();
    grid.width = WIDTH, grid.height = HEIGHT;
    grid.columns = COLUMNS, grid.rows = ROWS;
    WeftMesh mesh;
    if (weft_make_grid(&grid, NULL, &mesh, error)) return NULL;
    int pins[ROWS + 1];  // the mast holds one side
    for (int j = 0; j <= ROWS; j++) pins[j] = j * (COLUMNS + 1);
    for (int i = 0; i < mesh.vertex_count; i++) {  // upright: v, which ran along -z, runs up
        mesh.positions[3 * i + 1] = 3 - mesh.positions[3 * i + 2];
        mesh.positions[3 * i + 2] = 0;
    }
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.fabric.density = 0.11;  // flag polyester, kg/m^2
    cloth.pins = pins, cloth.pin_count = ROWS + 1;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    def.contact = WEFT_CONTACT_ALL;  // a flag folds onto itself
    WeftModel* model = NULL;
    weft_create_model(&def, &model, error);
    weft_destroy_mesh(&mesh);
    return model;
}

// The three parts of the wind at a time.
static void make_wind(double time, WeftWind parts[3]) {
    parts[0] = weft_default_wind();
    parts[0].kind = WEFT_WIND_GUSTS;
    parts[0].velocity[0] = 7, parts[0].velocity[2] = 2;  // m/s, along the flag and a little across
    parts[0].strength = 0.3;                             // strays by 30 per cent
    parts[0].length = 12;                                // m, from gust to gust
    parts[1] = weft_default_wind();
    parts[1].kind = WEFT_WIND_TURBULENCE;
    parts[1].velocity[0] = 7;  // carried along
    parts[1].strength = 0.8, parts[1].length = 0.6;
    parts[2] = weft_default_wind();
    parts[2].kind = WEFT_WIND_VORTEX;
    parts[2].position[0] = 8 * (time - 3);  // m, passes by after 3 s
    parts[2].position[2] = 2;
    parts[2].strength = time > 2 && time < 4 ? 12 : 0, parts[2].length = 0.8;
}

int main(void) {
    WeftError error;
    WeftModel* model = make_flag(&error);
    WeftState* state = NULL;
    if (!model || weft_create_state(model, &state, &error)) return puts(error.message), 1;
    WeftStepDef step = weft_default_step_def();
    WeftWind parts[3];
    step.winds = parts, step.wind_count = 3;
    int corner = ROWS * (COLUMNS + 1) + COLUMNS;  // the upper one at the free end
    double lowest = 1e9, highest = -1e9, stretch = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        make_wind(weft_time(state), parts);
        if (weft_step(state, &step)) return puts(weft_state_error(state)->message), 1;
        const double* at = weft_positions(state) + 3 * corner;
        WeftMeasure measure;
        if (!weft_measure(state, step.gravity, &measure))
            stretch = fmax(stretch, measure.p99_stretch);
        if (frame >= 60) lowest = fmin(lowest, at[2]), highest = fmax(highest, at[2]);
        if (frame % 60 == 59) {
            double mast[3] = {0, 3.5, 0}, air[3];
            weft_copy_wind(3, parts, weft_time(state), 1, mast, air);
            printf("%.1f s  wind at the mast %5.1f %5.1f %5.1f m/s  corner %5.2f %5.2f %5.2f m\n",
                   weft_time(state), air[0], air[1], air[2], at[0], at[1], at[2]);
        }
    }
    printf("the corner went to and fro by %.2f m; edges stayed below %.1f %%\n", highest - lowest,
           100 * (stretch - 1));
    weft_destroy_state(state);
    weft_destroy_model(model);
    return highest - lowest > 0.1 && stretch < 1.1 ? 0 : 1;  // it flies, and is not torn
}
