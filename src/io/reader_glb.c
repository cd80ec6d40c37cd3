// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// GLB, as in write_glb.c: every node is a part; frame k is the mesh of the first plus morph target
// k, as players add them: in floats. The JSON is in memory, the data are read from the file as
// frames are asked for. Nothing in a damaged file is what it should be, so every value is looked at
// first.
//
// Where a part has the attribute _VERTEX, its vertices 0, 1, ... are followed by copies of them,
// which have other texture coordinates: triangles get the vertices back, and copies are not read.

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "base/memory.h"
#include "io/file.h"
#include "io/reader.h"

enum { HEADER_SIZE = 12, CHUNK_SIZE = 8, MOST_ITEMS = 1 << 29, BLOCK = 1024 };
enum { TYPE_FLOAT = 5126, TYPE_SHORT = 5123, TYPE_INT = 5125 };  // glTF's names of types
enum { MODE_LINES = 1, MODE_TRIANGLES = 4 };

typedef struct Piece {
    long position_at;  // of the first frame, in the file
    json_t* targets;   // or NULL
    json_t* mesh;
    int copied_count;  // vertices, copies included
    int* sources;      // of which vertex each is a copy, or itself; NULL: there are no copies
} Piece;

typedef struct Glb {
    FILE* file;
    json_t* json;
    long data_at, data_size;
    int piece_count;
    Piece* pieces;  // per part
} Glb;

// Elements of one kind in the file.
typedef struct Access {
    long at;
    int count;
    int type;
} Access;

static WeftResult fail_damaged(const WfReader* reader, WeftError* error, const char* what) {
    return wf_fail(error, WEFT_ERROR_INPUT, "%s: is damaged: %s", reader->path, what);
}

// ---------------------------------------------------------------------------------------------
// JSON

// A whole number from 0; -1 where it is none. `missing` where it is left out.
static long whole(json_t* object, const char* key, long missing) {
    json_t* value = json_object_get(object, key);
    if (!value) return missing;
    json_int_t number = json_integer_value(value);
    return json_is_integer(value) && number >= 0 && number <= INT32_MAX ? (long)number : -1;
}

// An entry of a list of the whole file; NULL where there is none.
static json_t* entry(const Glb* glb, const char* list, long index) {
    return index < 0 ? NULL : json_array_get(json_object_get(glb->json, list), (size_t)index);
}

static bool open_accessor(const Glb* glb, long index, const char* shape, Access* access) {
    json_t* accessor = entry(glb, "accessors", index);
    json_t* view = entry(glb, "bufferViews", whole(accessor, "bufferView", -1));
    const char* type = json_string_value(json_object_get(accessor, "type"));
    if (!accessor || !view || !type || strcmp(type, shape) != 0) return false;
    access->type = (int)whole(accessor, "componentType", -1);
    long size = access->type == TYPE_SHORT ? 2 : 4;
    long element = strcmp(shape, "VEC3") == 0 ? 3 * size : size;
    long stride = whole(view, "byteStride", element), count = whole(accessor, "count", -1);
    long start = whole(view, "byteOffset", 0), length = whole(view, "byteLength", -1);
    long offset = whole(accessor, "byteOffset", 0);
    if (access->type != TYPE_SHORT && access->type != TYPE_INT && access->type != TYPE_FLOAT)
        return false;
    if (stride != element || count < 1 || count > MOST_ITEMS || start < 0 || offset < 0)
        return false;
    if (length < 0 || offset + count * element > length || start + length > glb->data_size)
        return false;
    access->at = glb->data_at + start + offset;
    access->count = (int)count;
    return true;
}

static bool open_positions(const Glb* glb, json_t* attributes, Access* access) {
    return open_accessor(glb, whole(attributes, "POSITION", -1), "VEC3", access) &&
           access->type == TYPE_FLOAT;
}

// ---------------------------------------------------------------------------------------------
// The file

static bool read_chunk(FILE* file, const char* kind, long* size) {
    unsigned char header[CHUNK_SIZE];
    if (fread(header, 1, sizeof header, file) != sizeof header) return false;
    *size = (long)wf_get_word(header);
    return memcmp(header + 4, kind, 4) == 0;
}

static WeftResult load_json(WfReader* reader, long size, WeftError* error) {
    Glb* glb = reader->data;
    char* text = wf_alloc(&reader->allocator, (size_t)size, 1);
    if (!text) return wf_fail_reader_memory(reader, error);
    bool whole_text = fread(text, 1, (size_t)size, glb->file) == (size_t)size;
    if (whole_text) glb->json = json_loadb(text, (size_t)size, 0, NULL);
    wf_free(&reader->allocator, text);
    if (!whole_text) return wf_fail_reader(reader, error, "is cut off");
    return glb->json ? WEFT_OK : fail_damaged(reader, error, "its JSON cannot be read");
}

