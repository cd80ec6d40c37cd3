// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// jansson names line and column of a syntax error, but not of a value once it is read. So when a
// value turns out to make no sense, the text is walked once more, down the way to that value:
//
//     {"cloths": [{"fabric": {"density": -1}}]}       cloths, 0, fabric, density
//                                        ^
//
// Members are counted, not compared by name: jansson keeps them in the order of the file, and keys
// may be spelled with escapes. The text is known to be valid JSON, so nothing else is checked.

#include "io/scene_place.h"

#include <string.h>

WfSceneNode wf_scene_member(const WfSceneNode* parent, const char* key) {
    return (WfSceneNode){
        .parent = parent, .value = json_object_get(parent->value, key), .key = key};
}

WfSceneNode wf_scene_item(const WfSceneNode* parent, size_t index) {
    return (WfSceneNode){
        .parent = parent, .value = json_array_get(parent->value, index), .index = index};
}

// Which member or item of its parent the node is.
static size_t position_in_parent(const WfSceneNode* node) {
    if (!node->key) return node->index;
    size_t position = 0;
    json_t* object = (json_t*)node->parent->value;
    for (void* i = json_object_iter(object); i; i = json_object_iter_next(object, i)) {
        if (strcmp(json_object_iter_key(i), node->key) == 0) break;
        position++;
    }
    return position;
}

static const char* skip_space(const char* p) {
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
    return p;
}

static const char* skip_string(const char* p) {
    for (p++; *p != '"'; p++)
        if (*p == '\\') p++;
    return p + 1;
}

// From an item, or the key of a member, to the next one.
static const char* skip_item(const char* p) {
    for (int depth = 0; depth > 0 || *p != ',';) {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        if (*p == '{' || *p == '[') depth++;
        if (*p == '}' || *p == ']') depth--;
        p++;
    }
    return skip_space(p + 1);
}

static const char* find_value(const char* text, const WfSceneNode* node);

// The start of an array's item, or of a member's key.
static const char* find_item(const char* text, const WfSceneNode* node) {
    if (!node->parent) return skip_space(text);
    const char* p = skip_space(find_value(text, node->parent) + 1);
    for (size_t count = position_in_parent(node); count > 0; count--) p = skip_item(p);
    return p;
}

static const char* find_value(const char* text, const WfSceneNode* node) {
    const char* p = find_item(text, node);
    if (!node->key) return p;
    p = skip_space(skip_string(p));
    return skip_space(p + 1);  // after the colon
}

static WfScenePlace place_of(const char* text, const char* spot) {
    WfScenePlace place = {1, 1};
    for (const char* p = text; p < spot; p++) {
        bool continues = ((unsigned char)*p & 0xc0) == 0x80;  // inside a UTF-8 character
        if (*p == '\n')
            place = (WfScenePlace){place.line + 1, 1};
        else if (!continues)
            place.column++;
    }
    return place;
}

WfScenePlace wf_scene_place(const char* text, const WfSceneNode* node) {
    return place_of(text, find_value(text, node));
}

WfScenePlace wf_scene_key_place(const char* text, const WfSceneNode* node) {
    return place_of(text, find_item(text, node));
}
