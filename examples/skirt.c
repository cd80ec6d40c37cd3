// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A skirt with levels of detail: near the camera a fine cloth is simulated, further away a coarse
// one, and far away none. One render mesh is bound to both, and is blended where they change.

#include <stdio.h>
#include <stdlib.h>
#include <weft/weft_render.h>

#include "walker.h"

enum { LEVELS = 2, FRAMES = 360, BLEND = 12 };
static const int columns[LEVELS] = {60, 28};
static const double limits[LEVELS] = {5, 12};  // m: fine, coarse, asleep beyond

typedef struct Level {
    WeftMesh mesh;
    WeftModel* model;
    WeftState* state;
    WeftFrames* frames;
    WeftBinding* binding;
} Level;

// A grid, closed to a cone around the hips. Its upper border is vertices 0 to columns - 1.
static WeftResult make_mesh(int count, WeftMesh* mesh, WeftError* error) {
    WeftGridDef grid = weft_default_grid_def();
    grid.width = 1.1, grid.height = 0.5;
    grid.columns = count, grid.rows = count * 5 / 11;
    WeftResult result = weft_make_grid(&grid, NULL, mesh, error);
    if (result) return result;
    for (int i = 0; i < mesh->vertex_count; i++) {
        double* p = mesh->positions + 3 * i;
        int column = i % (count + 1);
        double angle = 6.283185307 * (column % count) / count, down = -p[2];
        double radius = 0.175 + 0.3 * down;
        p[0] = -radius * cos(angle), p[1] = 1.08 - 0.95 * down, p[2] = radius * sin(angle);
    }
    return weft_weld_mesh(mesh, 0, NULL, NULL, error);
}

static WeftResult make_level(const Walker* walker, int count, Level* level, WeftError* error) {
    if (make_mesh(count, &level->mesh, error)) return error->result;
    int pins[64];
    for (int i = 0; i < count; i++) pins[i] = i;
    WeftBodyDef bodies[WALKER_PARTS];
    walker_bodies(bodies);
    for (int i = 0; i < WALKER_PARTS; i++)
        walker_pose(walker, i, bodies[i].position, bodies[i].rotation);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &level->mesh);
    cloth.material = NULL;  // at rest as a cone
    cloth.triangle_material = NULL;
    cloth.pins = pins, cloth.pin_count = count;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    def.bodies = bodies, def.body_count = WALKER_PARTS;
    if (weft_create_model(&def, &level->model, error) ||
        weft_create_state(level->model, &level->state, error) ||
        weft_create_frames(level->model, NULL, &level->frames, error))
        return error->result;
    for (int i = 0; i < count; i++) weft_attach_pin(level->state, i, HIPS);
    weft_restart_frames(level->frames, level->state);
    return WEFT_OK;
}

// The fine mesh is what is drawn: bound to the fine cloth, and to the coarse one.
static WeftResult bind_level(Level* level, const WeftMesh* drawn, const float* positions,
                             WeftError* error) {
    WeftBindingDef def = weft_default_binding_def();
    def.model = level->model;
    def.vertex_count = drawn->vertex_count, def.positions = positions;
    def.triangle_count = drawn->triangle_count, def.triangles = drawn->triangles;
    return weft_create_binding(&def, &level->binding, error);
}

static bool step_level(Level* level, const Walker* walker, const WeftStepDef* step) {
    for (int i = 0; i < WALKER_PARTS; i++) {
        double position[3], rotation[4];
        walker_pose(walker, i, position, rotation);
        weft_move_body(level->state, i, position, rotation);
    }
    if (weft_step(level->state, step)) return false;
    weft_push_frame(level->frames, level->state);
    weft_draw_frame(level->frames, 1, NULL);
    return true;
}

int main(void) {
    WeftError error;
    Walker walker = {0};
    static Level levels[LEVELS];
    WeftTransfer* transfers[LEVELS] = {NULL, NULL};  // to that level
    for (int k = 0; k < LEVELS; k++)
        if (make_level(&walker, columns[k], &levels[k], &error)) return puts(error.message), 1;
    int count = levels[0].mesh.vertex_count;
    float *start = malloc(3 * sizeof *start * (size_t)count),
          *shown = malloc(6 * sizeof *shown * (size_t)count);
    for (int i = 0; i < 3 * count; i++) start[i] = (float)levels[0].mesh.positions[i];
    for (int k = 0; k < LEVELS; k++)
        if (bind_level(&levels[k], &levels[0].mesh, start, &error)) return puts(error.message), 1;
    for (int k = 0; k < LEVELS; k++) {
        WeftTransferDef def = weft_default_transfer_def();
        def.from = levels[1 - k].model, def.to = levels[k].model;
        if (weft_create_transfer(&def, &transfers[k], &error)) return puts(error.message), 1;
    }

    WeftStepDef step = weft_default_step_def();
    WeftVertexLayout layout = weft_default_vertex_layout();
    layout.vertices = shown;
    int level = -1, before = 0, steps[LEVELS + 1] = {0}, since = BLEND;
    for (int frame = 0; frame < FRAMES; frame++) {
        double distance = 8 + 7 * cos(6.2832 * frame / FRAMES);  // 15, 1, 15 m
        int wanted = weft_choose_lod(level, distance, LEVELS, limits, 0.1);
        if (wanted < LEVELS && level >= 0 && level < LEVELS && wanted != level) {
            if (weft_transfer_state(transfers[wanted], levels[level].state, levels[wanted].state,
                                    &step))
                return puts(weft_state_error(levels[wanted].state)->message), 1;
            weft_restart_frames(levels[wanted].frames, levels[wanted].state);
            before = level, since = 0;
        }
        if (wanted != level) printf("%5.2f s  %4.1f m: level %d\n", frame / 60.0, distance, wanted);
        level = wanted;
        steps[level]++;
        walk(&walker, step.dt, 1.4, 0.2);
        if (level == LEVELS) continue;  // asleep; bodies that jump take the cloth along
        bool blends = since++ < BLEND;
        if (!step_level(&levels[level], &walker, &step) ||
            (blends && !step_level(&levels[before], &walker, &step)))
            return puts(weft_state_error(levels[level].state)->message), 1;
        WeftDrawn drawn[2] = {{levels[before].binding, levels[before].frames},
                              {levels[level].binding, levels[level].frames}};
        if (blends)
            weft_write_blend(drawn, (double)since / BLEND, &layout);
        else
            weft_write_vertices(drawn[1].binding, drawn[1].frames, &layout);
    }
    printf("steps: fine %d, coarse %d, asleep %d\n", steps[0], steps[1], steps[2]);
    for (int k = 0; k < LEVELS; k++) {
        weft_destroy_transfer(transfers[k]);
        weft_destroy_binding(levels[k].binding);
        weft_destroy_frames(levels[k].frames);
        weft_destroy_state(levels[k].state);
        weft_destroy_model(levels[k].model);
        weft_destroy_mesh(&levels[k].mesh);
    }
    free(start), free(shown);
    return steps[0] > 0 && steps[1] > 0 && steps[2] > 0 ? 0 : 1;
}
