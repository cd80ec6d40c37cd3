// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Reading an object by its table, and saying what is wrong with it.

#include "io/scene_keys.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/text.h"
#include "method/range.h"
#include "weft/weft_study.h"

_Static_assert(sizeof(WeftMethod) == sizeof(int), "choices are written as int");

// ---------------------------------------------------------------------------------------------
// Messages

// "file:line:column: " before the message; nothing where the text is no file.
static WeftResult add_place(const WfSceneReader* reader, WfScenePlace place, WeftResult result) {
    if (!reader->file) return result;
    return wf_fail_prefix(reader->error, result, "%s:%d:%d: ", reader->file, place.line,
                          place.column);
}

static WeftResult fail_at(WfSceneReader* reader, WfScenePlace place, const char* format,
                          va_list arguments) {
    WeftError* error = reader->error;
    error->result = WEFT_ERROR_INPUT;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    wf_make_plain(error->message);
    return add_place(reader, place, WEFT_ERROR_INPUT);
}

WeftResult wf_scene_fail(WfSceneReader* reader, const WfSceneNode* node, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    WeftResult result = fail_at(reader, wf_scene_place(reader->text, node), format, arguments);
    va_end(arguments);
    return result;
}

WeftResult wf_scene_fail_key(WfSceneReader* reader, const WfSceneNode* node, const char* format,
                             ...) {
    va_list arguments;
    va_start(arguments, format);
    WeftResult result = fail_at(reader, wf_scene_key_place(reader->text, node), format, arguments);
    va_end(arguments);
    return result;
}

WeftResult wf_scene_fail_prefix(WfSceneReader* reader, const WfSceneNode* node, WeftResult result) {
    return add_place(reader, wf_scene_place(reader->text, node), result);
}

enum { LABEL_SIZE = 64 };

// How messages call a value: "density", or "gravity"[1] inside an array.
static const char* label(const WfSceneNode* node, char text[LABEL_SIZE]) {
    char outer[LABEL_SIZE];
    if (!node->parent)
        snprintf(text, LABEL_SIZE, "the scene");
    else if (node->key)
        snprintf(text, LABEL_SIZE, "\"%.50s\"", node->key);
    else
        snprintf(text, LABEL_SIZE, "%.50s[%zu]", label(node->parent, outer), node->index);
    return text;
}

static const char* type_text(json_type type) {
    switch (type) {
        case JSON_OBJECT:
            return "an object";
        case JSON_ARRAY:
            return "a list";
        case JSON_STRING:
            return "a text";
        case JSON_INTEGER:
            return "a whole number";
        case JSON_REAL:
            return "a number";
        case JSON_TRUE:
        case JSON_FALSE:
            return "true or false";
        default:
            return "null";
    }
}

static WeftResult fail_type(WfSceneReader* reader, const WfSceneNode* node, const char* wanted) {
    char name[LABEL_SIZE];
    return wf_scene_fail(reader, node, "%s must be %s, not %s", label(node, name), wanted,
                         type_text(json_typeof(node->value)));
}

const char* wf_scene_range_text(const WfSceneKey* key, char text[WF_SCENE_TEXT]) {
    if (isinf(key->low) && isinf(key->high))
        snprintf(text, WF_SCENE_TEXT, "any");
    else if (isinf(key->high))
        snprintf(text, WF_SCENE_TEXT, key->above ? "above %.10g" : "%.10g or more", key->low);
    else
        snprintf(text, WF_SCENE_TEXT, wf_range_format(key->above, key->below), key->low, key->high);
    return text;
}

const char* wf_scene_words_text(const char* const* words, int count, char text[WF_SCENE_TEXT]) {
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < count && used < WF_SCENE_TEXT; i++) {
        const char* join = i == 0 ? "" : i == count - 1 ? " or " : ", ";
        int length = snprintf(text + used, WF_SCENE_TEXT - used, "%s\"%s\"", join, words[i]);
        used += (size_t)length;
    }
    return text;
}

// ---------------------------------------------------------------------------------------------
// Values

