// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Fabrics: the keys that scenes and fabric files share, and reading both.

#include "io/fabric.h"

#include <string.h>

#include "base/memory.h"
#include "io/file.h"
#include "io/scene_parts.h"
#include "material/elastic.h"
#include "material/fabric.h"

// What both tables fill: the fabric is in front, so that they have the same rows.
typedef struct FabricSpec {
    WeftFabric fabric;
    WeftLook look;
    WeftFabricFile* file;
    double fit_error;
} FabricSpec;

// ---------------------------------------------------------------------------------------------
// Constants

// One number for both directions, or [warp, weft].
static WeftResult read_stretch(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    static const WfSceneKey range = {.low = 0, .high = 1e9, .above = true, .unit = "N/m"};
    WeftFabric* fabric = target;
    if (json_is_array(node->value) && json_array_size(node->value) == 2) {
        WfSceneNode warp = wf_scene_item(node, 0), weft = wf_scene_item(node, 1);
        WeftResult result = wf_scene_number(reader, &warp, &range, &fabric->stretch_warp);
        if (result) return result;
        return wf_scene_number(reader, &weft, &range, &fabric->stretch_weft);
    }
    if (!json_is_number(node->value))
        return wf_scene_fail(reader, node, "\"stretch\" must be a number, or a list [warp, weft]");
    WeftResult result = wf_scene_number(reader, node, &range, &fabric->stretch_warp);
    fabric->stretch_weft = fabric->stretch_warp;
    return result;
}

// ---------------------------------------------------------------------------------------------
// Measured tables

enum { C11, C12, C22, C33 };
static const WfSceneKey any_stretch = {.low = -1e9, .high = 1e9, .unit = "N/m"};
static const WfSceneKey some_stretch = {.low = 0, .high = 1e9, .above = true, .unit = "N/m"};
static const WfSceneKey any_bend = {.low = 0, .high = 1e3, .unit = "N m"};

static WeftResult expect_list(WfSceneReader* reader, const WfSceneNode* node, int count,
                              const char* what) {
    if (json_is_array(node->value) && json_array_size(node->value) == (size_t)count) return WEFT_OK;
    return wf_scene_fail(reader, node, "a table of measured %s", what);
}

// Pulls on strips do not see all constants at all angles, so that fits of real fabrics have c12 and
// c33 below zero; but every fabric resists along its threads.
static const WfSceneKey* stretch_range(int row, int column) {
    bool sure = column == C11 || column == C22 || (row == 0 && column == C33);
    return sure ? &some_stretch : &any_stretch;
}

static const WfSceneKey* bend_range(int row, int column) {
    (void)row, (void)column;
    return &any_bend;
}

typedef struct Table {
    int rows, columns;
    const char* what;
    const WfSceneKey* (*range)(int row, int column);
} Table;

static WeftResult read_table(WfSceneReader* reader, const WfSceneNode* node, const Table* table,
                             double* numbers) {
    WeftResult result = expect_list(reader, node, table->rows, table->what);
    for (int i = 0; i < table->rows && !result; i++) {
        WfSceneNode row = wf_scene_item(node, (size_t)i);
        result = expect_list(reader, &row, table->columns, table->what);
        for (int k = 0; k < table->columns && !result; k++) {
            WfSceneNode item = wf_scene_item(&row, (size_t)k);
            result = wf_scene_number(reader, &item, table->range(i, k), numbers++);
        }
    }
    return result;
}

static WeftResult read_stretch_table(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    static const Table table = {6, 4, "stretch has 6 lists of 4 numbers: c11, c12, c22, c33",
                                stretch_range};
    return read_table(reader, node, &table, ((WeftMeasured*)target)->stretch[0]);
}

static WeftResult read_bend_table(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    static const Table table = {3, 5, "bending has 3 lists of 5 numbers, by curvature", bend_range};
    return read_table(reader, node, &table, ((WeftMeasured*)target)->bend[0]);
}

static void measured_defaults(void* target) {
    *(WeftMeasured*)target = (WeftMeasured){.reference_strain = 1.0 / 6};
}

static const WfSceneKey measured_keys[] = {
    WF_ROW_ABOVE(WeftMeasured, reference_strain, 0, 2, NULL),
    WF_ROW_OWN("stretch", read_stretch_table),
    WF_ROW_OWN("bend", read_bend_table),
};

const WfSceneTable wf_scene_measured_table = {
    .name = "measured",
    .key_count = WF_KEY_COUNT_OF(measured_keys),
    .keys = measured_keys,
    .target_size = sizeof(WeftMeasured),
    .set_defaults = measured_defaults,
};

static WeftResult read_measured(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_read(reader, node, &wf_scene_measured_table, &((WeftFabric*)target)->measured);
}

// ---------------------------------------------------------------------------------------------
// Fabrics in scenes

