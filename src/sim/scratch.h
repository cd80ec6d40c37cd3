// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Scratch: what a step needs and nothing outlives. It belongs to the model. A step takes one, which
// no other step has meanwhile, and puts it back; so there are as many as steps of the model were
// ever taken at once, however many states there are, and what one state made room for serves all.
//
// What is in it when a step begins is of some other state, or of none: nothing may be read that the
// step did not write, but for what depends on the model alone, such as a matrix and what it was
// made for.

#ifndef WF_SIM_SCRATCH_H
#define WF_SIM_SCRATCH_H

#include "method/step.h"
#include "sim/model.h"
#include "small_steps/small_steps.h"

// A tie of a step, beside what its solve knows of it.
typedef struct WfTied {
    int attachment;
    WfVec goal;     // of its end, where that can get to in the step
    WfVec impulse;  // N s, so far
    bool broken;
    // of the substep
    WfVec end, moves;  // where its end is, and by how much it moves, m
    double tension;    // N, in the last one
    bool taut;         // of a line
    // of small steps (small_ties.c)
    WfVec push;    // kg m: its impulse on its point, times the length of the substep
    bool is_held;  // its vertex is a pin of the step
} WfTied;

typedef struct WfScratch {
    WfArena arena;
    double* backup;              // of what moves
    double* pushes;              // what users push rows with, m/s^2
    double *airflow, *places;    // m/s, the air at rows; and where these are in the world, or
                                 // pinned ones in the middle of a substep
    double* firming;             // per vertex, by its age
    int* pins;                   // the pinned vertices
    double *pin_from, *pin_to;   // their way, 3 per pin
    double* pin_goal;            // where they shall be, where they cannot get there at once
    WfTie* ties;                 // WEFT_MAX_ATTACHMENTS,
    WfTied* tied;                // and what is kept of them
    double** terms;              // per term: its scratch
    double* partial;             // of sums
    unsigned char* small_meets;  // per body, and then per cloth, and cloth: whether they touch

    // of methods that solve
    WfArena work_arena, block_arena, row_arena, sweep_arena;
    WfWork work;
    WfLimitWork limit;
    struct WfSpoke* spokes;  // per edge (opening.c)

    // of small steps
    WfSmallForm own_small;  // where the model has none (small.h)
    WfSmallCloth small;
} WfScratch;

// What a model keeps of them.
struct WfScratchPool* wf_scratch_pool_create(const WeftAllocator* allocator);
void wf_scratch_pool_destroy(const WeftModel* model);
size_t wf_scratch_bytes(const WeftModel* model);

// A step begins: state->scratch is there until it ends. Allocates where more steps are taken at
// once than ever before.
WeftResult wf_take_scratch(WeftState* state);
void wf_give_scratch(WeftState* state);
// For a method that solves, with these needs (method.h); allocates where none had them before.
WeftResult wf_ready_work(const WeftModel* model, unsigned needs, WfScratch* scratch);
// One of the model has all that this method takes.
WeftResult wf_prepare_scratch(const WeftModel* model, const WeftStepDef* def);

#endif
