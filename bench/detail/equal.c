// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "equal.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 5, TRIED_STEPS = 40 };
static const double FINEST = 0.6;  // of the edge: nobody got there

// ---------------------------------------------------------------------------------------------
// Where dense vertices lie in another mesh of the same cloth: by their places in the flat shape.
// Garments that are put on with other edges lie elsewhere by millimetres, and their folds by more.

typedef struct Flat {
    int count;             // of material points
    double* places;        // 3 per point, the last one 0
    int* triangle_points;  // 3 per triangle
    int* vertices;         // per point
} Flat;

static Flat flatten(const WeftScene* scene) {
    const WeftMesh* mesh = &scene->meshes[0];
    Flat flat = {.triangle_points = need(3 * (size_t)mesh->triangle_count, sizeof(int))};
    flat.count = weft_scene_material(scene, NULL, NULL);
    float* texture = need(2 * (size_t)flat.count, sizeof *texture);
    weft_scene_material(scene, texture, flat.triangle_points);
    flat.places = need(3 * (size_t)flat.count, sizeof(double));
    flat.vertices = need((size_t)flat.count, sizeof(int));
    for (long i = 0; i < flat.count; i++)
        for (int k = 0; k < 2; k++) flat.places[3 * i + k] = (double)texture[2 * i + k];
    for (long c = 0; c < 3L * mesh->triangle_count; c++)
        flat.vertices[flat.triangle_points[c]] = mesh->triangles[c];
    free(texture);
    return flat;
}

static void destroy_flat(Flat* flat) {
    free(flat->places);
    free(flat->triangle_points);
    free(flat->vertices);
}

// Of the dense vertices: one of its places, where it has several.
static double* dense_places(const Dense* dense) {
    const WeftMesh* coarse = &dense->stage->scene->meshes[0];
    Flat flat = flatten(dense->stage->scene);
    double* places = need(3 * (size_t)dense->mesh.vertex_count, sizeof *places);
    for (long c = 0; c < 3L * dense->mesh.triangle_count; c++) {
        long vertex = dense->mesh.triangles[c], from = 3L * dense->map.triangles[c / 3];
        double* place = places + 3 * vertex;
        memset(place, 0, 3 * sizeof *place);
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++) {
                if (dense->map.corners[3 * vertex + k] != coarse->triangles[from + j]) continue;
                const double* corner = flat.places + 3L * flat.triangle_points[from + j];
                double part = dense->map.weights[3 * vertex + k];
                for (int d = 0; d < 2; d++) place[d] += part * corner[d];
            }
    }
    destroy_flat(&flat);
    return places;
}

static WeftResult embed(const Dense* dense, const WeftScene* scene, WeftRefinement* map,
                        WeftError* error) {
    Flat flat = flatten(scene);
    WeftMesh coarse = {.vertex_count = flat.count,
                       .positions = flat.places,
                       .triangle_count = scene->meshes[0].triangle_count,
                       .triangles = flat.triangle_points};
    WeftMesh shown = dense->mesh;
    shown.positions = dense_places(dense);
    WeftResult result = weft_embed_mesh(&coarse, &shown, NULL, map, error);
    for (long k = 0; k < 3L * map->vertex_count && !result; k++)
        map->corners[k] = flat.vertices[map->corners[k]];
    // all is flat: what heights there are is rounding
    if (!result && map->heights) map->allocator.release(map->allocator.user, map->heights);
    map->heights = NULL;
    free(shown.positions);
    destroy_flat(&flat);
    return result;
}

// ---------------------------------------------------------------------------------------------

static int open_ways(Equal* equal, const Dense* dense) {
    static const char* const names[] = {"same time, flat", "same time, smooth"};
    const WeftMesh* mesh = &equal->stage.scene->meshes[0];
    WeftRefinement map = {0};
    WeftError error = {0};
    WeftResult result = embed(dense, equal->stage.scene, &map, &error);
    for (int k = 0; k < 2 && !result; k++) {
        WeftDetailSurface surface = k ? WEFT_SURFACE_SMOOTH : WEFT_SURFACE_FLAT;
        result =
            weft_create_detail(mesh, &dense->mesh, &map, surface, NULL, &equal->details[k], &error);
        if (!result) open_way(&equal->ways[k], names[k], equal->details[k], NULL);
    }
    weft_destroy_refinement(&map);
    return result ? complain(EXIT_FAILED, "%s", error.message) : EXIT_GOOD;
}

