// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Sweeps: improve d in A d = b row by row, d_i = A_ii^-1 (b_i - sum_j A_ij d_j), for a matrix of
// 3x3 blocks (blocks.h) with scalars where only linear terms join two rows (rows.h).
//
// Gauss-Seidel works in place. Rows are cut into chunks in the order they come, and chunks whose
// rows are joined get different colours: those of one colour run in parallel, and every row sees
// the same neighbours, old or new, for any number of threads. Within a chunk the order is that of
// the rows, so that a sweep carries far along the mesh: on a grid it is nearly the plain order.

#ifndef WF_SPARSE_SWEEP_H
#define WF_SPARSE_SWEEP_H

#include "base/memory.h"
#include "sparse/rows.h"

// The constant part: chunks of rows by colour.
typedef struct WfSweepOrder {
    int colour_count;
    int* colour_start;  // colour_count + 1
    int* chunks;        // chunk numbers, colour after colour
    int* slots;  // of each block but for the diagonal, as WfSweep has them: 4 times its column
} WfSweepOrder;

WeftResult wf_sweep_create(const WeftAllocator* allocator, const WfRowsPattern* pattern,
                           WfSweepOrder* order);
void wf_sweep_destroy(const WeftAllocator* allocator, WfSweepOrder* order);

// A matrix packed for sweeps. All of it is float: a sweep is far from exact in any case, and what
// it finds is added to positions in double. Four lanes hold x, y, z and something of no meaning.
typedef struct WfSweep {
    const WfRowsPattern* pattern;
    const WfSweepOrder* order;
    const WeftJobs* jobs;
    float* blocks;  // 9 per block but for the diagonal, row by row: three columns. Later rows first
    float* scalars;   // where only linear terms join two rows
    float* inverses;  // 9 per row: of the diagonal block; zero: the row stays zero
    float *b, *d;     // 4 per row
    float* other;     // likewise, for Jacobi
} WfSweep;

void wf_sweep_layout(const WfRowsPattern* pattern, WfArena* arena, WfSweep* sweep);

// The matrix: blocks with the scalars in them (wf_rows_start), scalars of their own on the linear
// pattern, inverses of the diagonal blocks (6 numbers per row).
void wf_sweep_fill(const WfSweep* sweep, const WfBlockMatrix* matrix, const double* linear,
                   const float* inverses);
// The right-hand side times `sign`, and where to begin (NULL: zero).
void wf_sweep_begin(const WfSweep* sweep, double sign, const double* b, const double* d);
void wf_sweep_gauss_seidel(const WfSweep* sweep);
void wf_sweep_jacobi(WfSweep* sweep);
void wf_sweep_end(const WfSweep* sweep, double* d);

#endif
