// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Tables of keys against the documents that list them.

#ifndef WEFT_TEST_DOCUMENT_H
#define WEFT_TEST_DOCUMENT_H

#include "io/scene_keys.h"
#include "test.h"

// A whole file in memory, with a zero after it.
static char* read_text(const char* path, size_t* length) {
    FILE* file = fopen(path, "rb");
    if (!file) {
        printf("%s cannot be opened\n", path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char* text = calloc(*length + 1, 1);
    *length = fread(text, 1, *length, file);
    fclose(file);
    return text;
}

static void print_default(const WfSceneKey* key, const char* target, char text[WF_SCENE_TEXT]) {
    const char* field = target + key->offset;
    const double* number = (const double*)field;
    const char* names[WF_CHOICE_LIMIT];
    switch (key->type) {
        case WF_KEY_NUMBER:
            snprintf(text, WF_SCENE_TEXT, isinf(*number) ? "never" : "%g", *number);
            break;
        case WF_KEY_COUNT:
            snprintf(text, WF_SCENE_TEXT, "%d", *(const int*)field);
            break;
        case WF_KEY_FLAG:
            snprintf(text, WF_SCENE_TEXT, *(const bool*)field ? "true" : "false");
            break;
        case WF_KEY_POINT:
            snprintf(text, WF_SCENE_TEXT, "[%g, %g, %g]", number[0], number[1], number[2]);
            break;
        default:
            wf_scene_choices(key->group, names);
            snprintf(text, WF_SCENE_TEXT, "\"%s\"", names[*(const int*)field]);
    }
    if (key->required) snprintf(text, WF_SCENE_TEXT, "required");
}

// How the key's row in the document must begin: name, type, unit, default, range.
static void print_row(const WfSceneKey* key, const char* target, char row[1024]) {
    static const char* const types[] = {"number", "whole number", "true or false", "3 numbers",
                                        "one of"};
    char value[WF_SCENE_TEXT], range[WF_SCENE_TEXT] = "";
    const char* names[WF_CHOICE_LIMIT];
    if (key->type == WF_KEY_OWN) {
        snprintf(row, 1024, "| `%s` | ", key->name);
        return;
    }
    print_default(key, target, value);
    if (key->type == WF_KEY_CHOICE)
        wf_scene_words_text(names, wf_scene_choices(key->group, names), range);
    else if (key->type != WF_KEY_FLAG)
        wf_scene_range_text(key, range);
    snprintf(row, 1024, "| `%s` | %s | %s | %s | %s | ", key->name, types[key->type],
             key->unit ? key->unit : "", value, range);
}

// The part of the document under the heading `name`.
static char* find_section(const char* document, const char* name) {
    char heading[128];
    snprintf(heading, sizeof heading, "\n## %s\n", name);
    const char* start = strstr(document, heading);
    if (!start) return NULL;
    const char* end = strstr(start + 4, "\n## ");
    size_t length = end ? (size_t)(end - start) : strlen(start);
    char* section = calloc(length + 1, 1);
    memcpy(section, start, length);
    return section;
}

// Every table has a section in docs/NAME, every key a row in it. Returns how many tables there are.
static int check_document(const char* name, const WfSceneTable* (*table_at)(int index)) {
    char path[1024];
    size_t length;
    snprintf(path, sizeof path, WEFT_SOURCE "/docs/%s", name);
    char* document = read_text(path, &length);
    int table_count = 0;
    for (const WfSceneTable* table; (table = table_at(table_count)); table_count++) {
        char* section = find_section(document, table->name);
        if (!section) printf("docs/%s has no heading \"## %s\"\n", name, table->name);
        CHECK(section != NULL);
        if (!section) continue;
        char* target = calloc(1, table->target_size);
        if (table->set_defaults) table->set_defaults(target);
        for (int i = 0; i < table->key_count; i++) {
            char row[1024];
            print_row(&table->keys[i], target, row);
            CHECK_TEXT(section, row);
        }
        free(target);
        free(section);
    }
    free(document);
    return table_count;
}

#endif
