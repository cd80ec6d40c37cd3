// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What moves, and the scratch to move it.

#ifndef WF_SIM_STATE_H
#define WF_SIM_STATE_H

#include "method/step.h"
#include "sim/model.h"

struct WeftState {
    const WeftModel* model;

    // what moves: saved, copied, hashed. One block of doubles, then the pins.
    double* moving;
    size_t moving_count;
    double *x, *x1, *x2, *v, *v1;  // positions at n, n-1, n-2; velocities at n, n-1
    double* goal;                  // where pinned vertices shall be at the end of the next step
    double* memory;                // of the terms
    size_t memory_count;
    double* clock;  // [0] time, [1] the h that the history was taken with; 0: none
    unsigned char* pinned;

    // what does not
    double* backup;  // of `moving`, while a step is taken
    WfArena arena, block_arena;
    WfWork work;
    double* scales;             // per cloth
    int pin_count, *pins;       // the pinned vertices, during a step
    double *pin_from, *pin_to;  // their way, 3 per pin
    WfFactor own;               // factor for this state's own pins or settings
    bool own_pins_changed;      // pins changed since `own` was made
    bool model_pins;            // the pins are the model's: its factors serve
    WeftStepReport report;
    WeftError error;
};

#endif
