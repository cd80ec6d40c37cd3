// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The elimination tree of a symmetric pattern: what a Cholesky factor will look like, before any
// number is computed. Row `parent[j]` is the first below the diagonal in column j of L; a column
// depends on its descendants alone.

#ifndef WF_SPARSE_ETREE_H
#define WF_SPARSE_ETREE_H

#include "sparse/pattern.h"

typedef struct WfEtree {
    int n;
    int* order;   // new -> old: the given order, moved into a postorder of the tree
    int* place;   // old -> new
    int* parent;  // in the new numbering, always larger; -1 at a root
    int* count;   // entries of each column of L, diagonal included
} WfEtree;

// Renumbering along a postorder changes neither fill nor work. `order` is copied.
WeftResult wf_etree_create(const WeftAllocator* allocator, const WfPattern* pattern,
                           const int* order, WfEtree* tree);
void wf_etree_destroy(const WeftAllocator* allocator, WfEtree* tree);
// The first child of each node, and the next child of the same parent, both in rising order; -1:
// none. Parents have larger numbers than children, or -1.
void wf_link_children(int count, const int* parent, int* child, int* sibling);
// Entries of L.
long long wf_etree_fill(const WfEtree* tree);

#endif
