// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Wavefront OBJ: lines of `v x y z`, `vt u v` and `f 1/1 2/2 3/3`; every other keyword is skipped.
// The whole file is in memory and read in one pass. A face may name only what stands above it, so
// polygons are cut as they come; then what no face uses is dropped and the rest renumbered.

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/number.h"
#include "io/polygon.h"
#include "weft/weft_io.h"

enum { MOST_ITEMS = 1 << 29 };  // of each kind; three times as many still fit an int

static const double LARGEST_NUMBER = 1e30;  // what a renderer's float still holds, squares nearly

typedef struct List {
    void* items;
    int count, capacity;
} List;

typedef struct Corner {
    int vertex, texture;  // texture -1: none
} Corner;

// line and column, from 1; line 0: nowhere
typedef struct Place {
    size_t line, column;
} Place;

typedef struct Reader {
    const char* path;
    WeftAllocator allocator;
    WeftError* error;
    char* text;
    const char *at, *end, *line_start;
    size_t line;
    List positions;  // double[3]
    List texture;    // double[2]
    List corners;    // Corner, three per triangle
    Place first_face;
    bool textured;  // as the first face is
} Reader;

// ---------------------------------------------------------------------------------------------
// Lists and the file

// The next item of a list, to be filled; NULL where memory is short.
static void* push(Reader* r, List* list, size_t size) {
    if (list->count == list->capacity) {
        if (list->capacity >= MOST_ITEMS) return NULL;
        int capacity = list->capacity ? 2 * list->capacity : 256;
        void* items = wf_alloc(&r->allocator, (size_t)capacity, size);
        if (!items) return NULL;
        if (list->count > 0) memcpy(items, list->items, (size_t)list->count * size);
        wf_free(&r->allocator, list->items);
        list->items = items;
        list->capacity = capacity;
    }
    return (char*)list->items + (size_t)list->count++ * size;
}

static WeftResult fail_memory(Reader* r) {
    return wf_fail(r->error, WEFT_ERROR_MEMORY, "%s: out of memory", r->path);
}

static WeftResult fail_system(Reader* r, const char* what) {
    return wf_fail(r->error, WEFT_ERROR_FILE, "%s: cannot %s: %s", r->path, what, strerror(errno));
}

// all of an open file into r->text; its size is not asked for, so that pipes work too
static WeftResult read_stream(Reader* r, FILE* file) {
    size_t capacity = 1 << 16, length = 0;
    r->text = wf_alloc(&r->allocator, capacity, 1);
    if (!r->text) return fail_memory(r);
    for (;;) {
        length += fread(r->text + length, 1, capacity - length, file);
        if (ferror(file)) return fail_system(r, "read");
        if (length < capacity) break;
        char* larger = wf_alloc(&r->allocator, capacity, 2);
        if (!larger) return fail_memory(r);
        memcpy(larger, r->text, length);
        wf_free(&r->allocator, r->text);
        r->text = larger;
        capacity *= 2;
    }
    r->end = r->text + length;
    return WEFT_OK;
}

