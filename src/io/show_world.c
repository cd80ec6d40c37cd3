// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is shown of a scene in a space that moves: files and pictures have it where it is in the
// world.

#include "garment/frame.h"
#include "io/show.h"

// False: the space is the world.
static bool find_space(const WeftState* state, WfFrame* space) {
    double position[3], rotation[4];
    weft_copy_space(state, position, rotation);
    *space = wf_frame_of(position, rotation);
    return position[0] != 0 || position[1] != 0 || position[2] != 0 || rotation[3] != 1;
}

void wf_show_in_world(const WeftShow* show, const WeftState* state, float* positions,
                      float* normals) {
    int count = weft_show_vertex_count(show);
    WfFrame space;
    if (!find_space(state, &space)) return;
    for (int i = 0; i < count; i++) {
        wf_store(show->positions, i, wf_frame_apply(space, wf_load(show->positions, i)));
        float* normal = normals ? normals + 3 * (long)i : NULL;
        double turned[3] = {0, 0, 0};
        if (normal)
            wf_store(turned, 0, wf_frame_turn(space, (WfVec){normal[0], normal[1], normal[2]}));
        for (int k = 0; k < 3; k++) {
            if (positions) positions[3 * (long)i + k] = (float)show->positions[3 * (long)i + k];
            if (normal) normal[k] = (float)turned[k];
        }
    }
}

void wf_show_gravity(const WeftScene* scene, const WeftState* state, double gravity[3]) {
    WfFrame space;
    WfVec g = wf_load(scene->model.step.gravity, 0);
    if (find_space(state, &space)) g = wf_frame_turn(wf_frame_invert(space), g);
    wf_store(gravity, 0, g);
}

void weft_show_body(const WeftState* state, int body, double* positions) {
    int count = weft_body_vertex_count(weft_state_model(state), body);
    WfFrame space;
    weft_copy_body(state, body, positions);
    if (!find_space(state, &space)) return;
    for (int i = 0; i < count; i++)
        wf_store(positions, i, wf_frame_apply(space, wf_load(positions, i)));
}

void weft_to_world(const WeftState* state, const double point[3], double world[3]) {
    WfFrame space;
    find_space(state, &space);
    wf_store(world, 0, wf_frame_apply(space, wf_load(point, 0)));
}

void weft_from_world(const WeftState* state, const double world[3], double point[3]) {
    WfFrame space;
    find_space(state, &space);
    wf_store(point, 0, wf_frame_apply(wf_frame_invert(space), wf_load(world, 0)));
}