WeftResult wf_scene_expect(WfSceneReader* reader, const WfSceneNode* node, json_type type) {
    if (json_typeof(node->value) == type) return WEFT_OK;
    return fail_type(reader, node, type_text(type));
}

static WeftResult check_range(WfSceneReader* reader, const WfSceneNode* node,
                              const WfSceneKey* range, double number) {
    bool over = range->above ? number > range->low : number >= range->low;
    bool under = range->below ? number < range->high : number <= range->high;
    if (over && under) return WEFT_OK;
    char name[LABEL_SIZE], text[WF_SCENE_TEXT];
    return wf_scene_fail(reader, node, "%s must be %s%s%s, not %g", label(node, name),
                         wf_scene_range_text(range, text), range->unit ? " " : "",
                         range->unit ? range->unit : "", number);
}

WeftResult wf_scene_number(WfSceneReader* reader, const WfSceneNode* node, const WfSceneKey* range,
                           double* number) {
    if (json_is_string(node->value) && reader->evaluate) {
        WeftResult result = reader->evaluate(reader, node, number);
        return result ? result : check_range(reader, node, range, *number);
    }
    if (!json_is_number(node->value)) return fail_type(reader, node, "a number");
    *number = json_number_value(node->value);
    return check_range(reader, node, range, *number);
}

WeftResult wf_scene_count(WfSceneReader* reader, const WfSceneNode* node, const WfSceneKey* range,
                          int* number) {
    if (!json_is_integer(node->value)) return fail_type(reader, node, "a whole number");
    json_int_t value = json_integer_value(node->value);
    WeftResult result = check_range(reader, node, range, (double)value);
    if (!result) *number = (int)value;
    return result;
}

static WeftResult read_numbers(WfSceneReader* reader, const WfSceneNode* node,
                               const WfSceneKey* range, int count, double* numbers) {
    char name[LABEL_SIZE];
    if (!json_is_array(node->value) || json_array_size(node->value) != (size_t)count)
        return wf_scene_fail(reader, node, "%s must be a list of %d numbers", label(node, name),
                             count);
    for (int i = 0; i < count; i++) {
        WfSceneNode item = wf_scene_item(node, (size_t)i);
        WeftResult result = wf_scene_number(reader, &item, range, &numbers[i]);
        if (result) return result;
    }
    return WEFT_OK;
}

WeftResult wf_scene_numbers(WfSceneReader* reader, const WfSceneNode* node, int count,
                            double* numbers) {
    const WfSceneKey any = {.low = -HUGE_VAL, .high = HUGE_VAL};
    return read_numbers(reader, node, &any, count, numbers);
}

static WeftResult expect_text(WfSceneReader* reader, const WfSceneNode* node, bool lines) {
    char name[LABEL_SIZE];
    WeftResult result = wf_scene_expect(reader, node, JSON_STRING);
    if (result || wf_is_plain(json_string_value(node->value), lines)) return result;
    return wf_scene_fail(reader, node, "%s has control characters in it", label(node, name));
}

WeftResult wf_scene_text(WfSceneReader* reader, const WfSceneNode* node, char** text) {
    WeftResult result = expect_text(reader, node, false);
    if (result) return result;
    size_t length = json_string_length(node->value);
    *text = wf_alloc(&reader->scene->allocator, length + 1, 1);
    if (!*text) return wf_fail_memory(reader->error);
    memcpy(*text, json_string_value(node->value), length);
    return WEFT_OK;
}

WeftResult wf_scene_short_text(WfSceneReader* reader, const WfSceneNode* node, bool lines,
                               char* text, size_t size) {
    char name[LABEL_SIZE];
    WeftResult result = expect_text(reader, node, lines);
    if (result) return result;
    if (json_string_length(node->value) >= size)
        return wf_scene_fail(reader, node, "%s must have less than %zu bytes", label(node, name),
                             size);
    strcpy(text, json_string_value(node->value));
    return WEFT_OK;
}

