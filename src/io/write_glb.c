// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// glTF 2.0, binary: the first frame as a mesh (triangles and, for ropes, lines over the same
// vertices), every later one as a morph target, which holds the differences of positions and
// normals to the first. An animation of the weights gives each target its moment: at key k weight k
// is 1 and all others are 0, straight in between. Each part is a node with a mesh of its own; all
// go by the same weights, but those that never move have no targets. The triangles of each material
// are a primitive of their own, over the same vertices.
//
//     12: header
//      8: header, JSON padded with spaces
//      8: header, indices, texture, numbers of vertices, first frame, differences ..., times,
//         weights, pictures of materials
//
// The JSON comes first but is known last (how many frames, their bounds), so its room is reserved
// when the file is opened, frames are appended as they come, and closing goes back to fill it in.
// Memory holds the first frame and the last.
//
// A vertex has one texture coordinate, so those that have several are there once for each
// (split.h). A part that stands still takes no room beyond the first frame. Where it starts to move
// later on, zeros are written once, for all targets before that.
//
// The weights are keys x (keys - 1) floats, and players hold every target at once (in WebGL as
// layers of a texture, 2048 of them on most machines). So there are at most MOST_KEYS keys, and
// fewer where the file would grow beyond 2 GB: longer runs keep every second, third, ... frame, and
// always the last.
//
// Not done: normals in bytes (KHR_mesh_quantization) would take a third off, but programs that do
// not know the extension refuse the file, and differences of normals go beyond the -1 to 1 that it
// can hold: up to 1.9 on a T-shirt that walks.
//
// glTF counts v downwards from the upper edge of a picture, so texture coordinates are (u, 1 - v).

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "io/glb.h"

enum {
    MOST_KEYS = 1024,
    HEADER_SIZE = 12,
    CHUNK_SIZE = 8,         // of the header of a chunk
    LARGEST_FILE = INT_MAX  // browsers hold no more than that in one buffer
};

// ---------------------------------------------------------------------------------------------
// What does not change

// counted from vertex `first`; filled up to whole words
static void put_indices(WeftWriter* writer, const int* indices, size_t count, int first) {
    WfGlb* glb = writer->data;
    bool brief = wf_glb_short_indices(glb);
    for (size_t i = 0; i < count; i++) {
        int index = indices[i] - first;
        if (brief)
            wf_put(writer, (unsigned char[]){(unsigned char)index, (unsigned char)(index >> 8)}, 2);
        else
            wf_put_word(writer, (uint32_t)index);
    }
    if (brief && count % 2) wf_put(writer, "\0", 2);
    if (count > 0) glb->index_end = glb->index_size + (brief ? 2 : 4) * (uint32_t)count;
    glb->index_size = (glb->index_end + 3) / 4 * 4;
}

// triangles of the first part, lines, triangles of the others
static void put_all_indices(WeftWriter* writer) {
    WfGlb* glb = writer->data;
    for (int p = 0; p < writer->part_count; p++) {
        const WfPart* part = &writer->parts[p];
        const int* triangles = glb->split.triangles + 3 * (size_t)part->first_triangle;
        for (int g = 0; g < glb->parts[p].group_count; g++) {
            WfGlbGroup* group = &glb->groups[glb->parts[p].first_group + g];
            size_t corners = 3 * (size_t)group->triangle_count;
            group->indices_at = glb->index_size;
            put_indices(writer, triangles, corners, glb->parts[p].first_vertex);
            triangles += corners;
        }
        if (p > 0) continue;
        glb->lines_at = glb->index_size;
        put_indices(writer, writer->lines, 2 * (size_t)writer->line_count, 0);
    }
}

static void put_texture(WeftWriter* writer) {
    WfGlb* glb = writer->data;
    for (int p = 0; p < writer->part_count; p++) {
        WfGlbPart* part = &glb->parts[p];
        if (!part->textured) continue;
        part->texture_at = glb->texture_size;
        glb->texture_size += 8 * (uint32_t)part->vertex_count;
        const float* point = glb->split.texture + 2 * (size_t)part->first_vertex;
        for (int i = 0; i < part->vertex_count; i++, point += 2) {
            wf_put_float(writer, point[0]);
            wf_put_float(writer, 1 - point[1]);
        }
    }
}

