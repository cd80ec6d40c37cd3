// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// glTF 2.0, binary: the first frame as a mesh (triangles and, for ropes, lines over the same
// vertices), every later one as a morph target, which holds the differences of positions and
// normals to the first. An animation of the weights gives each target its moment: at key k weight k
// is 1 and all others are 0, straight in between. Each part is a node with a mesh of its own, over
// its share of the same data; all go by the same weights, but those that never move have no
// targets.
//
//     12: header
//      8: header, JSON padded with spaces
//      8: header, indices, texture, first frame, differences ..., times, weights
//
// The JSON comes first but is known last (how many frames, their bounds), so its room is reserved
// when the file is opened, frames are appended as they come, and closing goes back to fill it in.
// Memory holds the first frame and the last.
//
// The weights are keys x (keys - 1) floats, and players hold every target at once (in WebGL as
// layers of a texture, 2048 of them on most machines). So there are at most MOST_KEYS keys, and
// fewer where the file would grow beyond 2 GB: longer runs keep every second, third, ... frame, and
// always the last.
//
// glTF counts v downwards from the upper edge of a picture, so texture coordinates are (u, 1 - v).

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "io/writer.h"

enum {
    MOST_KEYS = 1024,
    HEADER_SIZE = 12,
    CHUNK_SIZE = 8,         // of the header of a chunk
    TEXT_SIZE = 2048,       // JSON without keys and names takes less
    TEXT_SIZE_PART = 1024,  // and this much per part but the first
    TEXT_SIZE_KEY = 440,    // and this much per part and key
    LARGEST_FILE = INT_MAX  // browsers hold no more than that in one buffer
};

enum { TYPE_FLOAT = 5126, TYPE_SHORT = 5123, TYPE_INT = 5125 };          // glTF's names of types
enum { VIEW_INDICES, VIEW_VERTICES, VIEW_OTHERS };                       // buffer views
enum { ACCESS_INDICES, ACCESS_POSITION, ACCESS_NORMAL, ACCESS_OTHERS };  // accessors

typedef struct Bounds {
    float low[3], high[3];
} Bounds;

typedef struct Glb {
    int stride;      // every stride-th frame becomes a key
    int keys;        // so far
    bool left_over;  // `frame` is newer than the last key
    float* first;    // positions, then normals of the first frame
    float* frame;    // of the last one, as differences to the first
    float* times;    // per key, seconds
    Bounds* bounds;  // per key and part, of positions or differences
    bool* moved;     // per part: some difference was not zero
    uint32_t text_size;
    uint32_t index_size, texture_size;  // bytes
} Glb;

// ---------------------------------------------------------------------------------------------
// Data

static bool short_indices(const WeftWriter* writer) { return writer->vertex_count <= 65535; }

// bytes of so many indices, without and with what fills them up to whole words
static uint32_t bare_size(const WeftWriter* writer, uint32_t count) {
    return (short_indices(writer) ? 2 : 4) * count;
}
static uint32_t padded_size(const WeftWriter* writer, uint32_t count) {
    return (bare_size(writer, count) + 3) / 4 * 4;
}
static uint32_t corner_count(const WeftWriter* writer, int part) {
    return 3 * (uint32_t)writer->parts[part].triangle_count;
}
static uint32_t end_count(const WeftWriter* writer) { return 2 * (uint32_t)writer->line_count; }

// Where the indices of a part begin: triangles of the first, lines, triangles of the others.
static uint32_t indices_at(const WeftWriter* writer, int part) {
    uint32_t at = 0;
    for (int p = 0; p < part; p++) {
        at += padded_size(writer, corner_count(writer, p));
        if (p == 0) at += padded_size(writer, end_count(writer));
    }
    return at;
}

// counted from vertex `first`
static void put_indices(WeftWriter* writer, const int* indices, size_t count, int first) {
    bool brief = short_indices(writer);
    for (size_t i = 0; i < count; i++) {
        int index = indices[i] - first;
        if (brief)
            wf_put(writer, (unsigned char[]){(unsigned char)index, (unsigned char)(index >> 8)}, 2);
        else
            wf_put_word(writer, (uint32_t)index);
    }
    if (brief && count % 2) wf_put(writer, "\0", 2);
}

