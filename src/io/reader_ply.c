// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// PLY as our writer writes it: binary, little endian, vertices of floats that begin with x y z,
// faces of three ints and, where there are parts, the number of theirs; edges are skipped.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/reader.h"

enum { MOST_ITEMS = 1 << 29, MOST_LINE = 1 << 12 };

typedef struct Header {
    int vertex_count, face_count, name_count;
    int vertex_floats;  // per vertex
    bool parted;        // faces have a part
    enum { ELEMENT_NONE, ELEMENT_VERTEX, ELEMENT_FACE, ELEMENT_EDGE } element;
    size_t size;  // bytes
} Header;

// A line of the header, without its end; NULL where there is none.
static const char* take_line(const char* bytes, size_t count, size_t* at, char line[MOST_LINE]) {
    const char* end = memchr(bytes + *at, '\n', count - *at);
    size_t length = end ? (size_t)(end - (bytes + *at)) : MOST_LINE;
    if (length >= MOST_LINE) return NULL;
    memcpy(line, bytes + *at, length);
    line[length] = 0;
    *at += length + 1;
    return line;
}

static bool begins(const char* line, const char* words) {
    return strncmp(line, words, strlen(words)) == 0;
}

static bool parse_count(const char* text, int* count) {
    char* end;
    long value = strtol(text, &end, 10);
    *count = (int)value;
    return end != text && *end == 0 && value >= 0 && value <= MOST_ITEMS;
}

static bool parse_property(Header* header, const char* line) {
    static const char* const first[] = {"property float x", "property float y", "property float z"};
    if (header->element == ELEMENT_VERTEX) {
        int number = header->vertex_floats++;
        return begins(line, number < 3 ? first[number] : "property float ") && number < 64;
    }
    if (header->element == ELEMENT_FACE && strcmp(line, "property int part") == 0)
        return header->parted = true;
    return header->element == ELEMENT_EDGE ||
           strcmp(line, "property list uchar int vertex_indices") == 0;
}

static bool parse_header_line(Header* header, const char* line) {
    int edges;
    if (begins(line, "comment ")) {
        header->name_count += begins(line, "comment part ");
        return true;
    }
    if (begins(line, "element vertex ")) {
        header->element = ELEMENT_VERTEX;
        return parse_count(line + 15, &header->vertex_count);
    }
    if (begins(line, "element face ")) {
        header->element = ELEMENT_FACE;
        return header->vertex_floats >= 3 && parse_count(line + 13, &header->face_count);
    }
    if (begins(line, "element edge ")) {
        header->element = ELEMENT_EDGE;
        return header->vertex_floats >= 3 && parse_count(line + 13, &edges);
    }
    return begins(line, "property ") && parse_property(header, line);
}

static bool parse_header(const char* bytes, size_t count, Header* header) {
    char line[MOST_LINE];
    size_t at = 0;
    *header = (Header){0};
    if (!take_line(bytes, count, &at, line) || strcmp(line, "ply") != 0) return false;
    if (!take_line(bytes, count, &at, line) || strcmp(line, "format binary_little_endian 1.0") != 0)
        return false;
    while (take_line(bytes, count, &at, line)) {
        if (strcmp(line, "end_header") == 0) {
            header->size = at;
            return header->vertex_count > 0 && header->vertex_floats >= 3;
        }
        if (!parse_header_line(header, line)) return false;
    }
    return false;
}

// "comment part 1, 642 vertices: body 0"
static bool add_part(const WfReader* reader, const char* line, WfShape* shape) {
    const char *comma = strchr(line, ','), *name = strstr(line, ": ");
    name = name ? name + 2 : "";
    if (!wf_add_part(reader, shape, name, strlen(name))) return false;
    long count = comma ? strtol(comma + 1, NULL, 10) : -1;
    shape->parts[shape->part_count - 1].vertex_count =
        count >= 0 && count <= MOST_ITEMS ? (int)count : -1;
    return true;
}

// Without such lines all is one part.
static bool add_parts(const WfReader* reader, const char* bytes, size_t count, WfShape* shape) {
    char line[MOST_LINE];
    for (size_t at = 0; take_line(bytes, count, &at, line) && strcmp(line, "end_header") != 0;)
        if (begins(line, "comment part ") && !add_part(reader, line, shape)) return false;
    if (shape->part_count > 0) return true;
    bool good = wf_add_part(reader, shape, "cloth", 5);
    if (good) shape->parts[0].vertex_count = shape->vertex_count;
    return good;
}

