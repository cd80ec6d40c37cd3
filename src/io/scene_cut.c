// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "cuts": lines along which cloth is cut while the scene runs. A line is in space, or on the cloth:
// then it is given where the cloth starts, or by its vertices, and goes along with it.

#include <string.h>

#include "base/memory.h"
#include "io/scene_parts.h"

enum { MOST_CUTS = 1000, MOST_POINTS = 100000 };

typedef struct CutSpec {
    WeftSceneCut* cut;
    double time, reach;
} CutSpec;

// ---------------------------------------------------------------------------------------------
// Keys

static WeftResult read_cloth(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    const WfSceneKey range = {.low = 0, .high = reader->scene->model.cloth_count - 1};
    return wf_scene_count(reader, node, &range, &((CutSpec*)target)->cut->cloth);
}

static WeftResult read_points(WfSceneReader* reader, const WfSceneNode* node, int* point_count,
                              double** points) {
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count < 2 || count > MOST_POINTS)
        return wf_scene_fail(reader, node, "\"%s\" has %zu points; it must have 2 to %d", node->key,
                             count, MOST_POINTS);
    *points = wf_alloc(&reader->scene->allocator, 3 * count, sizeof **points);
    if (!*points) return wf_fail_memory(reader->error);
    *point_count = (int)count;
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = wf_scene_numbers(reader, &item, 3, *points + 3 * i);
    }
    return result;
}

static WeftResult read_path(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftSceneCut* cut = ((CutSpec*)target)->cut;
    return read_points(reader, node, &cut->point_count, &cut->points);
}

// How many pieces a side of the line is cut into: as fine as the mesh, or a bent cloth would be
// left between two points.
static int pieces_of(double length, double edge) {
    double pieces = ceil(2 * length / edge);
    return pieces < 1 ? 1 : pieces > 1000 ? 1000 : (int)pieces;
}

static WeftResult allocate_marks(WfSceneReader* reader, WeftSceneCut* cut, int count) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    cut->point_count = count;
    cut->points = wf_alloc(allocator, 3 * (size_t)count, sizeof(double));
    cut->vertices = wf_alloc(allocator, 3 * (size_t)count, sizeof(int));
    cut->weights = wf_alloc(allocator, 3 * (size_t)count, sizeof(double));
    return cut->points && cut->vertices && cut->weights ? WEFT_OK : wf_fail_memory(reader->error);
}

// The points of the cloth along a line of places, from place to place as fine as its mesh.
static WeftResult mark_line(WfSceneReader* reader, int count, const double* places, double edge,
                            WeftSceneCut* cut) {
    int total = 1, at = 0;
    for (int i = 0; i + 1 < count; i++) {
        WfVec side = wf_sub(wf_load(places, i + 1), wf_load(places, i));
        total += pieces_of(wf_length(side), edge);
    }
    WeftResult result = allocate_marks(reader, cut, total);
    for (int i = 0; i + 1 < count && !result; i++) {
        WfVec from = wf_load(places, i), side = wf_sub(wf_load(places, i + 1), from);
        int pieces = pieces_of(wf_length(side), edge);
        for (int k = i == 0 ? 0 : 1; k <= pieces && !result; k++, at++) {
            double place[3];
            wf_store(place, 0, wf_madd(from, (double)k / pieces, side));
            result = wf_scene_find_point(reader, place, cut->cloth, cut->vertices + 3 * (long)at,
                                         cut->weights + 3 * (long)at);
        }
    }
    return result;
}

static WeftResult read_along(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftSceneCut* cut = ((CutSpec*)target)->cut;
    const WeftScene* scene = reader->scene;
    double *places = NULL, weights[3];
    int count = 0, vertices[3];
    WeftResult result = read_points(reader, node, &count, &places);
    if (!result && cut->cloth < 0) {
        result = wf_scene_find_point(reader, places, -1, vertices, weights);
        if (!result) cut->cloth = wf_scene_cloth_of(scene, &vertices[0]);
    }
    if (!result && scene->meshes[cut->cloth].triangle_count == 0)
        result = wf_scene_fail(reader, node, "cloth %d is a rope, which cannot be cut", cut->cloth);
    if (!result)
        result =
            mark_line(reader, count, places, wf_scene_mean_edge(&scene->meshes[cut->cloth]), cut);
    wf_free(&scene->allocator, places);
    return result;
}

static bool are_joined(const WeftMesh* mesh, int a, int b) {
    for (long t = 0; t < mesh->triangle_count; t++) {
        const int* v = mesh->triangles + 3 * t;
        bool has_a = v[0] == a || v[1] == a || v[2] == a;
        if (has_a && (v[0] == b || v[1] == b || v[2] == b)) return true;
    }
    return false;
}

static WeftResult read_vertices(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftSceneCut* cut = ((CutSpec*)target)->cut;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count < 2 || count > MOST_POINTS)
        return wf_scene_fail(reader, node, "\"%s\" has %zu vertices; it must have 2 to %d",
                             node->key, count, MOST_POINTS);
    if (cut->cloth < 0) cut->cloth = 0;
    const WeftMesh* mesh = &reader->scene->meshes[cut->cloth];
    const WfSceneKey range = {.low = 0, .high = mesh->vertex_count - 1};
    int first = 0;
    for (int c = 0; c < cut->cloth; c++) first += reader->scene->meshes[c].vertex_count;
    cut->chain = wf_alloc(&reader->scene->allocator, count, sizeof *cut->chain);
    if (!cut->chain) return wf_fail_memory(reader->error);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        int vertex = 0;
        result = wf_scene_count(reader, &item, &range, &vertex);
        if (result) break;
        cut->chain[cut->chain_count++] = first + vertex;
        int before = i > 0 ? cut->chain[i - 1] - first : vertex;
        if (i > 0 && !are_joined(mesh, before, vertex))
            result = wf_scene_fail(reader, &item, "no edge joins the vertices %d and %d", before,
                                   vertex);
    }
    return result;
}