static void put_all_indices(WeftWriter* writer) {
    for (int p = 0; p < writer->part_count; p++) {
        const WfPart* part = &writer->parts[p];
        put_indices(writer, writer->triangles + 3 * (size_t)part->first_triangle,
                    corner_count(writer, p), part->first_vertex);
        if (p == 0) put_indices(writer, writer->lines, end_count(writer), 0);
    }
}

static void put_texture(WeftWriter* writer) {
    for (size_t i = 0; writer->texture && i < (size_t)writer->vertex_count; i++) {
        wf_put_float(writer, writer->texture[2 * i]);
        wf_put_float(writer, 1 - writer->texture[2 * i + 1]);
    }
}

// glTF wants unit length; a vertex without a normal (in no triangle, or flat ones) gets one
static void make_unit(float* normal) {
    float length = sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    bool good = length > 1e-12f && isfinite(length);
    for (int k = 0; k < 3; k++) normal[k] = good ? normal[k] / length : k == 1;
}

static Bounds find_bounds(const float* all, const WfPart* part) {
    Bounds bounds;
    const float* positions = all + 3 * (size_t)part->first_vertex;
    memcpy(bounds.low, positions, sizeof bounds.low);
    memcpy(bounds.high, positions, sizeof bounds.high);
    for (size_t i = 0; i < 3 * (size_t)part->vertex_count; i++) {
        float *low = bounds.low + i % 3, *high = bounds.high + i % 3;
        if (positions[i] < *low) *low = positions[i];
        if (positions[i] > *high) *high = positions[i];
    }
    return bounds;
}

// positions and normals in `data` become the next key, at the time of frame `frame`
static void put_key(WeftWriter* writer, const float* data, int frame) {
    Glb* glb = writer->data;
    wf_put_words(writer, data, 6 * (size_t)writer->vertex_count);
    glb->times[glb->keys] = (float)(frame / writer->frame_rate);
    for (int p = 0; p < writer->part_count; p++)
        glb->bounds[glb->keys * writer->part_count + p] = find_bounds(data, &writer->parts[p]);
    glb->keys++;
    glb->left_over = false;
}

static void note_motion(WeftWriter* writer, const float* differences) {
    Glb* glb = writer->data;
    for (int p = 0; p < writer->part_count; p++) {
        const WfPart* part = &writer->parts[p];
        const float* x = differences + 3 * (size_t)part->first_vertex;
        for (size_t i = 0; i < 3 * (size_t)part->vertex_count && !glb->moved[p]; i++)
            glb->moved[p] = x[i] != 0;
    }
}

static void write_frame(WeftWriter* writer, const float* positions, const float* normals) {
    Glb* glb = writer->data;
    size_t count = 3 * (size_t)writer->vertex_count;
    float* data = writer->frames == 0 ? glb->first : glb->frame;
    memcpy(data, positions, count * sizeof(float));
    memcpy(data + count, normals, count * sizeof(float));
    for (size_t i = count; i < 2 * count; i += 3) make_unit(data + i);
    if (writer->frames > 0) {
        for (size_t i = 0; i < 2 * count; i++) data[i] -= glb->first[i];
        note_motion(writer, data);
    }
    glb->left_over = true;
    if (writer->frames % glb->stride == 0) put_key(writer, data, writer->frames);
}

// ---------------------------------------------------------------------------------------------
// The JSON

// where things lie in the binary chunk
static uint32_t vertices_at(const Glb* glb) { return glb->index_size + glb->texture_size; }
static uint32_t key_size(const WeftWriter* writer) { return 24 * (uint32_t)writer->vertex_count; }
static uint32_t times_at(const WeftWriter* writer) {
    const Glb* glb = writer->data;
    return vertices_at(glb) + (uint32_t)glb->keys * key_size(writer);
}
// times and weights
static uint32_t animation_size(const Glb* glb) {
    uint32_t keys = (uint32_t)glb->keys;
    return keys > 1 ? 4 * keys + 4 * keys * (keys - 1) : 0;
}

