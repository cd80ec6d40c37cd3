// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A GLB being written: write_glb.c puts the data, write_glb_json.c the text that explains them.

#ifndef WF_IO_GLB_H
#define WF_IO_GLB_H

#include "io/split.h"

typedef struct WfGlbPart {
    int first_vertex, vertex_count;  // of the split mesh
    bool textured;
    bool split;      // some of its vertices are there several times
    int moves_from;  // the first key with a difference that is not zero; 0: none so far
    int first_group, group_count;
    uint32_t texture_at;   // where its data begin in their view, bytes
    uint32_t vertices_at;  // likewise, of the numbers of vertices
    uint32_t zeros_at;     // likewise, of the differences before it moves
    int accessor;          // its first, in the JSON
} WfGlbPart;

// Triangles of one part and one material; behind one another in the split mesh.
typedef struct WfGlbGroup {
    int material;  // of the writer's, or -1: that of its part
    int triangle_count;
    uint32_t indices_at;  // where they begin in their view, bytes
    int accessor;
} WfGlbGroup;

// One part at one key: where its positions begin, behind which are its normals, and their bounds.
typedef struct WfGlbKey {
    uint32_t at;
    float low[3], high[3];
} WfGlbKey;

// A picture inside of the file.
typedef struct WfGlbImage {
    unsigned char* bytes;
    uint32_t size, at;  // bytes, and where they begin among those of all pictures
    const char* kind;   // "png" or "jpeg"
} WfGlbImage;

// A look of the writer's, and what textures show it.
typedef struct WfGlbLook {
    const WeftLook* look;
    int weave, print;     // numbers of pictures, or -1
    double weave_size;    // m, of one repeat
    double print_height;  // m, of one repeat along the warp
    bool turned;          // the warp runs along u
} WfGlbLook;
enum { WF_GLB_LOOK_TEXT = 1536 };  // a look as text: 600 bytes, and a name of a file, all escaped

typedef struct WfGlb {
    WfSplit split;
    WfGlbPart* parts;
    int group_count;
    WfGlbGroup* groups;  // part by part
    WfGlbLook* looks;    // as the writer's
    int image_count;
    WfGlbImage* images;
    uint32_t image_size;  // bytes of all, behind all else
    int stride;           // every stride-th frame becomes a key
    int keys;             // so far
    bool left_over;       // `frame` is newer than the last key
    float* first;         // positions, then normals of the first frame
    float* frame;         // of the last one, as differences to the first
    float* times;         // per key, seconds
    WfGlbKey* key_data;   // per key and part
    uint32_t text_size;   // bytes of the JSON
    // bytes of the views, which follow one another
    uint32_t index_size, texture_size, number_size, key_size;
    uint32_t index_end;  // of the indices, without what fills them up to whole words
    uint32_t lines_at;   // in the indices
} WfGlb;

enum { WF_GLB_FLOAT = 5126, WF_GLB_SHORT = 5123, WF_GLB_INT = 5125 };  // glTF's names of types

// The first part always has targets, so that the animation has something to move.
static inline bool wf_glb_has_targets(const WfGlb* glb, int part) {
    return glb->keys > 1 && (part == 0 || glb->parts[part].moves_from > 0);
}
static inline bool wf_glb_short_indices(const WfGlb* glb) {
    return glb->split.vertex_count <= 65535;
}
// Bytes of times and weights.
static inline uint32_t wf_glb_animation_size(const WfGlb* glb) {
    uint32_t keys = (uint32_t)glb->keys;
    return keys > 1 ? 4 * keys + 4 * keys * (keys - 1) : 0;
}
static inline uint32_t wf_glb_data_size(const WfGlb* glb) {
    return glb->index_size + glb->texture_size + glb->number_size + glb->key_size +
           wf_glb_animation_size(glb) + glb->image_size;
}

// How many primitives of triangles there are: of each part, one for each material.
int wf_glb_count_groups(const WeftWriter* writer);
// write_glb_look.c
// Read and draw the pictures that looks take; put them; free them.
WeftResult wf_glb_make_looks(WeftWriter* writer, WeftError* error);
void wf_glb_put_images(WeftWriter* writer);
void wf_glb_free_looks(WeftWriter* writer);
// Of part `index`, or of a material behind the parts; NULL where it has none.
const WfGlbLook* wf_glb_look(const WeftWriter* writer, int index);
void wf_put_look_material(WeftWriter* writer, const char* name, const WfGlbLook* look);
void wf_put_extensions_used(WeftWriter* writer);
// first_view: the buffer view of the first picture.
void wf_put_textures(WeftWriter* writer, int first_view);

// The whole text, once all keys are known, and bytes that it takes at most.
void wf_put_glb_json(WeftWriter* writer);
int64_t wf_glb_text_size(const WeftWriter* writer, int64_t keys);

#endif
