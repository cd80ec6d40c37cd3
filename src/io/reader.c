// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Results read back: finds the file or the sequence of files, and hands over to their format.

#include "io/reader.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/file.h"

static const WfSource* const sources[] = {&wf_source_glb, &wf_source_pc2, &wf_source_obj,
                                          &wf_source_ply};

enum { FEWEST_DIGITS = 4, MOST_DIGITS = 10 };  // of the numbers of frames

static const double LARGEST_NUMBER = 1e30;  // what writers write

// ---------------------------------------------------------------------------------------------
// What the formats use

WeftResult wf_fail_reader(const WfReader* reader, WeftError* error, const char* what) {
    return wf_fail(error, WEFT_ERROR_INPUT, "%s: %s", reader->frame_path, what);
}

WeftResult wf_fail_reader_memory(const WfReader* reader, WeftError* error) {
    return wf_fail(error, WEFT_ERROR_MEMORY, "%s: out of memory", reader->path);
}

uint32_t wf_get_word(const void* bytes) {
    const unsigned char* at = bytes;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

float wf_get_float(const void* bytes) {
    uint32_t word = wf_get_word(bytes);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static long find_size(FILE* file) {
    long size = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    return fseek(file, 0, SEEK_SET) ? -1 : size;
}

WeftResult wf_load_file(const WfReader* reader, const char* path, char** bytes, size_t* count,
                        WeftError* error) {
    *bytes = NULL;
    FILE* file = wf_open_file(path, "rb");
    long size = file ? find_size(file) : -1;
    WeftResult result = WEFT_OK;
    if (size < 0) {
        result = wf_fail(error, WEFT_ERROR_FILE, "%s: %s", path, strerror(errno));
    } else if (!(*bytes = wf_alloc(&reader->allocator, (size_t)size + 1, 1))) {
        result = wf_fail_reader_memory(reader, error);
    } else if ((*count = fread(*bytes, 1, (size_t)size, file)) != (size_t)size) {
        result = wf_fail(error, WEFT_ERROR_FILE, "%s: cannot be read", path);
        wf_free(&reader->allocator, *bytes);
        *bytes = NULL;
    }
    if (file) fclose(file);
    return result;
}

bool wf_add_part(const WfReader* reader, WfShape* shape, const char* name, size_t length) {
    char* copy = wf_alloc(&reader->allocator, length + 1, 1);
    if (!copy) return false;
    memcpy(copy, name, length);
    wf_make_plain(copy);
    bool body = shape->part_count > 0 && strncmp(copy, "body", 4) == 0;
    shape->parts[shape->part_count++] = (WeftPart){.name = copy, .body = body};
    return true;
}

static void free_parts(const WeftAllocator* allocator, WeftPart* parts, int count) {
    for (int i = 0; i < count; i++) wf_free(allocator, (char*)parts[i].name);
    wf_free(allocator, parts);
}

void wf_free_shape(const WfReader* reader, WfShape* shape) {
    wf_free(&reader->allocator, shape->positions);
    wf_free(&reader->allocator, shape->triangles);
    free_parts(&reader->allocator, shape->parts, shape->part_count);
    *shape = (WfShape){0};
}

void wf_show_shape(WfReader* reader, WfShape* shape) {
    WeftReader* shown = &reader->shown;
    shown->vertex_count = shape->vertex_count;
    shown->triangle_count = shape->triangle_count;
    shown->triangles = shape->triangles;
    shown->part_count = shape->part_count;
    shown->parts = shape->parts;
    shape->triangles = NULL, shape->parts = NULL;
    shape->part_count = 0;
    wf_free_shape(reader, shape);
}

WeftResult wf_take_positions(const WfReader* reader, WfShape* shape, double* positions,
                             WeftError* error) {
    const WeftReader* shown = &reader->shown;
    bool same = shape->vertex_count == shown->vertex_count &&
                shape->triangle_count == shown->triangle_count &&
                shape->part_count == shown->part_count &&
                memcmp(shape->triangles, shown->triangles,
                       3 * (size_t)shown->triangle_count * sizeof(int)) == 0;
    for (size_t i = 0; same && i < 3 * (size_t)shape->vertex_count; i++)
        positions[i] = (double)shape->positions[i];
    wf_free_shape(reader, shape);
    return same ? WEFT_OK
                : wf_fail_reader(reader, error, "is not the same mesh as the first frame");
}

// ---------------------------------------------------------------------------------------------
// Files

static const char* find_ending(const char* path) {
    const char *name = wf_file_name(path), *dot = strrchr(name, '.');
    return dot ? dot : name + strlen(name);
}

static bool same_ending(const char* a, const char* b) {
    for (; *a && *b; a++, b++)
        if ((*a >= 'A' && *a <= 'Z' ? *a - 'A' + 'a' : *a) != *b) return false;
    return *a == *b;
}

static const WfSource* find_source(const char* path) {
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
        if (same_ending(find_ending(path), sources[i]->ending)) return sources[i];
    return NULL;
}

static bool file_exists(const char* path) {
    FILE* file = wf_open_file(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

const char* wf_frame_path(WfReader* reader, int frame) {
    const char* ending = find_ending(reader->path);
    if (reader->digits > 0)
        snprintf(reader->frame_path, reader->path_size, "%.*s.%0*d%s", (int)(ending - reader->path),
                 reader->path, reader->digits, frame, ending);
    else
        snprintf(reader->frame_path, reader->path_size, "%s", reader->path);
    return reader->frame_path;
}

// One file of that name, or the frames name.0000.obj, name.0001.obj ...
static WeftResult find_files(WfReader* reader, WeftError* error) {
    bool sequence = reader->source->file_per_frame;
    reader->shown.frame_count = 1;
    if (file_exists(wf_frame_path(reader, 0))) return WEFT_OK;
    for (reader->digits = FEWEST_DIGITS; sequence && reader->digits <= MOST_DIGITS;
         reader->digits++) {
        int count = 0;
        while (file_exists(wf_frame_path(reader, count))) count++;
        reader->shown.frame_count = count;
        if (count > 0) return WEFT_OK;
    }
    reader->digits = FEWEST_DIGITS;
    wf_frame_path(reader, 0);
    return wf_fail(error, WEFT_ERROR_FILE, "%s: No such file%s%s", reader->path,
                   sequence ? ", nor " : "", sequence ? reader->frame_path : "");
}

// ---------------------------------------------------------------------------------------------
// The reader

static WeftResult create_reader(const char* path, const WeftAllocator* user, WfReader** made,
                                WeftError* error) {
    WeftAllocator allocator = wf_allocator(user);
    WfReader* reader = *made = wf_alloc(&allocator, 1, sizeof *reader);
    if (!reader) return wf_fail(error, WEFT_ERROR_MEMORY, "%s: out of memory", path);
    size_t path_size = strlen(path) + sizeof ".2147483647";
    *reader = (WfReader){
        .allocator = allocator,
        .path = wf_alloc(&allocator, strlen(path) + 1, 1),
        .frame_path = wf_alloc(&allocator, path_size, 1),
        .path_size = path_size,
        .source = find_source(path),
    };
    if (!reader->path || !reader->frame_path)
        return wf_fail(error, WEFT_ERROR_MEMORY, "%s: out of memory", path);
    strcpy(reader->path, path);
    if (!reader->source)
        return wf_fail(error, WEFT_ERROR_INPUT, "%s: the ending must be .glb, .pc2, .obj or .ply",
                       path);
    return WEFT_OK;
}

WeftResult weft_open_reader(const char* path, const char* mesh_path, const WeftAllocator* allocator,
                            WeftReader** reader, WeftError* error) {
    wf_assert(path && reader);
    WfReader* made;
    *reader = NULL;
    WeftResult result = create_reader(path, allocator, &made, error);
    if (!result) result = find_files(made, error);
    if (!result) {
        wf_frame_path(made, 0);
        result = made->source->open(made, mesh_path, error);
    }
    if (result)
        weft_close_reader(made ? &made->shown : NULL);
    else
        *reader = &made->shown;
    return result;
}

WeftResult weft_read_frame(WeftReader* reader, int frame, double* positions, WeftError* error) {
    wf_assert(reader && positions && frame >= 0 && frame < reader->frame_count);
    WfReader* own = (WfReader*)reader;
    wf_frame_path(own, frame);
    WeftResult result = own->source->frame(own, frame, positions, error);
    for (size_t i = 0; !result && i < 3 * (size_t)reader->vertex_count; i++)
        if (!(fabs(positions[i]) <= LARGEST_NUMBER))
            result = wf_fail(error, WEFT_ERROR_INPUT, "%s: frame %d: vertex %d is not finite",
                             own->frame_path, frame, (int)(i / 3));
    return result;
}

void weft_close_reader(WeftReader* reader) {
    if (!reader) return;
    WfReader* own = (WfReader*)reader;
    WeftAllocator allocator = own->allocator;
    if (own->source && own->source->release) own->source->release(own);
    wf_free(&allocator, reader->triangles);
    free_parts(&allocator, reader->parts, reader->part_count);
    wf_free(&allocator, own->path);
    wf_free(&allocator, own->frame_path);
    wf_free(&allocator, own);
}
