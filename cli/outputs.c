// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "outputs.h"

#include <errno.h>
#include <math.h>
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

static int all_triangles(const Outputs* outputs, const Session* session) {
    int count = weft_show_triangle_count(session->show);
    for (int b = 0; b < body_count(outputs, session->model); b++)
        count += weft_body_triangle_count(session->model, b);
    return count;
}

// The triangles of all, numbered through.
static void copy_triangles(Outputs* outputs, const Session* session) {
    const WeftModel* model = session->model;
    int* to = outputs->triangles;
    int first = weft_show_vertex_count(session->show);
    size_t corners = 3 * (size_t)weft_show_triangle_count(session->show);
    if (corners > 0) memcpy(to, weft_show_triangles(session->show), corners * sizeof(int));
    to += corners;
    for (int b = 0; b < body_count(outputs, model); b++) {
        const int* from = weft_body_triangles(model, b);
        corners = 3 * (size_t)weft_body_triangle_count(model, b);
        for (size_t i = 0; i < corners; i++) *to++ = first + from[i];
        first += weft_body_vertex_count(model, b);
    }
}

void name_body(const WeftScene* scene, int body, char name[PART_NAME]) {
    const char* given = scene->bodies[body].name;
    const char* start = scene->model.bodies[body].kind == WEFT_BODY_PLANE ? PLANE_PART : "body ";
    if (given)
        snprintf(name, PART_NAME, "%s%s", start, given);
    else
        snprintf(name, PART_NAME, "%s%d", start, body);
}

static const char* pattern_name(const WeftScene* scene, int cloth) {
    for (int i = 0; i < scene->wear_count; i++)
        if (scene->wears[i].cloth == cloth) return scene->wears[i].pattern.name;
    return "";
}

// Each cloth is a part where all have triangles; ropes belong to the first part, so that with them
// all cloth is one, as it is where there are very many.
static int cloth_parts(const Session* session) {
    const WeftScene* scene = session->scene;
    int count = scene->model.cloth_count;
    bool several = count <= MOST_CLOTH_PARTS && weft_show_lines(session->show, NULL) == 0;
    for (int c = 0; c < count && several; c++) several = scene->meshes[c].triangle_count > 0;
    return several ? count : 1;
}

// One of several. A garment is called like its pattern, others by their number. A name is there
// once, and does not begin as those of bodies do.
static void name_cloth(const WeftScene* scene, int cloth, const WeftPart* before,
                       char name[PART_NAME]) {
    const char* given = pattern_name(scene, cloth);
    if (!given[0])
        snprintf(name, PART_NAME, "cloth %d", cloth);
    else if (cloth > 0 && strncmp(given, BODY_PART, strlen(BODY_PART)) == 0)
        snprintf(name, PART_NAME, "cloth %.48s", given);
    else
        snprintf(name, PART_NAME, "%.56s", given);
    for (int c = 0; c < cloth; c++)
        if (strcmp(before[c].name, name) == 0) {
            size_t length = strlen(name);
            snprintf(name + length, PART_NAME - length, " %d", cloth);
            break;
        }
}

static int cloth_vertices(const Session* session, int cloth) {
    return weft_show_first_vertex(session->show, cloth + 1) -
           weft_show_first_vertex(session->show, cloth);
}

static int cloth_triangles(const Session* session, int cloth) {
    return weft_show_first_triangle(session->show, cloth + 1) -
           weft_show_first_triangle(session->show, cloth);
}

static void name_parts(Outputs* outputs, const Session* session) {
    const WeftModel* model = session->model;
    const WeftScene* scene = session->scene;
    WeftPart* part = outputs->parts;
    char(*name)[PART_NAME] = outputs->names;
    for (int c = 0; c < outputs->cloth_parts && outputs->cloth_parts > 1; c++, part++, name++) {
        name_cloth(scene, c, outputs->parts, *name);
        *part = (WeftPart){*name, cloth_vertices(session, c), cloth_triangles(session, c), false};
    }
    if (outputs->cloth_parts == 1) {
        const char* pattern = scene->model.cloth_count == 1 ? pattern_name(scene, 0) : "";
        *part++ =
            (WeftPart){pattern[0] ? pattern : scene->name, weft_show_vertex_count(session->show),
                       weft_show_triangle_count(session->show), false};
    }
    for (int b = 0; b < body_count(outputs, model); b++, part++, name++) {
        name_body(scene, b, *name);
        *part = (WeftPart){*name, weft_body_vertex_count(model, b),
                           weft_body_triangle_count(model, b), true};
    }
}

