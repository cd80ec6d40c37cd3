// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A run: one stress scene from its start to its end, and what went wrong.

#ifndef WEFT_BENCH_STRESS_RUN_H
#define WEFT_BENCH_STRESS_RUN_H

#include <stdio.h>

#include "weft/weft.h"

typedef enum StressFault {
    STRESS_GOOD,
    STRESS_REFUSED,         // by weft_create_model or a maker of meshes, with a message: no fault
    STRESS_FAILED,          // a step failed, with a message, and left the state as it was
    STRESS_BROKEN_PROMISE,  // a step failed without a message, or changed the state
    STRESS_NOT_FINITE,
    STRESS_NEW_CROSSING,  // in a step that began clean, and nothing was squeezed
    STRESS_FLEW,          // apart: speeds that nothing in the scene gives
    STRESS_WORSE,         // more has passed at the end than at the start, which was not clean
    STRESS_OVER_BOUND,    // a step took too long
    STRESS_CRASH,         // the process ended
    STRESS_FAULT_COUNT
} StressFault;

extern const char* const stress_fault_names[STRESS_FAULT_COUNT];

typedef struct StressRun {
    uint64_t seed;
    WeftMethod method;
    StressFault fault;
    int step;           // at which it happened
    int before, after;  // what had passed through: at the start, or before the step; and after
    bool squeezed;      // something passed through while the report said `unstopped`
    double longest_ms, median_ms;
    int longest_step;
    uint64_t hash;  // of the state at the end
    char message[200];
} StressRun;

typedef struct StressOptions {
    bool real_clocks;  // some budgets go by the machine's clock
    bool first_kinds;  // of bodies only: no tapered ones, hulls and distance fields
    double bound_ms;   // of a step; 0: none
    FILE* verbose;     // tells of the scene and of every step; or NULL
} StressOptions;

StressRun run_stress(uint64_t seed, const StressOptions* options);

// Called with every run, in order.
typedef void StressTeller(const StressRun* run, void* user);

// The runs of seeds first, first + 1, ... in child processes where the system has them, so that a
// crash is one run with a fault; a run that takes `patience` seconds is ended and over the bound.
void run_stress_crowd(uint64_t first, int count, int patience, const StressOptions* options,
                      StressTeller* tell, void* user);

#endif
