// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The frame of weft-bench. A bench is a function that fills a report with rows and ratios; the
// frame reads options, prints the report as a table and writes it as JSON. A new bench is a file of
// its name, a declaration here and a row in the table of main.c.

#ifndef WEFT_BENCH_BENCH_H
#define WEFT_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "report.h"

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

typedef struct BenchOptions {
    bool quick;        // seconds: small sizes, few steps, no repeats; for a look, not for numbers
    bool full;         // also what takes too long for every day
    bool fresh;        // make anew what is kept between runs
    const char* part;  // only this part; NULL: all
    const char* plot;  // a picture into this file, by a bench that has one; or NULL
    bool has_runs, has_seed;
    uint64_t runs, seed;  // how many, and from which on, of benches with a random generator
    // Of stress: this run; of garments: this garment; of quality: this motion; of realtime: this
    // method beside XPBD; NULL: all.
    const char* only;
    const char* bodies;    // of garments: who wears them; NULL: the usual ones
    const char* garments;  // of garments: the folder they are in; NULL: where they come with weft
    const char* patterns;  // of garments: a folder with more patterns for the batch; NULL: none
} BenchOptions;

typedef struct Bench {
    const char* name;
    const char* text;     // a line for the list
    const char* details;  // lines for its help
    bool has_parts;       // looks at options->part
    // Returns an exit code; what went wrong is on stderr then.
    int (*run)(const BenchOptions* options, Report* report);
    // A picture of what was found, into a .png or .svg; or NULL.
    int (*plot)(const Report* report, const char* path);
} Bench;

extern const Bench swing_bench, large_bench, thesis_bench, solve_bench, grab_bench, budget_bench;
extern const Bench scalable_bench, quality_bench, matrix_free_bench, contact_bench, web_bench;
extern const Bench membrane_bench, fabrics_bench, stress_bench, shock_bench, collapse_bench;
extern const Bench threads_bench, garments_bench, mirror_bench, detail_bench, character_bench;
extern const Bench cut_bench, render_bench, rival_bench, realtime_bench;

// Seconds of processor time of this thread: on one thread and an idle machine the time itself, on a
// busy machine without the time others took.
double thread_time(void* user);
// Seconds on the clock on the wall.
double wall_time(void* user);

// What is being measured, on stderr: a line that is written over on a terminal.
void show_progress(const char* format, ...) PRINTF_LIKE(1, 2);
void end_progress(void);

// The message on stderr; returns the code.
int complain(int code, const char* format, ...) PRINTF_LIKE(2, 3);
// Zeroed memory. A bench without memory has nothing to measure: ends the program.
void* need(size_t count, size_t size);
// A whole number and nothing else.
bool read_whole(const char* text, uint64_t* number);
// The least first.
void sort_numbers(double* numbers, int count);

#endif
