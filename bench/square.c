// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "square.h"

#include "bench.h"

int make_square(int columns, int rows, Square* square) {
    WeftGridDef grid = weft_default_grid_def();
    WeftError error;
    grid.columns = columns - 1;
    grid.rows = rows - 1;
    grid.kind = WEFT_GRID_ALTERNATING;
    if (weft_make_grid(&grid, NULL, &square->mesh, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    square->pins[0] = 0;
    square->pins[1] = columns - 1;
    square->cloth = weft_default_cloth_def();
    weft_use_mesh(&square->cloth, &square->mesh);
    square->cloth.fabric.density = 0.187;
    square->cloth.fabric.stretch_warp = square->cloth.fabric.stretch_weft = 2000;
    square->cloth.fabric.bend = 1e-5;
    square->cloth.bend = WEFT_BEND_IMPLICIT;
    square->cloth.pins = square->pins;
    square->cloth.pin_count = 2;
    return EXIT_GOOD;
}

void destroy_square(Square* square) { weft_destroy_mesh(&square->mesh); }

WeftStepDef still_air_step(void) {
    WeftStepDef step = weft_default_step_def();
    step.dt = 1.0 / 60;
    step.air_density = 0;
    return step;
}

int create_square(const Square* square, const WeftStepDef* step, int threads,
                  double (*clock)(void* user), WeftModel** model, WeftState** state) {
    WeftModelDef def = weft_default_model_def();
    WeftError error;
    def.cloths = &square->cloth;
    def.cloth_count = 1;
    def.step = *step;
    def.jobs.thread_count = threads;
    def.clock.now = clock;
    *state = NULL;
    if (weft_create_model(&def, model, &error) || weft_create_state(*model, state, &error)) {
        weft_destroy_model(*model);
        *model = NULL;
        return complain(EXIT_FAILED, "%s", error.message);
    }
    return EXIT_GOOD;
}
