// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A = L L^T for a symmetric positive definite scalar matrix, factored once and solved often with
// three right-hand sides (x, y, z of every vertex).
//
// The factor is kept as an envelope: the rows of L from their first non-zero to the diagonal,
// without holes. After reverse Cuthill-McKee the fill leaves few holes, and every inner loop is
// then a plain dot product or update over contiguous memory.

#ifndef WF_SPARSE_CHOLESKY_H
#define WF_SPARSE_CHOLESKY_H

#include "sparse/pattern.h"

// Rows of L that begin at the same column and stand together in memory.
enum { WF_CHOLESKY_PANEL = 4 };

// The constant part: order and shape, shared by all factors of one pattern. Panel p holds the rows
// 4 p to 4 p + 3 (in the new numbering) from column first[p], a multiple of four, to 4 p + 3, as
// tiles of 4 x 4: 16 numbers each, row by row, tile behind tile. In the last tile, above the
// diagonal, are zeros; on the diagonal stands 1 / L_ii. Rows from n on, which fill the last panel,
// are of the identity.
typedef struct WfCholesky {
    int n;
    int panel_count;
    const WfPattern* pattern;  // borrowed
    int* order;                // new -> old
    int* place;                // old -> new
    int* first;                // first column of each panel
    size_t* start;             // where each panel starts; start[panel_count]: number of values
} WfCholesky;

// `order` is copied; the pattern must live as long.
WeftResult wf_cholesky_create(const WeftAllocator* allocator, const WfPattern* pattern,
                              const int* order, WfCholesky* cholesky);
void wf_cholesky_destroy(const WeftAllocator* allocator, WfCholesky* cholesky);
// Doubles that a factor holds.
size_t wf_cholesky_value_count(const WfCholesky* cholesky);

// Factor the matrix whose values stand in the pattern's order. Rows (and columns) i with fixed[i]
// set count as rows of the identity; fixed may be NULL. Returns -1, or the row (in the matrix'
// numbering) whose pivot was not positive and finite; *factor is then of no use.
int wf_cholesky_factor(const WfCholesky* cholesky, const double* values, const unsigned char* fixed,
                       double* factor);

// x = A^-1 b for three right-hand sides, interleaved (3 n numbers); b may be x.
// scratch: 3 n doubles.
void wf_cholesky_solve(const WfCholesky* cholesky, const double* factor, const double* b, double* x,
                       double* scratch);

#endif
