// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// OBJ as our writer writes it: `o`, `v` and `f` of three corners that name what stands above;
// everything else is skipped. Unlike weft_read_obj it keeps all vertices, and knows parts.

#include <string.h>

#include "base/memory.h"
#include "io/number.h"
#include "io/reader.h"

enum { MOST_ITEMS = 1 << 29 };

typedef struct Text {
    const WfReader* reader;
    const char* path;
    const char *at, *end, *line_start;
    int line;
    WeftError* error;
} Text;

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_end(char c) { return c == '\n' || c == '\r'; }

static WeftResult blame(Text* text, const char* what) {
    return wf_fail(text->error, WEFT_ERROR_INPUT, "%s:%d:%d: %s", text->path, text->line,
                   (int)(text->at - text->line_start) + 1, what);
}

static bool has_keyword(const Text* text, char keyword) {
    return text->end - text->at >= 2 && text->at[0] == keyword && is_blank(text->at[1]);
}

static void skip_blanks(Text* text) {
    while (text->at < text->end && is_blank(*text->at)) text->at++;
}
static bool at_line_end(const Text* text) { return text->at == text->end || is_end(*text->at); }

static bool next_line(Text* text) {
    while (text->at < text->end && *text->at != '\n') text->at++;
    if (text->at < text->end) text->at++;
    text->line++;
    text->line_start = text->at;
    return text->at < text->end;
}

static WeftResult parse_position(Text* text, float position[3]) {
    text->at++;
    for (int k = 0; k < 3; k++) {
        double value;
        skip_blanks(text);
        size_t length = wf_parse_number(text->at, (size_t)(text->end - text->at), &value);
        if (length == 0) return blame(text, "a position has three numbers");
        position[k] = (float)value;
        text->at += length;
    }
    return WEFT_OK;
}

// Vertex, and what may follow it after slashes.
static WeftResult parse_corner(Text* text, int vertex_count, int* corner) {
    long number = 0;
    skip_blanks(text);
    for (const char* c = text->at; c < text->end && *c >= '0' && *c <= '9' && number < MOST_ITEMS;
         c++)
        number = 10 * number + (*c - '0');
    if (number < 1 || number > vertex_count)
        return blame(text, "a corner must be the number of a vertex above");
    *corner = (int)number - 1;
    while (!at_line_end(text) && !is_blank(*text->at)) text->at++;
    return WEFT_OK;
}

static WeftResult parse_face(Text* text, int vertex_count, int corners[3]) {
    text->at++;
    for (int i = 0; i < 3; i++) {
        WeftResult result = parse_corner(text, vertex_count, &corners[i]);
        if (result) return result;
    }
    skip_blanks(text);
    return at_line_end(text) ? WEFT_OK : blame(text, "a face must have three corners");
}

static WeftResult add_part(Text* text, WfShape* shape) {
    text->at += 2;
    const char* name = text->at;
    while (!at_line_end(text)) text->at++;
    bool good = wf_add_part(text->reader, shape, name, (size_t)(text->at - name));
    return good ? WEFT_OK : wf_fail_reader_memory(text->reader, text->error);
}

// What stands before the first `o` is a part too.
static WeftPart* current_part(Text* text, WfShape* shape) {
    if (shape->part_count == 0 && !wf_add_part(text->reader, shape, "cloth", 5)) return NULL;
    return &shape->parts[shape->part_count - 1];
}

static WeftResult parse_line(Text* text, WfShape* shape) {
    if (has_keyword(text, 'o')) return add_part(text, shape);
    bool vertex = has_keyword(text, 'v'), face = has_keyword(text, 'f');
    if (!vertex && !face) return WEFT_OK;
    WeftPart* part = current_part(text, shape);
    if (!part) return wf_fail_reader_memory(text->reader, text->error);
    if (vertex) {
        part->vertex_count++;
        return parse_position(text, shape->positions + 3 * (size_t)shape->vertex_count++);
    }
    part->triangle_count++;
    return parse_face(text, shape->vertex_count,
                      shape->triangles + 3 * (size_t)shape->triangle_count++);
}

// Room for as many as the text has lines of each kind.
static WeftResult make_room(Text text, WfShape* shape) {
    size_t vertices = 0, faces = 0, parts = 1;
    const WeftAllocator* allocator = &text.reader->allocator;
    do {
        vertices += has_keyword(&text, 'v');
        faces += has_keyword(&text, 'f');
        parts += has_keyword(&text, 'o');
    } while (next_line(&text));
    if (vertices > MOST_ITEMS || faces > MOST_ITEMS) return blame(&text, "the mesh is too large");
    shape->positions = wf_alloc(allocator, vertices, 3 * sizeof(float));
    shape->triangles = wf_alloc(allocator, faces, 3 * sizeof(int));
    shape->parts = wf_alloc(allocator, parts, sizeof *shape->parts);
    return shape->positions && shape->triangles && shape->parts
               ? WEFT_OK
               : wf_fail_reader_memory(text.reader, text.error);
}

WeftResult wf_read_obj_shape(const WfReader* reader, const char* path, WfShape* shape,
                             WeftError* error) {
    char* bytes;
    size_t count;
    *shape = (WfShape){0};
    WeftResult result = wf_load_file(reader, path, &bytes, &count, error);
    if (result) return result;
    Text text = {reader, path, bytes, bytes + count, bytes, 1, error};
    result = make_room(text, shape);
    do {
        if (!result) result = parse_line(&text, shape);
    } while (!result && next_line(&text));
    if (!result && shape->vertex_count == 0)
        result = wf_fail(error, WEFT_ERROR_INPUT, "%s: the file has no vertices", path);
    wf_free(&reader->allocator, bytes);
    if (result) wf_free_shape(reader, shape);
    return result;
}

static WeftResult open_obj(WfReader* reader, const char* mesh_path, WeftError* error) {
    (void)mesh_path;
    WfShape shape;
    WeftResult result = wf_read_obj_shape(reader, reader->frame_path, &shape, error);
    if (!result) wf_show_shape(reader, &shape);
    return result;
}

static WeftResult read_frame(WfReader* reader, int frame, double* positions, WeftError* error) {
    (void)frame;
    WfShape shape;
    WeftResult result = wf_read_obj_shape(reader, reader->frame_path, &shape, error);
    return result ? result : wf_take_positions(reader, &shape, positions, error);
}

const WfSource wf_source_obj = {
    .ending = ".obj",
    .file_per_frame = true,
    .open = open_obj,
    .frame = read_frame,
};