static WeftResult read_chunks(WfReader* reader, WeftError* error) {
    Glb* glb = reader->data;
    unsigned char header[HEADER_SIZE];
    long size = fseek(glb->file, 0, SEEK_END) ? -1 : ftell(glb->file), text_size;
    rewind(glb->file);
    if (fread(header, 1, sizeof header, glb->file) != sizeof header ||
        memcmp(header, "glTF", 4) != 0 || wf_get_word(header + 4) != 2)
        return wf_fail_reader(reader, error, "is no GLB of glTF 2");
    if (size < (long)wf_get_word(header + 8)) return wf_fail_reader(reader, error, "is cut off");
    if (!read_chunk(glb->file, "JSON", &text_size) || text_size > size)
        return fail_damaged(reader, error, "it does not begin with JSON");
    WeftResult result = load_json(reader, text_size, error);
    if (result) return result;
    if (!read_chunk(glb->file, "BIN\0", &glb->data_size))
        return fail_damaged(reader, error, "it has no data");
    glb->data_at = HEADER_SIZE + 2 * CHUNK_SIZE + text_size;
    if (glb->data_size > size - glb->data_at)
        return fail_damaged(reader, error, "a chunk goes beyond it");
    const char* maker =
        json_string_value(json_object_get(json_object_get(glb->json, "asset"), "generator"));
    return maker && strncmp(maker, "weft ", 5) == 0
               ? WEFT_OK
               : wf_fail_reader(reader, error, "was not written by weft; only its files are read");
}

// ---------------------------------------------------------------------------------------------
// Parts

// Indices of triangles, counted from vertex `first`.
static bool read_triangles(const Glb* glb, const Access* access, int first, const Piece* piece,
                           int* triangles) {
    unsigned char bytes[4 * BLOCK];
    size_t size = access->type == TYPE_SHORT ? 2 : 4, left = (size_t)access->count;
    if (fseek(glb->file, access->at, SEEK_SET)) return false;
    while (left > 0) {
        size_t count = left < BLOCK ? left : BLOCK;
        if (fread(bytes, size, count, glb->file) != count) return false;
        for (size_t i = 0; i < count; i++) {
            uint32_t index = size == 4 ? wf_get_word(bytes + 4 * i)
                                       : bytes[2 * i] | (uint32_t)bytes[2 * i + 1] << 8;
            if (index >= (uint32_t)piece->copied_count) return false;
            *triangles++ = first + (piece->sources ? piece->sources[index] : (int)index);
        }
        left -= count;
    }
    return true;
}

// The first primitive of a mesh with this mode; NULL where there is none.
static json_t* find_primitive(json_t* mesh, long mode) {
    size_t i;
    json_t* primitive;
    json_array_foreach(json_object_get(mesh, "primitives"), i, primitive) {
        if (whole(primitive, "mode", MODE_TRIANGLES) == mode) return primitive;
    }
    return NULL;
}

// The numbers 0, 1, ... up to some, and behind them those again.
static bool are_sources(const int* sources, int count, int* vertex_count) {
    int first = 0;
    while (first < count && sources[first] == first) first++;
    for (int i = first; i < count; i++)
        if (sources[i] < 0 || sources[i] >= first) return false;
    *vertex_count = first;
    return first > 0;
}

static bool read_sources(const Glb* glb, const Access* access, int* sources) {
    unsigned char bytes[4];
    if (fseek(glb->file, access->at, SEEK_SET)) return false;
    for (int i = 0; i < access->count; i++) {
        if (fread(bytes, sizeof bytes, 1, glb->file) != 1) return false;
        float number = wf_get_float(bytes);
        if (!(number >= 0 && number < MOST_ITEMS)) return false;
        sources[i] = (int)number;
    }
    return true;
}

static WeftResult join_copies(WfReader* reader, json_t* attributes, Piece* piece, WeftPart* part,
                              WeftError* error) {
    static const char* const what = "it does not say which vertices are the same";
    const Glb* glb = reader->data;
    Access access;
    if (!json_object_get(attributes, "_VERTEX")) return WEFT_OK;
    if (!open_accessor(glb, whole(attributes, "_VERTEX", -1), "SCALAR", &access) ||
        access.type != TYPE_FLOAT || access.count != piece->copied_count)
        return fail_damaged(reader, error, what);
    piece->sources = wf_alloc(&reader->allocator, (size_t)access.count, sizeof(int));
    if (!piece->sources) return wf_fail_reader_memory(reader, error);
    bool good = read_sources(glb, &access, piece->sources) &&
                are_sources(piece->sources, access.count, &part->vertex_count);
    return good ? WEFT_OK : fail_damaged(reader, error, what);
}

