// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Meshes of every kind, by chance: what the pieces and the bodies of a stress scene are made of.

#ifndef WEFT_BENCH_STRESS_SHAPE_H
#define WEFT_BENCH_STRESS_SHAPE_H

#include "chance.h"
#include "weft/weft_mesh.h"

typedef enum ShapeKind {
    SHAPE_GRID,
    SHAPE_REGULAR,
    SHAPE_RECTANGLE,
    SHAPE_DISC,
    SHAPE_OUTLINE,
    SHAPE_ROPE,
    SHAPE_TUBE,
    SHAPE_BALL,  // a closed mesh
    SHAPE_SOUP,  // triangles that share no vertex, some at one place
    SHAPE_COUNT
} ShapeKind;

extern const char* const shape_names[SHAPE_COUNT];

// A mesh about as large as `size` (m) with about `vertex_count` vertices, around the origin; flat
// ones lie in y = 0. grid_kind is told for grids.
WeftResult make_stress_shape(ShapeKind kind, double size, int vertex_count, Chance* chance,
                             WeftMesh* mesh, WeftGridKind* grid_kind, WeftError* error);

// Memory that is zeroed, or the end of the program.
void* stress_memory(size_t count, size_t size);

#endif
