// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Rows that become fixed or free after the matrix was factored, without a new factorisation: for a
// few rows, each costs a walk from its node to the root of the tree when it changes, and a small
// part of that in every solve.
//
// With a normal matrix (cholesky.h) rows are exchanged in both. Where the normal matrix has a row
// fixed for good (normal_fixed), only the other one changes.

#ifndef WF_SPARSE_EXCHANGE_H
#define WF_SPARSE_EXCHANGE_H

#include "sparse/solve.h"

// More than these rows are a reason to factor anew.
enum { WF_MAX_EXCHANGED = 64 };

// L^-1 times the column that belongs to a row, on the nodes where it is not zero. Of a node that is
// apart, its numbers are followed by those of the normal matrix.
typedef struct WfExchangeColumn {
    int row;
    bool freed;
    bool normal;  // whether the row is exchanged in the normal matrix too
    int node_count;
    size_t value_count;
    int* nodes;
    float* values;
} WfExchangeColumn;

typedef struct WfExchange {
    const WfCholesky* cholesky;
    int count;
    WfExchangeColumn columns[WF_MAX_EXCHANGED];
    double* matrix;         // the small system, then its factor: count rows of WF_MAX_EXCHANGED
    double* normal_matrix;  // of the normal matrix; NULL: no node is apart, and they are the same
    int* nodes;             // of the columns, one behind the other
    float* values;
    size_t node_room, value_room;
    unsigned char* marked;  // per node
} WfExchange;

WeftResult wf_exchange_create(const WeftAllocator* allocator, const WfCholesky* cholesky,
                              WfExchange* exchange);
void wf_exchange_destroy(const WeftAllocator* allocator, WfExchange* exchange);

// From now on rows with now[i] set are fixed, and no others; `input` is what was factored, with
// the rows that were fixed then. Columns of rows that were exchanged before are kept, so the factor
// must be the same as before, unless `forget` is set. Uses the slots of the solve. False where more
// rows differ than there is room for.
bool wf_exchange_set(WfExchange* exchange, const WfSolve* solve, const WfCholeskyInput* input,
                     const unsigned char* now, bool forget);

// Between the two passes of a solve, and after them. solution: WF_MAX_EXCHANGED triples, scratch.
void wf_exchange_apply(const WfExchange* exchange, const WfSolve* solve, double solution[][3]);
void wf_exchange_finish(const WfExchange* exchange, const WfSolve* solve, double solution[][3]);

#endif
