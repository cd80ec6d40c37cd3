// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "respond/plan.h"

#include "base/assert.h"

static const double SPEED_LEFT = 1e-4;  // m/s, which no eye can tell

// Stiff cloth carries a push further, and its sweeps have more to do (STIFF in respond.c).
static const WfPlan plans[WF_PLAN_COUNT] = {
    [WF_PLAN_REPEAT] = {.name = "prefactored, `repeat`",
                        .warm = true,
                        .sweeps = {6, 12},
                        .last_sweeps = {2, 4},
                        .rounds = 2,
                        .iterations = 3,
                        .drop = 0.1,
                        .speed_left = SPEED_LEFT},
    [WF_PLAN_SCHEDULE] = {.name = "prefactored, `a` and `jaj`",
                          .local = true,
                          .sweeps = {6, 12},
                          .last_sweeps = {2, 4},
                          .rounds = 2,
                          .iterations = 3,
                          .scheduled = true,
                          .once_apart = true,
                          .drop = 0.1,
                          .closings = 1,
                          .again = 2,
                          .speed_left = SPEED_LEFT},
    [WF_PLAN_IMPLICIT] = {.name = "implicit",
                          .local = true,
                          .sweeps = {6, 12},
                          .last_sweeps = {2, 4},
                          .rounds = 4,
                          .iterations = 1,
                          .scheduled = true,
                          .drop = 0.1,
                          .closings = 1,
                          .speed_left = SPEED_LEFT},
    [WF_PLAN_MATRIX_FREE] = {.name = "matrix_free",
                             .sweeps = {6, 12},
                             .last_sweeps = {2, 4},
                             .rounds = 4,
                             .iterations = 1,
                             .scheduled = true,
                             .drop = 0.1,
                             .closings = 1,
                             .speed_left = SPEED_LEFT},
    [WF_PLAN_RELAXATION] = {.name = "relaxation", .own_sweeps = true},
    [WF_PLAN_SYMPLECTIC] = {.name = "symplectic",
                            .sweeps = {4, 4},
                            .last_sweeps = {2, 2},
                            .rounds = 1,
                            .for_layers = true,
                            .iterations = 10,
                            .drop = 0.1},
};

const WfPlan* wf_plan(WfPlanKind kind) {
    wf_assert(kind >= 0 && kind < WF_PLAN_COUNT);
    return &plans[kind];
}
