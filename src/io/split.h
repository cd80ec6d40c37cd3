// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The mesh of a writer for formats in which a vertex has one texture coordinate.

#ifndef WF_IO_SPLIT_H
#define WF_IO_SPLIT_H

#include "io/writer.h"

// Of each part first its vertices as they are, with the texture coordinates of their first corner,
// then copies of those that have others elsewhere.
typedef struct WfSplit {
    int vertex_count;
    int* first_vertex;  // per part, and one more
    int* sources;       // per vertex: which of the writer's it is
    float* texture;     // 2 per vertex, or NULL; bodies have none
    int* triangles;     // 3 per triangle
} WfSplit;

// False: no memory. Free it in any case.
bool wf_split_vertices(const WeftWriter* writer, WfSplit* split);
void wf_free_split(const WeftWriter* writer, WfSplit* split);

#endif
