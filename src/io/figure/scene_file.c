// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Files that assimp opens: glTF, FBX, Collada, PLY, STL and more. It is asked for triangles and
// little else, so that what comes is what the file has; the rest is done here.
//
//     file -> nodes, each with a frame in its parent's
//          -> meshes of nodes, and bones, which are nodes too       scene_skin.c
//          -> animations, which move nodes                          scene_clip.c
//
// Units and axes: glTF is in metres and y up. FBX says its unit in centimetres and its axes, in
// metadata. Others say nothing, and are taken by their size (shape.c).

#include "io/figure/scene_file.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/file.h"

enum { MOST_NODES = 1 << 20 };
static const long LARGEST_FILE = 1L << 29;  // bytes

// ---------------------------------------------------------------------------------------------
// Opening

// assimp says only "unable to open" of what is not there.
static WeftResult check_file(const WfFigureReader* r, const char* path, long* bytes) {
    FILE* file = wf_open_file(path, "rb");
    if (!file)
        return wf_fail(r->error, WEFT_ERROR_FILE, "%s: cannot open: %s", path, strerror(errno));
    long size = -1;
    if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    fclose(file);
    *bytes = size;
    if (size < 0) return wf_fail(r->error, WEFT_ERROR_FILE, "%s: cannot be read", path);
    if (size == 0) return wf_fail(r->error, WEFT_ERROR_INPUT, "%s: the file is empty", path);
    if (size > LARGEST_FILE)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "%s: the file has more than 512 MB", path);
    return WEFT_OK;
}

WfAffine wf_affine_of(const struct aiMatrix4x4* m) {
    return (WfAffine){{{(double)m->a1, (double)m->b1, (double)m->c1},
                       {(double)m->a2, (double)m->b2, (double)m->c2},
                       {(double)m->a3, (double)m->b3, (double)m->c3}},
                      {(double)m->a4, (double)m->b4, (double)m->c4}};
}

static int count_nodes(const struct aiNode* node, int depth) {
    int count = 1;
    if (depth > 1000) return MOST_NODES;
    for (unsigned i = 0; i < node->mNumChildren && count < MOST_NODES; i++)
        count += count_nodes(node->mChildren[i], depth + 1);
    return count;
}

static void list_nodes(WfSceneFile* file, const struct aiNode* node, int parent) {
    int index = file->node_count++;
    file->nodes[index] =
        (WfNode){.node = node, .parent = parent, .local = wf_affine_of(&node->mTransformation)};
    for (unsigned i = 0; i < node->mNumChildren; i++) list_nodes(file, node->mChildren[i], index);
}

static void close_scene(const WfFigureReader* r, WfSceneFile* file) {
    wf_free(&r->allocator, file->nodes);
    if (file->scene) aiReleaseImport(file->scene);
}

// First by a child process, which may die of it.
static WeftResult import_file(WfFigureReader* r, const char* path, WfSceneFile* file) {
    const unsigned steps = aiProcess_Triangulate | aiProcess_ValidateDataStructure;
    char why[200];
    long size = 0;
    WeftResult result = check_file(r, path, &size);
    if (result) return result;
    WfRehearsal rehearsal = wf_rehearse(path, steps, (double)size, why, sizeof why);
    if (rehearsal == WF_REHEARSAL_DEADLY)
        return wf_fail(r->error, WEFT_ERROR_INPUT,
                       "%s: the file is broken: nothing sensible can be read from it", path);
    if (rehearsal == WF_REHEARSAL_REFUSED)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "%s: %s", path, why[0] ? why : "cannot be read");
    file->path = path;
    file->scene = aiImportFile(path, steps);
    if (!file->scene)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "%s: %s", path, aiGetErrorString());
    return WEFT_OK;
}

static WeftResult open_scene(WfFigureReader* r, const char* path, WfSceneFile* file) {
    WeftResult result = import_file(r, path, file);
    if (result) return result;
    if (!file->scene->mRootNode)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "%s: nothing is in it", path);
    int count = count_nodes(file->scene->mRootNode, 0);
    if (count >= MOST_NODES)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "%s: too many nodes are in it", path);
    file->nodes = wf_alloc(&r->allocator, (size_t)count, sizeof *file->nodes);
    if (!file->nodes) return wf_fail_memory(r->error);
    list_nodes(file, file->scene->mRootNode, -1);
    return WEFT_OK;
}

