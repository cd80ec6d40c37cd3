// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Rows that become fixed or free after the matrix was factored, without a new factorisation: for a
// few rows, each costs a walk from its node to the root of the tree when it changes, and a small
// part of that in every solve.
//
// Ties are added likewise: A + sum K w w^T, with a few weights w each, and stiffnesses K that may
// change from solve to solve. Some have more of it along a direction n: K w w^T x I + k w w^T x n
// n^T.
//
// With a normal matrix (cholesky.h) rows are exchanged in both. Where the normal matrix has a row
// fixed for good (normal_fixed), only the other one changes.

#ifndef WF_SPARSE_EXCHANGE_H
#define WF_SPARSE_EXCHANGE_H

#include "sparse/solve.h"

// More than these rows are a reason to factor anew.
enum { WF_MAX_EXCHANGED = 64 };

enum { WF_TIED_ROWS = 6 };  // of one tie, at most
enum { WF_MAX_TIES = 256 };
enum { WF_MAX_COLUMNS = WF_MAX_EXCHANGED + WF_MAX_TIES };

// A term K w w^T of the matrix.
typedef struct WfExchangeTie {
    int count, rows[WF_TIED_ROWS];
    double weights[WF_TIED_ROWS];
} WfExchangeTie;

// What changes of a tie.
typedef struct WfTieStiffness {
    double all;           // K, above 0
    double along;         // k; 0: none
    double direction[3];  // n
} WfTieStiffness;

// L^-1 times the column that belongs to a row or a tie, on the nodes where it is not zero. Of a
// node that is apart, its numbers are followed by those of the normal matrix.
typedef struct WfExchangeColumn {
    int row;                   // or -1:
    const WfExchangeTie* tie;  // what it belongs to
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
    double* matrix;         // the small system, then its factor: rows of `stride`
    double* normal_matrix;  // of the normal matrix; NULL: no node is apart, and they are the same
    int stride;
    int* nodes;  // of the columns, one behind the other
    float* values;
    size_t node_room, value_room;
    unsigned char* marked;                // per node
    size_t longest_slots, longest_nodes;  // of the way from a node to its root

    // with ties
    int tie_count, tie_room;
    WfExchangeTie* ties;
    WfExchangeColumn* tie_columns;
    double *gram, *normal_gram;  // the small system but for the stiffnesses
    int* tie_nodes;
    float* tie_values;
    WfTieStiffness* stiffness;  // of each; directions in the frame of the solve

    // of the ties with a direction
    int line_count;
    int* lines;            // which they are
    double* line_columns;  // two rows of `stride` for each: the small systems' answers to it
    double* line_matrix;   // rows of `tie_room`
} WfExchange;

WeftResult wf_exchange_create(const WeftAllocator* allocator, const WfCholesky* cholesky,
                              WfExchange* exchange);
void wf_exchange_destroy(const WeftAllocator* allocator, WfExchange* exchange);
size_t wf_exchange_bytes(const WfExchange* exchange);  // but for ties

// From now on rows with now[i] set are fixed, and no others; `input` is what was factored, with
// the rows that were fixed then. Columns of rows that were exchanged before are kept, so the factor
// must be the same as before, unless `forget` is set. Uses the slots of the solve. False where more
// rows differ than there is room for.
bool wf_exchange_set(WfExchange* exchange, const WfSolve* solve, const WfCholeskyInput* input,
                     const unsigned char* now, bool forget);

// From now on these ties are part of the matrix, and no others. To be called after every
// wf_exchange_set that found something new. Allocates where there are more ties than ever before.
WeftResult wf_exchange_tie(WfExchange* exchange, const WeftAllocator* allocator,
                           const WfSolve* solve, const WfCholeskyInput* input, int count,
                           const WfExchangeTie* ties);
// Stiffnesses of these ties, one each, which were 1 before.
void wf_exchange_stiffen(WfExchange* exchange, const WfSolve* solve,
                         const WfTieStiffness* stiffness);

// Between the two passes of a solve, and after them. solution: WF_MAX_COLUMNS triples, scratch.
void wf_exchange_apply(const WfExchange* exchange, const WfSolve* solve, double solution[][3]);
void wf_exchange_finish(const WfExchange* exchange, const WfSolve* solve, double solution[][3]);

#endif
