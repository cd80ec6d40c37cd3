// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How much a response spends: one constant row per kind of step. The table of docs/method.md,
// "Response", is these rows.

#ifndef WF_RESPOND_PLAN_H
#define WF_RESPOND_PLAN_H

#include <stdbool.h>

typedef enum WfPlanKind {
    WF_PLAN_REPEAT,       // the constant matrix
    WF_PLAN_SCHEDULE,     // Newton's matrix, as many iterations as a schedule says
    WF_PLAN_IMPLICIT,     // Newton's matrix, to a tolerance
    WF_PLAN_MATRIX_FREE,  // the same by products alone
    WF_PLAN_RELAXATION,   // sweeps alone
    WF_PLAN_SYMPLECTIC,   // the masses
    WF_PLAN_COUNT,
} WfPlanKind;

typedef struct WfPlan {
    const char* name;    // as the documentation calls it
    bool warm;           // begins with the solution under the loads of the last substep, or with
                         // its displacement, whichever has the lower Q
    bool local;          // sweeps go over the vertices of contacts only
    int sweeps[2];       // before each direction: of soft cloth, and of stiff,
    int last_sweeps[2];  // and after the last
    bool own_sweeps;     // the last ones are as many as the step says, at its pace
    int rounds;          // of sweeps and a direction,
    bool for_layers;     // where there are layers; else none
    int iterations;      // of conjugate gradients in a round,
    bool scheduled;      // at least, and as many as the step says
    bool once_apart;     // cloth that touches nothing takes those of the step, in the first round
                         // only: it moves as if there were no contacts
    double drop;         // a round ends at this part of its first correction
    int closings;        // how often it may close contacts that its direction would violate,
    int again;           // iterations after that, at most; 0: half as many as before
    double speed_left;   // m/s: corrections below it end the rounds
} WfPlan;

const WfPlan* wf_plan(WfPlanKind kind);

#endif
