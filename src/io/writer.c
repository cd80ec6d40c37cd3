// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The life of a file: opened as path.part, filled by its format, closed, renamed to path. Whatever
// fails on the way removes the part.

#include "io/writer.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/number.h"
#include "io/output.h"

#ifdef __EMSCRIPTEN__  // what the page writes
static const WfFormat* const formats[] = {&wf_format_glb};
#else
static const WfFormat* const formats[] = {&wf_format_glb, &wf_format_pc2, &wf_format_obj,
                                          &wf_format_ply};
#endif

static const float LARGEST_NUMBER = 1e30f;  // differences of such numbers are still finite

// ---------------------------------------------------------------------------------------------
// Writing bytes

static void note_error(WeftWriter* writer) {
    if (!writer->write_error) writer->write_error = errno ? errno : EIO;
}

void wf_put(WeftWriter* writer, const void* bytes, size_t count) {
    if (writer->write_error) return;
    errno = 0;
    if (fwrite(bytes, 1, count, writer->file) != count) note_error(writer);
}

void wf_put_text(WeftWriter* writer, const char* format, ...) {
    if (writer->write_error) return;
    va_list arguments;
    va_start(arguments, format);
    errno = 0;
    if (vfprintf(writer->file, format, arguments) < 0) note_error(writer);
    va_end(arguments);
}

void wf_put_number(WeftWriter* writer, float value) {
    char text[WF_NUMBER_TEXT];
    wf_print_number(text, value);
    wf_put(writer, text, strlen(text));
}

void wf_put_words(WeftWriter* writer, const void* words, size_t count) {
    unsigned char bytes[4096];
    const unsigned char* from = words;
    while (count > 0) {
        size_t block = count < sizeof bytes / 4 ? count : sizeof bytes / 4;
        for (size_t i = 0; i < block; i++) {
            uint32_t word;
            memcpy(&word, from + 4 * i, 4);
            for (int k = 0; k < 4; k++) bytes[4 * i + k] = (unsigned char)(word >> 8 * k);
        }
        wf_put(writer, bytes, 4 * block);
        from += 4 * block;
        count -= block;
    }
}

void wf_put_word(WeftWriter* writer, uint32_t word) { wf_put_words(writer, &word, 1); }
void wf_put_float(WeftWriter* writer, float value) { wf_put_words(writer, &value, 1); }

void wf_seek(WeftWriter* writer, long place) {
    if (writer->write_error) return;
    errno = 0;
    if (fseek(writer->file, place, SEEK_SET)) note_error(writer);
}

// ---------------------------------------------------------------------------------------------
// Names

// where ".obj" begins in a path, or its end
static const char* find_ending(const char* path) {
    const char *name = wf_file_name(path), *dot = strrchr(name, '.');
    return dot ? dot : name + strlen(name);
}

static bool same_ending(const char* a, const char* b) {
    for (; *a && *b; a++, b++)
        if ((*a >= 'A' && *a <= 'Z' ? *a - 'A' + 'a' : *a) != *b) return false;
    return *a == *b;
}

static const WfFormat* find_format(const char* path) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (same_ending(find_ending(path), formats[i]->ending)) return formats[i];
    return NULL;
}

static char* copy_text(const WeftAllocator* allocator, const char* text) {
    char* copy = wf_alloc(allocator, strlen(text) + 1, 1);
    if (copy) strcpy(copy, text);
    return copy;
}

// how many bytes the UTF-8 letter at `text` has; 0: it is none
static int letter_length(const unsigned char* text) {
    if (text[0] < 0x80) return 1;
    int length = text[0] >= 0xC2 && text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : 4;
    if (text[0] < 0xC2 || text[0] > 0xF4) return 0;
    for (int i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80) return 0;
    // neither longer than need be, nor a surrogate, nor past the last
    if (text[0] == 0xE0 && text[1] < 0xA0) return 0;
    if (text[0] == 0xED && text[1] >= 0xA0) return 0;
    if (text[0] == 0xF0 && text[1] < 0x90) return 0;
    if (text[0] == 0xF4 && text[1] >= 0x90) return 0;
    return length;
}

