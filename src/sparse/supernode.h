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

    size_t* row_start;  // count + 1
    int* rows;          // below the node's own, ascending

    // Slots of the vector in which the solve works: the columns, each node's filled up to fours by
    // some that stay zero; then those of the subtrees.
    int* own_slot;       // of each node's first column; own_slot[count]: their number
    int* slot;           // of each column
    size_t* slot_start;  // count + 1
    int* slots;          // of each node's columns, then of its rows below
    int slot_count;
    size_t* panel;  // where each node's values begin in a packed factor; count + 1

    int subtree_count;
    WfSubtree* subtrees;
    int top_count;
    int* top;        // the nodes above (or beside) the subtrees, ascending
    int top_height;  // of their highest, as in subtrees
    // The top once more, for solves: in stages, from below. Nodes of a stage are apart from each
    // other; where there are several, each has slots of its own.
    WfSubtree* staged;
    int stage_count;
    int* stage_start;  // stage_count + 1
} WfSupernodes;

// `order` is any order of the rows; the nodes move it within what changes no fill.
WeftResult wf_supernodes_create(const WeftAllocator* allocator, const WfPattern* pattern,
                                const int* order, WfSupernodes* nodes);
void wf_supernodes_destroy(const WeftAllocator* allocator, WfSupernodes* nodes);

static inline int wf_node_width(const WfSupernodes* s, int node) {
    return s->first[node + 1] - s->first[node];
}
static inline int wf_node_height(const WfSupernodes* s, int node) {
    return (int)(s->row_start[node + 1] - s->row_start[node]);
}
static inline int wf_fours(int rows) { return (rows + 3) / 4; }

#endif
