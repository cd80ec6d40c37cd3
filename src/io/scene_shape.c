// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bodies that are given by numbers: points of a hull, samples of a distance field; and who touches
// whom, with which friction.

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "contact/body.h"
#include "contact/hull.h"
#include "io/scene_parts.h"

// ---------------------------------------------------------------------------------------------
// Hulls

WeftResult wf_scene_read_points(WfSceneReader* reader, const WfSceneNode* node, WeftMesh* mesh) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count > WF_MOST_HULL_POINTS)
        return wf_scene_fail(reader, node, "there may be at most %d points", WF_MOST_HULL_POINTS);
    mesh->allocator = *allocator;
    mesh->positions = wf_alloc(allocator, 3 * count, sizeof(double));
    if (!mesh->positions) return wf_fail_memory(reader->error);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = wf_scene_numbers(reader, &item, 3, mesh->positions + 3 * i);
    }
    mesh->vertex_count = (int)count;
    return result;
}

// From a shape of the core, which it takes over.
static void take_shape(WfSceneReader* reader, WfShape* shape, WeftMesh* mesh) {
    weft_destroy_mesh(mesh);
    *mesh = (WeftMesh){.vertex_count = shape->vertex_count,
                       .positions = shape->positions,
                       .triangle_count = shape->triangle_count,
                       .triangles = shape->triangles,
                       .allocator = reader->scene->allocator};
}

