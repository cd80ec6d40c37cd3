// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The vertices of the refined cloth come where those of the cloth were; those of cloths behind it
// move up. A dense vertex has of a coarse one what its weights say, and corners without weight do
// not count: on an edge there are two, on a vertex is one.

#include "io/scene_refine.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"

// Corners of dense vertex i of the model that have a weight; returns how many.
static int list_corners(const WfRefinedScene* refined, int i, int corners[3]) {
    int count = 0;
    for (int k = 0; k < 3; k++)
        if (refined->map.weights[3 * (long)i + k] != 0)
            corners[count++] = refined->map.corners[3 * (long)i + k];
    return count;
}

void wf_refined_mix(const WfRefinedScene* refined, const double* coarse, int i, double mixed[3]) {
    const int* v = refined->map.corners + 3 * (long)i;
    const double* w = refined->map.weights + 3 * (long)i;
    WfVec sum = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        if (w[k] != 0) sum = wf_madd(sum, w[k], wf_load(coarse, v[k]));
    wf_store(mixed, 0, sum);
}

// ---------------------------------------------------------------------------------------------
// Vertices of the model

static bool allocate_map(WeftRefinement* map, int vertex_count) {
    map->vertex_count = vertex_count;
    map->corners = wf_alloc(&map->allocator, 3 * (size_t)vertex_count, sizeof(int));
    map->weights = wf_alloc(&map->allocator, 3 * (size_t)vertex_count, sizeof(double));
    return map->corners && map->weights;
}

