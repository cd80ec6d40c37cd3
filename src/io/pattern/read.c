// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pattern files: which form a file has, and reading it.

#include "io/pattern/read.h"

#include <string.h>

#include "base/memory.h"
#include "garment/mirror.h"
#include "io/file.h"
#include "io/scene_parts.h"

WeftResult wf_pattern_text(WfSceneReader* reader, const WfSceneNode* node,
                           char text[WEFT_NAME_SIZE]) {
    return wf_scene_short_text(reader, node, false, text, WEFT_NAME_SIZE);
}

// "shirt" of "patterns/shirt_specification.json", for patterns that do not name themselves.
static void name_from_file(const char* path, char name[WEFT_NAME_SIZE]) {
    static const char tail[] = "_specification";
    const char* start = wf_file_name(path);
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
    if (!result && reader->mirrored) result = wf_check_mirrored(reader->pattern, error);
    if (result != WEFT_ERROR_INPUT) return result;
    return wf_fail_prefix(error, result, "%s: ", reader->keys.file);
}

static bool is_own(const json_t* root) { return json_object_get(root, "weft_pattern") != NULL; }

static WeftResult read_top(WfPatternReader* reader, const json_t* root) {
    WfSceneNode top = {.value = root};
    reader->keys.top = &top;
    bool own = is_own(root);
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
    json_t* root;
    if (!error) error = &unheard;
    WeftResult result = wf_parse_json(&text, length, name, &root, error);
    if (result) return result;
    WeftPattern made = {.allocator = wf_allocator(allocator)};
    WfPatternReader reader = {.keys = {.text = text, .file = name, .error = error},
                              .scene = {.allocator = made.allocator},
                              .pattern = &made,
                              .findings = findings,
                              .body = measures};
    reader.keys.scene = &reader.scene;
    if (findings && !findings->lines) findings->allocator = made.allocator;
    result = read_top(&reader, root);
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

bool weft_is_pattern(const char* path) {
    WeftAllocator memory = wf_allocator(NULL);
    WeftError unheard;
    json_t* root;
    char* text = NULL;
    size_t length = 0;
    WeftResult result = wf_read_file(path, &memory, &text, &length, &unheard);
    const char* begin = text;
    if (!result) result = wf_parse_json(&begin, length, path, &root, &unheard);
    bool pattern = false;
    if (!result) {
        const json_t* theirs = json_object_get(root, "pattern");
        bool scene = json_object_get(root, "weft") != NULL;
        pattern = is_own(root) || (json_is_object(json_object_get(theirs, "panels")) && !scene);
        json_decref(root);
    }
    wf_free(&memory, text);
    return pattern;
}
