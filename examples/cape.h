// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A cape on the shoulders of the walker, as cloth with a skin: what the example and the viewer
// share.

#ifndef WEFT_EXAMPLES_CAPE_H
#define WEFT_EXAMPLES_CAPE_H

#include <weft/weft_mesh.h>

#include "walker.h"

enum { CAPE_COLUMNS = 24, CAPE_ROWS = 36, CAPE_VERTICES = 25 * 37 };  // 925

typedef struct Cape {
    WeftMesh mesh;
    double max_distance[CAPE_VERTICES], backstop[CAPE_VERTICES], weights[CAPE_VERTICES];
    int bones[CAPE_VERTICES];
    double bone[12];
    WeftModel* model;
    WeftState* state;
} Cape;

// Around the shoulders from one arm to the other, then straight down behind the back.
static inline void shape_cape(WeftMesh* mesh) {
    for (int i = 0; i < mesh->vertex_count; i++) {
        double* p = mesh->positions + 3 * i;
        double across = p[0], down = -p[2];
        double angle = (across - 0.45) / 0.45 * 1.35, flare = 1 + 0.35 * down;
        p[0] = 0.24 * flare * sin(angle);
        p[1] = 1.47 - down;
        p[2] = -(0.19 * flare * cos(angle)) - 0.01 - 0.06 * down;
    }
}

// The top row is pinned to the chest; below, the cape may get further and further away from where
// the chest would carry it, and stays out of the back.
static inline void paint_cape(Cape* cape) {
    for (int i = 0; i < CAPE_VERTICES; i++) {
        double down = (double)(i / (CAPE_COLUMNS + 1)) / CAPE_ROWS;  // 0 at the shoulders
        cape->max_distance[i] = i <= CAPE_COLUMNS ? 0 : 0.02 + 1.2 * down;
        cape->backstop[i] = 0;
        cape->weights[i] = 1;
        cape->bones[i] = 0;
    }
}

static inline WeftResult create_cape(const Walker* walker, const WeftStepDef* step, Cape* cape,
                                     WeftError* error) {
    WeftGridDef grid = weft_default_grid_def();
    grid.width = 0.9, grid.height = 1.15;
    grid.columns = CAPE_COLUMNS, grid.rows = CAPE_ROWS;
    WeftResult result = weft_make_grid(&grid, NULL, &cape->mesh, error);
    if (result) return result;
    shape_cape(&cape->mesh);
    paint_cape(cape);

    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &cape->mesh);
    cloth.material = NULL;  // at rest as it hangs there
    cloth.stretch_limit = 1.05;
    cloth.max_distance = cape->max_distance;
    cloth.bone_count = 1, cloth.bones = cape->bone, cloth.bones_per_vertex = 1;
    cloth.vertex_bones = cape->bones, cloth.vertex_weights = cape->weights;
    walker_bone(walker, CHEST, cape->bone);

    WeftBodyDef bodies[WALKER_PARTS + 1];
    walker_bodies(bodies);
    for (int i = 0; i < WALKER_PARTS; i++)
        walker_pose(walker, i, bodies[i].position, bodies[i].rotation);
    bodies[WALKER_PARTS] = weft_default_body_def();
    bodies[WALKER_PARTS].kind = WEFT_BODY_PLANE;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    def.bodies = bodies, def.body_count = WALKER_PARTS + 1;
    def.contact = WEFT_CONTACT_ALL;
    def.step = *step;
    def.jobs.thread_count = 1;
    result = weft_create_model(&def, &cape->model, error);
    return result ? result : weft_create_state(cape->model, &cape->state, error);
}

// The skeleton first, then the cloth.
static inline WeftResult step_cape(Cape* cape, const Walker* walker, const WeftStepDef* step) {
    for (int i = 0; i < WALKER_PARTS; i++) {
        double position[3], rotation[4];
        walker_pose(walker, i, position, rotation);
        weft_move_body(cape->state, i, position, rotation);
    }
    walker_bone(walker, CHEST, cape->bone);
    weft_move_bones(cape->state, 0, cape->bone);
    return weft_step(cape->state, step);
}

static inline void destroy_cape(Cape* cape) {
    weft_destroy_state(cape->state);
    weft_destroy_model(cape->model);
    weft_destroy_mesh(&cape->mesh);
}

#endif