static void put_numbers(WeftWriter* writer, const char* name, const float* values, int count) {
    wf_put_text(writer, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i > 0) wf_put(writer, ",", 1);
        wf_put_number(writer, values[i]);
    }
    wf_put(writer, "]", 1);
}

// The cloth always has targets, so that the animation has something to move.
static bool has_targets(const WeftWriter* writer, int part) {
    const Glb* glb = writer->data;
    return glb->keys > 1 && (part == 0 || glb->moved[part]);
}

// triangles or lines, by the accessor of their indices
static void put_primitive(WeftWriter* writer, int part, int first, int indices, const char* mode) {
    const Glb* glb = writer->data;
    bool textured = part == 0 && writer->texture, moves = has_targets(writer, part);
    int target = first + ACCESS_OTHERS + (part == 0 ? 2 : 0) + textured;  // after times and weights
    wf_put_text(writer, "{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d", first + ACCESS_POSITION,
                first + ACCESS_NORMAL);
    if (textured) wf_put_text(writer, ",\"TEXCOORD_0\":%d", ACCESS_OTHERS);
    wf_put_text(writer, "},\"indices\":%d,\"material\":%d%s", indices, writer->parts[part].body,
                mode);
    for (int k = 1; k < glb->keys && moves; k++, target += 2)
        wf_put_text(writer, "%s{\"POSITION\":%d,\"NORMAL\":%d}", k == 1 ? ",\"targets\":[" : ",",
                    target, target + 1);
    wf_put_text(writer, "%s}", moves ? "]" : "");
}

// The indices of lines come after all other accessors of the first part, or in the place of
// triangles.
static int line_accessor(const WeftWriter* writer) {
    const Glb* glb = writer->data;
    int animation = glb->keys > 1 ? 2 * glb->keys : 0;
    return corner_count(writer, 0) > 0 ? ACCESS_OTHERS + (writer->texture != NULL) + animation
                                       : ACCESS_INDICES;
}

// The first accessor of a part behind those of `part`, which begin at `first`.
static int next_accessor(const WeftWriter* writer, int part, int first) {
    const Glb* glb = writer->data;
    if (part > 0)
        return first + ACCESS_OTHERS + (has_targets(writer, part) ? 2 * (glb->keys - 1) : 0);
    int others = ACCESS_OTHERS + (writer->texture != NULL) + (glb->keys > 1 ? 2 * glb->keys : 0);
    return others + (corner_count(writer, 0) > 0 && writer->line_count > 0);
}

static void put_meshes(WeftWriter* writer) {
    wf_put_text(writer, "\"meshes\":[");
    for (int p = 0, first = 0; p < writer->part_count; p++) {
        bool triangles = corner_count(writer, p) > 0, lines = p == 0 && writer->line_count > 0;
        wf_put_text(writer, "%s{\"name\":\"%s\",\"primitives\":[", p > 0 ? ",\n" : "",
                    writer->parts[p].name);
        if (triangles) put_primitive(writer, p, first, first + ACCESS_INDICES, "");
        if (triangles && lines) wf_put_text(writer, ",\n");
        if (lines) put_primitive(writer, 0, 0, line_accessor(writer), ",\"mode\":1");
        wf_put_text(writer, "]}");
        first = next_accessor(writer, p, first);
    }
    wf_put_text(writer, "],\n");
}

static void put_animation(WeftWriter* writer) {
    int times = ACCESS_OTHERS + (writer->texture != NULL);
    wf_put_text(writer,
                "\"animations\":[{\"name\":\"simulation\",\"samplers\":[{\"input\":%d,"
                "\"output\":%d,\"interpolation\":\"LINEAR\"}],\"channels\":[",
                times, times + 1);
    for (int p = 0; p < writer->part_count; p++)
        if (has_targets(writer, p))
            wf_put_text(writer, "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"weights\"}}",
                        p > 0 ? ",\n" : "", p);
    wf_put_text(writer, "]}],\n");
}

