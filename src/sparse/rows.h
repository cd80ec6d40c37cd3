// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A matrix packed for its product with a vector: A = (3x3 blocks of nonlinear terms) + (scalar
// matrix of linear terms) x I, row by row, both halves. Where a block stands, the scalar is part
// of it from the start; where only linear terms join two rows, one number is kept. Assembling in
// halves (blocks.h) and packing once pays from a few products on: no row is written twice, two
// lanes work at once, and rows run in parallel.

#ifndef WF_SPARSE_ROWS_H
#define WF_SPARSE_ROWS_H

#include "sparse/blocks.h"

// The constant part: what stands where, and where its values come from.
typedef struct WfRowsPattern {
    int n;
    int* block_start;   // n + 1; the diagonal block is the first of each row
    int* block_index;   // columns
    int* block_source;  // 2 * (place among the upper blocks) + (1 where transposed); diagonal: the
                        // row
    int* scalar_start;  // n + 1
    int* scalar_index;
    int* scalar_source;      // place in the linear pattern
    int* diagonal_linear;    // per row: place of its diagonal in the linear pattern
    int* upper_linear;       // per upper block: its place in the linear pattern, or -1
    const int* upper_start;  // of the block pattern: where each row's upper blocks begin
} WfRowsPattern;

WeftResult wf_rows_create(const WeftAllocator* allocator, const WfBlockPattern* blocks,
                          const WfPattern* linear, WfRowsPattern* pattern);
void wf_rows_destroy(const WeftAllocator* allocator, WfRowsPattern* pattern);

typedef struct WfRows {
    const WfRowsPattern* pattern;
    double* blocks;  // 9 per block: xx yx, xy yy, xz yz, zx zy, zz
    double* scalars;
} WfRows;

// Blocks that hold the scalar matrix where they stand, for the nonlinear terms to add to.
void wf_rows_start(const WfRowsPattern* pattern, const WeftJobs* jobs, const double* linear,
                   const WfBlockMatrix* matrix);
// Pack such blocks and the rest of the scalar matrix.
void wf_rows_fill(const WfRows* rows, const WeftJobs* jobs, const WfBlockMatrix* matrix,
                  const double* linear);
// q = A p
void wf_rows_product(const WfRows* rows, const WeftJobs* jobs, const double* p, double* q);

#endif