// What would end a line or a string in some format becomes an underscore.
static void clean_name(char* name) {
    for (unsigned char* c = (unsigned char*)name; *c;) {
        int length = letter_length(c);
        bool bad = length == 0 || *c < 0x20 || *c == 0x7F || *c == '"' || *c == '\\';
        if (bad) *c = '_';
        c += bad ? 1 : length;
    }
}

// The path of the file that holds the next frame: the user's, or with the frame's number in it.
static void name_file(WeftWriter* writer) {
    const char* ending = find_ending(writer->path);
    int stem = (int)(ending - writer->path);
    size_t size = writer->path_size;
    // as many digits as the last frame needs, so that names sort as frames do
    int width = 4;
    for (int last = (writer->frame_count - 1) / 10000; last > 0; last /= 10) width++;
    if (writer->format->file_per_frame && writer->frame_count > 1)
        snprintf(writer->file_path, size, "%.*s.%0*d%s", stem, writer->path, width, writer->frames,
                 ending);
    else
        snprintf(writer->file_path, size, "%s", writer->path);
    snprintf(writer->part_path, size, "%s.part", writer->file_path);
}

// ---------------------------------------------------------------------------------------------
// The file

static WeftResult fail_write(const WeftWriter* writer, int code, WeftError* error) {
    return wf_fail(error, WEFT_ERROR_FILE, "%s: cannot write: %s", writer->file_path,
                   strerror(code));
}

static WeftResult open_part(WeftWriter* writer, WeftError* error) {
    name_file(writer);
    writer->file = wf_open_file(writer->part_path, "wb");
    return writer->file ? WEFT_OK : fail_write(writer, errno, error);
}

static void remove_part(WeftWriter* writer) {
    if (!writer->file) return;
    fclose(writer->file);
    wf_remove_file(writer->part_path);
    writer->file = NULL;
}

// what is buffered reaches the file now, so that a full disk is noticed at the frame it hits
static WeftResult check_part(WeftWriter* writer, WeftError* error) {
    errno = 0;
    if (fflush(writer->file)) note_error(writer);
    return writer->write_error ? fail_write(writer, writer->write_error, error) : WEFT_OK;
}

