// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Supernodes: columns of a Cholesky factor that stand side by side and have (nearly) the same rows,
// kept as one dense block. A node of w columns has w rows of its own, in a triangle, and below them
// `height` rows that belong to its ancestors in the tree of nodes:
//
//        first   first + w
//          |  w   |
//          [\     ]
//          [  \   ]    own rows
//          [    \ ]
//          [      ]    rows[0]         of the parent, or of one of its ancestors
//          [      ]    rows[1]
//          [      ]    ...
//
// Everything here is made once per pattern; values come later (cholesky.h).
//
// Two matrices of one pattern may be factored together that differ in a few rows alone, and in
// entries (i, j) with both i and j among these. A column of L depends on its descendants, so the
// two factors differ in columns of such rows and in columns above these: those are *apart*, all
// others the same numbers. A node is either apart or not, and the parent of one that is apart is
// apart too.
//
//          o            apart: two panels, one per matrix
//        /   \          shared, and all below
//       o     .
//      / \    |
//     .   .   .

#ifndef WF_SPARSE_SUPERNODE_H
#define WF_SPARSE_SUPERNODE_H

#include "sparse/pattern.h"

// WF_GROUP: columns that are packed, and worked on, together.
enum { WF_MAX_SUBTREES = 64, WF_GROUP = 12 };

// A subtree that one thread can work on alone: nodes [begin, end), the last one its root. What it
// adds to rows of its ancestors goes to slots of its own, which begin at first_slot in the order of
// the root's rows; -1: it has none, and works where its ancestors do.
typedef struct WfSubtree {
    int begin, end;
    int first_slot;
    int height;  // of its highest node: own rows and rows below, each filled up to fours
} WfSubtree;

typedef struct WfSupernodes {
    int n;
    const WfPattern* pattern;  // borrowed
    int* order;                // new -> old
    int* place;                // old -> new
    long long fill;            // entries of L proper, without what supernodes store beyond it

    int count;
    int* first;            // first column of each node; first[count] = n
    int* parent;           // always larger; -1 at a root
    int *child, *sibling;  // first child, next child of the same parent; -1: none
    int* node;             // of each column

    int apart_count;
    int* apart;               // nodes that are apart, ascending
    unsigned char* is_apart;  // per node

    size_t* row_start;  // count + 1
    int* rows;          // below the node's own, ascending

    // Slots of the vector in which the solve works: the columns, each node's filled up to fours by
    // some that stay zero; then those of the subtrees.
    int* own_slot;       // of each node's first column; own_slot[count]: their number
    int* slot;           // of each column
    size_t* slot_start;  // count + 1
    int* slots;          // of each node's columns, then of its rows below
    int slot_count;
    size_t* panel;         // where each node's values begin in a packed factor; count + 1
    size_t* normal_panel;  // those of the second matrix, where a node is apart
    size_t value_count;    // of all of them

    int subtree_count;
    WfSubtree* subtrees;
    int top_count;
    int* top;        // the nodes above (or beside) the subtrees, ascending; all that are apart
    int top_height;  // of their highest, as in subtrees
    // The top once more, without what is apart, for solves: in stages, from below. No node of a
    // stage is above another; where there are several, each has slots of its own.
    WfSubtree* staged;
    int stage_count;
    int* stage_start;  // stage_count + 1
} WfSupernodes;

// `order` is any order of the rows; the nodes move it within what changes no fill. Rows with
// differs[i] set are those in which two matrices may differ; NULL: there is one matrix.
WeftResult wf_supernodes_create(const WeftAllocator* allocator, const WfPattern* pattern,
                                const int* order, const unsigned char* differs,
                                WfSupernodes* nodes);
void wf_supernodes_destroy(const WeftAllocator* allocator, WfSupernodes* nodes);

static inline int wf_node_width(const WfSupernodes* s, int node) {
    return s->first[node + 1] - s->first[node];
}
static inline int wf_node_height(const WfSupernodes* s, int node) {
    return (int)(s->row_start[node + 1] - s->row_start[node]);
}
static inline int wf_fours(int rows) { return (rows + 3) / 4; }

#endif
