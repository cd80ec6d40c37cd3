// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A tree of boxes over the triangles of a surface: for what may touch within a step. A box holds
// where its triangles start, enlarged by what the caller wants to see, and beside that the range of
// their displacements: two boxes can meet only as far as one moves against the other, so that what
// moves together, however fast, has small boxes. Floats, rounded outwards. Made once from
// positions; fitted to new ones every step; made anew, in place, when boxes of the tree have grown
// out of proportion to those of the triangles.

#ifndef WF_CONTACT_TREE_H
#define WF_CONTACT_TREE_H

#include "base/memory.h"
#include "base/vec.h"
#include "contact/chart.h"
#include "contact/surface.h"

enum { WF_LANES = 4 };

// A box and its displacements, in a form in which all only grow: lower ends are negated, and the
// last lanes are 0.
typedef struct WfSpan {
    float minus_low[WF_LANES], high[WF_LANES];
    float minus_least[WF_LANES], most[WF_LANES];  // of displacements
} WfSpan;

// By how much vertices end elsewhere than was expected, in the same form.
typedef struct WfDrift {
    float minus_least[WF_LANES], most[WF_LANES];
} WfDrift;

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

// A part of the chart (chart.h).
typedef struct WfRect {
    float low[2], high[2];
} WfRect;

typedef struct WfTree {
    const WfSurface* surface;
    int node_count, leaf_count;
    // Nodes, the root first. An inner node has the children `child` and `child + 1`, which come
    // after it; that of a leaf is -1 - its number.
    WfSpan* boxes;
    int* child;
    unsigned char* fresh;  // per node: pairs of it are looked for
    WfDrift* drifts;       // per node
    WfLeaf* leaves;
    WfLanes *points, *edges;   // edges in blocks by twos
    WfSpan* vertices;          // per vertex
    float* places;             // 8 per vertex, for the sift: at the start, half of its thickness
                               // (bodies have as much as any cloth), at the end, 0
    double size;               // m: none of these numbers is larger
    const double* thickness;   // per vertex, m; NULL: of a body
    const double* origin;      // from which all this is seen, the same for trees that meet; floats
                               // are good near it. NULL: zero
    const WfChart* chart;      // NULL: none,
    WfRect* rects;             // and where nodes are in it: nowhere, from high to low
    int* leaf_node;            // per leaf
    double* sums;              // scratch of a fit, per block of leaves or vertices
    struct WfCentre* centres;  // scratch of a build
    const WeftJobs* jobs;      // NULL: none
    bool built;
    int builds;         // so far
    double built_cost;  // area of nodes over that of triangles, when built
} WfTree;

// Displacements, axis by axis.
typedef struct WfWays {
    double low[3], high[3];
} WfWays;

// By how much boxes are enlarged, m: of vertices and triangles, and of edges, which is not more.
typedef struct WfReach {
    double points, edges;
} WfReach;

// Laid out in an arena (base/memory.h), per state.
void wf_tree_layout(const WfSurface* surface, WfArena* arena, WfTree* tree);
// Fit to vertices that go from x0 to x1 (may be the same), enlarged by a reach: pairs of two such
// trees are complete as long as no vertex ends further than its reach from x1, along any axis; nor,
// where `ways` are given, one per vertex, from anywhere between x1 and x0 plus these. Builds the
// tree in a first call and where it has gone slack.
void wf_tree_fit(WfTree* tree, const double* x0, const double* x1, WfReach reach,
                 const WfWays* ways);
// Only what the sift needs of it, which is the same for every reach.
void wf_tree_place(WfTree* tree, const double* x0, const double* x1);
// Look only for pairs of which one side has a vertex that is marked. NULL: none is. (After a fit,
// all are.)
void wf_tree_mark(WfTree* tree, const unsigned char* marks);
// The drifts of vertices that were expected at `expected` and are at x; NULL: none drifted.
void wf_tree_fit_drifts(WfTree* tree, const double* x, const double* expected);
// p as boxes see it.
WfVec wf_tree_seen(const WfTree* tree, WfVec p);
// Build anew at the next fit.
void wf_tree_forget(WfTree* tree);

#endif
