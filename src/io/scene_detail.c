// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "detail": by what a cloth is shown. A text is the file of what was learned, which is read when
// something is shown (show.c): a scene can be loaded before it was learned.

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "io/scene_parts.h"

static const double MOST_TRIANGLES = 4e6;  // shown; screens have fewer points
enum { MOST_PARTS = 16 };

typedef struct DetailSpec {
    int parts;    // 0: not said
    char* mesh;   // a file, or NULL
    int surface;  // WeftDetailSurface
    double texture_scale;
} DetailSpec;

static void detail_defaults(void* target) {
    *(DetailSpec*)target = (DetailSpec){.surface = WEFT_SURFACE_SMOOTH, .texture_scale = 1};
}

static WeftResult read_parts(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    const WfSceneKey range = {.low = 1, .high = MOST_PARTS};
    return wf_scene_count(reader, node, &range, &((DetailSpec*)target)->parts);
}

static WeftResult read_detail_mesh(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_text(reader, node, &((DetailSpec*)target)->mesh);
}

static WeftResult read_surface(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    static const char* const words[] = {"flat", "smooth"};  // in the order of the enumeration
    return wf_scene_word(reader, node, words, 2, &((DetailSpec*)target)->surface);
}

static WeftResult read_detail_place(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)reader, (void)node, (void)target;
    return WEFT_OK;  // read with the mesh
}

static const WfSceneKey detail_keys[] = {
    WF_ROW_OWN("parts", read_parts),        WF_ROW_OWN("mesh", read_detail_mesh),
    WF_ROW_OWN("surface", read_surface),    WF_ROW_ABOVE(DetailSpec, texture_scale, 0, 1000, "m"),
    WF_ROW_OWN("place", read_detail_place),
};

const WfSceneTable wf_scene_detail_table = {
    .name = "detail",
    .key_count = WF_KEY_COUNT_OF(detail_keys),
    .keys = detail_keys,
    .target_size = sizeof(DetailSpec),
    .set_defaults = detail_defaults,
};

// ---------------------------------------------------------------------------------------------

static bool is_worn(const WeftScene* scene, int cloth) {
    for (int i = 0; i < scene->wear_count; i++)
        if (scene->wears[i].cloth == cloth) return true;
    return false;
}

// Where it says, or where the mesh of the cloth was put. That of a garment is where it was before
// it was put on, and says nothing of it now.
static WeftResult place_mesh(WfSceneReader* reader, const WfSceneNode* node,
                             const WfSceneNode* cloth, int index, WeftMesh* mesh) {
    WfSceneNode own = wf_scene_member(node, "place"), place = own;
    WfStand stand;
    if (!own.value && !is_worn(reader->scene, index)) place = wf_scene_member(cloth, "place");
    if (!place.value) return WEFT_OK;
    WeftResult result = wf_scene_read_stand(reader, &place, &stand);
    if (result) return result;
    WfVec axis = wf_load(stand.axis, 0), move = wf_load(stand.move, 0);
    for (int i = 0; i < mesh->vertex_count; i++) {
        WfVec x = wf_mul(stand.scale, wf_load(mesh->positions, i));
        wf_store(mesh->positions, i, wf_add(wf_scene_turn(x, axis, stand.degrees), move));
    }
    return WEFT_OK;
}

static WeftResult read_mesh(WfSceneReader* reader, const WfSceneNode* node,
                            const WfSceneNode* cloth, int index, const DetailSpec* spec) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    WeftMesh* mesh = &reader->scene->details[index].mesh;
    char* path = wf_scene_file_path(reader, spec->mesh);
    if (!path) return wf_fail_memory(reader->error);
    WeftResult result = weft_read_obj(path, spec->texture_scale, allocator, mesh, reader->error);
    wf_free(allocator, path);
    // what is wrong inside the file has a place there
    if (result == WEFT_ERROR_FILE) return wf_scene_fail_prefix(reader, node, result);
    return result ? result : place_mesh(reader, node, cloth, index, mesh);
}

static WeftResult check_parts(WfSceneReader* reader, const WfSceneNode* node, int triangles,
                              int parts) {
    double count = (double)triangles * parts * parts;
    WfSceneNode member = wf_scene_member(node, "parts");
    if (count <= MOST_TRIANGLES) return WEFT_OK;
    return wf_scene_fail(reader, &member,
                         "%d triangles with edges in %d parts would be shown as %.0f triangles: "
                         "%.0f at most",
                         triangles, parts, count, MOST_TRIANGLES);
}