static void forget_run(Equal* equal) {
    for (int k = 0; k < 2; k++) end_way(&equal->ways[k]);
    weft_destroy_state(equal->state);
    weft_destroy_model(equal->model);
    equal->state = NULL, equal->model = NULL;
}

void close_equal(Equal* equal) {
    forget_run(equal);
    for (int k = 0; k < 2; k++) {
        close_way(&equal->ways[k]);
        weft_destroy_detail(equal->details[k]);
    }
    close_stage(&equal->stage);
    *equal = (Equal){0};
}

int restart_equal(Equal* equal, const Motion* motion) {
    WeftError error = {0};
    forget_run(equal);
    int code = set_motion(&equal->stage, motion, 1);
    if (code) return code;
    equal->vertices = equal->stage.scene->meshes[0].vertex_count;
    if (weft_create_model(&equal->stage.scene->model, &equal->model, &error) ||
        weft_create_state(equal->model, &equal->state, &error) ||
        begin_way(&equal->ways[0], equal->model, NULL, &error) ||
        begin_way(&equal->ways[1], equal->model, NULL, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    return EXIT_GOOD;
}

static int show_step(Equal* equal, Way* ways, int count, bool looks) {
    const WeftScene* scene = equal->stage.scene;
    WeftStepDef step = scene->model.step;
    WeftError error = {0};
    double start = thread_time(NULL);
    weft_direct_scene(scene, equal->state, &step);
    if (weft_step(equal->state, &step))
        return complain(EXIT_FAILED, "%s", weft_state_error(equal->state)->message);
    Simulated simulated = {.model = equal->model,
                           .state = equal->state,
                           .frame = {.positions = weft_positions(equal->state),
                                     .velocities = weft_velocities(equal->state),
                                     .time = weft_time(equal->state)},
                           .seconds = thread_time(NULL) - start};
    memcpy(simulated.frame.gravity, step.gravity, sizeof simulated.frame.gravity);
    for (int k = 0; k < count; k++)
        if (show_way(&ways[k], &simulated, looks, &error))
            return complain(EXIT_FAILED, "%s", error.message);
    return EXIT_GOOD;
}

int step_equal(Equal* equal, bool looks) { return show_step(equal, equal->ways, 2, looks); }

static int open_equal(const Dense* dense, double edge, const Motion* motion, Equal* equal) {
    *equal = (Equal){.stage = *dense->stage};
    equal->stage.scene = NULL;
    equal->stage.edge = edge;
    int code = set_motion(&equal->stage, motion, 1);
    if (!code) code = open_ways(equal, dense);
    return code;
}

// The median of some frames of one way.
static int time_equal(Equal* equal, const Motion* motion, Way* way, double* seconds) {
    WeftError error = {0};
    int code = restart_equal(equal, motion);
    if (!code && begin_way(way, equal->model, NULL, &error))
        code = complain(EXIT_FAILED, "%s", error.message);
    way->times.count = 0;
    for (int i = 0; i < TRIED_STEPS && !code; i++) code = show_step(equal, way, 1, false);
    *seconds = median_time(&way->times);
    return code;
}

// Half of the range of edges is left after each try.
int find_equal(const Dense* dense, const Motion* motion, const WeftDetail* learned, Equal* equal) {
    double good = dense->stage->edge, bad = FINEST * good, most = 0, seconds = 0;
    Way way;
    open_way(&way, "learned", learned, NULL);
    int code = open_equal(dense, good, motion, equal);
    if (!code) code = time_equal(equal, motion, &way, &most);
    close_way(&way);
    for (int i = 0; i < TRIES && !code; i++) {
        Equal finer = {0};
        double edge = (good + bad) / 2;
        show_progress("%s: what else the time would pay for, edges of %.1f mm",
                      stage_name(dense->stage->kind), 1000 * edge);
        code = open_equal(dense, edge, motion, &finer);
        if (!code) code = time_equal(&finer, motion, &finer.ways[0], &seconds);
        if (code || seconds > most) {
            close_equal(&finer);
            bad = edge;
        } else {
            close_equal(equal);
            *equal = finer;
            good = edge;
        }
    }
    return code;
}
