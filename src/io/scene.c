// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Scene files: the top of the file, and the way from a path to a WeftScene.
//
//     text -> jansson (syntax) -> tables (keys, types, ranges) -> defs -> weft_create_model (sense)
//
// scene_keys.c reads objects by their tables, scene_place.c finds where a wrong value stands.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/fabric.h"
#include "io/file.h"
#include "io/scene_parts.h"
#include "method/range.h"

// ---------------------------------------------------------------------------------------------
// The top of the file

static WeftResult read_version(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)target;
    if (json_is_integer(node->value) && json_integer_value(node->value) == 1) return WEFT_OK;
    return wf_scene_fail(reader, node, "\"weft\" must be 1, the version of the format");
}

static WeftResult read_name(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_text(reader, node, &((WeftScene*)target)->name);
}

// A start that fits the whole scene need not fit its halves: whether it has any comes first.
static WeftResult read_start(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftResult result = wf_scene_read_start(reader, node, target);
    WeftError error = *reader->error;
    if (!result || result == WEFT_ERROR_MEMORY) return result;
    WeftResult judged = wf_scene_sort_pins(reader);
    if (!judged) judged = wf_scene_judge_mirror(reader);
    if (judged) return judged;
    *reader->error = error;
    return result;
}

static void scene_defaults(void* target) {
    WeftScene* scene = target;
    scene->model = weft_default_model_def();
    scene->model.allocator = scene->findings.allocator = scene->allocator;
    scene->duration = 4;
    scene->pace = 1;
    scene->bound = 0.005;
    scene->space.motion = -1;
}

// `step` comes first, because gravity and air are part of it too; bodies and cloths need the
// motions, and a start the garments.
static const WfSceneKey scene_keys[] = {
    WF_ROW_REQUIRED("weft", read_version),
    WF_ROW_OWN("name", read_name),
    WF_ROW_NUMBER(WeftScene, duration, 0, 86400, "s"),
    WF_ROW_OWN("step", wf_scene_read_step),
    {.name = "gravity",
     .type = WF_KEY_POINT,
     .offset = offsetof(WeftScene, model.step.gravity),
     .low = -1000,
     .high = 1000,
     .unit = "m/s^2"},
    WF_ROW_OWN("wind", wf_scene_read_wind),
    WF_ROW_OWN("winds", wf_scene_read_winds),
    WF_ROW_RANGE(offsetof(WeftScene, model.step.air_density), air_density, WF_KEY_NUMBER,
                 WF_RANGE_AIR_DENSITY),
    {.name = "ordering",
     .type = WF_KEY_CHOICE,
     .offset = offsetof(WeftScene, model.ordering),
     .group = "ordering"},
    {.name = "matrices",
     .type = WF_KEY_CHOICE,
     .offset = offsetof(WeftScene, model.matrices),
     .group = "matrices"},
    {.name = "same_bits", .type = WF_KEY_FLAG, .offset = offsetof(WeftScene, model.same_bits)},
    {.name = "contact",
     .type = WF_KEY_CHOICE,
     .offset = offsetof(WeftScene, model.contact),
     .group = "contact"},
    WF_ROW_OWN("mirror", wf_scene_read_mirror),
    WF_ROW_OWN("motions", wf_scene_read_motions),
    WF_ROW_OWN("space", wf_scene_read_space),
    WF_ROW_OWN("bodies", wf_scene_read_bodies),
    WF_ROW_REQUIRED("cloths", wf_scene_read_cloths),
    WF_ROW_OWN("pair_frictions", wf_scene_read_pairs),
    WF_ROW_OWN("attachments", wf_scene_read_attachments),
    WF_ROW_OWN("cuts", wf_scene_read_cuts),
    {.name = "tear_at_once",
     .type = WF_KEY_FLAG,
     .offset = offsetof(WeftScene, model.tear_at_once)},
    WF_ROW_OWN("detail", wf_scene_read_only_detail),
    WF_ROW_OWN("start", read_start),
};