static WeftResult finish_part(WeftWriter* writer, WeftError* error) {
    WeftResult result = check_part(writer, error);
    if (result) return result;
    FILE* file = writer->file;
    writer->file = NULL;
    errno = 0;
    if (fclose(file) || !wf_replace_file(writer->part_path, writer->file_path)) {
        result = fail_write(writer, errno, error);
        wf_remove_file(writer->part_path);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// The writer

WeftWriterDef weft_default_writer_def(void) {
    return (WeftWriterDef){.frame_count = 1, .frame_rate = 60, .name = "cloth"};
}

// How many texture coordinates there are.
static int texture_count(const WeftWriterDef* def) {
    return !def->texture ? 0 : def->triangle_texture ? def->texture_count : def->vertex_count;
}

static WeftResult check_texture(const WeftWriterDef* def, const char* path, WeftError* error) {
    const char* whose = def->triangle_texture ? "number" : "of vertex";
    for (int i = 0; i < texture_count(def); i++)
        for (int k = 0; k < 2; k++)
            if (!(fabsf(def->texture[2 * (size_t)i + k]) <= LARGEST_NUMBER))
                return wf_fail(error, WEFT_ERROR_INPUT,
                               "%s: the texture coordinates %s %d are not finite", path, whose, i);
    return WEFT_OK;
}

static void check_def(const WeftWriterDef* def) {
    wf_assert(def->vertex_count > 0 && def->triangle_count >= 0 && def->line_count >= 0 &&
              def->name);
    wf_assert(def->triangle_count > 0 ? def->triangles != NULL : def->line_count > 0);
    wf_assert(def->line_count == 0 || def->lines);
    wf_assert(def->frame_count > 0 && def->frame_rate > 0);
    for (int i = 0; i < 3 * def->triangle_count; i++)
        wf_assert(def->triangles[i] >= 0 && def->triangles[i] < def->vertex_count);
    for (int i = 0; i < 2 * def->line_count; i++)
        wf_assert(def->lines[i] >= 0 && def->lines[i] < def->vertex_count);
    for (int i = 0; i < def->triangle_count && def->triangle_material; i++)
        wf_assert(def->triangle_material[i] >= -1 &&
                  def->triangle_material[i] < def->material_count);
    for (int i = 0; i < 3 * def->triangle_count && def->texture && def->triangle_texture; i++)
        wf_assert(def->triangle_texture[i] >= 0 && def->triangle_texture[i] < def->texture_count);
    (void)def;
}

// what the parts say they have is what there is, and their triangles stay within them
static void check_parts(const WeftWriterDef* def) {
    int vertices = 0, triangles = 0;
    for (int p = 0; p < def->part_count; p++) {
        const WeftPart* part = &def->parts[p];
        wf_assert(part->name && part->vertex_count > 0 && part->triangle_count >= (p > 0));
        for (int i = 3 * triangles; i < 3 * (triangles + part->triangle_count); i++)
            wf_assert(def->triangles[i] >= vertices &&
                      def->triangles[i] < vertices + part->vertex_count);
        vertices += part->vertex_count, triangles += part->triangle_count;
    }
    wf_assert(vertices == def->vertex_count && triangles == def->triangle_count);
    for (int i = 0; i < 2 * def->line_count; i++)
        wf_assert(def->lines[i] < def->parts[0].vertex_count);
    (void)vertices, (void)triangles;
}

static bool create_parts(WeftWriter* writer, const WeftWriterDef* def) {
    WeftPart whole = {def->name, def->vertex_count, def->triangle_count, false};
    const WeftPart* parts = def->part_count > 0 ? def->parts : &whole;
    int count = def->part_count > 0 ? def->part_count : 1, vertices = 0, triangles = 0;
    writer->parts = wf_alloc(&writer->allocator, (size_t)count, sizeof *writer->parts);
    if (!writer->parts) return false;
    writer->part_count = count;
    for (int p = 0; p < count; p++) {
        WfPart* part = &writer->parts[p];
        *part = (WfPart){
            .name = copy_text(&writer->allocator, parts[p].name),
            .first_vertex = vertices,
            .vertex_count = parts[p].vertex_count,
            .first_triangle = triangles,
            .triangle_count = parts[p].triangle_count,
            .body = parts[p].body,
        };
        if (!part->name) return false;
        clean_name(part->name);
        vertices += part->vertex_count, triangles += part->triangle_count;
    }
    return true;
}

static bool create_materials(WeftWriter* writer, const WeftWriterDef* def) {
    size_t count = (size_t)def->material_count, triangles = (size_t)def->triangle_count;
    if (!def->triangle_material || count == 0) return true;
    writer->materials = wf_alloc(&writer->allocator, count, sizeof *writer->materials);
    writer->triangle_material = wf_alloc(&writer->allocator, triangles, sizeof(int));
    if (!writer->materials || !writer->triangle_material) return false;
    if (triangles > 0)
        memcpy(writer->triangle_material, def->triangle_material, triangles * sizeof(int));
    for (size_t m = 0; m < count; m++) {
        char* name = copy_text(&writer->allocator, def->materials[m]);
        if (!name) return false;
        clean_name(name);
        writer->materials[writer->material_count++] = name;
    }
    return true;
}

static bool copy_look(const WeftAllocator* allocator, const WeftPartLook* from, WeftPartLook* to) {
    if (!from || !from->look) return true;
    WeftLook* look = wf_alloc(allocator, 1, sizeof *look);
    if (!look) return false;
    *look = *from->look;
    *to = (WeftPartLook){look, from->warp_along_v};
    return true;
}

static bool create_looks(WeftWriter* writer, const WeftWriterDef* def) {
    size_t parts = (size_t)writer->part_count, count = parts + (size_t)writer->material_count;
    if (!def->part_looks && !def->material_looks) return true;
    writer->looks = wf_alloc(&writer->allocator, count, sizeof *writer->looks);
    if (def->folder) writer->folder = copy_text(&writer->allocator, def->folder);
    if (!writer->looks || (def->folder && !writer->folder)) return false;
    for (size_t i = 0; i < count; i++) {
        const WeftPartLook* from = i < parts ? def->part_looks ? &def->part_looks[i] : NULL
                                   : def->material_looks ? &def->material_looks[i - parts]
                                                         : NULL;
        if (!copy_look(&writer->allocator, from, &writer->looks[i])) return false;
    }
    return true;
}

static void free_looks(WeftWriter* writer) {
    int count = writer->looks ? writer->part_count + writer->material_count : 0;
    for (int i = 0; i < count; i++) wf_free(&writer->allocator, (void*)writer->looks[i].look);
    wf_free(&writer->allocator, writer->looks);
    wf_free(&writer->allocator, writer->folder);
}

static WeftWriter* create_writer(const char* path, const WfFormat* format,
                                 const WeftWriterDef* def) {
    WeftAllocator allocator = wf_allocator(&def->allocator);
    WeftWriter* writer = wf_alloc(&allocator, 1, sizeof *writer);
    if (!writer) return NULL;
    size_t path_size = strlen(path) + sizeof ".2147483647.part";
    size_t corners = 3 * (size_t)def->triangle_count, points = 2 * (size_t)texture_count(def);
    bool by_corner = def->texture && def->triangle_texture;
    size_t ends = 2 * (size_t)def->line_count;
    *writer = (WeftWriter){
        .format = format,
        .allocator = allocator,
        .path = copy_text(&allocator, path),
        .file_path = wf_alloc(&allocator, path_size, 1),
        .part_path = wf_alloc(&allocator, path_size, 1),
        .path_size = path_size,
        .name = copy_text(&allocator, def->name),
        .vertex_count = def->vertex_count,
        .triangle_count = def->triangle_count,
        .triangles = wf_alloc(&allocator, corners, sizeof(int)),
        .line_count = def->line_count,
        .lines = wf_alloc(&allocator, ends, sizeof(int)),
        .texture = def->texture ? wf_alloc(&allocator, points, sizeof(float)) : NULL,
        .texture_count = texture_count(def),
        .triangle_texture = by_corner ? wf_alloc(&allocator, corners, sizeof(int)) : NULL,
        .frame_count = def->frame_count,
        .frame_rate = def->frame_rate,
    };
    if (!writer->path || !writer->file_path || !writer->part_path || !writer->name ||
        !writer->triangles || !writer->lines || (def->texture && !writer->texture) ||
        (by_corner && !writer->triangle_texture) || !create_parts(writer, def) ||
        !create_materials(writer, def) || !create_looks(writer, def)) {
        weft_abandon_writer(writer);
        return NULL;
    }
    if (corners > 0) memcpy(writer->triangles, def->triangles, corners * sizeof(int));
    if (ends > 0) memcpy(writer->lines, def->lines, ends * sizeof(int));
    if (points > 0) memcpy(writer->texture, def->texture, points * sizeof(float));
    if (by_corner && corners > 0)
        memcpy(writer->triangle_texture, def->triangle_texture, corners * sizeof(int));
    clean_name(writer->name);
    return writer;
}

WeftResult weft_check_writer(const char* path, WeftError* error) {
    if (find_format(path)) return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_INPUT, "%s: the ending must be .glb, .pc2, .obj or .ply",
                   path);
}

WeftResult weft_open_writer(const char* path, const WeftWriterDef* def, WeftWriter** writer,
                            WeftError* error) {
    wf_assert(path && def && writer);
    check_def(def);
    if (def->part_count > 0) check_parts(def);
    *writer = NULL;
    const WfFormat* format = find_format(path);
    WeftResult result = weft_check_writer(path, error);
    if (!result) result = check_texture(def, path, error);
    if (result) return result;

    WeftWriter* made = create_writer(path, format, def);
    if (!made) return wf_fail(error, WEFT_ERROR_MEMORY, "%s: out of memory", path);
    result = open_part(made, error);
    if (!result && format->begin) result = format->begin(made, error);
    if (!result) result = check_part(made, error);
    if (result)
        weft_abandon_writer(made);
    else
        *writer = made;
    return result;
}

static WeftResult check_vectors(const WeftWriter* writer, const char* what, const float* vectors,
                                WeftError* error) {
    for (int i = 0; i < writer->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabsf(vectors[3 * (size_t)i + k]) <= LARGEST_NUMBER))
                return wf_fail(error, WEFT_ERROR_INPUT,
                               "%s: frame %d: the %s of vertex %d is not finite", writer->path,
                               writer->frames, what, i);
    return WEFT_OK;
}

