// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pattern files: which form a file has, and reading it.

#include "io/pattern/read.h"

#include <string.h>

#include "base/memory.h"
#include "io/scene_parts.h"

WeftResult wf_pattern_text(WfSceneReader* reader, const WfSceneNode* node,
                           char text[WEFT_NAME_SIZE]) {
    WeftResult result = wf_scene_expect(reader, node, JSON_STRING);
    if (result) return result;
    if (json_string_length(node->value) >= WEFT_NAME_SIZE)
        return wf_scene_fail(reader, node, "a name or label must have less than %d bytes",
                             WEFT_NAME_SIZE);
    strcpy(text, json_string_value(node->value));
    return WEFT_OK;
}

// "shirt" of "patterns/shirt_specification.json", for patterns that do not name themselves.
static void name_from_file(const char* path, char name[WEFT_NAME_SIZE]) {
    static const char tail[] = "_specification";
    const char* slash = strrchr(path, '/');
    const char* start = slash ? slash + 1 : path;
    size_t length = strcspn(start, "."), tail_length = sizeof tail - 1;
    if (length > tail_length && strncmp(start + length - tail_length, tail, tail_length) == 0)
        length -= tail_length;
    if (length >= WEFT_NAME_SIZE) length = WEFT_NAME_SIZE - 1;
    memcpy(name, start, length);
    name[length] = 0;
}

static WeftResult repair(WfPatternReader* reader) {
    WeftError* error = reader->keys.error;
    WeftResult result = weft_repair_pattern(reader->pattern, reader->findings, error);
    if (result != WEFT_ERROR_INPUT) return result;
    return wf_fail_prefix(error, result, "%s: ", reader->keys.file);
}

static WeftResult read_top(WfPatternReader* reader, const json_t* root) {
    WfSceneNode top = {.value = root};
    reader->keys.top = &top;
    bool own = json_object_get(root, "weft_pattern") != NULL;
    bool garmentcode = !own && json_object_get(root, "pattern") != NULL;
    WeftResult result;
    if (own)
        result = wf_read_own_pattern(reader, &top);
    else if (garmentcode)
        result = wf_read_garmentcode(reader, &top);
    else
        return wf_scene_fail(&reader->keys, &top,
                             "a pattern must be an object with \"weft_pattern\": 1, or with the "
                             "\"pattern\" of GarmentCode");
    if (!result && !reader->pattern->name[0])
        name_from_file(reader->keys.file, reader->pattern->name);
    if (!result) result = repair(reader);
    if (!result && garmentcode) wf_direct_garmentcode(reader);
    return result;
}

WeftResult weft_parse_pattern(const char* text, size_t length, const char* name,
                              const WeftMeasures* measures, const WeftAllocator* allocator,
                              WeftPattern* pattern, WeftFindings* findings, WeftError* error) {
    WeftError unheard;
    json_error_t syntax;
    if (!error) error = &unheard;
    json_t* root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &syntax);
    if (!root) return wf_scene_fail_syntax(error, name, &syntax);
    WeftPattern made = {.allocator = wf_allocator(allocator)};
    WfPatternReader reader = {.keys = {.text = text, .file = name, .error = error},
                              .scene = {.allocator = made.allocator},
                              .pattern = &made,
                              .findings = findings,
                              .body = measures};
    reader.keys.scene = &reader.scene;
    if (findings && !findings->lines) findings->allocator = made.allocator;
    WeftResult result = read_top(&reader, root);
    wf_free_own_reader(&reader);
    if (result)
        weft_destroy_pattern(&made);
    else
        *pattern = made;
    json_decref(root);
    return result;
}

WeftResult weft_load_pattern(const char* path, const WeftMeasures* measures,
                             const WeftAllocator* allocator, WeftPattern* pattern,
                             WeftFindings* findings, WeftError* error) {
    WeftAllocator memory = wf_allocator(allocator);
    char* text = NULL;
    size_t length = 0;
    WeftResult result = wf_read_file(path, &memory, &text, &length, error);
    if (!result)
        result =
            weft_parse_pattern(text, length, path, measures, allocator, pattern, findings, error);
    wf_free(&memory, text);
    return result;
}