static const WfSceneTable scene_table = {
    .name = "scene",
    .key_count = WF_KEY_COUNT_OF(scene_keys),
    .keys = scene_keys,
    .target_size = sizeof(WeftScene),
    .set_defaults = scene_defaults,
};

const WfSceneTable* wf_scene_table(int index) {
    static const WfSceneTable* const tables[] = {
        &scene_table,           &wf_scene_step_table,      &wf_scene_track_table,
        &wf_scene_motion_table, &wf_scene_cloth_table,     &wf_scene_place_table,
        &wf_scene_turn_table,   &wf_scene_fabric_table,    &wf_scene_measured_table,
        &wf_scene_scales_table, &wf_scene_region_table,    &wf_scene_estimator_table,
        &wf_scene_pin_table,    &wf_scene_side_table,      &wf_scene_mirror_table,
        &wf_scene_detail_table, &wf_scene_animation_table, &wf_scene_pair_table,
        &wf_scene_wind_table,   &wf_scene_attach_table,    &wf_scene_cut_table,
        &wf_scene_space_table,  &wf_scene_teleport_table,  &wf_scene_look_table,
        &wf_scene_print_table,
    };
    int count = (int)(sizeof tables / sizeof tables[0]), mesh_count = 0;
    if (index < count) return tables[index];
    while (wf_scene_mesh_table(mesh_count)) mesh_count++;
    index -= count;
    return index < mesh_count ? wf_scene_mesh_table(index)
                              : wf_scene_body_table(index - mesh_count);
}

// ---------------------------------------------------------------------------------------------
// Parse, load, destroy

// "demo" of "scenes/demo.json", for scenes that do not name themselves.
static char* name_from_file(const WeftAllocator* allocator, const char* file) {
    if (!file) file = "scene";
    const char* start = wf_file_name(file);
    size_t length = strcspn(start, ".");
    char* name = wf_alloc(allocator, length + 1, 1);
    if (name) memcpy(name, start, length);
    return name;
}

static WeftResult read_scene(WfSceneReader* reader, const json_t* root) {
    WfSceneNode top = {.value = root};
    reader->top = &top;
    WeftScene* scene = reader->scene;
    WeftResult result = wf_scene_read(reader, &top, &scene_table, scene);
    if (!result) result = wf_scene_sort_pins(reader);
    if (!result) result = wf_scene_judge_mirror(reader);
    if (!result && !scene->name) {
        scene->name = name_from_file(&scene->allocator, reader->file);
        if (!scene->name) result = wf_fail_memory(reader->error);
    }
    return result;
}

static WeftResult fail_syntax(WeftError* error, const char* name, const json_error_t* syntax) {
    if (json_error_code(syntax) == json_error_out_of_memory) return wf_fail_memory(error);
    return wf_fail(error, WEFT_ERROR_INPUT, "%s:%d:%d: %s", name ? name : "scene",
                   syntax->line > 0 ? syntax->line : 1, syntax->column > 0 ? syntax->column : 1,
                   syntax->text);
}

WeftResult wf_parse_json(const char** text, size_t length, const char* name, json_t** root,
                         WeftError* error) {
    static const char mark[] = "\xEF\xBB\xBF";
    json_error_t syntax;
    size_t skipped = length >= 3 && memcmp(*text, mark, 3) == 0 ? 3 : 0;
    *text += skipped;
    *root = json_loadb(*text, length - skipped, JSON_REJECT_DUPLICATES, &syntax);
    return *root ? WEFT_OK : fail_syntax(error, name, &syntax);
}

// Into a scene of the reader.
static WeftResult read_all(WfSceneReader* reader, const json_t* root,
                           const WeftAllocator* allocator) {
    WeftAllocator memory = wf_allocator(allocator);
    reader->scene = wf_alloc(&memory, 1, sizeof *reader->scene);
    if (!reader->scene) return wf_fail_memory(reader->error);
    reader->scene->allocator = memory;
    WeftResult result = read_scene(reader, root);
    if (result) weft_destroy_scene(reader->scene);
    return result;
}