WeftResult weft_write_frame(WeftWriter* writer, const float* positions, const float* normals,
                            WeftError* error) {
    wf_assert(writer && positions && normals && writer->frames < writer->frame_count);
    if (writer->failed)
        return wf_fail(error, WEFT_ERROR_FILE, "%s: an earlier frame was lost", writer->path);
    WeftResult result = check_vectors(writer, "position", positions, error);
    if (!result) result = check_vectors(writer, "normal", normals, error);
    if (!result && !writer->file) result = open_part(writer, error);
    if (!result) {
        writer->format->frame(writer, positions, normals);
        writer->frames++;
        bool whole = writer->format->file_per_frame;
        result = whole ? finish_part(writer, error) : check_part(writer, error);
    }
    if (result) {
        remove_part(writer);
        writer->failed = true;
    }
    return result;
}

static WeftResult complete(WeftWriter* writer, WeftError* error) {
    if (writer->failed)
        return wf_fail(error, WEFT_ERROR_FILE, "%s: an earlier frame was lost", writer->path);
    if (writer->frames == 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "%s: there was no frame to write", writer->path);
    if (writer->format->file_per_frame) return WEFT_OK;
    if (writer->format->end) writer->format->end(writer);
    return finish_part(writer, error);
}

WeftResult weft_close_writer(WeftWriter* writer, WeftError* error) {
    wf_assert(writer);
    WeftResult result = complete(writer, error);
    weft_abandon_writer(writer);
    return result;
}

void weft_abandon_writer(WeftWriter* writer) {
    if (!writer) return;
    WeftAllocator allocator = writer->allocator;
    remove_part(writer);
    if (writer->format->release) writer->format->release(writer);
    wf_free(&allocator, writer->path);
    wf_free(&allocator, writer->file_path);
    wf_free(&allocator, writer->part_path);
    wf_free(&allocator, writer->name);
    wf_free(&allocator, writer->triangles);
    wf_free(&allocator, writer->lines);
    wf_free(&allocator, writer->texture);
    free_looks(writer);
    wf_free(&allocator, writer->triangle_texture);
    for (int p = 0; p < writer->part_count; p++) wf_free(&allocator, writer->parts[p].name);
    wf_free(&allocator, writer->parts);
    for (int m = 0; m < writer->material_count; m++) wf_free(&allocator, writer->materials[m]);
    wf_free(&allocator, writer->materials);
    wf_free(&allocator, writer->triangle_material);
    wf_free(&allocator, writer);
}
