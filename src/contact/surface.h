// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A surface as contact sees it: triangles, edges, and which triangle speaks for which vertex and
// edge, so that a pair of features is found once though many pairs of triangles hold it.

#ifndef WF_CONTACT_SURFACE_H
#define WF_CONTACT_SURFACE_H

#include "weft/weft.h"

enum { WF_NEIGHBOURS = 8 };

typedef struct WfSurface {
    int vertex_count, triangle_count, edge_count;
    int* triangles;       // 3 per triangle; a segment of a rope is one whose last two are equal
    int* edges;           // 2 per edge, the lower vertex first
    int* edge_triangles;  // 2 per edge: its first two triangles, or -1
    int* triangle_edges;  // 3 per triangle: of its corners 0 1, 1 2, 2 0; a segment: 1, -1, -1
    unsigned char* owns;  // per triangle: bits 0 to 2 for its corners, 3 to 5 for its edges
    int* piece;           // per vertex: the number of what edges join it to
    int* piece_first;     // per piece: its lowest vertex
    int piece_count;
    int *around_start, *around;  // per vertex: the triangles around it
    // WF_NEIGHBOURS per vertex: those that edges of triangles, not of ropes, join it to, then -1;
    // of more, the first
    int* neighbours;
    bool closed;  // every edge has two triangles: it has an inside
} WfSurface;

// Copies what it needs. segments: 2 vertices each, of ropes; they come after the triangles.
WeftResult wf_surface_create(const WeftAllocator* allocator, int vertex_count, int triangle_count,
                             const int* triangles, int segment_count, const int* segments,
                             WfSurface* surface);
void wf_surface_destroy(const WeftAllocator* allocator, WfSurface* surface);

// Whether an edge of the surface joins one of the vertices u to one of v.
bool wf_are_joined(const WfSurface* surface, const int* u, int u_count, const int* v, int v_count);

#endif
