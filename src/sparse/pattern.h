// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Which entries of a symmetric matrix are not zero: compressed rows, both halves and the diagonal,
// columns of a row in increasing order. Values live beside it, one per index, in the same order.

#ifndef WF_SPARSE_PATTERN_H
#define WF_SPARSE_PATTERN_H

#include "weft/weft.h"

typedef struct WfPattern {
    int n;
    int* start;  // n + 1
    int* index;  // start[n]
} WfPattern;

// From pairs of rows (i, j), any order, repeats allowed; the diagonal is always there.
WeftResult wf_pattern_create(const WeftAllocator* allocator, int n, int pair_count,
                             const int* pairs, WfPattern* pattern);
void wf_pattern_destroy(const WeftAllocator* allocator, WfPattern* pattern);
// Where entry (row, column) stands, or -1.
int wf_pattern_find(const WfPattern* pattern, int row, int column);

#endif
