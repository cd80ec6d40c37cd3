// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is shown of a scene, with its bodies, as writers take it: one mesh, its parts by name, its
// materials by fabric.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/scene_parts.h"
#include "io/show.h"

enum { MOST_CLOTH_PARTS = 64 };

typedef char Name[WEFT_PART_NAME];

struct WeftShowMesh {
    WeftAllocator allocator;
    const WeftScene* scene;  // while it is made
    char *name, *whole;      // of the scene, and of all cloth where it is one part
    int vertex_count, triangle_count, line_count, texture_count;
    int *triangles, *lines;
    float* texture;         // the last point is for bodies
    int* triangle_texture;  // of each corner
    int cloth_parts;        // one per cloth, or one for all
    int part_count;         // the cloth, then each body
    WeftPart* parts;
    Name* names;
    WeftLook* looks;  // the scene's
    WeftPartLook* part_looks;
    int material_count;  // of triangles that are made of something else than their part
    Name* material_names;
    const char** materials;  // the same names
    WeftPartLook* material_looks;
    int *material_parts, *material_of;  // whose they are, and which of the looks
    int* triangle_material;             // -1: that of its part
};

// What it is made of.
typedef struct Source {
    const WeftShow* show;
    const WeftModel* model;
    int body_count;
} Source;

// ---------------------------------------------------------------------------------------------
// Names

void weft_name_body(const WeftScene* scene, int body, char name[WEFT_PART_NAME]) {
    const char* given = scene->bodies[body].name;
    bool plane = scene->model.bodies[body].kind == WEFT_BODY_PLANE;
    const char* start = plane ? WEFT_PLANE_PART : WEFT_BODY_PART " ";
    if (given)
        snprintf(name, WEFT_PART_NAME, "%s%s", start, given);
    else
        snprintf(name, WEFT_PART_NAME, "%s%d", start, body);
}

static const char* pattern_name(const WeftScene* scene, int cloth) {
    const WeftSceneWear* wear = wf_scene_find_wear(scene, cloth);
    return wear ? wear->pattern.name : "";
}

// One of several. A garment is called like its pattern, others by their number. A name is there
// once, and does not begin as those of bodies do.
static void name_cloth(WeftShowMesh* mesh, int cloth) {
    const char* given = pattern_name(mesh->scene, cloth);
    char* name = mesh->names[cloth];
    if (!given[0])
        snprintf(name, WEFT_PART_NAME, "cloth %d", cloth);
    else if (cloth > 0 && strncmp(given, WEFT_BODY_PART, strlen(WEFT_BODY_PART)) == 0)
        snprintf(name, WEFT_PART_NAME, "cloth %.48s", given);
    else
        snprintf(name, WEFT_PART_NAME, "%.56s", given);
    for (int c = 0; c < cloth; c++)
        if (strcmp(mesh->names[c], name) == 0) {
            size_t length = strlen(name);
            snprintf(name + length, WEFT_PART_NAME - length, " %d", cloth);
            break;
        }
}

static const char* whole_name(const WeftScene* scene) {
    const char* pattern = scene->model.cloth_count == 1 ? pattern_name(scene, 0) : "";
    return pattern[0] ? pattern : scene->name;
}

// ---------------------------------------------------------------------------------------------
// Parts

// Each cloth is a part where all have triangles; ropes belong to the first part, so that with them
// all cloth is one, as it is where there are very many.
static int count_cloth_parts(const WeftScene* scene, const WeftShow* show) {
    int count = scene->model.cloth_count;
    bool several = count <= MOST_CLOTH_PARTS && weft_show_lines(show, NULL) == 0;
    for (int c = 0; c < count && several; c++) several = scene->meshes[c].triangle_count > 0;
    return several ? count : 1;
}

static void list_cloths(WeftShowMesh* mesh, const WeftShow* show) {
    for (int c = 0; c < mesh->cloth_parts; c++) {
        int first = weft_show_first_vertex(show, c), triangle = weft_show_first_triangle(show, c);
        name_cloth(mesh, c);
        mesh->parts[c] = (WeftPart){mesh->names[c], weft_show_first_vertex(show, c + 1) - first,
                                    weft_show_first_triangle(show, c + 1) - triangle, false};
    }
    if (mesh->cloth_parts == 1)
        mesh->parts[0] = (WeftPart){mesh->whole, weft_show_vertex_count(show),
                                    weft_show_triangle_count(show), false};
}

static void list_bodies(WeftShowMesh* mesh, const Source* from) {
    for (int b = 0; b < from->body_count; b++) {
        char* name = mesh->names[mesh->cloth_parts + b];
        weft_name_body(mesh->scene, b, name);
        mesh->parts[mesh->cloth_parts + b] =
            (WeftPart){name, weft_body_vertex_count(from->model, b),
                       weft_body_triangle_count(from->model, b), true};
    }
}

