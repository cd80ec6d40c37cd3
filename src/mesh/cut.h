// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The half of a mesh that lies before a plane.

#ifndef WF_MESH_CUT_H
#define WF_MESH_CUT_H

#include "base/plane.h"
#include "mesh/hilbert.h"
#include "weft/weft_mesh.h"

typedef struct WfCutHalf {
    int vertex_count;  // those that are kept, in their order, then those on cut edges
    double* positions;
    unsigned char* on_plane;
    int* origins;   // 2 per vertex: as in WeftMirrorMap
    double* parts;  // per vertex
    int triangle_count;
    int* triangles;
    int* sources;  // per triangle: the old one that it is all or a part of
    double* flat;  // 6 per triangle: u v of its corners; NULL where there is no material
    int* numbers;  // per old vertex: its number here, -1 where it is cut off
    int cut_count;
    WfKey* cuts;  // edges that were cut, by wf_pair_key in order; `index` is the vertex there, or
                  // -1 where nothing came to be there
    int made_count;
    WeftSpring* made;  // edges that cutting made: stretch on the plane, shear across a part
} WfCutHalf;

// The vertex at which the edge between two old vertices was cut, or -1.
static inline int wf_cut_vertex(const WfCutHalf* half, int a, int b) {
    uint64_t key = wf_pair_key(a, b);
    int i = wf_first_key(half->cuts, half->cut_count, key);
    return i < half->cut_count && half->cuts[i].key == key ? half->cuts[i].index : -1;
}

// `cloth` has passed wf_check_cloth.
WeftResult wf_cut_mesh(const WeftAllocator* allocator, const WeftClothDef* cloth,
                       const WfPlane* mirror, WeftHalving halving, WfCutHalf* half,
                       WeftError* error);
void wf_cut_half_destroy(const WeftAllocator* allocator, WfCutHalf* half);

#endif
