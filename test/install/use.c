// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A program against the installed package, in the common part of C and C++: hang a cloth by a
// corner, take a step, print how high the opposite corner is.

#include <stdio.h>
#include <weft/weft.h>
#include <weft/weft_mesh.h>
#ifdef WITH_IO
#include <weft/weft_io.h>
#endif

int main(void) {
    WeftError error;
    WeftMesh mesh;
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = 4;
    if (weft_make_grid(&grid, NULL, &mesh, &error)) return puts(error.message), 1;

    const int corner = 0, opposite = mesh.vertex_count - 1;
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.pins = &corner;
    cloth.pin_count = 1;

    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth;
    def.cloth_count = 1;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    if (weft_create_model(&def, &model, &error) || weft_create_state(model, &state, &error))
        return puts(error.message), 1;
    weft_destroy_mesh(&mesh);

    if (weft_step(state, &def.step)) return puts(weft_state_error(state)->message), 1;
    double height = weft_positions(state)[3 * opposite + 1];
    printf("height %.4f m\n", height);
#ifdef WITH_IO
    WeftScene* scene = NULL;
    if (weft_load_scene("no such file", NULL, NULL, &scene, &error) != WEFT_ERROR_FILE) return 1;
    WeftFigure figure;
    if (weft_load_figure("no.glb", NULL, NULL, &figure, NULL, &error) != WEFT_ERROR_FILE) return 1;
#endif

    weft_destroy_state(state);
    weft_destroy_model(model);
    return height < 0 ? 0 : 1;  // it falls
}
