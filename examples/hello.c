// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The smallest program: a square metre of cloth, held by two corners, falls for a second.

#include <stdio.h>
#include <weft/weft.h>
#include <weft/weft_mesh.h>

int main(void) {
    WeftError error;

    // a grid of 20 x 20 cells; vertex (i, j) has index 21 j + i
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = 20;
    WeftMesh mesh;
    if (weft_make_grid(&grid, NULL, &mesh, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    // one cloth of the default fabric, pinned at two corners
    const int corners[] = {21 * 20, 21 * 20 + 20};
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.pins = corners;
    cloth.pin_count = 2;

    // the model is what does not change, the state what moves
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth;
    def.cloth_count = 1;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    if (weft_create_model(&def, &model, &error) || weft_create_state(model, &state, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    weft_destroy_mesh(&mesh);  // the model has its own copy

    // sixty steps of a sixtieth of a second; print how high the free corner is
    WeftStepDef step = weft_default_step_def();
    for (int i = 1; i <= 60; i++) {
        if (weft_step(state, &step)) {
            fprintf(stderr, "%s\n", weft_state_error(state)->message);
            return 1;
        }
        if (i % 10 == 0)
            printf("%.2f s  height %.3f m\n", weft_time(state), weft_positions(state)[1]);
    }

    weft_destroy_state(state);
    weft_destroy_model(model);
    return 0;
}
