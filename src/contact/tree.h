// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A tree of boxes over the triangles of a surface: for what may touch within a step. Boxes are
// float, rounded outwards, and hold the whole way of their triangles, enlarged by what the caller
// wants to see. Made once from positions; fitted to new boxes every step; made anew, in place, when
// boxes of the tree have grown out of proportion to those of the triangles.

#ifndef WF_CONTACT_TREE_H
#define WF_CONTACT_TREE_H

#include "base/memory.h"
#include "contact/surface.h"

typedef struct WfBox {
    float low[3], high[3];
} WfBox;

enum { WF_LANES = 4 };

// A box in a form in which both sides only grow: low is negated, and the last lanes are 0.
typedef struct WfSpan {
    float minus_low[WF_LANES], high[WF_LANES];
} WfSpan;

// Four features side by side, so that one of another block is tried with all of them at once. Lanes
// that hold none, and segments where triangles are meant, have a box that nothing overlaps.
typedef struct WfLanes {
    float low[3][WF_LANES], high[3][WF_LANES];
    int id[WF_LANES];
    int vertex[3][WF_LANES];  // as many as it has
} WfLanes;

// Four triangles (the last leaf: up to four), and the vertices and edges that they own.
typedef struct WfLeaf {
    WfLanes triangles;
    int triangle_count, point_count, edge_count;
    int points, edges;  // their first blocks
} WfLeaf;

typedef struct WfTree {
    const WfSurface* surface;
    int node_count, leaf_count;
    // Nodes, the root first. An inner node has the children `child` and `child + 1`, which come
    // after it; that of a leaf is -1 - its number.
    WfSpan* boxes;
    int* child;
    WfLeaf* leaves;
    WfLanes *points, *edges;   // edges in blocks by twos
    WfSpan* vertices;          // per vertex
    struct WfCentre* centres;  // scratch of a build
    bool built;
    int builds;         // so far
    double built_cost;  // area of nodes over that of triangles, when built
} WfTree;

// Laid out in an arena (base/memory.h), per state.
void wf_tree_layout(const WfSurface* surface, WfArena* arena, WfTree* tree);
// Fit to the ways of the vertices from x0 to x1 (may be the same), enlarged by `reach` m, as seen
// by one who goes along by `frame` meanwhile (NULL: by one who stays). Builds the tree in a first
// call and where it has gone slack.
void wf_tree_fit(WfTree* tree, const double* x0, const double* x1, double reach,
                 const double* frame);
// Build anew at the next fit.
void wf_tree_forget(WfTree* tree);
// The box of a vertex, as fitted: where it may end, less `frame`.
WfBox wf_tree_vertex_box(const WfTree* tree, int vertex);

#endif
