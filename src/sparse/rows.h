// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A matrix packed for its product with a vector: A = (3x3 blocks of nonlinear terms) + (scalar
// matrix of linear terms) x I, row by row, both halves. Where a block stands, the scalar is part
// of it from the start; where only linear terms join two rows, one number is kept. Assembling in
// halves (blocks.h) and packing once pays from a few products on: no row is written twice, two
// lanes work at once, and rows run in parallel.

#ifndef WF_SPARSE_ROWS_H
#define WF_SPARSE_ROWS_H

#include "base/simd.h"
#include "base/vec.h"
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

// Row i of H u.
// s holds x and y of the sum, t the two parts of z that come from x and y, z the third
static inline WfVec wf_rows_row(const WfRows* rows, int i, const double* u) {
    const WfRowsPattern* pattern = rows->pattern;
    WfTwo s = wf_two_set(0), t = wf_two_set(0);
    double z = 0, xy[2];
    for (int e = pattern->block_start[i]; e < pattern->block_start[i + 1]; e++) {
        const double *b = rows->blocks + 9 * (long)e, *w = u + 3 * (long)pattern->block_index[e];
        WfTwo v = wf_two_load(w);
        WfTwo part = wf_two_add(wf_two_mul(wf_two_load(b), wf_two_low(v)),
                                wf_two_mul(wf_two_load(b + 2), wf_two_high(v)));
        s = wf_two_add(s, wf_two_add(part, wf_two_mul(wf_two_load(b + 4), wf_two_set(w[2]))));
        t = wf_two_add(t, wf_two_mul(wf_two_load(b + 6), v));
        z += b[8] * w[2];
    }
    for (int e = pattern->scalar_start[i]; e < pattern->scalar_start[i + 1]; e++) {
        const double v = rows->scalars[e], *w = u + 3 * (long)pattern->scalar_index[e];
        s = wf_two_add(s, wf_two_mul(wf_two_set(v), wf_two_load(w)));
        z += v * w[2];
    }
    wf_two_store(xy, s);
    return (WfVec){xy[0], xy[1], z + wf_two_sum(t)};
}

#endif