static void put_vertex_numbers(WeftWriter* writer) {
    WfGlb* glb = writer->data;
    for (int p = 0; p < writer->part_count; p++) {
        WfGlbPart* part = &glb->parts[p];
        if (!part->split) continue;
        part->vertices_at = glb->number_size;
        glb->number_size += 4 * (uint32_t)part->vertex_count;
        const int* source = glb->split.sources + part->first_vertex;
        for (int i = 0; i < part->vertex_count; i++)
            wf_put_float(writer, (float)(source[i] - writer->parts[p].first_vertex));
    }
}

// ---------------------------------------------------------------------------------------------
// Frames

// glTF wants unit length; a vertex without a normal (in no triangle, or flat ones) gets one
static void make_unit(float* normal) {
    float length = sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    bool good = length > 1e-12f && isfinite(length);
    for (int k = 0; k < 3; k++) normal[k] = good ? normal[k] / length : k == 1;
}

static void find_bounds(const float* positions, int count, WfGlbKey* key) {
    memcpy(key->low, positions, sizeof key->low);
    memcpy(key->high, positions, sizeof key->high);
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        float *low = key->low + i % 3, *high = key->high + i % 3;
        if (positions[i] < *low) *low = positions[i];
        if (positions[i] > *high) *high = positions[i];
    }
}

// returns where it begins
static uint32_t put_block(WeftWriter* writer, const float* positions, const float* normals,
                          int count) {
    WfGlb* glb = writer->data;
    uint32_t at = glb->key_size;
    wf_put_words(writer, positions, 3 * (size_t)count);
    wf_put_words(writer, normals, 3 * (size_t)count);
    glb->key_size += 24 * (uint32_t)count;
    return at;
}

static void put_zeros(WeftWriter* writer, WfGlbPart* part) {
    WfGlb* glb = writer->data;
    part->zeros_at = glb->key_size;
    for (int i = 0; i < 6 * part->vertex_count; i++) wf_put_float(writer, 0);
    glb->key_size += 24 * (uint32_t)part->vertex_count;
}

static bool is_zero(const float* values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (values[i] != 0) return false;
    return true;
}

static void put_part_key(WeftWriter* writer, int p, const float* data) {
    WfGlb* glb = writer->data;
    WfGlbPart* part = &glb->parts[p];
    WfGlbKey* key = &glb->key_data[glb->keys * writer->part_count + p];
    const float* positions = data + 3 * (size_t)part->first_vertex;
    const float* normals = positions + 3 * (size_t)glb->split.vertex_count;
    bool moves = part->moves_from > 0 || !is_zero(positions, 3 * (size_t)part->vertex_count);
    if (glb->keys > 0 && p > 0 && !moves) return;
    if (glb->keys > 0 && moves && part->moves_from == 0) {
        part->moves_from = glb->keys;
        if (p > 0 && glb->keys > 1) put_zeros(writer, part);
    }
    find_bounds(positions, part->vertex_count, key);
    key->at = put_block(writer, positions, normals, part->vertex_count);
}

// positions and normals in `data` become the next key, at the time of frame `frame`
static void put_key(WeftWriter* writer, const float* data, int frame) {
    WfGlb* glb = writer->data;
    for (int p = 0; p < writer->part_count; p++) put_part_key(writer, p, data);
    glb->times[glb->keys] = (float)(frame / writer->frame_rate);
    glb->keys++;
    glb->left_over = false;
}

static void copy_vectors(const WfSplit* split, const float* from, float* to) {
    for (int i = 0; i < split->vertex_count; i++)
        memcpy(to + 3 * (size_t)i, from + 3 * (size_t)split->sources[i], 3 * sizeof(float));
}

static void write_frame(WeftWriter* writer, const float* positions, const float* normals) {
    WfGlb* glb = writer->data;
    size_t count = 3 * (size_t)glb->split.vertex_count;
    float* data = writer->frames == 0 ? glb->first : glb->frame;
    copy_vectors(&glb->split, positions, data);
    copy_vectors(&glb->split, normals, data + count);
    for (size_t i = count; i < 2 * count; i += 3) make_unit(data + i);
    for (size_t i = 0; i < 2 * count && writer->frames > 0; i++) data[i] -= glb->first[i];
    glb->left_over = true;
    if (writer->frames % glb->stride == 0) put_key(writer, data, writer->frames);
}

