// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The equations of a model, as methods see them: masses, terms, and where matrices have entries.
// Nothing here moves; what moves is in WfStep (step.h).

#ifndef WF_METHOD_SYSTEM_H
#define WF_METHOD_SYSTEM_H

#include "base/plane.h"
#include "energy/term.h"
#include "sparse/rows.h"
#include "sparse/solve.h"
#include "sparse/sweep.h"
#include "weft/weft_study.h"

typedef struct WfSystem {
    int vertex_count, portion_count;
    double* masses;
    int term_count;
    WfTerm** terms;

    WfPattern linear_pattern;     // M and the linear terms: constant for a given gamma
    double *stiffness, *damping;  // of the linear terms, on it; NULL where one of them softens
    WfBlockPattern blocks;        // the nonlinear terms, 3x3
    WfRowsPattern rows;           // both together, packed for products
    WfSweepOrder sweep;           // its rows in the order of relaxation
    WfPattern pattern;            // all of it with the majorants, scalar: what is factored
    WfCholesky cholesky;
    WeftMatrices matrices;             // what of these there is
    const WfSolveKernel* kernel;       // how its solves are computed
    WeftOrdering ordering;             // as used
    double order_time, analysis_time;  // seconds
    const WfTerm* unmajorised;         // an unbounded term, or NULL: no factor then
    const WfTerm* predicting;          // a term that anticipates the end of the step, or NULL
    bool has_nonlinear;                // some term needs more than one solve
    bool touches;                      // there is contact; set by the model

    // The mirror of a half cloth, whose normal is zero where there is none. Along it, and beside
    // it, matrices that are scalar elsewhere differ; between `across` rows alone.
    WfPlane mirror;
    double mirror_frame[9];  // the normal, and two directions in the plane
    int across_count, *across;

    // for explicit steps: no eigenvalue of M^-1 K (1/s^2) and M^-1 D (1/s) at rest is larger
    double stiffness_bound, damping_bound;
    size_t partial_count;  // doubles that the terms and vectors want for sums

    WeftAllocator allocator;
    WeftJobs jobs;
    WeftClock clock;
} WfSystem;

// A system is made in eight parts of about equal time, so that a model can be made beside steps,
// and in this order. First masses, terms, and where those that are linear have entries. It takes
// over `masses` and `terms` (and their memory), also where it fails.
WeftResult wf_system_create(WfSystem* system, int vertex_count, int portion_count, double* masses,
                            WfTerm** terms, int term_count, WeftMatrices matrices);
// Their stiffness and damping; the blocks of the others; where all of them together have entries.
WeftResult wf_system_split_stiffness(WfSystem* system);
void wf_system_split_damping(WfSystem* system);
WeftResult wf_system_block(WfSystem* system);
WeftResult wf_system_join(WfSystem* system);
// What is factored. positions: 3 per vertex, for an ordering that cuts space. order: of
// elimination, new to old, instead of an ordering; or NULL.
WeftResult wf_system_analyse(WfSystem* system, WeftOrdering ordering, const double* positions,
                             const int* order);
// Bounds of the spectrum.
WeftResult wf_system_bound_stiffness(WfSystem* system);
WeftResult wf_system_bound_damping(WfSystem* system);
void wf_system_destroy(WfSystem* system);

// values = M + gamma^2 (scales[portion] * stiffness of the linear terms), on linear_pattern.
void wf_system_linear(const WfSystem* system, double gamma, const double* scales, double* values);

// values = M + gamma^2 (linear + scales[portion] * majorants), on pattern.
void wf_system_matrix(const WfSystem* system, double gamma, const double* scales, double* values);
// The same for motion along the normal of the mirror.
void wf_system_normal_matrix(const WfSystem* system, double gamma, const double* scales,
                             double* values);

static inline bool wf_system_is_half(const WfSystem* system) {
    return wf_dot(system->mirror.normal, system->mirror.normal) > 0;
}

// seconds, or 0 without a clock
double wf_now(const WfSystem* system);

#endif
