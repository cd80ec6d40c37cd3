// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A tree of two floors, made once and fitted in every step: leaves of eight triangles, and nodes of
// eight leaves. Boxes stand side by side, so that one is tested against eight.
//
// A leaf has eight triangles that lie together and face about the same way, and those of their
// vertices and edges that it owns: every feature belongs to one leaf. What finds no room in the
// leaves of its triangles has leaves of its own behind them. All points of a leaf are among its
// corners.

#ifndef WF_SMALL_STEPS_LEAF_TREE_H
#define WF_SMALL_STEPS_LEAF_TREE_H

#include "base/memory.h"
#include "base/point4.h"
#include "contact/surface.h"

enum { WF_LEAF_EDGES = 2 * WF_OCT };

typedef struct WfLeafTree {
    int leaf_count, node_count;  // room for leaves: eight per node
    // Per leaf, points by their numbers; lanes that are not there repeat one that is.
    int* corners;                                 // 3 rows of 8: of triangles, else its features
    int* triangles;                               // 8: their numbers in the surface
    int* vertices;                                // 8
    int* edges;                                   // 2 rows of 16: ends
    unsigned char *has_triangles, *has_vertices;  // a bit per lane
    unsigned short* has_edges;
    unsigned char* sharp;        // a triangle has a border, or an edge that bends sharply
    int* group;                  // the cloth that it is of
    int* leaf_of;                // per triangle of the surface
    int *beside_start, *beside;  // leaves that share a vertex with it, itself too
} WfLeafTree;

// first: the number of the surface's vertex 0 among the points. positions: 3 per vertex, to tell
// what lies together. groups: per vertex, or NULL: leaves are of one group.
WeftResult wf_leaf_tree_create(const WeftAllocator* allocator, const WfSurface* surface, int first,
                               const double* positions, const int* groups, WfLeafTree* tree);
void wf_leaf_tree_destroy(const WeftAllocator* allocator, WfLeafTree* tree);
size_t wf_leaf_tree_bytes(const WfLeafTree* tree);

// Where all of it is, and where it goes: each leaf from when it was fitted until a horizon. Its
// points are expected to go by its motion, and may stray from that.
typedef struct WfLeafBoxes {
    float* triangles;  // per leaf, when it was fitted: low x y z, high x y z of 8
    float* edges;      // the same of 16
    float* vertices;   // x y z of 8
    float* places;     // x y z of 3 x 8 corners; NULL: not wanted
    float* leaves;     // per node: low and high of 8 leaves, on their way and with what they stray
    float* nodes;      // low x y z, high x y z of all nodes, rows of `width`
    int width;
    int first;         // the number of the first leaf among those of cloth and bodies
    WfPoint4* motion;  // per leaf: the mean of its corners', m/s; w: the sine of its cone
    WfPoint4* cone;    // per leaf: mean normal; w: cosine of the angle that all are within
    float* bend;       // per leaf: about what it is curved by, 1/m
    float* begun;      // per leaf: s of the step, when it was fitted
    float* stray;      // per leaf: m
} WfLeafBoxes;

void wf_leaf_boxes_layout(const WfLeafTree* tree, bool places, WfArena* arena, WfLeafBoxes* boxes);

// How leaves are fitted.
typedef struct WfLeafFit {
    const WfPoint4 *x, *v;        // points, and velocities, m/s
    const unsigned char* marked;  // per leaf; NULL: all of them
    float drift[3], gone[3];      // m/s: boxes move against this, and m: by which it has come
    float begun, ahead, h;        // s: of the step, by now; to the horizon; a substep
    float slack;                  // m: what a leaf may stray at most; 0: what it will
    float bow;                    // m: that too
    float radius;                 // m: what is around all points
    WfPoint4* normals;            // of points, added to; or NULL
} WfLeafFit;

#endif
