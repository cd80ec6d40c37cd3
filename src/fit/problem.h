// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One table, and the tests that know of it, as a problem of least squares. Rows of it are, first,
// how far marks are from where they were seen, by the square root of their weight over the noise;
// then the ties of the table.

#ifndef WF_FIT_PROBLEM_H
#define WF_FIT_PROBLEM_H

#include "fit/table.h"
#include "fit/trial.h"

typedef struct WfProblem {
    const WfTable* table;
    WeftMeasured measured;  // the best so far
    double variation;       // of the ties
    double noise;           // m
    bool stopped;           // by the progress function
    int trial_count;
    WfTrial* trials;
    double* weights;  // per trial; their mean is 1
    int mark_count;
    int row_count;     // 2 per mark, and the ties
    double* rows;      // of `measured`
    double* next;      // of what is being tried
    double* jacobian;  // rows by values
    WfArena arena;
} WfProblem;

// The tests of one kind. Where there are none, trial_count is 0.
WeftResult wf_problem_create(WfProblem* problem, const WfTable* table, WeftTestKind kind,
                             const WeftMeasurements* measurements, const WeftAllocator* allocator,
                             WeftError* error);
void wf_problem_destroy(WfProblem* problem, const WeftAllocator* allocator);

// Take the values of `start`, or search for some. False: nothing simulates the tests.
bool wf_problem_start(WfProblem* problem, const WeftMeasured* start);
// Rows of other tables into `next`; trials keep the shapes in their own `next`. False: not found.
bool wf_problem_try(WfProblem* problem, const WeftMeasured* measured);
// What was tried becomes the best.
void wf_problem_accept(WfProblem* problem, const WeftMeasured* measured);
// Sum of squares of rows.
double wf_problem_cost(const WfProblem* problem, const double* rows);
// Weights of the rows follow the noise, which is at least what simulations are good for, in metres.
extern const double wf_least_noise;
void wf_problem_set_noise(WfProblem* problem, double noise);
// Mean square of the distances of marks, m^2.
double wf_problem_residual(const WfProblem* problem);

// How `measured` moves by a step.
typedef void WfMove(const WfTable* table, const double* values, const double* step, double* to);
WfMove wf_move_freely;    // every value by its scale, whatever becomes of it
WfMove wf_move_properly;  // by the table's own way
// Derivatives of the rows by steps. False: not found.
bool wf_problem_differentiate(WfProblem* problem, WfMove* move);

// Iterate until neither gradient nor step are worth it. Returns false where the progress function
// said stop or max_iterations were not enough.
bool wf_problem_solve(WfProblem* problem, const WeftFitDef* def, int* iterations);

// What the tests say of each value, at the best.
typedef struct WfPosterior {
    double deviation[WF_MAX_VALUES];  // over the scale of the value
    double share[WF_MAX_VALUES];
} WfPosterior;
bool wf_problem_judge(WfProblem* problem, WfPosterior* posterior);

#endif