static void put_accessor(WeftWriter* writer, int view, uint32_t offset, int type, uint32_t count,
                         const char* shape) {
    wf_put_text(writer,
                "{\"bufferView\":%d,\"byteOffset\":%lu,\"componentType\":%d,\"count\":%lu,"
                "\"type\":\"%s\"",
                view, (unsigned long)offset, type, (unsigned long)count, shape);
}

static void put_index_accessor(WeftWriter* writer, uint32_t offset, uint32_t count) {
    int type = short_indices(writer) ? TYPE_SHORT : TYPE_INT;
    put_accessor(writer, VIEW_INDICES, offset, type, count, "SCALAR");
    wf_put_text(writer, "}");
}

// the positions and normals of one part at one key
static void put_key_accessors(WeftWriter* writer, int p, int key) {
    const Glb* glb = writer->data;
    const WfPart* part = &writer->parts[p];
    const Bounds* bounds = &glb->bounds[key * writer->part_count + p];
    uint32_t count = (uint32_t)part->vertex_count, all = (uint32_t)writer->vertex_count;
    uint32_t offset = (uint32_t)key * key_size(writer) + 12 * (uint32_t)part->first_vertex;
    wf_put_text(writer, ",\n");
    put_accessor(writer, VIEW_VERTICES, offset, TYPE_FLOAT, count, "VEC3");
    put_numbers(writer, "min", bounds->low, 3);
    put_numbers(writer, "max", bounds->high, 3);
    wf_put_text(writer, "},\n");
    put_accessor(writer, VIEW_VERTICES, offset + 12 * all, TYPE_FLOAT, count, "VEC3");
    wf_put_text(writer, "}");
}

// of the parts behind the first
static void put_part_accessors(WeftWriter* writer, int p) {
    const Glb* glb = writer->data;
    wf_put_text(writer, ",\n");
    put_index_accessor(writer, indices_at(writer, p), corner_count(writer, p));
    put_key_accessors(writer, p, 0);
    for (int k = 1; k < glb->keys && has_targets(writer, p); k++) put_key_accessors(writer, p, k);
}

static void put_accessors(WeftWriter* writer) {
    const Glb* glb = writer->data;
    uint32_t keys = (uint32_t)glb->keys;
    int textured = writer->texture != NULL, animation = VIEW_OTHERS + textured;
    uint32_t corners = corner_count(writer, 0), ends = end_count(writer);
    wf_put_text(writer, "\"accessors\":[\n");
    put_index_accessor(writer, 0, corners > 0 ? corners : ends);
    put_key_accessors(writer, 0, 0);
    if (textured) {
        uint32_t count = (uint32_t)writer->parts[0].vertex_count;
        wf_put_text(writer, ",\n");
        put_accessor(writer, VIEW_OTHERS, 0, TYPE_FLOAT, count, "VEC2");
        wf_put_text(writer, "}");
    }
    if (keys > 1) {
        wf_put_text(writer, ",\n");
        put_accessor(writer, animation, 0, TYPE_FLOAT, keys, "SCALAR");
        put_numbers(writer, "min", glb->times, 1);
        put_numbers(writer, "max", glb->times + keys - 1, 1);
        wf_put_text(writer, "},\n");
        put_accessor(writer, animation, 4 * keys, TYPE_FLOAT, keys * (keys - 1), "SCALAR");
        wf_put_text(writer, "}");
        for (int k = 1; k < glb->keys; k++) put_key_accessors(writer, 0, k);
    }
    if (corners > 0 && ends > 0) {
        wf_put_text(writer, ",\n");
        put_index_accessor(writer, padded_size(writer, corners), ends);
    }
    for (int p = 1; p < writer->part_count; p++) put_part_accessors(writer, p);
    wf_put_text(writer, "],\n");
}

static void put_view(WeftWriter* writer, uint32_t offset, uint32_t size, const char* more) {
    wf_put_text(writer, "{\"buffer\":0,\"byteOffset\":%lu,\"byteLength\":%lu%s}",
                (unsigned long)offset, (unsigned long)size, more);
}