// Bodies have one point for all.
static void list_texture(Outputs* outputs, const Session* session) {
    int points = weft_show_material(session->show, outputs->texture, outputs->triangle_texture);
    int first = 3 * weft_show_triangle_count(session->show);
    int end = 3 * all_triangles(outputs, session);
    for (int i = first; i < end; i++) outputs->triangle_texture[i] = points;
}

static bool is_worn(const WeftScene* scene, int cloth) {
    for (int i = 0; i < scene->wear_count; i++)
        if (scene->wears[i].cloth == cloth) return true;
    return false;
}

static WeftPartLook part_look(const WeftScene* scene, int look) {
    return (WeftPartLook){&scene->looks[look].look, is_worn(scene, scene->looks[look].cloth)};
}

// Whether two looks of the same part are one material.
static bool same_look(const WeftScene* scene, int a, int b) {
    const WeftSceneLook *one = &scene->looks[a], *other = &scene->looks[b];
    return strcmp(one->fabric, other->fabric) == 0 && one->look.colour == other->look.colour &&
           is_worn(scene, one->cloth) == is_worn(scene, other->cloth);
}

// What a part is made of: the first cloth that it has, of a garment its first panel.
static int look_of_part(const WeftScene* scene, int cloth) {
    for (int i = 0; i < scene->wear_count; i++)
        if (scene->wears[i].cloth == cloth) return scene->wears[i].looks[0];
    return cloth;
}

// The number of the material of a look of a part; a new one, where it has none yet.
static int look_material(Outputs* outputs, const WeftScene* scene, int part, int look) {
    for (int m = 0; m < outputs->material_count; m++)
        if (outputs->material_parts[m] == part && same_look(scene, outputs->material_of[m], look))
            return m;
    int m = outputs->material_count++;
    const WeftSceneLook* wanted = &scene->looks[look];
    const char* name = pattern_name(scene, wanted->cloth);
    if (!name[0]) name = scene->name;
    snprintf(outputs->material_names[m], PART_NAME, "%.30s, %.30s", name,
             wanted->fabric[0] ? wanted->fabric : "cloth");
    outputs->materials[m] = outputs->material_names[m];
    outputs->material_looks[m] = part_look(scene, look);
    outputs->material_parts[m] = part;
    outputs->material_of[m] = look;
    return m;
}

// What is shown of a triangle is made of what that is made of: of what its part is, or else of a
// material of its own.
static void list_materials(Outputs* outputs, const Session* session) {
    const WeftScene* scene = session->scene;
    int shown = weft_show_triangle_count(session->show), *of = outputs->triangle_material;
    weft_show_triangle_looks(session->show, of);
    for (int p = 0; p < outputs->cloth_parts; p++)
        outputs->part_looks[p] = part_look(scene, look_of_part(scene, p));
    for (int t = 0; t < shown; t++) {
        int part = outputs->cloth_parts == 1 ? 0 : scene->looks[of[t]].cloth;
        bool plain = same_look(scene, look_of_part(scene, part), of[t]);
        of[t] = plain ? -1 : look_material(outputs, scene, part, of[t]);
    }
    for (int t = shown; t < all_triangles(outputs, session); t++) of[t] = -1;
}

// The mean of the triangles around each vertex, by their area.
static void find_normals(const WeftModel* model, int body, const float* x, float* normals) {
    int vertex_count = weft_body_vertex_count(model, body);
    const int* v = weft_body_triangles(model, body);
    memset(normals, 0, 3 * (size_t)vertex_count * sizeof(float));
    for (int t = 0; t < weft_body_triangle_count(model, body); t++, v += 3) {
        const float *o = x + 3 * (size_t)v[0], *p = x + 3 * (size_t)v[1], *q = x + 3 * (size_t)v[2];
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            float n = (p[i] - o[i]) * (q[j] - o[j]) - (p[j] - o[j]) * (q[i] - o[i]);
            for (int c = 0; c < 3; c++) normals[3 * (size_t)v[c] + (size_t)k] += n;
        }
    }
    for (int i = 0; i < vertex_count; i++) {
        float *n = normals + 3 * (size_t)i, length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3 && length > 0; k++) n[k] /= length;
    }
}

static void copy_bodies(Outputs* outputs, const Session* session) {
    const WeftModel* model = session->model;
    size_t at = 3 * (size_t)weft_show_vertex_count(session->show);
    for (int b = 0; b < body_count(outputs, model); b++) {
        size_t count = 3 * (size_t)weft_body_vertex_count(model, b);
        weft_show_body(session->state, b, outputs->shape);
        for (size_t i = 0; i < count; i++) outputs->positions[at + i] = (float)outputs->shape[i];
        find_normals(model, b, outputs->positions + at, outputs->normals + at);
        at += count;
    }
}