// The triangles of all, numbered through.
static void copy_triangles(WeftShowMesh* mesh, const Source* from) {
    int *to = mesh->triangles, first = weft_show_vertex_count(from->show);
    size_t corners = 3 * (size_t)weft_show_triangle_count(from->show);
    if (corners > 0) memcpy(to, weft_show_triangles(from->show), corners * sizeof(int));
    to += corners;
    for (int b = 0; b < from->body_count; b++) {
        const int* triangles = weft_body_triangles(from->model, b);
        corners = 3 * (size_t)weft_body_triangle_count(from->model, b);
        for (size_t i = 0; i < corners; i++) *to++ = first + triangles[i];
        first += weft_body_vertex_count(from->model, b);
    }
}

// Bodies have one point for all.
static void list_texture(WeftShowMesh* mesh, const WeftShow* show) {
    int points = weft_show_material(show, mesh->texture, mesh->triangle_texture);
    for (int i = 3 * weft_show_triangle_count(show); i < 3 * mesh->triangle_count; i++)
        mesh->triangle_texture[i] = points;
}

// ---------------------------------------------------------------------------------------------
// Materials

static bool is_worn(const WeftScene* scene, int cloth) {
    return wf_scene_find_wear(scene, cloth) != NULL;
}

static WeftPartLook part_look(const WeftShowMesh* mesh, int look) {
    return (WeftPartLook){&mesh->looks[look], is_worn(mesh->scene, mesh->scene->looks[look].cloth)};
}

// Whether two looks of the same part are one material.
static bool same_look(const WeftScene* scene, int a, int b) {
    const WeftSceneLook *one = &scene->looks[a], *other = &scene->looks[b];
    return strcmp(one->fabric, other->fabric) == 0 && one->look.colour == other->look.colour &&
           is_worn(scene, one->cloth) == is_worn(scene, other->cloth);
}

// What a part is made of: the first cloth that it has, of a garment its first panel.
static int look_of_part(const WeftScene* scene, int cloth) {
    const WeftSceneWear* wear = wf_scene_find_wear(scene, cloth);
    return wear ? wear->looks[0] : cloth;
}

// The number of the material of a look of a part; a new one, where it has none yet.
static int look_material(WeftShowMesh* mesh, int part, int look) {
    const WeftScene* scene = mesh->scene;
    for (int m = 0; m < mesh->material_count; m++)
        if (mesh->material_parts[m] == part && same_look(scene, mesh->material_of[m], look))
            return m;
    int m = mesh->material_count++;
    const WeftSceneLook* wanted = &scene->looks[look];
    const char* name = pattern_name(scene, wanted->cloth);
    if (!name[0]) name = scene->name;
    snprintf(mesh->material_names[m], WEFT_PART_NAME, "%.30s, %.30s", name,
             wanted->fabric[0] ? wanted->fabric : "cloth");
    mesh->materials[m] = mesh->material_names[m];
    mesh->material_looks[m] = part_look(mesh, look);
    mesh->material_parts[m] = part;
    mesh->material_of[m] = look;
    return m;
}

// What is shown of a triangle is made of what that is made of: of what its part is, or else of a
// material of its own.
static void list_materials(WeftShowMesh* mesh, const WeftShow* show) {
    const WeftScene* scene = mesh->scene;
    int shown = weft_show_triangle_count(show), *of = mesh->triangle_material;
    for (int i = 0; i < scene->look_count; i++) mesh->looks[i] = scene->looks[i].look;
    weft_show_triangle_looks(show, of);
    for (int p = 0; p < mesh->cloth_parts; p++)
        mesh->part_looks[p] = part_look(mesh, look_of_part(scene, p));
    for (int t = 0; t < shown; t++) {
        int part = mesh->cloth_parts == 1 ? 0 : scene->looks[of[t]].cloth;
        bool plain = same_look(scene, look_of_part(scene, part), of[t]);
        of[t] = plain ? -1 : look_material(mesh, part, of[t]);
    }
    for (int t = shown; t < mesh->triangle_count; t++) of[t] = -1;
}

// ---------------------------------------------------------------------------------------------
// Life

static void count_all(WeftShowMesh* mesh, const Source* from) {
    mesh->vertex_count = weft_show_vertex_count(from->show);
    mesh->triangle_count = weft_show_triangle_count(from->show);
    for (int b = 0; b < from->body_count; b++) {
        mesh->vertex_count += weft_body_vertex_count(from->model, b);
        mesh->triangle_count += weft_body_triangle_count(from->model, b);
    }
    mesh->line_count = weft_show_lines(from->show, NULL);
    mesh->texture_count = weft_show_material(from->show, NULL, NULL) + 1;
    mesh->cloth_parts = count_cloth_parts(mesh->scene, from->show);
    mesh->part_count = mesh->cloth_parts + from->body_count;
}

static char* copy_text(const WeftAllocator* allocator, const char* text) {
    char* copy = wf_alloc(allocator, strlen(text) + 1, 1);
    if (copy) strcpy(copy, text);
    return copy;
}

