// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Outlines whose boundary is told point by point, for panels that are sewn to others.

#ifndef WF_MESH_OUTLINE_H
#define WF_MESH_OUTLINE_H

#include "mesh/curve.h"

// The vertices along the boundary: loop after loop, side after side, in the direction given.
typedef struct WfOutlineEdge {
    int count;
    int* vertices;
} WfOutlineEdge;

// As weft_make_outline. `outside` and `edge` may be NULL; edge->vertices is from the allocator.
WeftResult wf_make_outline(const WeftOutlineDef* def, const WfSideParts* outside,
                           const WeftAllocator* allocator, WeftMesh* mesh, WfOutlineEdge* edge,
                           WeftError* error);

#endif