// What is wrong inside another file has a place there; what is wrong with its name, here.
static WeftResult read_base(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    FabricSpec* spec = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_STRING);
    if (result) return result;
    result = weft_find_fabric(json_string_value(node->value), reader->folder, reader->fabrics,
                              spec->file, reader->error);
    if (result == WEFT_ERROR_FILE) return wf_scene_fail_prefix(reader, node, result);
    if (result) return result;
    spec->fabric = spec->file->fabric;
    spec->look = spec->file->look;
    return WEFT_OK;
}

static WeftResult read_look(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_read_look(reader, node, &((FabricSpec*)target)->look);
}

// A strain; {"load": N/m}; "none" or "auto".
static WeftResult read_compression(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftFabric* fabric = target;
    const char* word = json_string_value(node->value);
    WfSceneNode load = wf_scene_member(node, "load");
    fabric->compression = fabric->compression_load = 0;
    if (word && strcmp(word, "auto") == 0) return WEFT_OK;
    if (word && strcmp(word, "none") == 0) {
        fabric->compression = WEFT_UNYIELDING;
        return WEFT_OK;
    }
    if (json_is_number(node->value)) {
        fabric->compression = json_number_value(node->value);
        if (fabric->compression > 0 && fabric->compression <= 1) return WEFT_OK;
    } else if (load.value && json_object_size(node->value) == 1) {
        fabric->compression_load = json_number_value(load.value);
        if (fabric->compression_load > 0 && fabric->compression_load <= 1e9) return WEFT_OK;
    }
    return wf_scene_fail(reader, node,
                         "compression is a strain above 0 and up to 1, {\"load\": N/m}, \"none\" "
                         "or \"auto\"");
}

// The base comes first: what stands beside it wins over it.
#define FABRIC_ROWS                                                                               \
    WF_ROW_ABOVE(WeftFabric, density, 0, 100, "kg/m^2"), WF_ROW_OWN("stretch", read_stretch),     \
        WF_ROW_NUMBER(WeftFabric, shear, 0, 1e9, "N/m"),                                          \
        WF_ROW_NUMBER(WeftFabric, poisson, 0, 0.99, NULL),                                        \
        WF_ROW_NUMBER(WeftFabric, bend, 0, 1e3, "N m"),                                           \
        WF_ROW_NUMBER(WeftFabric, bend_spring, 0, 1e9, "N/m"),                                    \
        WF_ROW_OWN("compression", read_compression),                                              \
        WF_ROW_NUMBER(WeftFabric, mass_damping, 0, 1e3, "1/s"),                                   \
        WF_ROW_NUMBER(WeftFabric, stretch_damping, 0, 10, "s"),                                   \
        WF_ROW_NUMBER(WeftFabric, bend_damping, 0, 10, "s"),                                      \
        WF_ROW_NUMBER(WeftFabric, air_drag, 0, 100, NULL),                                        \
        WF_ROW_NUMBER(WeftFabric, air_friction, 0, 100, NULL),                                    \
        WF_ROW_ABOVE(WeftFabric, rope_density, 0, 100, "kg/m"),                                   \
        WF_ROW_ABOVE(WeftFabric, rope_stretch, 0, 1e9, "N"),                                      \
        WF_ROW_NUMBER(WeftFabric, rope_bend, 0, 1e3, "N m^2"),                                    \
        WF_ROW_NUMBER(WeftFabric, thickness, 1e-5, 0.1, "m"),                                     \
        WF_ROW_NUMBER(WeftFabric, friction, 0, 100, NULL), WF_ROW_OWN("measured", read_measured), \
        WF_ROW_OWN("look", read_look)

static void fabric_defaults(void* target) { ((FabricSpec*)target)->fabric = weft_default_fabric(); }

static const WfSceneKey fabric_keys[] = {WF_ROW_OWN("base", read_base), FABRIC_ROWS};

const WfSceneTable wf_scene_fabric_table = {
    .name = "fabric",
    .key_count = WF_KEY_COUNT_OF(fabric_keys),
    .keys = fabric_keys,
    .target_size = sizeof(FabricSpec),
    .set_defaults = fabric_defaults,
};

static bool has_key(const WfSceneNode* node, const char* key) {
    return wf_scene_member(node, key).value != NULL;
}

// Tables that come without constants get some, for the models that go by constants.
static void complete_constants(const WfSceneNode* node, WeftFabric* fabric) {
    if (!has_key(node, "measured")) return;
    WeftFabric fitted = *fabric;
    weft_fit_constants(&fitted);
    if (!has_key(node, "stretch")) {
        fabric->stretch_warp = fitted.stretch_warp;
        fabric->stretch_weft = fitted.stretch_weft;
    }
    if (!has_key(node, "shear")) fabric->shear = fitted.shear;
    if (!has_key(node, "poisson")) fabric->poisson = fitted.poisson;
    if (!has_key(node, "bend")) fabric->bend = fitted.bend;
}

