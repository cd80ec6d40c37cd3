// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cut a curtain in two while it hangs, and keep what is drawn of it in step.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>
#include <weft/weft_mesh.h>

enum { CELLS = 16, WIDTH = CELLS + 1 };

// What a renderer keeps: as many vertices as there are now, and which of them triangles have.
typedef struct Drawn {
    int vertex_count;
    float* texture;  // 2 per vertex
    int triangle_count;
    int* triangles;
} Drawn;

// The state's model is another one after a step that tore it.
static void update_mesh(Drawn* drawn, const WeftState* state) {
    const WeftModel* model = weft_state_model(state);
    drawn->vertex_count = weft_vertex_count(model);
    drawn->triangle_count = weft_triangle_count(model);
    drawn->texture = realloc(drawn->texture, 2 * (size_t)drawn->vertex_count * sizeof(float));
    drawn->triangles = realloc(drawn->triangles, 3 * (size_t)drawn->triangle_count * sizeof(int));
    if (!drawn->texture || !drawn->triangles) abort();
    for (int i = 0; i < drawn->vertex_count; i++) {
        int from = weft_torn_from(state, i);  // the vertex that it was at first
        drawn->texture[2 * i] = (float)(from % WIDTH) / CELLS;
        drawn->texture[2 * i + 1] = (float)(from / WIDTH) / CELLS;
    }
    memcpy(drawn->triangles, weft_triangles(model),
           3 * (size_t)drawn->triangle_count * sizeof(int));
}

static WeftModel* make_curtain(void) {
    WeftError error;
    WeftMesh mesh;
    WeftGridDef grid = weft_default_grid_def();
    grid.columns = grid.rows = CELLS;
    if (weft_make_grid(&grid, NULL, &mesh, &error)) return NULL;
    int pins[WIDTH];
    for (int i = 0; i < WIDTH; i++) pins[i] = i;  // its side at z = 0
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.pins = pins, cloth.pin_count = WIDTH;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    def.contact = WEFT_CONTACT_ALL;
    def.tearable = true;
    WeftModel* model = NULL;
    if (weft_create_model(&def, &model, &error)) fprintf(stderr, "%s\n", error.message);
    weft_destroy_mesh(&mesh);
    return model;
}

int main(void) {
    WeftError error;
    WeftModel* model = make_curtain();
    WeftState* state = NULL;
    if (!model || weft_create_state(model, &state, &error)) return 1;
    Drawn drawn = {0};
    update_mesh(&drawn, state);

    WeftStepDef step = weft_default_step_def();
    for (int i = 0; i < 90; i++) {
        if (i == 30) {  // across, along the middle of the cloth as it is now
            double line[3 * WIDTH];
            memcpy(line, weft_positions(state) + 3 * WIDTH * (CELLS / 2), sizeof line);
            WeftCutDef cut = weft_default_cut_def();
            cut.points = line, cut.point_count = WIDTH;
            int edges;
            if (weft_cut(state, &cut, &edges, &error)) return puts(error.message), 1;
            printf("step %d: %d edges are to be cut\n", i, edges);
        }
        if (weft_step(state, &step)) return puts(weft_state_error(state)->message), 1;
        if (weft_report(state)->torn) {
            update_mesh(&drawn, state);
            printf("step %d: %d vertices instead of %d\n", i, drawn.vertex_count,
                   weft_vertex_count(model));
        }
    }
    printf("the lower side is at y = %.2f m\n",
           weft_positions(state)[3 * (WIDTH * CELLS + CELLS / 2) + 1]);
    free(drawn.texture);
    free(drawn.triangles);
    weft_destroy_state(state);
    weft_destroy_model(model);
    return 0;
}