// From the cloth to the model: all other vertices are themselves.
static WeftResult widen_map(WfRefinedScene* refined, const WeftRefinement* own) {
    const WeftScene* scene = refined->scene;
    int coarse = scene->meshes[refined->cloth].vertex_count, total = 0;
    for (int c = 0; c < scene->model.cloth_count; c++) total += scene->meshes[c].vertex_count;
    int first = refined->first, dense = own->vertex_count;
    WeftRefinement* map = &refined->map;
    if (!allocate_map(map, total - coarse + dense)) return WEFT_ERROR_MEMORY;
    for (int i = 0; i < map->vertex_count; i++) {
        bool mine = i >= first && i < first + dense;
        for (int k = 0; k < 3; k++) {
            long at = 3 * (long)(i - first) + k;
            map->corners[3 * (long)i + k] = mine        ? first + own->corners[at]
                                            : i < first ? i
                                                        : i - dense + coarse;
            map->weights[3 * (long)i + k] = mine ? own->weights[at] : k == 0;
        }
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Pins and holds

static bool same_pin(const WeftScenePin* a, const WeftScenePin* b) {
    return a->from == b->from && a->until == b->until && a->motion == b->motion &&
           a->mirrored == b->mirrored;
}

static bool has_pin(const WeftScene* scene, int first, int vertex, const WeftScenePin* pin) {
    for (int i = first; i < scene->pin_count && scene->pins[i].vertex == vertex; i++)
        if (same_pin(&scene->pins[i], pin)) return true;
    return false;
}

// Pins that all corners of a dense vertex have; into `pins`, where that is not NULL. `starts`: the
// first pin of each coarse vertex. Returns how many there are.
static int mix_pins(const WfRefinedScene* refined, const int* starts, WeftScenePin* pins) {
    const WeftScene* scene = refined->scene;
    int count = 0;
    for (int i = 0; i < refined->map.vertex_count; i++) {
        int corners[3], corner_count = list_corners(refined, i, corners);
        for (int p = starts[corners[0]];
             p < scene->pin_count && scene->pins[p].vertex == corners[0]; p++) {
            bool all = true;
            for (int k = 1; k < corner_count; k++)
                all = all && has_pin(scene, starts[corners[k]], corners[k], &scene->pins[p]);
            if (!all) continue;
            if (pins) {
                pins[count] = scene->pins[p];
                pins[count].vertex = i;
            }
            count++;
        }
    }
    return count;
}

static WeftResult refine_pins(WfRefinedScene* refined, int coarse_count) {
    const WeftScene* scene = refined->scene;
    int* starts = wf_alloc(&refined->allocator, (size_t)coarse_count, sizeof *starts);
    if (!starts) return WEFT_ERROR_MEMORY;
    for (int v = 0, p = 0; v < coarse_count; v++) {
        while (p < scene->pin_count && scene->pins[p].vertex < v) p++;
        starts[v] = p;
    }
    refined->pin_count = mix_pins(refined, starts, NULL);
    refined->pins =
        wf_alloc(&refined->allocator, (size_t)refined->pin_count, sizeof *refined->pins);
    if (refined->pins) mix_pins(refined, starts, refined->pins);
    wf_free(&refined->allocator, starts);
    return refined->pins ? WEFT_OK : WEFT_ERROR_MEMORY;
}

// Dense vertices of which all corners are marked; into `list`, where that is not NULL.
static int list_between(const WfRefinedScene* refined, const bool* marked, int* list) {
    int count = 0;
    for (int i = 0; i < refined->mesh.vertex_count; i++) {
        int corners[3], corner_count = list_corners(refined, refined->first + i, corners);
        bool all = true;
        for (int k = 0; k < corner_count; k++) all = all && marked[corners[k] - refined->first];
        if (all && list) list[count] = i;
        count += all;
    }
    return count;
}

// Vertices of the coarse cloth, marked: those that are held.
static void mark_holds(const WfRefinedScene* refined, bool* marked) {
    const WeftScene* scene = refined->scene;
    memset(marked, 0, (size_t)scene->meshes[refined->cloth].vertex_count);
    for (int w = 0; w < scene->wear_count; w++)
        for (int i = 0; i < scene->wears[w].hold_count; i++)
            if (scene->wears[w].cloth == refined->cloth)
                marked[scene->wears[w].holds[i].vertex] = true;
}

static WeftResult refine_holds(WfRefinedScene* refined, bool* marked) {
    mark_holds(refined, marked);
    refined->hold_count = list_between(refined, marked, NULL);
    refined->holds = wf_alloc(&refined->allocator, (size_t)refined->hold_count, sizeof(int));
    if (!refined->holds) return WEFT_ERROR_MEMORY;
    list_between(refined, marked, refined->holds);
    for (int i = 0; i < refined->hold_count; i++) refined->holds[i] += refined->first;
    return WEFT_OK;
}

// What is pinned from the start belongs to the cloth: by pins, then by holds.
static WeftResult refine_cloth_pins(WfRefinedScene* refined, WeftClothDef* cloth) {
    int first = refined->first, end = first + refined->mesh.vertex_count, count = 0;
    size_t room = (size_t)refined->pin_count + (size_t)refined->hold_count;
    refined->cloth_pins = wf_alloc(&refined->allocator, room, sizeof(int));
    if (!refined->cloth_pins) return WEFT_ERROR_MEMORY;
    for (int p = 0; p < refined->pin_count; p++) {
        int v = refined->pins[p].vertex;
        bool told = count > 0 && refined->cloth_pins[count - 1] == v - first;
        if (v < first || v >= end || refined->pins[p].from > 0 || told) continue;
        refined->cloth_pins[count++] = v - first;
    }
    for (int i = 0; i < refined->hold_count; i++)
        refined->cloth_pins[count++] = refined->holds[i] - first;
    cloth->pins = refined->cloth_pins;
    cloth->pin_count = count;
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// What it is made of

static WeftResult refine_scales(WfRefinedScene* refined, WeftClothDef* cloth) {
    const double** scales[] = {&cloth->stretch_scale,   &cloth->bend_scale,
                               &cloth->density_scale,   &cloth->max_distance,
                               &cloth->backstop_radius, &cloth->backstop_distance,
                               &cloth->drive_stiffness, &cloth->drive_damping};
    int dense = refined->mesh.vertex_count, room = refined->scene->skin_room;
    refined->skin_room = dense > room ? dense : room;
    refined->skin_now =
        wf_alloc(&refined->allocator, 3 * (size_t)refined->skin_room, sizeof(double));
    if (!refined->skin_now) return WEFT_ERROR_MEMORY;
    for (int s = 0; s < WF_REFINED_MAPS; s++) {
        if (!*scales[s]) continue;
        double* mixed = wf_alloc(&refined->allocator, (size_t)dense, sizeof *mixed);
        if (!mixed) return WEFT_ERROR_MEMORY;
        refined->scales[s] = mixed;
        for (int i = 0; i < dense; i++)
            for (int k = 0; k < 3; k++) {
                long at = 3 * (long)(refined->first + i) + k;
                mixed[i] += refined->map.weights[at] *
                            (*scales[s])[refined->map.corners[at] - refined->first];
            }
        *scales[s] = mixed;
    }
    return WEFT_OK;
}

static WeftResult refine_triangle_fabrics(WfRefinedScene* refined, const WeftRefinement* own,
                                          WeftClothDef* cloth) {
    if (!cloth->triangle_fabric) return WEFT_OK;
    int count = own->triangle_count;
    refined->triangle_fabric = wf_alloc(&refined->allocator, (size_t)count, sizeof(int));
    if (!refined->triangle_fabric) return WEFT_ERROR_MEMORY;
    for (int t = 0; t < count; t++)
        refined->triangle_fabric[t] = cloth->triangle_fabric[own->triangles[t]];
    cloth->triangle_fabric = refined->triangle_fabric;
    return WEFT_OK;
}

// A dense mesh shows finer folds than the one that the fabric was stiffened for.
static WeftResult refine_worn_fabric(WfRefinedScene* refined, const WeftSceneWear* wear, int parts,
                                     WeftClothDef* cloth) {
    double edge = wear->edge / parts;
    int count = wear->fabrics ? wear->pattern.panel_count : 0;
    if (!wear->plain) return WEFT_OK;
    cloth->fabric = weft_garment_fabric(&wear->plain[0], edge);
    refined->fabrics = wf_alloc(&refined->allocator, (size_t)count, sizeof *refined->fabrics);
    if (!refined->fabrics) return WEFT_ERROR_MEMORY;
    for (int p = 0; p < count; p++)
        refined->fabrics[p] = weft_garment_fabric(&wear->plain[1 + p], edge);
    if (count > 0) cloth->fabrics = refined->fabrics;
    return WEFT_OK;
}

// Woven threads are not refined: what they carry is carried by edges.
static WeftResult check_cloth(const WeftScene* scene, int index, WeftError* error) {
    if (index < 0 || index >= scene->model.cloth_count)
        return wf_fail(error, WEFT_ERROR_INPUT, "there is no cloth %d: the scene has %d", index,
                       scene->model.cloth_count);
    const WeftClothDef* cloth = &scene->model.cloths[index];
    if (cloth->triangle_count == 0)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "cloth %d is of ropes alone: there are no triangles to refine", index);
    if (cloth->stretch == WEFT_STRETCH_THREADS || cloth->bend_by == WEFT_BEND_BY_THREADS)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "cloth %d stretches or bends by threads, which cannot be refined: use "
                       "springs, triangles or a membrane",
                       index);
    if (scene->model.attachment_count > 0)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the scene has attachments, which are not carried over to dense cloth");
    if (scene->wear_count > 0 && !scene->dressed)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the scene is not dressed yet: weft_dress_scene comes first");
    if (scene->model.mirror.kind != WEFT_MIRROR_NONE &&
        scene->model.mirror.closure != WEFT_CLOSURE_OPEN)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "a closure of a mirror is not simulated, but shown: dense cloth cannot "
                       "follow it. Take \"mirror\" out of the scene, or leave its closure open");
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// All of it

static WeftResult copy_lists(WfRefinedScene* refined) {
    const WeftScene* scene = refined->scene;
    size_t cloths = (size_t)scene->model.cloth_count, wears = (size_t)scene->wear_count;
    refined->cloths = wf_alloc(&refined->allocator, cloths, sizeof *refined->cloths);
    refined->meshes = wf_alloc(&refined->allocator, cloths, sizeof *refined->meshes);
    refined->wears = wf_alloc(&refined->allocator, wears, sizeof *refined->wears);
    if (!refined->cloths || !refined->meshes || !refined->wears) return WEFT_ERROR_MEMORY;
    memcpy(refined->cloths, scene->model.cloths, cloths * sizeof *refined->cloths);
    memcpy(refined->meshes, scene->meshes, cloths * sizeof *refined->meshes);
    if (wears > 0) memcpy(refined->wears, scene->wears, wears * sizeof *refined->wears);
    refined->meshes[refined->cloth] = refined->mesh;
    for (size_t c = 0; c < cloths; c++) refined->cloths[c].images = NULL;
    weft_use_mesh(&refined->cloths[refined->cloth], &refined->mesh);
    return WEFT_OK;
}

static WeftResult refine_all(WfRefinedScene* refined, const WeftRefinement* own, int parts) {
    const WeftScene* scene = refined->scene;
    int coarse_count = 0;
    for (int c = 0; c < scene->model.cloth_count; c++)
        coarse_count += scene->meshes[c].vertex_count;
    bool* marked = wf_alloc(&refined->allocator, (size_t)coarse_count, sizeof *marked);
    WeftResult result = marked ? copy_lists(refined) : WEFT_ERROR_MEMORY;
    WeftClothDef* cloth = result ? NULL : &refined->cloths[refined->cloth];
    if (!result) result = widen_map(refined, own);
    if (!result) result = refine_pins(refined, coarse_count);
    if (!result) result = refine_holds(refined, marked);
    if (!result) result = refine_cloth_pins(refined, cloth);
    if (!result) result = refine_scales(refined, cloth);
    if (!result) result = refine_triangle_fabrics(refined, own, cloth);
    for (int w = 0; w < scene->wear_count && !result; w++) {
        if (scene->wears[w].cloth != refined->cloth) continue;
        refined->wears[w].hold_count = 0;  // they go between others
        result = refine_worn_fabric(refined, &scene->wears[w], parts, cloth);
    }
    wf_free(&refined->allocator, marked);
    return result;
}

WeftResult wf_refine_scene(const WeftScene* scene, int cloth, int parts,
                           const WeftAllocator* allocator, WfRefinedScene* refined,
                           WeftError* error) {
    WeftAllocator own = wf_allocator(allocator);
    WeftRefinement map = {.allocator = own};
    *refined = (WfRefinedScene){.allocator = own,
                                .scene = scene,
                                .cloth = cloth,
                                .mesh = {.allocator = own},
                                .map = {.allocator = own}};
    WeftResult result = check_cloth(scene, cloth, error);
    if (result) return result;
    for (int c = 0; c < cloth; c++) refined->first += scene->meshes[c].vertex_count;
    result = weft_refine_mesh(&scene->meshes[cloth], parts, &own, &refined->mesh, &map, error);
    if (!result && wf_refine_threads(&scene->meshes[cloth], &map, parts, &refined->mesh))
        result = wf_fail_memory(error);
    if (!result && refine_all(refined, &map, parts)) result = wf_fail_memory(error);
    weft_destroy_refinement(&map);
    if (result) wf_destroy_refined_scene(refined);
    return result;
}

void wf_destroy_refined_scene(WfRefinedScene* refined) {
    WeftAllocator allocator = refined->allocator;
    void* all[] = {refined->cloths, refined->meshes,     refined->pins,
                   refined->wears,  refined->fabrics,    refined->triangle_fabric,
                   refined->holds,  refined->cloth_pins, refined->skin_now};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) wf_free(&allocator, all[k]);
    for (int s = 0; s < WF_REFINED_MAPS; s++) wf_free(&allocator, refined->scales[s]);
    weft_destroy_mesh(&refined->mesh);
    weft_destroy_refinement(&refined->map);
    *refined = (WfRefinedScene){.allocator = allocator};
}

// ---------------------------------------------------------------------------------------------
// Views

WeftScene wf_whole_view(const WeftScene* scene) {
    WeftScene view = *scene;
    view.model.mirror.kind = WEFT_MIRROR_NONE;  // its plane still says how pins are mirrored
    view.model.step.budget_ms = 0;  // what is learned must not depend on how fast the machine is
    return view;
}

WeftScene wf_refined_view(const WfRefinedScene* refined) {
    WeftScene view = wf_whole_view(refined->scene);
    view.model.cloths = refined->cloths;
    view.meshes = refined->meshes;
    view.pin_count = refined->pin_count;
    view.pins = refined->pins;
    view.wears = refined->wears;
    view.skin_now = refined->skin_now;
    view.skin_room = refined->skin_room;
    return view;
}