static const WfSceneKey cut_keys[] = {
    {.name = "time",
     .type = WF_KEY_NUMBER,
     .offset = offsetof(CutSpec, time),
     .low = 0,
     .high = 86400,
     .unit = "s",
     .required = true},
    WF_ROW_OWN("cloth", read_cloth),
    WF_ROW_OWN("path", read_path),
    WF_ROW_OWN("along", read_along),
    WF_ROW_OWN("vertices", read_vertices),
    WF_ROW_NUMBER(CutSpec, reach, 0, 1e6, "m"),
};

const WfSceneTable wf_scene_cut_table = {
    .name = "cut",
    .key_count = WF_KEY_COUNT_OF(cut_keys),
    .keys = cut_keys,
    .target_size = sizeof(CutSpec),
};

static WeftResult read_cut(WfSceneReader* reader, const WfSceneNode* node, WeftSceneCut* cut) {
    CutSpec spec = {.cut = cut};
    int lines = 0;
    static const char* const keys[] = {"path", "along", "vertices"};
    for (int k = 0; k < 3; k++) lines += wf_scene_member(node, keys[k]).value != NULL;
    *cut = (WeftSceneCut){.cloth = -1, .edge_count = -1};
    if (json_is_object(node->value) && lines != 1)
        return wf_scene_fail(
            reader, node,
            "a cut is along \"path\", a line in space, or \"along\", a line on the "
            "cloth as it starts, or \"vertices\" of it%s",
            lines > 1 ? ": one of them" : "");
    WeftResult result = wf_scene_read(reader, node, &wf_scene_cut_table, &spec);
    cut->time = spec.time, cut->reach = spec.reach;
    return result;
}

WeftResult wf_scene_read_cuts(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftScene* scene = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count > MOST_CUTS)
        return wf_scene_fail(reader, node, "%zu cuts; at most %d", count, MOST_CUTS);
    scene->cuts = wf_alloc(&scene->allocator, count, sizeof *scene->cuts);
    if (!scene->cuts) return wf_fail_memory(reader->error);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_cut(reader, &item, &scene->cuts[scene->cut_count++]);
    }
    scene->model.tearable = count > 0;
    return result;
}

void wf_scene_free_cuts(WeftScene* scene) {
    for (int i = 0; i < scene->cut_count; i++) {
        wf_free(&scene->allocator, scene->cuts[i].points);
        wf_free(&scene->allocator, scene->cuts[i].vertices);
        wf_free(&scene->allocator, scene->cuts[i].weights);
        wf_free(&scene->allocator, scene->cuts[i].chain);
    }
    wf_free(&scene->allocator, scene->cuts);
}

bool wf_scene_tears(const WeftScene* scene) {
    bool tears = scene->model.tearable;
    for (int c = 0; c < scene->model.cloth_count; c++)
        tears = tears || scene->model.cloths[c].tear_load > 0;
    return tears;
}

// ---------------------------------------------------------------------------------------------
// Steps

// Where the points of the cloth are now.
static void follow_cloth(const WeftState* state, const WeftSceneCut* cut) {
    const double* x = weft_positions(state);
    for (int i = 0; i < cut->point_count; i++) {
        WfVec at = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            int vertex = cut->vertices[3 * (long)i + k];
            if (vertex >= 0)
                at = wf_madd(at, cut->weights[3 * (long)i + k],
                             wf_load(x, weft_torn_to(state, vertex)));
        }
        wf_store(cut->points, i, at);
    }
}

// All edges that were the one between two vertices at first.
static WeftResult cut_edge(WeftState* state, int a, int b, int* edge_count) {
    const WeftModel* model = weft_state_model(state);
    const int* edges = weft_edges(model);
    WeftResult result = WEFT_OK;
    for (long e = 0; e < weft_edge_count(model) && !result; e++) {
        int p = weft_torn_from(state, edges[2 * e]), q = weft_torn_from(state, edges[2 * e + 1]);
        if (!((p == a && q == b) || (p == b && q == a))) continue;
        WeftCutDef def = weft_default_cut_def();
        int count = 0;
        def.vertices = edges + 2 * e, def.vertex_count = 2;
        result = weft_cut(state, &def, &count, NULL);
        *edge_count += count;
    }
    return result;
}

static WeftResult cut_chain(WeftState* state, WeftSceneCut* cut) {
    WeftResult result = WEFT_OK;
    cut->edge_count = 0;
    for (int i = 0; i + 1 < cut->chain_count && !result; i++)
        result = cut_edge(state, cut->chain[i], cut->chain[i + 1], &cut->edge_count);
    return result;
}

static WeftResult cut_line(WeftState* state, WeftSceneCut* cut) {
    WeftCutDef def = weft_default_cut_def();
    if (cut->vertices) follow_cloth(state, cut);
    def.cloth = cut->cloth;
    def.point_count = cut->point_count;
    def.points = cut->points;
    def.reach = cut->reach;
    return weft_cut(state, &def, &cut->edge_count, NULL);
}

WeftResult wf_scene_direct_cuts(const WeftScene* scene, WeftState* state, double start,
                                double end) {
    double slack = 1e-6 * (end - start);  // times add up with rounding
    WeftResult result = WEFT_OK;
    for (int i = 0; i < scene->cut_count && !result; i++) {
        WeftSceneCut* cut = &scene->cuts[i];
        if (cut->time < start - slack || cut->time >= end - slack) continue;
        result = cut->chain ? cut_chain(state, cut) : cut_line(state, cut);
    }
    return result;
}
