// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Values over time: the wind, and the motions that carry pins.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "io/scene_parts.h"

// ---------------------------------------------------------------------------------------------
// Tracks: {"keys": [[time, value...], ...]}

typedef struct TrackSpec {
    WeftTrack* track;
    int width;  // numbers per key beside the time
} TrackSpec;

static WeftResult read_key(WfSceneReader* reader, const WfSceneNode* node, int width,
                           WeftTrack* track, int index) {
    double row[4];
    WeftResult result = wf_scene_numbers(reader, node, 1 + width, row);
    if (result) return result;
    if (index > 0 && !(row[0] > track->times[index - 1]))
        return wf_scene_fail(reader, node, "time %g does not come after %g, the time before it",
                             row[0], track->times[index - 1]);
    track->times[index] = row[0];
    memcpy(track->values + 3 * index, row + 1, (size_t)width * sizeof(double));
    return WEFT_OK;
}

static WeftResult read_keys(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    const TrackSpec* spec = target;
    const WeftAllocator* allocator = &reader->scene->allocator;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count == 0) return wf_scene_fail(reader, node, "\"keys\" must hold one key at least");
    spec->track->times = wf_alloc(allocator, count, sizeof(double));
    spec->track->values = wf_alloc(allocator, 3 * count, sizeof(double));
    if (!spec->track->times || !spec->track->values) return wf_fail_memory(reader->error);
    spec->track->key_count = (int)count;
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_key(reader, &item, spec->width, spec->track, (int)i);
    }
    return result;
}

static const WfSceneKey track_keys[] = {
    WF_ROW_REQUIRED("keys", read_keys),
};

const WfSceneTable wf_scene_track_table = {
    .name = "track",
    .key_count = WF_KEY_COUNT_OF(track_keys),
    .keys = track_keys,
    .target_size = sizeof(TrackSpec),
};

WeftResult wf_scene_read_track(WfSceneReader* reader, const WfSceneNode* node, WeftTrack* track,
                               int width) {
    TrackSpec spec = {track, width};
    return wf_scene_read(reader, node, &wf_scene_track_table, &spec);
}

void wf_scene_free_track(const WeftAllocator* allocator, WeftTrack* track) {
    wf_free(allocator, track->times);
    wf_free(allocator, track->values);
}

// ---------------------------------------------------------------------------------------------
// Wind: three numbers, or a track

WeftResult wf_scene_read_wind(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftScene* scene = target;
    double* wind = scene->model.step.wind;
    if (json_is_array(node->value)) {
        WeftResult result = wf_scene_numbers(reader, node, 3, wind);
        return result ? result : wf_scene_check_wind(reader, node, wind);
    }
    WeftResult result = wf_scene_read_track(reader, node, &scene->wind, 3);
    for (int i = 0; i < scene->wind.key_count && !result; i++)
        result = wf_scene_check_wind(reader, node, scene->wind.values + 3 * i);
    if (!result) wf_sample_track(&scene->wind, 0, wind);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Motions

static WeftResult read_offset(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_read_track(reader, node, &((WeftSceneMotion*)target)->offset, 3);
}

static WeftResult read_angle(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_read_track(reader, node, &((WeftSceneMotion*)target)->angle, 1);
}

static WeftResult read_axis(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    double* axis = ((WeftSceneMotion*)target)->axis;
    WeftResult result = wf_scene_numbers(reader, node, 3, axis);
    if (result) return result;
    double length = wf_length(wf_load(axis, 0));
    if (!(length > 0) || isinf(length))
        return wf_scene_fail(reader, node, "\"axis\" must have a length");
    for (int i = 0; i < 3; i++) axis[i] /= length;
    return WEFT_OK;
}

static void motion_defaults(void* target) {
    *(WeftSceneMotion*)target = (WeftSceneMotion){.axis = {0, 1, 0}};
}

static const WfSceneKey motion_keys[] = {
    WF_ROW_OWN("offset", read_offset),
    WF_ROW_OWN("angle", read_angle),
    WF_ROW_OWN("axis", read_axis),
    WF_ROW_POINT(WeftSceneMotion, centre, "m"),
};

const WfSceneTable wf_scene_motion_table = {
    .name = "motion",
    .key_count = WF_KEY_COUNT_OF(motion_keys),
    .keys = motion_keys,
    .target_size = sizeof(WeftSceneMotion),
    .set_defaults = motion_defaults,
};

WeftResult wf_scene_read_motions(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftScene* scene = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_OBJECT);
    if (result) return result;
    json_t* motions = (json_t*)node->value;
    scene->motions = wf_alloc(&scene->allocator, json_object_size(motions), sizeof *scene->motions);
    if (!scene->motions) return wf_fail_memory(reader->error);
    for (void* i = json_object_iter(motions); i; i = json_object_iter_next(motions, i)) {
        WfSceneNode member = wf_scene_member(node, json_object_iter_key(i));
        WeftSceneMotion* motion = &scene->motions[scene->motion_count++];
        result = wf_scene_read(reader, &member, &wf_scene_motion_table, motion);
        if (result) break;
    }
    return result;
}

WeftResult wf_scene_find_motion(WfSceneReader* reader, const WfSceneNode* node, int* motion) {
    enum { LISTED = 32 };  // as many as a message looks through for a likely name
    WeftResult result = wf_scene_expect(reader, node, JSON_STRING);
    if (result) return result;
    const char *word = json_string_value(node->value), *names[LISTED];
    json_t* motions = json_object_get(reader->top->value, "motions");
    int index = 0;
    for (void* i = json_object_iter(motions); i; i = json_object_iter_next(motions, i), index++) {
        if (index < LISTED) names[index] = json_object_iter_key(i);
        *motion = index;
        if (strcmp(json_object_iter_key(i), word) == 0) return WEFT_OK;
    }
    const char* nearest = weft_nearest_word(word, names, index < LISTED ? index : LISTED);
    return wf_scene_fail(reader, node, "no motion is called \"%.40s\"%s%.40s%s", word,
                         nearest ? "; did you mean \"" : "; name one under \"motions\"",
                         nearest ? nearest : "", nearest ? "\"?" : "");
}

void wf_scene_free_motions(WeftScene* scene) {
    for (int i = 0; i < scene->motion_count; i++) {
        wf_scene_free_track(&scene->allocator, &scene->motions[i].offset);
        wf_scene_free_track(&scene->allocator, &scene->motions[i].angle);
    }
    wf_free(&scene->allocator, scene->motions);
    wf_scene_free_track(&scene->allocator, &scene->wind);
}
