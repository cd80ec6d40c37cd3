// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "animation": what holds a cloth to its skin, which starts where the cloth does and goes along
// with a motion of the scene.

#include <string.h>

#include "base/memory.h"
#include "io/scene_parts.h"

static const WfSceneKey distance_range = {.low = -1, .high = 1e6, .unit = "m"};
static const WfSceneKey radius_range = {.low = 0, .high = 1e6, .unit = "m"};
static const WfSceneKey behind_range = {.low = -1e6, .high = 1e6, .unit = "m"};
static const WfSceneKey stiffness_range = {.low = 0, .high = 1e8, .unit = "1/s^2"};
static const WfSceneKey damping_range = {.low = 0, .high = 1e6, .unit = "1/s"};

// A number; or two, at the top of the cloth as it starts and at its bottom, even in between.
static WeftResult read_map(WfSceneReader* reader, const WfSceneNode* node, const WfSceneKey* range,
                           const double** kept) {
    const WeftMesh* mesh = reader->mesh;
    double ends[2], low = HUGE_VAL, high = -HUGE_VAL;
    bool pair = json_is_array(node->value);
    if (pair && json_array_size(node->value) != 2)
        return wf_scene_fail(reader, node,
                             "\"%s\" must be a number, or two: at the top and at "
                             "the bottom of the cloth",
                             node->key);
    for (size_t k = 0; k < 2; k++) {
        WfSceneNode item = pair ? wf_scene_item(node, k) : *node;
        WeftResult result = wf_scene_number(reader, &item, range, &ends[k]);
        if (result) return result;
    }
    double* map = wf_alloc(&reader->scene->allocator, (size_t)mesh->vertex_count, sizeof *map);
    if (!map) return wf_fail_memory(reader->error);
    *kept = map;
    for (int i = 0; i < mesh->vertex_count; i++) {
        low = fmin(low, mesh->positions[3 * (long)i + 1]);
        high = fmax(high, mesh->positions[3 * (long)i + 1]);
    }
    for (int i = 0; i < mesh->vertex_count; i++) {
        double y = mesh->positions[3 * (long)i + 1],
               part = high > low ? (high - y) / (high - low) : 0;
        map[i] = ends[0] + part * (ends[1] - ends[0]);
    }
    return WEFT_OK;
}

static WeftResult read_distance(WfSceneReader* reader, const WfSceneNode* node, void* cloth) {
    return read_map(reader, node, &distance_range, &((WeftClothDef*)cloth)->max_distance);
}
static WeftResult read_radius(WfSceneReader* reader, const WfSceneNode* node, void* cloth) {
    return read_map(reader, node, &radius_range, &((WeftClothDef*)cloth)->backstop_radius);
}
static WeftResult read_behind(WfSceneReader* reader, const WfSceneNode* node, void* cloth) {
    return read_map(reader, node, &behind_range, &((WeftClothDef*)cloth)->backstop_distance);
}
static WeftResult read_stiffness(WfSceneReader* reader, const WfSceneNode* node, void* cloth) {
    return read_map(reader, node, &stiffness_range, &((WeftClothDef*)cloth)->drive_stiffness);
}
static WeftResult read_damping(WfSceneReader* reader, const WfSceneNode* node, void* cloth) {
    return read_map(reader, node, &damping_range, &((WeftClothDef*)cloth)->drive_damping);
}
static WeftResult read_motion(WfSceneReader* reader, const WfSceneNode* node, void* cloth) {
    return wf_scene_find_motion(reader, node,
                                &reader->scene->skins[(WeftClothDef*)cloth - reader->cloths]);
}

// A value over time, within bounds at all keys.
static WeftResult read_scale(WfSceneReader* reader, const WfSceneNode* node, double most,
                             WeftTrack* track) {
    WeftResult result = wf_scene_read_track(reader, node, track, 1);
    for (int i = 0; i < track->key_count && !result; i++) {
        double value = track->values[3 * (long)i];
        if (!(value >= 0 && value <= most))
            result = wf_scene_fail(reader, node, "\"%s\" is %g at %g s; it must be 0 to %g",
                                   node->key, value, track->times[i], most);
    }
    return result;
}

