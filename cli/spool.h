// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Frames of cloth that is torn while it is simulated. Files have one mesh for all frames, and how
// many vertices it has is known at the end: until then frames are kept here. In the frames before
// it was split, a vertex is where the one is that it was split from.

#ifndef WEFT_CLI_SPOOL_H
#define WEFT_CLI_SPOOL_H

#include <stdio.h>

#include "place.h"

typedef struct Spool {
    FILE* file;  // NULL: not in use
    char path[PATH_SIZE];
    int cloth_count, triangle_count;  // of all cloths: always the same
    int* starts;     // of the last frame that was kept or read: the first vertex of each cloth, and
                     // where all end; zeros: there is none
    int* triangles;  // and its triangles
    int rest_count;  // vertices behind those of the cloth, which stay as many
    int frame_count;
    int* sources;  // per vertex of the last mesh: the one of the frame that is read
    float* frame;  // room for any
} Spool;

// The mesh of a frame: `starts` as above, 3 vertices per triangle.
typedef struct SpoolMesh {
    const int *starts, *triangles;
} SpoolMesh;

// A file beside that one. These return GO_ON, or an exit code after telling what is wrong.
int open_spool(Spool* spool, const char* beside, int cloth_count, int triangle_count,
               int rest_count);
// Positions and normals: 3 numbers per vertex, of the cloth, then of the rest.
int keep_frame(Spool* spool, const SpoolMesh* mesh, const float* positions, const float* normals);
// To the first frame, when all are kept. `last` is the mesh of the end, here and below.
int rewind_spool(Spool* spool, const SpoolMesh* last);
// The next frame, as that mesh has it.
int read_frame(Spool* spool, const SpoolMesh* last, float* positions, float* normals);
void close_spool(Spool* spool);

#endif
