// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How far a run is: a bar on a terminal, a few lines elsewhere.

#ifndef WEFT_CLI_PROGRESS_H
#define WEFT_CLI_PROGRESS_H

#include <stdbool.h>

typedef struct Progress {
    bool quiet, terminal;
    int total;
    double start, shown;  // times on the clock of session.h
    const char* unit;     // what takes the time: a step
} Progress;

void start_progress(Progress* progress, int total, bool quiet);
// `done` frames are done; ms per step so far.
void show_progress(Progress* progress, int done, double ms_per_step);
void end_progress(const Progress* progress);

#endif
