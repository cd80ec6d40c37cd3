// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How far it is from a vertex to its nearest pins, along the cloth as it is at rest.
//
// Distances spread from the pins in the order of their length (Dijkstra), along edges and straight
// across triangles: where a and b know how far pin p is, the triangles between are laid flat,
//
//               c           p is where circles about a and b meet, on the far side of ab; where the
//             /   \         line from c to it passes between a and b, its length is the way:
//           a ----- b       exact wherever the cloth is flat and nothing but cloth is between
//             \   /         (Novotni and Klein 2002). Else the way leads along ac or bc, which is
//               p           never too short.
//
// Pins that are joined by edges are a group. A vertex keeps its nearest pin of each of the nearest
// groups: more of one group would all point the same way.

#ifndef WF_MESH_WAY_H
#define WF_MESH_WAY_H

#include "weft/weft.h"

// Edges and triangles of any number of cloths, numbered through.
typedef struct WfWayMesh {
    int vertex_count, edge_count, triangle_count;
    const int* edges;       // 2 per edge; those of all triangles, and others
    const double* lengths;  // per edge, at rest
    const int* triangles;   // 3 per triangle
    const unsigned char* pinned;
} WfWayMesh;

typedef struct WfWay {
    int pin;  // -1: none
    double length;
} WfWay;

// From p to c, straight through ab; HUGE_VAL where the straight line passes it by.
//   ab, ac, bc: the triangle; pa, pb: how far p is
double wf_straight_way(double ab, double ac, double bc, double pa, double pb);
// The ways of vertex v are ways[v * count] to ways[(v + 1) * count - 1], nearest first: at most
// `count`, each to another group. Those of a pin lead to itself, and to other groups.
WeftResult wf_find_ways(const WeftAllocator* allocator, const WfWayMesh* mesh, int count,
                        WfWay* ways);

#endif