static void put_views(WeftWriter* writer) {
    const Glb* glb = writer->data;
    // without what fills up the last list
    int last = writer->part_count - 1;
    uint32_t count = corner_count(writer, last), index_size = indices_at(writer, last);
    if (last == 0 && writer->line_count > 0) {
        index_size += padded_size(writer, count);
        count = end_count(writer);
    }
    index_size += bare_size(writer, count);
    wf_put_text(writer, "\"bufferViews\":[");
    put_view(writer, 0, index_size, ",\"target\":34963");
    wf_put_text(writer, ",\n");
    put_view(writer, vertices_at(glb), (uint32_t)glb->keys * key_size(writer),
             ",\"byteStride\":12,\"target\":34962");
    if (writer->texture) {
        wf_put_text(writer, ",\n");
        put_view(writer, glb->index_size, glb->texture_size, ",\"target\":34962");
    }
    if (glb->keys > 1) {
        wf_put_text(writer, ",\n");
        put_view(writer, times_at(writer), animation_size(glb), "");
    }
    wf_put_text(writer, "],\n\"buffers\":[{\"byteLength\":%lu}]}",
                (unsigned long)(times_at(writer) + animation_size(glb)));
}

static void put_nodes(WeftWriter* writer) {
    wf_put_text(writer, "\"scene\":0,\"scenes\":[{\"nodes\":[");
    for (int p = 0; p < writer->part_count; p++) wf_put_text(writer, "%s%d", p > 0 ? "," : "", p);
    wf_put_text(writer, "]}],\"nodes\":[");
    for (int p = 0; p < writer->part_count; p++)
        wf_put_text(writer, "%s{\"name\":\"%s\",\"mesh\":%d}", p > 0 ? ",\n" : "",
                    writer->parts[p].name, p);
    wf_put_text(writer, "],\n");
}

// As linear light: a dusty blue for cloth, which is rough, and grey for bodies. Cloth, and bodies
// that are open, are seen from both sides.
static void put_materials(WeftWriter* writer) {
    bool bodies = false;
    for (int p = 0; p < writer->part_count; p++) bodies = bodies || writer->parts[p].body;
    wf_put_text(writer,
                "\"materials\":[{\"name\":\"%s\",\"doubleSided\":true,\"pbrMetallicRoughness\":{"
                "\"baseColorFactor\":[0.13,0.26,0.45,1],\"metallicFactor\":0,"
                "\"roughnessFactor\":0.9}}",
                writer->parts[0].name);
    if (bodies)
        wf_put_text(writer,
                    ",\n{\"name\":\"body\",\"doubleSided\":true,\"pbrMetallicRoughness\":{"
                    "\"baseColorFactor\":[0.4,0.4,0.4,1],\"metallicFactor\":0,"
                    "\"roughnessFactor\":0.6}}");
    wf_put_text(writer, "],\n");
}

static void put_json(WeftWriter* writer) {
    const Glb* glb = writer->data;
    wf_put_text(writer, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"weft %s\"},\n",
                weft_version());
    put_nodes(writer);
    put_materials(writer);
    put_meshes(writer);
    if (glb->keys > 1) put_animation(writer);
    put_accessors(writer);
    put_views(writer);
}

// ---------------------------------------------------------------------------------------------
// The file

// bytes of the JSON at most
static int64_t find_text_size(const WeftWriter* writer, int64_t keys) {
    int64_t size = TEXT_SIZE - TEXT_SIZE_PART;
    for (int p = 0; p < writer->part_count; p++)
        size += TEXT_SIZE_PART + keys * TEXT_SIZE_KEY + 4 * (int64_t)strlen(writer->parts[p].name);
    return size;
}

// how many keys the file has room for, at least 3: first, last and some between
static int find_most_keys(const WeftWriter* writer) {
    int64_t keys = MOST_KEYS, other = 4 * keys * keys + find_text_size(writer, keys);
    other += HEADER_SIZE + 2 * CHUNK_SIZE;
    other += (int64_t)12 * writer->triangle_count + (int64_t)8 * writer->line_count;
    other += (int64_t)8 * writer->vertex_count;
    int64_t fitting = (LARGEST_FILE - other) / ((int64_t)24 * writer->vertex_count);
    return fitting < 3 ? 0 : fitting < keys ? (int)fitting : (int)keys;
}

