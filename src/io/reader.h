// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the readers of results share: the frames of a file or of a sequence of them, and a table of
// what each format does. The counterpart of writer.h.

#ifndef WF_IO_READER_H
#define WF_IO_READER_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "weft/weft_io.h"

typedef struct WfReader WfReader;

typedef struct WfSource {
    const char* ending;
    bool file_per_frame;
    // Once, with the file of the first frame open: counts, triangles and parts. For PC2 those come
    // from mesh_path.
    WeftResult (*open)(WfReader* reader, const char* mesh_path, WeftError* error);
    WeftResult (*frame)(WfReader* reader, int frame, double* positions, WeftError* error);
    // Free reader->data. May be NULL.
    void (*release)(WfReader* reader);
} WfSource;

struct WfReader {
    WeftReader shown;  // comes first: the user's pointer is ours
    const WfSource* source;
    WeftAllocator allocator;
    char* path;        // as the user gave it
    char* frame_path;  // of the file being read
    size_t path_size;  // room for it
    int digits;        // of the number in the names of a sequence, 0: one file
    void* data;        // of the source
};

extern const WfSource wf_source_obj, wf_source_ply, wf_source_pc2, wf_source_glb;

// "path: what", as bad data.
WeftResult wf_fail_reader(const WfReader* reader, WeftError* error, const char* what);
WeftResult wf_fail_reader_memory(const WfReader* reader, WeftError* error);

// All of a file and a zero behind it, to be freed.
WeftResult wf_load_file(const WfReader* reader, const char* path, char** bytes, size_t* count,
                        WeftError* error);
// Little-endian words in a file.
uint32_t wf_get_word(const void* bytes);
float wf_get_float(const void* bytes);

// A mesh as OBJ and PLY hold it.
typedef struct WfShape {
    int vertex_count, triangle_count, part_count;
    float* positions;
    int* triangles;
    WeftPart* parts;  // names are ours
} WfShape;

// The next part of a shape that has room for it. False: no memory.
bool wf_add_part(const WfReader* reader, WfShape* shape, const char* name, size_t length);
void wf_free_shape(const WfReader* reader, WfShape* shape);
// The first frame shows what there is: takes triangles and parts from the shape.
void wf_show_shape(WfReader* reader, WfShape* shape);
// Later ones must have the same: copies their positions and frees the shape.
WeftResult wf_take_positions(const WfReader* reader, WfShape* shape, double* positions,
                             WeftError* error);
// The path of a frame's file, in reader->frame_path.
const char* wf_frame_path(WfReader* reader, int frame);

WeftResult wf_read_obj_shape(const WfReader* reader, const char* path, WfShape* shape,
                             WeftError* error);

#endif