WeftResult wf_read_fabric(WfSceneReader* reader, const WfSceneNode* node, WeftFabricFile* file) {
    FabricSpec spec = {.look = file->look, .file = file};
    if (json_is_string(node->value)) return read_base(reader, node, &spec);
    file->name[0] = 0;
    WeftResult result = wf_scene_read(reader, node, &wf_scene_fabric_table, &spec);
    if (result) return result;
    complete_constants(node, &spec.fabric);
    file->fabric = spec.fabric;
    file->look = spec.look;
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Fabric files

static WeftResult read_version(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)target;
    if (json_is_integer(node->value) && json_integer_value(node->value) == 1) return WEFT_OK;
    return wf_scene_fail(reader, node, "\"weft_fabric\" must be 1, the version of the format");
}

static WeftResult read_name(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftFabricFile* file = ((FabricSpec*)target)->file;
    return wf_scene_short_text(reader, node, false, file->name, sizeof file->name);
}
static WeftResult read_description(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftFabricFile* file = ((FabricSpec*)target)->file;
    return wf_scene_short_text(reader, node, true, file->description, sizeof file->description);
}
static WeftResult read_source(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftFabricFile* file = ((FabricSpec*)target)->file;
    return wf_scene_short_text(reader, node, true, file->source, sizeof file->source);
}

static const WfSceneKey file_keys[] = {
    WF_ROW_REQUIRED("weft_fabric", read_version),    WF_ROW_OWN("name", read_name),
    WF_ROW_OWN("description", read_description),     WF_ROW_OWN("source", read_source),
    WF_ROW_NUMBER(FabricSpec, fit_error, 0, 1, "m"), FABRIC_ROWS,
};

const WfSceneTable wf_fabric_file_table = {
    .name = "fabric file",
    .key_count = WF_KEY_COUNT_OF(file_keys),
    .keys = file_keys,
    .target_size = sizeof(FabricSpec),
};

// What a scene may leave out and a file may not.
static WeftResult check_complete(WfSceneReader* reader, const WfSceneNode* top) {
    WfSceneNode measured = wf_scene_member(top, "measured");
    if (!has_key(top, "density")) return wf_scene_fail(reader, top, "\"density\" is missing here");
    if (!has_key(top, "stretch") && !(measured.value && has_key(&measured, "stretch")))
        return wf_scene_fail(
            reader, top, "\"stretch\" is missing here, and so is a table of it in \"measured\"");
    return WEFT_OK;
}

// "denim" of "fabrics/denim.json", for fabrics that do not name themselves.
static void name_from_file(const char* path, char* name, size_t size) {
    const char* start = wf_file_name(path);
    size_t length = strcspn(start, ".");
    if (length >= size) length = size - 1;
    memcpy(name, start, length);
    name[length] = 0;
}

static WeftResult read_top(WfSceneReader* reader, const json_t* root, WeftFabricFile* file) {
    WfSceneNode top = {.value = root};
    reader->top = &top;
    if (!json_is_object(root)) return wf_scene_fail(reader, &top, "a fabric must be an object");
    *file = (WeftFabricFile){0};
    FabricSpec spec = {.fabric = weft_default_fabric(), .look = weft_default_look(0), .file = file};
    WeftResult result = wf_scene_read(reader, &top, &wf_fabric_file_table, &spec);
    if (!result) result = check_complete(reader, &top);
    if (result) return result;
    complete_constants(&top, &spec.fabric);
    file->fabric = spec.fabric;
    file->look = spec.look;
    file->fit_error = spec.fit_error;
    if (!file->name[0]) name_from_file(reader->file, file->name, sizeof file->name);
    result = wf_check_fabric(&file->fabric, reader->error);
    if (!result) result = wf_check_measured(&file->fabric.measured, reader->error);
    return result ? wf_scene_fail_prefix(reader, &top, result) : WEFT_OK;
}

WeftResult weft_parse_fabric(const char* text, size_t length, const char* name,
                             WeftFabricFile* fabric, WeftError* error) {
    WeftError unheard;
    WeftFabricFile read;
    json_t* root;
    if (!error) error = &unheard;
    WeftResult result = wf_parse_json(&text, length, name, &root, error);
    if (result) return result;
    WfSceneReader reader = {.text = text, .file = name, .error = error};
    result = read_top(&reader, root, &read);
    if (!result) *fabric = read;
    json_decref(root);
    return result;
}

WeftResult weft_load_fabric(const char* path, WeftFabricFile* fabric, WeftError* error) {
    WeftAllocator memory = wf_allocator(NULL);
    char* text = NULL;
    size_t length = 0;
    WeftResult result = wf_read_file(path, &memory, &text, &length, error);
    if (!result) result = weft_parse_fabric(text, length, path, fabric, error);
    wf_free(&memory, text);
    return result;
}
