// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One contract for methods: what each needs, refuses, fills in, costs and does. A new method is a
// file that has its class, and a row in the table of methods.c.

#ifndef WF_METHOD_METHOD_H
#define WF_METHOD_METHOD_H

#include "method/step.h"
#include "weft/weft_study.h"

// What a resolved step needs, as flags.
typedef enum WfNeed {
    WF_NEED_FACTOR = 1,     // the constant factor
    WF_NEED_BLOCKS = 2,     // 3x3 blocks
    WF_NEED_ROWS = 4,       // blocks packed in rows, for products
    WF_NEED_SWEEPS = 8,     // the same in the order of sweeps
    WF_NEED_INVERSES = 16,  // inverse diagonal blocks
} WfNeed;

// Iterations that cost alike are of one kind (sim/budget.h).
typedef enum WfCostKind {
    WF_COST_REPEAT,
    WF_COST_A,
    WF_COST_JAJ,
    WF_COST_SWEEP,
    WF_COST_SUBSTEP,
    WF_COST_FREE,
    WF_COST_IMPLICIT,
    WF_COST_KINDS,
} WfCostKind;

typedef struct WfMethod {
    const char* name;    // as weft_choice() has it
    bool is_explicit;    // no equations: no history, and too long a step loses its hold
    bool has_ladder;     // `quality` or a budget chooses order, substeps, scheme and iterations
    bool takes_sweeps;   // iterations are sweeps, of which a budget gives as many as fit
    bool softens;        // stretch_tolerance applies
    bool damps_to_rest;  // motion below rest_speed dies away, and cloth sleeps
    bool conjugate;      // keeps the vectors of conjugate gradients
    bool is_local;       // takes whole steps, contact too, in small_steps/; `solve` is NULL
    WeftStart start;     // where `auto` begins

    // What a resolved step needs, where nothing is touched or something may be.
    unsigned (*needs)(const WeftStepDef* resolved, bool touches);
    // Combinations that make no sense; NULL: all do. Values are in range.
    WeftResult (*check)(const WfSystem* system, const WeftStepDef* asked,
                        const WeftStepDef* resolved, WeftError* error);
    // Fill in what is left open: substeps, scheme, iterations. The order is set.
    void (*resolve)(const WfSystem* system, WeftStepDef* def);
    WfCostKind (*cost)(const WeftStepDef* resolved);
    // From the history to work->x. Explicit ones begin by themselves, others after wf_step_begin.
    void (*solve)(const WfStep* step);
} WfMethod;

// The class of a def's method.
const WfMethod* wf_method(const WeftStepDef* def);

// Are the values possible, and do they make sense with these cloths?
WeftResult wf_check_step(const WfSystem* system, const WeftStepDef* def, WeftError* error);
// The same def with nothing left open: order, substeps, scheme and iterations set.
WeftStepDef wf_resolve_step(const WfSystem* system, const WeftStepDef* def);
// Does a resolved def need all of these, where nothing is touched?
bool wf_step_needs(const WeftStepDef* def, unsigned needs);

// The classes.
extern const WfMethod wf_symplectic, wf_implicit, wf_prefactored, wf_relaxation, wf_matrix_free,
    wf_small_steps;

#endif
