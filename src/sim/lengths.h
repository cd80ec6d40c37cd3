// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Step lengths that vary, and the factors for them. A factor is made for one length of substeps.
// Lengths that the model was prepared for, and the dt of a state's first step, have factors of
// their own. Every other length is served by the factor of the nearest one out of a geometric row,
// of which the dt that the model was made with is a member:
//
//     ... dt/2, dt/sqrt 2, dt, sqrt 2 dt, 2 dt ...
//
// so that lengths that vary without end need a handful of factors. No length is further from a
// member than by 2^(1/4), and the matrix of that member, M + gamma'^2 K, is at least 1/sqrt 2 of
// the step's own, A = M + gamma^2 K. Schemes A and JAJ only precondition with it. Repeated solves,
// x <- x - A'^-1 gradient, lower Phi as long as A' is more than half of a majorant.
//
// Distance to the motion itself in mm (25 x 25 vertices, beta 100, first second of a swing), with
// dt of 1/60 s, and at random between 1/45 and 1/90 s with a factor for each step, and by rows of
// 4, 2 and 1 members to the octave; and by the next longer member of the row of 2:
//
//     1 x one solve  217   212  211  205  212   273
//     2 x one solve   82    83   84   83   81   106
//     1 x A 4         33    32   32   32   32    50
//     2 x A 4         17    14   13   13   13    18
//
// BDF2 with a history of another length. With r = h/h(n-1), p = r and x(n-1) as it was,
//
//     gamma = h (1 + p)/(1 + 2p),   x~ = x + b (x - x(n-1)),   v~ alike,   b = p r/(1 + 2p)
//
// is of second order, and not stable for steps that go on growing by more than 1 + sqrt 2: b is
// above 1 then. So b is held at 1/2 by a smaller p, which is between BDF2 and implicit Euler (p =
// 0), and as exact as the latter for any r. All substeps of the step keep that p, so that they have
// one matrix: that of steps as long as 3/2 gamma.
//
// (The history as it would have been with steps of h, by velocity and acceleration, has b = r/3:
// lengths at random from 1 to 100 ms threw a free sheet by 528 m/s. Less of the acceleration is not
// consistent: with none, 2/3 of each force.)
//
// Which factor serves follows from the model, the step and what is saved with the state: a state
// that was saved and restored goes on with the same bits.

#ifndef WF_SIM_LENGTHS_H
#define WF_SIM_LENGTHS_H

#include "weft/weft.h"

// The length of the row through `member` that is nearest to h. Both positive.
double wf_nearest_length(double member, double h);
// How a step of second order follows one that was r times shorter. Of 1: BDF2 as it stands.
typedef struct WfChange {
    double reach;         // gamma over that of r = 1, 2h/3
    double first, later;  // b in the first substep, of v; and of x, and of both in later substeps
} WfChange;

WfChange wf_change_length(double r);
// Is a step of h so much longer than the one before, of `old` (0: none), that what this one
// predicts needs a check?
bool wf_length_grows(double old, double h);
// A resolved def with substeps of h.
WeftStepDef wf_with_length(const WeftStepDef* def, double h);

#endif
