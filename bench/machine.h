// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where a bench ran.

#ifndef WEFT_BENCH_MACHINE_H
#define WEFT_BENCH_MACHINE_H

typedef struct Machine {
    int cores;
    char arch[80];         // "aarch64"
    const char* compiler;  // "gcc 12.2.0"
    double load;           // mean number of busy processes over the last minute; 1 is ourselves
} Machine;

Machine this_machine(void);
// Largest memory of this process so far, in megabytes.
double peak_memory(void);

#endif
