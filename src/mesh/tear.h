// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth that is cut along edges. Sides are half edges (stars.h): side 3 t + k of triangle t goes
// from its corner k to the next one. An inner edge is cut where both of its sides are marked.
// Triangles around a vertex that no edge joins any more get vertices of their own:
//
//     o---o---o         o---o---o       A cut from the border to x. The ends of a cut stay joined,
//     | / | \ |         | / |\ /|       because the triangles around them are: a single cut edge
//     o---x===o   ->    o---x  >o o     inside of the cloth opens nothing.
//     | \ | / |         | \ |/ \|
//     o---o---o         o---o---o
//
// Triangles keep their numbers and their corners at rest. Vertices keep their numbers, too; new
// ones come behind them.

#ifndef WF_MESH_TEAR_H
#define WF_MESH_TEAR_H

#include "mesh/stars.h"

// Mark both sides of the edge between a and b. True where it is an inner edge that had none of the
// `known` marks before. marks: 3 per triangle.
bool wf_mark_edge(const WfStars* stars, int a, int b, unsigned char mark, unsigned char known,
                  unsigned char* marks);

// Take the mesh of `stars` apart along sides with this mark, into `triangles`, which may not be
// the old ones. held: vertices that are never split, or NULL. *from: the vertex that each new one
// was split from, *count of them; the caller frees it. Of the triangles around a vertex, those
// joined to the first one keep it.
WeftResult wf_split_sides(const WeftAllocator* allocator, const WfStars* stars, int vertex_count,
                          int triangle_count, const unsigned char* marks, unsigned char mark,
                          const unsigned char* held, int* triangles, int* count, int** from);

// The springs of a mesh that was split, *springs, which the caller frees. triangles, from: of the
// new mesh; from[i] is the vertex of the old one. A spring along an edge goes on along what became
// of it, twice where it was cut; one across an edge, or over two edges, where what is between its
// ends still joins them.
WeftResult wf_split_springs(const WeftAllocator* allocator, const WeftClothDef* old,
                            int vertex_count, const int* triangles, const int* from, int* count,
                            WeftSpring** springs);

#endif
