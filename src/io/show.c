// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "io/show.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"

// ---------------------------------------------------------------------------------------------
// Meshes

static void destroy_shown(const WeftShow* show, int cloth, WfShownMesh* shown) {
    if (!shown->borrowed)
        weft_destroy_mesh(&shown->mesh);
    else if (shown->mesh.material != show->scene->details[cloth].mesh.material)
        wf_free(&show->allocator, shown->mesh.material);
    weft_destroy_refinement(&shown->map);
}

// How far a render mesh is from the cloth that carries it, on average over its vertices.
static double mean_distance(const WeftMesh* coarse, const WfShownMesh* shown) {
    double sum = 0;
    for (int i = 0; i < shown->mesh.vertex_count; i++) {
        const int* v = shown->map.corners + 3 * (long)i;
        const double* w = shown->map.weights + 3 * (long)i;
        WfVec at = {0, 0, 0};
        double all = 0;
        for (int c = 0; c < 3; c++) {
            double within = fmax(w[c], 0);
            at = wf_madd(at, within, wf_load(coarse->positions, v[c]));
            all += within;
        }
        sum += wf_length(wf_sub(wf_load(shown->mesh.positions, i), wf_mul(1 / all, at)));
    }
    return sum / shown->mesh.vertex_count;
}

// The diagonal of the box around it.
static double size_of(const WeftMesh* mesh) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (long i = 0; i < 3L * mesh->vertex_count; i++) {
        low[i % 3] = fmin(low[i % 3], mesh->positions[i]);
        high[i % 3] = fmax(high[i % 3], mesh->positions[i]);
    }
    return wf_length(wf_sub(wf_load(high, 0), wf_load(low, 0)));
}

// Of the size of the cloth: render meshes that are further away on average were made for another
// pose, in other units, or for something else.
static const double BESIDE = 0.05;
static const double SAME_SIZE = 0.25;  // hems and thickness are more, half a cloth is less

// What to do about a mesh that has the size of the cloth in other units; "" where it has not.
static const char* unit_hint(double size, double cloth_size) {
    static const struct {
        double metres;
        const char* hint;
    } units[] = {
        {0.01, "; it seems to be in centimetres: \"scale\" it by 0.01 in its \"place\""},
        {0.001, "; it seems to be in millimetres: \"scale\" it by 0.001 in its \"place\""},
        {0.0254, "; it seems to be in inches: \"scale\" it by 0.0254 in its \"place\""},
    };
    for (int i = 0; i < 3; i++)
        if (fabs(units[i].metres * size - cloth_size) <= SAME_SIZE * cloth_size)
            return units[i].hint;
    return "";
}

static WeftResult check_fit(const WeftMesh* coarse, const WfShownMesh* shown, WeftError* error) {
    double away = mean_distance(coarse, shown), size = size_of(coarse);
    if (away <= BESIDE * size) return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_INPUT,
                   "the mesh that it is shown by is %.3g m from it on average: put it where the "
                   "cloth is when it starts, and that of a garment where this is once it is put "
                   "on%s",
                   away, unit_hint(size_of(&shown->mesh), size));
}

static WeftResult embed(const WeftShow* show, int cloth, const WeftMesh* textured,
                        WfShownMesh* shown, WeftError* error) {
    shown->mesh = show->scene->details[cloth].mesh;
    shown->borrowed = true;
    WeftResult result =
        weft_embed_mesh(textured, &shown->mesh, &show->allocator, &shown->map, error);
    if (!result) result = check_fit(textured, shown, error);
    if (result) return result;
    return wf_take_texture(&show->allocator, textured, shown) ? WEFT_OK : wf_fail_memory(error);
}