// ---------------------------------------------------------------------------------------------
// The file

// how many keys a file of so many vertices has room for, at least 3: first, last and some between
static int find_most_keys(const WeftWriter* writer, int vertex_count) {
    int64_t keys = MOST_KEYS, other = 4 * keys * keys + wf_glb_text_size(writer, keys);
    other += HEADER_SIZE + 2 * CHUNK_SIZE + ((const WfGlb*)writer->data)->image_size;
    other += (int64_t)12 * writer->triangle_count + (int64_t)8 * writer->line_count;
    other += (int64_t)(8 + 4 + 24) * vertex_count;  // texture, numbers, zeros
    int64_t fitting = (LARGEST_FILE - other) / ((int64_t)24 * vertex_count);
    return fitting < 3 ? 0 : fitting < keys ? (int)fitting : (int)keys;
}

static bool create_data(WeftWriter* writer, int keys) {
    WfGlb* glb = writer->data;
    size_t count = (size_t)glb->split.vertex_count, parts = (size_t)writer->part_count;
    glb->parts = wf_alloc(&writer->allocator, parts, sizeof *glb->parts);
    glb->first = wf_alloc(&writer->allocator, 6 * count, sizeof(float));
    glb->frame = wf_alloc(&writer->allocator, 6 * count, sizeof(float));
    glb->times = wf_alloc(&writer->allocator, (size_t)keys, sizeof(float));
    glb->key_data = wf_alloc(&writer->allocator, (size_t)keys * parts, sizeof *glb->key_data);
    return glb->parts && glb->first && glb->frame && glb->times && glb->key_data;
}

static int material_of(const WeftWriter* writer, int triangle) {
    return writer->triangle_material ? writer->triangle_material[triangle] : -1;
}

// The triangles of one part and one material; to `sorted` where it is not NULL. Returns how many.
static int gather_triangles(const WeftWriter* writer, int p, int material, int* sorted) {
    const WfGlb* glb = writer->data;
    const WfPart* part = &writer->parts[p];
    int count = 0;
    for (int t = part->first_triangle; t < part->first_triangle + part->triangle_count; t++) {
        if (material_of(writer, t) != material) continue;
        if (sorted)
            memcpy(sorted + 3 * (size_t)count, glb->split.triangles + 3 * (size_t)t,
                   3 * sizeof(int));
        count++;
    }
    return count;
}

int wf_glb_count_groups(const WeftWriter* writer) {
    int count = 0;
    for (int p = 0; p < writer->part_count; p++)
        for (int m = -1; m < writer->material_count; m++)
            count += gather_triangles(writer, p, m, NULL) > 0;
    return count;
}

// Brings the triangles of each part in the order of their materials. False: no memory.
static bool list_groups(WeftWriter* writer) {
    WfGlb* glb = writer->data;
    size_t corners = 3 * (size_t)writer->triangle_count, at = 0;
    size_t groups = (size_t)wf_glb_count_groups(writer);
    int* sorted = wf_alloc(&writer->allocator, corners, sizeof *sorted);
    glb->groups = wf_alloc(&writer->allocator, groups, sizeof *glb->groups);
    for (int p = 0; p < writer->part_count && sorted && glb->groups; p++) {
        glb->parts[p].first_group = glb->group_count;
        for (int m = -1; m < writer->material_count; m++) {
            int count = gather_triangles(writer, p, m, sorted + at);
            if (count == 0) continue;
            glb->groups[glb->group_count++] = (WfGlbGroup){.material = m, .triangle_count = count};
            at += 3 * (size_t)count;
        }
        glb->parts[p].group_count = glb->group_count - glb->parts[p].first_group;
    }
    bool good = sorted && glb->groups;
    if (good && corners > 0) memcpy(glb->split.triangles, sorted, corners * sizeof *sorted);
    wf_free(&writer->allocator, sorted);
    return good;
}

static void list_parts(WeftWriter* writer) {
    WfGlb* glb = writer->data;
    for (int p = 0; p < writer->part_count; p++) {
        const WfPart* from = &writer->parts[p];
        int first = glb->split.first_vertex[p], count = glb->split.first_vertex[p + 1] - first;
        glb->parts[p] = (WfGlbPart){
            .first_vertex = first,
            .vertex_count = count,
            .textured = writer->texture && !from->body,
            .split = count > from->vertex_count,
        };
    }
}

