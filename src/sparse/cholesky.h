// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A = L L^T for a symmetric positive definite scalar matrix, factored once and solved often with
// three right-hand sides (x, y, z of every vertex).
//
// L is computed in double and kept in float, packed for the solve (solve.h). The columns of a node
// are groups of twelve, the last one narrower, one behind the other. Of a group are kept
//
//     the triangle of its own rows: not L but its inverse, row by row, rows filled up to fours with
//     zeros: 4 numbers in each of the first four rows, 8 in the next, 12 in the last
//     the rows below, those of the node's later groups first: one number per column
//
// Behind them the panels of the second matrix follow, for nodes that are apart (supernode.h): cloth
// that is mirrored at a plane has one matrix for components along the plane, and another one, the
// *normal* matrix, for those along its normal.
//
// Three numbers more than a factor has may be read, and are not used.

#ifndef WF_SPARSE_CHOLESKY_H
#define WF_SPARSE_CHOLESKY_H

#include "sparse/supernode.h"

// The constant part, shared by all factors of one pattern.
typedef struct WfCholesky {
    WfSupernodes nodes;
    // While factoring, each node leaves to its parent what it subtracts from it; and fronts are
    // made in one place per subtree, and one for the nodes on top.
    size_t* update;         // of each node: where, in the doubles of the work
    size_t* normal_update;  // of the normal matrix, where a node is apart
    size_t* front;          // subtree_count + 1
    size_t* index;          // the same, in the ints of the work
    size_t work_count;      // doubles
    size_t index_count;     // ints
    double flops;           // multiply-adds of a factorisation
} WfCholesky;

// `order` is copied; the pattern must live as long. differs: rows in which the normal matrix may
// differ from the other one; NULL: there is no normal matrix.
WeftResult wf_cholesky_create(const WeftAllocator* allocator, const WfPattern* pattern,
                              const int* order, const unsigned char* differs, WfCholesky* cholesky);
void wf_cholesky_destroy(const WeftAllocator* allocator, WfCholesky* cholesky);
// Floats that a factor holds.
size_t wf_cholesky_value_count(const WfCholesky* cholesky);

// Scratch of a factorisation.
typedef struct WfCholeskyWork {
    double* numbers;
    int* index;
} WfCholeskyWork;

WeftResult wf_cholesky_create_work(const WeftAllocator* allocator, const WfCholesky* cholesky,
                                   WfCholeskyWork* work);
void wf_cholesky_destroy_work(const WeftAllocator* allocator, WfCholeskyWork* work);

// What is factored: values in the pattern's order; rows (and columns) i with fixed[i] set count as
// rows of the identity; fixed may be NULL.
//
// The normal matrix has values of its own, and more rows that are fixed: those of `fixed`, and
// those of `normal_fixed`. Entries may differ where both row and column differ (wf_cholesky_create)
// and nowhere else. So where a row is in normal_fixed, it differs, and with it all that it has
// entries with. A solve makes its component along the normal zero, whatever its right-hand side.
typedef struct WfCholeskyInput {
    const double* values;
    const unsigned char* fixed;
    const double* normal_values;        // NULL: there is no normal matrix
    const unsigned char* normal_fixed;  // NULL: none
} WfCholeskyInput;

// Whether a row is fixed, for components along the normal (or along the plane).
static inline bool wf_is_fixed(const WfCholeskyInput* input, bool normal, int row) {
    return (input->fixed && input->fixed[row]) ||
           (normal && input->normal_fixed && input->normal_fixed[row]);
}

// Returns -1, or the row (in the matrix' numbering) whose pivot was not positive and finite;
// *factor is then of no use. Without a normal matrix its panels are left as they are.
int wf_cholesky_factor(const WfCholesky* cholesky, const WeftJobs* jobs,
                       const WfCholeskyInput* input, const WfCholeskyWork* work, float* factor);

// The same in pieces: nodes from `begin` on (0 at first) for about `flops` multiply-adds. *end is
// where to go on; nodes.count when all is done. The input must stay the same in between.
int wf_cholesky_factor_some(const WfCholesky* cholesky, const WfCholeskyInput* input, int begin,
                            double flops, const WfCholeskyWork* work, float* factor, int* end);

#endif
