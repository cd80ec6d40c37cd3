// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Triangular solves with a packed factor, three right-hand sides at once.
//
// The vector is worked on as floats, four per slot: x, y, z and zero. Slots are the columns in the
// order of elimination, then what the supernodes ask for (supernode.h), and once more the columns,
// where some nodes are apart.
//
// With a normal matrix (cholesky.h), x is the component along the normal: it is solved for with
// that matrix, y and z with the other one. Nodes that are shared are gone through once, for all
// three; those that are apart twice, once per matrix, each time for all three components, of which
// one or two are then of use.

#ifndef WF_SPARSE_SOLVE_H
#define WF_SPARSE_SOLVE_H

#include "sparse/cholesky.h"

// What is done with a node in the two passes.
typedef struct WfSolveKernel {
    void (*forward)(const WfSupernodes* nodes, const float* panel, int node, float* slots);
    void (*backward)(const WfSupernodes* nodes, const float* panel, int node, float* slots);
} WfSolveKernel;

extern const WfSolveKernel wf_solve_plain;  // the same bits on every machine
const WfSolveKernel* wf_solve_fused(void);  // with fused multiply-add where the machine has it
// The same with four lanes, and with eight: to choose from, and for tests. NULL: not here.
extern const WfSolveKernel wf_solve_plain_narrow;
const WfSolveKernel* wf_solve_plain_wide(void);
const WfSolveKernel* wf_solve_fused_narrow(void);
const WfSolveKernel* wf_solve_fused_wide(void);

typedef struct WfSolve {
    const WfCholesky* cholesky;
    const WfSolveKernel* kernel;
    const WeftJobs* jobs;
    const float* factor;
    float* slots;         // wf_solve_scratch_count floats
    bool has_normal;      // whether component 0 is solved for with the normal matrix
    const double* frame;  // NULL, or three orthonormal rows, the normal first: the vectors that
                          // come in are turned into this frame, and those that go out back
} WfSolve;

size_t wf_solve_scratch_count(const WfCholesky* cholesky);
static inline float* wf_slot_at(float* slots, int slot) { return slots + 4 * (size_t)slot; }

// x = A^-1 b, interleaved (3 n numbers); b may be x.
void wf_solve(const WfSolve* solve, const double* b, double* x);

// Its four parts, for those who have something to do in between. The load scales b to a largest
// number of about one, so that floats neither overflow nor fade; returns by how much the result of
// the store is to be multiplied.
double wf_solve_load(const WfSolve* solve, const double* b);
void wf_solve_forward(const WfSolve* solve);   // L y = b
void wf_solve_backward(const WfSolve* solve);  // L^T x = y
void wf_solve_store(const WfSolve* solve, double scale, double* x);

// The forward pass over marked nodes alone, for a vector that is zero elsewhere; with a node, its
// parent must be marked. Clears the slots of those nodes beforehand.
void wf_solve_clear_marked(const WfSolve* solve, const unsigned char* marked);
void wf_solve_forward_marked(const WfSolve* solve, const unsigned char* marked);

#endif