// The indices of a primitive of triangles, which has the vertices of the first.
static bool open_indices(const Glb* glb, json_t* primitive, json_t* attributes, Access* indices) {
    json_t* own = json_object_get(primitive, "attributes");
    return whole(own, "POSITION", -1) == whole(attributes, "POSITION", -1) &&
           open_accessor(glb, whole(primitive, "indices", -1), "SCALAR", indices) &&
           indices->type != TYPE_FLOAT && indices->count % 3 == 0;
}

// How many triangles all primitives of a mesh have; -1: it cannot be read.
static long count_triangles(const Glb* glb, json_t* mesh, json_t* attributes) {
    long corners = 0;
    size_t i;
    json_t* primitive;
    json_array_foreach(json_object_get(mesh, "primitives"), i, primitive) {
        Access indices;
        if (whole(primitive, "mode", MODE_TRIANGLES) != MODE_TRIANGLES) continue;
        if (!open_indices(glb, primitive, attributes, &indices)) return -1;
        corners += indices.count;
        if (corners > MOST_ITEMS) return -1;
    }
    return corners / 3;
}

static bool measure_part(Glb* glb, json_t* node, Piece* piece, WeftPart* part,
                         json_t** attributes) {
    json_t* mesh = entry(glb, "meshes", whole(node, "mesh", -1));
    json_t* primitive = find_primitive(mesh, MODE_TRIANGLES);
    if (!primitive) primitive = find_primitive(mesh, MODE_LINES);
    Access positions;
    *attributes = json_object_get(primitive, "attributes");
    if (!open_positions(glb, *attributes, &positions)) return false;
    long triangles = count_triangles(glb, mesh, *attributes);
    *piece = (Piece){.position_at = positions.at,
                     .targets = json_object_get(primitive, "targets"),
                     .mesh = mesh,
                     .copied_count = positions.count};
    part->vertex_count = positions.count;
    part->triangle_count = (int)triangles;
    return triangles >= 0;
}

// All parts move by the same keys, or stand still.
static bool count_frames(WfReader* reader) {
    Glb* glb = reader->data;
    size_t targets = json_array_size(glb->pieces[0].targets);
    for (int p = 1; p < reader->shown.part_count; p++) {
        size_t own = json_array_size(glb->pieces[p].targets);
        if (own != 0 && own != targets) return false;
    }
    reader->shown.frame_count = (int)targets + 1;
    return targets < MOST_ITEMS;
}

static WeftResult measure_parts(WfReader* reader, WfShape* shape, WeftError* error) {
    Glb* glb = reader->data;
    size_t i;
    json_t* node;
    long vertices = 0, triangles = 0;
    json_array_foreach(json_object_get(glb->json, "nodes"), i, node) {
        const char* name = json_string_value(json_object_get(node, "name"));
        if (!name) name = "";
        if (!wf_add_part(reader, shape, name, strlen(name)))
            return wf_fail_reader_memory(reader, error);
        WeftPart* part = &shape->parts[i];
        json_t* attributes;
        if (!measure_part(glb, node, &glb->pieces[i], part, &attributes))
            return fail_damaged(reader, error, "the mesh of a node cannot be read");
        WeftResult result = join_copies(reader, attributes, &glb->pieces[i], part, error);
        if (result) return result;
        vertices += part->vertex_count, triangles += part->triangle_count;
        if (vertices > MOST_ITEMS || triangles > MOST_ITEMS)
            return wf_fail_reader(reader, error, "the mesh is too large");
    }
    shape->vertex_count = (int)vertices, shape->triangle_count = (int)triangles;
    return WEFT_OK;
}

// Primitive after primitive; returns behind the last, or NULL.
static int* read_primitives(const Glb* glb, const Piece* piece, int first, int* to) {
    size_t i;
    json_t* primitive;
    json_array_foreach(json_object_get(piece->mesh, "primitives"), i, primitive) {
        Access indices;
        if (whole(primitive, "mode", MODE_TRIANGLES) != MODE_TRIANGLES) continue;
        json_t* attributes = json_object_get(primitive, "attributes");
        if (!open_indices(glb, primitive, attributes, &indices) ||
            !read_triangles(glb, &indices, first, piece, to))
            return NULL;
        to += indices.count;
    }
    return to;
}

