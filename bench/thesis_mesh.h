// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Meshes of the kinds and sizes that the thesis has: irregular triangles in a square, and in three
// parts of a dress. The parts are drawn for weft, after what they are called.

#ifndef WEFT_BENCH_THESIS_MESH_H
#define WEFT_BENCH_THESIS_MESH_H

#include "weft/weft_mesh.h"

typedef enum ThesisShape {
    SHAPE_SQUARE,  // a square metre
    SHAPE_FRONT,   // of the bodice, with two darts
    SHAPE_BACK,    // a half of it
    SHAPE_SKIRT,   // a flared panel
} ThesisShape;

const char* shape_name(ThesisShape shape);
// With as close to `vertex_count` vertices as the edge length can bring about. Returns an exit
// code.
int make_shape(ThesisShape shape, int vertex_count, WeftMesh* mesh);
// Renumber: the boundary first, then the inside, as mesh generators do that add points to an
// outline. weft's own number along a front that sweeps the shape.
void number_boundary_first(WeftMesh* mesh);
// The vertex nearest to a point of the flat shape.
int nearest_vertex(const WeftMesh* mesh, double u, double v);

#endif
