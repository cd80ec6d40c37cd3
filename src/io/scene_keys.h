// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a scene file may say, as tables: one table per kind of object, one row per key. Reading,
// range checks, the message for an unknown key and the test of docs/scene.md all go by them.

#ifndef WF_IO_SCENE_KEYS_H
#define WF_IO_SCENE_KEYS_H

#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "io/scene_place.h"
#include "weft/weft_io.h"

// One reading of one file.
typedef struct WfSceneReader {
    const char* text;     // the file
    const char* file;     // its name, for messages; NULL: they name no place
    const char* folder;   // where mesh files lie, or NULL
    const char* fabrics;  // folders of fabrics, or NULL
    const WfSceneNode* top;
    WeftScene* scene;      // what is being filled
    bool mirrors;          // the scene asks for a mirror, whether it can have it or not
    bool whole;            // it cannot, and is read again: all of it is simulated,
    char why[200];         // for this reason,
    bool pins_are_off;     // which is a pin, by its number in the mesh as it was mirrored
    WeftClothDef* cloths;  // scene->model.cloths
    WeftBodyDef* bodies;   // scene->model.bodies
    WeftMesh* mesh;        // of the cloth being read, in the scene
    int named_count;       // vertices as the file of that mesh has them, for numbers in the scene
    int* named;            // those that were welded, in the mesh as it was given; NULL: none were
    WeftMesh given;     // that mesh before a mirror changed it (scene_carry.c): places, triangles
                        // and flat shape; no vertices: none did
    WeftMirrorMap map;  // and where the vertices of the mesh come from
    double near;        // m: places that are nearer to each other are the same
    bool half;          // that mesh was half a cloth, and got its image
    int first_vertex;   // of that cloth, in the model's numbering
    int pin_capacity;   // of scene->pins
    // The number that a text stands for, where a number is due: formulas of patterns; or NULL
    WeftResult (*evaluate)(struct WfSceneReader* reader, const WfSceneNode* node, double* number);
    WeftError* error;
} WfSceneReader;

typedef enum WfKeyType {
    WF_KEY_NUMBER,  // double
    WF_KEY_COUNT,   // int
    WF_KEY_FLAG,    // bool
    WF_KEY_POINT,   // double[3]
    WF_KEY_CHOICE,  // an enumeration, by the names of a group of weft_choice()
    WF_KEY_OWN,     // read by a function of its own
} WfKeyType;

// Read the value at `node` into the table's struct at `target`.
typedef WeftResult WfSceneRead(WfSceneReader* reader, const WfSceneNode* node, void* target);

typedef struct WfSceneKey {
    const char* name;
    WfKeyType type;
    size_t offset;      // where the value goes in the table's struct
    double low, high;   // numbers, and every part of a point
    bool above, below;  // `low` itself, `high` itself is not allowed
    const char* unit;   // or NULL
    const char* group;  // of weft_choice()
    WfSceneRead* read;  // WF_KEY_OWN
    bool required;
} WfSceneKey;

typedef struct WfSceneTable {
    const char* name;  // as docs/scene.md heads it
    int key_count;
    const WfSceneKey* keys;  // in the order of reading, whatever the order in the file
    size_t target_size;
    void (*set_defaults)(void* target);  // or NULL: the caller does
    bool changes;  // keys change what is there already; defaults are for the documentation alone
} WfSceneTable;

#define WF_KEY_COUNT_OF(keys) ((int)(sizeof(keys) / sizeof((keys)[0])))

// Rows: a key of the same name as the field it fills.
#define WF_ROW_NUMBER(target, field, least, most, in)                                           \
    {                                                                                           \
        .name = #field, .type = WF_KEY_NUMBER, .offset = offsetof(target, field), .low = least, \
        .high = most, .unit = in                                                                \
    }
#define WF_ROW_ABOVE(target, field, bound, most, in)                                            \
    {                                                                                           \
        .name = #field, .type = WF_KEY_NUMBER, .offset = offsetof(target, field), .low = bound, \
        .high = most, .above = true, .unit = in                                                 \
    }