// Names of bones are cut short, and so a long one is compared as far as it goes.
int wf_find_node(const WfSceneFile* file, const char* name) {
    bool cut = strlen(name) == WEFT_NAME_SIZE - 1;
    int like = -1;
    for (int i = 0; i < file->node_count; i++) {
        const char* other = file->nodes[i].node->mName.data;
        if (strcmp(other, name) == 0) return i;
        if (cut && like < 0 && strncmp(other, name, WEFT_NAME_SIZE - 1) == 0) like = i;
    }
    return like;
}

void wf_place_nodes(const WfAffine* turn, const WfAffine* locals, int node_count,
                    const WfNode* nodes, WfAffine* globals) {
    for (int i = 0; i < node_count; i++) {
        int parent = nodes[i].parent;
        globals[i] = wf_affine_join(parent < 0 ? turn : &globals[parent], &locals[i]);
    }
}

// ---------------------------------------------------------------------------------------------
// What the file says of itself

static bool find_number(const struct aiMetadata* data, const char* key, double* number) {
    for (unsigned i = 0; data && i < data->mNumProperties; i++) {
        if (strcmp(data->mKeys[i].data, key) != 0 || !data->mValues[i].mData) continue;
        const void* value = data->mValues[i].mData;
        if (data->mValues[i].mType == AI_DOUBLE) *number = *(const double*)value;
        if (data->mValues[i].mType == AI_FLOAT) *number = (double)*(const float*)value;
        if (data->mValues[i].mType == AI_INT32) *number = *(const int32_t*)value;
        return true;
    }
    return false;
}

static WfFileSays ask_file(const WfSceneFile* file) {
    const struct aiMetadata* data = file->scene->mMetaData;
    WfFileSays says = {0};
    double number = 0;
    if (wf_path_ends(file->path, ".gltf") || wf_path_ends(file->path, ".glb"))
        return (WfFileSays){.up_known = true, .unit_known = true, .unit = 1};
    // assimp turns Collada to y up by itself
    if (wf_path_ends(file->path, ".dae")) says.up_known = true;
    if (find_number(data, "UpAxis", &number)) {
        says.up_known = true;
        says.z_up = number == 2;
    }
    if (find_number(data, "UnitScaleFactor", &number) && number > 0) {
        says.unit_known = true;
        says.unit = 0.01 * number;
    }
    return says;
}

// ---------------------------------------------------------------------------------------------

static void place_file(const WfFigureReader* r, WfSceneFile* file) {
    for (int i = 0; i < file->node_count; i++) {
        WfNode* node = &file->nodes[i];
        const WfAffine* outer = node->parent < 0 ? &r->turn : &file->nodes[node->parent].global;
        node->global = wf_affine_join(outer, &node->local);
    }
}

static void forget_shape(WeftFigure* figure) {
    WeftAllocator allocator = figure->allocator;
    weft_destroy_figure(figure);
    figure->allocator = allocator;
}

// Read once as the file stands, to see how large it is and which axis is upright; then again, if
// it has to be turned.
static WeftResult read_turned(WfFigureReader* r, WfSceneFile* file) {
    WfFileSays says = ask_file(file);
    r->turn = wf_affine_identity();
    place_file(r, file);
    WeftResult result = wf_read_scene_skin(r, file);
    if (!result) result = wf_choose_turn(r, &says, r->figure->positions, r->figure->vertex_count);
    WfAffine none = wf_affine_identity();
    if (result || memcmp(&r->turn, &none, sizeof none) == 0) return result;
    forget_shape(r->figure);
    place_file(r, file);
    return wf_read_scene_skin(r, file);
}

WeftResult wf_read_scene_figure(WfFigureReader* r) {
    WfSceneFile file = {0};
    WeftResult result = open_scene(r, r->path, &file);
    if (!result) result = read_turned(r, &file);
    if (!result) result = wf_sample_clips(r, &file);
    close_scene(r, &file);
    return result;
}

WeftResult wf_read_scene_clips(WfFigureReader* r, const char* path) {
    WfSceneFile file = {0};
    WeftResult result = open_scene(r, path, &file);
    if (!result && file.scene->mNumAnimations == 0)
        result = wf_fail(r->error, WEFT_ERROR_INPUT, "%s: no animation is in it", path);
    if (!result) result = wf_sample_clips(r, &file);
    close_scene(r, &file);
    return result;
}