// Again, without the mirror that the first reading has given up.
static WeftResult read_whole(WfSceneReader* reader, const json_t* root,
                             const WeftAllocator* allocator) {
    WfSceneReader again = {.text = reader->text,
                           .file = reader->file,
                           .folder = reader->folder,
                           .fabrics = reader->fabrics,
                           .whole = true,
                           .error = reader->error};
    WeftResult result = read_all(&again, root, allocator);
    reader->scene = again.scene;
    if (result) return result;
    result = wf_scene_tell_whole(&again, reader);
    if (result) weft_destroy_scene(again.scene);
    return result;
}

WeftResult weft_parse_scene(const char* text, size_t length, const char* name, const char* folder,
                            const char* fabrics, const WeftAllocator* allocator, WeftScene** scene,
                            WeftError* error) {
    WeftError unheard;
    json_t* root;
    if (!error) error = &unheard;
    WeftResult result = wf_parse_json(&text, length, name, &root, error);
    if (result) return result;

    WfSceneReader reader = {
        .text = text, .file = name, .folder = folder, .fabrics = fabrics, .error = error};
    result = read_all(&reader, root, allocator);
    if (reader.whole && result == WEFT_ERROR_INPUT) result = read_whole(&reader, root, allocator);
    if (!result) *scene = reader.scene;
    json_decref(root);
    return result;
}

static const long LARGEST_FILE = 1L << 30;  // bytes; folders pretend to be larger

WeftResult wf_read_file(const char* path, const WeftAllocator* allocator, char** text,
                        size_t* length, WeftError* error) {
    FILE* file = wf_open_file(path, "rb");
    if (!file) return wf_fail(error, WEFT_ERROR_FILE, "%s: %s", path, strerror(errno));
    WeftResult result = WEFT_OK;
    long size = -1;
    if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    if (size < 0 || size > LARGEST_FILE || fseek(file, 0, SEEK_SET) != 0) {
        result = wf_fail(error, WEFT_ERROR_FILE, "%s: cannot be read", path);
        goto done;
    }
    *text = wf_alloc(allocator, (size_t)size, 1);
    if (!*text) {
        result = wf_fail_memory(error);
        goto done;
    }
    *length = fread(*text, 1, (size_t)size, file);
    if (ferror(file)) result = wf_fail(error, WEFT_ERROR_FILE, "%s: cannot be read", path);
done:
    fclose(file);
    return result;
}

WeftResult weft_load_scene(const char* path, const char* fabrics, const WeftAllocator* allocator,
                           WeftScene** scene, WeftError* error) {
    WeftAllocator memory = wf_allocator(allocator);
    char *text = NULL, *folder = NULL;
    size_t length = 0;
    const char* name = wf_file_name(path);
    size_t folder_length = name > path ? (size_t)(name - path) - 1 : 0;
    WeftResult result = wf_read_file(path, &memory, &text, &length, error);
    if (result) goto done;
    folder = wf_alloc(&memory, folder_length + 2, 1);
    if (!folder) {
        result = wf_fail_memory(error);
        goto done;
    }
    memcpy(folder, path, folder_length);
    if (name == path + 1) folder[0] = '/';
    result = weft_parse_scene(text, length, path, folder, fabrics, allocator, scene, error);
done:
    wf_free(&memory, folder);
    wf_free(&memory, text);
    return result;
}

void weft_destroy_scene(WeftScene* scene) {
    if (!scene) return;
    WeftAllocator allocator = scene->allocator;
    wf_scene_free_cloths(scene);
    wf_scene_free_bodies(scene);
    wf_free(&scene->allocator, (void*)scene->model.pair_frictions);
    wf_scene_free_wears(scene);
    wf_scene_free_motions(scene);
    wf_scene_free_attachments(scene);
    wf_scene_free_cuts(scene);
    wf_scene_free_space(scene);
    weft_destroy_findings(&scene->findings);
    wf_free(&allocator, (void*)scene->model.step.winds);
    wf_free(&allocator, scene->pins);
    wf_free(&allocator, scene->name);
    wf_free(&allocator, scene);
}
