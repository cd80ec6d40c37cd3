// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static int fail_output(const WeftError* error) {
    fprintf(stderr, "%s\n", error->message);
    return error->result == WEFT_ERROR_INPUT ? EXIT_USAGE : EXIT_FAILED;
}

static bool allocate(Outputs* outputs, int vertex_count, int line_count) {
    size_t n = (size_t)vertex_count;
    outputs->lines = calloc(2 * (size_t)line_count + 1, sizeof(int));
    outputs->writers = calloc((size_t)outputs->count + 1, sizeof *outputs->writers);
    outputs->positions = calloc(3 * n, sizeof(float));
    outputs->normals = calloc(3 * n, sizeof(float));
    outputs->texture = calloc(2 * n, sizeof(float));
    return outputs->lines && outputs->writers && outputs->positions && outputs->normals &&
           outputs->texture;
}

int open_outputs(Outputs* outputs, const TextList* paths, const Session* session, int frame_limit,
                 double frame_rate) {
    *outputs = (Outputs){.paths = paths->texts, .frame_limit = frame_limit};
    outputs->count = paths->count;
    int vertex_count = weft_vertex_count(session->model),
        line_count = weft_scene_lines(session->scene, NULL);
    if (!allocate(outputs, vertex_count, line_count)) return complain(EXIT_FAILED, "out of memory");
    weft_scene_texture(session->scene, outputs->texture);
    weft_scene_lines(session->scene, outputs->lines);
    WeftWriterDef def = weft_default_writer_def();
    def.vertex_count = vertex_count;
    def.triangle_count = weft_triangle_count(session->model);
    def.triangles = weft_triangles(session->model);
    def.line_count = line_count;
    def.lines = outputs->lines;
    def.texture = outputs->texture;
    def.frame_count = frame_limit;
    def.frame_rate = frame_rate;
    def.name = session->scene->name;
    for (int i = 0; i < outputs->count; i++) {
        WeftError error;
        if (weft_open_writer(outputs->paths[i], &def, &outputs->writers[i], &error))
            return fail_output(&error);
    }
    return GO_ON;
}

int write_outputs(Outputs* outputs, const Session* session) {
    if (outputs->count == 0) return GO_ON;
    weft_copy_floats(session->model, session->state, outputs->positions, outputs->normals);
    for (int i = 0; i < outputs->count; i++) {
        WeftError error;
        if (!weft_write_frame(outputs->writers[i], outputs->positions, outputs->normals, &error))
            continue;
        weft_abandon_writer(outputs->writers[i]);
        outputs->writers[i] = NULL;
        fail_output(&error);
        return EXIT_FAILED;
    }
    outputs->frame_count++;
    return GO_ON;
}

int close_outputs(Outputs* outputs) {
    int code = GO_ON;
    for (int i = 0; i < outputs->count; i++) {
        WeftError error;
        WeftWriter* writer = outputs->writers[i];
        outputs->writers[i] = NULL;
        if (writer && weft_close_writer(writer, &error)) code = fail_output(&error);
    }
    return code;
}

void free_outputs(Outputs* outputs) {
    for (int i = 0; i < outputs->count && outputs->writers; i++)
        weft_abandon_writer(outputs->writers[i]);
    free(outputs->writers);
    free(outputs->positions);
    free(outputs->normals);
    free(outputs->texture);
    free(outputs->lines);
}

static double file_size(const char* path) {
    struct stat status;
    return stat(path, &status) == 0 ? (double)status.st_size : 0;
}

// OBJ and PLY number their frames: name.obj becomes name.0000.obj, with as many digits as the last
// frame announced needs.
static void frame_name(const Outputs* outputs, const char* path, int frame, char* name, int size) {
    const char* dot = strrchr(path, '.');
    int width = snprintf(NULL, 0, "%04d", outputs->frame_limit - 1);
    snprintf(name, (size_t)size, "%.*s.%0*d%s", (int)(dot - path), path, width, frame, dot);
}

double output_size(const Outputs* outputs, int i, char* name, int name_size) {
    const char *path = outputs->paths[i], *dot = strrchr(path, '.');
    bool numbered = dot && outputs->frame_limit > 1 &&
                    (strcasecmp(dot, ".obj") == 0 || strcasecmp(dot, ".ply") == 0);
    snprintf(name, (size_t)name_size, "%s", path);
    if (!numbered) return file_size(path);
    double bytes = 0;
    char first[1024] = "", last[1024] = "";
    for (int frame = 0; frame < outputs->frame_count; frame++) {
        frame_name(outputs, path, frame, last, sizeof last);
        bytes += file_size(last);
    }
    frame_name(outputs, path, 0, first, sizeof first);
    snprintf(name, (size_t)name_size, "%s ... %s", first, last);
    return bytes;
}
