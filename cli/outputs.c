// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "place.h"

static int fail_output(const WeftError* error) {
    fprintf(stderr, "%s\n", error->message);
    return error->result == WEFT_ERROR_INPUT ? EXIT_USAGE : EXIT_FAILED;
}

static int check_output(const char* path) {
    char folder[PATH_SIZE];
    WeftError error;
    if (weft_check_writer(path, &error)) return fail_output(&error);
    folder_name(path, folder);
    if (access(folder, W_OK) != 0)
        return complain(EXIT_FAILED, "%s: cannot write: %s", path, strerror(errno));
    return GO_ON;
}

int check_outputs(const TextList* paths) {
    int code = GO_ON;
    for (int i = 0; i < paths->count && code == GO_ON; i++) {
        code = check_output(paths->texts[i]);
        for (int k = 0; k < i && code == GO_ON; k++)
            if (strcmp(paths->texts[i], paths->texts[k]) == 0)
                code = complain(EXIT_USAGE, "%s is named twice", paths->texts[i]);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Bodies

static int body_count(const Outputs* outputs, const WeftModel* model) {
    return outputs->bodies ? weft_body_count(model) : 0;
}

static int all_vertices(const Outputs* outputs, const Session* session) {
    int count = weft_show_vertex_count(session->show);
    for (int b = 0; b < body_count(outputs, session->model); b++)
        count += weft_body_vertex_count(session->model, b);
    return count;
}

static void copy_bodies(Outputs* outputs, const Session* session) {
    const WeftModel* model = session->model;
    size_t at = 3 * (size_t)weft_show_vertex_count(session->show);
    for (int b = 0; b < body_count(outputs, model); b++) {
        size_t count = 3 * (size_t)weft_body_vertex_count(model, b);
        weft_show_body(session->state, b, outputs->shape);
        for (size_t i = 0; i < count; i++) outputs->positions[at + i] = (float)outputs->shape[i];
        weft_find_normals(weft_body_vertex_count(model, b), weft_body_triangle_count(model, b),
                          weft_body_triangles(model, b), outputs->positions + at,
                          outputs->normals + at);
        at += count;
    }
}

// ---------------------------------------------------------------------------------------------
// Files

static bool allocate(Outputs* outputs, const Session* session) {
    size_t n = (size_t)all_vertices(outputs, session);
    free(outputs->shape);
    free(outputs->positions);
    free(outputs->normals);
    outputs->shape = calloc(3 * n, sizeof(double));
    outputs->writers = calloc((size_t)outputs->count + 1, sizeof *outputs->writers);
    outputs->positions = calloc(3 * n, sizeof(float));
    outputs->normals = calloc(3 * n, sizeof(float));
    return outputs->writers && outputs->positions && outputs->normals && outputs->shape;
}

static int open_writers(Outputs* outputs) {
    const Session* session = outputs->session;
    WeftShowMesh* mesh = NULL;
    if (!allocate(outputs, session) ||
        weft_create_show_mesh(session->scene, session->model, session->show, outputs->bodies, NULL,
                              &mesh, NULL))
        return complain(EXIT_FAILED, "out of memory");
    WeftWriterDef def = weft_show_mesh_def(mesh);
    def.folder = session->folder;
    def.frame_count = outputs->frame_limit;
    def.frame_rate = outputs->frame_rate;
    int code = GO_ON;
    for (int i = 0; i < outputs->count && code == GO_ON; i++) {
        WeftError error;
        if (weft_open_writer(outputs->paths[i], &def, &outputs->writers[i], &error))
            code = fail_output(&error);
    }
    weft_destroy_show_mesh(mesh);
    return code;
}

int open_outputs(Outputs* outputs, const TextList* paths, const Session* session, int frame_limit,
                 double frame_rate, bool bodies) {
    *outputs = (Outputs){.paths = paths->texts,
                         .count = paths->count,
                         .frame_limit = frame_limit,
                         .frame_rate = frame_rate,
                         .bodies = bodies,
                         .session = session};
    if (!may_tear(session->scene)) return open_writers(outputs);
    int shown = weft_show_vertex_count(session->show);
    return outputs->count == 0
               ? GO_ON
               : open_spool(&outputs->spool, outputs->paths[0], session->scene->model.cloth_count,
                            weft_show_triangle_count(session->show),
                            all_vertices(outputs, session) - shown);
}

static int write_frame(Outputs* outputs) {
    for (int i = 0; i < outputs->count; i++) {
        WeftError error;
        if (!weft_write_frame(outputs->writers[i], outputs->positions, outputs->normals, &error))
            continue;
        weft_abandon_writer(outputs->writers[i]);
        outputs->writers[i] = NULL;
        fail_output(&error);
        return EXIT_FAILED;
    }
    return GO_ON;
}

// ---------------------------------------------------------------------------------------------
// Cloth that may be torn

// Room for a frame of what is shown now.
static bool make_room(Outputs* outputs) {
    const Session* session = outputs->session;
    size_t n = 3 * (size_t)all_vertices(outputs, session) + 1;
    size_t starts = (size_t)session->scene->model.cloth_count + 1;
    float* positions = realloc(outputs->positions, n * sizeof(float));
    if (positions) outputs->positions = positions;
    float* normals = realloc(outputs->normals, n * sizeof(float));
    if (normals) outputs->normals = normals;
    double* shape = realloc(outputs->shape, n * sizeof(double));
    if (shape) outputs->shape = shape;
    if (!outputs->starts) outputs->starts = calloc(starts, sizeof(int));
    return positions && normals && shape && outputs->starts;
}

static SpoolMesh find_mesh(Outputs* outputs) {
    const WeftShow* show = outputs->session->show;
    for (int c = 0; c <= outputs->session->scene->model.cloth_count; c++)
        outputs->starts[c] = weft_show_first_vertex(show, c);
    return (SpoolMesh){outputs->starts, weft_show_triangles(show)};
}

static int write_spool(Outputs* outputs) {
    Spool* spool = &outputs->spool;
    SpoolMesh last = find_mesh(outputs);
    int code = rewind_spool(spool, &last);
    if (code == GO_ON) code = open_writers(outputs);
    for (int i = 0; i < spool->frame_count && code == GO_ON; i++) {
        code = read_frame(spool, &last, outputs->positions, outputs->normals);
        if (code == GO_ON) code = write_frame(outputs);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------

int write_outputs(Outputs* outputs, const Session* session) {
    if (outputs->count == 0) return GO_ON;
    bool kept = outputs->spool.file != NULL;
    if (kept && !make_room(outputs)) return complain(EXIT_FAILED, "out of memory");
    double start = now(NULL);
    weft_show_frame(session->show, session->state, &session->scene->model.jobs, outputs->positions,
                    outputs->normals);
    outputs->show_seconds += now(NULL) - start;
    copy_bodies(outputs, session);
    SpoolMesh mesh = kept ? find_mesh(outputs) : (SpoolMesh){0};
    int code = kept ? keep_frame(&outputs->spool, &mesh, outputs->positions, outputs->normals)
                    : write_frame(outputs);
    if (code == GO_ON) outputs->frame_count++;
    return code;
}

int close_outputs(Outputs* outputs) {
    int code = outputs->spool.frame_count > 0 ? write_spool(outputs) : GO_ON;
    for (int i = 0; i < outputs->count && outputs->writers; i++) {
        WeftError error;
        WeftWriter* writer = outputs->writers[i];
        outputs->writers[i] = NULL;
        if (writer && weft_close_writer(writer, &error)) code = fail_output(&error);
    }
    close_spool(&outputs->spool);
    return code;
}

void free_outputs(Outputs* outputs) {
    for (int i = 0; i < outputs->count && outputs->writers; i++)
        weft_abandon_writer(outputs->writers[i]);
    free(outputs->writers);
    free(outputs->positions);
    free(outputs->normals);
    free(outputs->shape);
    free(outputs->starts);
    close_spool(&outputs->spool);
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
