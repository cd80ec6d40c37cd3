// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What was played as a GLB, as the tool writes it (play.h). The host keeps the frames; here is the
// mesh that they are of, with its looks, for as long as something is recorded.

#include <stdio.h>
#include <stdlib.h>

#include "inside.h"

static WeftShowMesh* mesh;
static WeftWriter* writer;
static float* normals;

bool play_record(const Play* play) {
    WeftShowMesh* fresh = NULL;
    if (play && weft_create_show_mesh(play->scene, play->model, play->shown.show, true, NULL,
                                      &fresh, play_failure()))
        return false;
    weft_destroy_show_mesh(mesh);
    mesh = fresh;
    return true;
}

static void give_up(void) {
    weft_abandon_writer(writer);
    writer = NULL;
    free(normals);
    normals = NULL;
}

bool play_begin_glb(const char* path, int frame_count, double frame_rate) {
    give_up();
    if (!mesh) return snprintf(play_failure()->message, 64, "nothing was recorded"), false;
    WeftWriterDef def = weft_show_mesh_def(mesh);
    def.frame_count = frame_count;
    def.frame_rate = frame_rate;
    normals = calloc(3 * (size_t)def.vertex_count + 1, sizeof *normals);
    if (!normals) return snprintf(play_failure()->message, 64, "out of memory"), false;
    return !weft_open_writer(path, &def, &writer, play_failure());
}

bool play_put_glb(const float* positions) {
    WeftWriterDef def = weft_show_mesh_def(mesh);
    weft_find_normals(def.vertex_count, def.triangle_count, def.triangles, positions, normals);
    return !weft_write_frame(writer, positions, normals, play_failure());
}

bool play_end_glb(void) {
    bool good = !weft_close_writer(writer, play_failure());
    writer = NULL;
    give_up();
    return good;
}