// ---------------------------------------------------------------------------------------------
// Files

static bool allocate(Outputs* outputs, const Session* session, int line_count) {
    const WeftModel* model = session->model;
    size_t n = (size_t)all_vertices(outputs, session);
    size_t parts = (size_t)(outputs->cloth_parts + body_count(outputs, model));
    size_t corners = 3 * (size_t)all_triangles(outputs, session);
    size_t points = (size_t)weft_show_material(session->show, NULL, NULL) + 1;
    outputs->triangles = calloc(corners + 1, sizeof(int));
    outputs->triangle_texture = calloc(corners + 1, sizeof(int));
    outputs->parts = calloc(parts, sizeof *outputs->parts);
    outputs->names = calloc(parts, sizeof *outputs->names);
    size_t looks = (size_t)session->scene->look_count;
    outputs->part_looks = calloc(parts, sizeof *outputs->part_looks);
    outputs->material_names = calloc(looks, sizeof *outputs->material_names);
    outputs->materials = calloc(looks, sizeof *outputs->materials);
    outputs->material_looks = calloc(looks, sizeof *outputs->material_looks);
    outputs->material_parts = calloc(looks, sizeof *outputs->material_parts);
    outputs->material_of = calloc(looks, sizeof *outputs->material_of);
    outputs->triangle_material = calloc(corners + 1, sizeof(int));
    free(outputs->shape);
    free(outputs->positions);
    free(outputs->normals);
    outputs->shape = calloc(3 * n, sizeof(double));
    outputs->lines = calloc(2 * (size_t)line_count + 1, sizeof(int));
    outputs->writers = calloc((size_t)outputs->count + 1, sizeof *outputs->writers);
    outputs->positions = calloc(3 * n, sizeof(float));
    outputs->normals = calloc(3 * n, sizeof(float));
    outputs->texture = calloc(2 * points, sizeof(float));
    outputs->texture_count = (int)points;
    return outputs->lines && outputs->writers && outputs->positions && outputs->normals &&
           outputs->texture && outputs->triangles && outputs->triangle_texture && outputs->parts &&
           outputs->names && outputs->shape && outputs->material_names && outputs->materials &&
           outputs->part_looks && outputs->material_looks && outputs->material_parts &&
           outputs->material_of && outputs->triangle_material;
}

static int open_writers(Outputs* outputs) {
    const Session* session = outputs->session;
    int line_count = weft_show_lines(session->show, NULL);
    if (!allocate(outputs, session, line_count)) return complain(EXIT_FAILED, "out of memory");
    copy_triangles(outputs, session);
    name_parts(outputs, session);
    list_texture(outputs, session);
    list_materials(outputs, session);
    weft_show_lines(session->show, outputs->lines);
    WeftWriterDef def = weft_default_writer_def();
    def.vertex_count = all_vertices(outputs, session);
    def.triangle_count = all_triangles(outputs, session);
    def.triangles = outputs->triangles;
    def.parts = outputs->parts;
    def.part_count = outputs->cloth_parts + body_count(outputs, session->model);
    def.line_count = line_count;
    def.lines = outputs->lines;
    def.texture = outputs->texture;
    def.texture_count = outputs->texture_count;
    def.triangle_texture = outputs->triangle_texture;
    def.material_count = outputs->material_count;
    def.materials = outputs->materials;
    def.triangle_material = outputs->triangle_material;
    def.part_looks = outputs->part_looks;
    def.material_looks = outputs->material_looks;
    def.folder = session->folder;
    def.frame_count = outputs->frame_limit;
    def.frame_rate = outputs->frame_rate;
    def.name = session->scene->name;
    for (int i = 0; i < outputs->count; i++) {
        WeftError error;
        if (weft_open_writer(outputs->paths[i], &def, &outputs->writers[i], &error))
            return fail_output(&error);
    }
    return GO_ON;
}

int open_outputs(Outputs* outputs, const TextList* paths, const Session* session, int frame_limit,
                 double frame_rate, bool bodies) {
    *outputs = (Outputs){.paths = paths->texts,
                         .count = paths->count,
                         .frame_limit = frame_limit,
                         .frame_rate = frame_rate,
                         .bodies = bodies,
                         .session = session};
    outputs->cloth_parts = cloth_parts(session);
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
    free(outputs->texture);
    free(outputs->lines);
    free(outputs->triangles);
    free(outputs->triangle_texture);
    free(outputs->parts);
    free(outputs->names);
    free(outputs->material_names);
    free(outputs->materials);
    free(outputs->part_looks);
    free(outputs->material_looks);
    free(outputs->material_parts);
    free(outputs->material_of);
    free(outputs->triangle_material);
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
