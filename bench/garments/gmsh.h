// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The program gmsh, where it is installed: panels as it would mesh them.

#ifndef WEFT_BENCH_GARMENTS_GMSH_H
#define WEFT_BENCH_GARMENTS_GMSH_H

#include "weft/weft_garment.h"

// Triangles in the plane.
typedef struct FlatMesh {
    int point_count;
    double* points;  // 2 each
    int triangle_count;
    int* triangles;  // 3 each
} FlatMesh;

void destroy_flat_mesh(FlatMesh* mesh);

// Whether it is there; it is the program gmsh, or that which WEFT_GMSH names.
bool has_gmsh(void);
// A panel with edges of about `edge`, by the algorithm that is its default. `seconds` is processor
// time, without that of a start with nothing to do. False where it fails.
bool mesh_by_gmsh(const WeftPanel* panel, double edge, FlatMesh* mesh, double* seconds);

#endif
