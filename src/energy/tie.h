// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Ties: springs without length from points of the cloth to places, or to other points of it. Unlike
// terms they come and go with a state, and join vertices that no matrix has entries for.
//
//     e = W x - target,   W x = sum weights[k] x[vertices[k]]
//
//     E = k/2 |e|^2                 where k |e| <= most, or there is no `most`
//         most |e| - most^2/(2 k)   beyond: the force stays `most` (Huber's function: convex)
//
// Its Hessian is k w w^T x I; beyond the bound it is replaced by (most/|e|) w w^T x I, which is
// above it: matrices that are scalar stay so, and a solve with it never raises the energy.
//
// A line has a direction n, in which its stiffness is k, and another stiffness across:
//
//     E = k/2 (n.e)^2 + across/2 |e - (n.e) n|^2
//
// with the same bound along n.

#ifndef WF_ENERGY_TIE_H
#define WF_ENERGY_TIE_H

#include "base/vec.h"
#include "sparse/blocks.h"

enum { WF_TIE_VERTICES = 6 };

typedef struct WfTie {
    int count, vertices[WF_TIE_VERTICES];  // all different
    double weights[WF_TIE_VERTICES];
    WfVec target;
    double stiffness;  // k, N/m
    double most;       // N; 0: no bound
    bool holds;        // its other end is no cloth
    bool is_rigid;     // holds a vertex as a pin does
    bool is_line;
    WfVec normal;      // of a line: n,
    double across;     // N/m, and its stiffness across that
    double reach;      // of a line that holds a vertex and does not stretch: its length; else 0,
    WfVec end;         // and where it ends after the substep
    double slope;      // N/m: k, or what the bound leaves of it, where forces were last found
    unsigned outside;  // pairs of its vertices that the blocks have no place for, as bits
} WfTie;

typedef struct WfTies {
    int count;
    WfTie* all;
    bool moves;  // some target does, in this step
} WfTies;

// W x
WfVec wf_tie_point(const WfTie* tie, const double* x);
// How far its point is from the target; of a line, along it: it is positive where a line is pulled.
double wf_tie_distance(const WfTie* tie, const double* x);
// How it pulls at its point, N.
WfVec wf_tie_force(const WfTie* tie, const double* x);
// Energy at x, J; where f is not NULL, f += scale * forces, and slopes are those at x.
double wf_ties_evaluate(const WfTies* ties, const double* x, double scale, double* f);
// With these slopes: q += scale K p.
void wf_ties_product(const WfTies* ties, double scale, const double* p, double* q);
// sums[i] += scale (sum of row i of |K|): as a diagonal matrix, it is above K. The same on diagonal
// blocks, 6 numbers per vertex.
void wf_ties_row_sums(const WfTies* ties, double scale, double* sums);
void wf_ties_diagonal(const WfTies* ties, double scale, double* D);
// blocks += scale K, as far as there are places. Where there is none, both vertices of the pair get
// |entry| on their diagonals, and what that is off is added by the other function:
//     blocks + outside = K,   blocks >= K
void wf_ties_blocks(const WfTies* ties, double scale, const WfBlockMatrix* blocks);
void wf_ties_add_outside(const WfTies* ties, double scale, const double* p, double* q);
bool wf_ties_are_outside(const WfTies* ties);
// Whether a line is taut.
bool wf_ties_have_lines(const WfTies* ties);

#endif
