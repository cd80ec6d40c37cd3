// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "cloths": mesh, fabric, models and pins of every cloth.

#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "io/fabric.h"
#include "io/scene_parts.h"
#include "mesh/check.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Estimator: a name, or an object with order or weights

typedef struct EstimatorSpec {
    WeftEstimator kind;
    int order;
    int weight_count;
    double weights[3];
    bool unnormalised;
} EstimatorSpec;

// a, b of ROTATION; a, b, c of VERTEX
static WeftResult read_weights(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    EstimatorSpec* spec = target;
    spec->weight_count = spec->kind == WEFT_ESTIMATOR_ROTATION ? 2 : 3;
    if (spec->kind != WEFT_ESTIMATOR_ROTATION && spec->kind != WEFT_ESTIMATOR_VERTEX)
        return wf_scene_fail_key(reader, node,
                                 "only the estimators \"rotation\" and \"vertex\" have weights");
    if (wf_scene_member(node->parent, "order").value)
        return wf_scene_fail_key(reader, node, "give \"order\" or \"weights\", not both");
    return wf_scene_numbers(reader, node, spec->weight_count, spec->weights);
}

static void estimator_defaults(void* target) {
    *(EstimatorSpec*)target = (EstimatorSpec){.order = 2};
}

static const WfSceneKey estimator_keys[] = {
    {.name = "kind",
     .type = WF_KEY_CHOICE,
     .offset = offsetof(EstimatorSpec, kind),
     .group = "estimator",
     .required = true},
    WF_ROW_COUNT(EstimatorSpec, order, 1, 2),
    WF_ROW_OWN("weights", read_weights),
    WF_ROW_FLAG(EstimatorSpec, unnormalised),
};

const WfSceneTable wf_scene_estimator_table = {
    .name = "estimator",
    .key_count = WF_KEY_COUNT_OF(estimator_keys),
    .keys = estimator_keys,
    .target_size = sizeof(EstimatorSpec),
    .set_defaults = estimator_defaults,
};

static WeftResult read_estimator(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftClothDef* cloth = target;
    EstimatorSpec spec = {.order = 2};
    int kind = 0;
    WeftResult result = json_is_object(node->value)
                            ? wf_scene_read(reader, node, &wf_scene_estimator_table, &spec)
                            : wf_scene_choice(reader, node, "estimator", &kind);
    if (result) return result;
    if (!json_is_object(node->value)) spec.kind = (WeftEstimator)kind;
    weft_set_estimator(cloth, spec.kind, spec.order);
    for (int i = 0; i < spec.weight_count; i++) cloth->estimator_weights[i] = spec.weights[i];
    cloth->unnormalised_targets = spec.unnormalised;
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Cloths

static WeftResult read_fabric(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    int cloth = reader->scene->model.cloth_count - 1;
    WeftFabricFile file = {.look = weft_default_look(cloth)};
    WeftResult result = wf_read_fabric(reader, node, &file);
    if (result) return result;
    ((WeftClothDef*)target)->fabric = file.fabric;
    wf_scene_set_look(reader->scene, cloth, &file);
    return WEFT_OK;
}

static WeftResult read_layer(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_read_layers(reader, node, &((WeftClothDef*)target)->layer);
}

static WeftResult read_mask(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_read_layers(reader, node, &((WeftClothDef*)target)->mask);
}

static void cloth_defaults(void* target) { *(WeftClothDef*)target = weft_default_cloth_def(); }

static const WfSceneKey cloth_keys[] = {
    WF_ROW_REQUIRED("mesh", wf_scene_read_mesh),
    WF_ROW_OWN("place", wf_scene_read_place),
    WF_ROW_OWN("fabric", read_fabric),
    WF_ROW_OWN("panels", wf_scene_read_panels),
    WF_ROW_OWN("scales", wf_scene_read_scales),
    WF_ROW_CHOICE(WeftClothDef, stretch, "stretch"),
    WF_ROW_CHOICE(WeftClothDef, shear, "shear"),
    WF_ROW_FLAG(WeftClothDef, explicit_shear),
    WF_ROW_CHOICE(WeftClothDef, bend, "bend"),
    WF_ROW_CHOICE(WeftClothDef, bend_by, "bend_by"),
    WF_ROW_CHOICE(WeftClothDef, rope_strain, "rope_strain"),
    WF_ROW_OWN("estimator", read_estimator),
    WF_ROW_FLAG(WeftClothDef, uniform_mass),
    WF_ROW_NUMBER(WeftClothDef, stretch_limit, 0, 10, NULL),
    WF_ROW_FLAG(WeftClothDef, tethers),
    WF_ROW_NUMBER(WeftClothDef, tear_load, 0, 1e12, "N/m"),
    WF_ROW_OWN("layer", read_layer),
    WF_ROW_OWN("mask", read_mask),
    WF_ROW_CHOICE(WeftClothDef, inflation, "inflation"),
    WF_ROW_NUMBER(WeftClothDef, pressure, -1e7, 1e7, "Pa"),
    WF_ROW_NUMBER(WeftClothDef, outside_pressure, 0, 1e7, "Pa"),
    WF_ROW_NUMBER(WeftClothDef, gas_density, 0, 1e5, "kg/m^3"),
    WF_ROW_POINT(WeftClothDef, velocity, "m/s"),
    WF_ROW_OWN("pins", wf_scene_read_pins),
    WF_ROW_OWN("animation", wf_scene_read_animation),
    WF_ROW_OWN("detail", wf_scene_read_detail),
};

const WfSceneTable wf_scene_cloth_table = {
    .name = "cloth",
    .key_count = WF_KEY_COUNT_OF(cloth_keys),
    .keys = cloth_keys,
    .target_size = sizeof(WeftClothDef),
    .set_defaults = cloth_defaults,
};

// Says whose fault it is: of "scale", where the mesh alone would do, else of the mesh.
static WeftResult check_start(WfSceneReader* reader, const WfSceneNode* node, WeftClothDef* cloth) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    WeftResult result = wf_check_rest_size(allocator, cloth, reader->error);
    if (!result) return WEFT_OK;
    WfSceneNode mesh = wf_scene_member(node, "mesh"), place = wf_scene_member(node, "place");
    WfSceneNode scale = wf_scene_member(&place, "scale");
    double factor = json_number_value(scale.value);
    if (factor > 0) {
        for (long i = 0; i < 3L * cloth->vertex_count; i++) reader->mesh->positions[i] /= factor;
        if (!wf_check_rest_size(allocator, cloth, NULL))
            return wf_scene_fail(reader, &scale,
                                 "\"scale\" is of the cloth at the start only, its flat rest shape "
                                 "stays: with %g it would start too %s. Edges may start at 0.1 to "
                                 "4 times their length at rest",
                                 factor, factor > 1 ? "long" : "short");
    }
    return wf_scene_fail_prefix(reader, &mesh, result);
}

