// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A response under way, as its parts see it.

#ifndef WF_RESPOND_RUN_H
#define WF_RESPOND_RUN_H

#include "respond/respond.h"

typedef struct WfRun {
    const WfTouch* touch;
    const WfQuadratic* model;
    const WfPlan* plan;
    bool packed;     // sweeps go by work->packed (swept.h)
    bool keeps;      // b - H u is kept up to date by its rows (residual.c); b itself is not there
    int iterations;  // of a round, at most,
    int asked;       // and as many as the step asks for
    int round;
    WfResponse* response;
} WfRun;

// z = preconditioned r, with the time it takes; not filtered
void wf_run_precondition(const WfRun* run, const double* r, double* z);

// Residuals (residual.c). work->residual = b - H u, then work->r = the same with layers, zero at
// pins, and nothing counts as moved any more.
void wf_run_residual(const WfRun* run);
// Where it is kept: the rows beside swept vertices, and q = H p in those alone.
void wf_run_choose_near(const WfRun* run);
void wf_run_near_product(const WfRun* run, const double* p, double* q);
// Sweeps (sweeps.c): choose the vertices, then relax each of them once, `count` times.
void wf_run_choose_swept(const WfRun* run);
void wf_run_sweep(const WfRun* run, int count);

// Directions (direction.c): work->direction from u by some iterations, and again where it closes
// contacts. False where there is nothing to do, or no time for it.
bool wf_run_find_direction(const WfRun* run);
// u goes along the direction, as far as it is admissible and Q falls.
void wf_run_advance(const WfRun* run);

// Momentum (momentum.c): free pieces move on as their residuals in work->r say, which change, too.
void wf_run_keep_momentum(const WfRun* run);

// Forces (forces.c).
// f += gamma^2 (forces of contact in the last substep), where there are contacts now.
void wf_add_loads(const WfTouch* touch, double* f);
// Forces of all contacts at u, into the contacts and the loads, and the residual that is left.
void wf_run_keep_forces(const WfRun* run);

#endif