static bool create_data(WeftWriter* writer, int keys) {
    Glb* glb = writer->data;
    size_t count = (size_t)writer->vertex_count;
    glb->first = wf_alloc(&writer->allocator, 6 * count, sizeof(float));
    glb->frame = wf_alloc(&writer->allocator, 6 * count, sizeof(float));
    glb->times = wf_alloc(&writer->allocator, (size_t)keys, sizeof(float));
    size_t parts = (size_t)writer->part_count;
    glb->bounds = wf_alloc(&writer->allocator, (size_t)keys * parts, sizeof(Bounds));
    glb->moved = wf_alloc(&writer->allocator, parts, sizeof(bool));
    return glb->first && glb->frame && glb->times && glb->bounds && glb->moved;
}

static void put_spaces(WeftWriter* writer, long count) {
    for (long i = 0; i < count; i++) wf_put(writer, " ", 1);
}

static WeftResult begin(WeftWriter* writer, WeftError* error) {
    Glb* glb = writer->data = wf_alloc(&writer->allocator, 1, sizeof *glb);
    if (!glb) return wf_fail(error, WEFT_ERROR_MEMORY, "%s: out of memory", writer->path);
    int frames = writer->frame_count, keys = find_most_keys(writer);
    if (keys == 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "%s: %d vertices are too many for a GLB of 2 GB",
                       writer->path, writer->vertex_count);
    // first, every stride-th, last
    glb->stride = frames <= keys ? 1 : 1 + (frames - 2) / (keys - 2);
    if (frames < keys) keys = frames;
    if (!create_data(writer, keys))
        return wf_fail(error, WEFT_ERROR_MEMORY, "%s: out of memory", writer->path);
    glb->text_size = (uint32_t)find_text_size(writer, keys);
    glb->index_size = indices_at(writer, writer->part_count);
    glb->texture_size = writer->texture ? 8 * (uint32_t)writer->vertex_count : 0;
    put_spaces(writer, HEADER_SIZE + CHUNK_SIZE + (long)glb->text_size + CHUNK_SIZE);
    put_all_indices(writer);
    put_texture(writer);
    return WEFT_OK;
}

static void put_weights(WeftWriter* writer) {
    const Glb* glb = writer->data;
    for (int key = 0; key < glb->keys; key++)
        for (int target = 1; target < glb->keys; target++) wf_put_float(writer, key == target);
}

static void end(WeftWriter* writer) {
    Glb* glb = writer->data;
    if (glb->left_over) put_key(writer, glb->frame, writer->frames - 1);
    if (glb->keys > 1) {
        wf_put_words(writer, glb->times, (size_t)glb->keys);
        put_weights(writer);
    }
    uint32_t data_size = times_at(writer) + animation_size(glb);
    wf_seek(writer, 0);
    wf_put(writer, "glTF", 4);
    wf_put_word(writer, 2);
    wf_put_word(writer, HEADER_SIZE + 2 * CHUNK_SIZE + glb->text_size + data_size);
    wf_put_word(writer, glb->text_size);
    wf_put(writer, "JSON", 4);
    put_json(writer);
    long data_at = HEADER_SIZE + CHUNK_SIZE + (long)glb->text_size, place = ftell(writer->file);
    assert(place <= data_at);
    put_spaces(writer, data_at - place);
    wf_put_word(writer, data_size);
    wf_put(writer, "BIN\0", 4);
}

static void release(WeftWriter* writer) {
    Glb* glb = writer->data;
    if (!glb) return;
    wf_free(&writer->allocator, glb->first);
    wf_free(&writer->allocator, glb->frame);
    wf_free(&writer->allocator, glb->times);
    wf_free(&writer->allocator, glb->bounds);
    wf_free(&writer->allocator, glb->moved);
    wf_free(&writer->allocator, glb);
}

const WfFormat wf_format_glb = {
    .ending = ".glb",
    .begin = begin,
    .frame = write_frame,
    .end = end,
    .release = release,
};