static WeftResult read_text(Reader* r) {
    FILE* file = wf_open_file(r->path, "rb");
    if (!file) return fail_system(r, "open");
    WeftResult result = read_stream(r, file);
    fclose(file);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Lines and words

static Place here(const Reader* r) { return (Place){r->line, (size_t)(r->at - r->line_start) + 1}; }

// put "file:line:column: " before the message
static WeftResult blame(Reader* r, Place place, WeftResult result) {
    return wf_fail_prefix(r->error, result, "%s:%zu:%zu: ", r->path, place.line, place.column);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

static bool at_line_end(const Reader* r) { return r->at == r->end || is_line_end(*r->at); }

// a backslash before a line end joins the next line to this one
static bool at_joint(const Reader* r) {
    return r->at + 1 < r->end && r->at[0] == '\\' && is_line_end(r->at[1]);
}

static bool at_word_end(const Reader* r) {
    return at_line_end(r) || is_blank(*r->at) || *r->at == '#' || at_joint(r);
}

// past \n, \r\n or \r
static void next_line(Reader* r) {
    if (r->at == r->end) return;
    bool carriage = *r->at++ == '\r';
    if (carriage && r->at < r->end && *r->at == '\n') r->at++;
    r->line++;
    r->line_start = r->at;
}

static void join_lines(Reader* r) {
    r->at++;
    next_line(r);
}

static void skip_blanks(Reader* r) {
    for (;;) {
        if (at_joint(r))
            join_lines(r);
        else if (r->at < r->end && is_blank(*r->at))
            r->at++;
        else
            return;
    }
}

// To the end of the line, and of those joined to it; a comment joins none.
static void skip_rest(Reader* r) {
    bool comment = false;
    while (!at_line_end(r)) {
        comment = comment || *r->at == '#';
        if (!comment && at_joint(r))
            join_lines(r);
        else
            r->at++;
    }
}

// Is there another word on this line?
static bool more_words(Reader* r) {
    skip_blanks(r);
    return !at_line_end(r) && *r->at != '#';
}

static WeftResult parse_number(Reader* r, const char* what, double* value) {
    bool found = more_words(r);
    Place place = here(r);
    size_t length = found ? wf_parse_number(r->at, (size_t)(r->end - r->at), value) : 0;
    r->at += length;
    if (length == 0 || !at_word_end(r))
        return blame(r, place, wf_fail(r->error, WEFT_ERROR_INPUT, "%s must be a number", what));
    if (!(fabs(*value) <= LARGEST_NUMBER))
        return blame(r, place, wf_fail(r->error, WEFT_ERROR_INPUT, "%s is out of range", what));
    return WEFT_OK;
}

// A whole number; far too large ones come back as LONG_MAX or its negative.
static bool parse_integer(Reader* r, long* value) {
    bool negative = r->at < r->end && *r->at == '-';
    if (r->at < r->end && (*r->at == '-' || *r->at == '+')) r->at++;
    const char* start = r->at;
    long number = 0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
        int digit = *r->at - '0';
        number = number > (LONG_MAX - digit) / 10 ? LONG_MAX : 10 * number + digit;
    }
    *value = negative ? -number : number;
    return r->at > start;
}

// ---------------------------------------------------------------------------------------------
// v, vt, f

static WeftResult parse_position(Reader* r) {
    double position[3];
    for (int i = 0; i < 3; i++) {
        WeftResult result = parse_number(r, i == 0 ? "x" : i == 1 ? "y" : "z", position + i);
        if (result) return result;
    }
    double* item = push(r, &r->positions, sizeof position);
    if (!item) return fail_memory(r);
    memcpy(item, position, sizeof position);
    return WEFT_OK;
}

static WeftResult parse_texture(Reader* r) {
    double point[2] = {0, 0};
    WeftResult result = parse_number(r, "u", point);
    if (!result && more_words(r)) result = parse_number(r, "v", point + 1);
    if (result) return result;
    double* item = push(r, &r->texture, sizeof point);
    if (!item) return fail_memory(r);
    memcpy(item, point, sizeof point);
    return WEFT_OK;
}

// 1 is the first of `count` known items, -1 the last.
static WeftResult parse_index(Reader* r, const char* what, int count, int* index) {
    Place place = here(r);
    long number;
    if (!parse_integer(r, &number))
        return blame(r, place,
                     wf_fail(r->error, WEFT_ERROR_INPUT, "face needs the number of a %s", what));
    if (number == 0)
        return blame(
            r, place,
            wf_fail(r->error, WEFT_ERROR_INPUT, "face names %s 0, but 1 is the first", what));
    if (number > count || number < -count)
        return blame(
            r, place,
            wf_fail(r->error, WEFT_ERROR_INPUT, "face names %s %ld, but only %d are known so far",
                    what, number, count));
    *index = number > 0 ? (int)number - 1 : (int)(count + number);
    return WEFT_OK;
}

// v, v/vt, v//vn or v/vt/vn
static WeftResult parse_corner(Reader* r, Corner* corner) {
    Place place = here(r);
    corner->texture = -1;
    WeftResult result = parse_index(r, "vertex", r->positions.count, &corner->vertex);
    if (result) return result;
    bool good = true;
    if (!at_word_end(r) && *r->at == '/') {
        r->at++;
        bool normal_follows = !at_word_end(r) && *r->at == '/';
        if (!normal_follows)
            result = parse_index(r, "texture point", r->texture.count, &corner->texture);
        if (result) return result;
        if (!at_word_end(r) && *r->at == '/') {
            long normal;
            r->at++;
            good = parse_integer(r, &normal);
        }
    }
    if (good && at_word_end(r)) return WEFT_OK;
    return blame(
        r, place,
        wf_fail(r->error, WEFT_ERROR_INPUT, "face corner must be v, v/vt, v//vn or v/vt/vn"));
}

static WeftResult check_corner(Reader* r, Place place, const Corner* corners, int count) {
    const Corner* corner = corners + count;
    for (int i = 0; i < count; i++)
        if (corners[i].vertex == corner->vertex)
            return blame(r, place,
                         wf_fail(r->error, WEFT_ERROR_INPUT, "face names vertex %d twice",
                                 corner->vertex + 1));
    bool textured = corner->texture >= 0;
    if (r->first_face.line == 0) {
        r->first_face = place;
        r->textured = textured;
    }
    if (textured == r->textured) return WEFT_OK;
    return blame(r, place,
                 wf_fail(r->error, WEFT_ERROR_INPUT,
                         "face %s texture coordinates, but the first one, in line %zu, %s; give "
                         "them to all faces or to none",
                         textured ? "has" : "has no", r->first_face.line,
                         r->textured ? "has some" : "has none"));
}

static WeftResult add_triangles(Reader* r, const Corner* corners, int count) {
    double points[3 * WF_POLYGON_CORNERS];
    int triangles[3 * (WF_POLYGON_CORNERS - 2)];
    for (int i = 0; i < count; i++)
        memcpy(points + 3 * i, (double*)r->positions.items + 3 * (size_t)corners[i].vertex,
               3 * sizeof(double));
    wf_cut_polygon(points, count, triangles);
    for (int i = 0; i < 3 * (count - 2); i++) {
        Corner* corner = push(r, &r->corners, sizeof *corner);
        if (!corner) return fail_memory(r);
        *corner = corners[triangles[i]];
    }
    return WEFT_OK;
}

static WeftResult parse_face(Reader* r, Place face) {
    Corner corners[WF_POLYGON_CORNERS];
    int count = 0;
    while (more_words(r)) {
        Place place = here(r);
        if (count == WF_POLYGON_CORNERS)
            return blame(r, place,
                         wf_fail(r->error, WEFT_ERROR_INPUT, "face has more than %d corners",
                                 WF_POLYGON_CORNERS));
        WeftResult result = parse_corner(r, corners + count);
        if (!result) result = check_corner(r, place, corners, count);
        if (result) return result;
        count++;
    }
    if (count < 3)
        return blame(
            r, face,
            wf_fail(r->error, WEFT_ERROR_INPUT, "face has %d corners, but needs 3 or more", count));
    return add_triangles(r, corners, count);
}

static WeftResult parse_line(Reader* r) {
    WeftResult result = WEFT_OK;
    if (more_words(r)) {
        Place place = here(r);
        const char* word = r->at;
        while (!at_word_end(r)) r->at++;
        size_t length = (size_t)(r->at - word);
        if (length == 1 && word[0] == 'v')
            result = parse_position(r);
        else if (length == 2 && memcmp(word, "vt", 2) == 0)
            result = parse_texture(r);
        else if (length == 1 && word[0] == 'f')
            result = parse_face(r, place);
    }
    if (result) return result;
    skip_rest(r);
    next_line(r);
    return WEFT_OK;
}

static WeftResult parse_text(Reader* r) {
    r->at = r->text;
    if (r->end - r->at >= 3 && memcmp(r->at, "\xEF\xBB\xBF", 3) == 0) r->at += 3;  // UTF-8 mark
    r->line_start = r->at;
    r->line = 1;
    while (r->at < r->end) {
        WeftResult result = parse_line(r);
        if (result) return result;
    }
    if (r->corners.count == 0)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "%s: the file has no faces", r->path);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// The mesh

// Vertices that faces use, in the order of the file.
static WeftResult build_shape(Reader* r, WeftMesh* mesh) {
    const Corner* corners = r->corners.items;
    int corner_count = r->corners.count, used = 0;
    int* number = wf_alloc(&r->allocator, (size_t)r->positions.count, sizeof(int));
    mesh->triangles = wf_alloc(&r->allocator, (size_t)corner_count, sizeof(int));
    mesh->positions = wf_alloc(&r->allocator, (size_t)r->positions.count, 3 * sizeof(double));
    if (number && mesh->triangles && mesh->positions) {
        for (int i = 0; i < corner_count; i++) number[corners[i].vertex] = 1;
        for (int i = 0; i < r->positions.count; i++) {
            if (!number[i]) continue;
            memcpy(mesh->positions + 3 * (size_t)used, (double*)r->positions.items + 3 * (size_t)i,
                   3 * sizeof(double));
            number[i] = used++;
        }
        for (int i = 0; i < corner_count; i++) mesh->triangles[i] = number[corners[i].vertex];
    }
    wf_free(&r->allocator, number);
    mesh->vertex_count = used;
    mesh->triangle_count = corner_count / 3;
    return used > 0 ? WEFT_OK : fail_memory(r);
}

// One material point for every place in the flat shape that a vertex has there: two on a seam.
// Points with equal coordinates are one, whatever their numbers in the file.
typedef struct Points {
    int count;
    int* first;    // per vertex: its first point, -1: none
    int* next;     // per point: the next of the same vertex
    int* texture;  // per point: where its coordinates are
    int* number;   // per point: its number in the mesh
} Points;

static int find_point(Points* points, const double* texture, int vertex, int t) {
    for (int p = points->first[vertex]; p >= 0; p = points->next[p]) {
        const double *a = texture + 2 * (size_t)points->texture[p], *b = texture + 2 * (size_t)t;
        if (points->texture[p] == t || (a[0] == b[0] && a[1] == b[1])) return p;
    }
    int p = points->count++;
    points->texture[p] = t;
    points->next[p] = points->first[vertex];
    points->first[vertex] = p;
    return p;
}

// number them vertex by vertex: without seams, point i belongs to vertex i
static void number_points(Points* points, int vertex_count) {
    int count = 0;
    for (int v = 0; v < vertex_count; v++)
        for (int p = points->first[v]; p >= 0; p = points->next[p]) points->number[p] = count++;
}

static void fill_material(Reader* r, Points* points, double scale, WeftMesh* mesh) {
    const Corner* corners = r->corners.items;
    const double* texture = r->texture.items;
    for (int v = 0; v < mesh->vertex_count; v++) points->first[v] = -1;
    for (int i = 0; i < r->corners.count; i++)
        mesh->triangle_material[i] =
            find_point(points, texture, mesh->triangles[i], corners[i].texture);
    number_points(points, mesh->vertex_count);
    for (int i = 0; i < r->corners.count; i++)
        mesh->triangle_material[i] = points->number[mesh->triangle_material[i]];
    for (int p = 0; p < points->count; p++)
        for (int k = 0; k < 2; k++)
            mesh->material[2 * (size_t)points->number[p] + k] =
                scale * texture[2 * (size_t)points->texture[p] + k];
    mesh->material_count = points->count;
}

static WeftResult build_material(Reader* r, double scale, WeftMesh* mesh) {
    size_t most = (size_t)r->corners.count;
    Points points = {
        .first = wf_alloc(&r->allocator, (size_t)mesh->vertex_count, sizeof(int)),
        .next = wf_alloc(&r->allocator, most, sizeof(int)),
        .texture = wf_alloc(&r->allocator, most, sizeof(int)),
        .number = wf_alloc(&r->allocator, most, sizeof(int)),
    };
    mesh->triangle_material = wf_alloc(&r->allocator, most, sizeof(int));
    mesh->material = wf_alloc(&r->allocator, most, 2 * sizeof(double));
    bool good = points.first && points.next && points.texture && points.number &&
                mesh->triangle_material && mesh->material;
    if (good) fill_material(r, &points, scale, mesh);
    wf_free(&r->allocator, points.first);
    wf_free(&r->allocator, points.next);
    wf_free(&r->allocator, points.texture);
    wf_free(&r->allocator, points.number);
    if (good && mesh->material_count == mesh->vertex_count) {
        wf_free(&r->allocator, mesh->triangle_material);
        mesh->triangle_material = NULL;
    }
    return good ? WEFT_OK : fail_memory(r);
}

WeftResult weft_read_obj(const char* path, double texture_scale, const WeftAllocator* allocator,
                         WeftMesh* mesh, WeftError* error) {
    wf_assert(path && mesh && texture_scale > 0);
    Reader reader = {.path = path, .allocator = wf_allocator(allocator), .error = error};
    *mesh = (WeftMesh){.allocator = reader.allocator};
    WeftResult result = read_text(&reader);
    if (!result) result = parse_text(&reader);
    if (!result) result = build_shape(&reader, mesh);
    if (!result && reader.textured) result = build_material(&reader, texture_scale, mesh);

    if (result) weft_destroy_mesh(mesh);
    wf_free(&reader.allocator, reader.text);
    wf_free(&reader.allocator, reader.positions.items);
    wf_free(&reader.allocator, reader.texture.items);
    wf_free(&reader.allocator, reader.corners.items);
    return result;
}
