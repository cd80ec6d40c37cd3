// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pins while running: hold two corners, carry one along a circle, let go of the other.

#include <math.h>
#include <stdio.h>
#include <weft/weft.h>
#include <weft/weft_mesh.h>

enum { CELLS = 16, LEFT = (CELLS + 1) * CELLS, RIGHT = LEFT + CELLS };

static WeftModel* make_model(void) {
    WeftError error;
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = CELLS;
    WeftMesh mesh;
    if (weft_make_grid(&grid, NULL, &mesh, &error)) return NULL;
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth;
    def.cloth_count = 1;
    WeftModel* model = NULL;
    if (weft_create_model(&def, &model, &error)) fprintf(stderr, "%s\n", error.message);
    weft_destroy_mesh(&mesh);
    return model;
}

int main(void) {
    WeftError error;
    WeftModel* model = make_model();
    WeftState* state = NULL;
    if (!model || weft_create_state(model, &state, &error)) return 1;

    // held where they are now
    weft_pin(state, LEFT);
    weft_pin(state, RIGHT);

    WeftStepDef step = weft_default_step_def();
    for (int i = 0; i < 180; i++) {
        // a target says where the pin is at the end of the next step
        double t = weft_time(state) + step.dt;
        double target[3] = {0.3 * (1 - cos(2 * t)), 0.3 * sin(2 * t), -1};
        weft_move_pin(state, LEFT, target);

        if (i == 120) weft_unpin(state, RIGHT);  // it keeps its velocity

        if (weft_step(state, &step)) {
            fprintf(stderr, "%s\n", weft_state_error(state)->message);
            return 1;
        }
        const double* x = weft_positions(state);
        if (i % 30 == 29)
            printf("%.1f s  left (%.2f, %.2f)  right (%.2f, %.2f)  %s\n", weft_time(state),
                   x[3 * LEFT], x[3 * LEFT + 1], x[3 * RIGHT], x[3 * RIGHT + 1],
                   weft_is_pinned(state, RIGHT) ? "held" : "free");
    }
    weft_destroy_state(state);
    weft_destroy_model(model);
    return 0;
}