static WeftResult read_cloth(WfSceneReader* reader, const WfSceneNode* node) {
    WeftScene* scene = reader->scene;
    int index = scene->model.cloth_count++;
    reader->mesh = &scene->meshes[index];
    WeftResult result = wf_scene_read(reader, node, &wf_scene_cloth_table, &reader->cloths[index]);
    if (!result) result = wf_scene_check_mirrored(reader, &reader->cloths[index]);
    wf_scene_drop_given(reader);
    wf_free(&scene->allocator, reader->named);
    reader->named = NULL;
    if (result) return result;
    wf_scene_finish_garment(reader);
    result = check_start(reader, node, &reader->cloths[index]);
    if (result) return result;
    if (reader->mesh->vertex_count > INT_MAX / 4 - reader->first_vertex)
        return wf_scene_fail(reader, node, "there are more vertices than can be counted");
    reader->first_vertex += reader->mesh->vertex_count;
    return WEFT_OK;
}

WeftResult wf_scene_read_cloths(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftScene* scene = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count == 0) return wf_scene_fail(reader, node, "\"cloths\" must hold one cloth at least");
    scene->meshes = wf_alloc(&scene->allocator, count, sizeof *scene->meshes);
    reader->cloths = wf_alloc(&scene->allocator, count, sizeof *reader->cloths);
    scene->model.cloths = reader->cloths;
    scene->welds = wf_alloc(&scene->allocator, count, sizeof *scene->welds);
    scene->details = wf_alloc(&scene->allocator, count, sizeof *scene->details);
    scene->skins = wf_alloc(&scene->allocator, count, sizeof *scene->skins);
    scene->blends = wf_alloc(&scene->allocator, count, sizeof *scene->blends);
    scene->looks = wf_alloc(&scene->allocator, count, sizeof *scene->looks);
    if (!scene->meshes || !reader->cloths || !scene->welds || !scene->details || !scene->skins ||
        !scene->blends || !scene->looks)
        return wf_fail_memory(reader->error);
    memset(scene->skins, -1, count * sizeof *scene->skins);
    for (; scene->look_count < (int)count; scene->look_count++)
        scene->looks[scene->look_count] = (WeftSceneLook){
            .cloth = scene->look_count, .look = weft_default_look(scene->look_count)};
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_cloth(reader, &item);
    }
    return result;
}

int wf_scene_cloth_of(const WeftScene* scene, int* vertex) {
    int c = 0;
    for (; c < scene->model.cloth_count && *vertex >= scene->meshes[c].vertex_count; c++)
        *vertex -= scene->meshes[c].vertex_count;
    return c;
}

void wf_scene_free_cloths(WeftScene* scene) {
    wf_scene_free_details(scene);
    wf_scene_free_blends(scene);
    for (int i = 0; i < scene->model.cloth_count; i++) {
        weft_destroy_mesh(&scene->meshes[i]);
        wf_free(&scene->allocator, (void*)scene->model.cloths[i].pins);
        wf_scene_free_scales(&scene->allocator, &scene->model.cloths[i]);
        wf_scene_free_animation(&scene->allocator, &scene->model.cloths[i]);
    }
    wf_free(&scene->allocator, scene->looks);
    wf_free(&scene->allocator, scene->skins);
    wf_free(&scene->allocator, scene->skin_now);
    wf_free(&scene->allocator, scene->meshes);
    wf_free(&scene->allocator, scene->welds);
    wf_free(&scene->allocator, (void*)scene->model.cloths);
}