static void put_spaces(WeftWriter* writer, long count) {
    for (long i = 0; i < count; i++) wf_put(writer, " ", 1);
}

static WeftResult fail_large(const WeftWriter* writer, WeftError* error) {
    return wf_fail(error, WEFT_ERROR_INPUT, "%s: %d vertices are too many for a GLB of 2 GB",
                   writer->path, writer->vertex_count);
}

static WeftResult begin(WeftWriter* writer, WeftError* error) {
    WfGlb* glb = writer->data = wf_alloc(&writer->allocator, 1, sizeof *glb);
    if (!glb) return wf_fail(error, WEFT_ERROR_MEMORY, "%s: out of memory", writer->path);
    WeftResult result = wf_glb_make_looks(writer, error);
    if (result == WEFT_ERROR_MEMORY) wf_fail_prefix(error, result, "%s: ", writer->path);
    if (result) return result;
    if (find_most_keys(writer, writer->vertex_count) == 0) return fail_large(writer, error);
    if (!wf_split_vertices(writer, &glb->split))
        return wf_fail(error, WEFT_ERROR_MEMORY, "%s: out of memory", writer->path);
    int frames = writer->frame_count, keys = find_most_keys(writer, glb->split.vertex_count);
    if (keys == 0) return fail_large(writer, error);
    // first, every stride-th, last
    glb->stride = frames <= keys ? 1 : 1 + (frames - 2) / (keys - 2);
    if (frames < keys) keys = frames;
    if (!create_data(writer, keys))
        return wf_fail(error, WEFT_ERROR_MEMORY, "%s: out of memory", writer->path);
    list_parts(writer);
    if (!list_groups(writer))
        return wf_fail(error, WEFT_ERROR_MEMORY, "%s: out of memory", writer->path);
    glb->text_size = (uint32_t)wf_glb_text_size(writer, keys);
    put_spaces(writer, HEADER_SIZE + CHUNK_SIZE + (long)glb->text_size + CHUNK_SIZE);
    put_all_indices(writer);
    put_texture(writer);
    put_vertex_numbers(writer);
    return WEFT_OK;
}

static void put_weights(WeftWriter* writer) {
    const WfGlb* glb = writer->data;
    for (int key = 0; key < glb->keys; key++)
        for (int target = 1; target < glb->keys; target++) wf_put_float(writer, key == target);
}

static void end(WeftWriter* writer) {
    WfGlb* glb = writer->data;
    if (glb->left_over) put_key(writer, glb->frame, writer->frames - 1);
    if (glb->keys > 1) {
        wf_put_words(writer, glb->times, (size_t)glb->keys);
        put_weights(writer);
    }
    wf_glb_put_images(writer);
    uint32_t data_size = wf_glb_data_size(glb);
    wf_seek(writer, 0);
    wf_put(writer, "glTF", 4);
    wf_put_word(writer, 2);
    wf_put_word(writer, HEADER_SIZE + 2 * CHUNK_SIZE + glb->text_size + data_size);
    wf_put_word(writer, glb->text_size);
    wf_put(writer, "JSON", 4);
    wf_put_glb_json(writer);
    long data_at = HEADER_SIZE + CHUNK_SIZE + (long)glb->text_size, place = ftell(writer->file);
    wf_assert(place <= data_at);
    put_spaces(writer, data_at - place);
    wf_put_word(writer, data_size);
    wf_put(writer, "BIN\0", 4);
}

static void release(WeftWriter* writer) {
    WfGlb* glb = writer->data;
    if (!glb) return;
    wf_free_split(writer, &glb->split);
    wf_glb_free_looks(writer);
    wf_free(&writer->allocator, glb->parts);
    wf_free(&writer->allocator, glb->groups);
    wf_free(&writer->allocator, glb->first);
    wf_free(&writer->allocator, glb->frame);
    wf_free(&writer->allocator, glb->times);
    wf_free(&writer->allocator, glb->key_data);
    wf_free(&writer->allocator, glb);
}

const WfFormat wf_format_glb = {
    .ending = ".glb",
    .begin = begin,
    .frame = write_frame,
    .end = end,
    .release = release,
};