static bool allocate(WeftShowMesh* mesh) {
    const WeftAllocator* a = &mesh->allocator;
    size_t corners = 3 * (size_t)mesh->triangle_count, parts = (size_t)mesh->part_count;
    size_t looks = (size_t)mesh->scene->look_count;
    mesh->name = copy_text(a, mesh->scene->name);
    mesh->whole = copy_text(a, whole_name(mesh->scene));
    mesh->triangles = wf_alloc(a, corners, sizeof(int));
    mesh->lines = wf_alloc(a, 2 * (size_t)mesh->line_count, sizeof(int));
    mesh->texture = wf_alloc(a, 2 * (size_t)mesh->texture_count, sizeof(float));
    mesh->triangle_texture = wf_alloc(a, corners, sizeof(int));
    mesh->parts = wf_alloc(a, parts, sizeof *mesh->parts);
    mesh->names = wf_alloc(a, parts, sizeof *mesh->names);
    mesh->looks = wf_alloc(a, looks, sizeof *mesh->looks);
    mesh->part_looks = wf_alloc(a, parts, sizeof *mesh->part_looks);
    mesh->material_names = wf_alloc(a, looks, sizeof *mesh->material_names);
    mesh->materials = wf_alloc(a, looks, sizeof *mesh->materials);
    mesh->material_looks = wf_alloc(a, looks, sizeof *mesh->material_looks);
    mesh->material_parts = wf_alloc(a, looks, sizeof(int));
    mesh->material_of = wf_alloc(a, looks, sizeof(int));
    mesh->triangle_material = wf_alloc(a, corners, sizeof(int));
    return mesh->name && mesh->whole && mesh->triangles && mesh->lines && mesh->texture &&
           mesh->triangle_texture && mesh->parts && mesh->names && mesh->looks &&
           mesh->part_looks && mesh->material_names && mesh->materials && mesh->material_looks &&
           mesh->material_parts && mesh->material_of && mesh->triangle_material;
}

WeftResult weft_create_show_mesh(const WeftScene* scene, const WeftModel* model,
                                 const WeftShow* show, bool bodies, const WeftAllocator* allocator,
                                 WeftShowMesh** mesh, WeftError* error) {
    WeftAllocator own = wf_allocator(allocator);
    Source from = {show, model, bodies ? weft_body_count(model) : 0};
    WeftShowMesh* made = *mesh = wf_alloc(&own, 1, sizeof *made);
    if (!made) return wf_fail_memory(error);
    *made = (WeftShowMesh){.allocator = own, .scene = scene};
    count_all(made, &from);
    if (!allocate(made)) {
        weft_destroy_show_mesh(made);
        *mesh = NULL;
        return wf_fail_memory(error);
    }
    copy_triangles(made, &from);
    list_cloths(made, show);
    list_bodies(made, &from);
    list_texture(made, show);
    list_materials(made, show);
    weft_show_lines(show, made->lines);
    made->scene = NULL;
    return WEFT_OK;
}

void weft_destroy_show_mesh(WeftShowMesh* mesh) {
    if (!mesh) return;
    WeftAllocator a = mesh->allocator;
    void* blocks[] = {mesh->name,           mesh->whole,
                      mesh->triangles,      mesh->lines,
                      mesh->texture,        mesh->triangle_texture,
                      mesh->parts,          mesh->names,
                      mesh->looks,          mesh->part_looks,
                      mesh->material_names, (void*)mesh->materials,
                      mesh->material_looks, mesh->material_parts,
                      mesh->material_of,    mesh->triangle_material};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) wf_free(&a, blocks[i]);
    wf_free(&a, mesh);
}

WeftWriterDef weft_show_mesh_def(const WeftShowMesh* mesh) {
    WeftWriterDef def = weft_default_writer_def();
    def.name = mesh->name;
    def.vertex_count = mesh->vertex_count;
    def.triangle_count = mesh->triangle_count;
    def.triangles = mesh->triangles;
    def.parts = mesh->parts;
    def.part_count = mesh->part_count;
    def.line_count = mesh->line_count;
    def.lines = mesh->lines;
    def.texture = mesh->texture;
    def.texture_count = mesh->texture_count;
    def.triangle_texture = mesh->triangle_texture;
    def.material_count = mesh->material_count;
    def.materials = mesh->materials;
    def.triangle_material = mesh->triangle_material;
    def.part_looks = mesh->part_looks;
    def.material_looks = mesh->material_looks;
    return def;
}

// ---------------------------------------------------------------------------------------------

void weft_find_normals(int vertex_count, int triangle_count, const int* triangles,
                       const float* positions, float* normals) {
    const float* x = positions;
    memset(normals, 0, 3 * (size_t)vertex_count * sizeof(float));
    for (const int* v = triangles; v < triangles + 3 * (size_t)triangle_count; v += 3) {
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