static bool make_room(const WfReader* reader, const Header* header, WfShape* shape) {
    const WeftAllocator* allocator = &reader->allocator;
    shape->vertex_count = header->vertex_count;
    shape->triangle_count = header->face_count;
    shape->positions = wf_alloc(allocator, (size_t)header->vertex_count, 3 * sizeof(float));
    shape->triangles = wf_alloc(allocator, (size_t)header->face_count, 3 * sizeof(int));
    shape->parts = wf_alloc(allocator, (size_t)header->name_count + 1, sizeof *shape->parts);
    return shape->positions && shape->triangles && shape->parts;
}

static size_t face_size(const Header* header) { return header->parted ? 17 : 13; }

static const char* fill_faces(const Header* header, const char* at, WfShape* shape) {
    int part = 0;
    for (int t = 0; t < header->face_count; t++, at += face_size(header)) {
        if (at[0] != 3) return "a face has not three corners";
        for (int i = 0; i < 3; i++) {
            uint32_t vertex = wf_get_word(at + 1 + 4 * i);
            if (vertex >= (uint32_t)header->vertex_count) return "a face names no vertex";
            shape->triangles[3 * (size_t)t + (size_t)i] = (int)vertex;
        }
        uint32_t number = header->parted ? wf_get_word(at + 13) : 0;
        if (number >= (uint32_t)shape->part_count || (int)number < part)
            return "parts are not in order";
        part = (int)number;
        shape->parts[part].triangle_count++;
    }
    return NULL;
}

static bool parts_add_up(const WfShape* shape) {
    long sum = 0;
    for (int p = 0; p < shape->part_count; p++) {
        if (shape->parts[p].vertex_count < 0) return false;
        sum += shape->parts[p].vertex_count;
    }
    return sum == shape->vertex_count;
}

static WeftResult fill_shape(const WfReader* reader, const char* bytes, size_t count,
                             WfShape* shape, WeftError* error) {
    Header header;
    if (!parse_header(bytes, count, &header))
        return wf_fail_reader(reader, error, "is no PLY as weft writes it");
    size_t stride = 4 * (size_t)header.vertex_floats;
    size_t vertices = stride * (size_t)header.vertex_count;
    if (count - header.size < vertices ||
        count - header.size - vertices < face_size(&header) * (size_t)header.face_count)
        return wf_fail_reader(reader, error, "is cut off");
    if (!make_room(reader, &header, shape) || !add_parts(reader, bytes, count, shape))
        return wf_fail_reader_memory(reader, error);
    const char* at = bytes + header.size;
    for (size_t i = 0; i < (size_t)header.vertex_count; i++, at += stride)
        for (size_t k = 0; k < 3; k++) shape->positions[3 * i + k] = wf_get_float(at + 4 * k);
    const char* wrong = fill_faces(&header, at, shape);
    if (wrong) return wf_fail_reader(reader, error, wrong);
    return parts_add_up(shape) ? WEFT_OK
                               : wf_fail_reader(reader, error, "its parts have other vertices");
}

static WeftResult read_shape(const WfReader* reader, WfShape* shape, WeftError* error) {
    char* bytes;
    size_t count;
    *shape = (WfShape){0};
    WeftResult result = wf_load_file(reader, reader->frame_path, &bytes, &count, error);
    if (result) return result;
    result = fill_shape(reader, bytes, count, shape, error);
    wf_free(&reader->allocator, bytes);
    if (result) wf_free_shape(reader, shape);
    return result;
}

static WeftResult open_ply(WfReader* reader, const char* mesh_path, WeftError* error) {
    (void)mesh_path;
    WfShape shape;
    WeftResult result = read_shape(reader, &shape, error);
    if (!result) wf_show_shape(reader, &shape);
    return result;
}

static WeftResult read_frame(WfReader* reader, int frame, double* positions, WeftError* error) {
    (void)frame;
    WfShape shape;
    WeftResult result = read_shape(reader, &shape, error);
    return result ? result : wf_take_positions(reader, &shape, positions, error);
}

const WfSource wf_source_ply = {
    .ending = ".ply",
    .file_per_frame = true,
    .open = open_ply,
    .frame = read_frame,
};
