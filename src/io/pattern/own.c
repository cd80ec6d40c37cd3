// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Our own form of patterns: the top of the file, and its measures.

#include <string.h>

#include "base/memory.h"
#include "garment/mirror.h"
#include "io/pattern/read.h"
#include "io/scene_parts.h"

// A text in place of a number.
static WeftResult evaluate(WfSceneReader* reader, const WfSceneNode* node, double* number) {
    char complaint[WF_COMPLAINT];
    const char* text = json_string_value(node->value);
    if (wf_evaluate(text, &wf_pattern_reader(reader)->measures, number, complaint)) return WEFT_OK;
    return wf_scene_fail(reader, node, "\"%.60s\": %s", text, complaint);
}

// ---------------------------------------------------------------------------------------------
// Measures

// The body's own measure of this name, where it has one; what was not measured is 0.
static void measure_body(const WeftMeasures* body, const char* name, double* value) {
    for (int i = 0; body && weft_measure_name(i); i++) {
        if (strcmp(weft_measure_name(i), name) != 0) continue;
        double own = weft_measure_value(body, i);
        if (own > 0 && own < 1e6) *value = own;
    }
}

// Formulas are derived from what stands before them; numbers are defaults, which the body's own
// measures replace.
static WeftResult read_measures(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)target;
    static const WfSceneKey any = {.low = -1e6, .high = 1e6};
    WfPatternReader* r = wf_pattern_reader(reader);
    WeftResult result = wf_scene_expect(reader, node, JSON_OBJECT);
    if (result) return result;
    size_t count = json_object_size(node->value);
    r->measures.values = wf_alloc(&r->pattern->allocator, count, sizeof *r->measures.values);
    if (!r->measures.values) return wf_fail_memory(reader->error);
    json_t* object = (json_t*)node->value;
    for (void* i = json_object_iter(object); i; i = json_object_iter_next(object, i)) {
        WfSceneNode member = wf_scene_member(node, json_object_iter_key(i));
        WfMeasureValue measure = {.name = member.key};
        if (!wf_is_measure_name(member.key))
            return wf_scene_fail_key(reader, &member,
                                     "\"%.40s\" is no name for a measure: letters, digits and _, "
                                     "and no function",
                                     member.key);
        result = wf_scene_number(reader, &member, &any, &measure.value);
        if (result) return result;
        if (!json_is_string(member.value)) measure_body(r->body, member.key, &measure.value);
        r->measures.values[r->measures.count++] = measure;
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// The top

static WeftResult read_version(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)target;
    if (json_is_integer(node->value) && json_integer_value(node->value) == 1) return WEFT_OK;
    return wf_scene_fail(reader, node, "\"weft_pattern\" must be 1, the version of the format");
}

static WeftResult read_name(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_pattern_text(reader, node, ((WeftPattern*)target)->name);
}
static WeftResult read_fabric(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_pattern_text(reader, node, ((WeftPattern*)target)->fabric);
}

static WeftResult read_mirror(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)target;
    if (!json_is_boolean(node->value))
        return wf_scene_fail(reader, node, "\"mirror\" of a pattern must be true or false");
    wf_pattern_reader(reader)->mirrored = json_is_true(node->value);
    return WEFT_OK;
}

static const WfSceneKey pattern_keys[] = {
    WF_ROW_REQUIRED("weft_pattern", read_version),
    WF_ROW_OWN("name", read_name),
    WF_ROW_OWN("fabric", read_fabric),
    WF_ROW_OWN("measures", read_measures),
    WF_ROW_OWN("mirror", read_mirror),
    WF_ROW_REQUIRED("panels", wf_read_panels),
    WF_ROW_OWN("seams", wf_read_seams),
    WF_ROW_OWN("holds", wf_read_holds),
};

static const WfSceneTable pattern_table = {
    .name = "pattern",
    .key_count = WF_KEY_COUNT_OF(pattern_keys),
    .keys = pattern_keys,
    .target_size = sizeof(WeftPattern),
};

const WfSceneTable* wf_pattern_table(int index) {
    static const WfSceneTable* const tables[] = {
        &pattern_table,          &wf_pattern_panel_table, &wf_pattern_side_table,
        &wf_pattern_place_table, &wf_scene_turn_table,    &wf_pattern_seam_table,
        &wf_pattern_hold_table,
    };
    return index < (int)(sizeof tables / sizeof *tables) ? tables[index] : NULL;
}

WeftResult wf_read_own_pattern(WfPatternReader* reader, const WfSceneNode* top) {
    reader->keys.evaluate = evaluate;
    WeftResult result = wf_scene_read(&reader->keys, top, &pattern_table, reader->pattern);
    if (!result && reader->mirrored) result = wf_sew_folds(reader->pattern, reader->keys.error);
    if (!result && reader->mirrored) result = wf_mirror_holds(reader->pattern, reader->keys.error);
    return result;
}

void wf_free_own_reader(WfPatternReader* reader) {
    const WeftAllocator* memory = &reader->pattern->allocator;
    wf_free(memory, reader->mirrors);
    wf_free(memory, reader->names);
    wf_free(memory, reader->measures.values);
    wf_free(memory, reader->guessed);
}