static WeftResult read_indices(const WfReader* reader, WfShape* shape, WeftError* error) {
    const Glb* glb = reader->data;
    size_t corners = 3 * (size_t)shape->triangle_count;
    shape->triangles = wf_alloc(&reader->allocator, corners, sizeof(int));
    if (!shape->triangles) return wf_fail_reader_memory(reader, error);
    int* to = shape->triangles;
    for (int p = 0, first = 0; p < shape->part_count; p++) {
        const WeftPart* part = &shape->parts[p];
        to = read_primitives(glb, &glb->pieces[p], first, to);
        if (!to) return fail_damaged(reader, error, "a triangle names no vertex");
        first += part->vertex_count;
    }
    return WEFT_OK;
}

static WeftResult read_parts(WfReader* reader, WeftError* error) {
    Glb* glb = reader->data;
    const WeftAllocator* allocator = &reader->allocator;
    size_t count = json_array_size(json_object_get(glb->json, "nodes"));
    if (count == 0 || count > MOST_ITEMS) return fail_damaged(reader, error, "it has no nodes");
    WfShape shape = {.parts = wf_alloc(allocator, count, sizeof(WeftPart))};
    glb->pieces = wf_alloc(allocator, count, sizeof *glb->pieces);
    glb->piece_count = glb->pieces ? (int)count : 0;
    WeftResult result = WEFT_OK;
    if (!shape.parts || !glb->pieces) result = wf_fail_reader_memory(reader, error);
    if (!result) result = measure_parts(reader, &shape, error);
    if (!result) result = read_indices(reader, &shape, error);
    if (result) {
        wf_free_shape(reader, &shape);
        return result;
    }
    wf_show_shape(reader, &shape);
    return count_frames(reader) ? WEFT_OK
                                : fail_damaged(reader, error, "its parts have other frames");
}

static WeftResult open_glb(WfReader* reader, const char* mesh_path, WeftError* error) {
    (void)mesh_path;
    Glb* glb = reader->data = wf_alloc(&reader->allocator, 1, sizeof *glb);
    if (!glb) return wf_fail_reader_memory(reader, error);
    glb->file = wf_open_file(reader->path, "rb");
    if (!glb->file) return wf_fail(error, WEFT_ERROR_FILE, "%s: %s", reader->path, strerror(errno));
    WeftResult result = read_chunks(reader, error);
    return result ? result : read_parts(reader, error);
}

// ---------------------------------------------------------------------------------------------
// Frames

// Adds to what is there.
static bool add_positions(const Glb* glb, long at, int vertex_count, double* positions) {
    unsigned char bytes[12 * BLOCK];
    size_t left = (size_t)vertex_count;
    if (fseek(glb->file, at, SEEK_SET)) return false;
    while (left > 0) {
        size_t count = left < BLOCK ? left : BLOCK;
        if (fread(bytes, 12, count, glb->file) != count) return false;
        for (size_t i = 0; i < 3 * count; i++, positions++)
            *positions = (double)((float)*positions + wf_get_float(bytes + 4 * i));
        left -= count;
    }
    return true;
}

static WeftResult read_frame(WfReader* reader, int frame, double* positions, WeftError* error) {
    const Glb* glb = reader->data;
    for (int p = 0; p < reader->shown.part_count; p++) {
        const Piece* piece = &glb->pieces[p];
        int count = reader->shown.parts[p].vertex_count;
        Access target = {0};
        bool moves = frame > 0 && piece->targets;
        if (moves &&
            (!open_positions(glb, json_array_get(piece->targets, (size_t)frame - 1), &target) ||
             target.count != piece->copied_count))
            return fail_damaged(reader, error, "a frame cannot be read");
        for (size_t i = 0; i < 3 * (size_t)count; i++) positions[i] = 0;
        if (!add_positions(glb, piece->position_at, count, positions) ||
            (moves && !add_positions(glb, target.at, count, positions)))
            return wf_fail(error, WEFT_ERROR_FILE, "%s: cannot be read", reader->path);
        positions += 3 * (size_t)count;
    }
    return WEFT_OK;
}

static void release(WfReader* reader) {
    Glb* glb = reader->data;
    if (!glb) return;
    if (glb->file) fclose(glb->file);
    json_decref(glb->json);
    for (int p = 0; p < glb->piece_count; p++) wf_free(&reader->allocator, glb->pieces[p].sources);
    wf_free(&reader->allocator, glb->pieces);
    wf_free(&reader->allocator, glb);
}

const WfSource wf_source_glb = {
    .ending = ".glb",
    .open = open_glb,
    .frame = read_frame,
    .release = release,
};
