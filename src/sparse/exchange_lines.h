// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Ties with a direction, inside of the exchange.

#ifndef WF_SPARSE_EXCHANGE_LINES_H
#define WF_SPARSE_EXCHANGE_LINES_H

#include "sparse/exchange.h"

static inline int wf_exchange_columns(const WfExchange* ex) { return ex->count + ex->tie_count; }

// Whether component 0 has a small system of its own.
static inline bool wf_exchange_has_two(const WfExchange* ex, const WfSolve* solve) {
    return ex->normal_matrix && solve->has_normal;
}

// The factor of the small system that component d of a vector has.
static inline const double* wf_exchange_matrix(const WfExchange* ex, const WfSolve* solve, int d) {
    return d == 0 && wf_exchange_has_two(ex, solve) ? ex->normal_matrix : ex->matrix;
}

// Behind the factors of the small systems: those of the lines.
void wf_lines_factor(WfExchange* ex, const WfSolve* solve);
// Before the small systems are solved for s: mu of each line. Behind: what that changes of s.
void wf_lines_solve(const WfExchange* ex, const WfSolve* solve, double s[][3], double* pulls);
void wf_lines_add(const WfExchange* ex, const WfSolve* solve, const double* pulls, double s[][3]);

#endif