// What is said of a mesh needs one.
static WeftResult check_mesh_keys(WfSceneReader* reader, const WfSceneNode* node) {
    static const char* const keys[] = {"texture_scale", "place"};
    for (int i = 0; i < 2; i++) {
        WfSceneNode member = wf_scene_member(node, keys[i]);
        if (member.value)
            return wf_scene_fail_key(reader, &member, "\"%s\" is of a \"mesh\", and here is none",
                                     keys[i]);
    }
    return WEFT_OK;
}

static WeftResult use_spec(WfSceneReader* reader, const WfSceneNode* node, const WfSceneNode* cloth,
                           int index, const DetailSpec* spec) {
    WeftSceneDetail* detail = &reader->scene->details[index];
    if ((spec->parts > 0) == (spec->mesh != NULL))
        return wf_scene_fail(reader, node, "give \"parts\" or \"mesh\"%s",
                             spec->mesh ? ", not both" : "");
    detail->surface = (WeftDetailSurface)spec->surface;
    if (spec->mesh && !spec->mesh[0]) {
        WfSceneNode member = wf_scene_member(node, "mesh");
        return wf_scene_fail(reader, &member, "\"mesh\" names no file");
    }
    if (spec->mesh) return read_mesh(reader, node, cloth, index, spec);
    WeftResult result = check_mesh_keys(reader, node);
    if (!result)
        result =
            check_parts(reader, node, reader->scene->meshes[index].triangle_count, spec->parts);
    detail->parts = spec->parts;
    return result;
}

// A learned file by its name, or an object. `node` is the detail, of the cloth at `cloth`.
static WeftResult read_detail(WfSceneReader* reader, const WfSceneNode* node,
                              const WfSceneNode* cloth, int index) {
    WeftScene* scene = reader->scene;
    DetailSpec spec = {0};
    if (scene->meshes[index].triangle_count == 0)
        return wf_scene_fail_key(reader, node, "a rope is shown as it is: no \"detail\" here");
    if (json_is_string(node->value)) {
        char* name = NULL;
        WeftResult result = wf_scene_text(reader, node, &name);
        if (result) return result;
        if (name[0]) scene->details[index].file = wf_scene_file_path(reader, name);
        bool empty = !name[0];
        wf_free(&scene->allocator, name);
        if (empty) return wf_scene_fail(reader, node, "\"detail\" names no file");
        return scene->details[index].file ? WEFT_OK : wf_fail_memory(reader->error);
    }
    if (!json_is_object(node->value))
        return wf_scene_fail(reader, node, "\"detail\" must be the name of a file, or an object");
    WeftResult result = wf_scene_read(reader, node, &wf_scene_detail_table, &spec);
    if (!result) result = use_spec(reader, node, cloth, index, &spec);
    wf_free(&scene->allocator, spec.mesh);
    return result;
}

WeftResult wf_scene_read_detail(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)target;
    int index = (int)(reader->mesh - reader->scene->meshes);
    return read_detail(reader, node, node->parent, index);
}

// At the top of a scene that has one cloth.
WeftResult wf_scene_read_only_detail(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    const WeftScene* scene = target;
    if (scene->model.cloth_count != 1)
        return wf_scene_fail_key(reader, node,
                                 "\"detail\" is of one cloth, and here are %d: give it to a cloth",
                                 scene->model.cloth_count);
    WfSceneNode cloths = wf_scene_member(node->parent, "cloths");
    WfSceneNode cloth = wf_scene_item(&cloths, 0), other = wf_scene_member(&cloth, "detail");
    if (other.value)
        return wf_scene_fail_key(reader, node, "the cloth has a \"detail\" of its own");
    return read_detail(reader, node, &cloth, 0);
}

static void free_detail(WeftScene* scene, int cloth) {
    wf_free(&scene->allocator, scene->details[cloth].file);
    weft_destroy_mesh(&scene->details[cloth].mesh);
    scene->details[cloth] = (WeftSceneDetail){0};
}

void wf_scene_free_details(WeftScene* scene) {
    for (int c = 0; c < scene->model.cloth_count; c++) free_detail(scene, c);
    wf_free(&scene->allocator, scene->details);
}

WeftResult weft_set_scene_detail(WeftScene* scene, int cloth, const char* path, WeftError* error) {
    wf_assert(cloth >= 0 && cloth < scene->model.cloth_count);
    if (path && scene->meshes[cloth].triangle_count == 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "cloth %d is a rope, which is shown as it is",
                       cloth);
    size_t size = path ? strlen(path) + 1 : 0;
    char* file = path ? wf_alloc(&scene->allocator, size, 1) : NULL;
    if (path && !file) return wf_fail_memory(error);
    if (path) memcpy(file, path, size);
    free_detail(scene, cloth);
    scene->details[cloth].file = file;
    return WEFT_OK;
}