// A row from a range of the core (method/range.h), of a field of WeftStepDef.
#define WF_ROW_RANGE(place, key, kind, ...) WF_ROW_RANGE_OF(place, key, kind, __VA_ARGS__)
#define WF_ROW_RANGE_OF(place, key, kind, least, most, over, under, in)                         \
    {                                                                                           \
        .name = #key, .type = kind, .offset = place, .low = least, .high = most, .above = over, \
        .below = under, .unit = in                                                              \
    }
#define WF_ROW_COUNT(target, field, least, most)                                               \
    {                                                                                          \
        .name = #field, .type = WF_KEY_COUNT, .offset = offsetof(target, field), .low = least, \
        .high = most                                                                           \
    }
#define WF_ROW_POINT(target, field, in)                                                            \
    {                                                                                              \
        .name = #field, .type = WF_KEY_POINT, .offset = offsetof(target, field), .low = -HUGE_VAL, \
        .high = HUGE_VAL, .unit = in                                                               \
    }
#define WF_ROW_FLAG(target, field) \
    { .name = #field, .type = WF_KEY_FLAG, .offset = offsetof(target, field) }
#define WF_ROW_CHOICE(target, field, of) \
    { .name = #field, .type = WF_KEY_CHOICE, .offset = offsetof(target, field), .group = of }
#define WF_ROW_OWN(key, function) \
    { .name = key, .type = WF_KEY_OWN, .read = function }
#define WF_ROW_REQUIRED(key, function) \
    { .name = key, .type = WF_KEY_OWN, .read = function, .required = true }

// All of them, for the test of the documentation; NULL past the end.
const WfSceneTable* wf_scene_table(int index);

// Read an object by its table: defaults first, then what is there.
WeftResult wf_scene_read(WfSceneReader* reader, const WfSceneNode* node, const WfSceneTable* table,
                         void* target);

// Fail at the node's value (or its key), saying file:line:column first.
WeftResult wf_scene_fail(WfSceneReader* reader, const WfSceneNode* node, const char* format, ...)
    WF_PRINTF(3, 4);
WeftResult wf_scene_fail_key(WfSceneReader* reader, const WfSceneNode* node, const char* format,
                             ...) WF_PRINTF(3, 4);
// Put file:line:column before the message that is already there.
WeftResult wf_scene_fail_prefix(WfSceneReader* reader, const WfSceneNode* node, WeftResult result);

// The pieces that reading functions of their own are made of.
WeftResult wf_scene_expect(WfSceneReader* reader, const WfSceneNode* node, json_type type);
WeftResult wf_scene_number(WfSceneReader* reader, const WfSceneNode* node, const WfSceneKey* range,
                           double* number);
WeftResult wf_scene_count(WfSceneReader* reader, const WfSceneNode* node, const WfSceneKey* range,
                          int* number);
// An array of exactly `count` numbers of any size.
WeftResult wf_scene_numbers(WfSceneReader* reader, const WfSceneNode* node, int count,
                            double* numbers);
// A copy of a string, from the scene's allocator.
// Texts may not have control characters in them; `lines`: but for ends of lines and tabs.
WeftResult wf_scene_text(WfSceneReader* reader, const WfSceneNode* node, char** text);
WeftResult wf_scene_short_text(WfSceneReader* reader, const WfSceneNode* node, bool lines,
                               char* text, size_t size);
// Which of the words the string is.
WeftResult wf_scene_word(WfSceneReader* reader, const WfSceneNode* node, const char* const* words,
                         int count, int* index);
// The same with the words of a group of weft_choice(), whose order is that of the enumeration.
WeftResult wf_scene_choice(WfSceneReader* reader, const WfSceneNode* node, const char* group,
                           int* index);
enum { WF_CHOICE_LIMIT = 16 };  // names in a group
int wf_scene_choices(const char* group, const char* names[WF_CHOICE_LIMIT]);

enum { WF_SCENE_TEXT = 320 };  // room for the texts below
// "above 0, at most 100"; "any" without bounds.
const char* wf_scene_range_text(const WfSceneKey* key, char text[WF_SCENE_TEXT]);
// "a", "b" or "c"
const char* wf_scene_words_text(const char* const* words, int count, char text[WF_SCENE_TEXT]);

#endif