WeftResult wf_scene_word(WfSceneReader* reader, const WfSceneNode* node, const char* const* words,
                         int count, int* index) {
    char name[LABEL_SIZE], known[WF_SCENE_TEXT];
    wf_scene_words_text(words, count, known);
    if (!json_is_string(node->value)) return fail_type(reader, node, known);
    const char* word = json_string_value(node->value);
    for (int i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            *index = i;
            return WEFT_OK;
        }
    }
    return wf_scene_fail(reader, node, "%s must be %s, not \"%.40s\"", label(node, name), known,
                         word);
}

int wf_scene_choices(const char* group, const char* names[WF_CHOICE_LIMIT]) {
    int count = 0;
    for (int i = 0; weft_choice(i) && count < WF_CHOICE_LIMIT; i++)
        if (strcmp(weft_choice(i)->group, group) == 0) names[count++] = weft_choice(i)->name;
    return count;
}

WeftResult wf_scene_choice(WfSceneReader* reader, const WfSceneNode* node, const char* group,
                           int* index) {
    const char* names[WF_CHOICE_LIMIT];
    int count = wf_scene_choices(group, names);
    return wf_scene_word(reader, node, names, count, index);
}

// ---------------------------------------------------------------------------------------------
// Objects

static WeftResult read_value(WfSceneReader* reader, const WfSceneNode* node, const WfSceneKey* key,
                             void* target) {
    char* field = (char*)target + key->offset;
    WeftResult result = WEFT_OK;
    switch (key->type) {
        case WF_KEY_NUMBER:
            return wf_scene_number(reader, node, key, (double*)field);
        case WF_KEY_COUNT:
            return wf_scene_count(reader, node, key, (int*)field);
        case WF_KEY_POINT:
            return read_numbers(reader, node, key, 3, (double*)field);
        case WF_KEY_CHOICE:
            return wf_scene_choice(reader, node, key->group, (int*)field);
        case WF_KEY_FLAG:
            if (!json_is_boolean(node->value)) return fail_type(reader, node, "true or false");
            *(bool*)field = json_is_true(node->value);
            return result;
        case WF_KEY_OWN:
            break;
    }
    return key->read(reader, node, target);
}

static WeftResult fail_unknown(WfSceneReader* reader, const WfSceneNode* node,
                               const WfSceneTable* table) {
    const char* words[32] = {0};
    int count = table->key_count < 32 ? table->key_count : 32;
    for (int i = 0; i < count; i++) words[i] = table->keys[i].name;
    const char* nearest = weft_nearest_word(node->key, words, count);
    if (nearest)
        return wf_scene_fail_key(reader, node, "unknown key \"%.40s\"; did you mean \"%s\"?",
                                 node->key, nearest);
    char known[WF_SCENE_TEXT];
    return wf_scene_fail_key(reader, node, "unknown key \"%.40s\"; known here: %s", node->key,
                             wf_scene_words_text(words, count, known));
}

static WeftResult check_keys(WfSceneReader* reader, const WfSceneNode* node,
                             const WfSceneTable* table) {
    json_t* object = (json_t*)node->value;
    for (void* i = json_object_iter(object); i; i = json_object_iter_next(object, i)) {
        WfSceneNode member = wf_scene_member(node, json_object_iter_key(i));
        int known = 0;
        while (known < table->key_count && strcmp(table->keys[known].name, member.key) != 0)
            known++;
        if (known == table->key_count) return fail_unknown(reader, &member, table);
    }
    return WEFT_OK;
}

WeftResult wf_scene_read(WfSceneReader* reader, const WfSceneNode* node, const WfSceneTable* table,
                         void* target) {
    WeftResult result = wf_scene_expect(reader, node, JSON_OBJECT);
    if (!result) result = check_keys(reader, node, table);
    if (!result && table->set_defaults && !table->changes) table->set_defaults(target);
    for (int i = 0; i < table->key_count && !result; i++) {
        const WfSceneKey* key = &table->keys[i];
        WfSceneNode member = wf_scene_member(node, key->name);
        if (member.value)
            result = read_value(reader, &member, key, target);
        else if (key->required)
            result = wf_scene_fail(reader, node, "\"%s\" is missing here", key->name);
    }
    return result;
}
