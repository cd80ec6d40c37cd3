// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From the mannequin's field to triangles: a net on a grid, then even triangles.

#ifndef WF_GARMENT_MANNEQUIN_MESH_H
#define WF_GARMENT_MANNEQUIN_MESH_H

#include "garment/mannequin_shape.h"

// Triangles that share vertices; memory of the allocator.
typedef struct WfSkinMesh {
    int vertex_count, triangle_count;
    double* positions;
    int* triangles;
} WfSkinMesh;

// The half with x >= 0, as a net of cells of `cell` metres; its border has x = 0.
WeftResult wf_mannequin_net(const WfMannequinShape* shape, double cell,
                            const WeftAllocator* allocator, WfSkinMesh* half, WeftError* error);
// Replaces the triangles of a half by even ones with edges of about `edge` metres.
WeftResult wf_mannequin_even(const WfMannequinShape* shape, double edge,
                             const WeftAllocator* allocator, WfSkinMesh* half, WeftError* error);

#endif
