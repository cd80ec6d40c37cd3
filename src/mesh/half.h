// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Symmetric cloth, cut in two for a model that simulates one half of it. The full cloth has twice
// the energy of its half, when that is counted like this:
//
//     own side       triangles, hinges, springs and threads of that side, as they are
//     in the plane   springs and threads that lie in it: by a half (energy/parts.h)
//     across         what reaches from one side to the other, as hinges along the plane do: by a
//                    half, between vertices of the own side and their images (energy/across.h)
//
//             i             a hinge across: k and l are in the plane, and i' is the image of i. It
//            / \            has terms of its own, for in the half k - l is a boundary
//     ---- k ---- l ----
//            \ /
//             i'

#ifndef WF_MESH_HALF_H
#define WF_MESH_HALF_H

#include "base/memory.h"
#include "weft/weft.h"

typedef struct WfHalf {
    const WeftClothDef* whole;
    signed char* sides;  // per vertex of the whole: 1 own side, 0 in the plane, -1 its images
    int* rows;           // per vertex of the whole: which of the half it, or its image, is

    WeftClothDef def;         // the half as a cloth
    int* vertices;            // per vertex of the half: that of the whole
    unsigned char* on_plane;  // likewise: it is in the plane

    // What reaches across: triangles along the plane, of both sides; springs that cross it, and of
    // cloth of several fabrics the triangles at their ends; of
    // threads, segments that cross it as threads of two vertices, and joints that do as threads of
    // three, with whatever other joint there is at the same vertex.
    WeftClothDef across;
    int* across_vertices;       // per vertex of it: that of the whole
    signed char* across_sides;  // likewise: as in `sides`

    WfArena arena;
} WfHalf;

// Refuses triangles that the plane cuts or that lie in it. images: per vertex, an involution.
// normal: of the plane, towards the half that is kept.
WeftResult wf_half_create(const WeftAllocator* allocator, const WeftClothDef* whole,
                          const int* images, const double normal[3], WfHalf* half,
                          WeftError* error);
void wf_half_destroy(const WeftAllocator* allocator, WfHalf* half);

// Whether an element of these vertices reaches from one side to the other.
bool wf_reaches_across(const signed char* sides, const int* vertices, int count);

#endif
