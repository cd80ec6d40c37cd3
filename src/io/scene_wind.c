// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "winds": parts of the wind that differ from place to place.

#include "base/memory.h"
#include "base/vec.h"
#include "energy/wind.h"
#include "io/scene_parts.h"

enum { MOST_WINDS = 64 };

static void wind_defaults(void* target) { *(WeftWind*)target = weft_default_wind(); }

static const WfSceneKey wind_keys[] = {
    {.name = "kind",
     .type = WF_KEY_CHOICE,
     .offset = offsetof(WeftWind, kind),
     .group = "wind",
     .required = true},
    WF_ROW_POINT(WeftWind, velocity, "m/s"),
    WF_ROW_NUMBER(WeftWind, strength, -1e6, 1e6, NULL),
    WF_ROW_ABOVE(WeftWind, length, 0, 1e6, "m"),
    WF_ROW_POINT(WeftWind, position, "m"),
    WF_ROW_POINT(WeftWind, axis, NULL),
    WF_ROW_COUNT(WeftWind, seed, 0, 2147483647),
};

const WfSceneTable wf_scene_wind_table = {
    .name = "wind",
    .key_count = WF_KEY_COUNT_OF(wind_keys),
    .keys = wind_keys,
    .target_size = sizeof(WeftWind),
    .set_defaults = wind_defaults,
};

WeftResult wf_scene_check_wind(WfSceneReader* reader, const WfSceneNode* node,
                               const double velocity[3]) {
    double speed = wf_length(wf_load(velocity, 0));
    if (speed <= WF_FASTEST_WIND) return WEFT_OK;
    return wf_scene_fail(reader, node, "the wind blows at %g m/s; at most %g", speed,
                         WF_FASTEST_WIND);
}

WeftResult wf_scene_read_winds(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftScene* scene = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count > MOST_WINDS)
        return wf_scene_fail(reader, node, "\"winds\" has %zu parts; at most %d", count,
                             MOST_WINDS);
    WeftWind* winds = wf_alloc(&scene->allocator, count > 0 ? count : 1, sizeof *winds);
    if (!winds) return wf_fail_memory(reader->error);
    scene->model.step.winds = winds;
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = wf_scene_read(reader, &item, &wf_scene_wind_table, &winds[i]);
        bool turns = winds[i].axis[0] != 0 || winds[i].axis[1] != 0 || winds[i].axis[2] != 0;
        if (!result && !turns)
            result = wf_scene_fail(reader, &item, "the axis of a wind has no direction");
        if (!result) result = wf_scene_check_wind(reader, &item, winds[i].velocity);
    }
    scene->model.step.wind_count = (int)count;
    return result;
}
