// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Room for a mesh that lies flat, for the generators to fill.

#ifndef WF_MESH_MESH_H
#define WF_MESH_MESH_H

#include "weft/weft_mesh.h"

// More than a generator will make: a slip in a length or a count should fail, not fill the memory.
#define WF_MAX_MESH_VERTICES 5000000

// Arrays for a mesh whose material points are its vertices; without triangles it has no material.
// `springs` stays NULL for a count of 0.
WeftResult wf_mesh_create(WeftMesh* mesh, const WeftAllocator* allocator, int vertex_count,
                          int triangle_count, int spring_count, WeftError* error);
// Room for threads; where there is none, the mesh is destroyed.
WeftResult wf_mesh_add_threads(WeftMesh* mesh, int thread_count, int thread_vertex_count,
                               WeftError* error);
// Lay vertex v at (u, v) of the flat shape and at (u, 0, -v) in space.
void wf_mesh_place(WeftMesh* mesh, int vertex, double u, double v);

#endif
