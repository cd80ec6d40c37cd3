// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Meshes of nodes as one mesh, with bones. A file moves a vertex x of a mesh by
//
//     sum_b w_b G_b O_b x       G_b  frame of the bone's node in space, with all above it
//                               O_b  from the mesh to the bone, when they were bound
//
// and a figure by sum_b w_b F_b R_b^-1 y (garment/figure.c). With one map B from the mesh to the
// figure at rest, y = B x, both are the same where F_b is the frame of G_b and R_b that of
// B O_b^-1: a bone is a node and the map O_b B^-1, its bind. B is chosen so that the first bone of
// a mesh is where its node is in the file; meshes that share a bone share its bind, so that eyes
// stay in their head. Scales in the frames are left out of F and R alike.
//
// A mesh without bones is bound to its node, where anything in the file moves.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/figure/scene_file.h"

enum { MOST_VERTICES = 1 << 27 };

typedef struct Bone {
    int node;
    WfAffine bind;  // from the figure at rest to the bone
} Bone;

typedef struct Skin {
    WfFigureReader* r;
    const WfSceneFile* file;
    bool moves;  // bones are wanted
    int bone_count;
    Bone* bones;
    int vertex_count, triangle_count;
    bool* seen;      // per mesh: a skinned one is where its bones are, whatever node has it
    int* mesh_bone;  // scratch: per bone of a mesh
} Skin;

static const struct aiMesh* mesh_of(const Skin* s, int node, unsigned index) {
    return s->file->scene->mMeshes[s->file->nodes[node].node->mMeshes[index]];
}

// ---------------------------------------------------------------------------------------------
// Counting

static bool has_triangles(const struct aiMesh* mesh) {
    return (mesh->mPrimitiveTypes & aiPrimitiveType_TRIANGLE) && mesh->mNumVertices > 0;
}

// Whether this is the mesh's first node, or it has no bones.
static bool take_mesh(const Skin* s, int node, unsigned index) {
    unsigned mesh = s->file->nodes[node].node->mMeshes[index];
    if (!has_triangles(mesh_of(s, node, index))) return false;
    bool again = s->seen[mesh] && mesh_of(s, node, index)->mNumBones > 0;
    s->seen[mesh] = true;
    return !again;
}

static void forget_seen(Skin* s) {
    memset(s->seen, 0, s->file->scene->mNumMeshes * sizeof *s->seen);
}

static WeftResult make_room(Skin* s) {
    double vertices = 0, triangles = 0, bones = 0, most = 0;
    const struct aiScene* scene = s->file->scene;
    s->moves = scene->mNumAnimations > 0;
    for (int n = 0; n < s->file->node_count; n++)
        for (unsigned i = 0; i < s->file->nodes[n].node->mNumMeshes; i++) {
            if (!take_mesh(s, n, i)) continue;
            const struct aiMesh* mesh = mesh_of(s, n, i);
            vertices += mesh->mNumVertices;
            triangles += mesh->mNumFaces;
            bones += mesh->mNumBones + 1;
            most = fmax(most, mesh->mNumBones + 1);
            s->moves = s->moves || mesh->mNumBones > 0;
        }
    forget_seen(s);
    if (vertices == 0 || triangles == 0)
        return wf_fail(s->r->error, WEFT_ERROR_INPUT, "%s: no triangles are in it", s->file->path);
    if (vertices > MOST_VERTICES || triangles > MOST_VERTICES)
        return wf_fail(s->r->error, WEFT_ERROR_INPUT, "%s: more than %d vertices or triangles",
                       s->file->path, MOST_VERTICES);
    const WeftAllocator* allocator = &s->r->allocator;
    WeftFigure* figure = s->r->figure;
    size_t count = (size_t)vertices;
    figure->positions = wf_alloc(allocator, 3 * count, sizeof(double));
    figure->triangles = wf_alloc(allocator, 3 * (size_t)triangles, sizeof(int));
    if (s->moves) figure->skin_bones = wf_alloc(allocator, 4 * count, sizeof(int));
    if (s->moves) figure->skin_weights = wf_alloc(allocator, 4 * count, sizeof(double));
    s->bones = wf_alloc(allocator, (size_t)bones, sizeof *s->bones);
    s->mesh_bone = wf_alloc(allocator, (size_t)most, sizeof *s->mesh_bone);
    bool good = figure->positions && figure->triangles && s->bones && s->mesh_bone &&
                (!s->moves || (figure->skin_bones && figure->skin_weights));
    return good ? WEFT_OK : wf_fail_memory(s->r->error);
}

// ---------------------------------------------------------------------------------------------
// Bones

static bool are_near(const WfAffine* a, const WfAffine* b) {
    double size = 1e-6 + wf_length(a->origin);
    for (int k = 0; k < 3; k++) {
        double length = wf_length(a->column[k]);
        if (wf_length(wf_sub(a->column[k], b->column[k])) > 1e-4 * length) return false;
        size = fmax(size, length);
    }
    return wf_length(wf_sub(a->origin, b->origin)) < 1e-4 * size;
}