WeftResult wf_scene_make_hull(WfSceneReader* reader, const WfSceneNode* node, WeftMesh* mesh) {
    WfShape shape;
    WeftResult result = wf_hull_check(mesh->positions, mesh->vertex_count, reader->error);
    if (result) return wf_scene_fail_prefix(reader, node, result);
    result = wf_hull_shape(&reader->scene->allocator, mesh->positions, mesh->vertex_count, &shape);
    if (result) return wf_fail_memory(reader->error);
    take_shape(reader, &shape, mesh);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Distance fields

WeftResult wf_scene_read_counts(WfSceneReader* reader, const WfSceneNode* node, int counts[3]) {
    static const WfSceneKey range = {.low = 2, .high = 100000};
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (!result && json_array_size(node->value) != 3)
        result = wf_scene_fail(reader, node, "this must be 3 whole numbers");
    for (size_t k = 0; k < 3 && !result; k++) {
        WfSceneNode item = wf_scene_item(node, k);
        result = wf_scene_count(reader, &item, &range, &counts[k]);
    }
    return result;
}

// Four bytes, the lowest first.
static float float_of(const unsigned char* bytes) {
    uint32_t bits = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                    (uint32_t)bytes[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static WeftResult read_values(WfSceneReader* reader, const WfSceneNode* node, const char* name,
                              const WeftDistanceDef* field, float** values) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    double wanted = (double)field->counts[0] * field->counts[1] * field->counts[2];
    char *path = wf_scene_file_path(reader, name), *bytes = NULL;
    size_t size = 0;
    if (!path) return wf_fail_memory(reader->error);
    WeftResult result = wf_read_file(path, allocator, &bytes, &size, reader->error);
    wf_free(allocator, path);
    if (result == WEFT_ERROR_FILE) return wf_scene_fail_prefix(reader, node, result);
    if (!result && (double)size != 4 * wanted)
        result = wf_scene_fail(reader, node, "this file has %zu bytes; %.0f samples take %.0f",
                               size, wanted, 4 * wanted);
    *values = result ? NULL : wf_alloc(allocator, size / 4, sizeof **values);
    if (!result && !*values) result = wf_fail_memory(reader->error);
    for (size_t i = 0; i < size / 4 && !result; i++)
        (*values)[i] = float_of((const unsigned char*)bytes + 4 * i);
    wf_free(allocator, bytes);
    return result;
}

WeftResult wf_scene_make_distance(WfSceneReader* reader, const WfSceneNode* node, const char* name,
                                  WeftDistanceDef* def, WeftSceneBody* body) {
    WfSceneNode file = wf_scene_member(node, "file");
    WfDistance field;
    WfShape shape;
    WeftResult result = read_values(reader, &file, name, def, &body->distances);
    if (result) return result;
    def->values = body->distances;
    result = wf_distance_check(def, reader->error);
    if (result) return wf_scene_fail_prefix(reader, node, result);
    result = wf_distance_create(&reader->scene->allocator, def, &field);
    if (!result) result = wf_distance_shape(&reader->scene->allocator, &field, &shape);
    wf_distance_destroy(&reader->scene->allocator, &field);
    if (result) return wf_fail_memory(reader->error);
    take_shape(reader, &shape, &body->mesh);
    return WEFT_OK;
}

void wf_scene_scale_distance(double scale, WeftDistanceDef* def, float* values) {
    size_t count = (size_t)def->counts[0] * (size_t)def->counts[1] * (size_t)def->counts[2];
    for (int k = 0; k < 3; k++) def->origin[k] *= scale;
    def->cell *= scale;
    for (size_t i = 0; i < count && values && scale != 1; i++)
        values[i] = (float)(scale * (double)values[i]);
}

// ---------------------------------------------------------------------------------------------
// Layers

WeftResult wf_scene_read_layers(WfSceneReader* reader, const WfSceneNode* node, uint32_t* bits) {
    static const WfSceneKey range = {.low = 0, .high = 31};
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    *bits = 0;
    for (size_t k = 0; k < json_array_size(node->value) && !result; k++) {
        WfSceneNode item = wf_scene_item(node, k);
        int layer = 0;
        result = wf_scene_count(reader, &item, &range, &layer);
        *bits |= (uint32_t)1 << layer;
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Friction of pairs

static WeftResult read_cloth(WfSceneReader* reader, const WfSceneNode* node, int* cloth) {
    WfSceneKey range = {.low = 0, .high = reader->scene->model.cloth_count - 1};
    return wf_scene_count(reader, node, &range, cloth);
}

static WeftResult read_first(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return read_cloth(reader, node, &((WeftPairFriction*)target)->cloth);
}

static WeftResult read_other(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return read_cloth(reader, node, &((WeftPairFriction*)target)->other_cloth);
}

// By its name, or its number.
static WeftResult read_body(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    const WeftScene* scene = reader->scene;
    WfSceneKey range = {.low = 0, .high = scene->model.body_count - 1};
    int* body = &((WeftPairFriction*)target)->body;
    const char* name = json_string_value(node->value);
    if (!name) return wf_scene_count(reader, node, &range, body);
    for (int i = 0; i < scene->model.body_count; i++) {
        *body = i;
        if (scene->bodies[i].name && strcmp(scene->bodies[i].name, name) == 0) return WEFT_OK;
    }
    return wf_scene_fail(reader, node, "there is no body \"%.40s\"", name);
}

static void pair_defaults(void* target) {
    *(WeftPairFriction*)target = (WeftPairFriction){.body = -1};
}

static const WfSceneKey pair_keys[] = {
    WF_ROW_REQUIRED("cloth", read_first),
    WF_ROW_OWN("body", read_body),
    WF_ROW_OWN("other_cloth", read_other),
    {.name = "friction",
     .type = WF_KEY_NUMBER,
     .offset = offsetof(WeftPairFriction, friction),
     .low = 0,
     .high = 100,
     .required = true},
};

const WfSceneTable wf_scene_pair_table = {
    .name = "pair friction",
    .key_count = WF_KEY_COUNT_OF(pair_keys),
    .keys = pair_keys,
    .target_size = sizeof(WeftPairFriction),
    .set_defaults = pair_defaults,
};

static WeftResult read_pair(WfSceneReader* reader, const WfSceneNode* node,
                            WeftPairFriction* pair) {
    WeftResult result = wf_scene_read(reader, node, &wf_scene_pair_table, pair);
    bool other = wf_scene_member(node, "other_cloth").value;
    if (!result && (pair->body >= 0) == other)
        result = wf_scene_fail(reader, node, "give \"body\" or \"other_cloth\"");
    return result;
}

WeftResult wf_scene_read_pairs(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftScene* scene = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    WeftPairFriction* pairs = wf_alloc(&scene->allocator, count, sizeof *pairs);
    scene->model.pair_frictions = pairs;
    if (!pairs) return wf_fail_memory(reader->error);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_pair(reader, &item, &pairs[i]);
        scene->model.pair_friction_count++;
    }
    return result;
}