static WeftResult make_detail(WeftShow* show, int cloth, const WeftMesh* textured,
                              WfShownMesh* shown, WeftError* error) {
    const WeftSceneDetail* from = &show->scene->details[cloth];
    const WeftMesh* coarse = &show->scene->meshes[cloth];
    WeftDetail** detail = &show->cloths[cloth].detail;
    int parts = from->parts;
    WeftResult result = WEFT_OK;
    if (from->file) {
        result = weft_read_detail_file(from->file, coarse, &show->allocator, detail, error);
        if (result) return result;
        parts = weft_detail_parts(*detail);
    }
    show->cloths[cloth].embedded = parts == 0;
    if (parts > 0)
        result =
            weft_refine_mesh(textured, parts, &show->allocator, &shown->mesh, &shown->map, error);
    else
        result = embed(show, cloth, textured, shown, error);
    if (!result && !*detail)
        result = weft_create_detail(coarse, &shown->mesh, &shown->map, from->surface,
                                    &show->allocator, detail, error);
    if (!result && show->model)
        result = weft_create_keeper(show->model, *detail, show->cloths[cloth].coarse_vertex,
                                    &show->allocator, &show->cloths[cloth].keeper, error);
    return result == WEFT_ERROR_INPUT ? wf_fail_prefix(error, result, "cloth %d: ", cloth) : result;
}

static bool has_detail(const WeftSceneDetail* detail) {
    return detail->file || detail->parts > 0 || detail->mesh.vertex_count > 0;
}

static WeftResult make_cloth(WeftShow* show, int cloth, const WfSceneTexture* texture,
                             WfShownMesh* shown, WeftError* error) {
    const WeftMesh* coarse = &show->scene->meshes[cloth];
    *shown = (WfShownMesh){.map = {.allocator = show->allocator}};
    if (!has_detail(&show->scene->details[cloth])) {
        show->plain = true;
        return WEFT_OK;
    }
    if (wf_show_tears(show))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "cloth %d: a detail does not follow cloth that is torn: leave out "
                       "\"detail\", or the scene's \"cuts\" and \"tear_load\"",
                       cloth);
    WeftMesh textured = wf_textured_mesh(show, cloth, texture);
    if (coarse->material && !textured.material) return wf_fail_memory(error);
    WeftResult result = make_detail(show, cloth, &textured, shown, error);
    wf_free(&show->allocator, textured.material);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Arrays

// Where each cloth begins, in the model and in the show.
static void count_coarse(WeftShow* show) {
    for (int c = 0; c < show->cloth_count; c++) {
        const WeftMesh* mesh = &show->scene->meshes[c];
        WfShownCloth *own = &show->cloths[c], *next = own + 1;
        next->coarse_vertex = own->coarse_vertex + mesh->vertex_count;
        next->coarse_triangle = own->coarse_triangle + mesh->triangle_count;
        next->coarse_point = own->coarse_point + wf_texture_count(mesh);
    }
}

static void count_shown(WeftShow* show, const WfShownMesh* shown) {
    for (int c = 0; c < show->cloth_count; c++) {
        WfShownCloth *own = &show->cloths[c], *next = own + 1;
        const WeftMesh* mesh = own->detail ? &shown[c].mesh : &show->scene->meshes[c];
        next->vertex = own->vertex + mesh->vertex_count;
        next->triangle = own->triangle + mesh->triangle_count;
        next->point = own->point + wf_texture_count(mesh);
    }
}

static bool allocate(WeftShow* show) {
    const WeftAllocator* a = &show->allocator;
    const WfShownCloth* end = &show->cloths[show->cloth_count];
    size_t vertices = (size_t)end->vertex, triangles = (size_t)end->triangle;
    size_t plain = show->plain ? (size_t)end->coarse_vertex : 0;
    show->triangles = wf_alloc(a, 3 * triangles, sizeof(int));
    show->parts = wf_alloc(a, triangles, sizeof(int));
    show->corners = wf_alloc(a, 3 * vertices, sizeof(int));
    show->weights = wf_alloc(a, 3 * vertices, sizeof(double));
    show->positions = wf_alloc(a, 3 * vertices, sizeof(double));
    show->texture = wf_alloc(a, 2 * (size_t)end->point, sizeof(float));
    show->triangle_texture = wf_alloc(a, 3 * triangles, sizeof(int));
    show->floats = wf_alloc(a, 3 * plain, sizeof(float));
    show->normals = wf_alloc(a, 3 * plain, sizeof(float));
    return show->triangles && show->parts && show->corners && show->weights && show->positions &&
           show->texture && show->triangle_texture && show->floats && show->normals;
}