static int add_bone(Skin* s, int node, const WfAffine* bind) {
    for (int i = 0; i < s->bone_count; i++)
        if (s->bones[i].node == node && are_near(&s->bones[i].bind, bind)) return i;
    s->bones[s->bone_count] = (Bone){node, *bind};
    return s->bone_count++;
}

static WeftResult fail_bone(const Skin* s, const struct aiBone* bone, const char* what) {
    return wf_fail(s->r->error, WEFT_ERROR_INPUT, "%s: the bone \"%s\" %s", s->file->path,
                   bone->mName.data, what);
}

// From the mesh to the figure at rest: by a bone that is known, else by the one nearest to the
// root.
static WeftResult find_base(const Skin* s, const struct aiMesh* mesh, WfAffine* base) {
    int first = -1, first_node = s->file->node_count;
    for (unsigned i = 0; i < mesh->mNumBones; i++) {
        int node = wf_find_node(s->file, mesh->mBones[i]->mName.data);
        if (node < 0) return fail_bone(s, mesh->mBones[i], "has no node");
        WfAffine offset = wf_affine_of(&mesh->mBones[i]->mOffsetMatrix), rest;
        for (int k = 0; k < s->bone_count; k++) {
            if (s->bones[k].node != node) continue;
            if (!wf_affine_invert(&s->bones[k].bind, &rest)) break;
            *base = wf_affine_join(&rest, &offset);
            return WEFT_OK;
        }
        if (node < first_node) first = (int)i, first_node = node;
    }
    WfAffine offset = wf_affine_of(&mesh->mBones[first]->mOffsetMatrix);
    *base = wf_affine_join(&s->file->nodes[first_node].global, &offset);
    return WEFT_OK;
}

