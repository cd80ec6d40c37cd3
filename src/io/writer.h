// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the formats share: the file being written, and a table of what each format does.
//
// Formats write with wf_put and its kin and need not look at results: the first failure is kept
// in the writer, later writes do nothing, and writer.c asks once per frame.

#ifndef WF_IO_WRITER_H
#define WF_IO_WRITER_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "weft/weft_io.h"

typedef struct WfFormat {
    const char* ending;
    bool file_per_frame;
    // Once, with the file open. May be NULL.
    WeftResult (*begin)(WeftWriter* writer, WeftError* error);
    // Every frame; writer->frames is its number, from 0.
    void (*frame)(WeftWriter* writer, const float* positions, const float* normals);
    // Once, before the file is closed; writer->frames is their number. May be NULL.
    void (*end)(WeftWriter* writer);
    // Free writer->data. May be NULL.
    void (*release)(WeftWriter* writer);
} WfFormat;

typedef struct WfPart {
    char* name;
    int first_vertex, vertex_count;
    int first_triangle, triangle_count;
    bool body;
} WfPart;

struct WeftWriter {
    const WfFormat* format;
    WeftAllocator allocator;
    char* path;        // as the user gave it
    char* file_path;   // of the file being written, when it is complete
    char* part_path;   // until then
    size_t path_size;  // room for either
    FILE* file;        // or NULL
    int write_error;   // errno of the first write that failed, 0: none did
    bool failed;       // a frame was lost
    int frames;        // so far

    char* name;
    int vertex_count, triangle_count;
    int* triangles;
    int line_count;
    int* lines;
    float* texture;         // or NULL
    int texture_count;      // as many as vertices where triangle_texture is NULL
    int* triangle_texture;  // 3 per triangle, or NULL
    int part_count;         // one at least
    WfPart* parts;
    int material_count;
    char** materials;        // names
    int* triangle_material;  // or NULL
    WeftPartLook* looks;     // of the parts, then of the materials, copied; or NULL
    char* folder;            // where pictures lie, or NULL
    int frame_count;
    double frame_rate;
    void* data;  // of the format
};

extern const WfFormat wf_format_obj, wf_format_ply, wf_format_pc2, wf_format_glb;

void wf_put(WeftWriter* writer, const void* bytes, size_t count);
void wf_put_text(WeftWriter* writer, const char* format, ...) WF_PRINTF(2, 3);
// A float, in letters.
void wf_put_number(WeftWriter* writer, float value);
// Floats or 32-bit integers, little endian.
void wf_put_words(WeftWriter* writer, const void* words, size_t count);
void wf_put_word(WeftWriter* writer, uint32_t word);
void wf_put_float(WeftWriter* writer, float value);
// Go to a byte of the file that has been written before.
void wf_seek(WeftWriter* writer, long place);

#endif