static void fill_cloth(WeftShow* show, int cloth, const WfShownMesh* shown) {
    const WfShownCloth* own = &show->cloths[cloth];
    const WeftMesh* mesh = own->detail ? &shown->mesh : &show->scene->meshes[cloth];
    for (long i = 0; i < mesh->vertex_count; i++)
        for (long k = 0; k < 3; k++) {
            long at = 3 * (own->vertex + i) + k;
            long corner = own->detail ? shown->map.corners[3 * i + k] : i;
            show->corners[at] = own->coarse_vertex + (int)corner;
            show->weights[at] = own->detail ? shown->map.weights[3 * i + k] : k == 0;
            show->positions[at] = mesh->positions[3 * i + k];
        }
    for (long t = 0; t < mesh->triangle_count; t++) {
        long part = own->detail ? shown->map.triangles[t] : t;
        show->parts[own->triangle + t] = own->coarse_triangle + (int)part;
        for (long k = 0; k < 3; k++)
            show->triangles[3 * (own->triangle + t) + k] = own->vertex + mesh->triangles[3 * t + k];
    }
}

// ---------------------------------------------------------------------------------------------
// Life

static WeftResult fill(WeftShow* show, const WfSceneTexture* texture, WfShownMesh* shown,
                       WeftError* error) {
    WeftResult result = WEFT_OK;
    for (int c = 0; c < show->cloth_count && !result; c++)
        result = make_cloth(show, c, texture, &shown[c], error);
    if (result) return result;
    count_shown(show, shown);
    if (!allocate(show)) return wf_fail_memory(error);
    for (int c = 0; c < show->cloth_count; c++) {
        fill_cloth(show, c, &shown[c]);
        wf_fill_texture(show, c, &shown[c], texture);
    }
    return WEFT_OK;
}

static WeftResult make_show(WeftShow* show, WeftError* error) {
    const WeftAllocator* a = &show->allocator;
    size_t count = (size_t)show->cloth_count;
    size_t points = (size_t)weft_scene_material(show->scene, NULL, NULL);
    show->cloths = wf_alloc(a, count + 1, sizeof *show->cloths);
    if (!show->cloths) return wf_fail_memory(error);
    count_coarse(show);
    size_t corners = 3 * (size_t)show->cloths[count].coarse_triangle;
    WfShownMesh* shown = wf_alloc(a, count, sizeof *shown);
    WfSceneTexture texture = {wf_alloc(a, 2 * points, sizeof(float)),
                              wf_alloc(a, corners, sizeof(int))};
    WeftResult result = WEFT_ERROR_MEMORY;
    if (shown && texture.points && texture.corners) {
        weft_scene_material(show->scene, texture.points, texture.corners);
        result = fill(show, &texture, shown, error);
        for (size_t c = 0; c < count; c++) destroy_shown(show, (int)c, &shown[c]);
    } else {
        wf_fail_memory(error);
    }
    wf_free(a, shown);
    wf_free(a, texture.points);
    wf_free(a, texture.corners);
    return result;
}

WeftResult weft_create_show(const WeftScene* scene, const WeftModel* model,
                            const WeftAllocator* allocator, WeftShow** show, WeftError* error) {
    WeftAllocator own = wf_allocator(allocator);
    *show = NULL;
    WeftShow* made = wf_alloc(&own, 1, sizeof *made);
    if (!made) return wf_fail_memory(error);
    *made = (WeftShow){
        .allocator = own, .scene = scene, .model = model, .cloth_count = scene->model.cloth_count};
    WeftResult result = make_show(made, error);
    if (result) {
        weft_destroy_show(made);
        return result;
    }
    *show = made;
    return WEFT_OK;
}