static WeftResult bind_mesh(Skin* s, const struct aiMesh* mesh, const WfAffine* base) {
    WfAffine back, unused;
    if (!wf_affine_invert(base, &back))
        return fail_bone(s, mesh->mBones[0], "is flat when it is bound");
    for (unsigned i = 0; i < mesh->mNumBones; i++) {
        const struct aiBone* bone = mesh->mBones[i];
        WfAffine offset = wf_affine_of(&bone->mOffsetMatrix);
        WfAffine bind = wf_affine_join(&offset, &back);
        if (!wf_affine_invert(&bind, &unused))
            return fail_bone(s, bone, "is flat when it is bound");
        s->mesh_bone[i] = add_bone(s, wf_find_node(s->file, bone->mName.data), &bind);
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Weights

// Keep the strongest four.
static void add_weight(WeftFigure* figure, size_t vertex, int bone, double weight) {
    double* weights = figure->skin_weights + 4 * vertex;
    int* bones = figure->skin_bones + 4 * vertex;
    int least = 0;
    for (int k = 0; k < 4; k++) {
        if (weights[k] > 0 && bones[k] == bone) {
            weights[k] += weight;
            return;
        }
        if (weights[k] < weights[least]) least = k;
    }
    if (!(weight > weights[least])) return;
    weights[least] = weight;
    bones[least] = bone;
}

// What no bone holds goes with `other`.
static void even_weights(WeftFigure* figure, size_t vertex, int other) {
    double* weights = figure->skin_weights + 4 * vertex;
    double sum = weights[0] + weights[1] + weights[2] + weights[3];
    if (!(sum > 0)) {
        weights[0] = 1;
        figure->skin_bones[4 * vertex] = other;
        return;
    }
    for (int k = 0; k < 4; k++) weights[k] /= sum;
}

static void read_weights(Skin* s, const struct aiMesh* mesh, int other) {
    WeftFigure* figure = s->r->figure;
    size_t first = (size_t)s->vertex_count;
    for (unsigned b = 0; b < mesh->mNumBones; b++)
        for (unsigned i = 0; i < mesh->mBones[b]->mNumWeights; i++) {
            const struct aiVertexWeight* w = &mesh->mBones[b]->mWeights[i];
            if (w->mVertexId < mesh->mNumVertices && w->mWeight > 0 && isfinite(w->mWeight))
                add_weight(figure, first + w->mVertexId, s->mesh_bone[b], (double)w->mWeight);
        }
    for (unsigned v = 0; v < mesh->mNumVertices; v++) even_weights(figure, first + v, other);
}

// ---------------------------------------------------------------------------------------------
// Meshes

static WeftResult read_triangles(Skin* s, const struct aiMesh* mesh, bool mirrored) {
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        const struct aiFace* face = &mesh->mFaces[f];
        if (face->mNumIndices != 3) continue;
        int* corners = s->r->figure->triangles + 3 * (size_t)s->triangle_count++;
        for (int k = 0; k < 3; k++) {
            unsigned vertex = face->mIndices[mirrored ? 2 - k : k];
            if (vertex >= mesh->mNumVertices)
                return wf_fail(s->r->error, WEFT_ERROR_INPUT,
                               "%s: a triangle names vertex %u, of %u", s->file->path, vertex,
                               mesh->mNumVertices);
            corners[k] = s->vertex_count + (int)vertex;
        }
    }
    return WEFT_OK;
}

static void read_positions(Skin* s, const struct aiMesh* mesh, const WfAffine* base) {
    for (unsigned v = 0; v < mesh->mNumVertices; v++) {
        const struct aiVector3D* x = &mesh->mVertices[v];
        WfVec at = wf_affine_apply(base, (WfVec){(double)x->x, (double)x->y, (double)x->z});
        wf_store(s->r->figure->positions, s->vertex_count + (int)v, at);
    }
}

static WeftResult read_mesh(Skin* s, int node, const struct aiMesh* mesh) {
    WfAffine base = s->file->nodes[node].global, bind;
    WeftResult result = WEFT_OK;
    int other = 0;
    if (mesh->mNumBones > 0) {
        result = find_base(s, mesh, &base);
        if (!result) result = bind_mesh(s, mesh, &base);
        other = s->mesh_bone[0];
    } else if (s->moves) {
        if (!wf_affine_invert(&base, &bind))
            return wf_figure_tell(s->r, "%s: the node \"%s\" is flat: left out", s->file->path,
                                  s->file->nodes[node].node->mName.data);
        other = add_bone(s, node, &bind);
    }
    if (result) return result;
    read_positions(s, mesh, &base);
    if (s->moves) read_weights(s, mesh, other);
    result = read_triangles(s, mesh, wf_affine_determinant(&base) < 0);
    s->vertex_count += (int)mesh->mNumVertices;
    return result;
}

static WeftResult read_meshes(Skin* s) {
    WeftResult result = WEFT_OK;
    for (int n = 0; n < s->file->node_count && !result; n++)
        for (unsigned i = 0; i < s->file->nodes[n].node->mNumMeshes && !result; i++)
            if (take_mesh(s, n, i)) result = read_mesh(s, n, mesh_of(s, n, i));
    s->r->figure->vertex_count = s->vertex_count;
    s->r->figure->triangle_count = s->triangle_count;
    return result;
}

// ---------------------------------------------------------------------------------------------
// Bones of the figure

static int compare_bones(const void* left, const void* right) {
    const int *a = left, *b = right;  // node, number
    if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

// The first bone of the nearest node above that has one.
static int find_parent(const Skin* s, const int (*order)[2], int bone) {
    for (int node = s->file->nodes[order[bone][0]].parent; node >= 0;
         node = s->file->nodes[node].parent)
        for (int i = 0; i < bone; i++)
            if (order[i][0] == node) return i;
    return -1;
}

static void make_bone(const Skin* s, const int (*order)[2], int index) {
    WeftBone* bone = &s->r->figure->bones[index];
    const Bone* from = &s->bones[order[index][1]];
    WfAffine rest = wf_affine_identity();
    wf_affine_invert(&from->bind, &rest);
    WfFrame frame = wf_affine_frame(&rest);
    const struct aiString* name = &s->file->nodes[from->node].node->mName;
    snprintf(bone->name, sizeof bone->name, "%.63s", name->data);
    bone->parent = find_parent(s, order, index);
    wf_store(bone->head, 0, frame.origin);
    wf_store(bone->rotation, 0, frame.turn);
    bone->rotation[3] = frame.w;
}

// Parents first: in the order of nodes. `order` is node and number, per bone; then `numbers` the
// way back.
static WeftResult make_bones(Skin* s) {
    WeftFigure* figure = s->r->figure;
    const WeftAllocator* allocator = &s->r->allocator;
    size_t count = (size_t)s->bone_count;
    if (!s->moves) return WEFT_OK;
    int(*order)[2] = wf_alloc(allocator, count, sizeof *order);
    int* numbers = wf_alloc(allocator, count, sizeof *numbers);
    figure->bones = wf_alloc(allocator, count, sizeof *figure->bones);
    bool good = order && numbers && figure->bones;
    for (int i = 0; good && i < s->bone_count; i++) order[i][0] = s->bones[i].node, order[i][1] = i;
    if (good) qsort(order, count, sizeof *order, compare_bones);
    for (int i = 0; good && i < s->bone_count; i++) {
        numbers[order[i][1]] = i;
        make_bone(s, (const int(*)[2])order, i);
    }
    for (long i = 0; good && i < 4L * figure->vertex_count; i++)
        figure->skin_bones[i] = numbers[figure->skin_bones[i]];
    if (good) figure->bone_count = s->bone_count;
    wf_free(allocator, order);
    wf_free(allocator, numbers);
    return good ? WEFT_OK : wf_fail_memory(s->r->error);
}

WeftResult wf_read_scene_skin(WfFigureReader* r, const WfSceneFile* file) {
    Skin s = {.r = r, .file = file};
    s.seen = wf_alloc(&r->allocator, file->scene->mNumMeshes, sizeof *s.seen);
    WeftResult result = s.seen ? make_room(&s) : wf_fail_memory(r->error);
    if (!result) result = read_meshes(&s);
    if (!result) result = make_bones(&s);
    wf_free(&r->allocator, s.seen);
    wf_free(&r->allocator, s.bones);
    wf_free(&r->allocator, s.mesh_bone);
    return result;
}