static WeftSceneBlend* blend_of(const WfSceneReader* reader, const void* cloth) {
    return &reader->scene->blends[(const WeftClothDef*)cloth - reader->cloths];
}
static WeftResult read_distance_scale(WfSceneReader* reader, const WfSceneNode* node, void* cloth) {
    return read_scale(reader, node, 1000, &blend_of(reader, cloth)->distance);
}
static WeftResult read_drive_scale(WfSceneReader* reader, const WfSceneNode* node, void* cloth) {
    return read_scale(reader, node, 1, &blend_of(reader, cloth)->drive);
}

static const WfSceneKey animation_keys[] = {
    WF_ROW_OWN("motion", read_motion),
    WF_ROW_OWN("max_distance", read_distance),
    WF_ROW_OWN("backstop_radius", read_radius),
    WF_ROW_OWN("backstop_distance", read_behind),
    WF_ROW_OWN("drive_stiffness", read_stiffness),
    WF_ROW_OWN("drive_damping", read_damping),
    WF_ROW_OWN("distance_scale", read_distance_scale),
    WF_ROW_OWN("drive_scale", read_drive_scale),
};

const WfSceneTable wf_scene_animation_table = {
    .name = "animation",
    .key_count = WF_KEY_COUNT_OF(animation_keys),
    .keys = animation_keys,
    .target_size = sizeof(WeftClothDef),
};

WeftResult wf_scene_read_animation(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftClothDef* cloth = target;
    WeftScene* scene = reader->scene;
    WeftResult result = wf_scene_read(reader, node, &wf_scene_animation_table, cloth);
    if (result) return result;
    if (cloth->backstop_distance && !cloth->backstop_radius)
        return wf_scene_fail_key(reader, node, "\"backstop_distance\" needs a \"backstop_radius\"");
    int count = reader->mesh->vertex_count;
    if (count <= scene->skin_room) return WEFT_OK;
    wf_free(&scene->allocator, scene->skin_now);
    scene->skin_now = wf_alloc(&scene->allocator, 3 * (size_t)count, sizeof(double));
    scene->skin_room = scene->skin_now ? count : 0;
    return scene->skin_now ? WEFT_OK : wf_fail_memory(reader->error);
}

void wf_scene_free_animation(const WeftAllocator* allocator, const WeftClothDef* cloth) {
    wf_free(allocator, (void*)cloth->max_distance);
    wf_free(allocator, (void*)cloth->backstop_radius);
    wf_free(allocator, (void*)cloth->backstop_distance);
    wf_free(allocator, (void*)cloth->drive_stiffness);
    wf_free(allocator, (void*)cloth->drive_damping);
}

bool wf_scene_is_animated(const WeftClothDef* cloth) {
    return cloth->max_distance || cloth->backstop_radius || cloth->drive_stiffness ||
           cloth->drive_damping;
}

void wf_scene_free_blends(WeftScene* scene) {
    for (int c = 0; c < scene->model.cloth_count && scene->blends; c++) {
        wf_scene_free_track(&scene->allocator, &scene->blends[c].distance);
        wf_scene_free_track(&scene->allocator, &scene->blends[c].drive);
    }
    wf_free(&scene->allocator, scene->blends);
}

// 1 where it has no keys.
static double scale_at(const WeftTrack* track, double time) {
    double value[3] = {1, 0, 0};
    if (track->key_count > 0) wf_sample_track(track, time, value);
    return value[0];
}

void wf_scene_direct_blends(const WeftScene* scene, WeftState* state, double time) {
    for (int c = 0; c < scene->model.cloth_count; c++) {
        const WeftSceneBlend* blend = &scene->blends[c];
        if (blend->distance.key_count == 0 && blend->drive.key_count == 0) continue;
        weft_scale_animation(state, c, scale_at(&blend->distance, time),
                             scale_at(&blend->drive, time));
    }
}
