// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// As much of jansson's interface as the reader of scenes uses, over a tree that the browser's own
// JSON parser made. The page writes the tree into memory as one block: a node is 32 bytes, the
// children of a node stand next to each other, the root is first (web/src/sim/json.ts).

#ifndef WEFT_WEB_JANSSON_H
#define WEFT_WEB_JANSSON_H

#include <stdlib.h>
#include <string.h>

typedef enum json_type {
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_INTEGER,
    JSON_REAL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
} json_type;

typedef long long json_int_t;

typedef struct json_t {
    json_type type;
    int count;  // of children, or of bytes of a string
    double number;
    const char* string;
    const char* key;  // of a member of an object
    struct json_t* first;
    int reserved;
} json_t;
_Static_assert(sizeof(json_t) == 32, "the page writes nodes of 32 bytes");

enum { JSON_ERROR_TEXT_LENGTH = 160, JSON_REJECT_DUPLICATES = 1 };
typedef struct json_error_t {
    int line, column;
    int memory;  // there was not enough
    char text[JSON_ERROR_TEXT_LENGTH];
} json_error_t;
enum json_error_code { json_error_unknown, json_error_out_of_memory };

// The page's: NULL where the text is not JSON. Of members with the same name the last one counts.
__attribute__((import_module("page"), import_name("parse_json"))) json_t* page_parse_json(
    const char* text, size_t length, json_error_t* error);

static inline json_t* json_loadb(const char* text, size_t length, size_t flags,
                                 json_error_t* error) {
    (void)flags;
    memset(error, 0, sizeof *error);
    return page_parse_json(text, length, error);
}
static inline enum json_error_code json_error_code(const json_error_t* error) {
    return error->memory ? json_error_out_of_memory : json_error_unknown;
}
static inline void json_decref(json_t* root) { free(root); }

static inline json_type json_typeof(const json_t* value) { return value->type; }
static inline int json_is_type(const json_t* value, json_type type) {
    return value && value->type == type;
}
static inline int json_is_object(const json_t* value) { return json_is_type(value, JSON_OBJECT); }
static inline int json_is_array(const json_t* value) { return json_is_type(value, JSON_ARRAY); }
static inline int json_is_string(const json_t* value) { return json_is_type(value, JSON_STRING); }
static inline int json_is_integer(const json_t* value) { return json_is_type(value, JSON_INTEGER); }
static inline int json_is_true(const json_t* value) { return json_is_type(value, JSON_TRUE); }
static inline int json_is_false(const json_t* value) { return json_is_type(value, JSON_FALSE); }
static inline int json_is_null(const json_t* value) { return json_is_type(value, JSON_NULL); }
static inline int json_is_number(const json_t* value) {
    return json_is_integer(value) || json_is_type(value, JSON_REAL);
}
static inline int json_is_boolean(const json_t* value) {
    return json_is_true(value) || json_is_type(value, JSON_FALSE);
}

static inline double json_number_value(const json_t* value) { return value->number; }
static inline json_int_t json_integer_value(const json_t* value) {
    return (json_int_t)value->number;
}
static inline const char* json_string_value(const json_t* value) {
    return json_is_string(value) ? value->string : NULL;
}
static inline size_t json_string_length(const json_t* value) { return (size_t)value->count; }

static inline size_t json_array_size(const json_t* array) {
    return json_is_array(array) ? (size_t)array->count : 0;
}
static inline json_t* json_array_get(const json_t* array, size_t index) {
    return index < json_array_size(array) ? array->first + index : NULL;
}

static inline size_t json_object_size(const json_t* object) {
    return json_is_object(object) ? (size_t)object->count : 0;
}
static inline json_t* json_object_get(const json_t* object, const char* key) {
    for (size_t i = 0; i < json_object_size(object); i++)
        if (strcmp(object->first[i].key, key) == 0) return object->first + i;
    return NULL;
}
static inline void* json_object_iter(json_t* object) {
    return json_object_size(object) ? object->first : NULL;
}
static inline void* json_object_iter_next(json_t* object, void* iterator) {
    json_t* next = (json_t*)iterator + 1;
    return next < object->first + object->count ? next : NULL;
}
static inline const char* json_object_iter_key(void* iterator) { return ((json_t*)iterator)->key; }

#endif
