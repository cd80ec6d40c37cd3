// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "shown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play.h"

// Of every edge, where learned detail does not fit: fine enough to look smooth, and cheap for
// meshes of any size.
enum { SMOOTH_PARTS = 2 };

static bool out_of_memory(WeftError* error) {
    snprintf(error->message, sizeof error->message, "out of memory");
    return false;
}

static void free_arrays(Shown* shown) {
    void* blocks[] = {shown->vertices, shown->marks,   shown->positions,      shown->normals,
                      shown->field,    shown->texture, shown->corner_texture, shown->values,
                      shown->pinned,   shown->lines,   shown->looks,          shown->panels};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

void free_shown(Shown* shown) {
    weft_destroy_show(shown->show);
    if (shown->instead) free(shown->instead->details);
    free(shown->instead);
    free_arrays(shown);
}

// ---------------------------------------------------------------------------------------------
// Details

// The same scene with details of its own; all else is borrowed.
static WeftScene* borrow_scene(const WeftScene* scene) {
    WeftScene* copy = malloc(sizeof *copy);
    size_t count = (size_t)scene->model.cloth_count;
    if (!copy) return NULL;
    *copy = *scene;
    copy->details = calloc(count + 1, sizeof *copy->details);
    if (copy->details) memcpy(copy->details, scene->details, count * sizeof *copy->details);
    if (copy->details) return copy;
    free(copy);
    return NULL;
}

// Smooth in the place of what is learned.
static void smooth_learned(WeftScene* scene) {
    for (int c = 0; c < scene->model.cloth_count; c++)
        if (scene->details[c].file)
            scene->details[c] =
                (WeftSceneDetail){.parts = SMOOTH_PARTS, .surface = WEFT_SURFACE_SMOOTH};
}

static void clear_details(WeftScene* scene) {
    memset(scene->details, 0, (size_t)scene->model.cloth_count * sizeof *scene->details);
}

static void tell(Shown* shown, const char* why, const char* instead) {
    snprintf(shown->note, sizeof shown->note, "no detail, the cloth is shown %s: %s", instead, why);
}

static bool show_instead(const WeftScene* scene, const WeftModel* model, Shown* shown,
                         WeftError* error) {
    WeftError why = *error;
    shown->instead = borrow_scene(scene);
    if (!shown->instead) return out_of_memory(error);
    smooth_learned(shown->instead);
    tell(shown, why.message, "smooth");
    if (!weft_create_show(shown->instead, model, NULL, &shown->show, error)) return true;
    clear_details(shown->instead);
    tell(shown, why.message, "as it is simulated");
    return !weft_create_show(shown->instead, model, NULL, &shown->show, error);
}

static bool make_show(const WeftScene* scene, const WeftModel* model, Shown* shown,
                      WeftError* error) {
    WeftResult result = weft_create_show(scene, model, NULL, &shown->show, error);
    if (!result || result == WEFT_ERROR_MEMORY) return !result;
    return show_instead(scene, model, shown, error);
}

static bool same_mesh(const WeftMesh* a, const WeftMesh* b) {
    size_t n = (size_t)a->vertex_count, m = (size_t)a->triangle_count;
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           (n == 0 || memcmp(a->positions, b->positions, 3 * n * sizeof(double)) == 0) &&
           (m == 0 || memcmp(a->triangles, b->triangles, 3 * m * sizeof(int)) == 0);
}

static bool same_detail(const WeftSceneDetail* a, const WeftSceneDetail* b) {
    const char *file = a->file ? a->file : "", *other = b->file ? b->file : "";
    return strcmp(file, other) == 0 && a->parts == b->parts && a->surface == b->surface &&
           same_mesh(&a->mesh, &b->mesh);
}

bool same_shown(const WeftScene* a, const WeftScene* b) {
    if (a->model.cloth_count != b->model.cloth_count) return false;
    for (int c = 0; c < a->model.cloth_count; c++)
        if (!same_detail(&a->details[c], &b->details[c])) return false;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Which vertices are seen where

static int largest_of(const double weights[3]) {
    int k = weights[1] > weights[0] ? 1 : 0;
    return weights[2] > weights[k] ? 2 : k;
}

// The weight of a model's vertex in the shown one that is its mark.
static double mark_weight(const Shown* shown, int vertex) {
    const int* corners = weft_show_corners(shown->show) + 3 * (size_t)shown->marks[vertex];
    const double* weights = weft_show_weights(shown->show) + 3 * (size_t)shown->marks[vertex];
    return weights[corners[1] == vertex ? 1 : corners[2] == vertex ? 2 : 0];
}

static void pair_vertices(Shown* shown) {
    for (int i = 0; i < shown->model_count; i++) shown->marks[i] = -1;
    for (int i = 0; i < shown->vertex_count; i++) {
        const double* weights = weft_show_weights(shown->show) + 3 * (size_t)i;
        int k = largest_of(weights);
        int vertex = weft_show_corners(shown->show)[3 * (size_t)i + (size_t)k];
        shown->vertices[i] = vertex;
        if (shown->marks[vertex] < 0 || weights[k] > mark_weight(shown, vertex))
            shown->marks[vertex] = i;
    }
}

// What a shown vertex has of numbers that the vertices of the model have, `width` each.
static void mix(const Shown* shown, const float* values, int width, float* mixed) {
    const int* corners = weft_show_corners(shown->show);
    const double* weights = weft_show_weights(shown->show);
    for (size_t i = 0; i < (size_t)shown->vertex_count; i++)
        for (int k = 0; k < width; k++) {
            double sum = 0;
            for (size_t c = 3 * i; c < 3 * i + 3; c++)
                sum += weights[c] * (double)values[width * corners[c] + k];
            mixed[(size_t)width * i + (size_t)k] = (float)sum;
        }
}

// ---------------------------------------------------------------------------------------------
// Texture coordinates

static bool is_worn(const WeftScene* scene, int cloth) {
    for (int w = 0; w < scene->wear_count; w++)
        if (scene->wears[w].cloth == cloth) return true;
    return false;
}

// Garments have their warp along v on the cutting table; other cloth is turned to have it so, too.
static void lay_cloth(const WeftScene* scene, Shown* shown, int cloth, const float* points,
                      const int* of_corner) {
    bool worn = is_worn(scene, cloth);
    int end = 3 * weft_show_first_triangle(shown->show, cloth + 1);
    for (int i = 3 * weft_show_first_triangle(shown->show, cloth); i < end; i++) {
        const float* point = points + 2 * (size_t)of_corner[i];
        shown->corner_texture[2 * (size_t)i] = worn ? point[0] : -point[1];
        shown->corner_texture[2 * (size_t)i + 1] = worn ? point[1] : point[0];
    }
}

static bool lay_corners(const WeftScene* scene, Shown* shown, WeftError* error) {
    size_t corners = 3 * (size_t)shown->triangle_count;
    if (scene->wear_count == 0) return true;
    size_t point_count = (size_t)weft_show_material(shown->show, NULL, NULL);
    float* points = calloc(2 * point_count + 1, sizeof(float));
    int* of_corner = calloc(corners + 1, sizeof(int));
    shown->corner_texture = calloc(2 * corners + 1, sizeof(float));
    bool good = points && of_corner && shown->corner_texture;
    if (good) weft_show_material(shown->show, points, of_corner);
    for (int c = 0; c < scene->model.cloth_count && good; c++)
        lay_cloth(scene, shown, c, points, of_corner);
    free(points);
    free(of_corner);
    return good || out_of_memory(error);
}

// Vertices that were split have what they were split from. state: NULL, none is.
static bool lay_vertices(const WeftScene* scene, const WeftState* state, Shown* shown,
                         WeftError* error) {
    size_t count = (size_t)shown->model_count;  // no fewer than the scene has
    float *whole = calloc(2 * count + 1, sizeof(float)),
          *texture = calloc(2 * count + 1, sizeof(float));
    bool good = whole && texture;
    if (good) weft_scene_texture(scene, whole);
    for (size_t i = 0; i < count && good; i++) {
        int from = state ? weft_torn_from(state, (int)i) : (int)i;
        memcpy(texture + 2 * i, whole + 2 * (size_t)from, 2 * sizeof(float));
    }
    if (good) mix(shown, texture, 2, shown->texture);
    free(whole);
    free(texture);
    return good || out_of_memory(error);
}

static unsigned char to_byte(int number) { return (unsigned char)(number < 255 ? number : 255); }

static bool lay_looks(Shown* shown, WeftError* error) {
    size_t count = (size_t)shown->triangle_count;
    int* numbers = calloc(count + 1, sizeof *numbers);
    shown->looks = calloc(count + 1, 1);
    shown->panels = calloc(count + 1, 1);
    bool good = numbers && shown->looks && shown->panels;
    if (good) weft_show_triangle_looks(shown->show, numbers);
    for (size_t t = 0; t < count && good; t++) shown->looks[t] = to_byte(numbers[t]);
    if (good) weft_show_triangle_panels(shown->show, numbers);
    for (size_t t = 0; t < count && good; t++)
        shown->panels[t] = numbers[t] < 0 ? 255 : to_byte(numbers[t]);
    free(numbers);
    return good || out_of_memory(error);
}

// ---------------------------------------------------------------------------------------------
// Making and drawing

static bool allocate(Shown* shown, WeftError* error) {
    size_t n = (size_t)shown->vertex_count, m = (size_t)shown->model_count;
    shown->vertices = calloc(n + 1, sizeof(int));
    shown->marks = calloc(m + 1, sizeof(int));
    shown->positions = calloc(3 * n + 1, sizeof(float));
    shown->normals = calloc(3 * n + 1, sizeof(float));
    shown->field = calloc(n + 1, sizeof(float));
    shown->texture = calloc(2 * n + 1, sizeof(float));
    shown->values = calloc(m + 1, sizeof(float));
    shown->pinned = calloc(n + 1, 1);
    shown->lines = calloc(2 * (size_t)shown->line_count + 1, sizeof(int));
    bool good = shown->vertices && shown->marks && shown->positions && shown->normals &&
                shown->field && shown->texture && shown->values && shown->pinned && shown->lines;
    return good || out_of_memory(error);
}

// All arrays, for what the show has now.
static bool make_arrays(const WeftScene* scene, const WeftModel* model, const WeftState* state,
                        Shown* shown, WeftError* error) {
    shown->model_count = weft_vertex_count(model);
    shown->vertex_count = weft_show_vertex_count(shown->show);
    shown->triangle_count = weft_show_triangle_count(shown->show);
    shown->line_count = weft_show_lines(shown->show, NULL);
    if (!allocate(shown, error)) return false;
    weft_show_lines(shown->show, shown->lines);
    pair_vertices(shown);
    return lay_vertices(scene, state, shown, error) && lay_corners(scene, shown, error) &&
           lay_looks(shown, error);
}

bool make_shown(const WeftScene* scene, const WeftModel* model, Shown* shown, WeftError* error) {
    return make_show(scene, model, shown, error) && make_arrays(scene, model, NULL, shown, error);
}

static bool has_detail(const WeftScene* scene) {
    for (int c = 0; c < scene->model.cloth_count; c++) {
        const WeftSceneDetail* detail = &scene->details[c];
        if (detail->file || detail->parts > 0 || detail->mesh.vertex_count > 0) return true;
    }
    return false;
}

// No detail follows cloth that comes apart.
static bool show_plain(const WeftScene* scene, const WeftModel* model, Shown* shown,
                       WeftError* error) {
    if (!has_detail(shown->instead ? shown->instead : scene)) return true;
    if (!shown->instead) shown->instead = borrow_scene(scene);
    if (!shown->instead) return out_of_memory(error);
    clear_details(shown->instead);
    tell(shown, "it is cut", "as it is simulated");
    WeftShow* show = NULL;
    if (weft_create_show(shown->instead, model, NULL, &show, error)) return false;
    weft_destroy_show(shown->show);
    shown->show = show;
    return true;
}

bool update_shown(const WeftScene* scene, const WeftModel* model, const WeftState* state,
                  Shown* shown, WeftError* error) {
    if (!show_plain(scene, model, shown, error)) return false;
    if (weft_update_show(shown->show, state, error)) return false;
    Shown fresh = {.show = shown->show, .instead = shown->instead, .seconds = shown->seconds};
    memcpy(fresh.note, shown->note, sizeof fresh.note);
    bool good = make_arrays(scene, weft_state_model(state), state, &fresh, error);
    free_arrays(good ? shown : &fresh);
    if (good) *shown = fresh;
    return good;
}

// Not where memory was short for vertices that were split.
static bool is_up_to_date(const Shown* shown, const WeftState* state) {
    return shown->model_count == weft_vertex_count(weft_state_model(state)) &&
           shown->vertex_count == weft_show_vertex_count(shown->show);
}

static void mark_pins(Shown* shown, const WeftState* state) {
    memset(shown->pinned, 0, (size_t)shown->vertex_count);
    for (int i = 0; i < shown->model_count; i++)
        if (shown->marks[i] >= 0 && weft_is_pinned(state, i)) shown->pinned[shown->marks[i]] = 1;
}

bool draw_shown(Shown* shown, const WeftState* state, int field) {
    double start = play_now();
    if (!is_up_to_date(shown, state)) return false;
    weft_show_frame(shown->show, state, NULL, shown->positions, shown->normals);
    shown->seconds = play_now() - start;
    mark_pins(shown, state);
    if (field < 0) return true;
    if (weft_copy_field(state, (WeftField)field, shown->values)) return false;
    mix(shown, shown->values, 1, shown->field);
    return true;
}

int find_shown(Shown* shown, const WeftState* state, int vertex, double place[3]) {
    if (vertex < 0 || vertex >= shown->vertex_count || !is_up_to_date(shown, state)) return -1;
    weft_show_frame(shown->show, state, NULL, NULL, NULL);
    memcpy(place, weft_show_positions(shown->show) + 3 * (size_t)vertex, 3 * sizeof(double));
    return shown->vertices[vertex];
}
