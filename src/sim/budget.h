// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A time budget that holds. Two things see to it:
//
//   before the step   a rung is chosen from the ladder of the prefactored method (quality.c): the
//                     highest one whose fewest worthwhile iterations fit into the time, by what
//                     earlier steps took;
//   inside the step   iterations go on while the clock leaves room for one more and for what comes
//                     after them (base/pace.h).
//
// What was measured belongs to the state's scratch, not to what moves: it is never saved, copied or
// hashed. What was chosen goes into the report, and is enough to repeat the step without a clock.

#ifndef WF_SIM_BUDGET_H
#define WF_SIM_BUDGET_H

#include "base/pace.h"
#include "method/method.h"
#include "method/quality.h"

// What a substep costs, in seconds, with one kind of iteration; 0: not known yet.
typedef struct WfCost {
    double before;     // until the first iteration
    double iteration;  // each
    double after;      // the rest
} WfCost;

typedef struct WfBudget {
    WfCost costs[WF_COST_KINDS];  // by kind of iteration
    double around;                // seconds of a step outside of its substeps
    int rung;                     // of the prefactored method, as used last; -1: none yet
    bool lowest;                  // there is none below it
    int substeps;                 // the step will be cut into as many, or more
    double excess;                // iterations of cloth that touches, over what its rung says
    int shaken;                   // steps for which cloth that has touched something counts so
    int fits;                     // steps in a row in which a higher one would have fitted
    WeftStepDef last;             // as the last step was taken
    bool changed;                 // since then, so that this step has to make matrices ready
} WfBudget;

// Whether the rungs are the library's to choose: a budget, and nothing set by hand.
bool wf_budget_is_open(const WeftStepDef* asked);

// Settings for a step by `asked`, resolved, with a budget. substeps: what moves will cut it into as
// many, whatever the rung. touching: the cloth touches something, and rungs want more iterations.
// has_factor (of context) says whether a resolved def could go ahead at once.
WeftStepDef wf_budget_plan(WfBudget* budget, const WfSystem* system, const WeftStepDef* asked,
                           int substeps, bool touching,
                           bool (*has_factor)(const void* context, const WeftStepDef* def),
                           const void* context);

// The pace of substep `index`, which begins now; `done`: iterations of the last one that a report
// can tell; start: when the step began.
WfPace wf_budget_pace(const WfBudget* budget, const WfSystem* system, const WeftStepDef* def,
                      int index, int done, double start);
// Learn from a substep that began at `start` and has ended now.
void wf_budget_learn(WfBudget* budget, const WfSystem* system, const WeftStepDef* def,
                     const WfPace* pace, double start);
// Small steps. Substeps of a step that a budget leaves them, a multiple of four; the settings are
// resolved. Behind some of them, and `before` s until the first: whether the rest is to go in
// substeps twice as long. And what they took.
int wf_budget_substeps(WfBudget* budget, const WeftStepDef* def);
bool wf_budget_is_short(const WfBudget* budget, const WeftStepDef* def, double spent, double before,
                        int done, int left);
void wf_budget_learn_substeps(WfBudget* budget, double before, double inside, int done);
// Learn from a whole step: it took `total` seconds, its substeps `inside`.
void wf_budget_learn_step(WfBudget* budget, double total, double inside);

#endif
