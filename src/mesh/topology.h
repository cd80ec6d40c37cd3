// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is next to what in a triangle mesh: edges, hinges, vertex stars, boundary.

#ifndef WF_MESH_TOPOLOGY_H
#define WF_MESH_TOPOLOGY_H

#include "weft/weft.h"

// Two triangles that share an edge.
//
//            opposite[0]
//               / \            triangles[0] has the edge as edge[0] -> edge[1],
//     edge[0] o-----o edge[1]  triangles[1] the other way round
//               \ /
//            opposite[1]
typedef struct WfHinge {
    int edge[2];
    int opposite[2];
    int triangles[2];
} WfHinge;

typedef struct WfTopology {
    int vertex_count, triangle_count, edge_count, hinge_count;
    int* edges;               // 2 per edge, smaller vertex first; edges in increasing order
    int* edge_triangles;      // 2 per edge, smaller first; the second is -1 at the boundary
    WfHinge* hinges;          // one per inner edge, in the order of the edges
    int* star_start;          // triangles around each vertex, in increasing order:
    int* star;                // star[star_start[v]] up to star[star_start[v + 1] - 1]
    unsigned char* boundary;  // per vertex
} WfTopology;

// Refuses, naming the culprit: an index out of range, a triangle with a repeated vertex, a triangle
// given twice, an edge with three triangles, two triangles that face opposite ways across an edge.
WeftResult wf_topology_create(const WeftAllocator* allocator, int vertex_count, int triangle_count,
                              const int* triangles, WfTopology* topology, WeftError* error);
void wf_topology_destroy(const WeftAllocator* allocator, WfTopology* topology);
// The edge between two vertices, or -1.
int wf_topology_edge(const WfTopology* topology, int a, int b);
// The hinge along the edge between two vertices, or -1.
int wf_topology_hinge(const WfTopology* topology, int a, int b);

#endif
