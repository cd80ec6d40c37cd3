// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A symmetric matrix of 3x3 blocks: diagonal blocks as six numbers (xx xy xz yy yz zz), blocks
// above the diagonal as nine, row by row. Blocks below the diagonal are their transposes and not
// stored: half the memory to read in a product.

#ifndef WF_SPARSE_BLOCKS_H
#define WF_SPARSE_BLOCKS_H

#include "sparse/pattern.h"

// The constant part: where blocks stand.
typedef struct WfBlockPattern {
    int n;
    int* start;  // n + 1; blocks of row i above the diagonal
    int* index;  // their columns, increasing
} WfBlockPattern;

// From pairs of rows, any order, repeats allowed.
WeftResult wf_block_pattern_create(const WeftAllocator* allocator, int n, int pair_count,
                                   const int* pairs, WfBlockPattern* pattern);
void wf_block_pattern_destroy(const WeftAllocator* allocator, WfBlockPattern* pattern);
// Where the block of rows (a, b), a < b, stands; -1 where there is none.
int wf_block_find(const WfBlockPattern* pattern, int a, int b);
// Where the blocks of all pairs of an element's rows stand: (0,1) (0,2) .. (1,2) .., arity *
// (arity - 1)/2 places per element.
void wf_block_places(const WfBlockPattern* pattern, int element_count, int arity, const int* rows,
                     int* places);

typedef struct WfBlockMatrix {
    const WfBlockPattern* pattern;
    double* diagonal;  // 6 per row
    double* upper;     // 9 per block
} WfBlockMatrix;

// q = A p for a scalar matrix on a full pattern, three columns interleaved; rows in parallel.
void wf_scalar_product(const WfPattern* pattern, const double* values, const WeftJobs* jobs,
                       const double* p, double* q);

#endif
