// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The sides of an outline mesh: [u, v] for a straight side that ends there, or an object for a
// curved one. The first side starts where the last one ends.

#include "base/memory.h"
#include "io/scene_parts.h"

WeftResult wf_scene_read_to(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_numbers(reader, node, 2, ((WeftSide*)target)->end);
}

WeftResult wf_scene_read_control(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftSide* side = target;
    size_t count = json_array_size(node->value);
    if (!json_is_array(node->value) || count < 1 || count > 2)
        return wf_scene_fail(reader, node, "\"control\" must be a list of one or two points");
    side->control_count = (int)count;
    for (size_t i = 0; i < count; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        WeftResult result = wf_scene_numbers(reader, &item, 2, side->control[i]);
        if (result) return result;
    }
    return WEFT_OK;
}

static void side_defaults(void* target) { *(WeftSide*)target = (WeftSide){0}; }

static const WfSceneKey side_keys[] = {
    WF_ROW_REQUIRED("to", wf_scene_read_to),
    WF_ROW_OWN("control", wf_scene_read_control),
    WF_ROW_NUMBER(WeftSide, bulge, -10, 10, NULL),
};

const WfSceneTable wf_scene_side_table = {
    .name = "side",
    .key_count = WF_KEY_COUNT_OF(side_keys),
    .keys = side_keys,
    .target_size = sizeof(WeftSide),
    .set_defaults = side_defaults,
};

static WeftResult read_side(WfSceneReader* reader, const WfSceneNode* node, WeftSide* side) {
    if (json_is_array(node->value)) return wf_scene_read_to(reader, node, side);
    WeftResult result = wf_scene_read(reader, node, &wf_scene_side_table, side);
    if (!result && side->control_count > 0 && side->bulge != 0)
        return wf_scene_fail(reader, node, "give \"control\" or \"bulge\", not both");
    return result;
}

WeftResult wf_scene_read_loop(WfSceneReader* reader, const WfSceneNode* node, WeftLoop* loop) {
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count < 2) return wf_scene_fail(reader, node, "a closed line needs two sides at least");
    WeftSide* sides = wf_alloc(&reader->scene->allocator, count, sizeof *sides);
    if (!sides) return wf_fail_memory(reader->error);
    *loop = (WeftLoop){(int)count, sides};
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_side(reader, &item, &sides[i]);
    }
    return result;
}

WeftResult wf_scene_read_outline(WfSceneReader* reader, const WfSceneNode* outside,
                                 const WfSceneNode* holes, WfSceneOutline* outline) {
    WeftResult result = holes->value ? wf_scene_expect(reader, holes, JSON_ARRAY) : WEFT_OK;
    if (result) return result;
    size_t hole_count = json_array_size(holes->value);
    outline->loops = wf_alloc(&reader->scene->allocator, 1 + hole_count, sizeof *outline->loops);
    if (!outline->loops) return wf_fail_memory(reader->error);
    outline->loop_count = 1 + (int)hole_count;
    result = wf_scene_read_loop(reader, outside, &outline->loops[0]);
    for (size_t i = 0; i < hole_count && !result; i++) {
        WfSceneNode hole = wf_scene_item(holes, i);
        result = wf_scene_read_loop(reader, &hole, &outline->loops[1 + i]);
    }
    return result;
}

void wf_scene_free_outline(const WeftAllocator* allocator, WfSceneOutline* outline) {
    for (int i = 0; i < outline->loop_count; i++)
        wf_free(allocator, (void*)outline->loops[i].sides);
    wf_free(allocator, outline->loops);
}