void weft_destroy_show(WeftShow* show) {
    if (!show) return;
    WeftAllocator a = show->allocator;
    for (int c = 0; c < show->cloth_count && show->cloths; c++) {
        weft_destroy_keeper(show->cloths[c].keeper);
        weft_destroy_detail(show->cloths[c].detail);
    }
    wf_free(&a, show->cloths);
    wf_free(&a, show->triangles);
    wf_free(&a, show->parts);
    wf_free(&a, show->corners);
    wf_free(&a, show->weights);
    wf_free(&a, show->positions);
    wf_free(&a, show->texture);
    wf_free(&a, show->triangle_texture);
    wf_free(&a, show->floats);
    wf_free(&a, show->normals);
    wf_free(&a, show);
}

// ---------------------------------------------------------------------------------------------
// What it is

int weft_show_vertex_count(const WeftShow* show) { return show->cloths[show->cloth_count].vertex; }
int weft_show_triangle_count(const WeftShow* show) {
    return show->cloths[show->cloth_count].triangle;
}
const int* weft_show_triangles(const WeftShow* show) { return show->triangles; }
int weft_show_first_vertex(const WeftShow* show, int cloth) { return show->cloths[cloth].vertex; }
int weft_show_first_triangle(const WeftShow* show, int cloth) {
    return show->cloths[cloth].triangle;
}
const WeftDetail* weft_show_detail(const WeftShow* show, int cloth) {
    return show->cloths[cloth].detail;
}
const int* weft_show_corners(const WeftShow* show) { return show->corners; }
const double* weft_show_weights(const WeftShow* show) { return show->weights; }
const int* weft_show_parts(const WeftShow* show) { return show->parts; }
const double* weft_show_positions(const WeftShow* show) { return show->positions; }

// ---------------------------------------------------------------------------------------------
// Frames

static void show_detail(const WeftShow* show, const WfShownCloth* own, const WeftState* state,
                        const WeftJobs* jobs, float* positions, float* normals) {
    size_t coarse = 3 * (size_t)own->coarse_vertex, first = 3 * (size_t)own->vertex;
    double* to = show->positions + first;
    WeftDetailFrame frame = {.positions = weft_positions(state) + coarse,
                             .velocities = weft_velocities(state) + coarse,
                             .time = weft_time(state)};
    wf_show_gravity(show->scene, state, frame.gravity);
    weft_apply_detail(own->detail, &frame, jobs, to);
    weft_keep_outside(own->keeper, state, jobs, to);
    weft_copy_detail(own->detail, to, jobs, positions ? positions + first : NULL,
                     normals ? normals + first : NULL);
}

static void show_plain(const WeftShow* show, const WfShownCloth* own, const WeftState* state,
                       float* positions, float* normals) {
    size_t coarse = 3 * (size_t)own->coarse_vertex, first = 3 * (size_t)own->vertex;
    size_t count = 3 * (size_t)(own[1].vertex - own->vertex);
    memcpy(show->positions + first, weft_positions(state) + coarse, count * sizeof(double));
    if (positions) memcpy(positions + first, show->floats + coarse, count * sizeof(float));
    if (normals) memcpy(normals + first, show->normals + coarse, count * sizeof(float));
}

void weft_show_frame(WeftShow* show, const WeftState* state, const WeftJobs* jobs, float* positions,
                     float* normals) {
    wf_assert(show->model);
    wf_assert(weft_vertex_count(weft_state_model(state)) ==
              show->cloths[show->cloth_count].coarse_vertex);
    if (show->plain && (positions || normals)) weft_copy_floats(state, show->floats, show->normals);
    for (int c = 0; c < show->cloth_count; c++) {
        const WfShownCloth* own = &show->cloths[c];
        if (own->detail)
            show_detail(show, own, state, jobs, positions, normals);
        else
            show_plain(show, own, state, positions, normals);
    }
    wf_show_in_world(show, state, positions, normals);
}
